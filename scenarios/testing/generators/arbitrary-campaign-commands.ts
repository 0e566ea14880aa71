/**
 * What is done while small worlds with firmware campaigns run: downlinks in the way of a session,
 * things that come and go, campaigns that are halted and tried again. Jobs, managed campaigns and
 * delegations run beside them.
 */
import * as fc from 'fast-check';
import { formatInstant } from '../../../core/base/instant.ts';
import type { Caller } from '../../../core/base/subscribers.ts';
import type { Command } from '../../../core/command.ts';
import type { PlatformCommand } from '../../../core/operations.ts';
import type { ManagedInput } from '../../../core/update-service/managed-campaigns/fields.ts';
import type { DevicePlan, GatewayPlan, NetworkPlan } from '../../../sim/plan/network-plan.ts';
import { idIn, type UpdateIds } from '../../filling/ids.ts';
import { ownerId, type Sharers } from './arbitrary-subscribers.ts';

/** 2026-01-01: sessions are given in GPS time, which begins in 1980. */
export const START_UNIX_MS = 1_767_225_600_000;

/**
 * Downlinks that may come in the middle of a session, by FPort: a status request to those that
 * lack fragments or to all, another block or none, the end of the group, other clocks.
 */
const INTRUSIONS = {
  status: { fPort: 201, payloadHex: '0101' },
  statusOfIncomplete: { fPort: 201, payloadHex: '0100' },
  deleteBlock: { fPort: 201, payloadHex: '0300' },
  /** Two fragments of 40 bytes in group 0, index 0, version 1. */
  newBlock: { fPort: 201, payloadHex: '0201020028000000000000' },
  fragment: { fPort: 201, payloadHex: `080900${'5a'.repeat(40)}` },
  deleteGroup: { fPort: 200, payloadHex: '0300' },
  /** Requests every 128 s, and a reboot in 30 s. */
  period: { fPort: 202, payloadHex: '0200' },
  reboot: { fPort: 203, payloadHex: '031e0000' },
  resync: { fPort: 202, payloadHex: '0301' },
  /** Corrections of the clock by −12 s and 12 s, for those that got the time once. */
  setBack: { fPort: 202, payloadHex: '01f4ffffff01' },
  setAhead: { fPort: 202, payloadHex: '010c00000001' },
} as const;
type Intrusion = keyof typeof INTRUSIONS;

export const drawnCommands = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constantFrom<Intrusion>('status', 'statusOfIncomplete', 'fragment', 'setBack'),
      device: fc.nat(40),
    }),
  },
  fc.record({
    does: fc.constantFrom<Intrusion>(
      'deleteBlock',
      'newBlock',
      'deleteGroup',
      'resync',
      'period',
      'reboot',
    ),
    device: fc.nat(40),
  }),
  fc.record({
    does: fc.constantFrom('remove' as const, 'replace' as const, 'create' as const),
    device: fc.nat(40),
  }),
  fc.record({
    does: fc.constantFrom(
      'halt' as const,
      'restart' as const,
      'delete' as const,
      'createGateway' as const,
      'removeGateway' as const,
    ),
    device: fc.nat(40),
  }),
  fc.record({
    does: fc.constantFrom(
      ...(['label', 'group', 'others', 'rekey', 'job', 'endJob', 'manage', 'endManaged'] as const),
    ),
    device: fc.nat(40),
  }),
  fc.record({
    does: fc.constantFrom(...(['delegate', 'delegate', 'undelegate'] as const)),
    device: fc.nat(40),
  }),
);
export type DrawnCommand = typeof drawnCommands extends fc.Arbitrary<infer W> ? W : never;

export const eui64 = (prefix: string, index: number): string =>
  prefix + (index + 1).toString(16).toUpperCase().padStart(14, '0');

/** Whose the devices of a type are, and its campaign. */
export const ownerOfType = (type: number, sharers: Sharers) => ownerId(sharers, eui64('02', type));

/** Who has what a command is about. */
export function callerOf(
  { does, device: number }: DrawnCommand,
  { devices, deviceTypes, gateways }: NetworkPlan,
  sharers: Sharers,
): string {
  switch (does) {
    case 'label':
      return ownerOfType(0, sharers);
    case 'halt':
    case 'restart':
    case 'delete':
      return ownerOfType(number % deviceTypes.length, sharers);
    case 'createGateway':
    case 'removeGateway':
      return ownerId(sharers, gateways[number % gateways.length]!.eui);
    default:
      return ownerId(sharers, devices[number % devices.length]!.devEui);
  }
}

export function commandsOf(
  { does, device: number }: DrawnCommand,
  network: NetworkPlan,
  { campaigns, reliableDownlinks, managedCampaigns }: UpdateIds,
  by: string,
): (PlatformCommand & Partial<Caller>)[] {
  const campaign_id = idIn(campaigns, campaignName(number % network.deviceTypes.length));
  const device = network.devices[number % network.devices.length] as DevicePlan;
  const gateway = network.gateways[number % network.gateways.length] as GatewayPlan;
  const { devEui } = device;
  const job_id = idIn(reliableDownlinks, JOBS[number % JOBS.length]!);
  const managed_campaign_id = idIn(managedCampaigns, MANAGED[number % MANAGED.length]!);
  switch (does) {
    case 'remove':
      return [{ kind: 'device.remove', devEui }];
    case 'create':
      return [{ kind: 'device.create', device }];
    case 'replace':
      return [
        { kind: 'device.remove', devEui },
        { kind: 'device.create', device },
      ];
    case 'createGateway':
      return [{ kind: 'gateway.create', gateway: latecomer(gateway, network) }];
    case 'removeGateway':
      return [{ kind: 'gateway.remove', eui: gateway.eui }];
    case 'halt':
      return [{ kind: 'campaign.halt', campaign_id }];
    case 'restart':
      return [restartOf(campaign_id, number, network)];
    case 'delete':
      return [{ kind: 'campaign.delete', campaign_id }];
    case 'label':
      return [{ kind: 'image.addTags', name: 'meter-1.2.0.bin', tags: `tag-${number}` }];
    case 'group':
      return [{ kind: 'deviceGroup.create', group: { name: 'late', devices: [devEui] } }];
    case 'rekey':
      return [{ kind: 'key.generate', keygen_type: 'vendor', devices: [devEui] }];
    case 'job':
      return [{ kind: 'reliableDownlink.create', id: job_id, job: { ...JOB, devices: [devEui] } }];
    case 'endJob':
      return END_JOB.map((kind) => ({ kind, job_id }));
    case 'manage': {
      const managedCampaign = managedInput(number, gateway.eui);
      return [{ kind: 'managedCampaign.create', id: managed_campaign_id, managedCampaign }];
    }
    case 'endManaged':
      return END_MANAGED.map((kind) => ({ kind, managed_campaign_id }));
    case 'others':
      return commandsOfAnother(device, campaign_id);
    case 'delegate':
      return delegatedUpdate(device, network, by);
    case 'undelegate':
      return [{ kind: 'delegation.delete', delegation_id: DELEGATION_ID }];
    default:
      return [{ kind: 'downlink.enqueue', devEui, ...INTRUSIONS[does], confirmed: false }];
  }
}

/** Jobs that may stand beside campaigns, of a device each. */
export const JOBS = ['job-0', 'job-1'] as const;
const JOB = {
  name: 'job',
  downlink_hex: '01',
  downlink_fport: 9,
  expected_uplink_hex: '01',
  expected_uplink_fport: 9,
  max_retries: 2,
  retry_interval: 60,
} as const;
const END_JOB = ['reliableDownlink.stop', 'reliableDownlink.restart'] as const;

/** Managed campaigns that may stand beside campaigns; a session is held within the hour. */
export const MANAGED = ['managed-0', 'managed-1'] as const;
const managedInput = (number: number, gatewayEui: string): ManagedInput => ({
  include_versions: ['................'],
  image_name: 'meter-1.2.0.bin',
  gateways: [gatewayEui],
  preferred_start_time_utc: formatInstant(START_UNIX_MS + number * 90_000).slice(11, 16),
  stop_when_no_match: number % 3 === 0,
});
const END_MANAGED = [
  'managedCampaign.clearProblematicDevices',
  'managedCampaign.halt',
  'managedCampaign.delete',
] as const;

/** Of the group and the campaign of a device type. */
export const groupName = (type: number): string => `group-${type}`;
export const campaignName = (type: number): string => `campaign-${type}`;

/** Sometimes with other redundancy, set-up time, retries or gateways. */
function restartOf(campaign_id: string, number: number, network: NetworkPlan): PlatformCommand {
  const [first] = network.gateways;
  const changes = {
    ...(number % 2 === 0 ? {} : { redundancy: 1, automatic_retry_count: 1 }),
    ...(number % 3 === 0 ? {} : { multicast_setup_time: 300 }),
    ...(number % 5 === 0 && first !== undefined ? { gateways: [first.eui] } : {}),
  };
  return { kind: 'campaign.restart', campaign_id, changes };
}

const DELEGATION_ID = '00000000-0000-4000-8000-0000000000d0';
const OTHERS: ReadonlyMap<string, string> = new Map([
  ['north', 'south'],
  ['south', 'north'],
]);
const MIXED_ID = 'Mixed1';
const MIXED_ID_OF_CAMPAIGN = '00000000-0000-4000-8000-0000000000c0';
const HOUR_MS = 3_600_000;

/**
 * A subscriber delegates its devices to another one for an hour at least. That one updates one of
 * them, beside its own devices of the same class.
 */
function delegatedUpdate(device: DevicePlan, network: NetworkPlan, by: string): Command[] {
  const to = OTHERS.get(by) ?? 'another';
  const isTheirs = ({ devEui, type }: DevicePlan) =>
    ownerId(2, devEui) === to && type === device.type;
  const own = network.devices.filter(isTheirs).map(({ devEui }) => devEui);
  const expires_at = formatInstant(START_UNIX_MS + (device.type + 1) * HOUR_MS);
  const delegation = { delegate_to: to, expires_at, include_devices: ['................'] };
  const group = { name: 'mixed', lora_class: 'A' as const, devices: [device.devEui] };
  const campaign = { name: 'mixed', image_name: 'mixed-1.2.0.bin', device_group_id: MIXED_ID };
  const bytes = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
  return [
    { kind: 'delegation.create', id: DELEGATION_ID, delegation, by },
    { kind: 'image.create', name: campaign.image_name, bytes, tags: [], by: to },
    { kind: 'deviceGroup.create', id: MIXED_ID, group, by: to },
    { kind: 'deviceGroup.addDevices', device_group_id: MIXED_ID, devices: own, by: to },
    { kind: 'campaign.create', id: MIXED_ID_OF_CAMPAIGN, campaign, by: to },
  ];
}

/** Another subscriber makes things of its own, and tries to have those that are not. */
function commandsOfAnother(device: DevicePlan, campaign_id: string): Command[] {
  const by = 'another';
  const { devEui } = device;
  const own = { ...device, name: `${device.name}-x`, devEui: devEui.replace(/^02/, '0A') };
  return [
    { kind: 'image.create', name: 'meter-1.2.0.bin', bytes: Uint8Array.of(0), tags: [], by },
    { kind: 'device.create', device: own, by },
    { kind: 'deviceGroup.create', group: { name: 'own', devices: [own.devEui] }, by },
    { kind: 'deviceGroup.create', group: { name: 'taken', devices: [devEui] }, by },
    { kind: 'campaign.halt', campaign_id, by },
    { kind: 'device.remove', devEui, by },
  ];
}

/** A gateway that the plan does not have. */
function latecomer(like: GatewayPlan, { gateways }: NetworkPlan): GatewayPlan {
  const index = gateways.length;
  const place = { xMeters: -like.xMeters, yMeters: 50 };
  return { ...like, ...place, name: `gateway-${index + 1}`, eui: eui64('06', index) };
}
