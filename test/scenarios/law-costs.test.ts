/** What the judgement of a trace costs grows with its length, not with the square of it. */
import { describe, expect, it } from 'vitest';
import { LAWS } from '../../scenarios/testing/laws/laws.ts';
import { type Story, storyOf } from '../../scenarios/testing/laws/story.ts';
import type { TraceRow } from '../../sim/observation/observer.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { CLASS_B_PLAN, classBTrace } from '../support/class-b-bugs.ts';
import { type Costs, costMs, overgrown } from '../support/cost.ts';
import { sampled } from '../support/long.ts';
import { longTrace } from '../support/long-trace.ts';
import { PACKAGE_PLAN, packageTrace } from '../support/package-bugs.ts';
import { lawfulTrace, SCENE_PLAN } from '../support/scene.ts';

/** Rows of the short trace. */
const ROWS = 5_000;

const TRACES: Readonly<
  Record<string, readonly [readonly TraceRow[], NetworkPlan, 'one' | 'many']>
> = {
  'the same devices': [lawfulTrace(), { ...SCENE_PLAN, region: 'KR920' }, 'one'],
  'devices that follow each other under a name': [lawfulTrace(), SCENE_PLAN, 'many'],
  'class B': [classBTrace(), CLASS_B_PLAN, 'one'],
  'groups and blocks': [packageTrace(), PACKAGE_PLAN, 'one'],
};

/** Those of the story, and by law. */
function costsOf(rows: readonly TraceRow[], plan: NetworkPlan): Costs {
  let story: Story | undefined;
  const spent = { 'the story': costMs(() => (story = storyOf(rows, plan))) };
  const laws = Object.entries(LAWS).map(([name, law]) => [name, costMs(() => law.of(story!))]);
  return { ...spent, ...Object.fromEntries(laws) };
}

describe('the cost of each law', () => {
  it.each(sampled(Object.entries(TRACES), ([what]) => /groups/.test(what)))(
    'is near-linear in a trace of %s',
    async (_, [rows, plan, lives]) => {
      const costs = (count: number) => costsOf(longTrace(rows, count, lives), plan);
      expect(await overgrown(costs, ROWS)).toEqual({});
    },
  );
});
