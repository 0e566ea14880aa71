/**
 * How far a device is settled: what may have reached it and was over by then has been looked at.
 *
 * What a device hears and draws is derived late, by `settle`. Every event and every command of a
 * device begins with that (`network.ts`, `passages.ts`), so does whoever asks. Whatever reads or
 * changes what is derived from asserts it here: a way round the door ends the run.
 */
import { assert } from '../base/assert.ts';
import type { DeviceSide } from './device-side.ts';

/** Looked at is all that was over by `untilUs`. */
export function noteSettled({ devices }: DeviceSide, device: number, untilUs: number): void {
  const { settledUs } = devices.column;
  settledUs[device] = Math.max(settledUs[device], untilUs);
}

/** Whoever only asks leaves what ends in the present microsecond to the events that follow. */
export function assertSettled({ devices, agenda }: DeviceSide, device: number): void {
  assert(
    devices.column.settledUs[device] >= agenda.nowUs - 1,
    'what a device hears or draws is read and changed when it is settled',
  );
}
