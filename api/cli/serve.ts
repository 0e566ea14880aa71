/** `fleetwave serve`: an emulator of the platform, on a virtual clock, until it is stopped. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type Credentials, type Emulator, startEmulator, WrongOptions } from '../emulator.ts';
import type { EmulatorOptions, LogLevel } from '../host/emulator-options.ts';
import { toPrettyJson } from '../host/json.ts';
import { describeSystemError } from '../host/system-error.ts';
import { AUTHORITY_FOLDER } from '../host/tls/authority-folder.ts';
import { ExitCode, InputError } from './exit.ts';

export interface ServeOptions {
  readonly file?: string | undefined;
  readonly set: readonly string[];
  readonly seed?: string | undefined;
  readonly startAt?: string | undefined;
  readonly paused?: boolean | undefined;
  readonly speed?: string | undefined;
  readonly host?: string | undefined;
  readonly port: string;
  readonly http?: boolean | undefined;
  readonly data?: string | undefined;
  readonly ephemeral?: boolean | undefined;
  readonly readyFile?: string | undefined;
  readonly tokenClock?: 'wall' | 'virtual' | undefined;
  readonly enableSimControl?: boolean | undefined;
  readonly logLevel?: LogLevel | undefined;
  readonly quiet?: boolean | undefined;
}

/** Serves until a signal comes; a second one ends the process at once. */
export async function serve(options: ServeOptions): Promise<ExitCode> {
  const data = dataFolder(options);
  const durable = options.ephemeral !== true;
  const emulator = await started({ ...emulatorOptions(options), data, durable });
  const ca = emulator.ca === undefined ? null : resolve(data, AUTHORITY_FOLDER, 'ca.pem');
  try {
    if (options.readyFile !== undefined) writeReadyFile(options.readyFile, emulator, ca);
    if (!options.quiet) process.stdout.write(welcome(emulator, ca, durable ? data : null));
    await stopSignal();
  } finally {
    await emulator.stop();
  }
  return ExitCode.good;
}

/** Beside the scenario, or here. */
const dataFolder = ({ data, file }: ServeOptions): string =>
  data ?? join(file === undefined ? '.' : dirname(file), 'fleetwave-data');

function emulatorOptions({ file, speed, port, ...options }: ServeOptions): EmulatorOptions {
  return {
    ...options,
    scenario: file,
    port: numberOf(port),
    speed: speed === undefined || speed === 'max' ? speed : numberOf(speed),
  };
}

/** NaN where it is none: the options are checked by whoever takes them. */
const numberOf = (word: string): number => (word.trim() === '' ? Number.NaN : Number(word));

async function started(options: EmulatorOptions): Promise<Emulator> {
  try {
    return await startEmulator(options);
  } catch (error) {
    if (error instanceof WrongOptions) throw new InputError(error.lines);
    throw error;
  }
}

/** For programs: there when the emulator answers, and whole. Nobody else reads the secrets. */
function writeReadyFile(path: string, emulator: Emulator, ca: string | null): void {
  const { url, openapi, subscribers } = emulator;
  const wire = ({ subscriber, username, password, applications, ...client }: Credentials) => ({
    subscriber,
    client_id: client.clientId,
    client_secret: client.clientSecret,
    username,
    password,
    applications: applications.map(({ name, clientId, clientSecret }) => {
      return { name, client_id: clientId, client_secret: clientSecret };
    }),
  });
  const text = toPrettyJson({
    url,
    pid: process.pid,
    ca,
    ...wire(emulator),
    openapi,
    subscribers: subscribers.map(wire),
  });
  try {
    // A file that stands there keeps its mode, and a link leads elsewhere: it has to be a new one.
    rmSync(`${path}.new`, { force: true });
    writeFileSync(`${path}.new`, text, { mode: 0o600, flag: 'wx' });
    renameSync(`${path}.new`, path);
  } catch (error) {
    throw new InputError([`${path}: cannot be written: ${describeSystemError(error)}`]);
  }
}

function welcome({ url, subscribers }: Emulator, ca: string | null, data: string | null): string {
  const accounts = subscribers.flatMap((each) => [
    `  subscriber     ${each.subscriber}`,
    `  client_id      ${each.clientId}`,
    `  client_secret  ${each.clientSecret || TOLD}`,
    `  username       ${each.username}`,
    `  password       ${each.password || TOLD}`,
    ...each.applications.flatMap(({ name, clientId, clientSecret }) => [
      `  application    ${name}`,
      `  client_id      ${clientId}`,
      `  client_secret  ${clientSecret}`,
    ]),
    '',
  ]);
  const trust = ca === null ? [] : [`  Trust it:      curl --cacert ${relative('.', ca)} …`];
  return [
    `Fleetwave serves ${url}`,
    `  Operations:    ${url}/docs`,
    ...trust,
    '',
    ...accounts,
    ...(data === null ? ENDS : keptIn(data)),
    `${url}/sim/v1/session.yaml is a scenario file of what was asked. Stop with Ctrl-C.`,
    '',
  ].join('\n');
}

/** A secret that somebody has renewed or chosen. */
const TOLD = '(as it was told)';

const ENDS = ['The secrets are told this once; the world ends with the process.'];

const keptIn = (data: string): readonly string[] => [
  `The world is kept in ${relative('.', data) || '.'}, each command before it is answered,`,
  'and goes on from there at the next start, with the same secrets. --ephemeral keeps nothing.',
];

/** Resolves at the first signal to stop. */
const stopSignal = (): Promise<void> =>
  new Promise((resolve) => {
    let isStopping = false;
    const stop = () => {
      if (isStopping) process.exit(ExitCode.interrupted);
      isStopping = true;
      resolve();
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  });
