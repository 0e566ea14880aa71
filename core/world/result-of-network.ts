/** A network's summary told as a result: shares, percentiles and columns of equal length. */
import { SECOND_US } from '../../sim/base/units.ts';
import { percentiles } from '../kit/percentiles.ts';
import type {
  DeviceSummary,
  GatewaySummary,
  NetworkSummary,
  NetworkTally,
} from '../network-face.ts';
import type {
  CampaignResult,
  DevicesResult,
  GatewayResult,
  PopulationResult,
  RunResult,
  SeriesResult,
} from '../result.ts';
import type { WorldPlan } from './plan.ts';
import { tellBeacons } from './result-of-beacons.ts';
import { tellEnergy } from './result-of-energy.ts';

/** Devices that the map shows at most. */
const MAP_DEVICES = 5_000;

export interface WorldInstant {
  readonly nowUs: number;
  readonly events: number;
  readonly complete: boolean;
}

/** What a world tells of itself. */
export interface ToldWorld {
  readonly summary: NetworkSummary;
  readonly campaigns: readonly CampaignResult[];
  /** A device's fate in the campaigns, as the map's column `updated` has it. */
  readonly fate: (devEui: string) => number;
  /** Sentences on timeline entries that were refused. */
  readonly refusals: readonly string[];
}

/** Fragments of a group that devices in its session did not hear, by cause. */
export function lossesOf(tally: NetworkTally, mcAddr: number): Record<string, number> {
  const losses: Record<string, number> = {};
  for (const [key, count] of Object.entries(tally.counts.fragments)) {
    const [address, cause] = key.split(' ');
    if (Number(address) === mcAddr && cause !== undefined) losses[cause] = count;
  }
  return sorted(losses);
}

export function tellResult(
  plan: WorldPlan,
  seed: string,
  told: ToldWorld,
  digest: string,
  at: WorldInstant,
): RunResult {
  const { summary, campaigns } = told;
  const { tally } = summary;
  const { received = 0, ...lost } = tally.counts.uplinkFates;
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
      uplinks: tally.uplinks,
      received,
      lost: sorted(lost),
      receptions: sorted(tally.counts.receptions),
    },
    downlinks: {
      requested: tally.downlinksRequested,
      sent: tally.downlinksSent,
      received: tally.downlinksReceived,
      refused: sorted(tally.counts.downlinksRefused),
      retried: sorted(tally.counts.downlinksRetried),
      lost: sorted(tally.counts.downlinksLost),
      multicastSent: tally.multicastSent,
    },
    gateways: summary.gateways.map((gateway) => tellGateway(gateway, at.nowUs)),
    devices: tellDevices(plan, summary.devices, told.fate),
    ...tellBeacons(plan.network.deviceTypes, summary),
    ...tellEnergy(plan.network.deviceTypes, summary.devices),
    campaigns,
    series: tellSeries(summary, at.nowUs),
    warnings: [...tellWarnings(summary), ...told.refusals],
  };
}

/** Counts in the order of their names. */
function sorted(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function tellGateway(gateway: GatewaySummary, nowUs: number): GatewayResult {
  const { name, eui, xMeters, yMeters, fates, downlinksSent, airtimeUs } = gateway;
  const shares = Object.entries(gateway.airtimeByBandUs).map(([band, us]) => [band, us / nowUs]);
  return {
    name,
    eui,
    xMeters,
    yMeters,
    uplinksReceived: fates.received ?? 0,
    fates: sorted(fates),
    downlinksSent,
    airtimeSeconds: airtimeUs / SECOND_US,
    dutyCycle: Object.fromEntries(shares),
  };
}

function tellDevices(
  plan: WorldPlan,
  devices: readonly DeviceSummary[],
  fate: ToldWorld['fate'],
): DevicesResult {
  const total = (figure: (device: DeviceSummary) => number) =>
    devices.reduce((sum, device) => sum + figure(device), 0);
  const joined = devices.filter((device) => device.otaa && device.active);
  const talked = devices.filter((device) => device.sent > 0);
  return {
    total: devices.length,
    joined: devices.filter((device) => device.active).length,
    joinSeconds: percentiles(joined.map((device) => device.joinUs / SECOND_US)),
    joinRequests: total((device) => device.joinRequests),
    messages: total((device) => device.sent),
    messagesDelivered: total((device) => device.delivered),
    confirmed: {
      sent: total((device) => device.confirmedSent),
      acknowledged: total((device) => device.confirmedAcknowledged),
      failed: total((device) => device.confirmedFailed),
    },
    retransmissions: total((device) => device.retransmissions),
    dutyCycleWaits: total((device) => device.dutyCycleWaits),
    deliveryRatio: percentiles(talked.map((device) => device.delivered / device.sent)),
    byDataRate: countByDataRate(devices),
    populations: plan.network.deviceTypes.map((type) => tellPopulation(type.name, devices)),
    ...tellMac(devices),
    map: tellMap(devices, fate),
  };
}

/** Highest battery level that DevStatusAns tells; 0 and 255 mean something else. */
const FULL_BATTERY = 254;

function tellMac(devices: readonly DeviceSummary[]): Pick<DevicesResult, 'mac'> {
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

function tellPopulation(name: string, all: readonly DeviceSummary[]): PopulationResult {
  const devices = all.filter((device) => device.type === name);
  return {
    name,
    devices: devices.length,
    joined: devices.filter((device) => device.active).length,
    messages: devices.reduce((sum, device) => sum + device.sent, 0),
    messagesDelivered: devices.reduce((sum, device) => sum + device.delivered, 0),
  };
}

function countByDataRate(devices: readonly DeviceSummary[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { active, dataRate } of devices) {
    if (active) counts[`DR${dataRate}`] = (counts[`DR${dataRate}`] ?? 0) + 1;
  }
  return sorted(counts);
}

/** An evenly spaced sample of the devices. */
function tellMap(devices: readonly DeviceSummary[], fate: ToldWorld['fate']): DevicesResult['map'] {
  const shown = Math.min(MAP_DEVICES, devices.length);
  const sample = Array.from(
    { length: shown },
    (_, i) => devices[Math.floor((i * devices.length) / shown)] as DeviceSummary,
  );
  return {
    xMeters: sample.map((device) => Math.round(device.xMeters)),
    yMeters: sample.map((device) => Math.round(device.yMeters)),
    deliveredPermille: sample.map((device) =>
      device.sent === 0 ? -1 : Math.round((1000 * device.delivered) / device.sent),
    ),
    dataRate: sample.map((device) => device.dataRate),
    updated: sample.map((device) => fate(device.devEui)),
  };
}

function tellSeries({ tally }: NetworkSummary, nowUs: number): SeriesResult {
  const slices = Math.max(1, Math.ceil(nowUs / tally.sliceUs));
  const padded = (values: readonly number[]) =>
    Array.from({ length: slices }, (_, slice) => values[slice] ?? 0);
  const { uplinks, received, interfered, downlinks, joined } = tally.series;
  let sum = 0;
  return {
    sliceSeconds: tally.sliceUs / SECOND_US,
    uplinks: padded(uplinks),
    received: padded(received),
    interfered: padded(interfered),
    downlinks: padded(downlinks),
    joined: padded(joined).map((count) => {
      sum += count;
      return sum;
    }),
  };
}

function tellWarnings(summary: NetworkSummary): string[] {
  const unreachable = summary.devices.filter((device) => !device.inReach).length;
  if (unreachable === 0) return [];
  const total = summary.devices.length;
  return [
    `${unreachable} of ${total} devices have no gateway in reach, even at the slowest data rate.`,
  ];
}
