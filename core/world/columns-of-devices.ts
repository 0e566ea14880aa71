/** Recorded columns of a run: what its recorder has counted of devices, beside what is true. */
import { ENERGY_CAUSES, type EnergyCause, type TransmissionFate } from '../../sim/base/counts.ts';
import { SECOND_US } from '../../sim/base/units.ts';
import { type DeviceRecord, type GroupRecord, RECORDED_FATES } from '../../sim/contract/records.ts';
import type { RecordedDevice } from '../../sim/contract/summary.ts';
import { coordinatesOf } from '../base/geography.ts';
import {
  type CampaignColumns,
  COLUMNS_FORMAT,
  countCharacter,
  type DeviceColumns,
  DOWNLINK_WINDOWS,
  type DownlinkWindow,
  FRAME_FATES,
  type FragmentColumns,
  type RunColumns,
  STEPS_MOST,
  type TimelineMark,
  type WindowCounts,
} from '../result/columns.ts';
import type { CampaignDevice, DeviceOutcome } from '../result/outcome.ts';
import type { DeviceOutcomes } from './device-outcomes.ts';
import { type RunPlan, slicingOf, type WorldPlan } from './plan.ts';
import { batteryYears } from './result-of-energy.ts';

/** Devices, slices of time, multicast frames and timeline entries that are recorded at most. */
const DEVICES_MOST = 20_000;
const SLICES = 32;
const FRAMES_MOST = 12_000_000;
const MARKS_MOST = 400;

/** What a recorder of a world of this plan is made with. */
export const recorderOptions = (plan: RunPlan) => ({
  devices: plan.network.devices.length,
  sliceUs: recordedSliceUs(plan),
  slices: SLICES,
  most: DEVICES_MOST,
  steps: STEPS_MOST,
  frames: FRAMES_MOST,
});

/** A slice is three of the result's series. */
const recordedSliceUs = (plan: WorldPlan): number => 3 * slicingOf(plan).firstUs;

/** Of a network that is settled. */
export function recordedColumns(
  plan: WorldPlan,
  { total, recorded }: { readonly total: number; readonly recorded: readonly RecordedDevice[] },
  outcomes: Pick<DeviceOutcomes, 'membersAmong'>,
  { digest, seen }: { readonly digest: string; readonly seen?: readonly CampaignDevice[] },
): RunColumns {
  return {
    format: COLUMNS_FORMAT,
    digest,
    total,
    devices: deviceColumns(plan, recorded),
    campaigns: campaignColumns(recorded, outcomes, seen),
    marks: marksOf(plan),
  };
}

// ── devices ──────────────────────────────────────────────────────────────────────────────────────

function deviceColumns(plan: WorldPlan, all: readonly RecordedDevice[]): DeviceColumns {
  const populations = [...new Set(all.map(({ type }) => type))];
  const placeOf = new Map(populations.map((name, place) => [name, place]));
  return {
    names: all.map(({ name }) => name),
    devEuis: all.map(({ devEui }) => devEui),
    populations,
    population: all.map(({ type }) => placeOf.get(type)!),
    xMeters: all.map(({ xMeters }) => Math.round(xMeters)),
    yMeters: all.map(({ yMeters }) => Math.round(yMeters)),
    ...placesOnEarth(plan, all),
    joinSeconds: all.map(({ joinUs, otaa }) => (joinUs === null || !otaa ? null : ms(joinUs))),
    joinRequests: all.map(({ joinRequests }) => joinRequests),
    sent: all.map(({ sent }) => sent),
    delivered: all.map(({ delivered }) => delivered),
    dropped: all.map(({ dropped }) => dropped),
    dutyCycleWaits: all.map(({ dutyCycleWaits }) => dutyCycleWaits),
    uplinks: uplinkColumns(all),
    downlinks: downlinkColumns(all),
    dataRate: all.map(({ dataRate }) => dataRate),
    marginDb: all.map(({ recorded: { marginCentiDb } }) =>
      marginCentiDb === null ? null : Math.round(marginCentiDb / 10) / 10,
    ),
    ...energyColumns(plan, all),
    traffic: {
      sliceSeconds: recordedSliceUs(plan) / SECOND_US,
      slices: SLICES,
      frames: all.map(({ recorded }) => framesText(recorded)),
    },
    steps: all.map(({ recorded: { steps } }) =>
      steps.map(({ atUs, dataRate, eirpCentiDbm }) => [
        seconds(atUs),
        dataRate,
        eirpCentiDbm / 100,
      ]),
    ),
  };
}

/** To a meter or so. */
function placesOnEarth({ origin }: WorldPlan, all: readonly RecordedDevice[]) {
  if (origin === undefined) return {};
  const places = all.map((place) => coordinatesOf(place, origin));
  const rounded = (degrees: number) => Math.round(degrees * 1e5) / 1e5;
  return {
    latitude: places.map(({ latitude }) => rounded(latitude)),
    longitude: places.map(({ longitude }) => rounded(longitude)),
  };
}

/** Whole seconds, and seconds to the millisecond. */
const seconds = (us: number): number => Math.round(us / SECOND_US);
const ms = (us: number): number => Math.round(us / 1000) / 1000;

function uplinkColumns(all: readonly RecordedDevice[]): DeviceColumns['uplinks'] {
  const seen = new Set(
    all.flatMap(({ recorded: { fates } }) => Object.keys(fates) as TransmissionFate[]),
  );
  const names = [...seen].sort();
  return Object.fromEntries(
    names.map((name) => [name, all.map(({ recorded }) => recorded.fates[name] ?? 0)]),
  );
}

function downlinkColumns(all: readonly RecordedDevice[]): DeviceColumns['downlinks'] {
  const columns = DOWNLINK_WINDOWS.map((window, at): [DownlinkWindow, WindowCounts] => {
    const counts = all.map(({ recorded }) => recorded.downlinks[at]!);
    const sent = counts.map((each) => each.sent);
    return [window, { sent, received: counts.map((each) => each.received) }];
  });
  return Object.fromEntries(columns) as Record<DownlinkWindow, WindowCounts>;
}

/** Sent and lost frames, two characters a slice. */
function framesText({ sent, lost }: DeviceRecord): string {
  let text = '';
  for (let slice = 0; slice < sent.length; slice++) {
    text += countCharacter(sent[slice]!) + countCharacter(lost[slice]!);
  }
  return text;
}

/** Nothing where no device counts what it draws. */
function energyColumns({ network }: WorldPlan, all: readonly RecordedDevice[]) {
  if (all.every(({ energy }) => energy === undefined)) return {};
  const columns = ENERGY_CAUSES.map((cause) => {
    return [cause, all.map(({ energy }) => milli(energy?.joules[cause]))] as const;
  });
  const used = columns.filter(([, values]) =>
    values.some((joules) => joules !== null && joules > 0),
  );
  const years = all.map((one) => batteryYears(network.deviceTypes, one));
  return {
    joules: Object.fromEntries(used) as Partial<Record<EnergyCause, (number | null)[]>>,
    batteryYears: years.map((each) => (each === null ? null : Math.round(each * 100) / 100)),
  };
}

const milli = (value: number | undefined): number | null =>
  value === undefined ? null : Math.round(value * 1000) / 1000;

// ── campaigns ────────────────────────────────────────────────────────────────────────────────────

function campaignColumns(
  recorded: readonly RecordedDevice[],
  outcomes: Pick<DeviceOutcomes, 'membersAmong'>,
  seen: readonly CampaignDevice[] | undefined,
): CampaignColumns[] {
  const placeOf = new Map(recorded.map(({ devEui }, place) => [devEui, place]));
  const campaigns: CampaignColumns[] = [];
  const devEuis = new Set(placeOf.keys());
  for (const { campaign, mcAddr, members } of outcomes.membersAmong(devEuis, seen)) {
    const places = members.map(({ devEui }) => placeOf.get(devEui)!);
    campaigns.push({
      name: campaign,
      members: places,
      ...outcomeColumns(members),
      fragments: fragmentColumns(places, recorded, mcAddr),
    });
  }
  return campaigns;
}

const outcomeColumns = (members: readonly DeviceOutcome[]) => ({
  fates: members.map(({ fate }) => fate),
  causes: members.map(({ cause }) => cause),
  diagnoses: members.map(({ diagnosis }) => diagnosis ?? null),
  steps: members.map(({ step }) => step),
  runs: members.map(({ runs }) => runs),
  fragmentsHeld: members.map(({ fragmentsHeld }) => fragmentsHeld),
  fragmentsNeeded: members.map(({ fragmentsNeeded }) => fragmentsNeeded),
  fragmentsMissing: members.map(({ fragmentsMissing }) => fragmentsMissing),
});

/** UTF-16 code of each fate's character, by its number in a record; 0 is none. */
const CODES = ['none', ...RECORDED_FATES].map((fate) => {
  const [character] = Object.entries(FRAME_FATES).find(([, name]) => name === fate)!;
  return character.charCodeAt(0);
});

function fragmentColumns(
  places: readonly number[],
  recorded: readonly RecordedDevice[],
  mcAddr: number | undefined,
): FragmentColumns | null {
  if (mcAddr === undefined) return null;
  const groups = places.map((place) => recorded[place]!.recorded.groups.get(mcAddr));
  const frames = groups.find((group) => group !== undefined)?.frames;
  return frames === undefined ? null : { frames, fates: groups.map(fatesText) };
}

/** Without the dots at its end. */
function fatesText(group: GroupRecord | undefined): string {
  if (group === undefined) return '';
  let { length } = group.fates;
  while (length > 0 && group.fates[length - 1] === 0) length--;
  let text = '';
  for (let from = 0; from < length; from += PIECE.length) {
    const until = Math.min(length, from + PIECE.length);
    for (let frame = from; frame < until; frame++) {
      PIECE[frame - from] = CODES[group.fates[frame]!]!;
    }
    text += characters(PIECE.subarray(0, until - from));
  }
  return text;
}

/** Codes of one call: more arguments than a stack has room for would be too many. */
const PIECE = new Uint16Array(4_096);

// A list of arguments may be any that is like an array; spread, it is walked by an iterator.
const characters = (codes: Uint16Array): string =>
  String.fromCharCode.apply(null, codes as unknown as number[]);

// ── marks ────────────────────────────────────────────────────────────────────────────────────────

const marksOf = ({ timeline }: WorldPlan): TimelineMark[] =>
  timeline
    .filter(({ atUs }) => atUs > 0)
    .slice(0, MARKS_MOST)
    .map(({ atUs, command, each }) => ({
      atSeconds: seconds(atUs),
      operation: command.kind,
      what: 'name' in command && typeof command.name === 'string' ? command.name : '',
      times: each?.length ?? 1,
    }));
