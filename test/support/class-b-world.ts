/** Notation for class B: devices that follow the beacon of one gateway with GPS time. */

import type { TimedCommand } from '../../core/command.ts';
import type { CampaignInput } from '../../core/update-service/campaigns/commands.ts';
import type { Run } from '../../core/world/world.ts';
import type { RegionName } from '../../sim/lorawan/region.ts';
import type { TraceRow } from '../../sim/observation/observer.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { campaignStart } from './campaign-start.ts';
import { groupId } from './ids.ts';
import { HOUR_US, MINUTE_US, networkOf, type Trace, type Wanted, watch } from './small-network.ts';

/** 2026-01-01, a multiple of 128 s of GPS time plus 18 s. */
const START_UNIX_MS = 1_767_225_600_000;

/** Class B devices with clocks of up to 20 ppm that speak every ten minutes. */
export const classBNetwork = (wanted: Wanted = {}): NetworkPlan => ({
  ...networkOf({
    ...wanted,
    type: { deviceClass: 'B', pingSlotPeriodicity: 4, driftPpb: 20_000, ...wanted.type },
    gateway: { gps: true, ...wanted.gateway },
    traffic: { meanUs: 10 * MINUTE_US, ...wanted.traffic },
  }),
  startUnixMs: START_UNIX_MS,
});

/** An application downlink of one byte to the first device. */
export function downlinkAt(
  atUs: number,
  { devices }: NetworkPlan,
  confirmed = false,
): TimedCommand {
  const { devEui } = devices[0]!;
  return {
    atUs,
    command: {
      kind: 'downlink.enqueue',
      by: 'default',
      devEui,
      fPort: 9,
      payloadHex: 'a5',
      confirmed,
    },
  };
}

type Planned = Extract<TraceRow, { kind: 'downlinkPlanned' }>;

/** Frames planned for ping slots. */
export const pingsOf = (trace: Trace): Planned[] =>
  trace.of('downlinkPlanned').filter(({ pingSlot }) => pingSlot === true);

/** Beacons that a gateway sent. */
export const beaconsOf = (trace: Trace): Planned[] => {
  const begun = new Set(trace.of('downlinkBegins').map((row) => `${row.gateway} ${row.downlink}`));
  return trace
    .of('downlinkPlanned')
    .filter(
      ({ purpose, gateway, downlink }) =>
        purpose === 'beacon' && begun.has(`${gateway} ${downlink}`),
    );
};

/** Whether an uplink has the ClassB bit. */
export const hasClassBBit = (phyPayload: string): boolean =>
  (Number.parseInt(phyPayload.slice(10, 12), 16) & 0x10) !== 0;

/** When a campaign of `classBCampaign` begins, and when its session does at the soonest. */
const CAMPAIGN_AT_US = HOUR_US;
const SET_UP_S = 1800;

/**
 * 20 fragments of 50 bytes at DR5, one in each ping slot of periodicity 1, without redundancy and
 * repair, for devices that speak every minute.
 */
export function classBCampaign(
  wanted: Wanted = {},
  input: Partial<CampaignInput> = {},
  more: (network: NetworkPlan) => readonly TimedCommand[] = () => [],
  region: RegionName = 'EU868',
  change: (network: NetworkPlan) => NetworkPlan = (network) => network,
  durationUs = 3 * HOUR_US,
): { readonly network: NetworkPlan; readonly trace: Trace & { readonly world: Run } } {
  const traffic = { meanUs: MINUTE_US, ...wanted.traffic };
  const network = change({ ...classBNetwork({ ...wanted, traffic }), region });
  const bytesHex = Array.from({ length: 1000 }, (_, i) =>
    ((i * 7919 + 13) % 251).toString(16).padStart(2, '0'),
  ).join('');
  const campaign: CampaignInput = {
    name: 'campaign',
    image_name: 'meter-1.2.0.bin',
    device_group_id: groupId('all'),
    multicast_setup_time: SET_UP_S,
    mcast_dr: 5,
    frag_size: 50,
    frag_send_delay: 1,
    redundancy: 0,
    multicastSession: 'classB',
    pingSlotPeriodicity: 1,
    ...input,
  };
  const devices = network.devices.map(({ devEui }) => devEui);
  const start = campaignStart(campaign, bytesHex, { devices });
  const timeline = [
    ...more(network),
    ...start.map((command) => ({ atUs: CAMPAIGN_AT_US, command })),
  ];
  timeline.sort((a, b) => a.atUs - b.atUs);
  return { network, trace: watch(network, durationUs, timeline) };
}
