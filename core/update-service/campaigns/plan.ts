/** What a campaign's multicast session will be: data rate, gateways, fragments, pace and length. */
import { fail, ok, type Result } from '../../../sim/base/result.ts';
import { MILLISECOND_US, SECOND_US } from '../../../sim/base/units.ts';
import type {
  DataRateView,
  DeviceView,
  NetworkView,
  Reception,
} from '../../../sim/contract/view.ts';
import { BEACON_PERIOD_S } from '../../../sim/lorawan/class-b.ts';
import {
  fragmentCount,
  isDefective,
  MAX_FRAGMENT_NUMBER,
} from '../../../sim/lorawan/fragmentation-code.ts';
import { DATA_FRAGMENT_OVERHEAD } from '../../../sim/lorawan/packages/ts004-fragmentation.ts';
import { isServing } from '../../simulator/gateway-states.ts';
import { type DeviceGroup, servedAs } from '../device-groups.ts';
import {
  type ChosenGateway,
  chooseOfEach,
  type HeardMember,
  LEVEL_MARGIN_CENTI_DB,
  listedInService,
  type Parties,
  throughServing,
} from '../gateway-choice.ts';
import { LONGEST_FRAG_SIZE } from './commands.ts';
import { askedPaceUs, notBelowUs } from './pace.ts';
import { packagesFor } from './payloads.ts';
import {
  BEACON_PERIOD_EXPONENT,
  choosePeriodicity,
  inWholeSlots,
  slotDurationUs,
} from './ping-pace.ts';
import {
  dutyCycleOf,
  FRAME_OVERHEAD_BYTES,
  longestSetUpUs,
  sessionDelayUs,
  setUpTimeUs,
} from './set-up-time.ts';
import { isInPingSlots, LONGEST_TIME_OUT, passesOf, type Settings } from './settings.ts';

export interface Plan {
  readonly dataRate: number;
  readonly frequencyHz: number;
  readonly gateways: readonly ChosenGateway[];
  readonly nbFrag: number;
  readonly fragSize: number;
  /** Bytes of the last fragment that are not the image's. */
  readonly padding: number;
  /** Coded fragments after the nbFrag uncoded ones. */
  readonly redundancy: number;
  /** Of one fragment's frame, µs. */
  readonly airtimeUs: number;
  readonly fragSendDelayUs: number;
  /** From the session's start to the first fragment: the slowest clock is awake by then. */
  readonly startMarginUs: number;
  /** Of the session request: the session lasts 2^timeOut s, in class B 128 times as long. */
  readonly timeOut: number;
  /** Of the group's ping slots, 0…7; null in a class C session. */
  readonly periodicity: number | null;
  readonly setupUs: number;
  /** Of TS004, which the members speak: it decides the parity matrix. */
  readonly version: 1 | 2;
  /** Port of the fragments. */
  readonly fPort: number;
  /** Where the session meets another campaign's, since one of them may not wait: a sentence. */
  readonly meets?: string;
}

/** Highest data rate index that TS005 carries. */
const HIGHEST_DATA_RATE = 15;
/** In plans with 500 kHz downlinks, lower indexes belong to uplinks (RP002-1.0.4, US915, AU915). */
const WIDE_BANDWIDTH_HZ = 500_000;
const LOWEST_WIDE_DATA_RATE = 8;

/** What a gateway needs between two frames in its queue, besides their air time. */
export const GATEWAY_PAUSE_US = 100 * MILLISECOND_US;

/** A session is planned this much longer than its fragments take. */
const SESSION_MARGIN = 1.5;

export interface PlanInput {
  readonly settings: Settings;
  readonly group: DeviceGroup;
  readonly imageBytes: number;
  /** Who takes part, in the group's order; all speak the same version of TS004. */
  readonly devEuis: readonly string[];
  /** Whose they are: each is served by the gateways of its owner. Absent: all are of one. */
  readonly parties?: Parties;
}

/** Why there is none. */
type CutFailure = 'campaign.frag-size' | 'campaign.image-too-large';
type PaceFailure = 'campaign.frequency' | 'campaign.session-too-long';
export type PlanFailure = CutFailure | PaceFailure | 'campaign.data-rate' | 'campaign.no-gateway';

/** Decides everything that the settings leave open, by what the network knows now. */
export function makePlan(
  input: PlanInput,
  view: NetworkView,
  nowUs: number,
): Result<Plan, PlanFailure> {
  const { settings, group } = input;
  const heard = heardMembers(input, view, nowUs);
  const dataRate = chooseDataRate(settings.mcast_dr, group.gateways, heard, view);
  const rate = view.dataRate(dataRate);
  if (rate === undefined || rate.maxFrmPayload <= DATA_FRAGMENT_OVERHEAD) {
    return fail('campaign.data-rate', `DR${dataRate} carries no fragments here.`, '/mcast_dr');
  }
  const gateways = sendersFor(input, heard, rate, view, nowUs);
  if (gateways.length === 0) {
    const isOfGps = isInPingSlots(settings) && view.gateways().length > 0;
    const which = isOfGps ? 'gateway with GPS time' : 'gateway';
    return fail('campaign.no-gateway', `There is no ${which}.`);
  }
  const fragments = cutImage(input.imageBytes, settings, rate, dataRate);
  if (!fragments.ok) return fragments;
  const frequencyHz = settings.mcast_freq ?? view.rx2.frequencyHz;
  const air = { dataRate, frequencyHz, gateways };
  const pace = paceOf({ ...air, ...fragments.value }, settings, view);
  if (!pace.ok) return pace;
  const members = input.devEuis.flatMap((devEui) => view.device(devEui) ?? []);
  const delayUs = sessionDelayUs(settings);
  const setupUs =
    delayUs === undefined
      ? (settings.multicast_setup_time ??
        setUpTimeUs(setUpOf(group, members), gateways, view, nowUs))
      : longestSetUpUs(settings, delayUs);
  const [first = ''] = input.devEuis;
  const { version, fPort } = packagesFor(view, first).fragmentation;
  return ok({ ...air, ...fragments.value, ...pace.value, setupUs, version, fPort });
}

/**
 * The plan as its session begins: where a gateway that was chosen is known to fail by now, others
 * are chosen at the same data rate. More of them take turns at a pace that leaves room for all.
 */
export function replanned(plan: Plan, input: PlanInput, view: NetworkView, nowUs: number): Plan {
  if (input.group.gateways.length > 0) return plan;
  const serves = ({ eui }: ChosenGateway): boolean => {
    const gateway = view.gateway(eui);
    return gateway !== undefined && isServing(gateway, nowUs);
  };
  const rate = view.dataRate(plan.dataRate);
  if (rate === undefined || plan.gateways.every(serves)) return plan;
  const gateways = sendersFor(input, heardMembers(input, view, nowUs), rate, view, nowUs);
  if (gateways.length === 0) return plan;
  const air = { ...plan, gateways };
  const pacedUs = leastDelayUs(air, input.settings, plan.airtimeUs, view);
  return { ...air, fragSendDelayUs: Math.max(plan.fragSendDelayUs, pacedUs) };
}

type Heard = ReturnType<typeof heardMembers>;

/** Who hears the members, of gateways not known to fail; in ping slots, of those with GPS time. */
function heardMembers({ devEuis, settings, parties }: PlanInput, view: NetworkView, nowUs: number) {
  const { ownerOf, viewOf } = parties ?? ofOne(view);
  const inSlots = isInPingSlots(settings);
  const counts = ({ gatewayEui }: Reception): boolean => !inSlots || hasGps(gatewayEui, view);
  const members = devEuis.map((devEui) => ({
    owner: ownerOf(devEui),
    heardBy: view.device(devEui)?.heardBy.filter(counts) ?? [],
  }));
  return throughServing(members, { viewOf }, nowUs);
}

/** Gateways that are listed and in service, or those that serve all at a data rate. */
function sendersFor(
  { group, settings, parties }: PlanInput,
  heard: Heard,
  rate: DataRateView,
  view: NetworkView,
  nowUs: number,
): readonly ChosenGateway[] {
  const levelCentiDbm = rate.deviceSensitivityCentiDbm + LEVEL_MARGIN_CENTI_DB;
  const chosen =
    group.gateways.length > 0
      ? listedInService(group.gateways, view)
      : chooseOfEach(heard, levelCentiDbm, parties ?? ofOne(view), nowUs);
  return isInPingSlots(settings) ? chosen.filter(({ eui }) => hasGps(eui, view)) : chosen;
}

/** All members are of one owner. */
const ofOne = (view: NetworkView): Parties => ({ ownerOf: () => '', viewOf: () => view });

/** Members by the way in which they are spoken to. */
const setUpOf = (group: DeviceGroup, members: readonly DeviceView[]) => ({
  inWindows: members.filter((member) => servedAs(group, member) === 'A'),
  atAnyTime: members.filter((member) => servedAs(group, member) === 'C'),
});

// ── data rate ────────────────────────────────────────────────────────────────────────────────────

/**
 * The data rate asked for, or the fastest whose sensitivity every member reaches with a margin from
 * some gateway that may send; the slowest when none does, RX2's when no member was ever heard.
 */
function chooseDataRate(
  asked: number | null,
  listed: readonly string[],
  members: readonly HeardMember[],
  view: NetworkView,
): number {
  if (asked !== null) return asked;
  const levels = members
    .map(({ heardBy }) => bestLevel(heardBy, listed))
    .filter((level) => level !== undefined);
  if (levels.length === 0) return view.rx2.dataRate;
  const weakest = levels.reduce((a, b) => Math.min(a, b));
  const rates = downlinkDataRates(view);
  const fastest = rates.find(
    ({ rate }) => weakest >= rate.deviceSensitivityCentiDbm + LEVEL_MARGIN_CENTI_DB,
  );
  return (fastest ?? rates.at(-1))?.index ?? view.rx2.dataRate;
}

function bestLevel(heardBy: readonly Reception[], listed: readonly string[]): number | undefined {
  const levels = heardBy
    .filter(({ gatewayEui }) => listed.length === 0 || listed.includes(gatewayEui))
    .map(({ downlinkCentiDbm }) => downlinkCentiDbm);
  return levels.length === 0 ? undefined : Math.max(...levels);
}

/** Data rates of RX2's bandwidth that carry fragments, fastest first. */
function downlinkDataRates(
  view: NetworkView,
): { readonly index: number; readonly rate: DataRateView }[] {
  const bandwidthHz = view.dataRate(view.rx2.dataRate)?.bandwidthHz;
  const lowest = bandwidthHz === WIDE_BANDWIDTH_HZ ? LOWEST_WIDE_DATA_RATE : 0;
  const found: { readonly index: number; readonly rate: DataRateView }[] = [];
  for (let index = lowest; index <= HIGHEST_DATA_RATE; index++) {
    const rate = view.dataRate(index);
    if (rate === undefined || rate.bandwidthHz !== bandwidthHz) continue;
    if (rate.maxFrmPayload > DATA_FRAGMENT_OVERHEAD) found.push({ index, rate });
  }
  return found.sort((a, b) => a.rate.spreadingFactor - b.rate.spreadingFactor || b.index - a.index);
}

// ── fragments ────────────────────────────────────────────────────────────────────────────────────

type Fragments = Pick<Plan, 'nbFrag' | 'fragSize' | 'padding' | 'redundancy'>;

function cutImage(
  imageBytes: number,
  settings: Settings,
  rate: DataRateView,
  dataRate: number,
): Result<Fragments, CutFailure> {
  const most = Math.min(rate.maxFrmPayload - DATA_FRAGMENT_OVERHEAD, LONGEST_FRAG_SIZE);
  const asked = settings.frag_size ?? settings.fragSizes[dataRate] ?? null;
  if (asked !== null && asked > most) {
    const message = `A fragment has ${asked} bytes; DR${dataRate} carries ${most}.`;
    const field = settings.frag_size === null ? '/frag_sizes' : '/frag_size';
    return fail('campaign.frag-size', message, field);
  }
  const fragSize = asked ?? chooseFragSize(imageBytes, most, settings.frag_size_multiple ?? 1);
  const nbFrag = fragmentCount(imageBytes, fragSize);
  const wanted = Math.ceil(nbFrag * settings.redundancy);
  const redundancy = Math.min(wanted, settings.redundancy_most ?? wanted);
  if (nbFrag + redundancy > MAX_FRAGMENT_NUMBER) {
    const message =
      `${imageBytes} bytes are ${nbFrag} fragments and ${redundancy} for redundancy at ` +
      `DR${dataRate}; a session has at most ${MAX_FRAGMENT_NUMBER}.`;
    return fail('campaign.image-too-large', message, '/image_name');
  }
  return ok({ nbFrag, fragSize, padding: nbFrag * fragSize - imageBytes, redundancy });
}

/**
 * The largest size that leaves two fragments or more (the code adds nothing to a single one) and
 * whose number of fragments the code serves well.
 */
export function chooseFragSize(imageBytes: number, most: number, multiple = 1): number {
  const down = (size: number): number => Math.floor(size / multiple) * multiple;
  const least = Math.min(multiple, most);
  let size = Math.max(least, down(Math.min(most, Math.ceil(imageBytes / 2))));
  while (size > multiple && isDefective(fragmentCount(imageBytes, size))) size -= multiple;
  return size;
}

/** The size nearest to this one, the smaller of two, whose number of fragments is served well. */
export function nearestGoodFragSize(imageBytes: number, fragSize: number): number {
  for (let away = 0; away < fragSize; away++) {
    for (const size of [fragSize - away, fragSize + away]) {
      if (size <= LONGEST_FRAG_SIZE && !isDefective(fragmentCount(imageBytes, size))) return size;
    }
  }
  return fragSize;
}

// ── pace ─────────────────────────────────────────────────────────────────────────────────────────

type Air = Pick<Plan, 'dataRate' | 'frequencyHz' | 'gateways'> & Fragments;
type Pace = Pick<
  Plan,
  'airtimeUs' | 'fragSendDelayUs' | 'startMarginUs' | 'timeOut' | 'periodicity'
>;

function paceOf(air: Air, settings: Settings, view: NetworkView): Result<Pace, PaceFailure> {
  const phyBytes = FRAME_OVERHEAD_BYTES + DATA_FRAGMENT_OVERHEAD + air.fragSize;
  const airtimeUs = view.downlinkAirtimeUs(air.dataRate, phyBytes);
  if (!view.mayCarry(air.frequencyHz, air.dataRate)) {
    const ranges = view.downlinkRangesHz(air.dataRate).map(([from, to]) => `${from} to ${to}`);
    const message =
      `DR${air.dataRate} may not be sent on ${air.frequencyHz} Hz here; ` +
      `allowed: ${ranges.join(', or ')} Hz.`;
    return fail('campaign.frequency', message, '/mcast_freq');
  }
  const askedUs = askedDelayUs(air, settings, airtimeUs, view);
  const paceUs = askedUs ?? leastDelayUs(air, settings, airtimeUs, view);
  const fragSendDelayUs = notBelowUs(paceUs, settings, airtimeUs);
  if (isInPingSlots(settings)) return slotPace(air, settings, airtimeUs, fragSendDelayUs);
  const startMarginUs = settings.acceptable_time_drift + SECOND_US;
  const passes = passesOf(settings, air.redundancy);
  const frames = passes * (air.nbFrag + air.redundancy + 1);
  const durationUs = startMarginUs + frames * fragSendDelayUs;
  const timeOut = timeOutAsked(settings) ?? timeOutFor(air, settings) ?? chooseTimeOut(durationUs);
  if (timeOut > LONGEST_TIME_OUT) {
    const message =
      `The fragments take ${Math.ceil(durationUs / SECOND_US)} s; ` +
      `a class C session lasts at most ${1 << LONGEST_TIME_OUT} s.`;
    return fail('campaign.session-too-long', message);
  }
  return ok({ airtimeUs, fragSendDelayUs, startMarginUs, timeOut, periodicity: null });
}

/** The pace that was asked for; null: the campaign chooses. */
function askedDelayUs(
  { dataRate, fragSize, gateways }: Air,
  settings: Settings,
  airtimeUs: number,
  view: NetworkView,
): number | null {
  const turns = isStaggered(settings) ? gateways.length : 1;
  return askedPaceUs(settings, { airtimeUs, fragSize, turns, rate: view.dataRate(dataRate) });
}

const isStaggered = (settings: Settings): boolean =>
  settings.gateway_timing === 'staggered' && !isInPingSlots(settings);

/** Exponent of the shortest session with the time for each fragment that was asked for. */
function timeOutFor({ nbFrag, redundancy }: Air, settings: Settings): number | undefined {
  const { session_fragment_time: timeUs } = settings;
  if (timeUs === null) return undefined;
  const neededS = (timeUs * (nbFrag + redundancy + 1)) / SECOND_US;
  let timeOut = 0;
  while (1 << timeOut < neededS && timeOut < LONGEST_TIME_OUT) timeOut++;
  return timeOut;
}

/** One pace for all: that of the gateway that may send least. */
function leastDelayUs(
  { gateways, frequencyHz }: Pick<Plan, 'gateways' | 'frequencyHz'>,
  settings: Settings,
  airtimeUs: number,
  view: NetworkView,
): number {
  const dutyCycle = gateways.reduce(
    (least, { eui }) => Math.min(least, dutyCycleOf(eui, frequencyHz, view)),
    1,
  );
  return shortestDelayUs(airtimeUs, dutyCycle, isStaggered(settings) ? gateways.length : 1);
}

/** The same for a session of class B: a whole number of slots from one fragment to the next. */
function slotPace(
  air: Air,
  settings: Settings,
  airtimeUs: number,
  wantedUs: number,
): Result<Pace, PaceFailure> {
  const periodicity = settings.pingSlotPeriodicity ?? choosePeriodicity(wantedUs);
  const fragSendDelayUs = inWholeSlots(wantedUs, periodicity);
  const durationUs = slotDurationUs(air.nbFrag + air.redundancy + 1, fragSendDelayUs);
  const chosen = chooseTimeOut(durationUs / BEACON_PERIOD_S);
  const asked = timeOutAsked(settings);
  const timeOut = asked === undefined ? chosen : Math.max(0, asked - BEACON_PERIOD_EXPONENT);
  if (timeOut > LONGEST_TIME_OUT) {
    const message = `The fragments take ${Math.ceil(durationUs / SECOND_US)} s.`;
    return fail('campaign.session-too-long', message);
  }
  // The beacon gives every clock the instant at which the session begins.
  return ok({ airtimeUs, fragSendDelayUs, startMarginUs: 0, timeOut, periodicity });
}

/** The exponent of two that a power of two was given for, s; undefined: the campaign chooses. */
function timeOutAsked({ mcast_session_timeout: askedUs }: Settings): number | undefined {
  return askedUs === null ? undefined : 31 - Math.clz32(askedUs / SECOND_US);
}

/** Length of a plan's session, s. */
export const sessionS = ({ periodicity, timeOut }: Pick<Plan, 'periodicity' | 'timeOut'>): number =>
  (periodicity === null ? 1 : BEACON_PERIOD_S) * (1 << timeOut);

const hasGps = (eui: string, view: NetworkView): boolean => view.gateway(eui)?.gps === true;

/** Fragment interval allowed by the duty cycle, where several gateways take turns. */
export const shortestDelayUs = (airtimeUs: number, dutyCycle: number, turns: number): number =>
  roundedUp(Math.max(airtimeUs / dutyCycle, turns * (airtimeUs + GATEWAY_PAUSE_US)));

/** Whole seconds from one second on, else whole milliseconds. */
function roundedUp(us: number): number {
  const unitUs = us >= SECOND_US ? SECOND_US : MILLISECOND_US;
  return Math.ceil(us / unitUs) * unitUs;
}

/**
 * Smallest exponent whose session has the margin; the longest when at least the fragments fit it,
 * and one more when they do not.
 */
export function chooseTimeOut(durationUs: number): number {
  for (let timeOut = 0; timeOut <= LONGEST_TIME_OUT; timeOut++) {
    if ((1 << timeOut) * SECOND_US >= SESSION_MARGIN * durationUs) return timeOut;
  }
  const fits = (1 << LONGEST_TIME_OUT) * SECOND_US >= durationUs;
  return fits ? LONGEST_TIME_OUT : LONGEST_TIME_OUT + 1;
}
