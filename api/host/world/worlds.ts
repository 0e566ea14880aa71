/**
 * Worlds of an emulator: the main one, which may be stored, named and restored, and its forks,
 * which end with the process. START HERE for operations on a whole world (docs/decisions/0066).
 *
 * Problem: users want to return to the state where a test began, and to try variants without a
 * change to the world that others use.
 *
 * Approach: with plan and seed, the commands and an instant are the state. So a snapshot is a name
 * in the journal, and a restore is one more entry. State files are caches: a missing one costs time
 * at the next start, and nothing else. A restored world has another id and its own HTTP server, so
 * stored responses, page tokens and streams do not leak into it. Commands under way to the previous
 * world are refused with `world.stopped`. A fork is a copy in memory behind its own server, without
 * a journal.
 *
 * Operations on the main world run one at a time, in a serial queue.
 *
 * Rejected: the state itself in the journal, megabytes for a name. Undo by inverse commands: a
 * world is no database. One server that looks up the world of each request: each of its stores
 * would have to separate worlds by hand.
 */
import { createHash } from 'node:crypto';
import type { Effects } from '../../../core/delivery/deliveries/effects.ts';
import type { ManifestBranch } from '../../../core/result/manifest.ts';
import { type Admitted, refusedAt } from '../../../core/world/log.ts';
import type { WorldPlan } from '../../../core/world/plan.ts';
import { originOf } from '../../../core/world/snapshot.ts';
import type { World } from '../../../core/world/world.ts';
import type { PlanWith } from '../../../scenarios/branching/branch-plan.ts';
import { assert } from '../../../sim/base/assert.ts';
import { fail, ok, type Result } from '../../../sim/base/result.ts';
import type { Pace } from '../clock/clock.ts';
import { HOST_TIME, type HostTime } from '../clock/host-time.ts';
import type { DeliveredWorld } from '../deliveries/delivered-world.ts';
import type { Deliverer } from '../deliveries/deliverer.ts';
import type { JournalEntry } from '../journal/entries-msgpack.ts';
import type { EntryJournal } from '../journal/entry-journal.ts';
import { type RecordedClaim, type RecordedKeys, recordedClaim } from '../journal/recorded-keys.ts';
import { inSequence } from '../process/serial-queue.ts';
import {
  type Origins,
  type ResultListener,
  replayInSlices,
  worldOptions,
} from '../replay/replay.ts';
import {
  BEGINNING,
  type PastState,
  placeOf,
  type Saved,
  type States,
} from '../replay/saved-states.ts';
import type { Claim } from '../requests/response-store.ts';
import { NewsHub } from '../watching/event-hub.ts';
import { type BranchedFork, branchedFork } from './branched-fork.ts';
import { refusedBy } from './durable-commands.ts';
import { durableHost, type HostedWorld, hostInMemory } from './hosted-world.ts';
import type { ServedWorld } from './served-world.ts';

/** At the same time. */
export const MOST_FORKS = 4;
export const MOST_SNAPSHOTS = 100;

export interface WorldsOptions {
  readonly origins: Pick<Origins, 'plan' | 'seed'>;
  /** Reads the scenario with further settings; absent: forks have none of their own. */
  readonly planWith?: PlanWith<WorldPlan>;
  /** Folder of the main world; absent: it ends with the process. */
  readonly journal?: EntryJournal | undefined;
  readonly states: States;
  /** What the journal has. */
  readonly past: PastState;
  readonly named: ReadonlyMap<string, PastState>;
  /** Idempotency keys that the journal has. */
  readonly keys?: RecordedKeys | undefined;
  readonly pace: Partial<Pace>;
  /** What ids of jobs begin with; '' when absent. */
  readonly jobPrefix?: string | undefined;
  /** Takes what leaves the main world; absent: nobody does. */
  readonly deliverer?: Deliverer | undefined;
  readonly time?: HostTime;
  /** A broken invariant has stopped the main world. */
  readonly onBroken: (error: unknown) => void;
  /** Lets clients in. */
  readonly open: (hosted: HostedWorld, worlds: Worlds) => Promise<void>;
  /** Nobody asks it any more. */
  readonly close: (hosted: HostedWorld) => Promise<void>;
  /** What has failed, and is no loss. */
  readonly warn: (message: string, error: unknown) => void;
}

/** Where a fork begins, and what it has otherwise. */
export interface ForkedFrom {
  /** Name of a snapshot; absent: now. */
  readonly snapshot?: string | undefined;
  /** Settings `path=value`; none when absent. */
  readonly set?: readonly string[] | undefined;
}

type ForkRefusal = 'fork.too-many' | 'fork.malformed' | 'snapshot.unknown';

/** What a journal may refuse. */
type JournalRefusal = ReturnType<typeof refusedBy>;
type Refused<Code extends string> = Result<never, Code> | JournalRefusal;

export class Worlds {
  readonly #options: WorldsOptions;
  readonly #named: Map<string, PastState>;
  readonly #forks = new Map<string, HostedWorld>();
  readonly #inTurn = inSequence();
  #forksCreated = 0;
  #main: HostedWorld;

  private constructor(options: WorldsOptions, created: CreatedWorld) {
    this.#options = options;
    this.#named = new Map(options.named);
    this.#main = this.#host(created, options.past, options.pace);
  }

  /** The main world stands where its past has left it; it goes on once it is started. */
  static async open(options: WorldsOptions): Promise<Worlds> {
    const { states, past, named, deliverer } = options;
    const effects = deliverer?.effectsOf(past.life);
    const id = idOf(options.origins, past.life);
    const open = new Map(options.keys?.open.map(({ command, claim }) => [command, claim]));
    const results = new Map<RecordedClaim, Result<unknown>>();
    const created = await createdFrom(past, id, options, effects, {
      // A state behind a command whose result is wanted is too late.
      before: Math.min(...open.keys()),
      onResult: (at, result) => {
        const claim = open.get(at);
        if (claim !== undefined) results.set(claim, result);
      },
    });
    await keepResults(options, results);
    const worlds = new Worlds(options, created);
    await states.keepOnly(past, [...named.values()]);
    await options.open(worlds.main, worlds);
    await deliverer?.begin(deliveredOf(worlds.main));
    return worlds;
  }

  /** Whether the main world is stored on disk. */
  get isStored(): boolean {
    return this.#options.journal !== undefined;
  }

  get main(): HostedWorld {
    return this.#main;
  }

  get forks(): readonly HostedWorld[] {
    return [...this.#forks.values()];
  }

  /** By its id; undefined: it has ended, or never was. */
  of(id: string): HostedWorld | undefined {
    return id === this.#main.id ? this.#main : this.#forks.get(id);
  }

  // ── states with names ──────────────────────────────────────────────────────────────────────────

  /** In the order in which they were named. */
  get named(): ReadonlyMap<string, PastState> {
    return this.#named;
  }

  /** The main world as it is now is called so. */
  name(
    name: string,
    claim?: Claim,
  ): Promise<Result<PastState, 'snapshot.exists' | 'snapshot.too-many'> | JournalRefusal> {
    return this.#between(async () => {
      const earlier = claim?.earlier && this.#named.get(name);
      if (earlier !== undefined) return ok(earlier);
      if (this.#named.has(name)) return fail('snapshot.exists', `There is a snapshot ${name}.`);
      if (this.#named.size >= MOST_SNAPSHOTS) {
        return fail('snapshot.too-many', `There are ${MOST_SNAPSHOTS} snapshots at the most.`);
      }
      const { served, life } = this.#main;
      const state = stateOf(served, life);
      const saved = await savedOf(served);
      const refused = await this.#keep({
        kind: 'named',
        atUs: state.standsAtUs,
        name,
        ...(claim && { claim: recordedClaim(claim) }),
      });
      if (refused !== undefined) return refused;
      this.#named.set(name, state);
      await this.#save(state, saved);
      return ok(state);
    });
  }

  /** Nothing is called so any more. */
  forget(name: string): Promise<Result<undefined, 'snapshot.unknown'> | JournalRefusal> {
    return this.#between(async () => {
      if (!this.#named.has(name)) return unknownSnapshot(name);
      const { nowUs } = this.#main.served;
      const refused = await this.#keep({ kind: 'forgotten', atUs: nowUs, name });
      if (refused !== undefined) return refused;
      this.#named.delete(name);
      await this.#tidy();
      return ok(undefined);
    });
  }

  /**
   * Another world takes the place of the main one: that of a snapshot, or a fresh one without a
   * name. It has another id; callers of the previous one receive the failure that it has stopped.
   */
  restore(name?: string): Promise<Result<HostedWorld, 'snapshot.unknown'> | JournalRefusal> {
    return this.#between(async () => {
      const to = name === undefined ? BEGINNING : this.#named.get(name);
      if (to === undefined) return unknownSnapshot(name!);
      const { served, life } = this.#main;
      const atUs = to.standsAtUs;
      const refused = await this.#keep({ kind: 'restored', atUs, ...(name && { name }) });
      if (refused !== undefined) return refused;
      served.abandon();
      return ok(await this.#replace(to, life + 1));
    });
  }

  /** What cannot be made again is made at the next start, where the journal has it. */
  async #replace(to: PastState, life: number): Promise<HostedWorld> {
    const last = this.#main;
    const { isPaused, speed } = last.served.pace;
    const { deliverer } = this.#options;
    try {
      const past = { ...to, life };
      const effects = deliverer?.effectsOf(life);
      const created = await createdFrom(to, this.#idOf(life), this.#options, effects);
      const next = this.#host(created, past, { isPaused, speed });
      const saved = await savedOf(next.served);
      await deliverer?.begin(deliveredOf(next));
      await this.#options.open(next, this);
      this.#main = next;
      next.served.start();
      // The HTTP server of the previous world still answers the request that restored it.
      void this.#options.close(last);
      await this.#save(past, saved);
      return next;
    } catch (error) {
      this.#options.onBroken(error);
      throw error;
    }
  }

  // ── forks ──────────────────────────────────────────────────────────────────────────────────────

  /**
   * A world of its own that goes on from here, or from a snapshot, as it is or with settings of its
   * own. It stands still at first.
   */
  fork(
    from: HostedWorld,
    pace: Partial<Pace>,
    { snapshot: name, set = [] }: ForkedFrom = {},
  ): Promise<Refused<ForkRefusal> | Result<HostedWorld, never>> {
    return this.#inTurn(async () => {
      const named = name === undefined ? undefined : this.#named.get(name);
      if (name !== undefined && named === undefined) return unknownSnapshot(name, '/snapshot');
      if (this.#forks.size >= MOST_FORKS) {
        return fail('fork.too-many', `There are ${MOST_FORKS} forks at the most: end one.`);
      }
      const id = `${this.#idOf(from.life)}-${++this.#forksCreated}`;
      const created =
        named === undefined
          ? { branch: from.branch, ...(await from.between(() => forkOf(from.served, id))) }
          : await createdFrom(named, id, this.#options);
      const changed = await this.#withSettings(created, id, set);
      if (!changed.ok) return changed;
      const { isPaused, speed } = from.served.pace;
      const fork = hostInMemory({
        id,
        isFork: true,
        life: from.life,
        ...created,
        ...changed.value,
        pace: { isPaused, speed, ...pace },
        time: this.#options.time ?? HOST_TIME,
        onBroken: (error) => this.#options.warn('a fork has stopped', error),
      });
      await this.#options.open(fork, this);
      // Who does not know it yet cannot end it.
      this.#forks.set(fork.id, fork);
      fork.served.start();
      return ok(fork);
    });
  }

  /** What settings of its own change of a new fork. */
  async #withSettings(
    { world, news, branch }: CreatedWorld & { readonly branch?: ManifestBranch | undefined },
    id: string,
    set: readonly string[],
  ): Promise<Result<Partial<BranchedFork>, 'fork.malformed'>> {
    if (set.length === 0) return ok({});
    const { planWith } = this.#options;
    if (branch !== undefined || planWith === undefined) {
      const message =
        'This world has settings of its own since it was forked: fork the main world.';
      return fail('fork.malformed', message, '/set');
    }
    return branchedFork(world, planWith, set, worldOptions(id, news));
  }

  /** False: there is none. */
  async end(id: string): Promise<boolean> {
    const fork = this.#forks.get(id);
    if (fork === undefined) return false;
    this.#forks.delete(id);
    fork.served.stop();
    await this.#options.close(fork);
    return true;
  }

  // ── ends ───────────────────────────────────────────────────────────────────────────────────────

  /** A cache of the main world where it is: the next start begins there. */
  saveMain(): Promise<void> {
    return this.#between(async () => {
      const { served, life } = this.#main;
      await this.#save(stateOf(served, life), await savedOf(served));
    });
  }

  /** Nothing goes on any more. */
  stop(): void {
    for (const { served } of [this.#main, ...this.forks]) served.stop();
  }

  async close(): Promise<void> {
    for (const hosted of [...this.forks, this.#main]) await this.#options.close(hosted);
  }

  // ── inside ─────────────────────────────────────────────────────────────────────────────────────

  /** Does something while the world stands still that is the main one when its turn has come. */
  #between<Value>(act: () => Promise<Value>): Promise<Value> {
    const main = this.#main;
    return main.between(() => (main === this.#main ? act() : this.#between(act)));
  }

  #host(created: CreatedWorld, { life }: PastState, pace: Partial<Pace>): HostedWorld {
    const { journal, onBroken, jobPrefix, time = HOST_TIME } = this.#options;
    const id = this.#idOf(life);
    const hosting = {
      id,
      isFork: false,
      life,
      ...created,
      pace,
      time,
      jobPrefix,
      onBroken,
    };
    if (journal === undefined) return hostInMemory(hosting);
    // Answers of the life before are of a world that is no more.
    const keys = life === this.#options.past.life ? this.#options.keys : undefined;
    return durableHost(hosting, journal, keys);
  }

  #idOf(life: number): string {
    return idOf(this.#options.origins, life);
  }

  async #keep(entry: JournalEntry): Promise<JournalRefusal | undefined> {
    const fate = (await this.#options.journal?.appended(entry)) ?? 'durable';
    return fate === 'durable' ? undefined : refusedBy(fate);
  }

  /** A cache: where it cannot be written, the next start takes longer. */
  async #save(state: PastState, saved: Saved): Promise<void> {
    try {
      // Its deliveries are stored first: a replay does not emit them again.
      await this.#options.deliverer?.settle();
      await this.#options.states.put(placeOf(state), saved);
      await this.#tidy();
    } catch (error) {
      this.#options.warn('a snapshot cannot be written', error);
    }
  }

  async #tidy(): Promise<void> {
    const { served, life } = this.#main;
    await this.#options.states.keepOnly(stateOf(served, life), [...this.#named.values()]);
  }
}

/** A world, and who listens to it. */
interface CreatedWorld {
  /** That have led to it. */
  readonly commands: readonly Admitted[];
  readonly world: World;
  readonly news: NewsHub;
}

/** What is wanted of a past beside the world that it leads to. */
interface Wanted {
  /** Results of commands from this place on; absent: of none. */
  readonly before?: number;
  readonly onResult?: ResultListener;
}

/** A past up to a command, without it. */
const untilCommand = (past: PastState, place: number): PastState => ({
  ...past,
  commands: past.commands.slice(0, place),
  standsAtUs: past.commands[place]!.atUs,
});

/**
 * Results of commands whose answers a crash prevented: later starts need not replay those commands.
 */
async function keepResults(
  { journal, keys, past: { life } }: WorldsOptions,
  results: ReadonlyMap<RecordedClaim, Result<unknown>>,
): Promise<void> {
  for (const [claim, value] of results) {
    const result = JSON.stringify(value);
    keys?.resulted(claim, JSON.parse(result));
    await journal?.appended({ kind: 'resulted', atUs: 0, life, claim, result });
  }
}

/** A world of its own as a past has left it. */
async function createdFrom(
  past: PastState,
  worldId: string,
  { origins: { plan, seed }, states }: Pick<WorldsOptions, 'origins' | 'states'>,
  effects?: Effects,
  wanted: Wanted = {},
): Promise<CreatedWorld> {
  const news = new NewsHub();
  const origins = { plan, seed, options: worldOptions(worldId, news, effects) };
  const { before = past.commands.length, onResult } = wanted;
  const begins = before < past.commands.length ? untilCommand(past, before) : past;
  const begun = await states.latestIn(origins, begins);
  // A process that was killed may not have marked what it refused last.
  const refused = new Set<number>();
  const world = await replayInSlices(origins, past, begun, (at, result) => {
    if (!result.ok && past.commands[at]!.steppedOver !== true) refused.add(at);
    onResult?.(at, result);
  });
  assert(world.nowUs === past.standsAtUs, 'a state is one that the world was in');
  const commands = past.commands.map((each, at) => (refused.has(at) ? refusedAt(each) : each));
  return { world, news, commands };
}

/** Of a world that is held. */
async function forkOf(served: ServedWorld, worldId: string) {
  const news = new NewsHub();
  const options = worldOptions(worldId, news);
  const world = await served.inSteps((each) => each.forkInSteps(options));
  return { world, news, commands: [...served.log] };
}

/** Of a main world: the same at every start. */
function idOf({ plan, seed }: Pick<Origins, 'plan' | 'seed'>, life: number): string {
  const origin = originOf(plan, seed);
  const words = `${origin.plan} ${origin.seed} ${life}`;
  return createHash('sha256').update(words).digest('hex').slice(0, 12);
}

/** As its deliverer uses it. */
const deliveredOf = ({ life, served, asked }: HostedWorld): DeliveredWorld => ({
  life,
  facts: served.facts,
  disable: (by, target) => void asked.submit({ kind: 'delivery.disable', by, target }),
  hold: () => served.hold(),
  release: () => served.release(),
});

const stateOf = ({ log, nowUs }: ServedWorld, life: number): PastState => ({
  commands: [...log],
  standsAtUs: nowUs,
  life,
});

/** Of a world that is held. */
const savedOf = async (served: ServedWorld): Promise<Saved> => ({
  // The caller verifies their integrity by its own checksum.
  bytes: await served.inSteps((world) => world.toBytesInSteps({ checksum: false })),
  contents: served.contents(),
  digest: await served.inSteps((world) => world.outcomeInSteps()),
});

const unknownSnapshot = (name: string, path?: string) =>
  fail('snapshot.unknown', `There is no snapshot ${name}.`, path);
