/** Names by content: of scenarios, plans and runs (docs/decisions/0086). */
import { createHash } from 'node:crypto';
import type { Scenario } from '../../../scenarios/schema/schema.ts';
import type { StudyPlan } from '../../../scenarios/study/plan.ts';
import type { Run } from '../../../scenarios/study/rounds.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const PLAN_DIGITS = 16;
const KEY_DIGITS = 32;

/** Of all that a world is made of; its words about itself, and what is expected of it, are not. */
export function scenarioDigest(whole: Scenario): string {
  const { scenario: _, description: __, seed: ___, expectations: ____, ...world } = whole;
  return sha256(JSON.stringify(world, asPlain)).slice(0, KEY_DIGITS);
}

/** What JSON would lose. */
function asPlain(_: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof Map || value instanceof Set) return [...value];
  if (typeof value === 'bigint') return String(value);
  return value;
}

/** Of its text, which has its keys in one order. */
export const planId = (plan: StudyPlan): string =>
  sha256(JSON.stringify(plan)).slice(0, PLAN_DIGITS);

/** Of a world: its build, scenario and seed. Studies that ask for the same world share it. */
export const keyOf = (
  build: string,
  { points }: StudyPlan,
  { point, seed }: Pick<Run, 'point' | 'seed'>,
): string => sha256(JSON.stringify([build, points[point]!.scenario, seed])).slice(0, KEY_DIGITS);
