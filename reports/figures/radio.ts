/** Figures of frames on the air, and of gateways. */
import type { MulticastGroupResult } from '../../core/result/result.ts';
import {
  COUNTED_SUMS,
  type CountedSum,
  sumOf,
  UPLINK_LOSSES,
  type UplinkLoss,
} from '../../sim/base/counts.ts';
import { UPLINK_WORDS } from '../text/words.ts';
import type { Row } from './figure.ts';

export const UPLINKS: readonly Row[] = [
  {
    name: 'uplinks',
    label: 'Uplinks',
    unit: 'count',
    meaning: 'Uplink frames that ended, join requests and repetitions included.',
    of: ({ radio }) => radio.uplinks,
  },
  {
    name: 'received',
    label: 'Uplinks received',
    unit: 'share',
    meaning: 'Uplink frames that at least one gateway received, over all uplink frames.',
    parts: ({ radio }) => [radio.received, radio.uplinks],
    key: 'always',
  },
  {
    name: 'lost',
    label: 'Uplinks lost',
    unit: 'share',
    meaning: 'Uplink frames that no gateway received, over all uplink frames.',
    parts: ({ radio }) => [sumOf(radio.lost), radio.uplinks],
  },
  ...UPLINK_LOSSES.map(lostUplinks),
  {
    name: 'retransmissions',
    label: 'Retransmissions',
    unit: 'count',
    meaning: 'Uplink frames that repeat an earlier one.',
    of: ({ devices }) => devices.retransmissions,
  },
  {
    name: 'dutyCycleWaits',
    label: 'Duty-cycle waits',
    unit: 'count',
    meaning: "Transmissions that had to wait for the sub-band's duty cycle.",
    of: ({ devices }) => devices.dutyCycleWaits,
  },
];

/** Further sums of the network, a row each (`sim/base/counts.ts`). */
export const COUNTS: readonly Row[] = Object.entries(COUNTED_SUMS).map(([name, words]) => ({
  name,
  ...words,
  unit: 'count',
  of: ({ counted }) => counted?.[name as CountedSum] ?? Number.NaN,
}));

function lostUplinks(cause: UplinkLoss): Row {
  const { meaning } = UPLINK_WORDS[cause];
  return {
    name: `lost.${cause}`,
    label: `Uplinks lost: ${cause}`,
    unit: 'share',
    meaning: `Uplink frames lost to one cause, over all uplink frames. ${meaning}`,
    parts: ({ radio }) => [radio.lost[cause] ?? 0, radio.uplinks],
  };
}

export const DOWNLINKS: readonly Row[] = [
  {
    name: 'confirmedAcknowledged',
    label: 'Confirmed acknowledged',
    unit: 'share',
    meaning: 'Confirmed messages whose acknowledgement reached the device, over those sent.',
    parts: ({ devices: { confirmed } }) => [confirmed.acknowledged, confirmed.sent],
    key: 'always',
  },
  {
    name: 'confirmedFailed',
    label: 'Confirmed given up',
    unit: 'share',
    meaning: 'Confirmed messages given up after the last try, over those sent.',
    parts: ({ devices: { confirmed } }) => [confirmed.failed, confirmed.sent],
  },
  {
    name: 'multicastHeard',
    label: 'Multicast heard',
    unit: 'share',
    meaning: 'Frames of multicast groups that members heard, over frames times members.',
    parts: ({ multicastGroups: groups }) => [inGroups(groups, 'heard'), inGroups(groups, 'toHear')],
    key: 'measured',
  },
  {
    name: 'downlinks',
    label: 'Downlinks requested',
    unit: 'count',
    meaning: 'Downlink frames that the server wanted to send.',
    of: ({ downlinks }) => downlinks.requested,
  },
  {
    name: 'downlinksSent',
    label: 'Downlinks sent',
    unit: 'share',
    meaning: 'Downlink frames that a gateway sent, over those requested.',
    parts: ({ downlinks }) => [downlinks.sent, downlinks.requested],
  },
  {
    name: 'downlinksReceived',
    label: 'Downlinks received',
    unit: 'share',
    meaning: 'Downlink frames that reached their device, over those requested.',
    parts: ({ downlinks }) => [downlinks.received, downlinks.requested],
    key: 'always',
  },
  {
    name: 'downlinksRefused',
    label: 'Downlinks refused',
    unit: 'share',
    meaning: 'Downlink frames that no gateway sent, over those requested.',
    parts: ({ downlinks }) => [sumOf(downlinks.refused), downlinks.requested],
  },
  {
    name: 'downlinksRetried',
    label: 'Downlinks planned again',
    unit: 'count',
    meaning: 'Frames that a gateway refused, planned again in RX2 or made again later.',
    of: ({ downlinks }) => sumOf(downlinks.retried),
  },
];

const inGroups = (groups: readonly MulticastGroupResult[] = [], key: 'heard' | 'toHear'): number =>
  groups.reduce((all, group) => all + group[key], 0);

export const GATEWAYS: readonly Row[] = [
  {
    name: 'gateways',
    label: 'Gateways',
    unit: 'count',
    meaning: 'Gateways in the network.',
    of: ({ gateways }) => gateways.length,
  },
  {
    name: 'gatewayDutyCycle',
    label: 'Highest gateway duty cycle',
    unit: 'share',
    meaning: 'Time on air over the run, of the busiest gateway in its busiest sub-band.',
    of: ({ gateways }) => {
      const shares = gateways.flatMap((gateway) => Object.values(gateway.dutyCycle));
      return shares.reduce((highest, share) => Math.max(highest, share), shares[0] ?? Number.NaN);
    },
  },
  {
    name: 'dutyCyclePeak',
    label: 'Most of an hour’s budget used',
    unit: 'share',
    meaning:
      'The highest air time of any hour over what the region allows in it, of the gateway and ' +
      'sub-band that are nearest to their limit.',
    of: ({ gateways }) => {
      const parts = gateways.flatMap(({ dutyCyclePeaks = {}, dutyCycleLimits = {} }) =>
        Object.entries(dutyCyclePeaks).map(([band, peak]) => peak / (dutyCycleLimits[band] ?? 1)),
      );
      return parts.reduce((highest, part) => Math.max(highest, part), parts[0] ?? Number.NaN);
    },
  },
  {
    name: 'downlinkQueuePeak',
    label: 'Most downlinks waiting',
    unit: 'count',
    meaning: 'Application downlinks that were not over, at the end of the slice with most of them.',
    of: ({ budgets }) => Math.max(0, ...(budgets?.downlinkQueue ?? [])),
  },
];
