/**
 * Whether a gateway is online, from its received statuses, as management shows it
 * (core/simulator/gateway-states.ts): derived, without stored state or events.
 */

import { FRESH_US } from '../../../sim/base/gateway-statuses.ts';
import { HOUR_US } from '../../../sim/base/units.ts';
import type { GatewayView } from '../../../sim/contract/view.ts';
import { nextChangeUs } from '../../simulator/gateway-states.ts';
import { type Debounced, PERSISTS_US, type Status } from './debounce.ts';

/** A gateway's handle, and whether it was there from the start: it was online then. */
export interface Standing {
  readonly gateway: Pick<
    GatewayView,
    | 'backhaulUp'
    | 'backhaulSinceUs'
    | 'putUpAtUs'
    | 'radioUp'
    | 'hardware'
    | 'lastStatusAtUs'
    | 'nextStatusAtUs'
  >;
  readonly isPlanned: boolean;
}

/** How far ahead statuses of a lossy backhaul are looked at, at once and by a timer, µs. */
const AT_ONCE_US = PERSISTS_US;
const BY_TIMER_US = 4 * HOUR_US;

/** Its latest status by an instant, µs; that it was there from the start counts as one. */
const latestUs = ({ gateway, isPlanned }: Standing, atUs: number): number | null =>
  gateway.lastStatusAtUs(atUs) ?? (isPlanned ? 0 : null);

export function statusOf(standing: Standing, nowUs: number): Status {
  const atUs = latestUs(standing, nowUs);
  return atUs !== null && nowUs - atUs <= FRESH_US ? 'online' : 'offline';
}

/**
 * When to look again: its status is the same until then, if no fault begins or ends; undefined: it
 * does not change by itself. `byTimer`: this look is a gateway's own, and not one of very many.
 */
export function lookAgainUs(
  { gateway, isPlanned }: Standing,
  nowUs: number,
  byTimer: boolean,
): number | undefined {
  const { backhaulUp, radioUp, hardware } = gateway;
  const handle = {
    backhaulUp,
    radioUp,
    hardware,
    lastStatusAtUs: (atUs: number) => latestUs({ gateway, isPlanned }, atUs),
    nextStatusAtUs: (afterUs: number, untilUs: number) => gateway.nextStatusAtUs(afterUs, untilUs),
  };
  return nextChangeUs(handle, nowUs, byTimer ? BY_TIMER_US : AT_ONCE_US) ?? undefined;
}

/**
 * How a gateway is as it begins to be followed. What it has been for 15 minutes is settled. Silent
 * for less, it was online before. Heard for less, it was offline where it had been silent for 15
 * minutes, or had never been heard. What was before the latest turn of its backhaul, or before it
 * moved, is not known.
 */
export function begun(standing: Standing, nowUs: number): Debounced {
  const status = statusOf(standing, nowUs);
  const since = status === 'offline' ? offlineSince(standing, nowUs) : onlineSince(standing, nowUs);
  if (since === undefined) return { settled: status, status, sinceUs: nowUs };
  return { settled: status === 'online' ? 'offline' : 'online', status, sinceUs: since };
}

function offlineSince(standing: Standing, nowUs: number): number | undefined {
  const atUs = latestUs(standing, nowUs);
  const sinceUs = atUs === null ? undefined : atUs + FRESH_US + 1;
  return sinceUs !== undefined && nowUs - sinceUs < PERSISTS_US ? sinceUs : undefined;
}

/** Some 30 looks at most. */
function onlineSince(standing: Standing, nowUs: number): number | undefined {
  const { backhaulSinceUs, putUpAtUs } = standing.gateway;
  const knownSinceUs = Math.max(backhaulSinceUs, putUpAtUs);
  let atUs = latestUs(standing, nowUs)!;
  while (nowUs - atUs < PERSISTS_US && atUs > knownSinceUs) {
    const beforeUs = latestUs(standing, atUs - 1);
    if (beforeUs === null) return atUs;
    const silentUs = atUs - (beforeUs + FRESH_US + 1);
    if (silentUs > 0) return silentUs >= PERSISTS_US ? atUs : undefined;
    atUs = beforeUs;
  }
  return undefined;
}
