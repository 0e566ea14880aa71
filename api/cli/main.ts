/** The `fleetwave` command. `--version` answers before anything else is loaded. */
import { writeSync } from 'node:fs';
import { VERSION } from '../../reports/version.ts';
import { type Report, runStored } from '../host/process/compiled-code.ts';
import { scriptBeside } from '../host/process/scripts.ts';
import { describeSystemError } from '../host/process/system-error.ts';
import { expectLongRun, expectShortRun } from '../host/process/v8-settings.ts';
import { ExitCode } from './exit.ts';
import { scriptFor } from './script-for.ts';

type CommandLine = typeof import('./command-line.ts');

/** Until then a server or study has compiled what it needs from the start, ms. */
const STARTED_MS = 3_000;

process.exitCode = await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<number> {
  const [word] = words;
  if (words.length === 1 && (word === '--version' || word === '-v')) return writeVersion();
  handleOutputErrors();
  const { script, use, isQuick } = scriptFor(words);
  const expect = isQuick ? expectShortRun : expectLongRun;
  expect();
  const path = scriptBeside(import.meta.url, script);
  if (path === undefined) return (await import('./command-line.ts')).commandLine(words);
  const stored = runStored<CommandLine>(path, use, reportFor(words));
  if (!isQuick) setTimeout(() => stored.keep(), STARTED_MS).unref();
  const code = await stored.exports.commandLine(words);
  // Cached code is valid only with the engine settings it was compiled with.
  expect();
  stored.keep();
  if (isQuick) exitOnceWritten(code);
  return code;
}

/** What has answered is finished: the engine need not collect and free what it has in use. */
function exitOnceWritten(code: number): void {
  const isWritten = [process.stdout, process.stderr].every(
    // A fault of theirs is reported after this turn.
    ({ writableLength, errored }) => writableLength === 0 && !errored,
  );
  if (isWritten) process.exit(code);
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
