/**
 * What TS004's code costs: every row of the measured curves and of the scan over NbFrag, drawn
 * again and held to its quantiles.
 */
import { describe, expect, it } from 'vitest';
import type { FragmentationVersion } from '../../sim/lorawan/fragmentation-code.ts';
import { RankModel } from '../../sim/lorawan/fragmentation-rank.ts';
import { vectors } from '../support/vectors.ts';

type Row = Readonly<Record<string, number | null>>;

const { curveColumns, curves, scanColumns, scan } = vectors<{
  curveColumns: string[];
  curves: (number | null)[][];
  scanColumns: string[];
  scan: (number | null)[][];
}>('fragmentation-decoder');

const named = (columns: readonly string[], values: readonly (number | null)[]): Row =>
  Object.fromEntries(columns.map((name, i) => [name, values[i] ?? null]));

/** The vectors' own limit: that many coded fragments are sent at most. */
const mostCoded = (M: number): number => Math.min(2 * M + 300, 3600);

/** Sessions drawn again: fewer where one costs more. */
const trialsOf = (M: number): number => Math.max(40, Math.min(400, Math.round(30_000 / M)));

function uniform(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

interface Session {
  readonly extra: number;
  /** Coded fragments sent until complete; Infinity when it never was. */
  readonly sent: number;
}

/** Marks what arrives of `sent` fragments, each lost with this probability. */
function arrivals(sent: number, loss: number, draw: () => number): Int32Array {
  const received = new Int32Array((sent + 31) >> 5);
  for (let i = 0; i < sent; i++) if (draw() >= loss) received[i >> 5]! |= 1 << (i & 31);
  return received;
}

/** Loses exactly that many different ones of the first M. */
function loseExactly(received: Int32Array, M: number, count: number, draw: () => number): void {
  for (let lost = 0; lost < count; ) {
    const i = Math.floor(draw() * M);
    if (((received[i >> 5]! >>> (i & 31)) & 1) === 0) continue;
    received[i >> 5]! &= ~(1 << (i & 31));
    lost++;
  }
}

function drawSession(model: RankModel, M: number, row: Row, draw: () => number): Session {
  const sent = M + mostCoded(M);
  const received = arrivals(sent, row.lossRate ?? 0, draw);
  loseExactly(received, M, row.lostUncoded ?? 0, draw);
  const lost = model.missingAfter(received, 0, M);
  const completedBy = model.completesAt(received, 0, sent);
  if (completedBy < 0) return { extra: Infinity, sent: Infinity };
  let coded = 0;
  for (let i = M; i < completedBy; i++) coded += (received[i >> 5]! >>> (i & 31)) & 1;
  return { extra: coded - lost, sent: Math.max(0, completedBy - M) };
}

function sessionsOf(row: Row): Session[] {
  const M = Number(row.M);
  const version = row.ver as FragmentationVersion;
  const model = new RankModel(version, M);
  const key = (row.lossRate ?? 0) * 1000 + (row.lostUncoded ?? 0);
  const draw = uniform(M * 100_003 + version * 7 + Math.round(key));
  return Array.from({ length: trialsOf(M) }, () => drawSession(model, M, row, draw));
}

/**
 * A quantile of the vectors holds here too: about the same share of sessions lies above it. Both
 * shares are drawn, so five standard errors are allowed.
 */
function holdsQuantile(values: readonly number[], quantile: number | null, share: number): void {
  const above = values.filter((value) => value > Number(quantile)).length / values.length;
  const atLeast = values.filter((value) => value >= Number(quantile)).length / values.length;
  const capacity = 5 * Math.sqrt((share * (1 - share)) / values.length);
  expect(above).toBeLessThanOrEqual(share + capacity);
  expect(atLeast).toBeGreaterThanOrEqual(share - capacity);
}

describe('the redundancy code needs as many coded fragments as measured', () => {
  const rows = curves.map((values) => named(curveColumns, values));

  it.each(rows)('version $ver, M $M, loss $lossRate, lost $lostUncoded', (row) => {
    const sessions = sessionsOf(row);
    const extras = sessions.map(({ extra }) => extra);
    const sent = sessions.map((session) => session.sent);
    holdsQuantile(extras, row.extraP50!, 0.5);
    holdsQuantile(extras, row.extraP90!, 0.1);
    holdsQuantile(extras, row.extraP95!, 0.05);
    holdsQuantile(sent, row.sentRedundancyP50!, 0.5);
    holdsQuantile(sent, row.sentRedundancyP95!, 0.05);
  });
});

describe('the extra fragments at a loss of 20 % are those of the scan', () => {
  const rows = scan.map((values) => ({ ...named(scanColumns, values), lossRate: 0.2 }) as Row);
  const bounds = [100, 200, 300, 800, 1600];

  it.each(bounds.map((most, i) => [(bounds[i - 1] ?? 0) + 1, most] as const))(
    'for every M measured from %i to %i',
    (least, most) => {
      for (const row of rows.filter(({ M }) => Number(M) >= least && Number(M) <= most)) {
        const extras = sessionsOf(row).map(({ extra }) => extra);
        holdsQuantile(extras, row.extraP95!, 0.05);
      }
    },
  );
});
