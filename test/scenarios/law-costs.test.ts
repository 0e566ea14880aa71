/** What the judgement of a trace costs grows with its length, not with the square of it. */
import { describe, expect, it } from 'vitest';
import { LAWS } from '../../scenarios/invariants/laws.ts';
import { storyOf } from '../../scenarios/invariants/story.ts';
import type { TraceRow } from '../../sim/observation/observer.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { CLASS_B_PLAN, classBTrace } from '../support/class-b-bugs.ts';
import { longTrace } from '../support/long-trace.ts';
import { PACKAGE_PLAN, packageTrace } from '../support/package-bugs.ts';
import { lawfulTrace, SCENE_PLAN } from '../support/scene.ts';

/** Rows of the short trace, and how many times as long the long one is. */
const ROWS = 10_000;
const TIMES = 16;
/** Between linear (1) and quadratic (16), with a margin for a busy machine. */
const MORE_PER_ROW = 6;
/** Shorter times are not compared, ms. */
const LEAST_MS = 25;

const TRACES: Readonly<
  Record<string, readonly [readonly TraceRow[], NetworkPlan, 'one' | 'many']>
> = {
  'the same devices': [lawfulTrace(), { ...SCENE_PLAN, region: 'KR920' }, 'one'],
  'devices that follow each other under a name': [lawfulTrace(), SCENE_PLAN, 'many'],
  'class B': [classBTrace(), CLASS_B_PLAN, 'one'],
  'groups and blocks': [packageTrace(), PACKAGE_PLAN, 'one'],
};

/** Milliseconds by law. */
function costs(rows: readonly TraceRow[], plan: NetworkPlan): Map<string, number> {
  const startedMs = performance.now();
  const story = storyOf(rows, plan);
  const spent = new Map([['the story', performance.now() - startedMs]]);
  for (const [name, law] of Object.entries(LAWS)) {
    const fromMs = performance.now();
    law.of(story);
    spent.set(name, performance.now() - fromMs);
  }
  return spent;
}

describe('the cost of each law', () => {
  it.each(Object.entries(TRACES))('is near-linear in a trace of %s', (_, [rows, plan, lives]) => {
    const short = costs(longTrace(rows, ROWS, lives), plan);
    const long = costs(longTrace(rows, ROWS * TIMES, lives), plan);
    const slow = [...long].filter(([name, ms]) => {
      return ms > Math.max(LEAST_MS, short.get(name)!) * TIMES * MORE_PER_ROW;
    });
    expect(slow).toEqual([]);
  });
});
