/** The result of a world, made of what network and platform report. */
import { assert } from '../../sim/base/assert.ts';
import {
  type ListedCounts,
  type NetworkCounts,
  sortedByName,
  sumOf,
} from '../../sim/base/counts.ts';
import { coarser } from '../../sim/base/slicing.ts';
import { SECOND_US } from '../../sim/base/units.ts';
import { percentiles } from '../base/percentiles.ts';
import type { DeviceSummary, GatewaySummary, NetworkSummary } from '../network-summary.ts';
import type { Percentiles } from '../result/percentiles.ts';
import {
  type DevicesResult,
  type GatewayResult,
  type JobResult,
  NEVER_SENT,
  type PopulationResult,
  type SeriesResult,
  type WorldResult,
} from '../result.ts';
import type { Course } from './course.ts';
import type { WorldPlan } from './plan.ts';
import { beaconResult } from './result-of-beacons.ts';
import { energyResult } from './result-of-energy.ts';

/** Devices that the map shows at most. */
const MAP_DEVICES = 5_000;

export interface WorldInstant {
  readonly nowUs: number;
  readonly events: number;
  readonly complete: boolean;
}

/** What the result is made of, beside the plan. */
export interface WorldReport {
  readonly summary: NetworkSummary;
  readonly campaigns: Pick<
    WorldResult,
    'campaigns' | 'managedCampaigns' | 'followUps' | 'multicastGroups'
  >;
  readonly jobs: readonly JobResult[];
  readonly delivery: Pick<WorldResult, 'deliveries' | 'alerts' | 'configurations'>;
  /** Deliveries that waited, by slices. */
  readonly course: Pick<Course, 'sliceUs' | 'waiting'>;
  /** A device's fate in the campaigns, as the map's column `updated` has it. */
  readonly fate: (devEui: string) => number;
  /** Sentences on timeline entries that were refused. */
  readonly refusals: readonly string[];
}

export function resultOf(
  plan: WorldPlan,
  seed: string,
  report: WorldReport,
  digest: string,
  at: WorldInstant,
): WorldResult {
  const { summary, campaigns, jobs, delivery, fate, refusals } = report;
  const { sums, counts } = summary.counted;
  assert(at.nowUs >= 0, 'a result is of an instant from the start on');
  assert(sumOf(counts.uplinkFates) === sums.uplinks, 'every uplink that ended has one fate');
  const { received = 0, ...lost } = counts.uplinkFates;
  const unreachable = summary.devices.filter((device) => !device.inReach).length;
  return {
    scenario: { name: plan.name, description: plan.description },
    seed,
    digest,
    complete: at.complete,
    virtualSeconds: at.nowUs / SECOND_US,
    events: at.events,
    region: plan.network.region,
    frames: plan.network.frames,
    radio: {
      uplinks: sums.uplinks,
      received,
      lost: sortedByName(lost),
      receptions: sortedByName(counts.receptions),
    },
    downlinks: {
      requested: sums.downlinksRequested,
      sent: sums.downlinksSent,
      received: sums.downlinksReceived,
      refused: sortedByName(counts.downlinksRefused),
      retried: sortedByName(counts.downlinksRetried),
      lost: sortedByName(counts.downlinksLost),
      multicastSent: sums.multicastSent,
    },
    gateways: summary.gateways.map((gateway) => gatewayResult(gateway, at.nowUs)),
    devices: devicesResult(plan, summary.devices, fate),
    ...beaconResult(plan.network.deviceTypes, summary),
    ...energyResult(plan.network.deviceTypes, summary.devices),
    ...campaigns,
    ...(jobs.length === 0 ? {} : { reliableDownlinks: jobs }),
    ...delivery,
    series: seriesResult(summary.counted, report.course, at.nowUs),
    warnings:
      unreachable === 0
        ? [...refusals]
        : [
            `${unreachable} of ${summary.devices.length} devices have no gateway in reach, ` +
              'even at the slowest data rate.',
            ...refusals,
          ],
  };
}

function gatewayResult(gateway: GatewaySummary, nowUs: number): GatewayResult {
  const { name, eui, xMeters, yMeters, fates, downlinksSent, airtimeUs } = gateway;
  const shares = Object.entries(gateway.airtimeByBandUs).map(([band, us]) => [band, us / nowUs]);
  return {
    name,
    eui,
    xMeters,
    yMeters,
    uplinksReceived: fates.received ?? 0,
    fates: sortedByName(fates),
    downlinksSent,
    airtimeSeconds: airtimeUs / SECOND_US,
    dutyCycle: Object.fromEntries(shares),
  };
}

function devicesResult(
  plan: WorldPlan,
  devices: readonly DeviceSummary[],
  fate: WorldReport['fate'],
): DevicesResult {
  const total = (figure: (device: DeviceSummary) => number) =>
    devices.reduce((sum, device) => sum + figure(device), 0);
  const joinSeconds = devices
    .filter((device) => device.otaa && device.active)
    .map(({ joinUs }) => {
      assert(joinUs !== null, 'a device with a session over the air has joined');
      return joinUs / SECOND_US;
    });
  // A type that is everybody's is told of where it has devices.
  const { deviceTypes } = plan.network;
  const populations = deviceTypes.flatMap(({ name }, row) => {
    // Types that rows of files make of a population have its name.
    if (deviceTypes.findIndex((type) => type.name === name) !== row) return [];
    const population = populationResult(name, devices);
    return population.devices > 0 || !isEverybodys(plan, row) ? [population] : [];
  });
  return {
    total: devices.length,
    joined: devices.filter((device) => device.active).length,
    joinSeconds: percentiles(joinSeconds),
    joinRequests: total((device) => device.joinRequests),
    messages: total((device) => device.sent),
    messagesDelivered: total((device) => device.delivered),
    messagesDropped: total((device) => device.dropped),
    ...listedResult(devices),
    confirmed: {
      sent: total((device) => device.confirmedSent),
      acknowledged: total((device) => device.confirmedAcknowledged),
      failed: total((device) => device.confirmedFailed),
    },
    retransmissions: total((device) => device.retransmissions),
    dutyCycleWaits: total((device) => device.dutyCycleWaits),
    deliveryRatio: deliveryRatio(devices),
    byDataRate: countByDataRate(devices),
    populations,
    ...macResult(devices),
    map: mapResult(devices, fate),
  };
}

const isEverybodys = ({ owners }: WorldPlan, row: number): boolean =>
  owners?.deviceTypes !== undefined && (owners.deviceTypes[row] ?? '') === '';

/** Highest battery level of DevStatusAns (LoRaWAN 1.0.4 §5.5); 0 is external power, 255 unknown. */
const FULL_BATTERY = 254;

function macResult(devices: readonly DeviceSummary[]): Pick<DevicesResult, 'mac'> {
  const known = devices.flatMap(({ status }) => (status === null ? [] : [status]));
  const timeSyncs = devices.reduce((sum, device) => sum + device.timeSyncs, 0);
  const linkChecks = devices.reduce((sum, device) => sum + device.linkChecks, 0);
  if (known.length + timeSyncs + linkChecks === 0) return {};
  const levels = known.map(({ battery }) => battery);
  const measured = levels.filter((level) => level > 0 && level <= FULL_BATTERY);
  return {
    mac: {
      statusKnown: known.length,
      externalPower: levels.filter((level) => level === 0).length,
      batteryUnknown: levels.filter((level) => level > FULL_BATTERY).length,
      battery: percentiles(measured.map((level) => level / FULL_BATTERY)),
      marginDb: percentiles(known.map(({ marginDb }) => marginDb)),
      timeSyncs,
      linkChecks,
    },
  };
}

function populationResult(name: string, all: readonly DeviceSummary[]): PopulationResult {
  const devices = all.filter((device) => device.type === name);
  return {
    name,
    devices: devices.length,
    joined: devices.filter((device) => device.active).length,
    messages: devices.reduce((sum, device) => sum + device.sent, 0),
    messagesDelivered: devices.reduce((sum, device) => sum + device.delivered, 0),
    messagesDropped: devices.reduce((sum, device) => sum + device.dropped, 0),
    ...listedResult(devices),
    deliveryRatio: deliveryRatio(devices),
  };
}

/** Absent where none of the devices has a list. */
function listedResult(devices: readonly DeviceSummary[]): Pick<DevicesResult, 'listed'> {
  const lists = devices.flatMap(({ listed }) => (listed === undefined ? [] : [listed]));
  if (lists.length === 0) return {};
  const total = (part: keyof ListedCounts) => lists.reduce((sum, each) => sum + each[part], 0);
  return { listed: { sent: total('sent'), lost: total('lost'), left: total('left') } };
}

/** Over devices that sent; null when none did. */
function deliveryRatio(devices: readonly DeviceSummary[]): Percentiles | null {
  const talked = devices.filter(({ sent }) => sent > 0);
  return percentiles(talked.map(({ delivered, sent }) => delivered / sent));
}

function countByDataRate(devices: readonly DeviceSummary[]): DevicesResult['byDataRate'] {
  const counts: Record<string, number> = {};
  for (const { active, dataRate } of devices) {
    if (active) counts[`DR${dataRate}`] = (counts[`DR${dataRate}`] ?? 0) + 1;
  }
  return sortedByName(counts);
}

/** An evenly spaced sample of the devices. */
function mapResult(
  devices: readonly DeviceSummary[],
  fate: WorldReport['fate'],
): DevicesResult['map'] {
  const shown = Math.min(MAP_DEVICES, devices.length);
  const sample = Array.from(
    { length: shown },
    (_, i) => devices[Math.floor((i * devices.length) / shown)] as DeviceSummary,
  );
  return {
    xMeters: sample.map((device) => Math.round(device.xMeters)),
    yMeters: sample.map((device) => Math.round(device.yMeters)),
    deliveredPermille: sample.map((device) =>
      device.sent === 0 ? NEVER_SENT : Math.round((1000 * device.delivered) / device.sent),
    ),
    dataRate: sample.map((device) => device.dataRate),
    updated: sample.map((device) => fate(device.devEui)),
  };
}

function seriesResult(
  { series, sliceUs: countedUs }: NetworkCounts,
  course: WorldReport['course'],
  nowUs: number,
): SeriesResult {
  assert(countedUs !== undefined, 'a world counts by slices');
  const sliceUs = course.sliceUs(nowUs, countedUs);
  const waiting = course.waiting(nowUs, sliceUs);
  const slices = Math.max(1, Math.ceil(nowUs / sliceUs));
  const padded = (counts: readonly number[]) => {
    const values = coarser(counts, sliceUs / countedUs);
    return Array.from({ length: slices }, (_, slice) => values[slice] ?? 0);
  };
  const { uplinks, received, interfered, downlinks, joined } = series;
  let sum = 0;
  return {
    sliceSeconds: sliceUs / SECOND_US,
    uplinks: padded(uplinks),
    received: padded(received),
    interfered: padded(interfered),
    downlinks: padded(downlinks),
    joined: padded(joined).map((count) => {
      sum += count;
      return sum;
    }),
    ...(waiting === undefined ? {} : { waiting }),
  };
}
