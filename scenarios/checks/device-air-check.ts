/** What the regional plan refuses of devices (data rates, powers, payloads), and what is unwise. */
import {
  ADR_ACK_DELAY,
  ADR_ACK_LIMIT,
  maxFrmPayload,
  maxMacPayload,
  type Region,
} from '../../sim/lorawan/region.ts';
import type { Complaint } from '../language/complaint.ts';
import type { Longest } from '../language/longest-message.ts';
import { type Member, mapOf, type Report } from '../language/members.ts';
import { readQuantity } from '../language/quantity.ts';
import { DATA_RATES, dataRateIndex, NO_DATA_RATE } from '../language/readers.ts';
import type { DeviceEntry } from '../schema/schema.ts';
import { ANY, defaultsOf, modulationComplaint, type Used } from './regional-check.ts';

/** Whether uplinks keep a dwell time limit: at first, and once the server has set its own. */
export interface UplinkDwell {
  readonly atStart: boolean;
  readonly later: boolean;
}

export function uplinkDwellOf(
  { uplinkDwell }: Readonly<Record<string, unknown>>,
  { dwellAtStart, txParamSetup }: Region,
): UplinkDwell {
  const atStart = dwellAtStart.uplink;
  const isSet = txParamSetup && typeof uplinkDwell === 'boolean';
  return { atStart, later: isSet ? uplinkDwell : atStart };
}

/** Data rate, payload and power of a population must exist in the region. */
export function checkAir(
  member: Member,
  plan: Region,
  channels: readonly Used[],
  dwell: UplinkDwell,
  report: Report,
): void {
  const { entry, path } = member;
  const dataRate = dataRateIndex(entry.dataRate);
  if (dataRate !== NO_DATA_RATE) {
    const wrong =
      modulationComplaint(dataRate, plan) ??
      uncarriedComplaint(dataRate, plan, channels) ??
      dwellComplaint(dataRate, plan, channels, dwell);
    if (wrong !== undefined) report([...path, 'dataRate'], wrong);
    else checkPayload(member, dataRate, plan, dwell, report);
  }
  const power = readQuantity(entry.maxEirp, 'power', ANY);
  if (!power.ok || power.value <= plan.maxEirpCentiDbm) return;
  const what = `${String(entry.maxEirp)} is more than devices of ${plan.name} may radiate`;
  report([...path, 'maxEirp'], { what, allowed: `at most ${plan.maxEirpCentiDbm / 100} dBm` });
}

/**
 * Where devices join at one data rate, one that is given none starts with it. Messages that are too
 * long there are dropped, and empty frames go in their place (docs/decisions/0027), until ADR lifts
 * the device to a faster one; for ever where there is no ADR.
 */
export function checkFirstFrame(
  scenario: Readonly<Record<string, unknown>>,
  { entry, path }: Member,
  plan: Region,
  warn: Report,
): void {
  const { join } = plan;
  const starts = entry.dataRate === undefined || entry.dataRate === 'join';
  if (join.kind !== 'alternating' || !starts || entry.activation === 'abp') return;
  const given = mapOf(entry.traffic);
  const payload = readQuantity(given.payload ?? '12 B', 'size', ANY);
  const most = maxFrmPayload(plan, join.dataRate, plan.dwellAtStart.uplink);
  // Rows of a file have lengths of their own.
  const isFromFile = given.file !== undefined;
  if (!payload.ok || payload.value <= most || given.process === 'none' || isFromFile) return;
  const hasAdr = entry.adr !== false && mapOf(scenario.server).adr !== false;
  const what =
    `${payload.value} B do not fit into a frame at DR${join.dataRate}, at which devices of ` +
    `${plan.name} join: their messages are dropped and empty frames sent, ` +
    (hasAdr ? 'until ADR gives them a faster data rate' : 'for ever without ADR');
  const place = given.payload === undefined ? ['name'] : ['traffic', 'payload'];
  warn([...path, ...place], { what, allowed: `at most ${most} B, or a dataRate` });
}

/**
 * Where the network lifts the uplink dwell time limit, a device keeps it until TxParamSetupReq
 * comes: at a faster data rate than its own, or with shorter payloads.
 */
export function checkLiftedDwell(
  { entry, path }: Member,
  plan: Region,
  { atStart, later }: UplinkDwell,
  warn: Report,
): void {
  const dataRate = dataRateIndex(entry.dataRate);
  // A personalised device is set up for its network, unless it knows the region alone.
  const isSetUp = entry.activation === 'abp' && entry.channels !== 'region';
  if (!atStart || later || isSetUp || dataRate === NO_DATA_RATE) return;
  const given = mapOf(entry.traffic);
  const payload = readQuantity(given.payload ?? '12 B', 'size', ANY);
  const first = plan.dataRates.findIndex(
    (_, rate) => rate >= dataRate && maxMacPayload(plan, rate, true) > 0,
  );
  const most = maxFrmPayload(plan, first, true);
  const isFromFile = given.file !== undefined;
  if (!payload.ok || payload.value <= most || given.process === 'none' || isFromFile) return;
  const what =
    `${payload.value} B do not fit into a frame at DR${first} under the dwell time limit, which ` +
    `devices of ${plan.name} keep until the network lifts it: until then their messages are ` +
    'dropped and empty frames sent';
  warn([...path, 'dataRate'], { what });
}

/** Uplinks without an answer after which ADR back-off may turn channels on (1.0.4 §4.3.1.1). */
const PATIENCE = ADR_ACK_LIMIT + 2 * ADR_ACK_DELAY;
/** Populations that the warning names; a scenario has up to 1 000. */
const NAMES_SHOWN = 5;

/**
 * A network may use some of a plan's channels. A device that hears nothing for long turns all of
 * them on, and is then mostly heard by nobody.
 */
export function checkBackOff(
  scenario: Readonly<Record<string, unknown>>,
  members: readonly Member[],
  plan: Region,
  channels: readonly Used[],
  warn: Report,
): void {
  const all = defaultsOf(plan).length;
  if (plan.channelMask === 'bank16' || channels.length === all) return;
  const duration = readQuantity(scenario.duration ?? '1 d', 'duration', ANY);
  const leavers = members.filter(({ entry }) => {
    const { process, every = '1 h' } = mapOf(entry.traffic);
    const period = readQuantity(every, 'duration', ANY);
    const isLong = duration.ok && period.ok && duration.value > PATIENCE * period.value;
    return entry.adr !== false && process !== 'none' && isLong;
  });
  if (leavers.length === 0) return;
  const named = leavers.slice(0, NAMES_SHOWN).map(({ name }) => name);
  const more = leavers.length - named.length;
  const names = `${named.join(', ')}${more > 0 ? ` and ${more} more populations` : ''}`;
  const what =
    `${PATIENCE} uplinks without an answer, as in an outage, make devices of ${names} turn on ` +
    `all ${all} channels of ${plan.name} (ADR back-off), and gateways listen on ` +
    `${channels.length}: what is lost then is lost.offChannelAfterBackOff`;
  warn(['channels'], { what });
}

function uncarriedComplaint(
  dataRate: number,
  plan: Region,
  channels: readonly Used[],
): Complaint | undefined {
  const carries = (rate: number) =>
    channels.some(({ lowest, highest }) => rate >= lowest && rate <= highest);
  if (carries(dataRate)) return undefined;
  const rates = DATA_RATES.filter((_, index) => carries(index)).join(', ');
  const what = `no uplink channel of this scenario carries DR${dataRate} of ${plan.name}`;
  return { what, allowed: rates };
}

/** A slow data rate may carry nothing at all under a dwell time limit. */
function dwellComplaint(
  dataRate: number,
  plan: Region,
  channels: readonly Used[],
  { later }: UplinkDwell,
): Complaint | undefined {
  const carries = (rate: number) => maxMacPayload(plan, rate, later) > 0;
  if (carries(dataRate)) return undefined;
  const isUsed = (rate: number) =>
    channels.some(({ lowest, highest }) => rate >= lowest && rate <= highest);
  const rates = DATA_RATES.filter((_, rate) => isUsed(rate) && carries(rate));
  const what = `DR${dataRate} of ${plan.name} carries no frame under the uplink dwell time limit`;
  return { what, allowed: `${rates.join(', ')}; or server.uplinkDwell: false` };
}

/** A payload must fit into a frame at the data rate that its device is fixed to. */
function checkPayload(
  { entry, path }: Member,
  dataRate: number,
  plan: Region,
  { later }: UplinkDwell,
  report: Report,
): void {
  const { payload: given, file } = mapOf(entry.traffic);
  // Rows of a file have lengths of their own.
  if (given === undefined && file !== undefined) return;
  const payload = readQuantity(given ?? '12 B', 'size', ANY);
  const most = maxFrmPayload(plan, dataRate, later);
  if (!payload.ok || payload.value <= most) return;
  const bytes = `${payload.value} B do not fit into a frame at DR${dataRate}`;
  const dwell = most < maxFrmPayload(plan, dataRate) ? ' under the dwell time limit' : '';
  const place = given === undefined ? ['dataRate'] : ['traffic', 'payload'];
  report([...path, ...place], { what: `${bytes}${dwell}`, allowed: `at most ${most} B` });
}

/** The same of the devices of a population. */
export function longestMessage(
  { dataRate, activation, adr }: Pick<DeviceEntry, 'dataRate' | 'activation' | 'adr'>,
  plan: Region,
  hasServerAdr: boolean,
  dwell: boolean,
): Longest {
  const isLifted = adr && hasServerAdr;
  const { join } = plan;
  const joinsAt = activation === 'otaa' && join.kind === 'alternating' ? join.dataRate : undefined;
  const first = dataRate.from === 'join' ? joinsAt : undefined;
  const begins = dataRate.from === 'fixed' ? dataRate.dataRate : first;
  const rates = plan.dataRates.map((_, rate) => maxFrmPayload(plan, rate));
  const most = { bytes: Math.max(...rates), at: `at any data rate of ${plan.name}` };
  if (begins === undefined) return most;
  const bytes = maxFrmPayload(plan, begins, dwell);
  const atFirst = { bytes, at: `at DR${begins}` };
  if (dataRate.from === 'fixed' && !isLifted) return atFirst;
  const until = isLifted ? 'until ADR lifts it' : 'for ever without ADR';
  return { ...most, atFirst: { ...atFirst, until } };
}
