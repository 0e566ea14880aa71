/**
 * The calendar that a device keeps: GPS time with an error that its drift makes grow. Until it is
 * told the time, it counts from its own power-on.
 */
import { SECOND_US } from '../base/units.ts';
import { gainedUs, worldAfter } from './clock.ts';
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
  return c.clockErrorUs[device] + gainedUs(room, device, c.clockSetAtUs[device], atUs);
}

/** The device's GPS time, whole seconds modulo 2^32. */
export function deviceGpsSeconds(room: DeviceRoom, device: number, atUs: number): number {
  const us = room.gpsStartUs + atUs + gpsErrorUs(room, device, atUs);
  return Math.floor(us / SECOND_US) >>> 0;
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

/**
 * Sets the clock as DeviceTimeAns tells (LoRaWAN 1.0.4 §5.9): it showed this GPS time, seconds and
 * 1/256 of a second, when the uplink that asked ended. So it is late by up to 1/256 s, and wrong by
 * what the server errs; from then on its rate makes the error grow.
 */
export function setClock(
  room: DeviceRoom,
  device: number,
  gpsSeconds: number,
  fraction256: number,
  endedAtUs: number,
): void {
  const c = room.devices.column;
  const shownUs = gpsSeconds * SECOND_US + Math.floor((fraction256 * SECOND_US) / 256);
  c.clockErrorUs[device] = shownUs - (room.gpsStartUs + endedAtUs);
  c.clockSetAtUs[device] = endedAtUs;
}

/** World time at which the device's clock shows a GPS time (seconds modulo 2^32), µs. */
export function worldUsOfDeviceGps(
  room: DeviceRoom,
  device: number,
  gpsSeconds: number,
  nowUs: number,
): number {
  const nowSeconds = deviceGpsSeconds(room, device, nowUs);
  // The difference is read modulo 2^32 as a signed number: half a century either way.
  const ahead = (gpsSeconds - nowSeconds) | 0;
  const shownUs = room.gpsStartUs + nowUs + gpsErrorUs(room, device, nowUs);
  const intoSecondUs = shownUs - Math.floor(shownUs / SECOND_US) * SECOND_US;
  const leftUs = ahead * SECOND_US - intoSecondUs;
  return worldAfter(room, device, nowUs, leftUs);
}
