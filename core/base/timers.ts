/** Timers of resources. Each resource numbers its own from 0; in the world they share one space. */
import { assert } from '../../sim/base/assert.ts';
import { LAST_US } from './instant.ts';
import type { Outbox } from './outbox.ts';

const SPACES = 16;

/** A resource's timers: each is due once, at the latest instant that it was set to. */
export interface Timers {
  /**
   * Wakes the resource (`onTimer`) at an instant, µs, in place of an earlier appointment; never at
   * one that virtual time does not reach.
   */
  wakeAt(timer: number, atUs: number, nowUs: number): void;
  wakeNever(timer: number, nowUs: number): void;
}

/** A resource without a space of timers sets none. */
export function timersOf(outbox: Outbox, space = Number.NaN): Timers {
  const shared = (timer: number): number => {
    assert(space >= 0 && space < SPACES, 'a resource with timers has one of 16 spaces of them');
    assert(Number.isInteger(timer) && timer >= 0, 'timers are numbered from 0');
    return timer * SPACES + space;
  };
  const wakeNever: Timers['wakeNever'] = (timer, nowUs) =>
    outbox.add({ kind: 'wakeNever', timer: shared(timer) }, nowUs);
  return {
    wakeAt: (timer, atUs, nowUs) => {
      if (atUs > LAST_US) return wakeNever(timer, nowUs);
      outbox.add({ kind: 'wakeAt', timer: shared(timer), atUs }, nowUs);
    },
    wakeNever,
  };
}

/** The space and the resource's own number of a timer of the world. */
export const ownTimer = (shared: number): { readonly space: number; readonly timer: number } => ({
  space: shared % SPACES,
  timer: Math.floor(shared / SPACES),
});
