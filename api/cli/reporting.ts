/** What a command threw, as its user reads it on stderr, and the exit code that says it. */

import { VERSION } from '../../reports/version.ts';
import { describeSystemError, isDiskFault, isSystemError } from '../host/process/system-error.ts';
import { type Painter, painterOf } from './colour.ts';
import { ExitCode, InputError, OutputError } from './exit.ts';

export function reported(error: unknown): ExitCode {
  if (error instanceof InputError) return report(error.lines, ExitCode.badInput);
  if (error instanceof OutputError) return report([error.message], ExitCode.cannotWrite);
  if (isSystemError(error) && error.syscall !== undefined) {
    const line = refusalOf(error);
    return report([line], isDiskFault(error) ? ExitCode.cannotWrite : ExitCode.badInput);
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const line =
    `fleetwave ${VERSION} is at fault here, not your scenario. Please report it with the ` +
    'scenario and the seed.';
  return report([line, stack], ExitCode.ownFault);
}

/** What the system refuses, with the file where it is known. */
function refusalOf(error: NodeJS.ErrnoException): string {
  const { path, syscall } = error;
  const why = describeSystemError(error);
  if (path === undefined) return `fleetwave: cannot ${syscall}: ${why}`;
  return syscall === 'write'
    ? `${path}: cannot be written: ${why}`
    : `fleetwave: cannot ${syscall} ${path}: ${why}`;
}

/** Of many words that are allowed, the first ones where one of them is near what was given. */
const shortened = (line: string): string =>
  line.replace(/(; allowed: (?:[^,;]+, ){12})[^;]*, [^;]*(; did you mean "[^"]*"\?)$/, '$1…$2');

function report(lines: readonly string[], code: ExitCode): ExitCode {
  const paint = painterOf(process.stderr);
  for (const line of lines) process.stderr.write(`${painted(shortened(line), paint)}\n`);
  return code;
}

/** A place in a file, or the command, before what is wrong. */
function painted(line: string, { place, bad }: Painter): string {
  const at = /^(?:\S+:\d+:\d+|--set .*?|\S+)(?= {2})|^fleetwave[ a-z]*:/.exec(line)?.[0];
  if (at === undefined) return line;
  return (at.startsWith('fleetwave') ? bad(at) : place(at)) + line.slice(at.length);
}
