/**
 * The plan of a branch: a run goes on from an instant with settings that may still change then
 * (docs/decisions/0117).
 *
 * Problem: a world is built from its whole plan, and most of a plan shapes what has happened since
 * the start. Approach: a table says what a later change reaches. All else is refused by name, so a
 * branch never answers for a world that it did not run. Gateways change by commands at the instant,
 * since rows of gateways are never used again. Rejected: a branch that ignores what it cannot
 * change. Its result would look like an answer.
 */
import { OwnedRuns } from '../../core/base/owned-runs.ts';
import { DEFAULT_SUBSCRIBER } from '../../core/base/subscribers.ts';
import type { TimedCommand } from '../../core/command.ts';
import type { WorldPlan } from '../../core/world/plan.ts';
import { fail, ok, type Result } from '../../sim/base/result.ts';
import type {
  DeviceTypePlan,
  GatewayPlan,
  NetworkPlan,
  ServerPlan,
  TrafficPlan,
} from '../../sim/plan/network-plan.ts';
import { inWords } from '../forecast/forecast.ts';

/** Fields of the server that it reads whenever it needs them. */
const SERVER_LATER: readonly (keyof ServerPlan)[] = [
  'adr',
  'adrMarginCentiDb',
  'adrAlgorithm',
  'deduplicationUs',
];

/** Processes whose next message depends on the one before alone. */
const SIMPLE_TRAFFIC: readonly TrafficPlan['process'][] = ['periodic', 'exponential', 'diurnal'];

/** What a branch may change, for people. */
const MAY_CHANGE =
  'server.adr, adrMargin, adrAlgorithm and deduplication; traffic and frameLoss of devices; ' +
  'gateways that come, go or move; campaigns and timeline entries from that instant on';

/**
 * `trunk` with all that `changed` has otherwise than `written` from the instant on, whole µs ≥ 1.
 * `written` is the trunk as files and settings have it; in a branch the plan in force differs. A
 * failure says in a sentence part what cannot change.
 */
export function branchPlan<Plan extends WorldPlan>(
  trunk: Plan,
  written: Plan,
  changed: Plan,
  atUs: number,
): Result<Plan, 'branch.fixed'> {
  const fixed = fixedDifference(written, changed, atUs);
  if (fixed !== undefined) return fail('branch.fixed', fixed);
  const network: NetworkPlan = {
    ...trunk.network,
    server: changed.network.server,
    deviceTypes: trunk.network.deviceTypes.map((type, row) => laterType(type, changed, row)),
  };
  const early = trunk.timeline.filter((entry) => entry.atUs < atUs);
  const late = changed.timeline.filter((entry) => entry.atUs >= atUs);
  const gateways = gatewayCommands(written, changed, atUs);
  return ok({ ...trunk, network, timeline: [...early, ...gateways, ...late] });
}

/** What differs and cannot change at the instant; undefined: nothing. */
function fixedDifference(trunk: WorldPlan, changed: WorldPlan, atUs: number): string | undefined {
  const { network: first, timeline: _, name: __, description: ___, owners: ____, ...own } = trunk;
  const { network: second, ...others } = changed;
  const key = (Object.keys(own) as (keyof typeof own)[]).find(
    (each) => !isSame(own[each], others[each]),
  );
  if (key !== undefined) return `${RUN_WORDS[key] ?? key} is fixed from the start`;
  return networkDifference(first, second) ?? timelineDifference(trunk, changed, atUs);
}

const RUN_WORDS: Readonly<Partial<Record<keyof WorldPlan, string>>> = {
  durationUs: 'the duration of the run',
  origin: 'where on Earth the world is',
  logEntries: 'the number of log entries that are stored',
};

/** Parts of a network that never change later. */
const NETWORK_WORDS: Readonly<Partial<Record<keyof NetworkPlan, string>>> = {
  region: 'the regional plan is fixed from the start',
  startUnixMs: 'the date of the start is fixed',
  frames: 'the kind of frames is fixed from the start',
  verifyAllImages: 'the choice of verified images is fixed from the start',
  radio: 'the radio model is fixed from the start',
  devices:
    'devices and their places are fixed from the start; addDevices of the timeline adds some',
  uplinkChannelsHz: 'the channel plan is fixed from the start',
  uplinkDataRates: 'the channel plan is fixed from the start',
};

function networkDifference(one: NetworkPlan, other: NetworkPlan): string | undefined {
  for (const [key, words] of Object.entries(NETWORK_WORDS)) {
    const name = key as keyof NetworkPlan;
    if (!isSame(one[name], other[name])) return words;
  }
  const server = (Object.keys({ ...one.server, ...other.server }) as (keyof ServerPlan)[]).find(
    (each) => !SERVER_LATER.includes(each) && !isSame(one.server[each], other.server[each]),
  );
  if (server !== undefined) return `${server} of the server reaches devices when they join`;
  return typeDifference(one, other) ?? gatewayDifference(one, other);
}

function typeDifference(one: NetworkPlan, other: NetworkPlan): string | undefined {
  const used = new Set(one.devices.map(({ type }) => type));
  for (const [row, type] of one.deviceTypes.entries()) {
    const changed = other.deviceTypes[row];
    if (changed === undefined || !used.has(row)) continue;
    const keys = Object.keys({ ...type, ...changed }) as (keyof DeviceTypePlan)[];
    const fixed = keys.find((key) => !LATER_OF_TYPE.has(key) && !isSame(type[key], changed[key]));
    if (fixed !== undefined)
      return `${fixed} of ${type.name} belongs to its devices from the start`;
    if (!isLaterTraffic(type.traffic, changed.traffic)) {
      const later = SIMPLE_TRAFFIC.join(', ');
      return `traffic of ${type.name} changes its process only among ${later}`;
    }
  }
  return undefined;
}

const LATER_OF_TYPE: ReadonlySet<keyof DeviceTypePlan> = new Set(['traffic', 'frameLossPpm']);

function isLaterTraffic(one: TrafficPlan, other: TrafficPlan): boolean {
  if (one.process === other.process) return isSame(one.listed, other.listed);
  return [one, other].every(({ process }) => SIMPLE_TRAFFIC.includes(process));
}

/** Only name and place of a gateway that stays may change. */
function gatewayDifference(one: NetworkPlan, other: NetworkPlan): string | undefined {
  const later = new Map(other.gateways.map((gateway) => [gateway.eui, gateway]));
  for (const gateway of one.gateways) {
    const changed = later.get(gateway.eui);
    if (changed === undefined) continue;
    const { name, xMeters, yMeters } = gateway;
    if (isSame(gateway, { ...changed, name, xMeters, yMeters })) continue;
    return `the hardware and backhaul of gateway ${gateway.name} are fixed from the start`;
  }
  return undefined;
}

function timelineDifference(one: WorldPlan, other: WorldPlan, atUs: number): string | undefined {
  const early = ({ timeline }: WorldPlan) => timeline.filter((entry) => entry.atUs < atUs);
  const [ofOne, ofOther] = [early(one), early(other)];
  for (let at = 0; at < Math.max(ofOne.length, ofOther.length); at++) {
    if (!isSame(ofOne[at], ofOther[at])) return earlyWords((ofOne[at] ?? ofOther[at])!);
  }
  return undefined;
}

function earlyWords({ atUs, command }: TimedCommand): string {
  if (command.kind === 'campaign.create') {
    const { name } = command.campaign as { readonly name: string };
    const at = inWords(atUs);
    return `campaign ${name} was created before, at ${at}: a branch at that time can change it`;
  }
  return `${command.kind} at ${inWords(atUs)} has happened by then`;
}

const laterType = (type: DeviceTypePlan, { network }: WorldPlan, row: number): DeviceTypePlan => {
  const changed = network.deviceTypes[row];
  if (changed === undefined) return type;
  return { ...type, traffic: changed.traffic, frameLossPpm: changed.frameLossPpm };
};

/** Gateways that come, go or move, as commands of their owners. */
function gatewayCommands(trunk: WorldPlan, changed: WorldPlan, atUs: number): TimedCommand[] {
  const before = new Map(trunk.network.gateways.map((gateway) => [gateway.eui, gateway]));
  const after = new Map(changed.network.gateways.map((gateway) => [gateway.eui, gateway]));
  const owners = new OwnedRuns(changed.owners?.gateways ?? []);
  const ownerOf = (eui: string) => owners.ownerOf(eui) ?? DEFAULT_SUBSCRIBER;
  const command = (eui: string, given: object) =>
    ({ atUs, command: { ...given, by: ownerOf(eui) } }) as TimedCommand;
  const gone = [...before.keys()].filter((eui) => !after.has(eui));
  const come = [...after.values()].filter(({ eui }) => !before.has(eui));
  const moved = [...after.values()].filter((gateway) => isMoved(gateway, before.get(gateway.eui)));
  return [
    ...gone.map((eui) => command(eui, { kind: 'gateway.remove', eui })),
    ...come.map((gateway) => command(gateway.eui, { kind: 'gateway.create', gateway })),
    ...moved.map(({ eui, name, xMeters, yMeters }) =>
      command(eui, { kind: 'gateway.change', eui, gateway: { name, xMeters, yMeters } }),
    ),
  ];
}

const isMoved = (gateway: GatewayPlan, before: GatewayPlan | undefined): boolean =>
  before !== undefined &&
  (before.name !== gateway.name ||
    before.xMeters !== gateway.xMeters ||
    before.yMeters !== gateway.yMeters);

/** By all of a value; bytes by their content. */
const isSame = (one: unknown, other: unknown): boolean => text(one) === text(other);

const text = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => {
    if (ArrayBuffer.isView(each)) return [...(each as Uint8Array)];
    return each instanceof Map || each instanceof Set ? [...each] : each;
  }) ?? 'undefined';

/** Why settings cannot change at an instant, with what can. */
export const refusal = (set: string, why: string, atUs: number): string =>
  `"${set}" cannot change at ${inWords(atUs)}: ${why}; allowed then: ${MAY_CHANGE}`;

/** Plans with settings `path=value` on top; a failure lists what is wrong with them. */
export type PlanWith<Plan> = (set: readonly string[]) => Result<Plan, 'set.invalid'>;

/** The plan of a branch with these settings, or a sentence for each that cannot change then. */
export function branchWith<Plan extends WorldPlan>(
  trunk: Plan,
  written: Plan,
  planWith: PlanWith<Plan>,
  set: readonly string[],
  atUs: number,
): Result<Plan, 'branch.fixed' | 'set.invalid'> {
  const refused = set.flatMap((one) => {
    const alone = planWith([one]);
    const plan = alone.ok ? branchPlan(trunk, written, alone.value, atUs) : undefined;
    return plan === undefined || plan.ok ? [] : [refusal(one, plan.failure.message, atUs)];
  });
  if (refused.length > 0) return fail('branch.fixed', refused.join('\n'));
  const changed = planWith(set);
  if (!changed.ok) return changed;
  const plan = branchPlan(trunk, written, changed.value, atUs);
  if (plan.ok) return plan;
  return fail('branch.fixed', refusal(set.join(', '), plan.failure.message, atUs));
}
