/** Refusals of the HTTP layer; they have the shape of core's failures. */
import type { Failure } from '../../sim/base/result.ts';

/** Thrown by hooks and handlers; the error handler words it as the path's family has it. */
export class Refusal extends Error {
  readonly status: number;
  readonly failure: Failure;
  /** Beside what every answer has, such as `WWW-Authenticate`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, failure: Failure, headers: Readonly<Record<string, string>> = {}) {
    super(failure.message);
    this.status = status;
    this.failure = failure;
    this.headers = headers;
  }
}
