/**
 * How far a device is settled: all that may have reached it and was over by then is decided.
 *
 * What a device hears and draws is derived late, by `settle`. Every event and every command of a
 * device begins with that (`network.ts`, `downlink-passage.ts`), and so does every query. Code that
 * reads what was derived, or changes what it is derived from, asserts here that the device is
 * settled.
 */
import { assert } from '../base/assert.ts';
import type { DeviceSide } from './device-side.ts';

/** All that was over by `untilUs` has been looked at; an earlier instant changes nothing. */
export function noteSettled(side: DeviceSide, device: number, untilUs: number): void {
  assert(untilUs <= side.agenda.nowUs, 'a device is settled up to the present at most');
  const { settledUs } = side.column;
  settledUs[device] = Math.max(settledUs[device], untilUs);
}

/**
 * The device is settled up to now. A query leaves what ends in the present microsecond to the
 * events that follow, hence the one microsecond.
 */
export function assertSettled({ devices, agenda }: DeviceSide, device: number): void {
  assert(
    devices.column.settledUs[device] >= agenda.nowUs - 1,
    'what a device hears or draws is read and changed when it is settled',
  );
}
