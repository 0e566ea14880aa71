/** Every reason of failure is reached in a world; the table that is printed says in which. */

import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import type { Command, TimedCommand } from '../../core/command.ts';
import type { CampaignInput } from '../../core/update-service/campaigns/commands.ts';
import { DECODERS } from '../../sim/lorawan/decoder-rules.ts';
import type { DeviceTypePlan, NetworkPlan, TrafficPlan } from '../../sim/plan/network-plan.ts';
import { type PackagesPlan, USUAL_PACKAGES } from '../../sim/plan/packages-plan.ts';
import { campaignId } from '../support/ids.ts';
import { eui, SECOND_US } from '../support/small-network.ts';
import { runCampaign, SET_UP_S, STARTS_AT_US } from './notation.ts';

interface Case {
  readonly reason: string;
  readonly when: string;
  readonly type?: Partial<Omit<DeviceTypePlan, 'traffic'>>;
  readonly traffic?: Partial<TrafficPlan>;
  readonly packages?: Partial<PackagesPlan>;
  readonly campaign?: Partial<CampaignInput>;
  readonly commands?: readonly TimedCommand[];
  readonly minutes?: number;
  readonly change?: (network: NetworkPlan) => NetworkPlan;
}

const DEVICE = eui('02', 1);
const VERSION_2: Partial<PackagesPlan> = {
  clockSync: { version: 2, fPort: 202 },
  multicastSetup: { version: 2, fPort: 200 },
  fragmentation: { version: 2, fPort: 201 },
};
const WRONG_KEY: Command = {
  kind: 'key.upload',
  by: 'default',
  keys: { [DEVICE]: 'FF'.repeat(16) },
};

const afterStart = (seconds: number, command: Command): TimedCommand => ({
  atUs: STARTS_AT_US + seconds * SECOND_US,
  command,
});
const downlink = (fPort: number, payloadHex: string): Command => ({
  kind: 'downlink.enqueue',
  by: 'default',
  devEui: DEVICE,
  fPort,
  payloadHex,
  confirmed: false,
});
/** Fragment 9 of session 0, with the bytes of another image. */
const FOREIGN_FRAGMENT = downlink(201, `080900${'5a'.repeat(50)}`);
/** A session of two fragments in index 0, with the largest SessionCnt. */
const LAST_COUNTER = downlink(201, `0201020032000000000000${'ffff'}00000000`);

/** Those of the standards' words, then the others, in the order of docs/campaigns.md. */
const CASES: readonly Case[] = [
  {
    reason: 'encoding unsupported',
    when: 'its decoder knows another code only',
    packages: { fragAlgo: 1 },
  },
  {
    reason: 'not enough memory',
    when: 'its decoder has room for 10 fragments',
    packages: { decoder: { ...DECODERS.unlimited, maxNbFrag: 10 } },
  },
  {
    reason: 'FragIndex unsupported',
    when: 'it has no fragmentation session 0',
    packages: { fragIndices: 0 },
  },
  {
    reason: 'wrong descriptor',
    when: 'it accepts images of another descriptor only',
    packages: { descriptors: [0x09090909] },
  },
  {
    reason: 'missing fragments',
    when: 'much is lost, and nothing is sent in excess',
    type: { frameLossPpm: 200_000 },
    campaign: { redundancy: 0 },
  },
  {
    reason: 'MIC error',
    when: 'a fragment of another image came first',
    packages: VERSION_2,
    type: { deviceClass: 'C' },
    commands: [afterStart(SET_UP_S - 53, FOREIGN_FRAGMENT)],
  },
  {
    reason: 'MIC error',
    when: 'its root key is replaced between the set-ups of group and block',
    packages: VERSION_2,
    type: { deviceClass: 'C' },
    campaign: { min_downlink_delay: 30 },
    commands: [afterStart(75, WRONG_KEY)],
  },
  {
    reason: 'session counter replayed',
    when: 'another sender used up the counters',
    packages: VERSION_2,
    type: { deviceClass: 'C' },
    commands: [afterStart(-60, LAST_COUNTER)],
  },
  { reason: 'McGroupID unsupported', when: 'it has no group 0', packages: { mcGroups: 0 } },
  {
    reason: 'multicast group undefined',
    when: 'the group is deleted before the session is set up',
    type: { deviceClass: 'C' },
    campaign: { min_downlink_delay: 30 },
    commands: [afterStart(75, downlink(200, '0300'))],
  },
  {
    reason: 'no uplink',
    when: 'it speaks once in twelve hours',
    traffic: { meanUs: 43_200 * SECOND_US },
  },
  {
    reason: 'set-up unanswered',
    when: 'it is heard, but hears nothing',
    type: { antennaGainCentiDb: -10_000 },
  },
  {
    reason: 'clock drift',
    when: 'its clock goes wrong by percents',
    type: { deviceClass: 'C', driftPpb: 50_000_000 },
    campaign: { min_downlink_delay: 400, min_timeout_delay: 500, multicast_setup_time: 6000 },
  },
  {
    reason: 'session missed',
    when: 'its multicast key was wrapped by another root key',
    commands: [{ atUs: 0, command: WRONG_KEY }],
  },
  {
    reason: 'no beacon',
    when: 'it is of class B, between two gateways, and captures neither',
    type: { deviceClass: 'B' },
    campaign: { multicastSession: 'classB', pingSlotPeriodicity: 0 },
    change: (network) => {
      const interference = { ...network.radio.interference, simultaneousCopies: 'capture' };
      const [gateway] = network.gateways;
      const names = ['gateway-1', 'gateway-2'];
      return {
        ...network,
        radio: {
          ...network.radio,
          interference: interference as typeof network.radio.interference,
        },
        gateways: names.map((name, i) => ({ ...gateway!, name, eui: eui('06', i + 1), gps: true })),
      };
    },
  },
  {
    reason: 'version mismatch',
    when: 'the image is for other hardware',
    packages: { foreignDescriptors: [0x01020000] },
  },
  {
    reason: 'verification unanswered',
    when: 'the backhaul becomes too slow for its windows, and it is given up after a day',
    traffic: { meanUs: 60 * SECOND_US },
    minutes: 26 * 60,
    commands: [
      afterStart(SET_UP_S + 30, {
        kind: 'gateway.fault',
        by: 'default',
        eui: eui('06', 1),
        fault: 'delay',
        delay: 5,
      }),
    ],
  },
  {
    reason: 'no key',
    when: 'its root key was never uploaded',
    type: { rootKeyKnown: false },
    change: (network) => ({
      ...network,
      devices: network.devices.map((device) => ({ ...device, genAppKey: '0F'.repeat(16) })),
    }),
  },
  {
    reason: 'halted',
    when: 'the campaign is halted',
    commands: [
      afterStart(100, {
        kind: 'campaign.halt',
        by: 'default',
        campaign_id: campaignId('campaign'),
      }),
    ],
  },
  {
    reason: 'device removed',
    when: 'it is removed',
    commands: [afterStart(100, { kind: 'device.remove', by: 'default', devEui: DEVICE })],
  },
  {
    reason: 'no plan',
    when: 'the last gateway goes in the campaign’s first second',
    commands: [afterStart(0.5, { kind: 'gateway.remove', by: 'default', eui: eui('06', 1) })],
  },
];

function failuresOf({ packages, type, traffic, change, commands, campaign, minutes }: Case) {
  const whole = { ...type, packages: { ...USUAL_PACKAGES, ...packages } };
  const { world } = runCampaign({
    type: whole,
    minutes: minutes ?? 120,
    server: { rx2DataRate: 3 },
    traffic: traffic ?? {},
    commands: commands ?? [],
    ...(change === undefined ? {} : { change }),
    // Not in step with the device's own uplinks.
    campaign: { redundancy: 0.5, min_timeout_delay: 47, ...campaign },
  });
  return world.result().campaigns[0]!.failures;
}

const table: { reason: string; when: string }[] = [];

describe('a device fails in a world', () => {
  it.each(CASES)('with “$reason” when $when', (each) => {
    expect(failuresOf(each)).toEqual({ [each.reason]: 1 });
    table.push({ reason: each.reason, when: each.when });
  });

  it('with every reason that is documented, but two and what takes two subscribers', () => {
    const text = readFileSync(new URL('../../docs/campaigns.md', import.meta.url), 'utf8');
    const section = text.split('## Reasons of failure')[1]!.split('##')[0]!;
    const documented = [...section.matchAll(/`([^`]+)`/g)].map(([, reason]) => reason!);
    const reached = new Set(CASES.map(({ reason }) => reason));
    // Server and devices of a world know the same region.
    const unreachable = ['DR unsupported', 'frequency unsupported'];
    // Of two subscribers: test/core/resources/delegated-updates.test.ts.
    const ofTwo = ['not delegated'];
    expect([...new Set(documented)].sort()).toEqual([...reached, ...unreachable, ...ofTwo].sort());
  });

  afterAll(() => console.table(table));
});
