/**
 * A world is a pure function of (plan, seed, command log). START HERE.
 *
 * It joins the network and the platform under one clock and one event loop. A command takes effect
 * at a virtual instant, after every event of that instant; timeline entries and submitted commands
 * are the same thing, the timeline's first at equal times. A snapshot is only a cache: plan, seed
 * and log are the truth.
 */
import { assert } from '../../sim/base/assert.ts';
import { equalBytes } from '../../sim/base/bytes.ts';
import { DrawPurpose, draw, entityKey, expandSeed, type Seed } from '../../sim/base/random.ts';
import { fail, ok, type Result } from '../../sim/base/result.ts';
import { SECOND_US } from '../../sim/base/units.ts';
import { EventKind, type NetworkEvent } from '../../sim/events.ts';
import { Agenda, type SavedAgenda } from '../../sim/kernel/agenda.ts';
import { Digest } from '../../sim/kernel/digest.ts';
import { carryOut, isNetworkCommand, type NetworkCommand } from '../../sim/network/commands.ts';
import { digestNetwork } from '../../sim/network/digest.ts';
import { Network, type SavedNetwork } from '../../sim/network/network.ts';
import { NetworkView } from '../../sim/network/view.ts';
import type { Observer } from '../../sim/observation/observer.ts';
import { summarise } from '../../sim/observation/summary.ts';
import type { AnswerTo, Command } from '../command.ts';
import { foldField } from '../kit/fold.ts';
import { Outbox } from '../kit/outbox.ts';
import type { Asker } from '../kit/subscribers.ts';
import type {
  MulticastTxStatus,
  NetworkRequest,
  NetworkSummary,
  News,
  ReceivedUplink,
} from '../network-face.ts';
import type { Answered } from '../operations.ts';
import { HEARD_PORTS, Platform, type PlatformState } from '../platform.ts';
import type { Query } from '../query.ts';
import type { CampaignResult, RunResult } from '../result.ts';
import type { WorldPlan } from './plan.ts';
import { fragmentLossesOf, resultOf } from './result-of-network.ts';
import {
  type Origin,
  originOf,
  packSnapshot,
  type SnapshotFault,
  unpackSnapshot,
} from './snapshot.ts';

/** Slices of a run's series. */
const SLICES = 96;

/** What a restart needs besides plan and seed. */
export type LogEntry =
  | { readonly kind: 'command'; readonly atUs: number; readonly command: Command }
  /** The world was seen at this instant: it never goes back behind it. */
  | { readonly kind: 'clockReached'; readonly atUs: number };

/** A world at an instant, as plain data, and which world it is. */
export interface Snapshot extends State {
  readonly origin: Origin;
}

interface State {
  readonly agenda: SavedAgenda;
  readonly network: SavedNetwork;
  /** Timeline entries applied so far. */
  readonly timelineDone: number;
  readonly refusals: readonly string[];
  readonly commands: readonly number[];
  readonly platform: PlatformState;
  readonly verified: readonly (readonly [number, VerifiedImages])[];
}

/** Blocks of a group that were rebuilt byte by byte, and those that equalled the image. */
export interface VerifiedImages {
  readonly rebuilt: number;
  readonly right: number;
}

export interface WorldOptions {
  readonly observer?: Observer;
  /**
   * Receives each entry of the log in the order of time, a command's before it is applied. The
   * world keeps no log: with plan and seed, what is written here is all there is to know.
   */
  readonly log?: (entry: LogEntry) => void;
}

export class World {
  readonly plan: WorldPlan;
  readonly seed: string;
  readonly #agenda = new Agenda();
  readonly #network: Network;
  readonly #options: WorldOptions;
  /** Folds commands; events fold into the agenda's digest. */
  readonly #commands = new Digest();
  /** Stamp of the latest entry that was written to the log, µs. */
  #loggedUs = 0;
  readonly #platform: Platform;
  readonly #outbox = new Outbox();
  /** News of the network, queued until the end of the event. */
  #reports: News[] = [];
  readonly #verified = new Map<number, VerifiedImages>();
  #timelineDone = 0;
  /** What became of timeline entries that were refused. */
  readonly #refusals: string[] = [];

  private constructor(plan: WorldPlan, seed: string, options: WorldOptions) {
    this.plan = plan;
    this.seed = seed;
    this.#options = options;
    const words: Seed = expandSeed(seed);
    const sliceUs = Math.max(1, Math.ceil(plan.durationUs / SLICES));
    const { observer } = options;
    const listener = {
      ports: new Set(HEARD_PORTS),
      onUplink: (uplink: ReceivedUplink) => this.#reports.push({ kind: 'uplink', uplink }),
      onMulticast: (status: MulticastTxStatus) => this.#reports.push({ kind: 'multicast', status }),
      onBlock: (block: RebuiltBlock) => this.#verify(block),
    };
    this.#network = new Network(plan.network, words, this.#agenda, { sliceUs, observer, listener });
    const { key0, key1 } = entityKey(words, 'platform');
    const stream = (purpose: DrawPurpose) => (counter: number) =>
      draw(key0, key1, purpose, counter);
    this.#platform = new Platform(
      new NetworkView(this.#network),
      this.#outbox,
      stream(DrawPurpose.group),
      stream(DrawPurpose.id),
    );
  }

  /** A fresh world at virtual time 0. */
  static create(plan: WorldPlan, seed: string, options: WorldOptions = {}): World {
    const world = new World(plan, seed, options);
    world.#network.populate();
    return world;
  }

  /**
   * The world as it was when the snapshot was taken; plan and seed must be the same. It writes a
   * log only where the options have one.
   */
  static restore(
    plan: WorldPlan,
    seed: string,
    snapshot: Snapshot,
    options: WorldOptions = {},
  ): World {
    const own = originOf(plan, seed);
    assert(snapshot.origin.plan === own.plan, 'a snapshot is restored with its plan');
    assert(snapshot.origin.seed === own.seed, 'a snapshot is restored with its seed');
    return World.#from(plan, seed, snapshot, options);
  }

  /** The world that `toBytes` saved; bytes that are damaged or of another world are refused. */
  static fromBytes(
    plan: WorldPlan,
    seed: string,
    bytes: Uint8Array,
    options: WorldOptions = {},
  ): Result<World, SnapshotFault> {
    const unpacked = unpackSnapshot(bytes, originOf(plan, seed));
    if (!unpacked.ok) return unpacked;
    return ok(World.#from(plan, seed, unpacked.value as State, options));
  }

  static #from(plan: WorldPlan, seed: string, state: State, options: WorldOptions): World {
    const world = new World(plan, seed, options);
    world.#network.load(state.network);
    world.#agenda.load(state.agenda);
    world.#commands.load(state.commands);
    world.#platform.load(state.platform);
    for (const [mcAddr, images] of state.verified) world.#verified.set(mcAddr, images);
    assert(state.timelineDone <= plan.timeline.length, 'what was applied stands in the timeline');
    world.#timelineDone = state.timelineDone;
    for (const refusal of state.refusals) world.#refusals.push(refusal);
    return world;
  }

  /**
   * The world that a log leads to: its commands at their stamps, and on to its last time mark.
   * These entries are not written again; later ones are.
   */
  static replay(
    plan: WorldPlan,
    seed: string,
    log: readonly LogEntry[],
    options: WorldOptions = {},
  ): World {
    const world = World.create(plan, seed, options);
    for (const entry of log) {
      world.runUntil(entry.atUs);
      if (entry.kind === 'command') world.#apply(entry.command);
    }
    return world;
  }

  /** Virtual time, µs. */
  get nowUs(): number {
    return this.#agenda.nowUs;
  }

  get endUs(): number {
    return this.plan.durationUs;
  }

  /** Events dispatched so far. */
  get events(): number {
    return this.#agenda.dispatched;
  }

  /**
   * Goes on until every event ≤ `untilUs` has happened and the clock stands there, or until
   * `maxEvents` have been dispatched. True when `untilUs` is reached; a past instant changes
   * nothing.
   */
  runUntil(untilUs: number, maxEvents = Number.POSITIVE_INFINITY): boolean {
    assert(!Number.isNaN(untilUs) && maxEvents >= 0, 'a world runs to an instant, by some events');
    const beganUs = this.nowUs;
    const lastEvent = this.events + maxEvents;
    for (;;) {
      const next = this.plan.timeline[this.#timelineDone];
      const entry = next !== undefined && next.atUs <= untilUs ? next : undefined;
      const stopUs = entry?.atUs ?? untilUs;
      if (!this.#runEvents(stopUs, lastEvent)) return false;
      assert(this.nowUs >= beganUs && this.nowUs >= stopUs, 'time does not run backwards');
      if (entry === undefined) return true;
      assert(this.nowUs === entry.atUs, 'the timeline is in the order of time');
      this.#timelineDone++;
      const answer = this.#apply(entry.command);
      if (answer.ok) continue;
      // A timeline entry that was refused is a warning of the result.
      const { kind } = entry.command;
      const at = Math.round(this.nowUs / SECOND_US);
      this.#refusals.push(`${kind} at ${at} s was refused: ${answer.failure.message}`);
    }
  }

  /** Applies a command now, after all events and timeline entries of this instant. */
  submit<Given extends Command>(command: Given): AnswerTo<Given['kind']> {
    this.runUntil(this.nowUs);
    this.#write({ kind: 'command', atUs: this.nowUs, command });
    return this.#apply(command) as AnswerTo<Given['kind']>;
  }

  /**
   * Answers a query of a subscriber in the shape that the services document. Asking changes nothing
   * that a digest or a snapshot sees.
   */
  ask<Asked extends Query>(query: Asked): Answered<Asked['kind']> {
    return this.#platform.ask(query, this.nowUs);
  }

  /** Notes in the log that this instant was seen from outside. */
  markTime(): void {
    this.#write({ kind: 'clockReached', atUs: this.nowUs });
  }

  /** What happened so far, as plain data. Asking changes nothing. */
  result(): RunResult {
    this.#network.settle(this.nowUs);
    const complete = this.nowUs >= this.endUs;
    const summary = summarise(this.#network);
    const digest = this.#outcome().hex();
    const at = { nowUs: this.nowUs, events: this.events, complete };
    const campaigns = this.#campaignResults(summary);
    const fate = (devEui: string) => this.#campaigns.fate(devEui);
    const report = { summary, campaigns, fate, refusals: this.#refusals };
    return resultOf(this.plan, this.seed, report, digest, at);
  }

  /** How far the campaigns are. */
  progress(): {
    readonly campaigns: readonly Pick<CampaignResult, 'name' | 'devices' | 'success' | 'failed'>[];
  } {
    return { campaigns: this.#campaigns.results() };
  }

  /**
   * `outcome` covers every dispatched event, every command and every live record in identity order,
   * but no frame bytes, MICs, capacities or caches; `full` adds those bytes.
   */
  digest(): { readonly outcome: string; readonly full: string } {
    this.#network.settle(this.nowUs);
    const outcome = this.#outcome();
    const full = outcome.copy();
    digestNetwork(this.#network, this.#agenda, full, 'bytes');
    return { outcome: outcome.hex(), full: full.hex() };
  }

  snapshot(): Snapshot {
    return { origin: originOf(this.plan, this.seed), ...this.#save() };
  }

  /** A snapshot that may leave the program: it knows its world, and whether it is whole. */
  toBytes(): Uint8Array {
    return packSnapshot(this.#save(), originOf(this.plan, this.seed));
  }

  /**
   * A second world that goes on from here by itself. It is seen by the same observer, and writes no
   * log: what happens to it did not happen to this world. Options that are given say both anew.
   */
  fork(options: WorldOptions = observedAs(this.#options)): World {
    return World.#from(this.plan, this.seed, this.#save(), options);
  }

  #save(): State {
    this.#network.settle(this.nowUs);
    return {
      agenda: this.#agenda.save(),
      network: this.#network.save(),
      timelineDone: this.#timelineDone,
      refusals: [...this.#refusals],
      commands: this.#commands.save(),
      platform: this.#platform.save(),
      verified: [...this.#verified],
    };
  }

  get #campaigns() {
    return this.#platform.resources.campaign;
  }

  // ── inside ─────────────────────────────────────────────────────────────────────────────────────

  #write(entry: LogEntry): void {
    assert(this.#loggedUs <= entry.atUs, 'the log is in the order of time');
    this.#loggedUs = entry.atUs;
    this.#options.log?.(entry);
  }

  /** Of a network that is settled. */
  #outcome(): Digest {
    const outcome = this.#agenda.digest.copy();
    outcome.addText(this.#commands.hex());
    outcome.addNumber(this.nowUs);
    this.#platform.fold(outcome);
    digestNetwork(this.#network, this.#agenda, outcome, 'outcome');
    return outcome;
  }

  /** Dispatches events ≤ `untilUs`; false when the budget of events is used up first. */
  #runEvents(untilUs: number, lastEvent: number): boolean {
    const agenda = this.#agenda;
    const network = this.#network;
    while (agenda.dispatched < lastEvent) {
      if (!agenda.next(untilUs)) {
        agenda.advance(Math.max(untilUs, agenda.nowUs));
        return true;
      }
      if (agenda.kind === EventKind.platformTimer) {
        this.#platform.onTimer(agenda.target, agenda.nowUs);
      } else {
        network.dispatch(agenda.kind as NetworkEvent, agenda.target, agenda.nowUs);
      }
      this.#converse();
    }
    return false;
  }

  /** Decides a command; a refusal is an answer, and the record of it stays. */
  #apply(command: Command): Result<unknown> {
    this.#commands.addNumber(this.nowUs);
    foldField(this.#commands, 'command', command);
    assert(this.nowUs >= 0, 'commands come after the start');
    const answer = isNetworkCommand(command)
      ? this.#applyToNetwork(command)
      : this.#execute(command);
    this.#converse();
    return answer;
  }

  #execute(command: unknown): Result<unknown> {
    const admitted = this.#platform.admit(command);
    return admitted.ok ? this.#platform.execute(admitted.value, this.nowUs) : admitted;
  }

  /** Devices and gateways of another owner are as unknown. */
  #applyToNetwork(command: NetworkCommand & Asker): Result<void> {
    const foreign = this.#refuseForeign(command);
    if (foreign !== undefined) return foreign;
    const answer = carryOut(this.#network, command, this.nowUs);
    if (answer.ok) this.#keepOwners(command);
    return answer;
  }

  /** The platform keeps who owns what is in the network. */
  #keepOwners(command: NetworkCommand & Asker): void {
    const platform = this.#platform;
    switch (command.kind) {
      case 'device.create':
        return platform.onDeviceCreated(command, command.device.devEui);
      case 'device.remove':
        return platform.hear({ kind: 'deviceRemoved', devEui: command.devEui }, this.nowUs);
      case 'gateway.create':
        return platform.onGatewayCreated(command, command.gateway.eui);
      case 'gateway.remove':
        return platform.hear({ kind: 'gatewayRemoved', eui: command.eui }, this.nowUs);
    }
  }

  /** Whatever names a device or gateway of another owner meets nothing. */
  #refuseForeign(command: NetworkCommand & Asker): Result<never> | undefined {
    const platform = this.#platform;
    if ('devEui' in command && !platform.owns(command, 'device', command.devEui)) {
      return fail('device.unknown', `No device has DevEUI ${command.devEui}.`);
    }
    if ('eui' in command && !platform.owns(command, 'gateway', command.eui)) {
      return fail('gateway.unknown', `No gateway has EUI ${command.eui}.`);
    }
    return undefined;
  }

  /** The campaigns, with what only the radio knows of them. */
  #campaignResults(summary: NetworkSummary): CampaignResult[] {
    const addresses = this.#campaigns.addresses();
    const campaigns = this.#campaigns.results();
    assert(addresses.length === campaigns.length, 'each campaign has a place for its address');
    return campaigns.map((campaign, i) => {
      const mcAddr = addresses[i];
      if (mcAddr === undefined) return campaign;
      const verified = this.#verified.get(mcAddr) ?? { rebuilt: 0, right: 0 };
      // The EUI stands for a gateway that is no longer known.
      const gateways = campaign.gateways.map(
        (eui) => summary.gateways.find((gateway) => gateway.eui === eui)?.name ?? eui,
      );
      const fragmentLosses = fragmentLossesOf(summary.counted, mcAddr);
      return { ...campaign, gateways, fragmentLosses, verified };
    });
  }

  // ── between network and platform ───────────────────────────────────────────────────────────────

  /** Reports to the platform and its requests to the network, in turns, until both are silent. */
  #converse(): void {
    while (this.#reports.length > 0 || !this.#outbox.isEmpty) {
      const reports = this.#reports;
      this.#reports = [];
      for (const report of reports) this.#platform.hear(report, this.nowUs);
      for (const request of this.#outbox.drain()) this.#grant(request);
    }
  }

  /** Does what the platform requests of the network. */
  #grant(request: NetworkRequest): void {
    const network = this.#network;
    const { nowUs } = this;
    switch (request.kind) {
      case 'watch':
        return network.watch(request.devEui, request.on);
      case 'downlink':
        return network.enqueueDownlink(request.devEui, request.fPort, request.payload, nowUs);
      case 'clearDownlinks':
        return network.clearDownlinks(request.devEui);
      case 'multicast.open': {
        const { mcAddr, mcKey, frequencyHz, dataRate } = request.group;
        return network.openMulticast(mcAddr, mcKey, frequencyHz, dataRate);
      }
      case 'multicast.close':
        return network.closeMulticast(request.mcAddr);
      case 'multicast.send':
        return network.sendMulticast(request, nowUs);
      case 'wakeAt': {
        const atUs = Math.max(request.atUs, nowUs + 1);
        return this.#agenda.appoint(EventKind.platformTimer, request.timer, atUs);
      }
      case 'wakeNever':
        return this.#agenda.cancel(EventKind.platformTimer, request.timer);
    }
  }

  /** Compares a block that a device rebuilt with the image it was to become. */
  #verify({ mcAddr, block }: RebuiltBlock): void {
    const image = this.#campaigns.imageOf(mcAddr);
    if (image === undefined) return;
    const { rebuilt, right } = this.#verified.get(mcAddr) ?? { rebuilt: 0, right: 0 };
    const equal = equalBytes(block, image.bytes);
    this.#verified.set(mcAddr, { rebuilt: rebuilt + 1, right: right + (equal ? 1 : 0) });
  }
}

const observedAs = ({ observer }: WorldOptions): WorldOptions =>
  observer === undefined ? {} : { observer };

/** A block that a sampled device has put together again. */
interface RebuiltBlock {
  readonly devEui: string;
  readonly mcAddr: number;
  readonly block: Uint8Array;
}
