/** What handlers answer, as it leaves the platform: it shares nothing with the records. */
import { ok, type Result } from '../sim/base/result.ts';
import type { Admitted } from './admission.ts';
import { finish, joined, oneStep, type Steps } from './base/in-steps.ts';
import { copyPlain } from './base/plain.ts';
import { OPERATIONS, type OperationKind } from './operations.ts';

const isInSteps = ({ kind }: Admitted): boolean =>
  OPERATIONS[kind as OperationKind].inSteps === true;

/** The whole answer, at once. */
export function whole(asked: Admitted, answer: Result<unknown>): Result<unknown> {
  if (!answer.ok || !isInSteps(asked)) return copyPlain(answer);
  return ok(copyPlain(joined(finish(answer.value as Steps<unknown>))));
}

/** The answer in steps; one that is small is there after one. */
export function inSteps(asked: Admitted, answer: Result<unknown>): Result<Steps<unknown>> {
  if (!answer.ok || isInSteps(asked)) return answer as Result<Steps<unknown>>;
  return ok(oneStep(copyPlain(answer.value)));
}
