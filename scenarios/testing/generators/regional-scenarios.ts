/**
 * Generated scenario files in any region (fast-check): a document that was drawn for EU868 is moved
 * to another regional plan, its channels, data rates, windows and powers to such as exist there.
 */
import {
  maxFrmPayload,
  type Region,
  type RegionName,
  region,
} from '../../../sim/lorawan/region.ts';
import { mapOf } from '../../language/members.ts';
import { readQuantity } from '../../language/quantity.ts';
import { dataRateIndex, NO_DATA_RATE } from '../../language/readers.ts';
import { campaignIn } from './arbitrary-regions.ts';
import type { ScenarioDocument } from './arbitrary-scenarios.ts';

/** The document in a region; one of EU868 stays as it is. */
export function documentIn(document: ScenarioDocument, name: RegionName): ScenarioDocument {
  if (name === 'EU868') return document;
  const plan = region(name);
  const { channels, ...rest } = document;
  const devices = document.devices as readonly ScenarioDocument[];
  return {
    ...rest,
    region: name,
    // A network of a fixed plan mostly has eight of its channels.
    ...(channels !== undefined && plan.channelMask !== 'bank16' && { channels: [{ subBand: 2 }] }),
    ...(document.server !== undefined && { server: serverIn(mapOf(document.server), plan) }),
    devices: devices.map((entry) => populationIn(entry, plan)),
  };
}

function serverIn(server: ScenarioDocument, plan: Region): ScenarioDocument {
  const { rx1DrOffset, rx2DataRate } = server;
  const offsets = plan.rx1DataRates[0]!.length;
  return {
    ...server,
    ...(typeof rx1DrOffset === 'number' && { rx1DrOffset: rx1DrOffset % offsets }),
    ...(rx2DataRate !== undefined && { rx2DataRate: `DR${plan.rx2.dataRate}` }),
  };
}

const USUAL_PAYLOAD = '12 B';

function populationIn(entry: ScenarioDocument, plan: Region): ScenarioDocument {
  const { dataRate, maxEirp, ...rest } = entry;
  const given = dataRateIndex(dataRate);
  const rates = ratesFor(mapOf(entry.traffic).payload ?? USUAL_PAYLOAD, plan);
  const isFixed = given !== NO_DATA_RATE;
  const power = readQuantity(maxEirp, 'power', { least: -100_000, most: plan.maxEirpCentiDbm });
  return {
    ...rest,
    ...(dataRate !== undefined && !isFixed && { dataRate }),
    ...(isFixed && rates.length > 0 && { dataRate: `DR${rates[given % rates.length]}` }),
    ...(power.ok && { maxEirp }),
  };
}

/** Data rates of the channels that every device has, whose frames carry a payload. */
export function ratesFor(payload: unknown, plan: Region): readonly number[] {
  const { minDataRate, maxDataRate } = plan.uplinkChannels[0]!;
  const bytes = readQuantity(payload, 'size', { least: 0, most: 255 });
  const rates = Array.from({ length: maxDataRate - minDataRate + 1 }, (_, i) => minDataRate + i);
  return rates.filter(
    (rate) => bytes.ok && maxFrmPayload(plan, rate, plan.dwellAtStart.uplink) >= bytes.value,
  );
}

/** What of a campaign is the region's, as it was drawn for EU868. */
export interface CampaignAir {
  readonly mcast_dr: number;
  /** MHz. */
  readonly mcast_freq: number;
  readonly frag_size: number;
}

/** The same as knobs of a file in a region. */
export function campaignAirIn(air: CampaignAir, name: RegionName): ScenarioDocument {
  const { mcast_dr, mcast_freq, frag_size } = campaignIn(air, name);
  return { mcast_dr, mcast_freq: `${mcast_freq} MHz`, frag_size: `${frag_size} B` };
}
