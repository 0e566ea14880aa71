/** `fleetwave serve`: an emulator of the platform, on a virtual clock, until it is stopped. */
import { existsSync, lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { type Credentials, type Emulator, startEmulator, WrongOptions } from '../emulator.ts';
import { toPrettyJson } from '../host/files/pretty-json.ts';
import { WORLD_FOLDER } from '../host/journal/durable-folder.ts';
import { describeSystemError } from '../host/process/system-error.ts';
import { checkOptions } from '../host/settings/emulator-options.ts';
import { printed } from '../host/settings/print.ts';
import { type InForce, settingsOf } from '../host/settings/read.ts';
import type { Settings } from '../host/settings/table.ts';
import { AUTHORITY_FOLDER } from '../host/tls/authority-folder.ts';
import { ExitCode, InputError } from './exit.ts';
import { dataFolderOf, placed, type ServeWords, settingsInForce } from './serve-settings.ts';

/** What the settings have wrong is for the user to correct, where it was said. */
export async function serve(words: ServeWords): Promise<ExitCode> {
  const held = settingsInForce(words, process.env);
  try {
    return words.printConfig === true ? print(held) : await serveUntilStopped(settingsOf(held));
  } catch (error) {
    if (!(error instanceof WrongOptions)) throw error;
    throw new InputError(error.lines.map((line) => placed(line, held)));
  }
}

/** Settings that could not be served are not printed. */
function print(held: InForce): ExitCode {
  checkOptions(emulatorOptions(settingsOf(held)));
  process.stdout.write(printed(held));
  return ExitCode.good;
}

/** Serves until a signal comes; a second one ends the process at once. */
async function serveUntilStopped(settings: Settings): Promise<ExitCode> {
  const options = emulatorOptions(settings);
  const emulator = await startEmulator(options);
  const { data, durable } = options;
  const response = new ShownOnce(durable ? data : undefined);
  const ca = emulator.ca === undefined ? null : resolve(data, AUTHORITY_FOLDER, 'ca.pem');
  try {
    const { readyFile, quiet } = settings;
    const known = response.isReported ? withoutShown(emulator, settings.rotateSecret) : emulator;
    if (readyFile !== undefined) writeReadyFile(readyFile, known, ca);
    if (!quiet) process.stdout.write(welcome(known, ca, durable ? data : null));
    if (readyFile !== undefined || !quiet) response.note();
    await stopSignal();
  } finally {
    await emulator.stop();
  }
  return ExitCode.good;
}

function emulatorOptions({ ephemeral, quiet: _, readyFile: __, ...settings }: Settings) {
  return { ...settings, data: dataFolderOf(settings), durable: ephemeral !== true };
}

/** For programs: there when the emulator answers, and whole. Nobody else reads the secrets. */
function writeReadyFile(path: string, emulator: Known, ca: string | null): void {
  const { url, openapi, subscribers } = emulator;
  const wire = ({ subscriber, username, applications, ...client }: Credentials) => ({
    subscriber,
    client_id: client.clientId,
    client_secret: client.clientSecret || null,
    username,
    password: client.password || null,
    applications: applications.map(({ name, clientId, clientSecret }) => {
      return { name, client_id: clientId, client_secret: clientSecret || null };
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
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there !== undefined && !there.isFile() && !there.isSymbolicLink()) {
    const is = there.isDirectory() ? 'it is a folder' : 'it is a device or a pipe, and no file';
    throw new InputError([`${path}: cannot be written: ${is}`]);
  }
  try {
    // A file that stands there keeps its mode, and a link leads elsewhere: it has to be a new one.
    rmSync(`${path}.new`, { force: true });
    writeFileSync(`${path}.new`, text, { mode: 0o600, flag: 'wx' });
    renameSync(`${path}.new`, path);
  } catch (error) {
    throw new InputError([`${path}: cannot be written: ${describeSystemError(error)}`]);
  }
}

function welcome({ url, subscribers }: Known, ca: string | null, data: string | null): string {
  const accounts = subscribers.flatMap((each) => [
    `  subscriber     ${each.subscriber}`,
    `  client_id      ${each.clientId}`,
    `  client_secret  ${each.clientSecret || SHOWN}`,
    `  username       ${each.username}`,
    `  password       ${each.password || SHOWN_PASSWORD}`,
    ...each.applications.flatMap(({ name, clientId, clientSecret }) => [
      `  application    ${name}`,
      `  client_id      ${clientId}`,
      `  client_secret  ${clientSecret || SHOWN}`,
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
    ...(data === null ? ENDS : storedIn(data)),
    `${url}/sim/v1/session.yaml is a scenario file of what was asked. Stop with Ctrl-C.`,
    '',
  ].join('\n');
}

/** Placeholder for a secret that an earlier start showed, or that somebody renewed or chose. */
const SHOWN = '(unchanged; --rotate-secret draws another)';
const SHOWN_PASSWORD = '(unchanged)';

type Known = Omit<Emulator, 'stop'>;

/** Client secrets renewed at this start have not been shown yet. */
function withoutShown({ stop: _, ...emulator }: Emulator, isRenewed = false): Known {
  const left = (secret: string) => (isRenewed ? secret : '');
  const bare = ({ applications, ...of }: Credentials): Credentials => ({
    ...of,
    clientSecret: left(of.clientSecret),
    password: '',
    applications: applications.map((each) => {
      return { ...each, clientSecret: left(each.clientSecret) };
    }),
  });
  return { ...emulator, ...bare(emulator), subscribers: emulator.subscribers.map(bare) };
}

/** Whether a start has shown the secrets of a stored world: later ones do not (decision 0068). */
class ShownOnce {
  readonly #path: string | undefined;

  constructor(data: string | undefined) {
    this.#path = data && join(data, WORLD_FOLDER, 'told');
  }

  get isReported(): boolean {
    return this.#path !== undefined && existsSync(this.#path);
  }

  note(): void {
    if (this.#path !== undefined) writeFileSync(this.#path, '');
  }
}

const ENDS = ['The secrets are shown only now; the world ends with the process.'];

const storedIn = (data: string): readonly string[] => [
  `The world is stored in ${relative('.', data) || '.'}, each command before it is answered,`,
  'and continues from there at the next start. The secrets stay valid, and are shown only now.',
  '--ephemeral keeps nothing.',
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
