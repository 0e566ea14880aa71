/** The `fleetwave` command. `--version` answers before anything else is loaded. */

import { VERSION } from '../../reports/version.ts';
import { tuneEngine } from '../host/engine.ts';
import { describeSystemError } from '../host/system-error.ts';
import { ExitCode } from './exit.ts';

process.exitCode = await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<number> {
  process.stdout.on('error', cannotWrite);
  // There is nowhere left to say it; the exit code does.
  process.stderr.on('error', () => undefined);
  const [word] = words;
  if (words.length === 1 && (word === '--version' || word === '-v')) {
    process.stdout.write(`${VERSION}\n`);
    return ExitCode.good;
  }
  tuneEngine();
  const { commandLine } = await import('./command-line.ts');
  return commandLine(words);
}

/** A reader that goes away early, such as `head`, is no fault. */
function cannotWrite(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(ExitCode.good);
  const why = describeSystemError(error);
  process.stderr.write(`fleetwave: cannot write to standard output: ${why}\n`);
  process.exit(ExitCode.cannotWrite);
}
