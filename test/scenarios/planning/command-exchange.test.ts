/** How often a device speaks until its commands are answered, against cases that are known. */
import { describe, expect, it } from 'vitest';
import {
  periodsUntil,
  throughAfter,
  uplinksUntil,
} from '../../../scenarios/planning/command-exchange.ts';

describe('exchanges with a device', () => {
  it('are all done after the first uplink where nothing is lost', () => {
    expect(uplinksUntil(4, { heard: 1, answered: 1 }, 0.999)).toBe(1);
    expect(throughAfter(4, { heard: 1, answered: 1 }, 0.999)).toEqual([0, 1]);
  });

  it('of one command are geometric', () => {
    const through = throughAfter(1, { heard: 0.5, answered: 0.8 }, 0.95);
    through.forEach((share, uplinks) => {
      expect(share).toBeCloseTo(1 - 0.6 ** uplinks, 12);
    });
  });

  it('go on after an answer, so two need one uplink with the chance of all its frames', () => {
    expect(throughAfter(2, { heard: 0.9, answered: 0.81 }, 0.5)[1]).toBeCloseTo(
      0.9 * 0.81 * 0.81,
      12,
    );
  });

  it('leave nobody out: the shares rise to one', () => {
    const through = throughAfter(4, { heard: 0.7, answered: 0.49 }, 0.9999);
    through.slice(1).forEach((share, i) => {
      expect(share).toBeGreaterThanOrEqual(through[i]!);
    });
    expect(through.at(-1)).toBeGreaterThanOrEqual(0.9999);
    expect(through.at(-2)).toBeLessThan(0.9999);
  });
});

describe('periods until a share is finished', () => {
  it('count from a random instant, so half are finished after half a period', () => {
    expect(periodsUntil(2, { heard: 1, answered: 1 }, 0.5)).toBeCloseTo(0.5, 12);
    expect(periodsUntil(1, { heard: 0.5, answered: 1 }, 0.5)).toBeCloseTo(1, 12);
    expect(periodsUntil(1, { heard: 0.5, answered: 1 }, 0.75)).toBeCloseTo(2, 12);
  });

  it('are none where there is nothing to say', () => {
    expect(periodsUntil(0, { heard: 0.5, answered: 0.5 }, 0.9)).toBe(0);
  });
});
