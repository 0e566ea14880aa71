/** How the command line ends: exit codes, and errors that the user has to correct. */

import { describeSystemError, isDiskFault } from '../host/process/system-error.ts';

export const ExitCode = {
  /** All went well, and every expectation holds. */
  good: 0,
  /** The run is whole, but an expectation does not hold. */
  expectationFails: 1,
  /** A file, an option or a value is not right. */
  badInput: 2,
  /** What a world was acknowledged is damaged on the disk. */
  damaged: 3,
  /** Fleetwave itself is wrong (EX_SOFTWARE of sysexits.h). */
  ownFault: 70,
  /** What it has to say cannot be written: the disk is full, or fails (EX_IOERR). */
  cannotWrite: 74,
  /** Stopped by Ctrl-C (128 + SIGINT). */
  interrupted: 130,
  /** Stopped by a supervisor (128 + SIGTERM). */
  terminated: 143,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** Bad input, printed without a stack trace, a line a fault. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** What was made cannot be written for a reason that is neither the user's words nor ours. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
}

/** Does something to a file; what the operating system refuses is bad input, unless disks fail. */
export function writing<Value>(path: string, act: () => Value): Value {
  try {
    return act();
  } catch (error) {
    throw writingFault(path, error);
  }
}

/** Rethrows what did not come from the operating system. */
export function writingFault(path: string, error: unknown): Error {
  const refused = `${path}: cannot be written: ${describeSystemError(error)}`;
  return isDiskFault(error) ? new OutputError(refused) : new InputError([refused]);
}
