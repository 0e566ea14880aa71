/**
 * A world is a pure function of (plan, seed, command log). START HERE.
 *
 * It joins the network and the platform under one clock and one event loop. A command takes effect
 * at a virtual instant, after every event of that instant; timeline entries and submitted commands
 * are the same thing, the timeline's first at equal times. A snapshot is only a cache: plan, seed
 * and log are the truth.
 */

import { assert } from '../../sim/base/assert.ts';
import { expandSeed, type Seed } from '../../sim/base/random.ts';
import { ok, type Result } from '../../sim/base/result.ts';
import type { Transmission } from '../../sim/contract/forwarding.ts';
import type { News } from '../../sim/contract/news.ts';
import { EventKind, type NetworkEvent } from '../../sim/events.ts';
import { Agenda } from '../../sim/kernel/agenda.ts';
import { type DeviceKeys, deviceKeys } from '../../sim/network/device-keys.ts';
import { Network } from '../../sim/network/network.ts';
import { LiveView } from '../../sim/network/view.ts';
import type { ServerListener } from '../../sim/network-server/listener.ts';
import type { Content } from '../base/contents.ts';
import { finish, type Steps } from '../base/in-steps.ts';
import { Outbox } from '../base/outbox.ts';
import { copyPlain } from '../base/plain.ts';
import type { AdmittedCommand, Command } from '../command.ts';
import type { Answered } from '../operations.ts';
import { Platform } from '../platform.ts';
import type { Query } from '../query.ts';
import type { CampaignProgress } from '../result/result.ts';
import { CommandDigest } from './command-digest.ts';
import { Course } from './course.ts';
import { Exchange } from './exchange.ts';
import { WorldFacts } from './facts.ts';
import { Guard, type Refused, refuse } from './guard.ts';
import { addBulk, hooksOf } from './listening.ts';
import { type Admitted, Log, type LogEntry, type RequestedTransmission } from './log.ts';
import { checkedOptions, observedAs, stepsOf, type WorldOptions } from './options.ts';
import { type ResultOf, type RunPlan, slicingOf, type WorldPlan } from './plan.ts';
import { platformDraws } from './platform-draws.ts';
import { RadioGroundTruth } from './radio-truth.ts';
import {
  type Beside,
  type Origin,
  originOf,
  type Sealing,
  type SnapshotFault,
  unpackingSnapshot,
} from './snapshot.ts';
import { copyState, type State } from './state.ts';
import { Timeline } from './timeline.ts';
import { Traversals } from './traversals.ts';

/** A world at an instant, as plain data, and which world it is. */
export interface Snapshot extends State {
  readonly origin: Origin;
}

/** A world with an end. */
export type Run = World<RunPlan>;

export class World<Plan extends WorldPlan = WorldPlan> {
  readonly plan: Plan;
  readonly seed: string;
  readonly #agenda = new Agenda();
  readonly #network: Network;
  readonly #options: WorldOptions;
  /** Folds commands; events fold into the agenda's digest. */
  readonly #commands = new CommandDigest();
  readonly #log: Log;
  readonly #platform: Platform;
  readonly #exchange: Exchange;
  readonly #groundTruth = new RadioGroundTruth();
  readonly #course: Course;
  readonly #timeline: Timeline;
  readonly #guard = new Guard();
  readonly #traversals: Traversals<Plan>;
  /** Commands so far. */
  #decided = 0;
  readonly facts: WorldFacts;

  private constructor(plan: Plan, seed: string, options: WorldOptions) {
    this.plan = plan;
    this.seed = seed;
    this.#options = checkedOptions(options);
    this.#log = new Log(options.log);
    const agenda = this.#agenda;
    const groundTruth = this.#groundTruth;
    const words: Seed = expandSeed(seed);
    const slicing = slicingOf(plan);
    const { records, effects, codecs, worldId } = options;
    const steps = stepsOf(options);
    const report = (news: News) => this.#exchange.add(news);
    const reportsOn = (fPort: number) => this.#platform.resources.decoderType.reportsOn(fPort);
    const listener: ServerListener = {
      ...hooksOf(report, reportsOn),
      framesOfUplinks: effects !== undefined,
      forwarder: options.forwarder,
      ...groundTruth.hooks(() => this.#platform.resources, agenda),
    };
    const network = new Network(plan.network, words, agenda, { ...options, slicing, listener });
    const outbox = new Outbox();
    this.#network = network;
    const view = new LiveView(network);
    const keeps = { records, effects, steps, codecs, worldId, logEntries: plan.logEntries };
    const platform = new Platform(view, outbox, platformDraws(words), keeps, plan.origin);
    this.#platform = platform;
    const course = new Course(slicing, {
      waiting: () => platform.resources.delivery.waiting,
      downlinks: () => view.openDownlinks,
    });
    this.#course = course;
    const timeline = new Timeline(plan.timeline);
    this.#timeline = timeline;
    for (const { command } of plan.timeline) platform.refusals.assertNone(command);
    this.#exchange = new Exchange(agenda, network, platform, outbox, options.news);
    this.facts = new WorldFacts(platform, view, agenda, timeline, groundTruth);
    const { outcomes } = this.facts;
    const joined = { agenda, network, platform, groundTruth, outcomes, course, timeline };
    const stored = { commands: this.#commands, guard: this.#guard, decided: () => this.#decided };
    this.#traversals = new Traversals({ plan, seed, ...joined, ...stored });
    const isHeard = (kind: News['kind']) => options.news !== undefined || platform.listensTo(kind);
    addBulk(listener, isHeard, report);
  }

  /** A fresh world at virtual time 0. */
  static create<P extends WorldPlan>(plan: P, seed: string, options: WorldOptions = {}): World<P> {
    return finish(World.creating(plan, seed, options));
  }

  /** `create` in steps. */
  static *creating<P extends WorldPlan>(
    plan: P,
    seed: string,
    options: WorldOptions,
  ): Steps<World<P>> {
    const world = new World(plan, seed, options);
    yield* world.#network.populating();
    world.#platform.onPlanned(plan.owners ?? { devices: [], gateways: [] }, plan.subscribers);
    return world;
  }

  /**
   * The world as it was when the snapshot was taken; plan and seed must be the same. It writes a
   * log only where the options have one.
   */
  static restore<Plan extends WorldPlan>(
    plan: Plan,
    seed: string,
    snapshot: Snapshot,
    options: WorldOptions = {},
  ): World<Plan> {
    const own = originOf(plan, seed);
    assert(snapshot.origin.plan === own.plan, 'a snapshot is restored with its plan');
    assert(snapshot.origin.seed === own.seed, 'a snapshot is restored with its seed');
    return finish(World.#from(plan, seed, copyState(snapshot), options));
  }

  /**
   * The world that `toBytes` saved; bytes that are damaged or of another world are refused, and
   * those of a world with contents that nobody has any more.
   */
  static fromBytes<Plan extends WorldPlan>(
    plan: Plan,
    seed: string,
    bytes: Uint8Array,
    options: WorldOptions & Beside & Sealing = {},
  ): Result<World<Plan>, SnapshotFault> {
    return finish(World.fromBytesInSteps(plan, seed, bytes, options));
  }

  /** `fromBytes` in steps. The bytes do not change meanwhile. */
  static *fromBytesInSteps<Plan extends WorldPlan>(
    plan: Plan,
    seed: string,
    bytes: Uint8Array,
    { contents, checksum, ...options }: WorldOptions & Beside & Sealing,
  ): Steps<Result<World<Plan>, SnapshotFault>> {
    const sealing = checksum === undefined ? {} : { checksum };
    const unpacked = yield* unpackingSnapshot(bytes, originOf(plan, seed), contents, sealing);
    if (!unpacked.ok) return unpacked;
    yield;
    return ok(yield* World.#from(plan, seed, unpacked.value as State, options));
  }

  static *#from<Plan extends WorldPlan>(
    plan: Plan,
    seed: string,
    state: State,
    options: WorldOptions,
  ): Steps<World<Plan>> {
    const world = new World(plan, seed, options);
    yield* world.#traversals.loading(state);
    return world;
  }

  /**
   * The world that a log leads to: its commands at their stamps, and on to its last time mark.
   * These entries are not written again; later ones are.
   */
  static replay<Plan extends WorldPlan>(
    plan: Plan,
    seed: string,
    log: readonly LogEntry[],
    options: WorldOptions = {},
  ): World<Plan> {
    const world = World.create(plan, seed, options);
    for (const entry of log) {
      world.runUntil(entry.atUs);
      if (entry.kind === 'command') world.apply(entry);
      if (entry.kind === 'transmission') world.applyTransmission(entry);
    }
    return world;
  }

  /** Virtual time, µs. */
  get nowUs(): number {
    return this.#agenda.nowUs;
  }

  /** Where a run ends, µs; Infinity without end. */
  get endUs(): number {
    return this.plan.durationUs ?? Number.POSITIVE_INFINITY;
  }

  /** Whether a broken invariant has stopped this world for good. */
  get stopped(): boolean {
    return this.#guard.stopped;
  }

  /** Events dispatched so far. */
  get events(): number {
    return this.#agenda.dispatched;
  }

  /**
   * Goes on until every event ≤ `untilUs` has happened and the clock stands there, or until
   * `maxEvents` have been dispatched. It ends, too, when `stops` holds after an event or a timeline
   * entry: it looks at the facts. True when `untilUs` is reached; a past instant changes nothing.
   */
  runUntil(untilUs: number, maxEvents = Number.POSITIVE_INFINITY, stops = never): boolean {
    const isInstant = Number.isSafeInteger(untilUs);
    assert(isInstant && maxEvents >= 0, 'a world runs to an instant, by some events');
    return this.#guard.run(() => this.#goOn(untilUs, maxEvents, stops));
  }

  #goOn(untilUs: number, maxEvents: number, stops = never): boolean {
    const beganUs = this.nowUs;
    const lastEvent = this.events + maxEvents;
    for (;;) {
      const entry = this.#timeline.due(untilUs);
      const stopUs = entry?.atUs ?? untilUs;
      if (!this.#runEvents(stopUs, lastEvent, stops)) return false;
      assert(this.nowUs >= beganUs && this.nowUs >= stopUs, 'time does not run backwards');
      if (entry === undefined) return true;
      this.#timeline.apply(entry, this.nowUs, () => {
        const admitted = this.#platform.admit(entry.command);
        return admitted.ok ? this.#decide(admitted.value) : admitted;
      });
      if (stops()) return false;
    }
  }

  /**
   * Admits a command, writes it to the log and applies it, after all events and timeline entries
   * of this instant. What is not admitted is answered, and leaves no trace. A host whose log takes
   * time does these three steps itself.
   */
  submit<Given extends Command>(command: Given): Answered<Given['kind']> | Refused {
    const admitted = this.admit(command);
    if (!admitted.ok) return admitted as Answered<Given['kind']>;
    this.#guard.run(() => this.#log.write(admitted.value));
    return this.apply(admitted.value);
  }

  /**
   * Whether a command may be applied in this instant, after all events and timeline entries of it:
   * the entry for the log, or why not. Admitting changes nothing.
   */
  admit<Given extends Command>(command: Given): Result<Admitted<Given>> {
    const refused = this.#guard.answer(() => this.#finishInstant());
    if (refused !== undefined) return refused;
    // What a caller's own object throws when it is read is no fault of the world.
    const checked = this.#platform.admit(command) as Result<Given>;
    if (!checked.ok) return checked;
    return ok({ kind: 'command', atUs: this.nowUs, command: checked.value });
  }

  /**
   * Applies what was admitted in this same instant, or stands in a log at it. Entries are applied
   * in the order of the log; they are not written to it. One that a host has marked changes nothing
   * but the digest, and one that was refused not even that.
   */
  apply<Given extends AdmittedCommand>(
    admitted: Admitted<Given>,
  ): Answered<Given['kind']> | Refused {
    const { atUs, command, steppedOver = false, refused = false } = admitted;
    assert(atUs === this.nowUs, 'a command is applied in the instant of its admission');
    if (!steppedOver && !refused) this.#platform.refusals.assertNone(command);
    return this.#guard.answer(() => {
      this.#finishInstant();
      if (steppedOver) return this.#stepOver();
      if (refused) return refuse('world.stepped-over', 'This command was refused.');
      // The entry is the log's, who may do with it what it likes.
      return this.#decide(copyPlain(command)) as Answered<Given['kind']>;
    });
  }

  /** A server outside the simulator requests it of a gateway; see `WorldOptions.forwarder`. */
  transmit(transmission: Transmission): void {
    this.#guard.run(() => this.#finishInstant());
    const entry = { kind: 'transmission', atUs: this.nowUs, transmission } as const;
    this.#guard.run(() => this.#log.write(entry));
    this.applyTransmission(entry);
  }

  /** Applies a transmission that stands in a log at this instant. */
  applyTransmission(entry: RequestedTransmission): void {
    this.#guard.run(() => {
      this.#finishInstant();
      this.#decided++;
      this.#commands.addTransmission(entry);
      this.#exchange.transmit(entry);
    });
  }

  /**
   * Answers a query of a subscriber in the shape that the services document. Asking changes nothing
   * that a digest or a snapshot sees.
   */
  ask<Asked extends Query>(query: Asked): Answered<Asked['kind']> | Refused {
    return this.#guard.refusal ?? this.#platform.ask(query, this.nowUs);
  }

  /** `ask` in steps, whose answer is what is true now. */
  open(query: Query): Result<Steps<unknown>> {
    return this.#guard.refusal ?? this.#platform.open(query, this.nowUs);
  }

  /**
   * Does one step of the copies that answers in steps read; false when none is left. Before
   * anything changes, the world finishes them.
   */
  copyOn(): boolean {
    return this.#guard.run(() => this.#platform.copies.step());
  }

  /** Notes in the log that this instant was seen from outside. */
  markTime(): void {
    this.#guard.run(() => this.#log.write({ kind: 'clockReached', atUs: this.nowUs }));
  }

  /** What happened so far, as plain data. Asking changes nothing. */
  result(): ResultOf<Plan> {
    return this.#traversals.result();
  }

  /** `result` in steps. What is reported of each device is there together meanwhile. */
  resultInSteps(): Steps<ResultOf<Plan>> {
    return this.#traversals.resultInSteps();
  }

  /** Keys of the devices, for a network server outside the simulator. */
  deviceKeys = (): readonly DeviceKeys[] => deviceKeys(this.#network);

  /** How far the campaigns are. */
  progress(): { readonly campaigns: readonly CampaignProgress[] } {
    const { campaign } = this.#platform.resources;
    return this.#guard.run(() => ({ campaigns: campaign.progress() }));
  }

  /**
   * `outcome` covers every dispatched event, every command and every live record in identity order,
   * but no frame bytes, MICs, capacities or caches; `full` adds those bytes.
   */
  digest(): { readonly outcome: string; readonly full: string } {
    return this.#traversals.digest();
  }

  /** `outcome` alone, in steps. */
  outcomeInSteps(): Steps<string> {
    return this.#traversals.outcomeInSteps();
  }

  /** Shares nothing with the world but the bytes of contents, which nobody changes. */
  snapshot(): Snapshot {
    return { origin: originOf(this.plan, this.seed), ...copyState(this.#traversals.state()) };
  }

  /**
   * A snapshot that may leave the program: it knows its world, and whether it is whole. It names
   * contents, and has to be stored together with them.
   */
  toBytes(sealing?: Sealing): Uint8Array {
    return this.#traversals.bytes(sealing);
  }

  /** `toBytes` in steps. */
  toBytesInSteps(sealing?: Sealing): Steps<Uint8Array> {
    return this.#traversals.bytesInSteps(sealing);
  }

  /**
   * The contents that records name by their SHA-256, such as the bytes of images: what has to be
   * stored beside `toBytes`. In the order of the hashes; the bytes are the world's own, and nobody
   * changes them.
   */
  contents(): readonly Content[] {
    return this.#guard.run(() => this.#platform.contents.all());
  }

  /**
   * A second world that goes on from here by itself. It has the same observer and records, and
   * writes no log, no news and no effects: what happens to it did not happen to this world. Options
   * that are given say all of them anew.
   */
  fork(options: WorldOptions = observedAs(this.#options)): World<Plan> {
    return finish(World.#from(this.plan, this.seed, this.#traversals.state(), options));
  }

  /** `fork` in steps, or `branch` with another plan. */
  forkInSteps(options: WorldOptions, plan: Plan = this.plan): Steps<World<Plan>> {
    this.#assertBegun(plan);
    const work = function* (this: World<Plan>): Steps<World<Plan>> {
      return yield* World.#from(plan, this.seed, yield* this.#traversals.saving(), options);
    };
    return this.#traversals.unchanged(work.call(this));
  }

  /** A fork that continues with a plan that differs in later entries of its timeline alone. */
  branch(plan: Plan, options: WorldOptions = {}): World<Plan> {
    this.#assertBegun(plan);
    return finish(World.#from(plan, this.seed, this.#traversals.state(), options));
  }

  #assertBegun(plan: Plan): void {
    if (plan === this.plan) return;
    const isSame = this.#timeline.isBegunBy(plan.timeline, this.nowUs);
    assert(isSame, 'a branch has had the same commands so far');
  }

  /** Dispatches events ≤ `untilUs`; false when their budget is used up first, or `stops` holds. */
  #runEvents(untilUs: number, lastEvent: number, stops: () => boolean): boolean {
    const agenda = this.#agenda;
    const network = this.#network;
    const course = this.#course;
    const { copies } = this.#platform;
    while (agenda.dispatched < lastEvent) {
      if (!agenda.next(untilUs)) {
        agenda.advance(Math.max(untilUs, agenda.nowUs));
        course.reach(agenda.nowUs);
        return true;
      }
      const { kind, target, nowUs } = agenda;
      course.reach(nowUs);
      copies.finish();
      if (kind === EventKind.platformTimer) this.#platform.onTimer(target, nowUs);
      else network.dispatch(kind as NetworkEvent, target, nowUs);
      this.#exchange.run();
      if (stops()) return false;
    }
    return false;
  }

  /** All events and timeline entries of this instant happen before what comes from outside. */
  #finishInstant(): void {
    this.#goOn(this.nowUs, Number.POSITIVE_INFINITY);
  }

  /** Decides a command; a refusal is an answer, and changes nothing, not even the digest. */
  #decide(command: AdmittedCommand): Result<unknown> {
    this.#platform.copies.finish();
    assert(this.nowUs >= 0, 'commands come after the start');
    this.#decided++;
    const answer: Result<unknown> = this.#platform.execute(command, this.nowUs);
    if (answer.ok) this.#commands.addCommand(command, this.nowUs);
    this.#exchange.run();
    return answer;
  }

  #stepOver(): Refused {
    this.#commands.addSteppedOver(this.nowUs);
    return refuse('world.stepped-over', 'This command had ended the process.');
  }
}

const never = () => false;
