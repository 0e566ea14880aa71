/** Plans of studies as files: what was planned once is run anywhere. */
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { PLAN_FORMAT, type StudyPlan } from '../../../scenarios/study/plan.ts';
import { describeSystemError } from '../process/system-error.ts';

/** It cannot be read, or is none. */
export class NoPlan extends Error {
  override readonly name = 'NoPlan';
}

const texts = z.array(z.string());

const Plan = z.looseObject({
  format: z.literal(PLAN_FORMAT),
  study: z.string(),
  scenario: z.string(),
  design: z.string(),
  parameters: z.array(z.looseObject({ name: z.string(), paths: texts })),
  points: z
    .array(
      z.looseObject({
        levels: z.array(z.looseObject({ label: z.string(), number: z.number().nullable() })),
        set: texts,
        scenario: z.string(),
      }),
    )
    .min(1),
  replicates: z.number().int().min(1),
  branchAtUs: z.number().int().nullable(),
  from: z.enum(['simulation', 'snapshot']),
  atMost: z.number().int().min(1),
  until: z.record(z.string(), z.number()),
  figures: texts,
  kept: z.array(z.looseObject({ name: z.string(), unit: z.string() })),
  expectations: texts,
  constraints: texts,
  objectives: z.array(z.looseObject({ goal: z.string(), figure: z.string() })),
  chunkRuns: z.number().int().min(1),
  secondsEach: z.number(),
  manifest: z.looseObject({
    scenario: z.string(),
    files: z.array(z.looseObject({ path: z.string() })),
    set: texts,
    seed: z.string(),
  }),
});

export function readPlan(path: string): StudyPlan {
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const why = error instanceof SyntaxError ? 'is not JSON' : describeSystemError(error);
    throw new NoPlan(`${path}: cannot be read: ${why}`);
  }
  const read = Plan.safeParse(given, { jitless: true });
  // As it stands, since its digest is that of its text.
  if (read.success) return given as StudyPlan;
  const [issue] = read.error.issues;
  const at = `/${(issue?.path ?? []).join('/')}`;
  throw new NoPlan(`${path}: is not the plan of a study at ${at}: ${issue?.message}`);
}
