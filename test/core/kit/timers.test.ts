/** Timers of resources. */
import { describe, expect, it } from 'vitest';
import { LAST_US } from '../../../core/base/instant.ts';
import { Outbox } from '../../../core/base/outbox.ts';
import { ownTimer, timersOf } from '../../../core/base/timers.ts';

describe('a timer', () => {
  it('is one of the world, and one’s own again', () => {
    const outbox = new Outbox();
    for (const space of [0, 7, 15]) {
      for (const timer of [0, 1, 9_999]) timersOf(outbox, space).wakeAt(timer, 5, 0);
    }
    const shared = outbox.drain().flatMap((each) => (each.kind === 'wakeAt' ? [each.timer] : []));
    expect(new Set(shared).size).toBe(9);
    expect(shared.map((each) => ownTimer(each))).toEqual(
      [0, 7, 15].flatMap((space) => [0, 1, 9_999].map((timer) => ({ space, timer }))),
    );
  });

  it('is set to the last instant of virtual time, and never beyond it', () => {
    const outbox = new Outbox();
    const timers = timersOf(outbox, 3);
    timers.wakeAt(2, LAST_US, 0);
    timers.wakeAt(2, Number.POSITIVE_INFINITY, 0);
    timers.wakeAt(2, LAST_US + 1, 0);
    expect(outbox.drain()).toMatchObject([
      { kind: 'wakeAt', atUs: LAST_US },
      { kind: 'wakeNever' },
      { kind: 'wakeNever' },
    ]);
  });

  it('is never set by a resource without one of the 16 timer spaces', () => {
    const outbox = new Outbox();
    expect(() => timersOf(outbox).wakeAt(0, 5, 0)).toThrow(/space/);
    expect(() => timersOf(outbox, 16).wakeNever(0, 0)).toThrow(/space/);
    expect(outbox.isEmpty).toBe(true);
  });
});
