/**
 * `fleetwave exec -- COMMAND`: an emulator for as long as a command runs, such as the tests of a
 * team, which finds it by its environment. Ends with the command's exit code.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { inspect } from 'node:util';
import { type Check, checksOfRun, commandLine } from '../../reports/checks/check.ts';
import { NOTHING } from '../../reports/text/format.ts';
import { VERSION } from '../../reports/version.ts';
import { type Emulator, startEmulator, WrongOptions } from '../emulator.ts';
import { describeSystemError, isSystemError } from '../host/process/system-error.ts';
import { settingsOf } from '../host/settings/read.ts';
import { prepareCheckFiles, wantsChecks, writeCheckFiles } from './check-files.ts';
import type { CheckFiles } from './check-options.ts';
import { ExitCode, InputError } from './exit.ts';
import { placed, type ServeWords, settingsInForce } from './serve-settings.ts';

/** Exit codes as shells have them. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;
const SIGNALLED = 128;

/** `command`: what stands behind `--`. */
export async function exec(
  words: ServeWords & CheckFiles,
  command: readonly string[],
): Promise<number> {
  if (command.length === 0) {
    throw new InputError(['fleetwave exec: name a command behind --, such as: -- npm test']);
  }
  prepareCheckFiles('exec', words);
  const folder = mkdtempSync(join(tmpdir(), 'fleetwave-exec-'));
  try {
    return await withEmulator(words, folder, command);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function withEmulator(
  words: ServeWords & CheckFiles,
  folder: string,
  command: readonly string[],
): Promise<number> {
  const held = settingsInForce(words, process.env);
  const { ephemeral, quiet: _, readyFile: __, data, ...settings } = settingsOf(held);
  const isPortSaid = held.get('port')?.by !== 'default';
  let broken: unknown;
  let child: ChildProcess | undefined;
  const options = {
    ...settings,
    ...(isPortSaid ? {} : { port: 0 }),
    ...(data !== undefined && { data, durable: ephemeral !== true }),
    onBroken: (error: unknown) => {
      broken = error;
      child?.kill('SIGTERM');
    },
  };
  const began = performance.now();
  const emulator = await started(options, (line) => placed(line, held));
  try {
    child = begun(command, { ...process.env, ...surroundings(emulator, folder) });
    const code = await endOf(child, command[0]!);
    if (broken === undefined) {
      const seconds = (performance.now() - began) / 1000;
      if (!wantsChecks(words)) return code;
      const isNamed = settings.scenario !== undefined;
      return await judged(words, command, emulator, { code, seconds, isNamed });
    }
    process.stderr.write(`fleetwave is at fault here: ${inspect(broken)}\n`);
    return ExitCode.ownFault;
  } finally {
    await emulator.stop();
  }
}

interface ExecEnd {
  readonly code: number;
  readonly seconds: number;
  /** Whether the user names a scenario: the expectations of another one are nobody’s. */
  readonly isNamed: boolean;
}

/** The command is a check beside the expectations of the world; one that fails ends with 1. */
async function judged(
  words: ServeWords & CheckFiles,
  command: readonly string[],
  emulator: Emulator,
  { code, seconds, isNamed }: ExecEnd,
): Promise<number> {
  const { result, expectations: all } = await emulator.judged();
  const expectations = isNamed ? all : [];
  const { seed, digest } = result;
  const again = commandLine(wordsAgain(process.argv.slice(2), seed));
  const name = command.join(' ');
  const ofCommand: Check = {
    name,
    actual: `exit code ${code}`,
    wanted: 'exit code 0',
    state: code === 0 ? 'holds' : 'fails',
    seed,
    command: again,
  };
  const checks = [ofCommand, ...checksOfRun(result, expectations, again)];
  const properties = { seed, digest, version: VERSION };
  await writeCheckFiles(words, { suite: result.scenario.name, checks, seconds, properties });
  const fails = expectations.filter(({ holds }) => !holds);
  for (const { expectation, actual } of fails) {
    process.stderr.write(
      `fleetwave exec: fails: ${expectation} (was ${Number.isFinite(actual) ? actual : NOTHING})\n`,
    );
  }
  return code === 0 && fails.length > 0 ? ExitCode.expectationFails : code;
}

/** The words of this command with its seed, and without the files that it writes. */
function wordsAgain(words: readonly string[], seed: string): string[] {
  const end = words.indexOf('--');
  const own: string[] = [];
  for (let at = 0; at < end; at++) {
    const [, name, value] = /^--(junit|markdown|seed)(=.*)?$/.exec(words[at]!) ?? [];
    if (name === undefined) own.push(words[at]!);
    else if (value === undefined) at++;
  }
  return [...own, `--seed=${seed}`, ...words.slice(end)];
}

async function started(
  options: Parameters<typeof startEmulator>[0],
  place: (line: string) => string,
): Promise<Emulator> {
  try {
    return await startEmulator(options);
  } catch (error) {
    if (!(error instanceof WrongOptions)) throw error;
    throw new InputError(error.lines.map(place));
  }
}

/** What a command finds the emulator by, and trusts it by. */
function surroundings(emulator: Emulator, folder: string): Record<string, string> {
  const { url, ca, clientId, clientSecret, username, password } = emulator;
  return {
    FLEETWAVE_URL: url,
    FLEETWAVE_CLIENT_ID: clientId,
    FLEETWAVE_CLIENT_SECRET: clientSecret,
    FLEETWAVE_USERNAME: username,
    FLEETWAVE_PASSWORD: password,
    ...(ca === undefined ? {} : trust(ca, folder)),
  };
}

/** Node.js takes one file of authorities besides its own: those that are there already stay. */
function trust(ca: string, folder: string): Record<string, string> {
  const own = join(folder, 'ca.pem');
  writeFileSync(own, ca);
  const others = process.env.NODE_EXTRA_CA_CERTS ?? '';
  if (others === '') return { FLEETWAVE_CA: own, NODE_EXTRA_CA_CERTS: own };
  const all = join(folder, 'all-ca.pem');
  writeFileSync(all, `${textOf(others)}\n${ca}`);
  return { FLEETWAVE_CA: own, NODE_EXTRA_CA_CERTS: all };
}

/** Node.js goes without a file that it cannot read. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const begun = ([program, ...words]: readonly string[], env: NodeJS.ProcessEnv): ChildProcess =>
  spawn(program!, words, { env, stdio: 'inherit', shell: process.platform === 'win32' });

/** Signals are the command's; it says when all is over. */
function endOf(child: ChildProcess, program: string): Promise<number> {
  const passOn = (signal: NodeJS.Signals) => {
    // Ctrl-C reaches all programs of a terminal, the command too.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  };
  process.on('SIGTERM', passOn);
  process.on('SIGINT', passOn);
  const ended = new Promise<number>((resolve) => {
    child.on('error', (error) => {
      const isAbsent = isSystemError(error) && error.code === 'ENOENT';
      const why = isAbsent ? 'there is no such program' : describeSystemError(error);
      process.stderr.write(`fleetwave exec: ${program}: ${why}\n`);
      resolve(isAbsent ? NOT_FOUND : NOT_EXECUTABLE);
    });
    child.on('exit', (code, signal) => resolve(code ?? SIGNALLED + constants.signals[signal!]));
  });
  return ended.finally(() => {
    process.off('SIGTERM', passOn);
    process.off('SIGINT', passOn);
  });
}
