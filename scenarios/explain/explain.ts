/**
 * Explains devices, a gateway or a campaign of a run (docs/decisions/0118).
 *
 * Problem: the story of a device is long, and nobody knows beforehand whose story is asked for.
 * Approach: it is written from the numbers that the run recorded of all devices (0137). Where there
 * are none, or of an instant before the end, the run is carried out again and watched. What would
 * have helped is what branches of that same world come to. Rejected: rules of thumb.
 */
import { groupedBy } from '../../core/base/grouped.ts';
import type { Explanation } from '../../core/result/explanation.ts';
import type { CampaignDevice } from '../../core/result/outcome.ts';
import type { CampaignRow } from '../../core/update-service/campaigns/step-rows.ts';
import { rowsIn } from '../../core/world/story-format.ts';
import { fail, ok, type Result } from '../../sim/base/result.ts';
import {
  type FailedDevice,
  planOf,
  type Repeatable,
  RepeatedRun,
} from '../branching/repeated-run.ts';
import { inWords } from '../forecast/forecast.ts';
import { nearest, sentence } from '../language/complaint.ts';
import { creationsOf } from './branches.ts';
import type { WatchedDevice } from './device-rows.ts';
import { explainCampaign } from './explain-campaign.ts';
import { devicesOf, explainDevices } from './explain-device.ts';
import { explainGateway } from './explain-gateway.ts';

/** What is explained, and which part of the run. */
export interface Question {
  readonly of: 'device' | 'gateway' | 'campaign';
  /** By name or EUI; of devices also `failed` and `slowest`. */
  readonly name: string;
  /** The story ends here, and the state is of this instant, µs; the end of the run when absent. */
  readonly atUs?: number | undefined;
  /** Only what happens from … to …, each frame by itself, µs. */
  readonly fromUs?: number | undefined;
  readonly toUs?: number | undefined;
  /** Whether branches look for what would have helped; true when absent. */
  readonly whatIf?: boolean | undefined;
}

/** Devices explained where several failed, one of each cause. */
const FAILED_EXPLAINED = 3;
/** Gateways explained where an entry has more. */
const MEMBERS_EXPLAINED = 10;

export type ExplainFault = 'explain.unknown' | 'explain.range' | 'explain.nothing';

export function explain(
  run: Repeatable,
  question: Question,
): Result<readonly Explanation[], ExplainFault> {
  const { durationUs } = planOf(run);
  const { atUs, fromUs = 0, toUs = atUs ?? durationUs, whatIf = true } = question;
  const wrong = [atUs, fromUs, toUs].find((us) => us !== undefined && (us < 0 || us > durationUs));
  if (wrong !== undefined || fromUs > toUs) {
    const outside = (us: number) => `${us < 0 ? us : inWords(us)} is outside of the run`;
    const what = wrong === undefined ? 'the story ends before it begins' : outside(wrong);
    const allowed = `0 s to ${inWords(durationUs)}, the end of the run`;
    return fail('explain.range', sentence({ what, allowed }));
  }
  const detailed = question.fromUs !== undefined || question.toUs !== undefined;
  const how = { fromUs, untilUs: atUs ?? toUs, detailed, whatIf };
  switch (question.of) {
    case 'gateway': {
      const names = gatewayNames(run);
      const members = membersOf(question.name, names);
      if (members.length > 0)
        return ok(members.flatMap((name) => explainGateway(run, name, how) ?? []));
      return known('gateway', question.name, names, (name) => explainGateway(run, name, how));
    }
    case 'campaign':
      return known('campaign', question.name, campaignNames(run), (name) =>
        explainCampaign(run, name, how),
      );
    case 'device': {
      const devices = chosenDevices(run, question.name);
      if (devices.ok) return ok(explainDevices(run, devices.value, how));
      const other = thingNamed(run, question.name);
      return other === undefined ? devices : explain(run, { ...question, of: other });
    }
  }
}

const campaignNames = (run: Repeatable): readonly string[] =>
  creationsOf(run).map(({ name }) => name);

/** What has a name that no device has; undefined: nothing. */
function thingNamed(run: Repeatable, name: string): 'campaign' | 'gateway' | undefined {
  if (campaignNames(run).includes(name)) return 'campaign';
  const names = gatewayNames(run);
  return names.includes(name) || membersOf(name, names).length > 0 ? 'gateway' : undefined;
}

/** Gateways of an entry of the scenario that has several, the first ones. */
function membersOf(entry: string, names: readonly string[]): readonly string[] {
  if (names.includes(entry)) return [];
  const members = names.filter(
    (name) => name.startsWith(`${entry}-`) && /^\d+$/.test(name.slice(entry.length + 1)),
  );
  return members.slice(0, MEMBERS_EXPLAINED);
}

const gatewayNames = (run: Repeatable): readonly string[] => {
  const { network, timeline } = planOf(run);
  const brought = timeline.flatMap(({ command }) =>
    command.kind === 'gateway.create' ? (command.gateway.name ?? command.gateway.eui) : [],
  );
  return [...network.gateways.map(({ name }) => name), ...brought];
};

function known<Found extends Explanation>(
  thing: string,
  given: string,
  names: readonly string[],
  explainIt: (name: string) => Found | undefined,
): Result<readonly Explanation[], ExplainFault> {
  const found = names.includes(given) ? explainIt(given) : undefined;
  return found === undefined ? unknown(thing, given, names) : ok([found]);
}

/** Names that a refusal lists. */
const NAMES_LISTED = 10;

function unknown(
  thing: string,
  given: string,
  names: readonly string[],
  maybe: readonly string[] = names,
): Result<never, ExplainFault> {
  const some = names.slice(0, NAMES_LISTED).join(', ');
  const more = names.length > NAMES_LISTED ? ` and ${names.length - NAMES_LISTED} more` : '';
  const allowed = names.length === 0 ? `a run with a ${thing}` : `${some}${more}`;
  const meant = nearest(given, maybe);
  const words = { what: `"${given}" is no ${thing} of this run`, allowed };
  const complaint = meant === undefined ? words : { ...words, meant };
  return fail('explain.unknown', sentence(complaint));
}

// ── which devices ────────────────────────────────────────────────────────────────────────────────

function chosenDevices(
  run: Repeatable,
  word: string,
): Result<readonly WatchedDevice[], ExplainFault> {
  const devices = devicesOf(planOf(run));
  const own = devices.find(({ name, devEui }) => name === word || devEui === word.toUpperCase());
  if (own !== undefined) return ok([own]);
  if (word === 'failed') return failedDevices(run, devices);
  if (word === 'slowest') return slowestDevice(run, devices);
  const names = devices.map(({ name }) => name);
  return unknown('device', word, names, [...WORDS, ...thingsOf(run), ...names]);
}

/** Words for devices by what became of them. */
const WORDS = ['failed', 'slowest'];

const thingsOf = (run: Repeatable): readonly string[] => [
  ...campaignNames(run),
  ...gatewayNames(run),
];

/** The first device of each cause, the most frequent cause first. */
function failedDevices(
  run: Repeatable,
  devices: readonly WatchedDevice[],
): Result<readonly WatchedDevice[], ExplainFault> {
  const byCause = groupedBy(run.failed ?? failedIn(run), ({ cause }) => cause);
  const firsts = [...byCause.values()]
    .sort((a, b) => b.length - a.length)
    .flatMap(([first]) => devices.find(({ devEui }) => devEui === first!.devEui) ?? []);
  if (firsts.length > 0) return ok(firsts.slice(0, FAILED_EXPLAINED));
  return fail('explain.nothing', 'no device failed in a campaign of this run');
}

function failedIn(run: Repeatable): readonly FailedDevice[] {
  if (run.recorded !== undefined) return failedAmong(rowsIn(run.recorded.stories.outcomes));
  const repeated = new RepeatedRun(run, { records: false });
  repeated.runUntil(planOf(run).durationUs);
  return failedAmong([...repeated.world.facts.outcomes.all()]);
}

const failedAmong = (outcomes: readonly CampaignDevice[]): readonly FailedDevice[] =>
  outcomes.flatMap(({ fate, cause, devEui }) =>
    fate === 'failed' && cause !== null ? [{ devEui, cause }] : [],
  );

/** The device that confirmed an update last. */
function slowestDevice(
  run: Repeatable,
  devices: readonly WatchedDevice[],
): Result<readonly WatchedDevice[], ExplainFault> {
  let last: string | undefined;
  const steps = (row: CampaignRow) => {
    if (row.kind === 'campaignDeviceEnds' && row.fate === 'success') last = row.devEui;
  };
  if (run.recorded !== undefined) rowsIn(run.recorded.stories.steps).forEach(steps);
  else new RepeatedRun(run, { records: false, steps }).runUntil(planOf(run).durationUs);
  const device = devices.find(({ devEui }) => devEui === last);
  if (device !== undefined) return ok([device]);
  return fail('explain.nothing', 'no device confirmed an update in this run');
}
