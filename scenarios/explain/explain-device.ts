/** Explains devices: the run is carried out again and watched, then branches try what helps. */

import { OwnedRuns } from '../../core/base/owned-runs.ts';
import { DEFAULT_SUBSCRIBER } from '../../core/base/subscribers.ts';
import type {
  Branch,
  DeviceExplanation,
  DeviceState,
  Explained,
  Saving,
  StoryEvent,
} from '../../core/result/explanation.ts';
import type { CampaignDevice } from '../../core/result/outcome.ts';
import type { RunPlan } from '../../core/world/plan.ts';
import { readStates } from '../../core/world/run-stories.ts';
import { type RunStories, rowsIn } from '../../core/world/story-format.ts';
import type { Run } from '../../core/world/world.ts';
import { assert } from '../../sim/base/assert.ts';
import { packagesOf } from '../../sim/plan/packages-plan.ts';
import { planOf, type Repeatable, RepeatedRun, recordedAt } from '../branching/repeated-run.ts';
import { Branches, creationsOf } from './branches.ts';
import { deviceEvents, type Span, seconds } from './device-events.ts';
import type { StorySource, WatchedDevice } from './device-rows.ts';
import { DeviceWatch } from './device-watch.ts';
import { RecordedStories } from './recorded-stories.ts';
import { type Given, REMEDIES } from './remedies.ts';

export interface ExplainingHow extends Span {
  /** Whether branches look for what would have helped. */
  readonly whatIf: boolean;
}

/** All devices that the plan or its timeline brings, by name. */
export const devicesOf = ({ network, timeline }: RunPlan): readonly WatchedDevice[] => [
  ...network.devices.map(({ name, devEui }) => ({ name, devEui })),
  ...timeline.flatMap(({ command }) => {
    if (command.kind !== 'device.create') return [];
    const { devEui, name = devEui } = command.device;
    return [{ name, devEui: devEui.toUpperCase() }];
  }),
];

/** Stories of devices of a run, in the given order. */
export function explainDevices(
  run: Repeatable,
  devices: readonly WatchedDevice[],
  how: ExplainingHow,
): readonly DeviceExplanation[] {
  const recorded = recordedAt(run, how.untilUs);
  const { source, outcomes, states } =
    recorded === undefined
      ? watched(run, devices, how.untilUs)
      : readBack(run, recorded.stories, devices);
  return devices.map((device) => {
    const type = typeOf(planOf(run), device);
    const events = deviceEvents(source, device, packagesOf(type), how);
    const whole = { ...how, fromUs: 0, detailed: false };
    const story = deviceEvents(source, device, packagesOf(type), whole);
    const campaigns = outcomes.get(device.devEui) ?? [];
    const state = states.get(device.devEui) ?? null;
    return {
      kind: 'device',
      ...explainedOf(run, how),
      device: { ...device, population: type.name },
      events,
      state,
      campaigns,
      saving: savingOf(run, { device, campaigns, story, state }, how),
    };
  });
}

/** What stories of some devices are written from; maps are by DevEUI. */
interface Known {
  readonly source: StorySource;
  readonly outcomes: ReadonlyMap<string, readonly CampaignDevice[]>;
  readonly states: ReadonlyMap<string, DeviceState | null>;
}

/** By a replay. */
function watched(run: Repeatable, devices: readonly WatchedDevice[], untilUs: number): Known {
  const source: DeviceWatch = new DeviceWatch(devices, () => repeated.world.nowUs);
  const repeated = new RepeatedRun(run, source.options());
  repeated.runUntil(untilUs);
  const { world } = repeated;
  // What is derived for it belongs to what is watched.
  world.result();
  const states = devices.map((one) => [one.devEui, stateOf(world, run, one)] as const);
  return {
    source,
    outcomes: outcomesOf(world.facts.outcomes.all(), devices),
    states: new Map(states),
  };
}

function readBack(run: Repeatable, stories: RunStories, devices: readonly WatchedDevice[]): Known {
  const source = new RecordedStories(stories, planOf(run), devices);
  const own = new Set(devices.map(({ devEui }) => devEui));
  const all = rowsIn(stories.outcomes, (read) => own.has(read('devEui') as string));
  const states = new Map<string, DeviceState>();
  const nameOf = gatewayNames(run);
  for (const { devEui, state } of readStates(stories)) {
    if (!own.has(devEui)) continue;
    const links = state.links.map((link) => ({ ...link, gateway: nameOf(link.gateway) }));
    states.set(devEui, { ...state, links });
  }
  return { source, outcomes: outcomesOf(all, devices), states };
}

/** Of gateways of the plan, by EUI; others have their EUI. */
function gatewayNames(run: Repeatable): (eui: string) => string {
  const names = new Map(planOf(run).network.gateways.map(({ eui, name }) => [eui, name]));
  return (eui) => names.get(eui) ?? eui;
}

export const explainedOf = (run: Repeatable, { fromUs, untilUs }: Span): Explained => ({
  scenario: run.trunk.name,
  seed: run.seed,
  fromSeconds: seconds(fromUs),
  untilSeconds: seconds(untilUs),
  endSeconds: seconds(planOf(run).durationUs),
});

function typeOf({ network, timeline }: RunPlan, { devEui }: WatchedDevice) {
  const planned = network.devices.find((one) => one.devEui === devEui)?.type;
  const brought = timeline.find(
    ({ command }) => command.kind === 'device.create' && command.device.devEui === devEui,
  )?.command;
  const row = planned ?? (brought?.kind === 'device.create' ? (brought.device.type ?? 0) : 0);
  const type = network.deviceTypes[row];
  assert(type !== undefined, 'a device is of a type of the plan');
  return type;
}

/** Of the watched devices in each campaign. */
function outcomesOf(
  all: Iterable<CampaignDevice>,
  devices: readonly WatchedDevice[],
): ReadonlyMap<string, readonly CampaignDevice[]> {
  const found = new Map<string, CampaignDevice[]>(devices.map(({ devEui }) => [devEui, []]));
  for (const outcome of all) found.get(outcome.devEui)?.push(outcome);
  return found;
}

// ── the state ────────────────────────────────────────────────────────────────────────────────────

function stateOf(world: Run, run: Repeatable, { devEui }: WatchedDevice): DeviceState | null {
  const { owners } = planOf(run);
  const by = new OwnedRuns(owners?.devices ?? []).ownerOf(devEui) ?? DEFAULT_SUBSCRIBER;
  const answer = world.ask({ kind: 'device.truth', by, devEui });
  if (!answer.ok) return null;
  const { value } = answer;
  const nameOf = gatewayNames(run);
  const block = value.fragmentation_sessions.at(-1);
  return {
    deviceClass: value.device_class,
    activation: value.activation,
    dataRate: value.session?.data_rate ?? null,
    txPowerIndex: value.session?.tx_power ?? null,
    clockErrorSeconds: value.clock.set_at === null ? null : value.clock.error,
    driftPpm: value.clock.drift_ppm,
    version: value.firmware.running,
    fragments: block === undefined ? null : { held: block.distinct, needed: block.nb_frag },
    links: value.links.map((link) => ({
      gateway: nameOf(link.gateway_eui),
      upMarginDb: link.up_margin_db,
      downMarginDb: link.down_margin_db,
    })),
    joules: value.energy?.joules_by_cause ?? null,
  };
}

// ── what would have helped ───────────────────────────────────────────────────────────────────────

interface Story {
  readonly device: WatchedDevice;
  readonly campaigns: readonly CampaignDevice[];
  readonly story: readonly StoryEvent[];
  readonly state: DeviceState | null;
}

function savingOf(run: Repeatable, one: Story, how: ExplainingHow): Saving {
  const { campaigns, state } = one;
  const failed = campaigns.find(({ fate }) => fate === 'failed');
  if (isOutOfReach(state)) return { verdict: 'hopeless', branches: [], why: NO_GATEWAY };
  if (failed === undefined) return { verdict: 'needless', branches: [] };
  const remedies = failed.cause === null ? null : REMEDIES[failed.cause];
  const creation = creationsOf(run).find(({ name }) => name === failed.campaign);
  if (remedies === null || creation === undefined) {
    return { verdict: 'hopeless', branches: [], why: failed.cause ?? '' };
  }
  const branches = new Branches(run, creation.atUs);
  if (!how.whatIf || !branches.isPossible) return { verdict: 'not computed', branches: [] };
  const trials = remedies({
    outcome: failed,
    given: creation.given as Given,
    fragments: one.story.findLast((event) => event.kind === 'fragments'),
    setUpSeconds: setUpSeconds(one.story, seconds(creation.atUs)),
  });
  return tried(branches, trials, creation.name, (world) => isSaved(world, one.device, failed));
}

const NO_GATEWAY = 'no gateway in reach';

/** It has no session, and even its strongest link is too weak. */
const isOutOfReach = (state: DeviceState | null): boolean =>
  state !== null &&
  state.activation !== 'active' &&
  !state.links.some(({ upMarginDb }) => upMarginDb >= 0);

/** Runs one branch after the other until one helps. */
function tried(
  branches: Branches,
  trials: readonly (readonly string[])[],
  campaign: string,
  helps: (world: Run) => boolean,
): Saving {
  const done: Branch[] = [];
  for (const trial of trials) {
    const set = trial.map((each) => `${campaignPath(campaign)}.${each}`);
    const world = branches.endOf(set);
    if (world === undefined) continue;
    done.push({ set, atSeconds: seconds(branches.atUs), helps: helps(world) });
    if (done.at(-1)!.helps) return { verdict: 'saved', branches: done };
  }
  return { verdict: done.length === 0 ? 'not computed' : 'not saved', branches: done };
}

/** Quoted where the name would be read as a path. */
export const campaignPath = (name: string): string =>
  /^[\w-]+$/.test(name) ? `campaigns.${name}` : `campaigns."${name}"`;

/** It runs the image; one that ran it unheard has to be confirmed. */
function isSaved(world: Run, device: WatchedDevice, failed: CampaignDevice): boolean {
  world.result();
  const now = outcomesOf(world.facts.outcomes.all(), [device])
    .get(device.devEui)
    ?.find(({ campaign }) => campaign === failed.campaign);
  return failed.runs === true ? now?.fate === 'confirmed' : now?.runs === true;
}

function setUpSeconds(story: readonly StoryEvent[], createdAt: number): number | undefined {
  const sending = story.find(
    (event) => event.kind === 'stage' && event.stage === 'SENDING_FRAGMENTS',
  );
  return sending === undefined ? undefined : sending.atSeconds - createdAt;
}
