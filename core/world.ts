/**
 * A world is a pure function of (plan, seed, command log). START HERE.
 *
 * It joins the network and the platform under one clock and one event loop. A command takes effect
 * at a virtual instant, after every event of that instant; timeline entries and submitted commands
 * are the same thing, the timeline's first at equal times. A snapshot is only a cache: plan, seed
 * and log are the truth.
 */
import { assert } from '../sim/base/assert.ts';
import { expandSeed, type Seed } from '../sim/base/random.ts';
import type { Result } from '../sim/base/result.ts';
import type { EventKind } from '../sim/events.ts';
import { Agenda, type SavedAgenda } from '../sim/kernel/agenda.ts';
import { Digest } from '../sim/kernel/digest.ts';
import { Network, type SavedNetwork } from '../sim/network.ts';
import { digestNetwork } from '../sim/network-digest.ts';
import type { Observer } from '../sim/observer.ts';
import { summarise } from '../sim/summary.ts';
import type { Command, TimedCommand } from './command.ts';
import type { RunResult } from './result.ts';
import type { WorldPlan } from './world-plan.ts';
import { tellResult } from './world-result.ts';

/** Slices of a run's series. */
const SLICES = 96;

/** What a restart needs besides plan and seed. */
export type LogEntry =
  | { readonly kind: 'command'; readonly atUs: number; readonly command: Command }
  /** The world was seen at this instant: it never goes back behind it. */
  | { readonly kind: 'clockReached'; readonly atUs: number };

export interface Snapshot {
  readonly agenda: SavedAgenda;
  readonly network: SavedNetwork;
  /** Timeline entries applied so far. */
  readonly timelineDone: number;
  readonly commands: readonly number[];
  readonly log: readonly LogEntry[];
}

export interface WorldOptions {
  readonly observer?: Observer;
}

export class World {
  readonly plan: WorldPlan;
  readonly seed: string;
  readonly #agenda = new Agenda();
  readonly #network: Network;
  readonly #options: WorldOptions;
  /** Folds commands; events fold into the agenda's digest. */
  readonly #commands = new Digest();
  readonly #log: LogEntry[] = [];
  #timelineDone = 0;

  private constructor(plan: WorldPlan, seed: string, options: WorldOptions) {
    this.plan = plan;
    this.seed = seed;
    this.#options = options;
    const words: Seed = expandSeed(seed);
    const sliceUs = Math.max(1, Math.ceil(plan.durationUs / SLICES));
    const { observer } = options;
    this.#network = new Network(plan.network, words, this.#agenda, { sliceUs, observer });
  }

  /** A fresh world at virtual time 0. */
  static create(plan: WorldPlan, seed: string, options: WorldOptions = {}): World {
    const world = new World(plan, seed, options);
    world.#network.populate();
    return world;
  }

  /** The world as it was when the snapshot was taken; plan and seed must be the same. */
  static restore(
    plan: WorldPlan,
    seed: string,
    snapshot: Snapshot,
    options: WorldOptions = {},
  ): World {
    const world = new World(plan, seed, options);
    world.#network.load(snapshot.network);
    world.#agenda.load(snapshot.agenda);
    world.#commands.load(snapshot.commands);
    world.#timelineDone = snapshot.timelineDone;
    world.#log.push(...snapshot.log);
    return world;
  }

  /** The world that a log leads to: its commands at their stamps, and on to its last time mark. */
  static replay(
    plan: WorldPlan,
    seed: string,
    log: readonly LogEntry[],
    options: WorldOptions = {},
  ): World {
    const world = World.create(plan, seed, options);
    for (const entry of log) {
      world.runUntil(entry.atUs);
      if (entry.kind === 'command') world.submit(entry.command);
      else world.markTime();
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

  /** Commands and time marks since the start; with plan and seed, all there is to know. */
  get log(): readonly LogEntry[] {
    return this.#log;
  }

  /**
   * Goes on until every event ≤ `untilUs` has happened and the clock stands there, or until
   * `maxEvents` have been dispatched. True when `untilUs` is reached.
   */
  runUntil(untilUs: number, maxEvents = Number.POSITIVE_INFINITY): boolean {
    const lastEvent = this.events + maxEvents;
    for (;;) {
      const entry = this.#nextTimelineEntry(untilUs);
      const stopUs = entry === undefined ? untilUs : entry.atUs;
      if (!this.#runEvents(stopUs, lastEvent)) return false;
      if (entry === undefined) return true;
      this.#timelineDone++;
      this.#apply(entry.command);
    }
  }

  /** Applies a command now, after all events and timeline entries of this instant. */
  submit(command: Command): Result<void> {
    this.runUntil(this.nowUs);
    this.#log.push({ kind: 'command', atUs: this.nowUs, command });
    return this.#apply(command);
  }

  /** Notes in the log that this instant was seen from outside. */
  markTime(): void {
    this.#log.push({ kind: 'clockReached', atUs: this.nowUs });
  }

  /** What happened so far, as plain data. Asking changes nothing. */
  result(): RunResult {
    const complete = this.nowUs >= this.endUs;
    const summary = summarise(this.#network);
    const digest = this.digest().outcome;
    const at = { nowUs: this.nowUs, events: this.events, complete };
    return tellResult(this.plan, this.seed, summary, digest, at);
  }

  /**
   * `outcome` covers every dispatched event, every command and every live record in identity order,
   * but no frame bytes, MICs, capacities or caches; `full` adds those bytes.
   */
  digest(): { readonly outcome: string; readonly full: string } {
    const outcome = this.#agenda.digest.copy();
    outcome.addText(this.#commands.hex());
    outcome.addNumber(this.nowUs);
    digestNetwork(this.#network, this.#agenda, outcome, 'outcome');
    const full = outcome.copy();
    digestNetwork(this.#network, this.#agenda, full, 'bytes');
    return { outcome: outcome.hex(), full: full.hex() };
  }

  snapshot(): Snapshot {
    return {
      agenda: this.#agenda.save(),
      network: this.#network.save(),
      timelineDone: this.#timelineDone,
      commands: this.#commands.save(),
      log: [...this.#log],
    };
  }

  /** A second world that goes on from here by itself. */
  fork(options: WorldOptions = this.#options): World {
    return World.restore(this.plan, this.seed, this.snapshot(), options);
  }

  // ── inside ─────────────────────────────────────────────────────────────────────────────────────

  #nextTimelineEntry(untilUs: number): TimedCommand | undefined {
    const entry = this.plan.timeline[this.#timelineDone];
    return entry !== undefined && entry.atUs <= untilUs ? entry : undefined;
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
      network.dispatch(agenda.kind as EventKind, agenda.target, agenda.nowUs);
    }
    return false;
  }

  /** Decides a command; a refusal is an answer, and the record of it stays. */
  #apply(command: Command): Result<void> {
    this.#commands.addNumber(this.nowUs);
    this.#commands.addText(JSON.stringify(command));
    const network = this.#network;
    assert(this.nowUs >= 0, 'commands come after the start');
    switch (command.kind) {
      case 'device.create':
        return network.createDevice(command.device, this.nowUs);
      case 'device.remove':
        return network.removeDevice(command.devEui, this.nowUs);
      case 'gateway.create':
        return network.createGateway(command.gateway);
      case 'gateway.remove':
        return network.removeGateway(command.eui);
      case 'downlink.enqueue':
        return network.enqueueDownlink(
          command.devEui,
          command.fPort,
          command.payloadHex,
          command.confirmed,
          this.nowUs,
        );
    }
  }
}
