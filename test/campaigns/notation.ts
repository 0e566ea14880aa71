/** Notation for campaigns on small networks: what is said differs from a plain, lossless one. */

import type { TimedCommand } from '../../core/command.ts';
import type { CampaignInput } from '../../core/update-service/campaigns/commands.ts';
import type { DeviceGroupInput } from '../../core/update-service/device-groups.ts';
import type { World } from '../../core/world/world.ts';
import type { TraceRow } from '../../sim/observation/observer.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { campaignStart } from '../support/campaign-start.ts';
import { campaignId, groupId } from '../support/ids.ts';
import {
  MINUTE_US,
  networkOf,
  SECOND_US,
  type Trace,
  type Wanted,
  watch,
} from '../support/small-network.ts';

/** 2026-01-01. */
export const START_UNIX_MS = 1_767_225_600_000;

export interface WantedCampaign extends Wanted {
  readonly imageBytes?: number;
  readonly campaign?: Partial<CampaignInput>;
  /** False: the campaign says nothing of its pace. */
  readonly isPaced?: boolean;
  readonly group?: Partial<DeviceGroupInput>;
  /** Virtual time, minutes. */
  readonly minutes?: number;
  /** Changes the network that the rest makes. */
  readonly change?: (network: NetworkPlan) => NetworkPlan;
  readonly commands?: readonly TimedCommand[];
}

/** When the campaign starts: every device was heard. */
export const STARTS_AT_US = 3 * MINUTE_US;
/** The multicast session begins this much later, to the second. */
export const SET_UP_S = 600;

/** Bytes that differ from place to place. */
export const imageHex = (bytes: number): string =>
  Array.from({ length: bytes }, (_, i) =>
    ((i * 7919 + 13) % 251).toString(16).padStart(2, '0'),
  ).join('');

/**
 * 20 fragments of 50 bytes at DR5, one every two seconds, without redundancy and repair, for
 * devices that speak every 20 s.
 */
export function runCampaign(wanted: WantedCampaign): Trace & { readonly world: World } {
  const { imageBytes = 1000, minutes = 30, change = (network) => network } = wanted;
  const network = change({
    ...networkOf({ ...wanted, traffic: { meanUs: 20 * SECOND_US, ...wanted.traffic } }),
    startUnixMs: START_UNIX_MS,
  });
  const campaign: CampaignInput = {
    name: 'campaign',
    image_name: 'meter-1.2.0.bin',
    device_group_id: groupId('all'),
    multicast_setup_time: SET_UP_S,
    mcast_dr: 5,
    frag_size: 50,
    ...(wanted.isPaced !== false && { frag_send_delay: 2 }),
    redundancy: 0,
    ...wanted.campaign,
  };
  const devices = network.devices.map(({ devEui }) => devEui);
  const bytesHex = imageHex(imageBytes);
  const group = { devices, ...wanted.group };
  const start = campaignStart(campaign, bytesHex, group, campaignId(campaign.name));
  const timeline = [
    ...start.map((command) => ({ atUs: STARTS_AT_US, command })),
    ...(wanted.commands ?? []),
  ].sort((a, b) => a.atUs - b.atUs);
  return watch(network, minutes * MINUTE_US, timeline);
}

export type RowOf<Kind extends TraceRow['kind']> = Extract<TraceRow, { readonly kind: Kind }>;

/** Fragment numbers that a device took, in order. */
export const takenBy = (trace: Trace, device: string): number[] =>
  trace
    .of('fragmentTaken')
    .filter((row) => row.device === device)
    .map(({ fragmentNumber }) => fragmentNumber);

/** The whole numbers from 1 to `count`. */
export const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
