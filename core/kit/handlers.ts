/** How a resource takes commands and queries: one function a kind, with who asks and when. */
import type { Result } from '../../sim/base/result.ts';
import type { Asking } from './subscribers.ts';

interface Kinded {
  readonly kind: string;
}

/**
 * One function for each kind of a union of commands or of queries; `Answers` maps a kind to what
 * it is answered with. A refusal changes nothing, and a query changes nothing at all.
 */
export type Handlers<Asked extends Kinded, Answers extends Record<Asked['kind'], unknown>> = {
  readonly [Kind in Asked['kind']]: (
    asked: Extract<Asked, { readonly kind: Kind }>,
    asking: Asking,
  ) => Result<Answers[Kind]>;
};
