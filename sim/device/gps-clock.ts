/**
 * The calendar that a device keeps: GPS time with an error that its drift makes grow. Until it
 * receives the time, it counts from its own power-on.
 */
import { SECOND_US } from '../base/units.ts';
import { gainedUs, worldAfter } from './clock.ts';
import type { DeviceSide } from './device-side.ts';

/** Power-on: the clock stands at zero. */
export function startGpsClock(side: DeviceSide, device: number, atUs: number): void {
  const c = side.column;
  c.clockErrorUs[device] = -(side.gpsStartUs + atUs);
  c.clockSetAtUs[device] = atUs;
}

/** By how much the device's GPS time is ahead of the true one, µs. */
export function gpsErrorUs(side: DeviceSide, device: number, atUs: number): number {
  const c = side.column;
  return c.clockErrorUs[device] + gainedUs(side, device, c.clockSetAtUs[device], atUs);
}

/** The device's GPS time, whole seconds modulo 2^32. */
export function deviceGpsSeconds(side: DeviceSide, device: number, atUs: number): number {
  const us = side.gpsStartUs + atUs + gpsErrorUs(side, device, atUs);
  return Math.floor(us / SECOND_US) >>> 0;
}

/** Puts the clock forward by this many seconds (TS003-1.0.0, AppTimeAns). */
export function correctClock(
  side: DeviceSide,
  device: number,
  seconds: number,
  atUs: number,
): void {
  const c = side.column;
  c.clockErrorUs[device] = gpsErrorUs(side, device, atUs) + seconds * SECOND_US;
  c.clockSetAtUs[device] = atUs;
}

/** The clock jumps by a whole number of µs, as a faulty crystal or a wrong setting makes it. */
export function stepClock(side: DeviceSide, device: number, byUs: number, atUs: number): void {
  const c = side.column;
  c.clockErrorUs[device] = gpsErrorUs(side, device, atUs) + byUs;
  c.clockSetAtUs[device] = atUs;
}

/**
 * Sets the clock by DeviceTimeAns (LoRaWAN 1.0.4 §5.9): it showed this GPS time, seconds and
 * 1/256 of a second, when the uplink that asked ended. So it is late by up to 1/256 s, and wrong by
 * what the server errs; from then on its rate makes the error grow.
 */
export function setClock(
  side: DeviceSide,
  device: number,
  gpsSeconds: number,
  fraction256: number,
  endedAtUs: number,
): void {
  const c = side.column;
  const shownUs = gpsSeconds * SECOND_US + Math.floor((fraction256 * SECOND_US) / 256);
  c.clockErrorUs[device] = shownUs - (side.gpsStartUs + endedAtUs);
  c.clockSetAtUs[device] = endedAtUs;
}

/** World time at which the device's clock shows a GPS time (seconds modulo 2^32), µs. */
export function worldUsOfDeviceGps(
  side: DeviceSide,
  device: number,
  gpsSeconds: number,
  nowUs: number,
): number {
  const nowSeconds = deviceGpsSeconds(side, device, nowUs);
  // The difference is read modulo 2^32 as a signed number: half a century either way.
  const ahead = (gpsSeconds - nowSeconds) | 0;
  const shownUs = side.gpsStartUs + nowUs + gpsErrorUs(side, device, nowUs);
  const intoSecondUs = shownUs - Math.floor(shownUs / SECOND_US) * SECOND_US;
  const leftUs = ahead * SECOND_US - intoSecondUs;
  return worldAfter(side, device, nowUs, leftUs);
}
