/** The way between a gateway and the server: latency, jitter and loss per message, drawn by key. */
import { draw, drawPair, happens, Purpose, toUnit } from '../base/random.ts';
import type { BackhaulPlan } from '../network-plan.ts';

/** Lost on the way. */
export const LOST = -1;

export interface Endpoint {
  readonly key0: number;
  readonly key1: number;
  readonly backhaul: BackhaulPlan;
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
  const { latencyUs, jitterUs, lossPpm } = backhaul;
  if (lossPpm > 0) {
    const word = drawPair(device0, device1, key0, key1, Purpose.backhaulUpLoss, frame);
    if (happens(word, lossPpm)) return LOST;
  }
  if (jitterUs === 0) return latencyUs;
  const word = drawPair(device0, device1, key0, key1, Purpose.backhaulUp, frame);
  return latencyUs + Math.floor(toUnit(word) * (jitterUs + 1));
}

/** Time until the gateway's `number`-th downlink reaches it, µs, or LOST. */
export function downlinkDelayUs(gateway: Endpoint, number: number): number {
  const { key0, key1, backhaul } = gateway;
  const { latencyUs, jitterUs, lossPpm } = backhaul;
  if (happens(draw(key0, key1, Purpose.backhaulDownLoss, number), lossPpm)) return LOST;
  return (
    latencyUs + Math.floor(toUnit(draw(key0, key1, Purpose.backhaulDown, number)) * (jitterUs + 1))
  );
}

/** The same for the gateway's answer to that downlink. */
export function answerDelayUs(gateway: Endpoint, number: number): number {
  const { key0, key1, backhaul } = gateway;
  const { latencyUs, jitterUs, lossPpm } = backhaul;
  if (happens(draw(key0, key1, Purpose.backhaulAckLoss, number), lossPpm)) return LOST;
  return (
    latencyUs + Math.floor(toUnit(draw(key0, key1, Purpose.backhaulAck, number)) * (jitterUs + 1))
  );
}
