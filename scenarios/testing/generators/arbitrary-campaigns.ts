/**
 * Small worlds with firmware campaigns for property tests (fast-check): sessions whose fragments
 * are lost for every reason there is, while devices speak, are asked, are reset and are removed.
 *
 * As in `arbitraries.ts`, everything is built from independent parts by `map`, so that a
 * counterexample shrinks to few devices, few commands and plain settings.
 */

import * as fc from 'fast-check';
import { formatInstant } from '../../../core/base/instant.ts';
import type { TimedCommand } from '../../../core/command.ts';
import type { PlatformCommand } from '../../../core/operations.ts';
import type { CampaignInput } from '../../../core/update-service/campaigns/commands.ts';
import { fromHex } from '../../../sim/base/bytes.ts';
import { expandSeed } from '../../../sim/base/random.ts';
import { REGION_NAMES, type RegionName } from '../../../sim/lorawan/region.ts';
import type {
  DevicePlan,
  DeviceTypePlan,
  GatewayPlan,
  NetworkPlan,
} from '../../../sim/plan/network-plan.ts';
import type { RadioPlan } from '../../../sim/radio/radio-plan.ts';
import { PATH_LOSSES, SENSITIVITIES, SIR_MATRICES } from '../../../sim/radio/tables.ts';
import { idIn, type UpdateIds, updateIds } from '../../filling/ids.ts';
import { keyCommands, rootKeyOf } from '../../filling/multicast-keys.ts';
import { MULTICAST_KEYS } from '../../schema/update-schema.ts';
import { type ArbitraryWorld, seeds } from './arbitraries.ts';
import {
  callerOf,
  campaignName,
  commandsOf,
  type DrawnCommand,
  drawnCommands,
  eui64,
  groupName,
  JOBS,
  MANAGED,
  ownerOfType,
  START_UNIX_MS,
} from './arbitrary-campaign-commands.ts';
import { conducts } from './arbitrary-failures.ts';
import { packages } from './arbitrary-packages.ts';
import {
  fading,
  INTERFERENCE_MODELS,
  reception,
  simultaneousCopies,
  withCopies,
} from './arbitrary-radio.ts';
import { campaignIn, campaignsIn } from './arbitrary-regions.ts';
import { settingsPlans, withSettings } from './arbitrary-settings.ts';
import { ownerId, ownersIn, type Sharers, sharers } from './arbitrary-subscribers.ts';

/** How large the worlds may be. */
export interface CampaignLimits {
  /** 2 or more. */
  readonly devices: number;
  /** 1 or more. */
  readonly gateways: number;
  readonly imageBytes: number;
  /** Most commands in the middle of a session. */
  readonly commands: number;
  readonly frames: readonly NetworkPlan['frames'][];
  /** One or more; half the worlds are in the first. */
  readonly regions: readonly RegionName[];
}

const USUAL_LIMITS: CampaignLimits = {
  devices: 25,
  gateways: 3,
  imageBytes: 2000,
  commands: 8,
  frames: ['counted', 'real'],
  regions: ['EU868', ...REGION_NAMES],
};

const SECOND_US = 1_000_000;
const MINUTE_US = 60 * SECOND_US;

const share = (most: number): fc.Arbitrary<number> =>
  fc.oneof(fc.constant(0), fc.integer({ min: 1, max: most }));

// ── the network ──────────────────────────────────────────────────────────────────────────────────

const radio: fc.Arbitrary<RadioPlan> = fc.record({
  pathLoss: fc.constantFrom(
    { model: 'constant' as const, lossDb: 100 },
    PATH_LOSSES.ns3LogDistance,
  ),
  shadowingSigmaDb: fc.constantFrom(0, 6),
  shadowingCorrelationMeters: fc.constantFrom(0, 110),
  fading,
  noiseFigureDb: fc.constant(6),
  reception,
  gatewaySensitivityCentiDbm: fc.constant(SENSITIVITIES.ns3Gateway),
  deviceSensitivityCentiDbm: fc.constant(SENSITIVITIES.ns3EndDevice),
  interference: fc.record({
    model: fc.constantFrom(...INTERFERENCE_MODELS),
    sirCentiDb: fc.constantFrom(SIR_MATRICES.goursaud, SIR_MATRICES.croce),
    window: fc.constantFrom('afterLock' as const, 'wholeFrame' as const),
  }),
  ignoredBelowCentiDbm: fc.constant(-15_000),
});

const placeParts = fc.record({
  x: fc.integer({ min: -2000, max: 2000 }),
  y: fc.integer({ min: -2000, max: 2000 }),
});

const gatewayParts = fc.record({
  place: placeParts,
  antennaGainCentiDb: fc.constantFrom(0, 215),
  maxEirpCentiDbm: fc.constantFrom(2915, 1615, 1315, 1000),
  dutyCycle: fc.boolean(),
  gps: fc.boolean(),
  latencyUs: share(200_000),
  lossPpm: share(50_000),
});

const typeParts = fc.record({
  deviceClass: fc.constantFrom('A' as const, 'C' as const, 'B' as const),
  pingSlotPeriodicity: fc.integer({ min: 0, max: 7 }),
  activation: fc.constantFrom('abp' as const, 'otaa' as const),
  conduct: conducts,
  meanS: fc.oneof(fc.integer({ min: 20, max: 40 }), fc.integer({ min: 20, max: 120 })),
  jitterPpm: share(500_000),
  payloadBytes: fc.integer({ min: 0, max: 51 }),
  confirmedPpm: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, share(500_000)),
  settings: settingsPlans,
  dataRate: fc.integer({ min: 2, max: 5 }),
  adr: fc.boolean(),
  driftPpb: share(200_000),
  nbTrans: fc.constantFrom(1, 1, 2),
  dutyCycle: fc.boolean(),
  frameLossPpm: fc.oneof(fc.constant(0), share(100_000), share(400_000)),
  /** The usual ones when null. */
  packages: fc.option(packages, { freq: 2 }),
  multicastKeys: fc.oneof(
    { weight: 5, arbitrary: fc.constant('own' as const) },
    fc.constantFrom(...MULTICAST_KEYS),
  ),
});
// ── campaigns ────────────────────────────────────────────────────────────────────────────────────

const campaignParts = (limits: CampaignLimits) =>
  fc.record({
    imageBytes: fc.integer({ min: 100, max: limits.imageBytes }),
    /** From the devices' start to the campaign's. */
    startsAfterS: fc.integer({ min: 30, max: 300 }),
    /** Whether all gateways send, or as few as serve the members. */
    listsGateways: fc.boolean(),
    settings: fc.record({
      multicast_setup_time: fc.integer({ min: 300, max: 900 }),
      mcast_dr: fc.integer({ min: 3, max: 5 }),
      /** RX2's channel, the others are channels of RX1 too; other regions have their own. */
      mcast_freq: fc.constantFrom(869.525, 869.525, 868.1, 868.3),
      mcast_session_timeout: fc.constantFrom(null, null, 128, 512),
      redundancy: fc.constantFrom(0.3, 0, 0.1, 1),
      frag_send_delay: fc.oneof(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 400, max: 1500 }).map((ms) => ms / 1000),
      ),
      frag_size: fc.integer({ min: 20, max: 100 }),
      sleep_after_frag_sent: fc.integer({ min: 0, max: 40 }),
      individual_fragment_retransmit: fc.constantFrom(0, 4, 40),
      automatic_retry_count: fc.constantFrom(0, 0, 1),
      automatic_retry_interval: fc.constant(60),
      min_timeout_delay: fc.constantFrom(20, 60),
      downlink_delay_rand_s: fc.constantFrom(0, 5),
      ignore_clock_rates: fc.constantFrom(false, false, true),
      gateway_timing: fc.constantFrom('staggered' as const, 'simultaneous' as const),
      multicastSession: fc.constantFrom('classC' as const, 'classC' as const, 'classB' as const),
      pingSlotPeriodicity: fc.constantFrom(0, 1, 2),
      acceptable_time_drift: fc.constantFrom(5, 5, 1, 30, 0),
      force_initial_version_check: fc.boolean(),
      is_debug: fc.boolean(),
      is_troubleshooting: fc.boolean(),
    }),
    /** From the creation to the start; 0: at once. */
    scheduledAfterS: fc.constantFrom(0, 0, 90),
  });
type CampaignParts = ReturnType<typeof campaignParts> extends fc.Arbitrary<infer P> ? P : never;

/** When in the session, in shares of its length. */
const GRID = 100;
const commandParts = fc.record({
  stamp: fc.integer({ min: -60, max: GRID + 20 }),
  drawn: drawnCommands,
});
interface CommandParts {
  readonly stamp: number;
  readonly drawn: DrawnCommand;
}

/** Worlds with one or two campaigns, on devices of different kinds. */
export function campaignWorlds(limits: Partial<CampaignLimits> = {}): fc.Arbitrary<ArbitraryWorld> {
  const most = { ...USUAL_LIMITS, ...limits };
  const first = fc.constant(most.regions[0] as RegionName);
  const isOne = most.regions.length === 1;
  return fc
    .record({
      frames: fc.constantFrom(...most.frames),
      region: isOne ? first : fc.oneof(first, fc.constantFrom(...most.regions)),
      radio,
      gateways: fc.array(gatewayParts, { minLength: 1, maxLength: most.gateways }),
      types: fc.array(typeParts, { minLength: 1, maxLength: 2 }),
      devices: fc.array(placeParts, { minLength: 2, maxLength: most.devices, size: 'max' }),
      campaigns: fc.array(campaignParts(most), { minLength: 2, maxLength: 2 }),
      commands: fc.array(commandParts, { maxLength: most.commands, size: 'max' }),
      seed: seeds,
      simultaneousCopies,
      sharers,
    })
    .map(toWorld);
}

// ── putting together ─────────────────────────────────────────────────────────────────────────────

interface Parts {
  readonly frames: NetworkPlan['frames'];
  readonly region: RegionName;
  readonly radio: RadioPlan;
  readonly gateways: readonly GatewayParts[];
  readonly types: readonly TypeParts[];
  readonly devices: readonly Place[];
  /** One for each device type. */
  readonly campaigns: readonly CampaignParts[];
  readonly commands: readonly CommandParts[];
  readonly seed: string;
  readonly simultaneousCopies: 'multipath' | 'capture';
  readonly sharers: Sharers;
}
type GatewayParts = typeof gatewayParts extends fc.Arbitrary<infer P> ? P : never;
type TypeParts = typeof typeParts extends fc.Arbitrary<infer P> ? P : never;
type Place = typeof placeParts extends fc.Arbitrary<infer P> ? P : never;

/** After the session: answers, repairs and final versions. */
const AFTERMATH_US = 20 * MINUTE_US;

function toWorld(drawnParts: Parts): ArbitraryWorld {
  const parts = { ...drawnParts, sharers: sharersOf(drawnParts) };
  const network = campaignsIn(networkOf(parts), parts.region);
  const used = parts.campaigns
    .slice(0, parts.types.length)
    .filter((_, i) => network.devices.some(({ type }) => type === i));
  const sessions = used.map(sessionOf);
  const endUs = Math.max(...sessions.map(({ endUs }) => endUs));
  const beginUs = Math.min(...sessions.map(({ beginUs }) => beginUs));
  const named = (name: string) => ({ name });
  const lists = {
    groups: parts.types.map((_, i) => named(groupName(i))),
    endDeviceGroups: [],
    gatewayGroups: [],
    serviceProfiles: [],
    gatewayProfiles: [],
    decoderTypes: [],
    outputProfiles: [],
    configurationPolicies: [],
    credentials: [],
    destinations: [],
    alerts: [],
    campaigns: parts.types.map((_, i) => named(campaignName(i))),
    reliableDownlinks: JOBS.map(named),
    managedCampaigns: MANAGED.map(named),
    delegations: [],
  };
  const ids = updateIds(lists, expandSeed(parts.seed));
  const started = used.flatMap((campaign, i) => startOf(campaign, i, network, parts, ids));
  const commands = parts.commands.flatMap(({ stamp, drawn }) => {
    const atUs = Math.round(beginUs + (stamp * (endUs - beginUs)) / GRID);
    const by = callerOf(drawn, network, parts.sharers);
    return commandsOf(drawn, network, ids, by).map((command) => ({
      atUs,
      command: { by, ...command },
    }));
  });
  const timeline = started.sort((a, b) => a.atUs - b.atUs);
  const durationUs = endUs + AFTERMATH_US;
  const owners = ownersIn(parts.sharers, network);
  const plan = { name: 'campaigns', description: '', durationUs, network, ...owners, timeline };
  return { plan, seed: parts.seed, commands: commands.sort((a, b) => a.atUs - b.atUs) };
}

/** Two only where both have a gateway and all devices of a type. */
const sharersOf = ({ sharers, types, gateways }: Parts): Sharers =>
  sharers === 2 && (types.length < 2 || gateways.length < 2) ? 1 : sharers;

function networkOf(parts: Parts): NetworkPlan {
  return {
    region: 'EU868',
    startUnixMs: START_UNIX_MS,
    frames: parts.frames,
    verifyAllImages: false,
    radio: withCopies(parts.radio, parts.simultaneousCopies),
    gateways: parts.gateways.map(gatewayOf),
    deviceTypes: parts.types.map(typeOf),
    devices: parts.devices.map((place, i) => deviceOf(place, i, parts)),
    server: {
      deduplicationUs: 200_000,
      netId: 0,
      rx1DelayS: 1,
      rx1DrOffset: 0,
      rx2DataRate: 0,
      adr: true,
      adrMarginCentiDb: 1000,
    },
    uplinkChannelsHz: [],
  };
}

function gatewayOf({ place, latencyUs, lossPpm, ...rest }: GatewayParts, i: number): GatewayPlan {
  const backhaul = { latencyUs, jitterUs: 0, lossPpm };
  const at = { xMeters: place.x, yMeters: place.y };
  return {
    name: `gateway-${i + 1}`,
    eui: eui64('06', i),
    ...at,
    receptionPaths: 8,
    ...rest,
    backhaul,
  };
}

function typeOf(parts: TypeParts, i: number): DeviceTypePlan {
  const { conduct, meanS, jitterPpm, payloadBytes, confirmedPpm, dataRate, ...others } = parts;
  const { multicastKeys, packages: created, settings, ...rest } = others;
  const { process, failures } = conduct;
  const meanUs = meanS * SECOND_US;
  const type: DeviceTypePlan = {
    name: `type${i}`,
    startSpreadUs: 20 * SECOND_US,
    traffic: { ...process, meanUs, jitterPpm, payloadBytes, fPort: 7, confirmedPpm },
    dataRate: { from: 'fixed', dataRate },
    maxEirpCentiDbm: 1600,
    antennaGainCentiDb: 0,
    indoorPpm: 0,
    confirmedTries: 3,
    firmwareVersion: 0x01000000,
    hardwareVersion: 0x01000000,
    ...(multicastKeys === 'own' ? {} : { rootKeyKnown: false }),
    ...(created === null ? {} : { packages: created }),
    ...(failures.length === 0 ? {} : { failures }),
    ...rest,
  };
  return withSettings(type, settings);
}

function deviceOf({ x, y }: Place, i: number, { types, sharers }: Parts): DevicePlan {
  const type = i % types.length;
  const identity = { name: `type${type}-${i + 1}`, devEui: eui64('02', i) };
  const owner = ownerOfType(type, sharers);
  const genAppKey = rootKeyOf(types[type]!.multicastKeys, identity, ROOT_KEYS, owner);
  const created = { ...identity, xMeters: x, yMeters: y, type };
  return genAppKey === undefined ? created : { ...created, genAppKey };
}

/** Devices come with their root keys, whatever a world's seed. */
const ROOT_KEYS = expandSeed('root keys');

/** About when the session's fragments begin and end. */
function sessionOf({ imageBytes, startsAfterS, scheduledAfterS, settings }: CampaignParts) {
  const beginS = startsAfterS + scheduledAfterS + settings.multicast_setup_time;
  const fragments = (imageBytes / settings.frag_size) * (1 + settings.redundancy);
  const slotS = settings.multicastSession === 'classB' ? 1 << settings.pingSlotPeriodicity : 0;
  const delayS = Math.max(settings.frag_send_delay, 2 * slotS);
  // A class B session begins with a beacon, and beacons take their share.
  const waitS = slotS === 0 ? 10 : 280;
  const endS = beginS + waitS + (fragments + 1) * delayS;
  return { beginUs: beginS * SECOND_US, endUs: Math.ceil(endS) * SECOND_US };
}

/** The image, the group of all devices of a type, and its campaign. */
function startOf(
  parts: CampaignParts,
  i: number,
  network: NetworkPlan,
  { types, sharers }: Parts,
  ids: UpdateIds,
): TimedCommand[] {
  const { multicastKeys } = types[i]!;
  const by = ownerOfType(i, sharers);
  const atUs = parts.startsAfterS * SECOND_US;
  const image_name = `meter-${i + 1}.2.0.bin`;
  const bytesHex = Array.from({ length: parts.imageBytes }, (_, at) =>
    ((at * 7919 + 13 * i) % 251).toString(16).padStart(2, '0'),
  ).join('');
  const devices = network.devices.filter(({ type }) => type === i);
  const members = devices.map(({ devEui }) => devEui);
  const name = groupName(i);
  const groupId = idIn(ids.groups, name);
  const euis = network.gateways.map(({ eui }) => eui);
  const gateways = parts.listsGateways ? euis.filter((eui) => ownerId(sharers, eui) === by) : [];
  const scheduledUnixMs = START_UNIX_MS + (parts.startsAfterS + parts.scheduledAfterS) * 1000;
  const campaign: CampaignInput = {
    name: campaignName(i),
    image_name,
    device_group_id: groupId,
    ...campaignIn(parts.settings, network.region),
    ...(parts.scheduledAfterS === 0 ? {} : { scheduled_start_at: formatInstant(scheduledUnixMs) }),
  };
  const commands: PlatformCommand[] = [
    ...keyCommands(multicastKeys, devices),
    { kind: 'image.create', name: image_name, bytes: fromHex(bytesHex), tags: [] },
    { kind: 'deviceGroup.create', id: groupId, group: { name, gateways, devices: members } },
    { kind: 'campaign.create', id: idIn(ids.campaigns, campaign.name), campaign },
  ];
  return commands.map((command) => ({ atUs, command: { ...command, by } }));
}
