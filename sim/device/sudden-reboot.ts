/** A device that reboots by itself in a multicast session, as a model of failures has it. */
import { assert } from '../base/assert.ts';
import { isInMulticastSession } from './class-b/group-ping-slots.ts';
import type { DeviceSide } from './device-side.ts';
import { UplinkPurpose } from './device-table.ts';
import { note } from './failures.ts';
import { endLorawanSession } from './messages.ts';
import { loseMemory, REBOOT_STEP_US, restart } from './packages/firmware.ts';

/**
 * The reboot is due: it waits for the message in hand, and does not happen where the session is
 * over by then. The device loses what stands in volatile memory, and one of OTAA its LoRaWAN
 * session too, so it joins anew; a personalised one has its session in flash.
 */
export function rebootSuddenly(side: DeviceSide, device: number, nowUs: number): void {
  const c = side.column;
  const { failures } = side;
  const reboot = failures.reboot(device);
  assert(reboot !== undefined, 'a reboot that is due was appointed');
  const isOver = !isInMulticastSession(side, device);
  if (!isOver && c.purpose[device] !== UplinkPurpose.none) {
    return failures.appointReboot(device, { ...reboot, atUs: nowUs + REBOOT_STEP_US });
  }
  failures.cancelReboot(device);
  if (isOver) return;
  note(side, device, reboot.which, 'reboot', nowUs);
  loseMemory(side, device, nowUs);
  if (c.personalised[device] === 1) restart(side, device, nowUs);
  else endLorawanSession(side, device, nowUs);
}
