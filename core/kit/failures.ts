/** Classes of failures, common to all resources. HTTP maps them to statuses. */
import type { Failure } from '../../sim/base/result.ts';

export type FailureClass =
  /** What is given is not of the documented form. */
  | 'malformed'
  /** It is valid, but cannot be done: no gateway, no frequency, an empty group. */
  | 'failed'
  /** The caller may not. */
  | 'forbidden'
  /** Nothing has this id. */
  | 'unknown'
  /** At odds with what there is. */
  | 'conflict'
  /** What has to be done before is not. */
  | 'precondition'
  | 'tooLarge'
  /** There is no place for more. */
  | 'full'
  | 'unavailable';

/** Class by code, as resources declare their failures. */
export type FailureClasses = { readonly [code: string]: FailureClass };

/**
 * The class of a failure. What is unknown in a request's own fields, which the failure then points
 * to, makes the request malformed.
 */
export function classOf<Code extends string>(
  { code, path }: Failure<Code>,
  classes: Readonly<Record<Code, FailureClass>>,
): FailureClass {
  const given = classes[code];
  return given === 'unknown' && path !== undefined ? 'malformed' : given;
}
