/**
 * Deliveries against a model that is written from the documents (data delivery, Events, rules 2 to
 * 5; Standard Webhooks' schedule): two targets and what answers them, which are paused, moved and
 * removed in the middle, by a service that is saved and loaded between any two steps. The model
 * keeps plain lists, and looks through all of them at every instant.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_US, HOUR_US, MINUTE_US, SECOND_US } from '../../../sim/base/units.ts';
import { DeliveryBench, webhook } from '../../support/delivery-bench.ts';

// ── the model ────────────────────────────────────────────────────────────────────────────────────

type Answer = number | 'timeout' | 'connection refused';

interface Behaviour {
  readonly answer: number;
  readonly latency: number;
  readonly hang: number;
  readonly refusal: number;
  readonly retryAfter: number;
}

interface Try {
  readonly answer: Answer;
  readonly atUs: number;
  readonly since: number;
  /** Times that its target had another address before. */
  readonly moves: number;
  readonly retryAfter: number;
}

interface Delivery {
  readonly ordinal: number;
  readonly emittedUs: number;
  tries: number;
  /** A receiver has it. */
  kept: boolean;
  /** The next try; undefined: in line, or under way. */
  againUs?: number | undefined;
  underway?: Try | undefined;
}

interface Place {
  readonly id: string;
  address: string;
  moves: number;
  isEnabled: boolean;
  all: Delivery[];
  heldUntilUs: number;
  /** The first try in vain since the last success. */
  deadSinceUs?: number | undefined;
  wakesUs: number;
}

/** Pauses of Standard Webhooks: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h. */
const PAUSES_US = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000].map((s) => s * SECOND_US);
/** What is overdue is looked at a slice later. */
const SLICE_US = 1_000;

const nameOf = (address: string): string => address.slice('https://'.length, -'.example/in'.length);

class Model {
  nowUs = 0;
  readonly places = new Map<string, Place>();
  readonly behaviours = new Map<string, Behaviour>();
  readonly had = new Map<string, { requests: number; received: number; distinct: number }>();
  readonly disabled: (readonly [string, number])[] = [];
  readonly news: string[] = [];
  #emitted = 0;
  #tries = 0;

  emit(id: string, address: string, isEnabled: boolean): void {
    let place = this.places.get(id);
    if (place === undefined) {
      place = { id, address, moves: 0, isEnabled, all: [], heldUntilUs: 0, wakesUs: Infinity };
      this.places.set(id, place);
    }
    const ordinal = ++this.#emitted;
    this.news.push(`${this.nowUs} ${ordinal} emitted to ${id} at ${place.address}`);
    place.all.push({ ordinal, emittedUs: this.nowUs, tries: 0, kept: false });
    this.#send(place);
  }

  change(id: string, address: string, isEnabled: boolean): void {
    const place = this.places.get(id);
    if (place === undefined) return;
    const isMoved = address !== place.address;
    const begins = isEnabled && (!place.isEnabled || isMoved);
    if (isMoved) place.moves++;
    Object.assign(place, { address, isEnabled });
    if (begins) Object.assign(place, { heldUntilUs: 0, deadSinceUs: undefined });
    this.#send(place);
  }

  remove(id: string): void {
    for (const each of this.places.get(id)?.all ?? []) this.#tell(each, 'removed');
    this.places.delete(id);
  }

  runUntil(untilUs: number): void {
    for (;;) {
      const next = [...this.places.values()].reduce<Place | undefined>(
        (first, each) => (first === undefined || each.wakesUs < first.wakesUs ? each : first),
        undefined,
      );
      if (next === undefined || next.wakesUs > untilUs) break;
      this.nowUs = next.wakesUs;
      this.#answers(next);
      for (const each of next.all) if (each.againUs! <= this.nowUs) each.againUs = undefined;
      for (const each of [...next.all]) {
        const isOld = this.nowUs - each.emittedUs >= 7 * DAY_US;
        if (isOld && each.underway === undefined) this.#end(next, each, 'givenUp');
      }
      this.#send(next);
    }
    this.nowUs = untilUs;
  }

  /** Answers that are there, the earliest first, then those of earlier tries. */
  #answers(place: Place): void {
    const due = place.all
      .filter(({ underway }) => underway !== undefined && underway.atUs <= this.nowUs)
      .sort((a, b) => a.underway!.atUs - b.underway!.atUs || a.underway!.since - b.underway!.since);
    for (const each of due) this.#answer(place, each, each.underway!);
  }

  #answer(place: Place, each: Delivery, { answer, moves, retryAfter }: Try): void {
    each.underway = undefined;
    this.#tell(each, `try ${each.tries}: ${answer}`);
    const isTaken = typeof answer === 'number' && Math.floor(answer / 100) === 2;
    const mayFareBetter = typeof answer === 'string' || answer === 429 || answer >= 500;
    // What answers for an address that the target has no more says nothing of the target.
    const isOfPlace = moves === place.moves;
    if (isTaken) this.#end(place, each, 'delivered');
    else if (!mayFareBetter) this.#end(place, each, 'refused');
    else if (each.tries === 8) this.#end(place, each, 'failed');
    else {
      const isAsked = typeof answer === 'number' && isOfPlace;
      const asks = isAsked ? Math.min(retryAfter, 86_400) * SECOND_US : 0;
      if (asks > 0) place.heldUntilUs = Math.max(place.heldUntilUs, this.nowUs + asks);
      each.againUs = this.nowUs + Math.max(asks, PAUSES_US[each.tries - 1]!);
    }
    if (!isOfPlace) return;
    place.deadSinceUs = isTaken ? undefined : (place.deadSinceUs ?? this.nowUs);
    const isDead = this.nowUs - (place.deadSinceUs ?? this.nowUs) >= 5 * DAY_US;
    if (place.isEnabled && (answer === 410 || isDead)) {
      place.isEnabled = false;
      this.disabled.push([place.id, this.nowUs]);
    }
  }

  /** The oldest go first, ten at a time. */
  #send(place: Place): void {
    for (const each of [...place.all]) {
      const isFree = place.all.filter(({ underway }) => underway !== undefined).length < 10;
      if (!place.isEnabled || this.nowUs < place.heldUntilUs || !isFree) break;
      if (each.underway !== undefined || each.againUs !== undefined) continue;
      const behaviour = this.behaviours.get(nameOf(place.address));
      if (behaviour === undefined) this.#end(place, each, 'left');
      else this.#try(each, behaviour, place);
    }
    place.wakesUs = this.#wakes(place);
  }

  #try(each: Delivery, behaviour: Behaviour, { address, moves }: Place): void {
    const { answer, latency, hang, refusal, retryAfter } = behaviour;
    each.tries++;
    const since = ++this.#tries;
    const of = (what: Answer, afterS: number): void => {
      const atUs = this.nowUs + afterS * SECOND_US;
      each.underway = { answer: what, atUs, since, moves, retryAfter };
    };
    if (refusal > 0.5) return of('connection refused', 0);
    const takes = hang > 0.5 || Math.floor(answer / 100) === 2;
    const had = this.had.get(nameOf(address))!;
    had.requests++;
    if (takes) had.received++;
    if (takes && !each.kept) had.distinct++;
    if (takes) each.kept = true;
    if (hang > 0.5 || latency >= 15) of('timeout', 15);
    else of(answer, latency);
  }

  #wakes({ all, isEnabled, heldUntilUs }: Place): number {
    const underway = all.flatMap(({ underway }) => (underway === undefined ? [] : [underway.atUs]));
    const again = all.flatMap(({ againUs }) => againUs ?? []);
    const idle = all.filter((each) => each.underway === undefined);
    const old = idle.slice(0, 1).map(({ emittedUs }) => emittedUs + 7 * DAY_US);
    const isInLine = idle.some(({ againUs }) => againUs === undefined);
    const line = isInLine && isEnabled && underway.length < 10 ? [heldUntilUs] : [];
    const first = Math.min(Infinity, ...underway, ...again, ...old, ...line);
    return first > this.nowUs ? first : this.nowUs + SLICE_US;
  }

  #end(place: Place, each: Delivery, how: string): void {
    place.all = place.all.filter((other) => other !== each);
    this.#tell(each, how);
  }

  #tell({ ordinal }: Delivery, what: string): void {
    this.news.push(`${this.nowUs} ${ordinal} ${what}`);
  }
}

// ── steps ────────────────────────────────────────────────────────────────────────────────────────

const NAMES = ['a', 'b'] as const;
/** Nobody answers at the third. */
const ADDRESSES = ['a', 'b', 'c'].map((name) => `https://${name}.example/in`);

const target = fc.constantFrom('one', 'two');
const behaviour = fc.record({
  answer: fc.constantFrom(200, 204, 301, 404, 410, 429, 500, 503),
  latency: fc.constantFrom(0, 0.1, 3, 14, 20),
  hang: fc.constantFrom(0, 0, 0, 1),
  refusal: fc.constantFrom(0, 0, 0, 1),
  retryAfter: fc.constantFrom(0, 0, 60, 7_200, 200_000),
});
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('emit'), target, count: fc.nat(25) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('change'),
      target,
      address: fc.constantFrom(...ADDRESSES.slice(0, 2), ...ADDRESSES),
      isEnabled: fc.constantFrom(true, true, false),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove'), target }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('put'), name: fc.constantFrom(...NAMES), behaviour }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('wait'),
      forUs: fc.oneof(
        fc.constantFrom(1, SECOND_US, 5 * SECOND_US, 15 * SECOND_US, HOUR_US, 10 * HOUR_US),
        fc.constantFrom(DAY_US, 2 * DAY_US, 5 * DAY_US, 7 * DAY_US),
        fc.nat(20 * MINUTE_US),
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reload') }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const newsOf = (bench: DeliveryBench): string[] =>
  bench.effects.map((each) => {
    const about = `${each.atUs} ${each.id.split('.')[1]}`;
    if (each.kind === 'emitted') return `${about} emitted to ${each.target} at ${each.to.address}`;
    if (each.kind === 'ended') return `${about} ${each.how}`;
    return `${about} try ${each.attempt}: ${each.answer}`;
  });

/** What happens at one instant at two targets has no order. */
const inOrder = (news: readonly string[]): string[] =>
  news
    .map((each, i) => ({ each, atUs: Number(each.split(' ')[0]), i }))
    .sort((a, b) => a.atUs - b.atUs || (a.each < b.each ? -1 : 1))
    .map(({ each }) => each);

/** Both do the same. */
class Pair {
  readonly bench = new DeliveryBench();
  readonly model = new Model();
  /** What their owner has them at. */
  readonly targets = new Map(['one', 'two'].map((id) => [id, webhook(id)]));

  constructor() {
    for (const name of NAMES) {
      this.put(name, { answer: 200, latency: 0.1, hang: 0, refusal: 0, retryAfter: 0 });
      this.model.had.set(name, { requests: 0, received: 0, distinct: 0 });
    }
    for (const [id, each] of this.targets) {
      this.targets.set(id, { ...each, address: ADDRESSES[id === 'one' ? 0 : 1]! });
    }
  }

  put(name: string, given: Behaviour): void {
    this.bench.put(name, { at: `https://${name}.example/*`, ...given });
    this.model.behaviours.set(name, given);
  }

  do(step: Step): void {
    const { bench, model } = this;
    if (step.kind === 'reload') bench.reload();
    else if ('forUs' in step) {
      model.runUntil(model.nowUs + step.forUs);
      bench.runUntil(bench.nowUs + step.forUs);
      for (const [id] of model.disabled) this.#noteDisabled(id);
    } else if ('behaviour' in step) this.put(step.name, step.behaviour);
    else if ('count' in step) {
      for (let i = 0; i < step.count; i++) this.#emit(step.target);
    } else if ('address' in step) {
      const { target, address, isEnabled: enabled } = step;
      this.targets.set(target, { ...this.targets.get(target)!, address, enabled });
      model.change(target, address, enabled);
      bench.change(this.targets.get(target)!);
    } else if ('target' in step) {
      model.remove(step.target);
      bench.remove(this.targets.get(step.target)!);
    }
  }

  #emit(id: string): void {
    const known = this.targets.get(id)!;
    this.model.emit(id, known.address, known.enabled);
    this.bench.emit(known);
  }

  #noteDisabled(id: string): void {
    const isEnabled = this.model.places.get(id)?.isEnabled ?? this.targets.get(id)!.enabled;
    this.targets.set(id, { ...this.targets.get(id)!, enabled: isEnabled });
  }

  check(): void {
    const { bench, model } = this;
    expect(inOrder(newsOf(bench))).toEqual(inOrder(model.news));
    expect(bench.disabled.map(String).sort()).toEqual(model.disabled.map(String).sort());
    for (const name of NAMES) {
      const { requests, received, distinct } = bench.had(name);
      expect({ requests, received, distinct }).toEqual(model.had.get(name));
    }
    for (const { id, all, isEnabled } of model.places.values()) {
      const told = bench.of(webhook(id));
      expect(told.enabled).toBe(isEnabled);
      expect([told.waiting, told.paused]).toEqual(isEnabled ? [all.length, 0] : [0, all.length]);
    }
  }
}

describe('deliveries', () => {
  it('go, wait and end as the model has it, whatever happens to targets and receivers', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 4, maxLength: 40 }), (steps) => {
        const pair = new Pair();
        for (const each of steps) pair.do(each);
        pair.do({ kind: 'wait', forUs: 9 * DAY_US });
        pair.check();
      }),
      { numRuns: 400 },
    );
  });

  it('come to every end and to a disabled target in these steps', () => {
    const seen = new Set<string>();
    let disabled = 0;
    for (const steps of fc.sample(fc.array(step, { minLength: 20, maxLength: 40 }), 200)) {
      const pair = new Pair();
      for (const each of steps) pair.do(each);
      for (const each of newsOf(pair.bench)) seen.add(each.split(' ').at(-1)!);
      disabled += pair.bench.disabled.length;
    }
    const ends = ['delivered', 'refused', 'failed', 'givenUp', 'left', 'removed'];
    expect(ends.filter((end) => !seen.has(end))).toEqual([]);
    expect(disabled).toBeGreaterThan(10);
  });
});
