/**
 * What a user, a device or the air can cause is a value: a `Result` with a code, a sentence and a
 * place.
 */

export interface Failure<Code extends string = string> {
  /** `noun.reason`, stable for programs. */
  readonly code: Code;
  /** One sentence for a person, with the numbers in it. */
  readonly message: string;
  /** JSON pointer to the place at fault, such as `/populations/2/count`. */
  readonly path?: string;
}

export type Result<Value, Code extends string = string> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Failure<Code> };

export const ok = <Value>(value: Value): { ok: true; value: Value } => ({ ok: true, value });

export const fail = <Code extends string>(
  code: Code,
  message: string,
  path?: string,
): { ok: false; failure: Failure<Code> } => ({
  ok: false,
  failure: path === undefined ? { code, message } : { code, message, path },
});

/** What comes of a value; a failure stays what it is. */
export const andThen = <Value, Code extends string, Next extends Result<unknown>>(
  result: Result<Value, Code>,
  next: (value: Value) => Next,
): Next | { ok: false; failure: Failure<Code> } => (result.ok ? next(result.value) : result);

/** What was looked up, or that it is not there. */
export const found = <Value, Code extends string>(
  value: Value | undefined,
  code: Code,
  message: string,
): Result<Value, Code> => (value === undefined ? fail(code, message) : ok(value));
