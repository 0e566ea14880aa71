/** When there is something to do for rollouts: one timer, and 256 of either at most a wake-up. */
import { describe, expect, it } from 'vitest';
import { NEVER_US } from '../../../core/base/instant.ts';
import { RolloutAgenda } from '../../../core/delivery/device-configuration/agenda.ts';

/** From one slice of a pass to the next. */
const SLICE_US = 1_000;

class Bench {
  readonly due = new Map<number, number>();
  readonly served: number[] = [];
  readonly looked: number[] = [];
  readonly applied: string[] = [];
  active: number[] = [];
  wakesAtUs = NEVER_US;
  agenda = this.begin();

  begin(): RolloutAgenda {
    const timers = {
      wakeAt: (_: number, atUs: number) => {
        this.wakesAtUs = atUs;
      },
      wakeNever: () => {
        this.wakesAtUs = NEVER_US;
      },
    };
    return new RolloutAgenda(timers, {
      dueAtUsOf: (number) => this.due.get(number) ?? NEVER_US,
      serve: (number) => void this.served.push(number),
      look: (number) => void this.looked.push(number),
      applyPolicy: (_, __, devEui) => void this.applied.push(devEui),
      active: () => this.active,
    });
  }

  add(number: number, atUs: number): void {
    this.due.set(number, atUs);
    this.agenda.add(number, atUs);
  }

  /** The timer, when it is due. */
  wake(): number {
    const atUs = this.wakesAtUs;
    this.wakesAtUs = NEVER_US;
    this.agenda.onTimer(atUs);
    this.agenda.rearm(atUs);
    return atUs;
  }
}

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, i) => from + i);

describe('what is due', () => {
  it('is served at its time, in the order of times, and no more where it has another time', () => {
    const bench = new Bench();
    bench.add(1, 300);
    bench.add(2, 200);
    bench.add(3, 200);
    bench.add(2, 400);
    bench.agenda.rearm(0);
    expect([bench.wake(), bench.served]).toEqual([200, [3]]);
    expect([bench.wake(), bench.served]).toEqual([300, [3, 1]]);
    expect([bench.wake(), bench.served]).toEqual([400, [3, 1, 2]]);
    expect(bench.wakesAtUs).toBe(NEVER_US);
  });

  it('is at most 256 at a time, and the rest a microsecond later', () => {
    const bench = new Bench();
    for (const number of numbers(300)) bench.add(number, 50);
    bench.agenda.rearm(0);
    expect([bench.wake(), bench.served.length]).toEqual([50, 256]);
    expect([bench.wake(), bench.served]).toEqual([51, numbers(300)]);
    expect(bench.wakesAtUs).toBe(NEVER_US);
  });

  it('is served as soon as it can be where its time is over', () => {
    const bench = new Bench();
    bench.add(1, 10);
    bench.agenda.rearm(10);
    expect([bench.wake(), bench.served]).toEqual([11, [1]]);
  });
});

describe('a look at gateways', () => {
  it('is over who is active as it begins, and needed only where somebody is', () => {
    const bench = new Bench();
    bench.agenda.lookAt(100, false);
    bench.agenda.rearm(0);
    expect(bench.wakesAtUs).toBe(NEVER_US);
    bench.agenda.needLooks(50);
    bench.agenda.rearm(50);
    bench.active = [4, 5];
    expect(bench.wake()).toBe(100);
    expect([bench.looked, bench.agenda.hasPasses]).toEqual([[4, 5], false]);
    expect(bench.wakesAtUs).toBe(NEVER_US);
    bench.agenda.needLooks(100);
    bench.agenda.rearm(100);
    expect(bench.wakesAtUs).toBe(NEVER_US);
  });

  it('that is needed later follows the one before', () => {
    const bench = new Bench();
    bench.active = [4];
    bench.agenda.lookAt(100, true);
    bench.agenda.lookAt(300, true);
    bench.agenda.lookAt(200, true);
    bench.agenda.rearm(0);
    expect([bench.wake(), bench.looked]).toEqual([100, [4]]);
    expect([bench.wake(), bench.looked]).toEqual([300, [4, 4]]);
    expect(bench.wakesAtUs).toBe(NEVER_US);
  });

  it('is no pass where nobody is active any more', () => {
    const bench = new Bench();
    bench.agenda.lookAt(100, true);
    bench.agenda.rearm(0);
    expect([bench.wake(), bench.agenda.hasPasses, bench.looked]).toEqual([100, false, []]);
  });

  it('waits behind what is due before it, and the other way', () => {
    const bench = new Bench();
    bench.active = [7];
    bench.add(1, 80);
    bench.add(2, 120);
    bench.agenda.lookAt(100, true);
    bench.agenda.rearm(0);
    expect([bench.wake(), bench.wake(), bench.wake()]).toEqual([80, 100, 120]);
    expect([bench.served, bench.looked]).toEqual([[1, 2], [7]]);
  });
});

describe('a pass', () => {
  it('over many goes on in slices of 256 a millisecond apart, one pass after the other', () => {
    const bench = new Bench();
    const devEuis = numbers(600).map(String);
    bench.agenda.begin({ kind: 'policy', owner: 'a', policyId: 'p', devEuis, next: 0 });
    bench.agenda.begin({ kind: 'gateways', numbers: [8, 9], next: 0 });
    bench.agenda.rearm(0);
    const woken: number[] = [];
    while (bench.agenda.hasPasses) woken.push(bench.wake());
    expect(woken).toEqual([1, 2, 3, 4].map((slice) => slice * SLICE_US));
    expect([bench.applied, bench.looked]).toEqual([devEuis, [8, 9]]);
    expect(bench.wakesAtUs).toBe(NEVER_US);
  });

  it('goes on where it was in what is loaded from what was saved', () => {
    const bench = new Bench();
    const devEuis = numbers(300).map(String);
    bench.agenda.begin({ kind: 'policy', owner: 'a', policyId: 'p', devEuis, next: 0 });
    bench.add(1, 5_000);
    bench.agenda.rearm(0);
    bench.wake();
    const saved = bench.agenda.save();
    bench.agenda = bench.begin();
    bench.agenda.load(saved);
    bench.wake();
    expect(bench.applied).toEqual(devEuis);
    expect([bench.wake(), bench.served]).toEqual([5_000, [1]]);
    expect(bench.agenda.save()).toEqual(bench.begin().save());
  });
});
