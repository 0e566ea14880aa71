/** The agenda: one live event per (kind, target), taken in the order (time, kind, target). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Agenda } from '../../sim/kernel/agenda.ts';

/** Everything that is due by `untilUs`, as `[time, kind, target]`. */
function drain(agenda: Agenda, untilUs = Number.MAX_SAFE_INTEGER): number[][] {
  const taken: number[][] = [];
  while (agenda.next(untilUs)) taken.push([agenda.nowUs, agenda.kind, agenda.target]);
  return taken;
}

describe('an agenda', () => {
  it('orders events totally: by time, then kind, then target', () => {
    const agenda = new Agenda();
    agenda.schedule(2, 0, 10);
    agenda.schedule(1, 9, 10);
    agenda.schedule(1, 3, 10);
    agenda.schedule(7, 0, 9);
    expect(drain(agenda)).toEqual([
      [9, 7, 0],
      [10, 1, 3],
      [10, 1, 9],
      [10, 2, 0],
    ]);
  });

  it('has at most one live event for a kind and target: the latest appointment', () => {
    const agenda = new Agenda();
    agenda.schedule(1, 1, 10);
    agenda.schedule(1, 1, 30);
    agenda.schedule(1, 1, 20);
    expect(agenda.dueUs(1, 1)).toBe(20);
    expect(drain(agenda)).toEqual([[20, 1, 1]]);
    expect(agenda.dueUs(1, 1)).toBe(-1);
  });

  it('drops stale entries: an appointment moved away and back is dispatched once', () => {
    const agenda = new Agenda();
    agenda.schedule(1, 1, 10);
    agenda.schedule(1, 1, 20);
    agenda.schedule(1, 1, 10);
    expect(drain(agenda)).toEqual([[10, 1, 1]]);
    expect(agenda.dispatched).toBe(1);
  });

  it('drops what is cancelled before dispatch and digest', () => {
    const plain = new Agenda();
    plain.schedule(1, 1, 10);
    const other = new Agenda();
    other.schedule(1, 1, 10);
    other.schedule(2, 2, 5);
    other.cancel(2, 2);
    other.cancel(3, 500);
    expect(drain(other)).toEqual(drain(plain));
    expect(other.digest.hex()).toBe(plain.digest.hex());
  });

  it('leaves what is due later for later', () => {
    const agenda = new Agenda();
    agenda.schedule(1, 1, 10);
    agenda.schedule(1, 2, 11);
    expect(drain(agenda, 10)).toEqual([[10, 1, 1]]);
    expect(agenda.nowUs).toBe(10);
    expect(drain(agenda, 11)).toEqual([[11, 1, 2]]);
  });

  it('takes at the present instant only what sorts after the current event', () => {
    const agenda = new Agenda();
    agenda.schedule(3, 5, 10);
    agenda.next(10);
    expect(() => agenda.schedule(3, 4, 10)).toThrow('events are raised for the future');
    expect(() => agenda.schedule(2, 9, 10)).toThrow('events are raised for the future');
    expect(() => agenda.schedule(9, 9, 9)).toThrow('events are raised for the future');
    agenda.schedule(3, 6, 10);
    agenda.schedule(4, 0, 10);
    expect(drain(agenda)).toEqual([
      [10, 3, 6],
      [10, 4, 0],
    ]);
  });

  it('refuses the same live event twice, unless it is only appointed', () => {
    const agenda = new Agenda();
    agenda.schedule(1, 1, 10);
    expect(() => agenda.schedule(1, 1, 10)).toThrow('a live event is not pushed twice');
    agenda.appoint(1, 1, 10);
    expect(drain(agenda)).toHaveLength(1);
  });

  it('does not let time go back', () => {
    const agenda = new Agenda();
    agenda.advance(10);
    expect(() => agenda.advance(9)).toThrow('time does not go back');
    expect(() => agenda.schedule(1, 1, 9)).toThrow('events are raised for the future');
  });

  it('goes on from a saved state as from itself', () => {
    const steps = fc.array(
      fc.record({ kind: fc.nat(9), target: fc.nat(40), pauseUs: fc.integer({ min: 1, max: 90 }) }),
      { maxLength: 60, size: 'max' },
    );
    fc.assert(
      fc.property(steps, fc.nat(60), (some, untilUs) => {
        const agenda = new Agenda();
        for (const { kind, target, pauseUs } of some) agenda.appoint(kind, target, pauseUs);
        drain(agenda, untilUs);
        const restored = new Agenda();
        restored.load(structuredClone(agenda.save()));
        expect(drain(restored)).toEqual(drain(agenda));
        expect(restored.digest.hex()).toBe(agenda.digest.hex());
        expect(restored.dispatched).toBe(agenda.dispatched);
      }),
    );
  });

  it('stands at the same event when it is restored in the middle of an instant', () => {
    const agenda = new Agenda();
    agenda.schedule(3, 5, 10);
    agenda.next(10);
    const restored = new Agenda();
    restored.load(structuredClone(agenda.save()));
    expect(() => restored.schedule(3, 4, 10)).toThrow('events are raised for the future');
    restored.schedule(3, 6, 10);
    expect(drain(restored)).toEqual([[10, 3, 6]]);
  });
});
