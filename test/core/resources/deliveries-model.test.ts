/**
 * Deliveries against a second program in plain words: whatever receivers do, and whatever is
 * edited, paused, removed, saved and restored in the middle (data delivery, Events, rules 2 to 5).
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupedBy } from '../../../core/base/grouped.ts';
import type { Effect } from '../../../core/delivery/deliveries/effects.ts';
import type { Target } from '../../../core/delivery/deliveries/target.ts';
import { DAY_US, HOUR_US, MINUTE_US, SECOND_US } from '../../../sim/base/units.ts';
import { DeliveryBench, drawsOf, webhook } from '../../support/delivery-bench.ts';
import { DeliveryModel, type Ways } from '../../support/delivery-model.ts';
import { someRuns } from '../../support/long.ts';

const IDS = ['one', 'two'] as const;
type Id = (typeof IDS)[number];
const PLACES = ['north', 'south', 'west'] as const;
type Place = (typeof PLACES)[number];
const addressOf = (place: Place) => `https://${place}.example/in`;

const WAYS: fc.Arbitrary<Ways> = fc.record({
  answer: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(200, 204, 299) },
    { weight: 4, arbitrary: fc.constantFrom(500, 503, 599, 429) },
    { weight: 1, arbitrary: fc.constantFrom(301, 401, 404, 410) },
  ),
  latency: fc.constantFrom(0, 0.1, 0.1, 1, 14.9, 15, 60),
  retryAfter: fc.constantFrom(0, 0, 2, 60, 3_600, 200_000),
  hang: fc.constantFrom(0, 0, 0, 0, 1),
  refusal: fc.constantFrom(0, 0, 0, 0, 1),
});

const GOOD: Ways = { answer: 200, latency: 0.1, retryAfter: 0, hang: 0, refusal: 0 };
const FIRST = fc.constantFrom(
  GOOD,
  { ...GOOD, answer: 503 },
  { ...GOOD, answer: 429, retryAfter: 3_600 },
);

const id = fc.constantFrom(...IDS);
const place = fc.constantFrom(...PLACES);

const STEPS = fc.oneof(
  { weight: 4, arbitrary: fc.record({ emit: id, count: fc.integer({ min: 1, max: 25 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      waitUs: fc.oneof(
        fc.constantFrom(1, SECOND_US, 5 * SECOND_US, 15 * SECOND_US, HOUR_US, DAY_US, 3 * DAY_US),
        fc.integer({ min: 1, max: MINUTE_US }),
        fc.integer({ min: 1, max: 6 * HOUR_US }),
      ),
    }),
  },
  { weight: 3, arbitrary: fc.record({ put: place, ways: WAYS }) },
  { weight: 1, arbitrary: fc.record({ take: place }) },
  { weight: 2, arbitrary: fc.record({ enable: id, on: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ move: id, to: place }) },
  { weight: 1, arbitrary: fc.record({ resume: id }) },
  { weight: 1, arbitrary: fc.record({ remove: id }) },
  { weight: 1, arbitrary: fc.constant({ reload: true } as const) },
);
const STORY = fc.array(STEPS, { minLength: 5, maxLength: 60, size: 'max' });
type Step = typeof STEPS extends fc.Arbitrary<infer Value> ? Value : never;

/** What chance alone leads to too rarely: five dead days, seven days of waiting, 410. */
const DAYS: readonly Step[] = Array.from({ length: 7 }, () => [
  { emit: 'one', count: 1 } as const,
  { waitUs: DAY_US },
]).flat();
const EXAMPLES: [Ways, Step[]][] = [
  [{ ...GOOD, answer: 503 }, [...DAYS, { resume: 'one' }, ...DAYS]],
  [{ ...GOOD, answer: 503, hang: 1 }, [...DAYS, { move: 'one', to: 'west' }, ...DAYS]],
  [GOOD, [...DAYS, { enable: 'one', on: false }, ...DAYS, ...DAYS]],
  [{ ...GOOD, answer: 410 }, [...DAYS, { enable: 'one', on: true }, { waitUs: SECOND_US }]],
];

/** What is reported of an effect, as the model writes it. */
function wordsOf(effect: Effect): string {
  const ordinal = effect.id.slice('WORLD123.'.length);
  const begins = `${effect.atUs} ${ordinal}`;
  if (effect.kind === 'emitted') return `${begins} emitted`;
  if (effect.kind === 'ended') return `${begins} ${effect.how}`;
  const { attempt, answer, nextAtUs, disables } = effect;
  const next = nextAtUs === undefined ? '' : ` next ${nextAtUs}`;
  return `${begins} ${attempt} ${answer}${next}${disables ? ' disables' : ''}`;
}

/** Both programs, and what the owner of the targets knows of them. */
class Both {
  readonly bench = new DeliveryBench();
  readonly model = new DeliveryModel();
  readonly #targets = new Map<Id, Target>(IDS.map((id) => [id, this.#first(id)]));
  #disabled = 0;

  /** All receivers are such at first. */
  constructor(ways: Ways) {
    for (const each of PLACES) this.#put(each, ways);
  }

  #first(id: Id): Target {
    return { ...webhook(id), address: addressOf(id === 'one' ? 'north' : 'south') };
  }

  do(step: Step): void {
    const { bench, model } = this;
    if ('emit' in step) for (let i = 0; i < step.count; i++) this.#emit(step.emit);
    if ('waitUs' in step) {
      bench.runUntil(bench.nowUs + step.waitUs);
      model.runUntil(model.nowUs + step.waitUs);
    }
    if ('put' in step) this.#put(step.put, step.ways);
    if ('take' in step && model.take(addressOf(step.take))) bench.take(step.take);
    if ('enable' in step) this.#change(step.enable, { enabled: step.on });
    if ('resume' in step) {
      this.#change(step.resume, { enabled: false });
      this.#change(step.resume, { enabled: true });
    }
    if ('move' in step) this.#change(step.move, { address: addressOf(step.to) });
    if ('remove' in step) {
      bench.remove(this.#targets.get(step.remove)!);
      model.remove(step.remove);
    }
    if ('reload' in step) bench.reload();
    this.#hearOfDisabled();
    this.#compare();
  }

  #put(name: Place, ways: Ways): void {
    this.bench.put(name, { at: addressOf(name), ...ways });
    this.model.put(addressOf(name), ways);
  }

  #emit(id: Id): void {
    const target = this.#targets.get(id)!;
    this.bench.emit(target);
    this.model.emit(id, target.address, target.enabled);
  }

  #change(id: Id, changed: Partial<Target>): void {
    const target = { ...this.#targets.get(id)!, ...changed };
    this.#targets.set(id, target);
    this.bench.change(target);
    this.model.change(id, target.address, target.enabled);
  }

  /** Who owns a target notes that it is paused. */
  #hearOfDisabled(): void {
    const { disabled } = this.bench;
    for (; this.#disabled < disabled.length; this.#disabled++) {
      const [id] = disabled[this.#disabled]! as [Id, number];
      this.#targets.set(id, { ...this.#targets.get(id)!, enabled: false });
    }
  }

  #compare(): void {
    const { bench, model } = this;
    const byAt = (a: readonly [string, number], b: readonly [string, number]) =>
      a[1] - b[1] || (a[0] < b[0] ? -1 : 1);
    expect(bench.disabled.toSorted(byAt)).toEqual(model.disabled.toSorted(byAt));
    for (const id of IDS) {
      const lines = bench.effects.filter(({ target }) => target === id).map(wordsOf);
      expect(lines).toEqual(model.reported.get(id) ?? []);
      const counts = model.countsOf(id);
      const target = this.#targets.get(id)!;
      if (counts === undefined) expect(bench.of(target)).toBeUndefined();
      else expect(bench.of(target)).toMatchObject(counts);
    }
    for (const place of PLACES) {
      const had = model.hadBy(addressOf(place));
      if (had !== undefined) expect(bench.had(place)).toEqual(had);
    }
    expect(bench.deliveries.waiting).toBe(model.waiting);
  }
}

/** Pauses before the second to the eighth attempt, s. */
const PAUSES_S = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];
const share = fc.constantFrom(0, 0.3, 0.7, 1);

describe('deliveries', () => {
  it('go as the schedule says, whatever receivers and owners of targets do', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(FIRST, STORY, (ways, steps) => {
        const both = new Both(ways);
        for (const step of steps) both.do(step);
        both.do({ waitUs: 8 * DAY_US });
        for (const effect of both.bench.effects) {
          if (effect.kind === 'ended') seen.add(effect.how);
          if (effect.kind !== 'attempted') continue;
          seen.add(`${effect.answer}`);
          if (effect.disables) seen.add(effect.answer === 410 ? 'gone' : 'dead');
        }
      }),
      { numRuns: someRuns(200, 8), examples: EXAMPLES },
    );
    // What is generated leads everywhere.
    const fates = ['delivered', 'refused', 'failed', 'givenUp', 'left', 'removed'];
    const answers = ['200', '503', '429', '410', 'timeout', 'connection refused'];
    expect([...seen]).toEqual(expect.arrayContaining([...fates, ...answers, 'gone', 'dead']));
  });

  it('are at least once, and their pauses within 20 %, whatever is drawn', () => {
    const seen = new Set<string>();
    const shares = fc.record({ failure: share, hang: share, refusal: share });
    fc.assert(
      fc.property(shares, fc.nat(1_000), (ways, seed) => {
        const bench = new DeliveryBench({ draws: drawsOf(`${seed}`) });
        const target = { ...webhook('one'), address: addressOf('north') };
        bench.put('north', { at: target.address, latency: 1, ...ways });
        for (let i = 0; i < 12; i++) bench.emit(target);
        bench.runUntil(3 * DAY_US);
        const { delivered, failed } = bench.of(target);
        expect(delivered + failed).toBe(12);
        // The receiver may have what the service believes to be lost, and never the reverse.
        expect(bench.had('north').distinct).toBeGreaterThanOrEqual(delivered);
        for (const [, reports] of groupedBy(bench.effects, ({ id }) => id)) {
          const attempts = reports.filter((each) => each.kind === 'attempted');
          for (const { attempt, atUs, nextAtUs } of attempts) {
            if (nextAtUs === undefined) continue;
            const share = (nextAtUs - atUs) / (PAUSES_S[attempt - 1]! * SECOND_US);
            expect(share).toBeGreaterThanOrEqual(0.8);
            expect(share).toBeLessThanOrEqual(1.2);
            if (share < 0.85) seen.add('short');
            if (share > 1.15) seen.add('long');
          }
          const last = reports.at(-1);
          if (last?.kind === 'ended' && last.how === 'failed') expect(attempts).toHaveLength(8);
        }
      }),
      { numRuns: someRuns(50, 4) },
    );
    expect([...seen].sort()).toEqual(['long', 'short']);
  });
});
