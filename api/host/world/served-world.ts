/**
 * A world that is served: commands and queries come at the instant where its clock is. The clock
 * goes on by itself, or at full speed to where somebody asks for (docs/decisions/0046).
 */

import type { Content } from '../../../core/base/contents.ts';
import type { Steps } from '../../../core/base/in-steps.ts';
import { LAST_US } from '../../../core/base/instant.ts';
import type { Command } from '../../../core/command.ts';
import type { Answered } from '../../../core/operations.ts';
import type { Query } from '../../../core/query.ts';
import type { WorldResult } from '../../../core/result/result.ts';
import type { WorldFacts } from '../../../core/world/facts.ts';
import { type Refused, refuse } from '../../../core/world/guard.ts';
import { type Admitted, refusedAt } from '../../../core/world/log.ts';
import type { WorldPlan } from '../../../core/world/plan.ts';
import type { World } from '../../../core/world/world.ts';
import { fail, ok, type Result } from '../../../sim/base/result.ts';
import { type AdvanceGoal, goalOf, type Wanted } from '../clock/advance.ts';
import type { Pace } from '../clock/clock.ts';
import type { AskedAdvance } from '../clock/clock-fields.ts';
import { HOST_TIME, type HostTime } from '../clock/host-time.ts';
import { type Job, Jobs } from '../clock/jobs.ts';
import type { Lease } from '../clock/lease.ts';
import { Pacer } from '../clock/pacer.ts';
import { simTimeOf } from '../clock/sim-time.ts';
import { runInSlices } from '../clock/steps-in-slices.ts';
import { cacheLatest } from '../process/one-value-cache.ts';
import { type Past, replayPast, worldOptions } from '../replay/replay.ts';
import { NewsHub } from '../watching/event-hub.ts';
import type { NewsListener } from '../watching/event-streams.ts';

const YEAR_US = 31_557_600_000_000;

/** A served world goes no further than a hundred years, far from where its numbers end, µs. */
const MOST_US = Math.min(100 * YEAR_US, LAST_US / 2);

export interface ServedOptions {
  /** Of the clock; ×1 without end when absent. */
  readonly pace?: Partial<Pace>;
  /**
   * A broken invariant has stopped the world, which is not used again: a process of its own ends
   * with exit code 70.
   */
  readonly onBroken: (error: unknown) => void;
  readonly time?: HostTime;
  /** Who listens to the world, as it was made. */
  readonly news?: NewsHub;
  /** How far it may go by itself; as far as it likes when absent. */
  readonly lease?: Lease;
  /** What ids of jobs begin with; '' when absent. */
  readonly jobPrefix?: string | undefined;
  /** What happened to it before, as its journal has it: it goes on from there. */
  readonly past?: Past;
}

const IS_OVER = 'This world has come to its end: it goes on no more.';

export type AdvanceJob = Job<AskedAdvance>;

type ClockFailure = 'clock.advancing' | 'clock.past' | 'clock.too-far' | 'world.stopped';

interface Advancing {
  readonly id: string;
  readonly goal: AdvanceGoal;
  readonly onEnd: (job: AdvanceJob) => void;
}

export class ServedWorld {
  readonly #world: World;
  readonly #pacer: Pacer;
  readonly #news: NewsHub;
  readonly #onBroken: (error: unknown) => void;
  readonly #commands: Admitted[];
  readonly jobs: Jobs<AskedAdvance>;
  readonly #simTimeOf = cacheLatest((atUs: number) => simTimeOf(this.facts, atUs));
  #advancing: Advancing | undefined;
  #isAbandoned = false;
  /** Its clock goes on no more. */
  #isOver = false;

  private constructor(world: World, commands: readonly Admitted[], options: ServedOptions) {
    const { pace, onBroken, time = HOST_TIME, lease, news = new NewsHub(), jobPrefix } = options;
    this.#world = world;
    this.jobs = new Jobs(jobPrefix);
    this.#news = news;
    this.#commands = [...commands];
    this.#onBroken = onBroken;
    const first = { isPaused: false, speed: 1, untilUs: Number.POSITIVE_INFINITY, ...pace };
    this.#pacer = new Pacer(world, first, MOST_US, time, (error) => this.#break(error), lease);
  }

  /** A world at virtual time 0, or at the end of its past; it goes on once it is started. */
  static create(plan: WorldPlan, seed: string, options: ServedOptions): ServedWorld {
    const { past = { commands: [], standsAtUs: 0 } } = options;
    const { news = new NewsHub() } = options;
    const world = replayPast({ plan, seed, options: worldOptions('', news) }, past);
    return new ServedWorld(world, past.commands, { ...options, news });
  }

  /** A world that is there, and the commands that have led to it. */
  static of(world: World, commands: readonly Admitted[], options: ServedOptions): ServedWorld {
    return new ServedWorld(world, commands, options);
  }

  /** What its plan does at the instant where it stands is done before anybody asks. */
  start(): void {
    this.#use(() => this.#world.runUntil(this.#world.nowUs));
    this.#pacer.start();
  }

  /** What is underway is cancelled; nothing goes on by itself any more. */
  stop(): void {
    this.#isOver = true;
    if (this.#advancing !== undefined) this.cancelAdvance();
    this.#pacer.stop();
    this.#news.end();
  }

  /** As `stop`, for a world that was replaced: nothing more is stored for it. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#isOver = true;
    this.#pacer.abandon();
    if (this.#advancing !== undefined) this.cancelAdvance();
    this.#news.end();
  }

  // ── commands and queries ───────────────────────────────────────────────────────────────────────

  /** Brings the world to where its clock is, as far as one slice of wall time allows. */
  catchUp(): void {
    this.#use(() => this.#pacer.catchUp());
  }

  submit<Given extends Command>(command: Given): Answered<Given['kind']> | Refused {
    return this.#use(() => {
      const admitted = this.admit(command);
      if (!admitted.ok) return admitted as Answered<Given['kind']>;
      return this.apply(admitted.value) as Answered<Given['kind']>;
    });
  }

  /** As `World.admit`: the world stands still until what is admitted is applied. */
  admit<Given extends Command>(command: Given): Result<Admitted<Given>> {
    if (this.#isAbandoned) return refuse('world.stopped', 'Another world has taken its place.');
    return this.#use(() => this.#world.admit(command));
  }

  /** As `World.apply`, for a command that is stored already. */
  apply(admitted: Admitted): Answered<Command['kind']> | Refused {
    const answer = this.#use(() => this.#world.apply(admitted));
    this.#commands.push(answer.ok ? admitted : refusedAt(admitted));
    return answer;
  }

  /** It stands still until it is released. */
  hold(): void {
    this.#pacer.hold();
  }

  release(): void {
    this.#pacer.release();
  }

  ask<Asked extends Query>(query: Asked): Answered<Asked['kind']> | Refused {
    return this.#use(() => this.#world.ask(query));
  }

  /** As `World.open`. */
  open(query: Query): Result<Steps<unknown>> {
    return this.#use(() => this.#world.open(query));
  }

  // ── who listens ────────────────────────────────────────────────────────────────────────────────

  /** As `NewsHub.listen`. */
  listen(listener: NewsListener): () => void {
    return this.#news.listen(listener);
  }

  // ── where it is ────────────────────────────────────────────────────────────────────────────────

  /** Virtual time, µs since the start. */
  get nowUs(): number {
    return this.#world.nowUs;
  }

  /** The present instant, RFC 3339 in UTC with six digits of microseconds. */
  get simTime(): string {
    return this.#simTimeOf(this.nowUs);
  }

  /** The same, whole ms since 1970. */
  get unixMs(): number {
    return this.facts.unixMsOf(this.nowUs);
  }

  get seed(): string {
    return this.#world.seed;
  }

  /** Events so far. */
  get events(): number {
    return this.#world.events;
  }

  get facts(): WorldFacts {
    return this.#world.facts;
  }

  /**
   * All that was submitted and admitted, with its stamps; of what was refused the place alone. With
   * plan and seed it is the world.
   */
  get log(): readonly Admitted[] {
    return this.#commands;
  }

  /** As `World.digest`. */
  digest() {
    return this.#use(() => this.#world.digest());
  }

  /** As `World.result`. */
  result(): WorldResult {
    return this.#use(() => this.#world.result());
  }

  /** As `World.contents`. */
  contents(): readonly Content[] {
    return this.#use(() => this.#world.contents());
  }

  /** Steps through the whole world, which is held meanwhile; the event loop does other work. */
  async inSteps<Value>(begin: (world: World) => Steps<Value>): Promise<Value> {
    try {
      return await runInSlices(begin(this.#world));
    } catch (error) {
      this.#break(error);
      throw error;
    }
  }

  // ── the clock ──────────────────────────────────────────────────────────────────────────────────

  get pace(): Pace {
    return this.#pacer.pace;
  }

  /** How far the world is behind its clock, virtual µs. */
  get behindUs(): number {
    return this.#pacer.behindUs;
  }

  /** Changes the pace from here on; what is not given stays as it is. */
  setPace(changes: Partial<Pace>): Result<undefined, ClockFailure> {
    const busy = this.#refuseMeanwhile();
    if (busy !== undefined) return busy;
    const { untilUs = this.pace.untilUs } = changes;
    if (untilUs < this.nowUs) return fail('clock.past', this.#isPast('until'), '/until');
    if (untilUs !== Number.POSITIVE_INFINITY && untilUs > MOST_US) return this.#isTooFar();
    this.#pacer.setPace({ ...this.pace, ...changes });
    return ok(undefined);
  }

  /** The job that is underway; undefined: none. */
  get advancing(): string | undefined {
    return this.#advancing?.id;
  }

  /**
   * Goes on at full speed, whatever the pace, until what is wanted is there. `onEnd` is called when
   * the job is over, however.
   */
  advance(
    wanted: Wanted,
    asked: AskedAdvance,
    onEnd: (job: AdvanceJob) => void = () => undefined,
  ): Result<AdvanceJob, ClockFailure> {
    const busy = this.#refuseMeanwhile();
    if (busy !== undefined) return busy;
    const { nowUs, events } = this;
    const goal = goalOf(wanted, this.facts, nowUs, MOST_US);
    if (goal.untilUs < nowUs) return fail('clock.past', this.#isPast('to'), '/to');
    if (goal.untilUs > MOST_US) return this.#isTooFar();
    const began = { startedAtUs: nowUs, startedEvents: events, endsByUs: goal.untilUs };
    const job = this.jobs.add({ asked, ...began });
    this.#advancing = { id: job.id, goal, onEnd };
    this.#pacer.runTo(goal, () => void this.#endAdvance('finished'));
    return ok(job);
  }

  /** One that is underway; the world stays where it is. */
  cancelAdvance(): AdvanceJob {
    this.#pacer.endErrand();
    return this.#endAdvance('cancelled');
  }

  #endAdvance(state: 'finished' | 'cancelled' | 'failed'): AdvanceJob {
    const { id, goal, onEnd } = this.#advancing!;
    this.#advancing = undefined;
    const isReached = state === 'finished' && goal.isReached();
    const job = this.jobs.end(id, state, { atUs: this.nowUs, events: this.events, isReached });
    onEnd(job);
    return job;
  }

  /** Undefined: its clock may be set. */
  #refuseMeanwhile(): Result<never, ClockFailure> | undefined {
    if (this.#isOver) return fail('world.stopped', IS_OVER);
    if (this.#advancing === undefined) return undefined;
    const message = `The clock is advanced by the job ${this.advancing} meanwhile.`;
    return fail('clock.advancing', message);
  }

  #isTooFar(): Result<never, ClockFailure> {
    const most = simTimeOf(this.facts, MOST_US);
    return fail('clock.too-far', `This world goes to ${most} at the most.`);
  }

  #isPast(what: string): string {
    return `${what} is in the past: it is ${this.simTime}.`;
  }

  // ── a broken invariant ─────────────────────────────────────────────────────────────────────────

  #use<Value>(act: () => Value): Value {
    try {
      return act();
    } catch (error) {
      this.#break(error);
      throw error;
    }
  }

  #break(error: unknown): void {
    this.#isOver = true;
    this.#pacer.stop();
    if (this.#advancing !== undefined) this.#endAdvance('failed');
    this.#news.end();
    this.#onBroken(error);
  }
}
