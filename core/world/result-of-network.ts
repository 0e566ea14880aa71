/** The result of a world, made of what network and platform report. */
import { assert } from '../../sim/base/assert.ts';
import { countedSums, type NetworkCounts, sortedByName, sumOf } from '../../sim/base/counts.ts';
import { coarser } from '../../sim/base/slicing.ts';
import { MILLION, SECOND_US } from '../../sim/base/units.ts';
import type { GatewaySummary, NetworkSummary } from '../../sim/contract/summary.ts';
import { type RegionName, region } from '../../sim/lorawan/region.ts';
import type { Steps } from '../base/in-steps.ts';
import type { GatewayResult, JobResult, SeriesResult, WorldResult } from '../result/result.ts';
import type { Course } from './course.ts';
import type { WorldPlan } from './plan.ts';
import { BeaconCounts } from './result-of-beacons.ts';
import { budgetResult, dutyCyclePeaksOf, withLosses } from './result-of-budgets.ts';
import { devicesResult, type FateOf } from './result-of-devices.ts';
import { EnergyFigures } from './result-of-energy.ts';

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
  /** Deliveries that waited and downlinks that were not over, by slices. */
  readonly course: Pick<Course, 'sliceUs' | 'waiting' | 'downlinks'>;
  /** Names of campaigns and jobs, by what the network calls their air time. */
  readonly purposes: ReadonlyMap<string, string>;
  readonly fate: FateOf;
  /** In how many campaigns a device was set up for a session. */
  readonly sessionsOf: (devEui: string) => number;
  /** Sentences on timeline entries that were refused. */
  readonly refusals: readonly string[];
}

/** In steps. */
export function* resultOf(
  plan: WorldPlan,
  seed: string,
  report: WorldReport,
  digest: string,
  at: WorldInstant,
): Steps<WorldResult> {
  const { summary, campaigns, jobs, delivery, fate, refusals } = report;
  const { sums, counts } = summary.counted;
  assert(at.nowUs >= 0, 'a result is of an instant from the start on');
  assert(sumOf(counts.uplinkFates) === sums.uplinks, 'every uplink that ended has one fate');
  const { received = 0, ...lost } = counts.uplinkFates;
  const { deviceTypes } = plan.network;
  const beacons = new BeaconCounts(summary.counted);
  const energy = new EnergyFigures(deviceTypes, report.sessionsOf);
  const found = yield* devicesResult(plan, summary.devices, fate, [beacons, energy]);
  const devices = withLosses(found.devices, plan, summary);
  const { unreachable } = found;
  const dutyCyclePeaks = dutyCyclePeaksOf(plan, summary);
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
    gateways: summary.gateways.map((gateway, row) => ({
      ...gatewayResult(gateway, plan.network.region, at.nowUs),
      ...dutyCyclePeaks(row),
    })),
    devices,
    ...beacons.result(deviceTypes),
    ...energy.result(),
    ...campaigns,
    ...(jobs.length === 0 ? {} : { reliableDownlinks: jobs }),
    ...delivery,
    ...outagesResult(summary),
    series: seriesResult(summary.counted, report.course, at.nowUs),
    ...budgetResult(plan, summary, report, at.nowUs),
    counted: countedSums(sums),
    warnings:
      unreachable === 0
        ? [...refusals]
        : [
            `${unreachable} of ${devices.total} devices have no gateway in reach, ` +
              'even at the slowest data rate.',
            ...refusals,
          ],
  };
}

function outagesResult({ counted, gateways }: NetworkSummary): Pick<WorldResult, 'outages'> {
  if (counted.outages.length === 0) return {};
  const names = new Map(gateways.map(({ eui, name }) => [eui, name]));
  const outages = counted.outages.map(({ gatewayEui, part, fromUs, untilUs }) => ({
    gateway: names.get(gatewayEui) ?? gatewayEui,
    part,
    fromSeconds: fromUs / SECOND_US,
    untilSeconds: untilUs === undefined ? null : untilUs / SECOND_US,
  }));
  return { outages };
}

function gatewayResult(
  gateway: GatewaySummary,
  regionName: RegionName,
  nowUs: number,
): GatewayResult {
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
    dutyCycleLimits: limitsOf(regionName, Object.keys(gateway.airtimeByBandUs)),
  };
}

/** Shares of an hour that limited sub-bands allow, by the names that summaries give them. */
function limitsOf(regionName: RegionName, used: readonly string[]): Record<string, number> {
  const limits: Record<string, number> = {};
  for (const { minHz, maxHz, dutyCyclePpm } of region(regionName).subBands) {
    const name = `${minHz / MILLION}-${maxHz / MILLION}`;
    if (dutyCyclePpm < MILLION && used.includes(name)) limits[name] = dutyCyclePpm / MILLION;
  }
  return limits;
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
