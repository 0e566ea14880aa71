/**
 * Changes of a gateway's states as its owner sees them: what changed, from what, to what (device
 * and gateway management, Gateway event; docs/decisions/0057).
 */
import { stateOf } from './figures.ts';
import type { Moment } from './timeline.ts';

export const CHANGED_FIELDS = [
  'BACKHAUL_CONNECTED',
  'BACKHAUL_DISCONNECTED',
  'PACKET_FORWARDER_CONNECTED',
  'PACKET_FORWARDER_DISCONNECTED',
  'ONLINE_STATUS',
  'NS_CONNECT',
  'REBOOT_TIME',
  'PUSH_RF_CONFIG',
] as const;

/** A change; an instant as a value is a number, µs. */
export interface Change {
  readonly atUs: number;
  readonly field: (typeof CHANGED_FIELDS)[number];
  readonly from: string | number;
  readonly to: string | number;
}

/** Status of a gateway that has never connected. */
const UNTOLD = { backhaul: 'IF_UNKNOWN', bootedAtUs: '', rfRegion: '' };

/** Reported fields of an instant. */
const responseOf = ({ connection, backhaulUp, bootedAtUs }: Moment) =>
  connection === 'NEVERCNX' ? UNTOLD : { backhaul: stateOf(true, backhaulUp), bootedAtUs };

/**
 * Changes from each moment to the next one, in the order of time. `regionBefore`: the RF region
 * that it was set to before the first one. Before its first status nothing is reported.
 */
export function changesOf(moments: readonly Moment[], regionBefore: string): Change[] {
  const changes: Change[] = [];
  let region = regionBefore;
  for (const [i, moment] of moments.entries()) {
    const { atUs, connection } = moment;
    const note = (field: Change['field'], from: Change['from'], to: Change['to']) => {
      if (from !== to) changes.push({ atUs, field, from, to });
    };
    const before = moments[i - 1];
    if (before === undefined || connection === 'NEVERCNX') continue;
    const [was, is] = [responseOf(before), responseOf(moment)];
    note('REBOOT_TIME', was.bootedAtUs, is.bootedAtUs);
    note(
      moment.backhaulUp ? 'BACKHAUL_CONNECTED' : 'BACKHAUL_DISCONNECTED',
      was.backhaul,
      is.backhaul,
    );
    const isConnected = connection === 'CNX';
    note(
      isConnected ? 'PACKET_FORWARDER_CONNECTED' : 'PACKET_FORWARDER_DISCONNECTED',
      before.connection,
      connection,
    );
    note('NS_CONNECT', `${before.connection === 'CNX'}`, `${isConnected}`);
    note('ONLINE_STATUS', before.health, moment.health);
    if (!isConnected) continue;
    note('PUSH_RF_CONFIG', region, moment.rfRegion);
    region = moment.rfRegion;
  }
  return changes;
}
