/**
 * When there is something to do for rollouts: those that are due, by time, and passes over very
 * many of them or of their devices. One timer; a wake-up looks at 256 of either at most.
 */
import { assert } from '../../../sim/base/assert.ts';
import { addDue, type DueList, takeDue } from '../../base/due-list.ts';
import { NEVER_US } from '../../base/instant.ts';
import { copyPlain } from '../../base/plain.ts';
import { MOST_PER_WAKE, nextSliceUs } from '../../base/slices.ts';
import type { Timers } from '../../base/timers.ts';

/** A pass, in the order of its members. */
export type Pass =
  /** Over rollouts: whether gateways still reach their devices. */
  | { readonly kind: 'gateways'; readonly numbers: readonly number[]; next: number }
  /** Over devices that a policy has. */
  | {
      readonly kind: 'policy';
      readonly owner: string;
      readonly policyId: string;
      readonly devEuis: readonly string[];
      next: number;
    };

/** What is done. */
export interface Tasks {
  /** When a rollout has its appointment; `NEVER_US`: it has none. */
  dueAtUsOf(number: number): number;
  serve(number: number, nowUs: number): void;
  look(number: number, nowUs: number): void;
  applyPolicy(owner: string, policyId: string, devEui: string, nowUs: number): void;
  /** Numbers of the rollouts that are not over. */
  active(): readonly number[];
}

/** Plain data. */
export interface SavedAgenda {
  readonly due: DueList;
  readonly passes: readonly Pass[];
  readonly wakesAtUs: number;
  readonly looksAtUs: number;
  readonly looksLastUs: number;
}

/** The resource's one timer. */
const TIMER = 0;

export class RolloutAgenda {
  readonly #timers: Timers;
  readonly #tasks: Tasks;
  #due: DueList = [];
  #passes: Pass[] = [];
  /** The appointment of the timer. */
  #wakesAtUs = NEVER_US;
  /** When the next look at gateways begins, and the last that is known to be needed. */
  #looksAtUs = NEVER_US;
  #looksLastUs = NEVER_US;

  constructor(timers: Timers, tasks: Tasks) {
    this.#timers = timers;
    this.#tasks = tasks;
  }

  /** A rollout, by its number, is due; another appointment of it counts no more. */
  add(number: number, atUs: number): void {
    addDue(this.#due, { atUs, member: number });
  }

  begin(pass: Pass): void {
    this.#passes.push(pass);
  }

  /** Gateways may be disconnected from this instant on: who waits for them then is looked at. */
  lookAt(atUs: number, isAnyActive: boolean): void {
    this.#looksLastUs = Math.max(this.#looksLastUs, atUs);
    if (this.#looksAtUs === NEVER_US && isAnyActive) this.#looksAtUs = atUs;
  }

  /** A rollout begins: a look that nobody had needed is needed now. */
  needLooks(nowUs: number): void {
    const last = this.#looksLastUs;
    if (this.#looksAtUs === NEVER_US && last > nowUs) this.#looksAtUs = last;
  }

  get hasPasses(): boolean {
    return this.#passes.length > 0;
  }

  onTimer(nowUs: number): void {
    this.#wakesAtUs = NEVER_US;
    this.#beginLook(nowUs);
    this.#passSlice(nowUs);
    this.#serveDue(nowUs);
  }

  /** Makes the one appointment: the earliest that there is to do. After every change. */
  rearm(nowUs: number): void {
    const atUs = this.#nextUs(nowUs);
    if (atUs === this.#wakesAtUs) return;
    this.#wakesAtUs = atUs;
    if (atUs === NEVER_US) this.#timers.wakeNever(TIMER, nowUs);
    else this.#timers.wakeAt(TIMER, atUs, nowUs);
  }

  #beginLook(nowUs: number): void {
    if (this.#looksAtUs === NEVER_US || this.#looksAtUs > nowUs) return;
    const last = this.#looksLastUs;
    this.#looksAtUs = last > nowUs ? last : NEVER_US;
    const numbers = this.#tasks.active();
    if (numbers.length > 0) this.begin({ kind: 'gateways', numbers, next: 0 });
  }

  #passSlice(nowUs: number): void {
    const pass = this.#passes[0];
    if (pass === undefined) return;
    const isPolicy = pass.kind === 'policy';
    const length = isPolicy ? pass.devEuis.length : pass.numbers.length;
    const last = Math.min(pass.next + MOST_PER_WAKE, length);
    for (; pass.next < last; pass.next++) {
      if (isPolicy) {
        this.#tasks.applyPolicy(pass.owner, pass.policyId, pass.devEuis[pass.next]!, nowUs);
      } else {
        this.#tasks.look(pass.numbers[pass.next]!, nowUs);
      }
    }
    if (last === length) this.#passes.shift();
  }

  #serveDue(nowUs: number): void {
    const due = this.#due;
    for (let served = 0; served < MOST_PER_WAKE && (due[0]?.atUs ?? Infinity) <= nowUs; served++) {
      const entry = takeDue(due);
      assert(entry !== undefined, 'what is due is in the list');
      const { member, atUs } = entry;
      if (this.#tasks.dueAtUsOf(member) === atUs) this.#tasks.serve(member, nowUs);
    }
  }

  /** In the future; `NEVER_US`: not by itself. */
  #nextUs(nowUs: number): number {
    if (this.#passes.length > 0) return nextSliceUs(this.#wakesAtUs, nowUs);
    const dueUs = this.#due[0]?.atUs ?? NEVER_US;
    const looksUs = this.#looksAtUs;
    if (dueUs === NEVER_US && looksUs === NEVER_US) return NEVER_US;
    const firstUs =
      dueUs === NEVER_US ? looksUs : looksUs === NEVER_US ? dueUs : Math.min(dueUs, looksUs);
    return Math.max(firstUs, nowUs + 1);
  }

  save(): SavedAgenda {
    return copyPlain({
      due: this.#due,
      passes: this.#passes,
      wakesAtUs: this.#wakesAtUs,
      looksAtUs: this.#looksAtUs,
      looksLastUs: this.#looksLastUs,
    });
  }

  load(saved: SavedAgenda): void {
    const { due, passes, wakesAtUs, looksAtUs, looksLastUs } = copyPlain(saved);
    this.#due = due;
    this.#passes = [...passes];
    this.#wakesAtUs = wakesAtUs;
    this.#looksAtUs = looksAtUs;
    this.#looksLastUs = looksLastUs;
  }
}
