/** All gateways of a subscriber with all response fields, by their states. */
import type { Copies } from '../../base/copies.ts';
import { Slices, type Steps } from '../../base/in-steps.ts';
import type { Asking } from '../../base/subscribers.ts';
import {
  type Connection,
  connectionOf,
  type Health,
  healthWhere,
} from '../../simulator/gateway-states.ts';
import { type GatewaySnapshot, remainingOf } from '../gateways/gateway-snapshot.ts';

/** Gateways copied per step, and written per slice: some milliseconds. */
const PER_STEP = 64;

/** Gateways as they are at an instant, in the order of their EUIs. */
export interface GatewayTable<Full> {
  /** Builds response entries by place; complete once `ready` is done. */
  readonly full: (() => Full)[];
  readonly connections: Connection[];
  readonly healths: Health[];
  ready(): Steps<void>;
}

/** The caller's gateways, as they are now. */
export function tableOf<Full>(
  fullAt: (gateway: GatewaySnapshot, asking: Asking) => () => Full,
  copies: Copies,
  asking: Asking,
): GatewayTable<Full> {
  const { view, nowUs } = asking;
  const [full, connections, healths]: [(() => Full)[], Connection[], Health[]] = [[], [], []];
  const gateways = [...view.gateways()].sort((a, b) => (a.eui < b.eui ? -1 : 1));
  const copying = function* (): Steps<void> {
    for (const [place, gateway] of gateways.entries()) {
      if (place > 0 && place % PER_STEP === 0) yield;
      const remaining = remainingOf(gateway, nowUs);
      full.push(fullAt(remaining, asking));
      const connection = connectionOf(remaining, nowUs);
      connections.push(connection);
      healths.push(healthWhere(connection, remaining));
    }
  };
  const copy = copies.begin(copying());
  return { full, connections, healths, ready: () => copy.ready() };
}

/** Those whose states fit. */
export const thoseWhere = <Full>(
  table: GatewayTable<Full>,
  fits: (connection: Connection, health: Health) => boolean,
): Slices<Full> =>
  new Slices(function* () {
    for (const _ of table.ready()) yield [];
    const { full, connections, healths } = table;
    for (let from = 0; from < full.length; from += PER_STEP) {
      const slice = full.slice(from, from + PER_STEP);
      const those = slice.filter((_, i) => fits(connections[from + i]!, healths[from + i]!));
      yield those.map((make) => make());
    }
  });
