/**
 * The calendar that a device keeps: GPS time with an error that its drift makes grow. Until it is
 * told the time, it counts from its own power-on.
 */
import { SECOND_US } from '../base/units.ts';
import type { DeviceRoom } from './device-room.ts';

/** Power-on: the clock stands at zero. */
export function startGpsClock(room: DeviceRoom, device: number, atUs: number): void {
  const c = room.devices.column;
  c.clockErrorUs[device] = -(room.gpsStartUs + atUs);
  c.clockSetAtUs[device] = atUs;
}

/** By how much the device's GPS time is ahead of the true one, µs. */
export function gpsErrorUs(room: DeviceRoom, device: number, atUs: number): number {
  const c = room.devices.column;
  const grown = ((atUs - c.clockSetAtUs[device]) * c.driftPpb[device]) / 1e9;
  return c.clockErrorUs[device] + Math.round(grown);
}

/** The device's GPS time, whole seconds modulo 2^32. */
export function deviceGpsSeconds(room: DeviceRoom, device: number, atUs: number): number {
  const us = room.gpsStartUs + atUs + gpsErrorUs(room, device, atUs);
  return Math.floor(us / SECOND_US) % 0x1_0000_0000;
}

/** Puts the clock forward by this many seconds (TS003-1.0.0, AppTimeAns). */
export function correctClock(
  room: DeviceRoom,
  device: number,
  seconds: number,
  atUs: number,
): void {
  const c = room.devices.column;
  c.clockErrorUs[device] = gpsErrorUs(room, device, atUs) + seconds * SECOND_US;
  c.clockSetAtUs[device] = atUs;
}

/** World time at which the device's clock shows a GPS time (seconds modulo 2^32), µs. */
export function worldUsOfDeviceGps(
  room: DeviceRoom,
  device: number,
  gpsSeconds: number,
  nowUs: number,
): number {
  const c = room.devices.column;
  const nowSeconds = deviceGpsSeconds(room, device, nowUs);
  // The difference is read modulo 2^32 as a signed number: half a century either way.
  const ahead = (gpsSeconds - nowSeconds) | 0;
  const shownUs = room.gpsStartUs + nowUs + gpsErrorUs(room, device, nowUs);
  const leftUs = ahead * SECOND_US - (shownUs % SECOND_US);
  return nowUs + Math.round(leftUs / (1 + c.driftPpb[device] / 1e9));
}
