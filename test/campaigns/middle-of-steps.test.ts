/**
 * A world is saved and restored in the middle of every stage. So it is in the middle of every step,
 * in all stages that the step can be open in. It ends the same.
 */

import { beforeAll, describe, expect, it } from 'vitest';
import { formatInstant } from '../../core/base/instant.ts';
import type { Command, TimedCommand } from '../../core/command.ts';
import type { CampaignInput } from '../../core/update-service/campaigns/commands.ts';
import { allMembers, type Member } from '../../core/update-service/campaigns/member.ts';
import { Step } from '../../core/update-service/campaigns/member-columns.ts';
import { STAGES, type Stage } from '../../core/update-service/campaigns/stages.ts';
import type { CampaignState } from '../../core/update-service/campaigns/state.ts';
import { isOpen, STEPS, type StepRow } from '../../core/update-service/campaigns/steps.ts';
import type { RunPlan } from '../../core/world/plan.ts';
import { type Snapshot, World } from '../../core/world/world.ts';
import { fromHex } from '../../sim/base/bytes.ts';
import type { DeviceTypePlan, NetworkPlan } from '../../sim/plan/network-plan.ts';
import { type PackagesPlan, USUAL_PACKAGES } from '../../sim/plan/packages-plan.ts';
import { classBNetwork } from '../support/class-b-world.ts';
import { campaignId, groupId } from '../support/ids.ts';
import { networkOf, SECOND_US } from '../support/small-network.ts';
import { type Outcome, outcomeOf, throughBytes } from '../support/worlds.ts';
import { imageHex, START_UNIX_MS } from './notation.ts';

const VERSION_2: PackagesPlan = {
  ...USUAL_PACKAGES,
  clockSync: { version: 2, fPort: 212 },
  multicastSetup: { version: 2, fPort: 210 },
  fragmentation: { version: 2, fPort: 211 },
};

// ── worlds in which everything happens ───────────────────────────────────────────────────────────

interface Kind {
  readonly title: string;
  readonly type?: Partial<DeviceTypePlan>;
  readonly network?: typeof networkOf;
  readonly input?: Partial<CampaignInput>;
}

const KINDS: readonly Kind[] = [
  { title: 'class A' },
  { title: 'class C', type: { deviceClass: 'C' } },
  {
    title: 'class B',
    network: classBNetwork,
    type: { deviceClass: 'B' },
    input: { multicastSession: 'classB', pingSlotPeriodicity: 1, frag_send_delay: 1 },
  },
  { title: 'packages of version 2', type: { packages: VERSION_2 } },
  {
    title: 'packages of version 2, class C',
    type: { packages: VERSION_2, deviceClass: 'C' },
  },
];

const BEGINS_S = 400;
/** When the last gateway goes, once the main campaign is over; and the end of the world. */
const GONE_S = 3600;
const ENDS_S = 3700;
const MAIN = 'main';

/** The first device speaks rarely: others are ahead of it. */
function withSlowDevice(network: NetworkPlan): NetworkPlan {
  const [type] = network.deviceTypes;
  const traffic = { ...type!.traffic, meanUs: 380 * SECOND_US, jitterPpm: 0 };
  const slow = { ...type!, name: 'slow', traffic };
  const devices = network.devices.map((device, i) => (i === 0 ? { ...device, type: 1 } : device));
  return { ...network, deviceTypes: [type!, slow], devices };
}

/**
 * The main campaign waits for its time, and for a retry because one device is set up with a key
 * that is not its own; of the others one is halted and one finds no gateway.
 */
function planOf({ type, network = networkOf, input }: Kind): RunPlan {
  const wanted = {
    devices: 7,
    gatewaysAt: [100],
    traffic: { meanUs: 20 * SECOND_US, jitterPpm: 200_000 },
    type: { frameLossPpm: 250_000, ...type },
    server: { rx2DataRate: 3 },
  };
  const plan = withSlowDevice({ ...network(wanted), startUnixMs: START_UNIX_MS });
  const devices = plan.devices.map(({ devEui }) => devEui);
  const campaign: CampaignInput = {
    name: MAIN,
    image_name: 'meter-1.2.0.bin',
    device_group_id: groupId('most'),
    multicast_setup_time: 900,
    mcast_dr: 5,
    frag_size: 50,
    frag_send_delay: 2,
    redundancy: 0.2,
    individual_fragment_retransmit: 8,
    force_initial_version_check: true,
    automatic_retry_count: 1,
    automatic_retry_interval: 60,
    is_troubleshooting: true,
    max_final_version_check_retry: 5,
    scheduled_start_at: formatInstant(START_UNIX_MS + (BEGINS_S + 60) * 1000),
    ...input,
  };
  const at = (atS: number, command: Command): TimedCommand => ({
    atUs: Math.round(atS * SECOND_US),
    command,
  });
  const group = (name: string, some: readonly string[]): TimedCommand =>
    at(BEGINS_S, {
      kind: 'deviceGroup.create',
      by: 'default',
      id: groupId(name),
      group: { name, devices: some },
    });
  const create = (name: string, change: Partial<CampaignInput>): TimedCommand =>
    at(BEGINS_S, {
      kind: 'campaign.create',
      by: 'default',
      id: campaignId(name),
      campaign: { ...campaign, name, ...change },
    });
  const bytesHex = imageHex(1000);
  const keys = { [devices[4]!]: 'FF'.repeat(16) };
  const timeline = [
    at(1, { kind: 'key.upload', by: 'default', keys }),
    at(BEGINS_S, {
      kind: 'image.create',
      by: 'default',
      name: campaign.image_name,
      bytes: fromHex(bytesHex),
      tags: [],
    }),
    group('most', devices.slice(0, 5)),
    group('halted', devices.slice(5, 6)),
    group('late', devices.slice(6)),
    create(MAIN, {}),
    create('halted', { device_group_id: groupId('halted') }),
    create('late', {
      device_group_id: groupId('late'),
      scheduled_start_at: formatInstant(START_UNIX_MS + GONE_S * 1000),
    }),
    at(BEGINS_S + 200, { kind: 'campaign.halt', by: 'default', campaign_id: campaignId('halted') }),
    ...plan.gateways.map(({ eui }) =>
      at(GONE_S - 1, { kind: 'gateway.remove', by: 'default', eui }),
    ),
  ];
  const durationUs = ENDS_S * SECOND_US;
  return { name: 'steps', description: '', durationUs, network: plan, timeline };
}

// ── what is in the middle ────────────────────────────────────────────────────────────────────────

/** The command of a step is queued or on its way, or its answer is waited for. */
function isInTheMiddle(member: Member, step: Step, { settings }: CampaignState): boolean {
  if (member.queued.some((one) => one.step === step)) return true;
  const isSent = STEPS[step]!.awaits === null ? member.repairs > 0 : member.sentAtUs(step) >= 0;
  return isSent && isOpen(member, step, settings);
}

const titleOf = (step: string, stage: Stage): string => `${step} while ${stage}`;

function momentsOf({ resources }: Snapshot['platform']): string[] {
  return resources.campaign.campaigns.flatMap((state) => {
    const open = Object.values(Step).filter((step) =>
      allMembers(state).some((member) => isInTheMiddle(member, step, state)),
    );
    return [state.stage, ...open.map((step) => titleOf(STEPS[step]!.name, state.stage))];
  });
}

/** Stages in which the table opens a step: the version check has one of its own. */
function stagesOf({ name, phase }: StepRow): readonly Stage[] {
  if (phase === 'verify') return ['VERIFYING'];
  return name === 'version check'
    ? ['CHECKING_VERSIONS']
    : ['CHECKING_VERSIONS', 'SETTING_UP_DEVICES'];
}

const WANTED = [
  ...STEPS.flatMap((row) => stagesOf(row).map((stage) => titleOf(row.name, stage))),
  ...STAGES,
];

/** The first and the last moment of a kind, in bytes. */
interface Found {
  first: Snapshot;
  last: Snapshot;
  firstAtS: number;
  lastAtS: number;
}

/** Stops in the second after the campaigns' creation, and at all places of a device's cycle. */
const STOP_US = 1_600_003;
/** With this one, losses leave no moment out in any of the kinds. */
const SEED = 'steps11';

function explore(plan: RunPlan): {
  readonly found: Map<string, Found>;
  readonly outcome: Outcome;
} {
  const world = World.create(plan, SEED);
  const found = new Map<string, Found>();
  // No campaign is there before; its first second is between two stops.
  world.runUntil(Math.floor((BEGINS_S * SECOND_US) / STOP_US) * STOP_US);
  while (
    !world.runUntil(Math.min(world.endUs, world.nowUs + STOP_US)) ||
    world.nowUs < world.endUs
  ) {
    const snapshot = world.snapshot();
    const atS = world.nowUs / SECOND_US;
    for (const moment of momentsOf(snapshot.platform)) {
      const known = found.get(moment) ?? { first: snapshot, firstAtS: atS };
      found.set(moment, { ...known, last: snapshot, lastAtS: atS });
    }
  }
  return { found, outcome: outcomeOf(world) };
}

function endOf(plan: RunPlan, snapshot: Snapshot): Outcome {
  const world = World.restore(plan, SEED, throughBytes(snapshot));
  world.runUntil(world.endUs);
  return outcomeOf(world);
}

/** The first moment of each kind of world or the last, in turn: both, where runs are many. */
const isMany = Number(process.env.FLEETWAVE_RUNS || 1) > 1;
const momentsOfKind = (kind: Kind): readonly ('first' | 'last')[] =>
  isMany ? ['first', 'last'] : [KINDS.indexOf(kind) % 2 === 0 ? 'first' : 'last'];

describe.each(KINDS)('a world with campaigns, $title,', (kind) => {
  const plan = planOf(kind);
  let explored: ReturnType<typeof explore>;
  /** Moments share snapshots. */
  const ends = new Map<Snapshot, Outcome>();
  const endFrom = (snapshot: Snapshot): Outcome => {
    const outcome = ends.get(snapshot) ?? endOf(plan, snapshot);
    ends.set(snapshot, outcome);
    return outcome;
  };
  beforeAll(() => {
    explored = explore(plan);
  });

  it('refuses no command and updates devices', () => {
    expect(explored.outcome.result.warnings.filter((line) => line.includes('refused'))).toEqual([]);
    expect(explored.outcome.result.campaigns[0]!.success).toBeGreaterThan(0);
  });

  it.each(WANTED)('ends the same when it is restored in the middle of %s', (moment) => {
    const found = explored.found.get(moment);
    expect(found, `${moment} is reached`).toBeDefined();
    for (const place of momentsOfKind(kind)) {
      expect(endFrom(found![place])).toEqual(explored.outcome);
    }
  });
});
