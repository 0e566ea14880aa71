/** When enough seeds have been run: reports/statistics/sequential.ts. */
import { describe, expect, it } from 'vitest';
import { binomialAtMost } from '../../../reports/statistics/distributions.ts';
import { meanInterval } from '../../../reports/statistics/intervals.ts';
import {
  fewestSeedsToAccept,
  isNarrowEnough,
  judgeShare,
  type Verdict,
} from '../../../reports/statistics/sequential.ts';
import { normalQuantile } from '../../../sim/base/math.ts';
import { lehmer } from '../lehmer.ts';

/** Looks after 20, 40, 60 … 400 seeds. */
const OFTEN = Array.from({ length: 20 }, (_, at) => 20 * (at + 1));
/** Looks after 20, 40, 80 … 1280 seeds. */
const DOUBLED = Array.from({ length: 7 }, (_, at) => 20 * 2 ** at);

/** How often a verdict is reached at any look if the true share is `p`: all ways, counted. */
function chancesOf(looks: readonly number[], share: number, p: number, confidence = 0.95) {
  const chances: Record<Verdict, number> = { accept: 0, reject: 0, continue: 0 };
  let going = new Map([[0, 1]]);
  for (const [at, seeds] of looks.entries()) {
    const more = seeds - (looks[at - 1] ?? 0);
    const next = new Map<number, number>();
    for (const [before, chance] of going) {
      for (let held = 0; held <= more; held++) {
        const step = binomialAtMost(held, more, p) - binomialAtMost(held - 1, more, p);
        next.set(before + held, (next.get(before + held) ?? 0) + chance * step);
      }
    }
    going = new Map();
    for (const [held, chance] of next) {
      const verdict = judgeShare({ held, seeds, look: at + 1, share, confidence });
      if (verdict === 'continue') going.set(held, chance);
      else chances[verdict] += chance;
    }
  }
  chances.continue = [...going.values()].reduce((sum, chance) => sum + chance, 0);
  return chances;
}

describe('a share of seeds that is asked for', () => {
  it.each([
    { when: 'after every 20 seeds', looks: OFTEN },
    { when: 'at doubled numbers', looks: DOUBLED },
  ])('is accepted wrongly by one in twenty who look $when', ({ looks }) => {
    for (const share of [0.5, 0.9, 0.95]) {
      expect(chancesOf(looks, share, share - 1e-9).accept).toBeLessThanOrEqual(0.05);
      expect(chancesOf(looks, share, share).reject).toBeLessThanOrEqual(0.05);
    }
  });

  it('is accepted wrongly in at most one of twenty draws', () => {
    const next = lehmer(5);
    const tries = 2000;
    let wrong = 0;
    for (let number = 0; number < tries; number++) {
      let held = 0;
      let verdict: Verdict = 'continue';
      for (const [at, seeds] of OFTEN.entries()) {
        for (let more = 0; more < 20; more++) if (next() < 0.8999) held++;
        verdict = judgeShare({ held, seeds, look: at + 1, share: 0.9 });
        if (verdict !== 'continue') break;
      }
      if (verdict === 'accept') wrong++;
    }
    expect(wrong / tries).toBeLessThanOrEqual(0.05);
    // Three standard errors.
    const exact = chancesOf(OFTEN, 0.9, 0.8999).accept;
    expect(Math.abs(wrong / tries - exact)).toBeLessThan(3 * Math.sqrt(exact / tries));
  });

  it('would be accepted wrongly far more often if no look knew of the others', () => {
    let going = 0;
    const next = lehmer(6);
    for (let number = 0; number < 1000; number++) {
      let held = 0;
      const accepts = OFTEN.some((seeds) => {
        for (let more = 0; more < 20; more++) if (next() < 0.5) held++;
        return judgeShare({ held, seeds, look: 1, share: 0.5, confidence: 0.9 }) === 'accept';
      });
      if (accepts) going++;
    }
    expect(going / 1000).toBeGreaterThan(0.12);
  });

  it('is decided where the true share is well away from it', () => {
    const above = chancesOf(DOUBLED, 0.9, 0.95);
    expect(above.accept).toBeGreaterThan(0.98);
    const below = chancesOf(DOUBLED, 0.9, 0.85);
    expect(below.reject).toBeGreaterThan(0.98);
  });

  it('is accepted from 72 seeds on that all hold, of 95 % at 95 %', () => {
    const seen = { look: 1, share: 0.95 };
    expect(judgeShare({ ...seen, held: 71, seeds: 71 })).toBe('continue');
    expect(judgeShare({ ...seen, held: 72, seeds: 72 })).toBe('accept');
    // log 0.025 / log 0.95 = 71.9, and at the third look log(0.05/12) / log 0.95 = 106.8.
    expect(fewestSeedsToAccept(0.95)).toBe(72);
    expect(fewestSeedsToAccept(0.95, 3)).toBe(107);
    expect(fewestSeedsToAccept(0.99)).toBe(368);
    expect(fewestSeedsToAccept(0.01)).toBe(1);
  });

  it('is rejected where hardly any seed holds, and undecided of none', () => {
    expect(judgeShare({ held: 3, seeds: 10, look: 1, share: 0.95 })).toBe('reject');
    expect(judgeShare({ held: 0, seeds: 0, look: 1, share: 0.95 })).toBe('continue');
    expect(judgeShare({ held: 9, seeds: 10, look: 1, share: 0.95 })).toBe('continue');
  });

  it('lies between 0 and 1: that something holds in all seeds cannot be shown', () => {
    expect(() => judgeShare({ held: 9, seeds: 9, look: 1, share: 1 })).toThrow('share');
    expect(() => judgeShare({ held: 9, seeds: 9, look: 0, share: 0.5 })).toThrow('looks');
    expect(() => judgeShare({ held: 9, seeds: 8, look: 1, share: 0.5 })).toThrow('seeds');
  });
});

describe('a mean', () => {
  const values = (count: number) => Array.from({ length: count }, (_, at) => at % 2);

  it('is known well enough when half its interval is within the bound', () => {
    // Deviation √(20/79) of 80 values, t of 79 is 1.99045.
    const half = (1.99045 * Math.sqrt(20 / 79)) / Math.sqrt(80);
    expect(isNarrowEnough(values(80), half + 1e-5)).toBe(true);
    expect(isNarrowEnough(values(80), half - 1e-5)).toBe(false);
    expect(isNarrowEnough(values(80), half - 1e-5, { confidence: 0.9 })).toBe(true);
  });

  it('is never known well enough of fewer than 20 values, or of as many as are asked for', () => {
    expect(isNarrowEnough(Array(19).fill(7), 1)).toBe(false);
    expect(isNarrowEnough(Array(20).fill(7), 0)).toBe(true);
    expect(isNarrowEnough(Array(5).fill(7), 0, { fewest: 5 })).toBe(true);
    expect(isNarrowEnough([], 1, { fewest: 2 })).toBe(false);
  });

  it('is in its interval 94 times in 100 though one stops when that is narrow', () => {
    const next = lehmer(7);
    const tries = 1500;
    let held = 0;
    for (let number = 0; number < tries; number++) {
      const drawn: number[] = [];
      do {
        for (let at = 0; at < 10; at++) drawn.push(normalQuantile(next()));
      } while (!isNarrowEnough(drawn, 0.35));
      const { low, high } = meanInterval(drawn)!;
      if (low <= 0 && 0 <= high) held++;
    }
    expect(held / tries).toBeGreaterThan(0.94 - 0.018);
  });
});
