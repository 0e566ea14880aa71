/**
 * Gateway state for the operator of a network: connectivity and health. Both are functions of the
 * gateway's handle and an instant, without events.
 */

import { FRESH_US } from '../../sim/base/gateway-statuses.ts';
import { HOUR_US } from '../../sim/base/units.ts';
import type { GatewayView } from '../../sim/contract/view.ts';

/** Never heard of, connected, or silent for more than 90 s. */
export const CONNECTIONS = ['NEVERCNX', 'CNX', 'DISC'] as const;
export type Connection = (typeof CONNECTIONS)[number];

export const HEALTHS = [
  /** No status has come yet. */
  'INIT',
  'ACTIVE',
  /** No status in the last 90 s: its backhaul is down. */
  'BACKHAUL_CNX_ERROR',
  /** Statuses come, and its radio has failed. */
  'RF_ERROR',
  /** No status in the last 90 s, though its backhaul is up. */
  'HEALTH_UNKNOWN',
] as const;
export type Health = (typeof HEALTHS)[number];

type Handle = Pick<
  GatewayView,
  'backhaulUp' | 'radioUp' | 'lastStatusAtUs' | 'nextStatusAtUs' | 'hardware'
>;

/** How far `nextChangeUs` looks ahead, unless set otherwise. */
export const LOOK_AHEAD_US = 24 * HOUR_US;

export function connectionOf(gateway: Pick<Handle, 'lastStatusAtUs'>, nowUs: number): Connection {
  const statusAtUs = gateway.lastStatusAtUs(nowUs);
  if (statusAtUs === null) return 'NEVERCNX';
  return nowUs - statusAtUs <= FRESH_US ? 'CNX' : 'DISC';
}

/** Whether frames go through a gateway, as far as the platform knows. */
export function isServing(
  gateway: Pick<Handle, 'lastStatusAtUs' | 'radioUp'>,
  nowUs: number,
): boolean {
  const connection = connectionOf(gateway, nowUs);
  return connection === 'NEVERCNX' || (connection === 'CNX' && gateway.radioUp);
}

export const healthOf = (
  gateway: Omit<Handle, 'nextStatusAtUs' | 'hardware'>,
  nowUs: number,
): Health => healthWhere(connectionOf(gateway, nowUs), gateway);

/** The same of a gateway that is so connected. */
export function healthWhere(
  connection: Connection,
  { backhaulUp, radioUp }: Pick<Handle, 'backhaulUp' | 'radioUp'>,
): Health {
  switch (connection) {
    case 'NEVERCNX':
      return 'INIT';
    case 'CNX':
      return radioUp ? 'ACTIVE' : 'RF_ERROR';
    case 'DISC':
      return backhaulUp ? 'HEALTH_UNKNOWN' : 'BACKHAUL_CNX_ERROR';
  }
}

/**
 * The first instant after `nowUs` at which connection or health is another, if no fault begins or
 * ends before (`gatewayState` reports that one did). Where statuses may be lost and nothing changes
 * within the time that it looks ahead, the end of that, to look again; null: nothing changes by
 * itself.
 */
export function nextChangeUs(
  gateway: Handle,
  nowUs: number,
  aheadUs: number = LOOK_AHEAD_US,
): number | null {
  const statusAtUs = gateway.lastStatusAtUs(nowUs);
  const isFresh = statusAtUs !== null && nowUs - statusAtUs <= FRESH_US;
  const endUs = nowUs + aheadUs;
  if (!gateway.backhaulUp) return isFresh ? statusAtUs + FRESH_US + 1 : null;
  if (!isFresh) return gateway.nextStatusAtUs(nowUs, endUs) ?? endUs;
  if (gateway.hardware.backhaul.lossPpm === 0) {
    // One comes every 30 s, but for the first of a gateway that was moved meanwhile.
    const staleAtUs = statusAtUs + FRESH_US + 1;
    return gateway.nextStatusAtUs(nowUs, staleAtUs) === null ? staleAtUs : null;
  }
  for (let lastUs = statusAtUs; ; ) {
    const staleAtUs = lastUs + FRESH_US + 1;
    const nextUs = gateway.nextStatusAtUs(lastUs, staleAtUs);
    if (nextUs === null) return Math.min(staleAtUs, endUs);
    if (nextUs >= endUs) return endUs;
    lastUs = nextUs;
  }
}
