/** The `fleetwave` command. `--version` answers before anything else is loaded. */

import { VERSION } from '../../reports/version.ts';
import { tuneEngine } from '../host/engine.ts';
import { ExitCode } from './exit.ts';

process.exitCode = await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<number> {
  const [word] = words;
  if (words.length === 1 && (word === '--version' || word === '-v')) {
    process.stdout.write(`${VERSION}\n`);
    return ExitCode.good;
  }
  tuneEngine();
  // A reader that goes away early, such as `head`, is no fault.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(ExitCode.good);
    throw error;
  });
  const { commandLine } = await import('./command-line.ts');
  return commandLine(words);
}
