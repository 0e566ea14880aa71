/** How a resource takes commands and queries: one function a kind, with who asks and when. */
import type { Result } from '../../sim/base/result.ts';
import type { Asking } from './subscribers.ts';

interface Kinded {
  readonly kind: string;
}

/**
 * One function for each kind of a union of commands or of queries; `Answers` maps a kind to what
 * it is answered with, `Code` is the union of its failure codes. A refusal changes nothing, and a
 * query changes nothing at all.
 */
export type Handlers<
  Asked extends Kinded,
  Answers extends Record<Asked['kind'], unknown>,
  Code extends string,
> = {
  readonly [Kind in Asked['kind']]: (
    asked: Extract<Asked, { readonly kind: Kind }>,
    asking: Asking,
  ) => Result<Answers[Kind], Code>;
};

/** Handlers by kind, of whatever commands or queries. */
export type AnyHandlers = {
  readonly [kind: string]: (asked: never, asking: Asking) => Result<unknown>;
};

/**
 * The operations in handlers, or in each of a union of handlers, as a union: their kind, what is
 * asked, what it answers and how it fails.
 */
export type OperationsOf<Given> = Given extends AnyHandlers
  ? { [Kind in keyof Given & string]: OperationOf<Kind, Given[Kind]> }[keyof Given & string]
  : never;

type OperationOf<Kind, Handler> = Handler extends (
  asked: infer Asked,
  asking: Asking,
) => Result<infer Answer, infer Code>
  ? { readonly kind: Kind; readonly asked: Asked; readonly answer: Answer; readonly code: Code }
  : never;
