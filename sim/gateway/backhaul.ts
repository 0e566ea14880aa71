/** The way between a gateway and the server: latency, jitter and loss per message, drawn by key. */
import { assert } from '../base/assert.ts';
import { exp, log, normalQuantile } from '../base/math.ts';
import { DrawPurpose, draw, drawPair, happens, toUnit } from '../base/random.ts';
import { MINUTE_US } from '../base/units.ts';
import type { BackhaulPlan, SpreadPlan } from '../plan/network-plan.ts';

/** Lost on the way. */
export const LOST = -1;

export interface Endpoint {
  readonly key0: number;
  readonly key1: number;
  readonly backhaul: BackhaulPlan;
}

/** No message takes longer than this beside its latency, µs. */
const LONGEST_US = MINUTE_US;

/** What a distribution adds at a quantile 0 ≤ p ≤ 1, whole µs. */
export function spreadUs(spread: SpreadPlan, p: number): number {
  assert(p >= 0 && p <= 1, 'a quantile lies between 0 and 1');
  return Math.min(LONGEST_US, Math.round(quantileUs(spread, p)));
}

function quantileUs(spread: SpreadPlan, p: number): number {
  switch (spread.kind) {
    case 'exponential':
      return -spread.meanUs * log(1 - p);
    case 'logNormal':
      return spread.medianUs * exp(spread.sigma * normalQuantile(p));
    case 'quantiles': {
      const at = p * (spread.us.length - 1);
      const below = Math.floor(at);
      const low = spread.us[below]!;
      return low + (at - below) * ((spread.us[below + 1] ?? low) - low);
    }
  }
}

/** Time that a message takes, from 32 random bits. */
function delayUs({ latencyUs, jitterUs, spread }: BackhaulPlan, word: number): number {
  if (spread === undefined) return latencyUs + Math.floor(toUnit(word) * (jitterUs + 1));
  return latencyUs + spreadUs(spread, ((word >>> 0) + 0.5) / 0x1_0000_0000);
}

/** A share of messages that a server plans for. */
const PLANNED_SHARE = 0.99;

/** How long a server allows for a message: the longest, or what 99 % keep. */
export function plannedDelayUs({ latencyUs, jitterUs, spread }: BackhaulPlan): number {
  return latencyUs + (spread === undefined ? jitterUs : spreadUs(spread, PLANNED_SHARE));
}

/**
 * Time until an uplink copy reaches the server, µs, or LOST. A frame is named by its sender's key.
 */
export function uplinkDelayUs(
  gateway: Endpoint,
  device0: number,
  device1: number,
  frame: number,
): number {
  const { key0, key1, backhaul } = gateway;
  const { latencyUs, jitterUs, lossPpm, spread } = backhaul;
  if (lossPpm > 0) {
    const word = drawPair(device0, device1, key0, key1, DrawPurpose.backhaulUpLoss, frame);
    if (happens(word, lossPpm)) return LOST;
  }
  if (jitterUs === 0 && spread === undefined) return latencyUs;
  return delayUs(backhaul, drawPair(device0, device1, key0, key1, DrawPurpose.backhaulUp, frame));
}

/** Time until the gateway's `number`-th downlink reaches it, µs, or LOST. */
export function downlinkDelayUs(gateway: Endpoint, number: number): number {
  const { key0, key1, backhaul } = gateway;
  const { lossPpm } = backhaul;
  if (happens(draw(key0, key1, DrawPurpose.backhaulDownLoss, number), lossPpm)) return LOST;
  return delayUs(backhaul, draw(key0, key1, DrawPurpose.backhaulDown, number));
}

/** The same for the gateway's answer to that downlink. */
export function answerDelayUs(gateway: Endpoint, number: number): number {
  const { key0, key1, backhaul } = gateway;
  const { lossPpm } = backhaul;
  if (happens(draw(key0, key1, DrawPurpose.backhaulAckLoss, number), lossPpm)) return LOST;
  return delayUs(backhaul, draw(key0, key1, DrawPurpose.backhaulAck, number));
}
