/** The `fleetwave` command. `--version` answers before anything else is loaded. */
import { writeSync } from 'node:fs';
import { VERSION } from '../../reports/version.ts';
import { openCached, type Report, type ScriptUse } from '../host/process/compiled-code.ts';
import { describeSystemError } from '../host/process/system-error.ts';
import { expectLongRun, expectShortRun } from '../host/process/v8-settings.ts';
import { ExitCode } from './exit.ts';

/** Commands that answer at once, and the script of each, whose compiled code is stored. */
const SCRIPTED: ReadonlyMap<string, string> = new Map([
  ['run', 'command-line'],
  ['validate', 'command-line'],
  ['replay', 'command-line'],
  ['plan', 'command-line'],
  ['schema', 'command-line'],
  ['airtime', 'calculators'],
  ['fragments', 'calculators'],
]);

/** Runs of many seeds need the threads that modules alone can begin. */
const STUDY = /^--(seeds|verify)(=|$)/;

process.exitCode = await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<number> {
  const [word] = words;
  if (words.length === 1 && (word === '--version' || word === '-v')) return writeVersion();
  handleOutputErrors();
  const wanted = scriptFor(words);
  if (wanted === undefined) expectLongRun();
  else expectShortRun();
  const scripts = new URL('scripts/', import.meta.url);
  const stored = openCached<typeof import('./command-line.ts')>(scripts, wanted, reportFor(words));
  const { commandLine } = stored?.exports ?? (await import('./command-line.ts'));
  const code = await commandLine(words);
  // Cached code is valid only with the engine settings it was compiled with.
  expectShortRun();
  stored?.keep();
  if (stored !== undefined) exitOnceWritten(code);
  return code;
}

/** What has answered is finished: the engine need not collect and free what it has in use. */
function exitOnceWritten(code: number): void {
  if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit(code);
}

/** Without a stream, which takes longer to open than the version to say. */
function writeVersion(): number {
  try {
    writeSync(1, `${VERSION}\n`);
  } catch {
    // A pipe that is full for now, or whatever else: a stream knows what to do.
    handleOutputErrors();
    process.stdout.write(`${VERSION}\n`);
  }
  return ExitCode.good;
}

function handleOutputErrors(): void {
  process.stdout.on('error', cannotWrite);
  // There is nowhere left to say it; the exit code does.
  process.stderr.on('error', () => undefined);
}

/** Undefined: another command, which is loaded as modules. */
function scriptFor(words: readonly string[]): ScriptUse | undefined {
  const [use = ''] = words;
  const script = SCRIPTED.get(use);
  if (script === undefined || words.some((word) => STUDY.test(word))) return undefined;
  return { script, use };
}

/** Caches that are not used are a matter of time alone, so they are reported where asked for. */
function reportFor(words: readonly string[]): Report {
  const isVerbose = words.includes('--verbose');
  return (sentence) => void (isVerbose && process.stderr.write(`fleetwave: ${sentence}\n`));
}

/** A reader that goes away early, such as `head`, is no fault. */
function cannotWrite(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(ExitCode.good);
  const why = describeSystemError(error);
  process.stderr.write(`fleetwave: cannot write to standard output: ${why}\n`);
  process.exit(ExitCode.cannotWrite);
}
