/**
 * The public face `fleetwave/api`: an emulator of the documented platform in this process, one line
 * to start and one to stop.
 *
 *     const emulator = await startEmulator({ scenario: 'fleet.yaml', paused: true });
 *     …
 *     await emulator.stop();
 */
import { join } from 'node:path';
import type { ExpectationResult, WorldResult } from '../core/result/result.ts';
import { judge } from '../scenarios/expectations/expectations.ts';
import type { Issued } from './host/accounts/accounts.ts';
import { HOST_TIME } from './host/clock/host-time.ts';
import type { Deliverer } from './host/deliveries/deliverer.ts';
import type { DurableWorld } from './host/journal/world-folder.ts';
import { describeSystemError, isSystemError } from './host/process/system-error.ts';
import {
  checkOptions,
  type EmulatorOptions,
  hostOf,
  isAnyAddress,
  isLoopback,
  WrongOptions,
} from './host/settings/emulator-options.ts';
import { AUTHORITY_FOLDER } from './host/tls/authority-folder.ts';
import { type LocalCertificates, localCertificates } from './host/tls/local-ca.ts';
import { namesOfMachine } from './host/tls/machine-names.ts';
import { caughtUp } from './host/world/catch-up.ts';
import { type ServedScenario, scenarioAt } from './host/world/served-scenario.ts';
import { Savings } from './host/world/snapshot-schedule.ts';
import type { Worlds } from './host/world/worlds.ts';
import { delivererOf } from './serving/deliveries.ts';
import { Entries } from './serving/entries.ts';
import { openedWorld, openedWorlds } from './serving/opened-worlds.ts';

export { codecEngine } from './host/codecs/codec-engine.ts';
export type { EmulatorOptions, LogLevel } from './host/settings/emulator-options.ts';
export { WrongOptions } from './host/settings/emulator-options.ts';

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

/** What a served world has come to so far. */
export interface JudgedWorld {
  readonly result: WorldResult;
  /** In the order of the scenario. */
  readonly expectations: readonly ExpectationResult[];
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
  /** The result of the world so far, judged by the expectations of its scenario. */
  readonly judged: () => Promise<JudgedWorld>;
  /** Answers what was asked, and ends. */
  readonly stop: () => Promise<void>;
}

/** Throws `WrongOptions`, with all that is wrong with the options or the scenario. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  checkOptions(options);
  const at = scenarioAt(options);
  const opened = options.durable === true ? await openedWorld(options, at) : undefined;
  try {
    return await startServing(options, at(opened?.startUnixMs ?? Date.now()), opened?.stored);
  } catch (error) {
    await opened?.stored.close();
    throw error;
  }
}

async function startServing(
  options: EmulatorOptions,
  scenario: ServedScenario,
  stored: DurableWorld | undefined,
): Promise<Emulator> {
  const deliverer = await delivererOf(options, stored);
  try {
    return await startDelivering(options, scenario, stored, deliverer);
  } catch (error) {
    await deliverer?.close();
    throw error;
  }
}

async function startDelivering(
  options: EmulatorOptions,
  scenario: ServedScenario,
  stored: DurableWorld | undefined,
  deliverer: Deliverer | undefined,
): Promise<Emulator> {
  const certificates = options.http ? undefined : await certificatesFor(options);
  const entries = new Entries({ options, scenario, certificates, stored, deliverer });
  const worlds = await openedWorlds({ options, scenario, stored, entries, deliverer });
  const url = await begun(worlds, entries, options);
  const savings = stored && new Savings(worlds, HOST_TIME);
  const subscribers = entries.issued.map(credentialsOf);
  return {
    ...subscribers[0]!,
    url,
    ca: certificates?.ca,
    openapi: `${url}/openapi.json`,
    subscribers,
    judged: async () => {
      const { served } = worlds.main;
      const result = await served.inSteps((world) => world.resultInSteps());
      return { result, expectations: judge(scenario.scenario.expectations, result) };
    },
    stop: async () => {
      worlds.stop();
      await entries.front.close();
      await savings?.end();
      await worlds.close();
      await deliverer?.close();
      await stored?.close();
    },
  };
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
  const created = await localCertificates(folder, { names, now: new Date() });
  if (created.ok) return created.value;
  const { code, message } = created.failure;
  throw new WrongOptions([message + (code === 'tls.folder' ? ' (--data: another folder)' : '')]);
}

/** The address under which clients reach the worlds, which go on from here. */
async function begun(worlds: Worlds, entries: Entries, options: EmulatorOptions): Promise<string> {
  const { served } = worlds.main;
  try {
    if (options.catchUp) {
      served.start();
      await caughtUp(served, Date.now());
    }
    const url = await listen(entries, options);
    served.start();
    if (options.rotateSecret) await entries.rotateSecrets(worlds.main);
    return url;
  } catch (error) {
    worlds.stop();
    throw error;
  }
}

/** The address under which clients reach it. */
async function listen(entries: Entries, options: EmulatorOptions): Promise<string> {
  const host = hostOf(options);
  const { port = 0, http } = options;
  try {
    const { port: bound } = await entries.front.listen(port, host);
    const url = `${http ? 'http' : 'https'}://${nameOf(host)}:${bound}`;
    entries.url = url;
    return url;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new WrongOptions([`cannot listen on ${host}:${port}: ${describeSystemError(error)}`]);
  }
}

function nameOf(host: string): string {
  if (isAnyAddress(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
