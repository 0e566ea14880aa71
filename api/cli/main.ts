/** The `fleetwave` command. `--version` answers before anything else is loaded. */

import { VERSION } from '../../reports/version.ts';
import type { ScriptUse } from '../host/process/compiled-code.ts';
import { describeSystemError } from '../host/process/system-error.ts';
import { expectLongRun, expectShortRun } from '../host/process/v8-settings.ts';
import { ExitCode } from './exit.ts';

/** Commands that answer at once, from a script whose compiled code is stored. */
const SCRIPTED: ReadonlySet<string> = new Set([
  'run',
  'validate',
  'replay',
  'plan',
  'airtime',
  'fragments',
  'schema',
]);

/** Runs of many seeds need the threads that modules alone can begin. */
const STUDY = /^--(seeds|verify)(=|$)/;

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
  const wanted = scriptFor(words);
  if (wanted === undefined) expectLongRun();
  else expectShortRun();
  const { openCached: openDurable } = await import('../host/process/compiled-code.ts');
  const scripts = new URL('scripts/', import.meta.url);
  const stored = openDurable<typeof import('./command-line.ts')>(scripts, wanted);
  const { commandLine } = stored?.exports ?? (await import('./command-line.ts'));
  const code = await commandLine(words);
  // Cached code is valid only with the engine settings it was compiled with.
  expectShortRun();
  stored?.keep();
  return code;
}

/** Undefined: another command, which is loaded as modules. */
function scriptFor(words: readonly string[]): ScriptUse | undefined {
  const [use = ''] = words;
  if (!SCRIPTED.has(use) || words.some((word) => STUDY.test(word))) return undefined;
  return { script: 'command-line', use };
}

/** A reader that goes away early, such as `head`, is no fault. */
function cannotWrite(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(ExitCode.good);
  const why = describeSystemError(error);
  process.stderr.write(`fleetwave: cannot write to standard output: ${why}\n`);
  process.exit(ExitCode.cannotWrite);
}
