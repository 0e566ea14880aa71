/** Application packages on the device: which port speaks to which, and the answers' way out. */
import { draw, Purpose as Luck, toUnit } from '../../base/random.ts';
import { SECOND_US } from '../../base/units.ts';
import { PACKAGES } from '../../lorawan/packages/package-version.ts';
import type { DeviceRoom } from '../device-room.ts';
import { NO_PORT } from '../outgoing.ts';
import { takeClockSync } from './clock-sync.ts';
import { takeFirmware } from './firmware.ts';
import { takeFragmentation } from './fragmentation.ts';
import { takeMulticastSetup } from './multicast-setup.ts';

/** A downlink of the application that a package or the device itself takes. */
export interface AppDownlink {
  readonly fPort: number;
  readonly payload: Uint8Array;
}

/** Hands an application payload to the package of its port; other ports are the application's. */
export function takeAppDownlink(
  room: DeviceRoom,
  device: number,
  downlink: AppDownlink,
  nowUs: number,
): void {
  const { fPort, payload } = downlink;
  const answers = answersTo(room, device, fPort, payload, nowUs);
  if (answers !== undefined && answers.length > 0) send(room, device, nowUs, fPort, answers);
}

function answersTo(
  room: DeviceRoom,
  device: number,
  fPort: number,
  payload: Uint8Array,
  nowUs: number,
): Uint8Array | undefined {
  switch (fPort) {
    case PACKAGES.multicastSetup.fPort:
      return takeMulticastSetup(room, device, payload, nowUs);
    case PACKAGES.fragmentation.fPort:
      return takeFragmentation(room, device, payload, nowUs);
    case PACKAGES.clockSync.fPort:
      return takeClockSync(room, device, payload, nowUs);
    case PACKAGES.firmwareManagement.fPort:
      return takeFirmware(room, device, payload);
    default:
      return undefined;
  }
}

/** Queues a package message; the device sends it as soon as it may. */
export function send(
  room: DeviceRoom,
  device: number,
  dueAtUs: number,
  fPort: number,
  payload: Uint8Array,
): void {
  room.outgoing.add(room.devices.column.outgoing, device, dueAtUs, fPort, payload);
}

/** More is waiting on the server: an empty uplink soon opens the next windows. */
export function askForMore(room: DeviceRoom, device: number, nowUs: number): void {
  const { outgoing, key0, key1, frames } = room.devices.column;
  const dueAtUs = room.outgoing.dueAtUs(outgoing, device);
  const word = draw(key0[device], key1[device], Luck.askForMore, frames[device]);
  const pauseUs = SECOND_US + Math.floor(toUnit(word) * SECOND_US);
  if (dueAtUs >= 0 && dueAtUs <= nowUs + pauseUs) return;
  send(room, device, nowUs + pauseUs, NO_PORT, new Uint8Array(0));
}
