/** When a device has a message of its own to send, and its bytes. */
import { log } from '../base/math.ts';
import { DrawPurpose, draw, happens, toUnit } from '../base/random.ts';
import { MILLION } from '../base/units.ts';
import type { TrafficPlan } from '../plan/network-plan.ts';

/** The shortest pause, so that a device's next message is never at the present instant. */
const SHORTEST_PAUSE_US = 1;

/** Pause until the first message, µs by the device's clock. */
export function firstPauseUs(traffic: TrafficPlan, key0: number, key1: number): number {
  if (traffic.process === 'exponential') return pauseUs(traffic, key0, key1, 0);
  const unit = toUnit(draw(key0, key1, DrawPurpose.trafficPhase, 0));
  return Math.max(SHORTEST_PAUSE_US, Math.floor(unit * traffic.meanUs));
}

/** Pause after message number `message` (0, 1, …), µs by the device's clock. */
export function pauseUs(traffic: TrafficPlan, key0: number, key1: number, message: number): number {
  const { process, meanUs, jitterPpm } = traffic;
  if (process === 'periodic' && jitterPpm === 0) return meanUs;
  const drawn = draw(key0, key1, DrawPurpose.trafficPause, message);
  const pause =
    process === 'exponential'
      ? -meanUs * log(((drawn >>> 0) + 0.5) / 0x1_0000_0000)
      : meanUs + (2 * toUnit(drawn) - 1) * meanUs * (jitterPpm / MILLION);
  return Math.max(SHORTEST_PAUSE_US, Math.round(pause));
}

/** Whether the message of this number is sent confirmed. */
export const isConfirmed = (
  traffic: TrafficPlan,
  key0: number,
  key1: number,
  message: number,
): boolean =>
  traffic.confirmedPpm > 0 &&
  happens(draw(key0, key1, DrawPurpose.confirmed, message), traffic.confirmedPpm);

/** Fills the FRMPayload of the uplink with this counter: bytes that differ from frame to frame. */
export function fillPayload(
  out: Uint8Array,
  length: number,
  key0: number,
  key1: number,
  fCntUp: number,
): void {
  let drawn = 0;
  for (let i = 0; i < length; i++) {
    if ((i & 3) === 0) drawn = draw(key0, key1, DrawPurpose.payload, fCntUp * 64 + (i >> 2));
    out[i] = drawn >>> (8 * (i & 3));
  }
}
