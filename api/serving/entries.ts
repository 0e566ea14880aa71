/** HTTP servers of an emulator's worlds behind one address: each world has its own. */
import { hkdfSync } from 'node:crypto';
import type { Steps } from '../../core/base/in-steps.ts';
import type { Manifest } from '../../core/result/manifest.ts';
import { sessionPieces } from '../../scenarios/session.ts';
import { accountOperations } from '../host/accounts/account-operations.ts';
import { Accounts, type Issued, type IssuedApplication } from '../host/accounts/accounts.ts';
import { applicationOperations } from '../host/accounts/application-operations.ts';
import { drawBytes, KEY_BYTES, type Secret } from '../host/accounts/secrets.ts';
import { subscriberOperations } from '../host/accounts/subscriber-operations.ts';
import { runInSlices } from '../host/clock/steps-in-slices.ts';
import type { Deliverer } from '../host/deliveries/deliverer.ts';
import { outboxFigures } from '../host/deliveries/outbox-figures.ts';
import { outboxOperations } from '../host/deliveries/outbox-operations.ts';
import { TextPieces } from '../host/files/chunked-text.ts';
import type { DurableWorld } from '../host/journal/world-folder.ts';
import { makeLogger } from '../host/process/logger.ts';
import {
  type EmulatorOptions,
  hostOf,
  isLoopback,
  WrongOptions,
} from '../host/settings/emulator-options.ts';
import type { LocalCertificates } from '../host/tls/local-ca.ts';
import { type Figures, requestFigures } from '../host/watching/figures.ts';
import { RequestTally } from '../host/watching/request-tally.ts';
import { type ClientRecords, makeRecords } from '../host/watching/watch.ts';
import { clockOperations } from '../host/world/clock-operations.ts';
import { hostOperations } from '../host/world/host-operations.ts';
import type { HostedWorld } from '../host/world/hosted-world.ts';
import type { ServedScenario } from '../host/world/served-scenario.ts';
import type { ServedWorld } from '../host/world/served-world.ts';
import { timelineOperations } from '../host/world/timeline-operations.ts';
import { worldFigures } from '../host/world/world-figures.ts';
import { worldOperations } from '../host/world/world-operations.ts';
import type { Worlds } from '../host/world/worlds.ts';
import { type Auth, makeAuth } from '../http/auth/auth.ts';
import { clientLimits } from '../http/auth/client-limits.ts';
import { DOCS_REDIRECT } from '../http/docs-page.ts';
import { PLACES } from '../http/families.ts';
import { type Front, type FrontEntry, makeFront } from '../http/front.ts';
import { makeEntry } from '../http/server.ts';
import { worldPath } from '../http/world-path.ts';

export interface EntriesOptions {
  readonly options: EmulatorOptions;
  readonly scenario: ServedScenario;
  readonly certificates: LocalCertificates | undefined;
  /** Absent: keys are drawn, and forgotten with the process. */
  readonly stored: DurableWorld | undefined;
  /** Absent: what leaves the main world goes nowhere. */
  readonly deliverer: Deliverer | undefined;
}

export class Entries {
  readonly #parts: EntriesOptions;
  readonly #keyFor: (use: string) => Uint8Array;
  readonly #entries = new Map<string, FrontEntry>();
  readonly front: Front;
  /** Client records of the main world, which a restore may replace. */
  readonly #records: ClientRecords;
  readonly #tally = new RequestTally();
  /** Of the main world, or the last one that was. */
  #main: FrontEntry | undefined;
  #issued: readonly Issued[] = [];
  #accounts: Accounts | undefined;
  /** The address is known once the front listens, and nobody is redirected before. */
  url: string | undefined;

  constructor(parts: EntriesOptions) {
    this.#parts = parts;
    this.#records = makeRecords(parts.scenario.seed, PLACES);
    this.#keyFor = parts.stored?.keyFor ?? drawnKeys();
    this.front = makeFront({
      certificates: parts.certificates,
      connections: parts.options.connections,
      entryOf: (id) => this.#entries.get(id),
      mainEntry: () => this.#main!,
    });
  }

  /** First secrets of the main world's subscribers. */
  get issued(): readonly Issued[] {
    return this.#issued;
  }

  /** A main world takes the place of the last one. */
  async open(hosted: HostedWorld, worlds: Worlds): Promise<void> {
    const key = this.#keyFor('accounts');
    const first = (name: string) => this.#keyFor(`first secret of ${name}`);
    const { served } = hosted;
    const accounts = new Accounts({ world: served, key, draw: drawBytes, first });
    const issued = accounts.issueFirst();
    const auth = this.#authOf(served, accounts, key);
    const entry = await this.#entryOf(hosted, worlds, accounts, auth);
    await entry.ready();
    const opened = { entry, served };
    this.#entries.set(hosted.id, opened);
    if (hosted.isFork) return;
    this.#main = opened;
    this.#issued = issued;
    this.#accounts = accounts;
  }

  /** Clients get other secrets, by commands: the old ones and their tokens are void. */
  async rotateSecrets({ asked }: HostedWorld): Promise<void> {
    const { application } = asked.facts.accounts;
    const renew = async (by: string, clientId: string, present: Secret): Promise<Secret> => {
      const known = application.list(by).find(({ uuid }) => uuid === clientId);
      if (known === undefined) return present;
      const { secret, verifier } = this.#accounts!.drawSecret();
      const of = { by, Id: known.id, verifier };
      const done = await asked.submit({ kind: 'application.refreshToken', ...of });
      if (!done.ok) throw new WrongOptions([`--rotate-secret: ${done.failure.message}`]);
      return secret;
    };
    const renewed: Issued[] = [];
    for (const issued of this.#issued) {
      const { subscriber, clientId } = issued;
      const clientSecret = await renew(subscriber, clientId, issued.clientSecret);
      const applications: IssuedApplication[] = [];
      for (const each of issued.applications) {
        const own = await renew(subscriber, each.clientId, each.clientSecret);
        applications.push({ ...each, clientSecret: own });
      }
      renewed.push({ ...issued, clientSecret, applications });
    }
    this.#issued = renewed;
  }

  /** Requests that are underway are answered all the same. */
  async close({ id }: HostedWorld): Promise<void> {
    const closed = this.#entries.get(id);
    this.#entries.delete(id);
    await closed?.entry.close();
  }

  #figuresOf(worlds: Worlds): readonly Figures[] {
    const targetQueues = () => this.#parts.deliverer?.queues;
    return [requestFigures(this.#tally), worldFigures(worlds), outboxFigures(targetQueues)];
  }

  #authOf(served: ServedWorld, accounts: Accounts, key: Uint8Array): Auth {
    const { options } = this.#parts;
    return makeAuth({
      accounts,
      key,
      draw: drawBytes,
      limits: clientLimits(options, isLoopback(hostOf(options)), accounts),
      now: tokenClock(options, served),
      ownRedirects: () => (this.url === undefined ? [] : [this.url + DOCS_REDIRECT]),
    });
  }

  #entryOf(hosted: HostedWorld, worlds: Worlds, accounts: Accounts, auth: Auth) {
    const { options, scenario, certificates, deliverer } = this.#parts;
    const { served, asked, id, isFork } = hosted;
    const host = {
      ...hostOperations(
        scenario.scenario.scenario,
        () => new TextPieces(sessionIn(scenario, hosted)),
      ),
      ...clockOperations(served),
      ...worldOperations(
        hosted,
        worlds,
        (each) => worldPath(each.id),
        () => manifestOf(scenario, hosted),
      ),
      ...outboxOperations(served.facts, () => (isFork ? undefined : deliverer?.queues)),
      ...timelineOperations(hosted, scenario),
      ...subscriberOperations(asked, accounts),
      ...applicationOperations(asked, accounts),
      ...accountOperations(asked, accounts, auth.guarded),
    };
    return makeEntry({
      served: asked,
      host,
      auth,
      path: isFork ? worldPath(id) : '',
      tally: this.#tally,
      metrics: isFork || !isWatched(options) ? undefined : this.#figuresOf(worlds),
      records: isFork ? undefined : this.#records,
      // The server of the previous world answers the restore, with the time of the next world.
      clock: isFork ? undefined : () => this.#main?.served ?? served,
      now: tokenClock(options, served),
      keys: hosted.keys,
      ca: certificates?.ca,
      simControl: options.enableSimControl === true || isLoopback(hostOf(options)),
      checkAnswers: options.checkAnswers ?? false,
      bodyBytes: options.bodyBytes,
      logger: makeLogger({ level: options.logLevel ?? 'error' }),
    });
  }
}

/** Others than this machine see what is counted where the operator says so. */
const isWatched = (options: EmulatorOptions): boolean =>
  options.metrics === true || isLoopback(hostOf(options));

/** Of a world that ends with its process. */
function drawnKeys(): (use: string) => Uint8Array {
  const key = drawBytes(KEY_BYTES);
  return (use) => new Uint8Array(hkdfSync('sha256', key, '', use, KEY_BYTES));
}

/**
 * By which tokens expire and answers are remembered: virtual time, ms since 1970, where the
 * operator chose it; absent: the wall's clock.
 */
const tokenClock = ({ tokenClock: clock }: EmulatorOptions, served: Pick<ServedWorld, 'unixMs'>) =>
  clock === 'virtual' ? () => served.unixMs : undefined;

/** What was asked so far, as a scenario file. */
const sessionOf = (
  { document, seed, startUnixMs }: ServedScenario,
  { nowUs, log: commands }: ServedWorld,
) => ({ document, seed, startUnixMs, nowUs, commands });

/** Its text. A scenario file cannot have the settings of a fork: they stand in a comment. */
function* sessionIn(
  scenario: ServedScenario,
  { served, branch }: HostedWorld,
): Generator<string, undefined, undefined> {
  if (branch !== undefined) {
    yield `# From ${branch.atSeconds} s this fork has settings that no scenario file has:\n`;
    for (const one of branch.set) yield `#   ${JSON.stringify(one)}\n`;
    yield '# This file repeats the world without them; fleetwave replay repeats its result.json.\n';
  }
  return yield* sessionPieces(sessionOf(scenario, served));
}

/** The same with the files that it names: what a result is repeated from. */
const manifestOf = async (
  scenario: ServedScenario,
  { served, branch }: HostedWorld,
): Promise<Manifest> => ({
  scenario: await runInSlices(joining(sessionPieces(sessionOf(scenario, served)))),
  files: scenario.files,
  set: [],
  seed: scenario.seed,
  ...(branch && { branch }),
});

/** One text, in steps. */
function* joining(pieces: Iterable<string>): Steps<string> {
  const all: string[] = [];
  for (const piece of pieces) {
    all.push(piece);
    yield;
  }
  return all.join('');
}
