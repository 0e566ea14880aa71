/** Named figures of a run: one table that expectations judge, studies compare and reports show. */
import type { CampaignResult, RunResult } from '../core/result.ts';
import { sumOf, type UplinkLoss } from '../sim/base/counts.ts';

export interface Kpi {
  readonly label: string;
  /** Shares are 0…1, counts whole numbers ≥ 0. */
  readonly unit: 'share' | 'count' | 'seconds' | 'joules';
  /** What is counted over what, in one sentence. */
  readonly description: string;
  /** The figure of one run; NaN where nothing happened that it could be measured on. */
  readonly value: (result: RunResult) => number;
}

type CampaignKpi = Omit<Kpi, 'value'> & {
  readonly value: (campaigns: readonly CampaignResult[]) => number;
};

const CAMPAIGN_KPIS: readonly (readonly [key: string, CampaignKpi])[] = [
  [
    'updated',
    {
      label: 'Devices updated',
      unit: 'share',
      description: 'Devices of campaigns that run the new image, over all devices of campaigns.',
      value: (campaigns) => ratio(total(campaigns, 'success'), total(campaigns, 'devices')),
    },
  ],
  campaignCount('success', 'Updated devices', 'Devices of campaigns that run the new image.'),
  campaignCount('failed', 'Devices not updated', 'Devices of campaigns that failed.'),
  campaignTime(50),
  campaignTime(90),
  campaignTime(99),
  campaignCount('sent', 'Fragments sent', 'Multicast fragment frames sent, over all gateways.'),
  campaignCount('repairs', 'Fragments repaired', 'Fragments sent to single devices as repairs.'),
];

/**
 * In the order that a person reads: devices, messages, uplinks, losses, downlinks, gateways,
 * campaigns.
 */
export const KPIS: Readonly<Record<string, Kpi>> = {
  devices: {
    label: 'Devices',
    unit: 'count',
    description: 'Devices in the network.',
    value: ({ devices }) => devices.total,
  },
  joined: {
    label: 'Devices joined',
    unit: 'share',
    description: 'Devices with a session at the end, over all devices.',
    value: ({ devices }) => ratio(devices.joined, devices.total),
  },
  joinRequests: {
    label: 'Join requests',
    unit: 'count',
    description: 'JoinRequest frames sent.',
    value: ({ devices }) => devices.joinRequests,
  },
  'joinSeconds.p50': {
    label: 'Join time, median',
    unit: 'seconds',
    description: 'Power-on to session, the median over joined OTAA devices.',
    value: ({ devices }) => devices.joinSeconds?.p50 ?? Number.NaN,
  },
  'joinSeconds.p90': {
    label: 'Join time, 90th percentile',
    unit: 'seconds',
    description: 'Power-on to session; nine in ten joined OTAA devices were at least this fast.',
    value: ({ devices }) => devices.joinSeconds?.p90 ?? Number.NaN,
  },
  'joinSeconds.max': {
    label: 'Join time, slowest',
    unit: 'seconds',
    description: 'Power-on to session of the slowest joined OTAA device.',
    value: ({ devices }) => devices.joinSeconds?.max ?? Number.NaN,
  },
  messages: {
    label: 'Messages',
    unit: 'count',
    description: 'New application uplinks; a repetition is not a new one.',
    value: ({ devices }) => devices.messages,
  },
  messagesDelivered: {
    label: 'Messages delivered',
    unit: 'share',
    description: 'Messages of which the server received at least one copy, over all messages.',
    value: ({ devices }) => ratio(devices.messagesDelivered, devices.messages),
  },
  'deliveryRatio.p10': {
    label: 'Delivery ratio, 10th percentile',
    unit: 'share',
    description: 'Share of its messages that a device delivered; one in ten devices had no more.',
    value: ({ devices }) => devices.deliveryRatio?.p10 ?? Number.NaN,
  },
  'deliveryRatio.p50': {
    label: 'Delivery ratio, median',
    unit: 'share',
    description:
      'Share of its messages that a device delivered, the median over devices that sent.',
    value: ({ devices }) => devices.deliveryRatio?.p50 ?? Number.NaN,
  },
  confirmedAcknowledged: {
    label: 'Confirmed acknowledged',
    unit: 'share',
    description: 'Confirmed messages whose acknowledgement reached the device, over those sent.',
    value: ({ devices: { confirmed } }) => ratio(confirmed.acknowledged, confirmed.sent),
  },
  confirmedFailed: {
    label: 'Confirmed given up',
    unit: 'share',
    description: 'Confirmed messages given up after the last try, over those sent.',
    value: ({ devices: { confirmed } }) => ratio(confirmed.failed, confirmed.sent),
  },
  retransmissions: {
    label: 'Retransmissions',
    unit: 'count',
    description: 'Uplink frames that repeat an earlier one.',
    value: ({ devices }) => devices.retransmissions,
  },
  dutyCycleWaits: {
    label: 'Duty-cycle waits',
    unit: 'count',
    description: "Transmissions that had to wait for the sub-band's duty cycle.",
    value: ({ devices }) => devices.dutyCycleWaits,
  },
  uplinks: {
    label: 'Uplinks',
    unit: 'count',
    description: 'Uplink frames that ended, join requests and repetitions included.',
    value: ({ radio }) => radio.uplinks,
  },
  received: {
    label: 'Uplinks received',
    unit: 'share',
    description: 'Uplink frames that at least one gateway received, over all uplink frames.',
    value: ({ radio }) => ratio(radio.received, radio.uplinks),
  },
  lost: {
    label: 'Uplinks lost',
    unit: 'share',
    description: 'Uplink frames that no gateway received, over all uplink frames.',
    value: ({ radio }) => ratio(sumOf(radio.lost), radio.uplinks),
  },
  'lost.interfered': lostUplinks('interfered', 'other transmissions destroyed them'),
  'lost.tooWeak': lostUplinks('tooWeak', 'they were too weak'),
  'lost.noPath': lostUplinks('noPath', 'every reception path was taken'),
  'lost.offChannel': lostUplinks('offChannel', 'no gateway listens on their channel'),
  'lost.offChannelAfterBackOff': lostUplinks(
    'offChannelAfterBackOff',
    'ADR back-off had turned on channels that no gateway listens on',
  ),
  'lost.halfDuplex': lostUplinks('halfDuplex', 'the gateway was transmitting'),
  'lost.frameLoss': lostUplinks('frameLoss', "of the scenario's frame loss"),
  'lost.noise': lostUplinks('noise', 'noise made them unreadable'),
  downlinks: {
    label: 'Downlinks requested',
    unit: 'count',
    description: 'Downlink frames that the server wanted to send.',
    value: ({ downlinks }) => downlinks.requested,
  },
  downlinksSent: {
    label: 'Downlinks sent',
    unit: 'share',
    description: 'Downlink frames that a gateway sent, over those requested.',
    value: ({ downlinks }) => ratio(downlinks.sent, downlinks.requested),
  },
  downlinksReceived: {
    label: 'Downlinks received',
    unit: 'share',
    description: 'Downlink frames that reached their device, over those requested.',
    value: ({ downlinks }) => ratio(downlinks.received, downlinks.requested),
  },
  downlinksRefused: {
    label: 'Downlinks refused',
    unit: 'share',
    description: 'Downlink frames that no gateway sent, over those requested.',
    value: ({ downlinks }) => ratio(sumOf(downlinks.refused), downlinks.requested),
  },
  downlinksRetried: {
    label: 'Downlinks planned again',
    unit: 'count',
    description: 'Frames that a gateway refused, planned again in RX2 or made again later.',
    value: ({ downlinks }) => sumOf(downlinks.retried),
  },
  beaconsHeard: {
    label: 'Beacons heard',
    unit: 'share',
    description: 'Beacons that devices heard, over those that they looked for.',
    value: ({ beacons }) => ratio(beacons?.heard ?? 0, beacons?.lookedFor ?? 0),
  },
  inClassB: {
    label: 'Devices in class B',
    unit: 'count',
    description: 'Devices that have a beacon at the end, and ping slots that the server knows.',
    value: ({ beacons }) => beacons?.inClassB ?? 0,
  },
  gateways: {
    label: 'Gateways',
    unit: 'count',
    description: 'Gateways in the network.',
    value: ({ gateways }) => gateways.length,
  },
  gatewayDutyCycle: {
    label: 'Highest gateway duty cycle',
    unit: 'share',
    description: 'Time on air over the run, of the busiest gateway in its busiest sub-band.',
    value: ({ gateways }) => {
      const shares = gateways.flatMap((gateway) => Object.values(gateway.dutyCycle));
      return shares.reduce((highest, share) => Math.max(highest, share), shares[0] ?? Number.NaN);
    },
  },
  energyPerDevice: {
    label: 'Energy per device',
    unit: 'joules',
    description: 'What a device has drawn from its supply since power-on, the mean over devices.',
    value: ({ energy }) => energy?.meanJoules ?? Number.NaN,
  },
  batteryLife: {
    label: 'Battery life, nine in ten',
    unit: 'seconds',
    description: 'Capacity over mean power; nine in ten devices with a battery last this long.',
    value: ({ energy }) => energy?.batteryLifeSeconds?.p10 ?? Number.NaN,
  },
  'batteryLife.p50': {
    label: 'Battery life, median',
    unit: 'seconds',
    description: 'Capacity over mean power, the median over devices with a battery.',
    value: ({ energy }) => energy?.batteryLifeSeconds?.p50 ?? Number.NaN,
  },
  ...campaignKpis(),
};

/**
 * The figures `campaign.updated` … over all campaigns of a run; with a name those of the campaigns
 * that are called so, as `campaigns.<name>.updated` ….
 */
export function campaignKpis(name?: string): Readonly<Record<string, Kpi>> {
  const chosen = ({ campaigns }: RunResult) =>
    name === undefined ? campaigns : campaigns.filter((campaign) => campaign.name === name);
  const prefix = name === undefined ? 'campaign' : `campaigns.${name}`;
  return Object.fromEntries(
    CAMPAIGN_KPIS.map(([key, { value, ...words }]) => [
      `${prefix}.${key}`,
      { ...words, value: (result: RunResult) => value(chosen(result)) },
    ]),
  );
}

function campaignCount(
  key: CampaignCount,
  label: string,
  description: string,
): readonly [string, CampaignKpi] {
  return [key, { label, unit: 'count', description, value: (all) => total(all, key) }];
}

type CampaignCount = 'devices' | 'success' | 'failed' | 'sent' | 'repairs';

function total(campaigns: readonly CampaignResult[], key: CampaignCount): number {
  return campaigns.reduce((all, campaign) => all + campaign[key], 0);
}

function campaignTime(percentage: 50 | 90 | 99): readonly [string, CampaignKpi] {
  const key = `t${percentage}` as const;
  return [
    key,
    {
      label: `Time until ${percentage} % updated`,
      unit: 'seconds',
      description:
        `From the start of a campaign until ${percentage} % of its devices were updated, ` +
        'the slowest campaign; not a number when one never came so far.',
      value: (campaigns) => {
        const seconds = campaigns.map((campaign) => campaign[key] ?? Number.NaN);
        return seconds.reduce((slowest, one) => Math.max(slowest, one), seconds[0] ?? Number.NaN);
      },
    },
  ];
}

function lostUplinks(cause: UplinkLoss, reason: string): Kpi {
  return {
    label: `Uplinks lost: ${cause}`,
    unit: 'share',
    description: `Uplink frames that no gateway received because ${reason}, over all uplinks.`,
    value: ({ radio }) => ratio(radio.lost[cause] ?? 0, radio.uplinks),
  };
}

/** 0…1, or NaN when there was nothing to be a part of. */
export function ratio(part: number, whole: number): number {
  return whole === 0 ? Number.NaN : part / whole;
}
