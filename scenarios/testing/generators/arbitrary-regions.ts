/**
 * Generated worlds in any region (fast-check): a plan made for EU868 is moved to another regional
 * plan, its channels, data rates, windows and powers to such as exist there.
 */
import * as fc from 'fast-check';
import {
  defaultUplinkChannels,
  MAX_EIRP_DBM,
  maxFrmPayload,
  maxMacPayload,
  REGION_NAMES,
  type Region,
  type RegionName,
  region,
  subBandChannelsHz,
  subBandOf,
} from '../../../sim/lorawan/region.ts';
import type { DeviceTypePlan, NetworkPlan } from '../../../sim/plan/network-plan.ts';

/** What a world has of its region. */
export interface RegionalParts {
  readonly region: RegionName;
  /** The network's channels: the default ones, one, some more, many more, some that overlap. */
  readonly channels: number;
  readonly movesRx2: boolean;
  readonly txParams:
    | { readonly up: boolean; readonly down: boolean; readonly eirp: number }
    | undefined;
  readonly maxDutyCycle: number;
  /** Device types that come with the region's channels, by row. */
  readonly presets: readonly boolean[];
}

export const regionalParts: fc.Arbitrary<RegionalParts> = fc.record({
  region: fc.oneof(
    { weight: 12, arbitrary: fc.constant('EU868' as const) },
    { weight: 12, arbitrary: fc.constantFrom(...REGION_NAMES) },
  ),
  channels: fc.nat(4),
  movesRx2: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
  txParams: fc.option(fc.record({ up: fc.boolean(), down: fc.boolean(), eirp: fc.nat(15) }), {
    nil: undefined,
    freq: 1,
  }),
  maxDutyCycle: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 8 })),
  presets: fc.array(fc.boolean(), { maxLength: 3 }),
});

/** A network in its region. */
export function inRegion(network: NetworkPlan, parts: RegionalParts): NetworkPlan {
  const plan = region(parts.region);
  const { channels, highest } = channelsOf(plan, parts.channels);
  const uplinkChannelsHz = channels.map(([hz]) => hz);
  const uplinkDataRates = channels.map(([, rates]) => rates);
  const rates = uplinkRates(plan, highest);
  return {
    ...network,
    region: parts.region,
    uplinkChannelsHz,
    ...(uplinkDataRates.some((one) => one !== undefined) ? { uplinkDataRates } : {}),
    deviceTypes: network.deviceTypes.map((type, row) => ({
      ...type,
      dataRate: dataRateOf(type, rates),
      maxEirpCentiDbm: Math.min(type.maxEirpCentiDbm, plan.maxEirpCentiDbm),
      ...(parts.presets[row] === true ? { channels: 'region' as const } : {}),
    })),
    server: serverOf(network, plan, parts),
  };
}

type PlannedChannel = readonly [number, readonly [number, number] | undefined];

/** Channels of a network, and the highest data rate of one of them. */
function channelsOf(plan: Region, choice: number) {
  const defaults = defaultUplinkChannels(plan);
  const highest = Math.max(...defaults.map(({ maxDataRate }) => maxDataRate));
  const usual: PlannedChannel[] = defaults.map(({ frequencyHz }) => [frequencyHz, undefined]);
  if (choice === 0) return { channels: [], highest };
  if (plan.channelMask !== 'bank16') {
    const some = choice === 1 ? [subBandChannelsHz(plan, 1)[0]!] : subBandChannelsHz(plan, choice);
    const rates = plan.uplinkChannels[choice === 1 ? 0 : plan.uplinkChannels.length - 1]!;
    const channels = some.map((hz): PlannedChannel => [hz, undefined]);
    return { channels, highest: rates.maxDataRate };
  }
  if (choice === 1) return { channels: usual.slice(0, 1), highest };
  const fast = plan.dataRates[7]?.modulation === 'fsk' ? 7 : 5;
  if (choice === 4) return { channels: [...usual, ...overlapping(plan)], highest };
  const more = between(plan)
    .slice(0, choice === 2 ? 4 : 9)
    .map((hz, i): PlannedChannel => [hz, i === 8 ? [plan.dataRates[6] ? 5 : 7, fast] : undefined]);
  return { channels: [...usual, ...more], highest: more.length === 9 ? fast : highest };
}

/** Frequencies whose channels overlap the first default one. */
function overlapping(plan: Region): PlannedChannel[] {
  const first = defaultUplinkChannels(plan)[0]!.frequencyHz;
  const near = [first + 60_000, first + 110_000].filter((hz) => subBandOf(plan, hz) >= 0);
  return near.map((hz) => [hz, undefined]);
}

/** Frequencies between the default channels and around them, a channel's width inside the band. */
function between(plan: Region): number[] {
  const known = defaultUplinkChannels(plan).map(({ frequencyHz }) => frequencyHz);
  return plan.subBands.flatMap(({ minHz, maxHz }) => {
    const found: number[] = [];
    for (let hz = minHz + 150_000; hz <= maxHz - 150_000; hz += 200_000) {
      if (known.every((other) => other !== hz)) found.push(hz);
    }
    return found;
  });
}

/** Data rates that carry something under the region's first dwell time limit. */
function uplinkRates(plan: Region, highest: number): number[] {
  const lowest = Math.min(...plan.uplinkChannels.map(({ minDataRate }) => minDataRate));
  const rates = Array.from({ length: highest - lowest + 1 }, (_, n) => lowest + n);
  return rates.filter((rate) => maxMacPayload(plan, rate, plan.dwellAtStart.uplink) > 0);
}

function dataRateOf({ dataRate }: DeviceTypePlan, rates: readonly number[]) {
  if (dataRate.from !== 'fixed') return dataRate;
  return { from: 'fixed', dataRate: rates[dataRate.dataRate % rates.length]! } as const;
}

function serverOf(network: NetworkPlan, plan: Region, parts: RegionalParts) {
  const { server } = network;
  const offsets = plan.rx1DataRates[0]!.length;
  const wide = plan.rx2.dataRate >= 8;
  const rates = plan.dataRates.flatMap((rate, index) =>
    rate?.modulation === 'lora' && index >= (wide ? 8 : 0) && index <= (wide ? 13 : 5)
      ? [index]
      : [],
  );
  const { txParams, maxDutyCycle } = parts;
  const row = plan.downlinkChannels;
  const otherHz =
    row === 'asUplink' ? defaultUplinkChannels(plan)[0]!.frequencyHz : row.firstHz + 2 * row.stepHz;
  return {
    ...server,
    rx1DrOffset: server.rx1DrOffset % offsets,
    rx2DataRate: rates[server.rx2DataRate % rates.length]!,
    ...(parts.movesRx2 ? { rx2FrequencyHz: otherHz } : {}),
    ...(maxDutyCycle === 0 ? {} : { maxDutyCycle }),
    ...(txParams === undefined || !plan.txParamSetup
      ? {}
      : {
          txParamSetup: {
            uplinkDwell: txParams.up,
            downlinkDwell: txParams.down,
            maxEirpDbm: MAX_EIRP_DBM[txParams.eirp]!,
          },
        }),
  };
}

// ── campaigns ────────────────────────────────────────────────────────────────────────────────────

/** As `channels` of the regional parts. */
const SECOND_SUB_BAND = 2;

/** A network with campaigns in a region: the second sub-band of a fixed plan, RX2 as it is. */
export function campaignsIn(network: NetworkPlan, name: RegionName): NetworkPlan {
  const plan = region(name);
  const channels = plan.channelMask === 'bank16' ? 0 : SECOND_SUB_BAND;
  const usual = { movesRx2: false, txParams: undefined, maxDutyCycle: 0, presets: [] };
  const moved = inRegion(network, { region: name, channels, ...usual });
  return { ...moved, server: { ...moved.server, rx2DataRate: plan.rx2.dataRate } };
}

/** What of a campaign is the region's. */
interface OnAir {
  readonly mcast_dr: number;
  /** MHz, in EU868. */
  readonly mcast_freq: number;
  readonly frag_size: number;
}

/** A campaign's settings for EU868 in another region: fragments that its data rates carry. */
export function campaignIn<T extends OnAir>(settings: T, name: RegionName): T {
  const plan = region(name);
  const mcast_dr = settings.mcast_dr + (plan.rx2.dataRate >= 8 ? 5 : 0);
  const most = maxFrmPayload(plan, mcast_dr, plan.dwellAtStart.downlink) - 3;
  const row = plan.downlinkChannels;
  const [first, second] =
    row === 'asUplink'
      ? defaultUplinkChannels(plan).map(({ frequencyHz }) => frequencyHz)
      : [row.firstHz, row.firstHz + row.stepHz];
  const hz = { 868.1: first, 868.3: second }[settings.mcast_freq] ?? plan.rx2.frequencyHz;
  const frag_size = Math.min(settings.frag_size, most);
  return { ...settings, mcast_dr, mcast_freq: hz / 1e6, frag_size };
}
