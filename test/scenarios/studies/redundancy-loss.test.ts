/** `scenarios/studies/redundancy-loss.yaml` against the closed form of the code. */
import { beforeAll, describe, expect, it } from 'vitest';
import { parityRow } from '../../../sim/lorawan/fragmentation-code.ts';
import { pointsTable, tableIn } from '../../docs/study-pages.ts';
import { itLong } from '../../support/long.ts';
import { type Asked, type Studied, studied } from '../../support/studied.ts';

const FRAGMENTS = 21;
const DEVICES = 40;
/** All points hold together: one of a thousand is further away by chance. */
const DEVIATIONS = 3.3;
const TRIALS = 5000;

/** Draws that are the same each time: shares from 0 to 1. */
function shares(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** How many of these rows are independent in the columns that are missing. */
function rankOf(rows: readonly Uint8Array[], missing: readonly number[]): number {
  const stored: number[] = [];
  for (const row of rows) {
    let bits = missing.reduce((sum, place, at) => sum | (row[place]! << at), 0);
    for (const other of stored) bits = Math.min(bits, bits ^ other);
    if (bits !== 0) stored.push(bits);
  }
  return stored.length;
}

/** Chance that the image is rebuilt where each frame is lost by itself: by the code's own rows. */
function rebuilt(loss: number, coded: number): number {
  const draw = shares();
  const rows = Array.from({ length: coded }, (_, at) => parityRow(1, FRAGMENTS, at + 1));
  const places = Array.from({ length: FRAGMENTS }, (_, at) => at);
  let whole = 0;
  for (let trial = 0; trial < TRIALS; trial++) {
    const missing = places.filter(() => draw() < loss);
    const arrived = rows.filter(() => draw() >= loss);
    if (rankOf(arrived, missing) === missing.length) whole++;
  }
  return whole / TRIALS;
}

/** The same of a code whose rows are random: binomial losses, and full rank. */
function rebuiltByRandomRows(loss: number, coded: number): number {
  let chance = 0;
  for (let missing = 0; missing <= FRAGMENTS; missing++) {
    for (let rows = missing; rows <= coded; rows++) {
      const losses = binomial(FRAGMENTS, missing, loss) * binomial(coded, rows, 1 - loss);
      chance += losses * fullRank(missing, rows);
    }
  }
  return chance;
}

/** Chance of exactly k of n, each with chance p. */
function binomial(n: number, k: number, p: number): number {
  let ways = 1;
  for (let i = 1; i <= k; i++) ways = (ways * (n - k + i)) / i;
  return ways * p ** k * (1 - p) ** (n - k);
}

/** Chance that that many random rows of bits have full rank in that many columns. */
function fullRank(columns: number, rows: number): number {
  let chance = 1;
  for (let i = 0; i < columns; i++) chance *= 1 - 2 ** (i - rows);
  return chance;
}

const lossOf = (point: Asked): number => point.number('loss') / 100;
const codedOf = (point: Asked): number => point.mean('campaign.sent') - FRAGMENTS;
const runsIt = (point: Asked): number => point.mean('campaign.runsIt');

let study: Studied;
beforeAll(async () => {
  study = await studied('redundancy-loss', {
    points: ({ loss, redundancy }) => loss === '10 %' && /^([068]?0|100) %$/.test(redundancy!),
    replicates: 2,
  });
});

/** How far a share of that many devices is from its chance, but for one in a thousand. */
function off(chance: number, { point }: Asked): number {
  return DEVIATIONS * Math.sqrt((chance * (1 - chance)) / (point.runs * DEVICES)) + 0.01;
}

describe('redundancy by loss', () => {
  it('updates those whose losses the coded fragments make good', () => {
    for (const point of study.where()) {
      const chance = rebuilt(lossOf(point), codedOf(point));
      const bound = off(chance, point);
      expect(Math.abs(runsIt(point) - chance), JSON.stringify(point.levels)).toBeLessThan(bound);
    }
  });

  it('needs more than random rows would, up to the row that has the last fragment in it', () => {
    const point = study.at({ loss: '10 %', redundancy: '60 %' });
    const random = rebuiltByRandomRows(lossOf(point), codedOf(point));
    expect(random).toBeGreaterThan(0.99);
    expect(runsIt(point)).toBeLessThan(random - 0.03);
  });

  it('reaches 99 % at the redundancy at which the code does: 80 % of so small an image', () => {
    for (const loss of study.levels('loss')) {
      const points = study.where({ loss });
      const found = points.find((point) => runsIt(point) >= 0.99);
      const says = points.find((point) => rebuilt(lossOf(point), codedOf(point)) >= 0.99);
      expect(found?.levels).toEqual(says?.levels);
      expect(found?.levels.redundancy).toBe('80 %');
    }
  });

  it('updates more with more redundancy, whatever is lost', () => {
    for (const loss of study.levels('loss')) {
      const found = study.where({ loss }).map(runsIt);
      expect(found).toEqual([...found].sort((a, b) => a - b));
    }
  });

  it('updates fewer where more is lost, whatever the redundancy', () => {
    for (const redundancy of study.levels('redundancy')) {
      const found = study.where({ redundancy }).map(runsIt);
      expect(found).toEqual([...found].sort((a, b) => b - a));
    }
  });

  itLong('came out as its page says', () => {
    expect(pointsTable(study.study)).toBe(tableIn('redundancy-loss'));
  });
});
