/** The law of energy judged: it finds nothing in lawful traces, and notices sums that are wrong. */
import { describe, expect, it } from 'vitest';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import {
  CONTINUOUS_PLAN,
  continuousTrace,
  ENERGY_BUGS,
  ENERGY_PLAN,
  energyTrace,
} from '../support/energy-bugs.ts';

describe.each(Object.entries(ENERGY_BUGS))('the law %s', (name, bugs) => {
  it.each(Object.entries(bugs))('notices: %s', (_, bug) => {
    expect(judge(bug(energyTrace()), ENERGY_PLAN)).toHaveProperty(name);
  });
});

describe('the laws', () => {
  it.each([
    ['B', energyTrace, ENERGY_PLAN],
    ['C', continuousTrace, CONTINUOUS_PLAN],
  ] as const)('find nothing where class %s devices count what they draw', (_, rows, plan) => {
    expect(judge(rows(), plan)).toEqual({});
  });
});
