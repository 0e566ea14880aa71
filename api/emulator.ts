/**
 * The public face `fleetwave/api`: an emulator of the documented platform in this process, one line
 * to start and one to stop.
 *
 *     const emulator = await startEmulator({ scenario: 'fleet.yaml', paused: true });
 *     …
 *     await emulator.stop();
 */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { originOf } from '../core/world/snapshot.ts';
import { sessionText } from '../scenarios/session.ts';
import { accountOperations } from './host/account-operations.ts';
import { Accounts, type Issued } from './host/accounts.ts';
import { applicationOperations } from './host/application-operations.ts';
import { clockOperations } from './host/clock-operations.ts';
import { DurableCommands } from './host/durable-commands.ts';
import {
  checkOptions,
  type EmulatorOptions,
  hostOf,
  isAnyAddress,
  isLoopback,
  WrongOptions,
} from './host/emulator-options.ts';
import { hostOperations } from './host/host-operations.ts';
import { HOST_TIME } from './host/host-time.ts';
import { standsAt } from './host/journal/stands-at.ts';
import { type KeptWorld, type OpenedWorld, openWorld } from './host/journal/world-folder.ts';
import { KeptServed } from './host/kept-served.ts';
import { JournalLease } from './host/lease.ts';
import { makeLogger } from './host/logger.ts';
import { drawBytes, KEY_BYTES } from './host/secrets.ts';
import { type ServedScenario, scenarioOf } from './host/served-scenario.ts';
import { RelivedFault, ServedWorld } from './host/served-world.ts';
import { subscriberOperations } from './host/subscriber-operations.ts';
import { describeSystemError, isSystemError } from './host/system-error.ts';
import { AUTHORITY_FOLDER } from './host/tls/authority-folder.ts';
import { type LocalCertificates, localCertificates } from './host/tls/local-ca.ts';
import { namesOfMachine } from './host/tls/machine-names.ts';
import { VERSION } from './host/version.ts';
import { type Auth, makeAuth } from './http/auth/auth.ts';
import { DOCS_REDIRECT } from './http/docs-page.ts';
import type { DoorOptions } from './http/served.ts';
import { makeDoor } from './http/server.ts';
import { serverFactory } from './http/sockets.ts';

export { codecEngine } from './host/codecs/codec-engine.ts';
export type { EmulatorOptions, LogLevel } from './host/emulator-options.ts';
export { WrongOptions } from './host/emulator-options.ts';

/** Who may use the emulator; secrets are drawn at every start. */
export interface Credentials {
  readonly subscriber: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly username: string;
  readonly password: string;
  /** Applications that the scenario has besides the first. */
  readonly applications: readonly ApplicationCredentials[];
}

export interface ApplicationCredentials {
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** An emulator that runs; its credentials are those of the first subscriber. */
export interface Emulator extends Credentials {
  /** Such as `https://127.0.0.1:8443`. */
  readonly url: string;
  /** PEM of the authority that its certificate is from; absent over plain HTTP. */
  readonly ca: string | undefined;
  /** Where its OpenAPI document is. */
  readonly openapi: string;
  /** All that the scenario names, the first included. */
  readonly subscribers: readonly Credentials[];
  /** Answers what was asked, and ends. */
  readonly stop: () => Promise<void>;
}

/** Throws `WrongOptions`, with all that is wrong with the options or the scenario. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  checkOptions(options);
  const opened = options.durable === true ? await openedWorld(options) : undefined;
  try {
    return await startServing(options, opened);
  } catch (error) {
    await opened?.kept.close();
    throw error;
  }
}

async function startServing(options: EmulatorOptions, opened?: OpenedWorld): Promise<Emulator> {
  const kept = opened?.kept;
  const scenario = scenarioOf(options, opened?.startUnixMs ?? Date.now());
  const served = await relivedWorld(scenario, options, kept);
  const asked =
    kept === undefined ? served : new KeptServed(served, new DurableCommands(served, kept));
  const key = kept?.keyFor('accounts') ?? drawBytes(KEY_BYTES);
  const first = kept && ((name: string) => kept.keyFor(`first secret of ${name}`));
  const accounts = new Accounts({ world: served, key, draw: drawBytes, first });
  const subscribers = accounts.issueFirst().map(credentialsOf);
  const certificates = options.http ? undefined : await certificatesFor(options);
  const listening: Listening = { url: undefined };
  const auth = authOf({ options, served, accounts, key, listening });
  const host = {
    ...hostOperations(scenario.scenario.scenario, () => sessionOf(scenario, served)),
    ...clockOperations(served),
    ...subscriberOperations(asked, accounts),
    ...applicationOperations(asked, accounts),
    ...accountOperations(asked, accounts, auth.guarded),
  };
  const door = await doorOf({ options, served: asked, host, auth, certificates });
  const url = await listen(door, options);
  listening.url = url;
  served.start();
  return {
    ...subscribers[0]!,
    url,
    ca: certificates?.ca,
    openapi: `${url}/openapi.json`,
    subscribers,
    stop: async () => {
      served.stop();
      await door.close();
      await kept?.close();
    },
  };
}

// ── the world, and who may ask it ────────────────────────────────────────────────────────────────

/** A command that has ended the last process does not end this one, too. */
async function relivedWorld(
  scenario: ServedScenario,
  options: EmulatorOptions,
  kept: KeptWorld | undefined,
): Promise<ServedWorld> {
  try {
    return servedWorld(scenario, options, kept);
  } catch (error) {
    const isSteppedOver = error instanceof RelivedFault && (await kept!.stepOver(error.at));
    if (!isSteppedOver) throw error;
    return servedWorld(scenario, options, kept);
  }
}

function servedWorld(
  { plan, seed }: ServedScenario,
  options: EmulatorOptions,
  kept: KeptWorld | undefined,
): ServedWorld {
  const { paused: isPaused = false, speed = 1, onBroken = endProcess } = options;
  const pace = { isPaused, speed };
  const past = kept && { past: kept.past, lease: leaseOf(kept) };
  return ServedWorld.create(plan, seed, { pace, onBroken, ...past });
}

/** Marks go to the journal as commands do; where it has ended, the world stands still. */
function leaseOf(kept: KeptWorld): JournalLease {
  const write = (atUs: number, done: () => void) =>
    kept.append({ kind: 'clockReached', atUs }, (fate) => {
      if (fate === 'durable') done();
    });
  return new JournalLease({ write, elapsedMs: HOST_TIME.elapsedMs }, standsAt(kept.past));
}

/** Where a world is kept in the data folder. */
const WORLD_FOLDER = 'world';

async function openedWorld(options: EmulatorOptions): Promise<OpenedWorld> {
  const worldAt = (startUnixMs: number): string => {
    const { plan, seed } = scenarioOf(options, startUnixMs);
    const origin = originOf(plan, seed);
    return `${origin.plan}.${origin.seed}`;
  };
  const opened = await openWorld({
    folder: join(options.data!, WORLD_FOLDER),
    build: VERSION,
    worldAt,
    startUnixMs: scenarioOf(options, Date.now()).startUnixMs,
    onBroken: options.onBroken ?? endWithoutDisk,
  });
  if (!opened.ok) throw new WrongOptions([opened.failure.message]);
  return opened.value;
}

/** EX_IOERR of sysexits.h. */
const DISK_FAULT = 74;

function endWithoutDisk(error: unknown): never {
  process.stderr.write(`fleetwave ends: its journal cannot be written: ${inspect(error)}\n`);
  process.exit(DISK_FAULT);
}

/** EX_SOFTWARE of sysexits.h: a broken invariant is an own fault. */
const OWN_FAULT = 70;

function endProcess(error: unknown): never {
  process.stderr.write(`fleetwave is at fault here: ${inspect(error)}\n`);
  process.exit(OWN_FAULT);
}

const credentialsOf = ({ clientSecret, password, applications, ...of }: Issued): Credentials => ({
  ...of,
  clientSecret: clientSecret.reveal(),
  password: password.reveal(),
  applications: applications.map(({ clientSecret: secret, ...each }) => {
    return { ...each, clientSecret: secret.reveal() };
  }),
});

async function certificatesFor(options: EmulatorOptions): Promise<LocalCertificates> {
  const host = hostOf(options);
  const names = isAnyAddress(host) ? namesOfMachine() : isLoopback(host) ? [] : [host];
  const folder = options.data && join(options.data, AUTHORITY_FOLDER);
  const made = await localCertificates(folder, { names, now: new Date() });
  if (made.ok) return made.value;
  const { code, message } = made.failure;
  throw new WrongOptions([message + (code === 'tls.folder' ? ' (--data: another folder)' : '')]);
}

/** What was asked so far, as a scenario file. */
function sessionOf({ document, seed, startUnixMs }: ServedScenario, { nowUs, log }: ServedWorld) {
  const commands = log.filter((entry) => entry.kind === 'command');
  return sessionText({ document, seed, startUnixMs, nowUs, commands });
}

// ── the door ─────────────────────────────────────────────────────────────────────────────────────

/**
 * By which tokens expire and answers are remembered: virtual time, ms since 1970, where the
 * operator chose it; absent: the wall's clock.
 */
const tokenClock = ({ tokenClock: clock }: EmulatorOptions, served: Pick<ServedWorld, 'unixMs'>) =>
  clock === 'virtual' ? () => served.unixMs : undefined;

/** The address is known once the door listens, and nobody is redirected before. */
interface Listening {
  url: string | undefined;
}

interface AuthParts {
  readonly options: EmulatorOptions;
  readonly served: ServedWorld;
  readonly accounts: Accounts;
  readonly key: Uint8Array;
  readonly listening: Listening;
}

const authOf = ({ options, served, accounts, key, listening }: AuthParts): Auth =>
  makeAuth({
    accounts,
    key,
    draw: drawBytes,
    limits: { requestsASecond: isLoopback(hostOf(options)) ? null : REQUESTS_A_SECOND },
    now: tokenClock(options, served),
    ownRedirects: () => (listening.url === undefined ? [] : [listening.url + DOCS_REDIRECT]),
  });

/** Of a client, where others than this machine's reach the emulator. */
const REQUESTS_A_SECOND = 1_000;

interface DoorParts extends Pick<DoorOptions, 'host' | 'auth' | 'served'> {
  readonly options: EmulatorOptions;
  readonly certificates: LocalCertificates | undefined;
}

const doorOf = ({ options, served, host, auth, certificates }: DoorParts) =>
  makeDoor({
    served,
    host,
    auth,
    now: tokenClock(options, served),
    ca: certificates?.ca,
    simControl: options.enableSimControl === true || isLoopback(hostOf(options)),
    checkAnswers: options.checkAnswers ?? false,
    logger: makeLogger({ level: options.logLevel ?? 'error' }),
    serverFactory: serverFactory(certificates),
  });

type Door = Awaited<ReturnType<typeof makeDoor>>;

/** The address under which clients reach it. */
async function listen(door: Door, options: EmulatorOptions): Promise<string> {
  const host = hostOf(options);
  const { port = 0, http } = options;
  try {
    await door.listen({ host, port });
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new WrongOptions([`cannot listen on ${host}:${port}: ${describeSystemError(error)}`]);
  }
  const { port: bound } = door.server.address() as AddressInfo;
  return `${http ? 'http' : 'https'}://${nameOf(host)}:${bound}`;
}

function nameOf(host: string): string {
  if (isAnyAddress(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
