/** The `fleetwave` command. `--version` answers before anything else is loaded. */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VERSION } from '../../reports/version.ts';
import { tuneEngine } from '../host/engine.ts';
import { describeSystemError } from '../host/system-error.ts';
import { ExitCode } from './exit.ts';

const SCRIPTED: ReadonlySet<string> = new Set(['run', 'validate', 'replay']);

/** Runs of many seeds need the threads that modules alone can begin. */
const STUDY = /^--seeds(=|$)/;

/** A run longer than this has dropped the code of its start: it would keep little. */
const LONGEST_START_S = 20;

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
  const { codeFolder, keepModules, runKept } = await import('../host/compiled-code.ts');
  const folder = codeFolder();
  const script = folder === undefined || keepModules(folder) ? undefined : scriptFor(words);
  if (script === undefined || folder === undefined) {
    const { commandLine } = await import('./command-line.ts');
    return commandLine(words);
  }
  const { exports, keep } = runKept<typeof import('./command-line.ts')>(script, folder);
  const code = await exports.commandLine(words);
  if (process.uptime() < LONGEST_START_S) keep();
  return code;
}

/**
 * The script of the commands that answer at once, which `api/bundle.mjs` makes for engines that
 * keep no compiled modules; undefined: another command, or there is no such script.
 */
function scriptFor(words: readonly string[]): string | undefined {
  if (!SCRIPTED.has(words[0] ?? '') || words.some((word) => STUDY.test(word))) return undefined;
  const folder = fileURLToPath(new URL('scripts', import.meta.url));
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const name = names.find((each) => each.endsWith('.cjs'));
  return name && join(folder, name);
}

/** A reader that goes away early, such as `head`, is no fault. */
function cannotWrite(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(ExitCode.good);
  const why = describeSystemError(error);
  process.stderr.write(`fleetwave: cannot write to standard output: ${why}\n`);
  process.exit(ExitCode.cannotWrite);
}
