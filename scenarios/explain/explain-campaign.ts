/**
 * Explains a campaign: how long each phase took, which devices hold its data rate down, and what
 * branches with other redundancy and another data rate come to.
 */

import { OwnedRuns } from '../../core/base/owned-runs.ts';
import { DEFAULT_SUBSCRIBER } from '../../core/base/subscribers.ts';
import type { Branch, CampaignExplanation } from '../../core/result/explanation.ts';
import type { CampaignDevice } from '../../core/result/outcome.ts';
import type { CampaignResult, RunResult } from '../../core/result/result.ts';
import { LEVEL_MARGIN_CENTI_DB } from '../../core/update-service/gateway-choice.ts';
import { readStates } from '../../core/world/run-stories.ts';
import { rowsIn } from '../../core/world/story-format.ts';
import type { Run } from '../../core/world/world.ts';
import { entriesOf } from '../../sim/base/counts.ts';
import { ChannelPlan } from '../../sim/spectrum/channel-plan.ts';
import { planOf, type Repeatable, RepeatedRun, recordedAt } from '../branching/repeated-run.ts';
import { Branches, type Creation, creationsOf } from './branches.ts';
import { seconds } from './device-events.ts';
import { campaignPath, type ExplainingHow, explainedOf } from './explain-device.ts';
import { type Failed, type Given, REMEDIES } from './remedies.ts';

type Slow = CampaignExplanation['slowest'][number];

/** As many of the devices that hold the data rate down are named. */
const SLOWEST_NAMED = 10;

export function explainCampaign(
  run: Repeatable,
  name: string,
  how: ExplainingHow,
): CampaignExplanation | undefined {
  const { result, members } = endOf(run, how.untilUs);
  const campaign = result.campaigns.find((one) => one.name === name);
  const creation = creationsOf(run).find((one) => one.name === name);
  if (campaign === undefined || creation === undefined) return undefined;
  const slowest = slowestOf(members, run, campaign);
  const branches = new Branches(run, creation.atUs);
  const last = campaign.stages.at(-1);
  // Other settings of a campaign that is not over in the run change nothing that could be counted.
  const isOver = last?.stage === 'FINISHED';
  const isTried = how.whatIf && branches.isPossible && isOver;
  return {
    kind: 'campaign',
    ...explainedOf(run, how),
    campaign: name,
    devices: campaign.devices,
    running: campaign.running,
    success: campaign.success,
    dataRate: campaign.dataRate,
    stage: campaign.stage,
    stageSeconds: last?.atSeconds ?? 0,
    phases: phasesOf(campaign, how.untilUs),
    energy: isTried ? energyOf(branches, creation, campaign, result) : null,
    failures: campaign.failures,
    fragmentLosses: campaign.fragmentLosses,
    slowest: slowest.slice(0, SLOWEST_NAMED),
    slowestCount: slowest.length,
    withoutSlowest: isTried ? withoutSlowest(branches, creation, campaign, slowest) : null,
    tried: isTried ? triedOf(run, branches, creation, campaign) : [],
  };
}

/** A device in a campaign, and the level of its strongest link down. */
interface Member {
  readonly outcome: CampaignDevice;
  /** dBm; undefined: it has no link. */
  bestDbm(): number | undefined;
}

/** The result, and the devices of all campaigns: as recorded, or by a replay. */
function endOf(
  run: Repeatable,
  untilUs: number,
): { readonly result: RunResult; readonly members: Iterable<Member> } {
  const recorded = recordedAt(run, untilUs);
  if (recorded !== undefined) {
    const { result, stories } = recorded;
    const levels = new Map(
      [...readStates(stories)].map(({ devEui, downDbm }) => [devEui, highest(downDbm)]),
    );
    const outcomes = rowsIn(stories.outcomes);
    const bestOf = ({ devEui }: CampaignDevice) => levels.get(devEui);
    return {
      result,
      members: outcomes.map((outcome) => ({ outcome, bestDbm: () => bestOf(outcome) })),
    };
  }
  const repeated = new RepeatedRun(run, { records: false });
  repeated.runUntil(untilUs);
  const { world } = repeated;
  return { result: world.result(), members: membersOf(world, run) };
}

function* membersOf(world: Run, run: Repeatable): Iterable<Member> {
  const ownerOf = new OwnedRuns(planOf(run).owners?.devices ?? []);
  for (const outcome of world.facts.outcomes.all()) {
    const { devEui } = outcome;
    const by = ownerOf.ownerOf(devEui) ?? DEFAULT_SUBSCRIBER;
    const bestDbm = () => {
      const truth = world.ask({ kind: 'device.truth', by, devEui });
      return truth.ok ? highest(truth.value.links.map((link) => link.down_dbm)) : undefined;
    };
    yield { outcome, bestDbm };
  }
}

const highest = (levels: readonly number[]): number | undefined =>
  levels.length === 0 ? undefined : levels.reduce((most, one) => Math.max(most, one));

const campaignOf = (world: Run, name: string): CampaignResult | undefined =>
  world.result().campaigns.find((one) => one.name === name);

/** Each stage with the time until the next one. */
function phasesOf({ stages }: CampaignResult, untilUs: number): CampaignExplanation['phases'] {
  return stages.slice(0, -1).map(({ stage, atSeconds }, at) => {
    const until = stages[at + 1]?.atSeconds ?? seconds(untilUs);
    return { phase: stage, seconds: until - atSeconds };
  });
}

/** What the update cost its members, against a branch in which it never was. */
function energyOf(
  branches: Branches,
  creation: Creation,
  { devices }: CampaignResult,
  { energy, virtualSeconds, devices: all }: RunResult,
): CampaignExplanation['energy'] {
  if (energy === undefined || devices === 0) return null;
  const without = branches.endWithout(creation)?.result().energy;
  if (without === undefined) return null;
  const counting = energy.populations.reduce((sum, one) => sum + one.devices, 0);
  if (counting < all.total) return null;
  const joules = ((energy.meanJoules - without.meanJoules) * counting) / devices;
  const joulesADay = without.meanJoules / (virtualSeconds / DAY_S);
  return { joules, days: joules / joulesADay };
}

const DAY_S = 86_400;

// ── data rate ────────────────────────────────────────────────────────────────────────────────────

/** Devices that reach no faster data rate than that of the session, the weakest first. */
function slowestOf(
  members: Iterable<Member>,
  run: Repeatable,
  campaign: CampaignResult,
): readonly Slow[] {
  const plan = new ChannelPlan(planOf(run).network);
  const faster = fasterThan(plan, campaign.dataRate);
  if (faster === undefined) return [];
  const slow: Slow[] = [];
  for (const { outcome, bestDbm } of members) {
    const { campaign: of, name, population } = outcome;
    if (of !== campaign.name || name === null) continue;
    const best = bestDbm();
    if (best === undefined) continue;
    const least = plan.deviceSensitivityCentiDbm[faster]! + LEVEL_MARGIN_CENTI_DB;
    const marginDb = best - least / 100;
    if (marginDb >= 0) continue;
    slow.push({ name, population: population ?? '', dataRate: campaign.dataRate, marginDb });
  }
  return slow.sort((a, b) => a.marginDb - b.marginDb);
}

/** The next faster data rate of the same bandwidth; undefined: there is none. */
function fasterThan(plan: ChannelPlan, dataRate: number): number | undefined {
  const spreadingFactor = plan.spreadingFactor[dataRate]!;
  const faster = plan.spreadingFactor.findIndex(
    (factor, rate) =>
      factor === spreadingFactor - 1 && plan.bandwidthHz[rate] === plan.bandwidthHz[dataRate],
  );
  return faster < 0 ? undefined : faster;
}

function withoutSlowest(
  branches: Branches,
  creation: Creation,
  campaign: CampaignResult,
  slowest: readonly Slow[],
): CampaignExplanation['withoutSlowest'] {
  const faster = slowest.length === 0 ? undefined : campaign.dataRate + 1;
  if (faster === undefined) return null;
  const setting = `${campaignPath(creation.name)}.multicastDataRate=DR${faster}`;
  const branch = branchOf(branches, creation, setting, campaign);
  return branch === undefined ? null : { ...branch, dataRate: faster };
}

// ── other settings ───────────────────────────────────────────────────────────────────────────────

/** Branches beside those of redundancy. */
const REMEDIES_TRIED = 3;

function triedOf(
  run: Repeatable,
  branches: Branches,
  creation: Creation,
  campaign: CampaignResult,
): CampaignExplanation['tried'] {
  const own = new Set([...redundancies(creation, campaign), ...remedies(creation, campaign)]);
  const settings = [...own].map((set) => `${campaignPath(creation.name)}.${set}`);
  // RX2 is what it is from the start: such a branch is a run of its own.
  const fromStart = new Branches(run, 0);
  return [
    ...settings.flatMap((set) => branchOf(branches, creation, set, campaign) ?? []),
    ...fasterSetUp(run, campaign).flatMap(
      (set) => branchOf(fromStart, creation, set, campaign) ?? [],
    ),
  ];
}

/** Half of a campaign's time, from which on its set-up is what holds it back. */
const MOST_OF_IT = 0.5;

/** Commands of a long set-up at the data rate of its session, which the service chose for all. */
function fasterSetUp(run: Repeatable, campaign: CampaignResult): string[] {
  const { server } = planOf(run).network;
  const all = lengthOf(campaign);
  const [setUpAt, sendingAt] = ['SETTING_UP_DEVICES', 'SENDING_FRAGMENTS'].map(
    (stage) => campaign.stages.find((one) => one.stage === stage)?.atSeconds,
  );
  if (all === null || setUpAt === undefined || sendingAt === undefined) return [];
  if (sendingAt - setUpAt < MOST_OF_IT * all) return [];
  const { spreadingFactor } = new ChannelPlan(planOf(run).network);
  const isFaster = spreadingFactor[campaign.dataRate]! < spreadingFactor[server.rx2DataRate]!;
  return isFaster ? [`server.rx2DataRate=DR${campaign.dataRate}`] : [];
}

/** Shares above the present one where devices are missing, else those below it. */
function redundancies({ given }: Creation, { running, devices }: CampaignResult): string[] {
  const { redundancy: now = 0.3 } = given as Given;
  const steps = running < devices ? [0.1, 0.2, 0.3] : [-0.1, -0.2];
  return steps
    .map((step) => Math.round((now + step) * 100))
    .filter((share) => share >= 0 && share <= 100)
    .map((share) => `redundancy=${share} %`);
}

/** What the most frequent failure calls for. */
function remedies({ given, atUs }: Creation, campaign: CampaignResult): string[] {
  const { failures, failedDevices, fragmentLosses, stages, name } = campaign;
  const [cause] = entriesOf(failures).sort(([, a], [, b]) => b - a)[0] ?? [];
  const outcome = failedDevices.find((one) => one.cause === cause);
  const trials = cause === undefined ? null : REMEDIES[cause];
  if (trials === null || outcome === undefined) return [];
  const sending = stages.find(({ stage }) => stage === 'SENDING_FRAGMENTS');
  const failed: Failed = {
    outcome: { ...outcome, campaign: name },
    given: given as Given,
    fragments: { heard: outcome.fragmentsHeld ?? 0, missed: fragmentLosses },
    setUpSeconds: sending === undefined ? undefined : sending.atSeconds - seconds(atUs),
  };
  return trials(failed).slice(0, REMEDIES_TRIED).flat();
}

function branchOf(
  branches: Branches,
  { name }: Creation,
  setting: string,
  { running }: CampaignResult,
): Branch | undefined {
  const set = [setting];
  const world = branches.endOf(set);
  const campaign = world === undefined ? undefined : campaignOf(world, name);
  if (campaign === undefined) return undefined;
  return {
    set,
    atSeconds: seconds(branches.atUs),
    helps: campaign.running > running,
    running: campaign.running,
    seconds: lengthOf(campaign),
  };
}

/** Seconds from the first stage to the end; null: it is not over. */
function lengthOf({ stages }: CampaignResult): number | null {
  const [first] = stages;
  const last = stages.at(-1);
  if (first === undefined || last?.stage !== 'FINISHED') return null;
  return last.atSeconds - first.atSeconds;
}
