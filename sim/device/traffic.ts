/** When a device has a message of its own to send, and its bytes. */
import { assert } from '../base/assert.ts';
import { log } from '../base/math.ts';
import { DrawPurpose, draw, happens, toUnit } from '../base/random.ts';
import { DAY_US, HOUR_US, MILLION } from '../base/units.ts';
import type { BurstPlan, TrafficPlan } from '../plan/network-plan.ts';

/** The shortest pause, so that a device's next message is never at the present instant. */
const SHORTEST_PAUSE_US = 1;

const HOURS_A_DAY = 24;

// ── by the device's clock ────────────────────────────────────────────────────────────────────────

/** Pause until the first message of periodic or exponential traffic, µs by the device's clock. */
export function firstPauseUs(traffic: TrafficPlan, key0: number, key1: number): number {
  if (traffic.process === 'exponential') return pauseUs(traffic, key0, key1, 0);
  const unit = toUnit(draw(key0, key1, DrawPurpose.trafficPhase, 0));
  return Math.max(SHORTEST_PAUSE_US, Math.floor(unit * traffic.meanUs));
}

/** Pause after message number `message` (0, 1, …) of the same, µs by the device's clock. */
export function pauseUs(traffic: TrafficPlan, key0: number, key1: number, message: number): number {
  const { process, meanUs, jitterPpm } = traffic;
  if (process === 'exponential') return exponentialUs(meanUs, key0, key1, message);
  if (jitterPpm === 0) return meanUs;
  const drawn = draw(key0, key1, DrawPurpose.trafficPause, message);
  const pause = meanUs + (2 * toUnit(drawn) - 1) * meanUs * (jitterPpm / MILLION);
  return Math.max(SHORTEST_PAUSE_US, Math.round(pause));
}

/** A pause with this mean, drawn exponentially for a message; whole µs. */
function exponentialUs(meanUs: number, key0: number, key1: number, message: number): number {
  return Math.max(SHORTEST_PAUSE_US, Math.round(meanUs * unitExponential(key0, key1, message)));
}

/** Exponentially distributed with mean 1, above 0. */
function unitExponential(key0: number, key1: number, message: number): number {
  const drawn = draw(key0, key1, DrawPurpose.trafficPause, message);
  return -log(((drawn >>> 0) + 0.5) / 0x1_0000_0000);
}

// ── by the hour of the day ───────────────────────────────────────────────────────────────────────

/**
 * Pause of diurnal traffic after message number `message`, µs of true time: what calls for a
 * message is no clock of the device. `dayUs` is the time since midnight UTC. The rate is constant
 * within an hour, so the sum of rate times time is a broken line; the message comes where that has
 * grown by what is drawn exponentially, which is exact and takes one draw.
 */
export function diurnalPauseUs(
  { meanUs, hourWeights }: TrafficPlan,
  key0: number,
  key1: number,
  message: number,
  dayUs: number,
): number {
  assert(hourWeights !== undefined, 'diurnal traffic has weights of hours');
  let sum = 0;
  for (const weight of hourWeights) sum += weight;
  assert(sum > 0, 'some hour of the day has traffic');
  // In days: the mean weight makes one message in each mean pause.
  const days = (unitExponential(key0, key1, message) * meanUs) / DAY_US;
  const wholeDays = Math.floor(days);
  let left = (days - wholeDays) * sum;
  let pauseUs = wholeDays * DAY_US;
  let hour = Math.floor(dayUs / HOUR_US);
  let restUs = (hour + 1) * HOUR_US - dayUs;
  // Once around the clock at most, and the rest of the hour in which it began.
  for (let step = 0; step <= HOURS_A_DAY; step++) {
    const weight = hourWeights[hour % HOURS_A_DAY];
    const within = (weight * restUs) / HOUR_US;
    if (left < within)
      return Math.max(SHORTEST_PAUSE_US, pauseUs + Math.floor((left / weight) * HOUR_US));
    left -= within;
    pauseUs += restUs;
    restUs = HOUR_US;
    hour++;
  }
  return Math.max(SHORTEST_PAUSE_US, pauseUs);
}

// ── in bursts ────────────────────────────────────────────────────────────────────────────────────

/** The first number of a burst from `message` on: what a lost session cut is not gone on with. */
export const beginOfBurst = ({ messages }: BurstPlan, message: number): number =>
  Math.ceil(message / messages) * messages;

/**
 * Pause of bursts by random pauses after message number `message`, counted from 1 within the
 * device's life, µs of true time.
 */
export function burstPauseUs(
  { meanUs }: TrafficPlan,
  { messages, spacingUs }: BurstPlan,
  key0: number,
  key1: number,
  message: number,
): number {
  if (message % messages !== 0) return spacingUs;
  return exponentialUs(meanUs, key0, key1, message);
}

/**
 * World time of the first message after `fromUs` of bursts at given times; undefined: there is
 * none. It needs no memory: who comes into the network during a burst sends the rest of it.
 */
export function nextOfBurstsUs(
  { messages, spacingUs, atUs, withinUs }: BurstPlan,
  key0: number,
  key1: number,
  fromUs: number,
): number | undefined {
  let next: number | undefined;
  for (let i = 0; i < atUs.length; i++) {
    // The draw before these is the phase of periodic traffic.
    const unit = toUnit(draw(key0, key1, DrawPurpose.trafficPhase, i + 1));
    const beginsUs = atUs[i] + Math.floor(unit * withinUs);
    const passed = fromUs < beginsUs ? 0 : Math.floor((fromUs - beginsUs) / spacingUs) + 1;
    if (passed >= messages) continue;
    const dueUs = beginsUs + passed * spacingUs;
    if (next === undefined || dueUs < next) next = dueUs;
  }
  return next;
}

// ── the message ──────────────────────────────────────────────────────────────────────────────────

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
