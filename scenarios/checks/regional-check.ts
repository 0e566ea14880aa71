/**
 * What the regional plan refuses of channels, server, groups and campaigns; of devices:
 * device-air-check.ts.
 */

import { FSK_BANDWIDTH_HZ } from '../../sim/lorawan/airtime.ts';
import {
  defaultUplinkChannels,
  FREQUENCY_STEP_HZ,
  MAX_EIRP_DBM,
  maxFrmPayload,
  REGION_NAMES,
  type Region,
  type RegionName,
  region,
  subBandChannelsHz,
  subBandOf,
} from '../../sim/lorawan/region.ts';
import type { Complaint } from '../language/complaint.ts';
import { mapOf, type Named, type Report } from '../language/members.ts';
import { readQuantity } from '../language/quantity.ts';
import { dataRateIndex, NO_DATA_RATE, readChannel } from '../language/readers.ts';
import { dataRateOf, givenTo } from '../schema/update-schema.ts';

/** Any quantity: what is out of all bounds is reported elsewhere. */
export const ANY = { least: Number.MIN_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER };

/** The region of a scenario; EU868 when it does not say, or says none that there is. */
export function regionOf(scenario: Readonly<Record<string, unknown>>): Region {
  const name = REGION_NAMES.find((one) => one === scenario.region);
  return region(name ?? ('EU868' satisfies RegionName));
}

// ── channels ─────────────────────────────────────────────────────────────────────────────────────

/** A channel that a scenario uses. */
export interface Used {
  readonly frequencyHz: number;
  readonly lowest: number;
  readonly highest: number;
}

export const defaultsOf = (plan: Region): Used[] =>
  defaultUplinkChannels(plan).map(({ frequencyHz, minDataRate, maxDataRate }) => ({
    frequencyHz,
    lowest: minDataRate,
    highest: maxDataRate,
  }));

/** Reports what is wrong with the channels; returns those that are right, or the region's. */
export function checkChannels(channels: unknown, plan: Region, report: Report): readonly Used[] {
  const first = new Map<number, number>();
  const list: readonly unknown[] = Array.isArray(channels) ? channels.slice(0, 100) : [];
  const used: Used[] = [];
  for (const [index, entry] of list.entries()) {
    for (const one of channelsMeant(entry, plan, (what) => report(['channels', index], what))) {
      const twin = first.get(one.frequencyHz);
      if (twin === undefined) {
        used.push(one);
      } else {
        const text = typeof entry === 'string' ? entry : `${one.frequencyHz / 1e6} MHz`;
        const what = `${text} is /channels/${twin} already`;
        report(['channels', index], { what, allowed: 'each frequency once' });
      }
      first.set(one.frequencyHz, twin ?? index);
    }
  }
  const most = plan.maxUplinkChannels;
  const known = new Set(defaultsOf(plan).map(({ frequencyHz }) => frequencyHz));
  const extra = used.filter(({ frequencyHz }) => !known.has(frequencyHz));
  if (plan.channelMask === 'bank16' && known.size + extra.length > most) {
    const what = `${extra.length} channels and the ${known.size} default ones are too many`;
    report(['channels'], { what, allowed: `at most ${most} that devices of ${plan.name} know` });
  }
  return used.length === 0 ? defaultsOf(plan) : used;
}

function channelsMeant(
  entry: unknown,
  plan: Region,
  onComplaint: (what: Complaint) => void,
): Used[] {
  const read = readChannel(entry);
  if (!read.ok) return [];
  if (typeof read.value === 'number') {
    const wrong = channelComplaint(read.value, String(entry), plan);
    if (wrong !== undefined) onComplaint(wrong);
    const known = defaultsOf(plan).find(({ frequencyHz }) => frequencyHz === read.value);
    const [{ minDataRate, maxDataRate }] = plan.uplinkChannels as [(typeof plan.uplinkChannels)[0]];
    return [known ?? { frequencyHz: read.value, lowest: minDataRate, highest: maxDataRate }];
  }
  if ('subBand' in read.value) {
    const hz = subBandChannelsHz(plan, read.value.subBand);
    if (hz.length === 0) onComplaint(subBandComplaint(read.value.subBand, plan));
    return defaultsOf(plan).filter(({ frequencyHz }) => hz.includes(frequencyHz));
  }
  const { frequencyHz, dataRates } = read.value;
  const [lowest, highest] = dataRates;
  const wrong =
    channelComplaint(frequencyHz, String(mapOf(entry).frequency), plan) ??
    ratesComplaint(frequencyHz, lowest, highest, plan);
  if (wrong !== undefined) onComplaint(wrong);
  return [{ frequencyHz, lowest, highest }];
}

function subBandComplaint(subBand: number, plan: Region): Complaint {
  const what = `sub-band ${subBand} is none of ${plan.name}`;
  if (plan.channelMask === 'bank16') return { what, allowed: 'frequencies' };
  return { what, allowed: `1 to ${Math.floor(plan.uplinkChannels[0]!.count / 8)}` };
}

/** Own data rates are for channels that devices do not have by default. */
function ratesComplaint(
  hz: number,
  lowest: number,
  highest: number,
  plan: Region,
): Complaint | undefined {
  const known = defaultsOf(plan).find(({ frequencyHz }) => frequencyHz === hz);
  if (known !== undefined && (known.lowest !== lowest || known.highest !== highest)) {
    const what = `${hz / 1e6} MHz is a channel that every device of ${plan.name} has`;
    return { what, allowed: `DR${known.lowest} to DR${known.highest} there` };
  }
  for (let dataRate = lowest; dataRate <= highest; dataRate++) {
    const text = `${hz / 1e6} MHz`;
    const wrong =
      modulationComplaint(dataRate, plan) ??
      frequencyComplaint(hz, text, plan, bandwidthOf(plan, dataRate));
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** Why a data rate is not to be had in a world, whatever it is for. */
export function modulationComplaint(dataRate: number, plan: Region): Complaint | undefined {
  const rate = plan.dataRates[dataRate];
  if (rate?.modulation === 'lora' || rate?.modulation === 'fsk') return undefined;
  const what =
    rate === undefined
      ? `DR${dataRate} is no data rate of ${plan.name}`
      : `DR${dataRate} of ${plan.name} is LR-FHSS, which worlds do not simulate`;
  return { what, allowed: ratesOf(plan) };
}

/** Data rates of LoRa and FSK, in words. */
function ratesOf(plan: Region, from = 0): string {
  const names = plan.dataRates.flatMap((rate, index) =>
    index >= from && (rate?.modulation === 'lora' || rate?.modulation === 'fsk')
      ? [`DR${index}`]
      : [],
  );
  return names.join(', ');
}

/** Undefined where the region has no such data rate. */
function bandwidthOf(plan: Region, dataRate: number): number | undefined {
  const rate = plan.dataRates[dataRate];
  if (rate?.modulation === 'fsk') return FSK_BANDWIDTH_HZ;
  return rate?.modulation === 'lora' ? rate.bandwidthHz : undefined;
}

function channelComplaint(hz: number, text: string, plan: Region): Complaint | undefined {
  if (plan.channelMask === 'bank16') return frequencyComplaint(hz, text, plan);
  if (defaultsOf(plan).some(({ frequencyHz }) => frequencyHz === hz)) return undefined;
  const rows = plan.uplinkChannels.map(
    ({ firstHz, stepHz, count }) =>
      `${firstHz / 1e6} MHz + n·${stepHz / 1e3} kHz (n from 0 to ${count - 1})`,
  );
  return { what: `${text} is no uplink channel of ${plan.name}`, allowed: rows.join(', ') };
}

/** LoRa's usual channel, Hz. */
const USUAL_BANDWIDTH_HZ = 125_000;

/** Why nothing of a bandwidth may be sent on a frequency, which the user wrote so. */
function frequencyComplaint(
  hz: number,
  text: string,
  plan: Region,
  bandwidthHz = USUAL_BANDWIDTH_HZ,
): Complaint | undefined {
  if (hz % FREQUENCY_STEP_HZ !== 0) {
    return { what: `${text} cannot be sent to devices`, allowed: 'multiples of 100 Hz' };
  }
  if (subBandOf(plan, hz, bandwidthHz) >= 0) return undefined;
  const bands = plan.subBands.map(({ minHz, maxHz }) => `${minHz / 1e6}–${maxHz / 1e6}`);
  const channel = `a channel of ${bandwidthHz / 1e3} kHz around ${text}`;
  const what = `${subBandOf(plan, hz) < 0 ? text : channel} is in no sub-band of ${plan.name}`;
  return { what, allowed: `${bands.join(', ')} MHz` };
}

// ── the server ───────────────────────────────────────────────────────────────────────────────────

/** Windows and limits that the server sets for devices must exist in the region. */
export function checkServer(given: unknown, plan: Region, report: Report): void {
  const server = mapOf(given);
  const { rx1DrOffset, rx2DataRate, rx2Frequency, maxEirp } = server;
  const reportServer = (key: string, what: Complaint) => report(['server', key], what);
  const offsets = Math.max(...plan.rx1DataRates.map((row) => row?.length ?? 0)) - 1;
  if (typeof rx1DrOffset === 'number' && rx1DrOffset > offsets && rx1DrOffset <= 7) {
    const what = `${rx1DrOffset} is no offset of RX1 in ${plan.name}`;
    reportServer('rx1DrOffset', { what, allowed: `0 to ${offsets}` });
  }
  const dataRate = dataRateIndex(rx2DataRate);
  const isNamed = dataRate !== NO_DATA_RATE;
  const wrong = isNamed ? downlinkComplaint(dataRate, plan) : undefined;
  if (wrong !== undefined) reportServer('rx2DataRate', wrong);
  const frequency = readQuantity(rx2Frequency, 'frequency', ANY);
  const off = frequency.ok
    ? frequencyComplaint(
        frequency.value,
        String(rx2Frequency),
        plan,
        bandwidthOf(plan, isNamed ? dataRate : plan.rx2.dataRate),
      )
    : undefined;
  if (off !== undefined) reportServer('rx2Frequency', off);
  for (const key of ['uplinkDwell', 'downlinkDwell', 'maxEirp']) {
    if (server[key] === undefined || plan.txParamSetup) continue;
    const what = `devices of ${plan.name} know no TxParamSetupReq`;
    reportServer(key, { what, allowed: 'AU915, AS923-1, AS923-2, AS923-3, AS923-4' });
  }
  const power = readQuantity(maxEirp, 'power', ANY);
  const codes: readonly number[] = MAX_EIRP_DBM;
  if (!power.ok || codes.includes(power.value / 100)) return;
  const what = `${String(maxEirp)} is no power of TxParamSetupReq`;
  reportServer('maxEirp', { what, allowed: `${codes.join(', ')} dBm` });
}

/** Lowest data rate of downlinks of 500 kHz, where a region has them. */
const WIDE_FROM = 8;

function downlinkComplaint(dataRate: number, plan: Region, least = 0): Complaint | undefined {
  const wrong = modulationComplaint(dataRate, plan);
  // Where downlinks are wide, the lower data rates belong to uplinks.
  const lowest = plan.rx2.dataRate >= WIDE_FROM ? WIDE_FROM : 0;
  if (wrong === undefined && dataRate >= lowest) return undefined;
  const what = wrong?.what ?? `DR${dataRate} of ${plan.name} is for uplinks`;
  return { what, allowed: ratesOf(plan, Math.max(lowest, least)) };
}

// ── multicast groups ─────────────────────────────────────────────────────────────────────────────

/** Data rate and frequency of a multicast group must exist in the region. */
export function checkGroupAir({ path, entry }: Named, plan: Region, report: Report): void {
  const dataRate = dataRateIndex(entry.dataRate);
  const given = dataRate === NO_DATA_RATE ? plan.rx2.dataRate : dataRate;
  const refused = downlinkComplaint(given, plan);
  if (refused !== undefined) report([...path, 'dataRate'], refused);
  const frequency = readQuantity(entry.frequency, 'frequency', ANY);
  if (!frequency.ok) return;
  const bandwidthHz = bandwidthOf(plan, given);
  const wrong = frequencyComplaint(frequency.value, String(entry.frequency), plan, bandwidthHz);
  if (wrong !== undefined) report([...path, 'frequency'], wrong);
}

// ── campaigns ────────────────────────────────────────────────────────────────────────────────────

/** Lowest data rate that the firmware update service takes. */
const LEAST_MULTICAST = 1;
/** A frame of fragments besides FRMPayload's fragment: CID, Index&N (TS004-1.0.0 §3.4). */
const FRAGMENT_HEAD_BYTES = 3;

/** Whether the server lifts the dwell time limit of downlinks. */
export const liftsDwell = (scenario: Readonly<Record<string, unknown>>): boolean =>
  mapOf(scenario.server).downlinkDwell === false;

/** Largest fragment at a data rate, or at any when it is open; 0 or less where none fits. */
export function mostFragmentBytes(plan: Region, dataRate?: number, lifted = false): number {
  const rates = dataRate === undefined ? plan.dataRates.map((_, index) => index) : [dataRate];
  const dwell = plan.dwellAtStart.downlink && !lifted;
  const bytes = rates.map((rate) => maxFrmPayload(plan, rate, dwell));
  return Math.max(...bytes) - FRAGMENT_HEAD_BYTES;
}

/** Frequency, data rate and fragment size of a campaign must exist in the region. */
export function checkCampaignAir(
  { path, entry }: Named,
  plan: Region,
  lifted: boolean,
  report: Report,
): void {
  const frequency = readQuantity(entry.mcast_freq, 'frequency', ANY);
  const { key, dataRate: asked } = dataRateOf(entry);
  if (entry.mcast_dr !== undefined && key !== 'mcast_dr') {
    const what = 'stands beside mcast_dr';
    report([...path, key], { what, allowed: 'one of multicastDataRate and mcast_dr' });
  }
  const bandwidthHz = asked === undefined ? undefined : bandwidthOf(plan, asked);
  const wrong = frequency.ok
    ? frequencyComplaint(frequency.value, String(entry.mcast_freq), plan, bandwidthHz)
    : undefined;
  if (wrong !== undefined) report([...path, 'mcast_freq'], wrong);
  const least = key === 'mcast_dr' ? LEAST_MULTICAST : 0;
  const refused = asked === undefined ? undefined : downlinkComplaint(asked, plan, least);
  if (refused !== undefined) report([...path, key], refused);
  const size = givenTo('frag_size', entry);
  if (asked === undefined || refused !== undefined || size === undefined) return;
  const most = mostFragmentBytes(plan, asked, lifted);
  if (size <= most) return;
  const what = `${size} B do not fit into a frame at DR${asked}`;
  report([...path, 'frag_size'], { what, allowed: `at most ${most} B` });
}
