/**
 * Random sequences of commands on campaigns, with a small network running underneath. A model knows
 * of each campaign only whether it was halted or deleted. `FLEETWAVE_SEQUENCES` asks for more of
 * them.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatInstant } from '../../core/base/instant.ts';
import type { CampaignRestart } from '../../core/update-service/campaigns/commands.ts';
import { STAGES, type Stage } from '../../core/update-service/campaigns/stages.ts';
import type {
  CampaignSummary,
  FullStatus,
} from '../../core/update-service/campaigns/status-fields.ts';
import { World } from '../../core/world/world.ts';
import { fromHex } from '../../sim/base/bytes.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { type PackagesPlan, USUAL_PACKAGES } from '../../sim/plan/packages-plan.ts';
import { campaignId, groupId } from '../support/ids.ts';
import { sampled, some } from '../support/long.ts';
import { eui, networkOf, SECOND_US } from '../support/small-network.ts';
import { imageHex, START_UNIX_MS } from './notation.ts';

const DEVICES = 3;
/** Each campaign brings a version of its own, so that nobody runs it before. */
const MOST_CAMPAIGNS = 6;
const HOUR_US = 3600 * SECOND_US;
const imageName = (number: number): string => `meter-${number + 2}.0.0.bin`;

interface Known {
  readonly name: string;
  halted: boolean;
  deleted: boolean;
  /** Fragments on the air when it was last seen halted. */
  sent: number;
}
interface Model {
  campaigns: Known[];
  readonly removed: Set<string>;
}
type Command = fc.Command<Model, World>;

const VERSION_2: PackagesPlan = {
  ...USUAL_PACKAGES,
  clockSync: { version: 2, fPort: 212 },
  multicastSetup: { version: 2, fPort: 210 },
  fragmentation: { version: 2, fPort: 211 },
};

/** The last device speaks version 2: groups are mixed. */
function withVersion2(network: NetworkPlan): NetworkPlan {
  const [type] = network.deviceTypes;
  const devices = network.devices.map((device, i) => ({
    ...device,
    type: i === DEVICES - 1 ? 1 : 0,
  }));
  return {
    ...network,
    deviceTypes: [type!, { ...type!, name: 'version 2', packages: VERSION_2 }],
    devices,
  };
}

const KINDS = [
  { title: 'of class A', deviceClass: 'A', change: (network: NetworkPlan) => network },
  { title: 'of class C', deviceClass: 'C', change: (network: NetworkPlan) => network },
  { title: 'of class A in both versions', deviceClass: 'A', change: withVersion2 },
  { title: 'of class C in both versions', deviceClass: 'C', change: withVersion2 },
] as const;

function freshWorld({ deviceClass, change }: (typeof KINDS)[number]): World {
  const base = networkOf({
    devices: DEVICES,
    gatewaysAt: [100, 300],
    traffic: { meanUs: 45 * SECOND_US, jitterPpm: 200_000 },
    type: { frameLossPpm: 50_000, deviceClass },
    server: { rx2DataRate: 3 },
  });
  const network = { ...change(base), startUnixMs: START_UNIX_MS, verifyAllImages: true };
  const plan = { name: 'model', description: '', durationUs: 24 * HOUR_US, network, timeline: [] };
  const world = World.create(plan, 'model');
  world.runUntil(100 * SECOND_US);
  const devices = network.devices.map(({ devEui }) => devEui);
  for (let i = 0; i < MOST_CAMPAIGNS; i++) {
    const bytesHex = imageHex(200 + 10 * i);
    world.submit({
      kind: 'image.create',
      by: 'default',
      name: imageName(i),
      bytes: fromHex(bytesHex),
      tags: [],
    });
  }
  const members = { all: devices, some: devices.slice(1) };
  for (const [name, devices] of Object.entries(members)) {
    world.submit({
      kind: 'deviceGroup.create',
      by: 'default',
      id: groupId(name),
      group: { name, devices },
    });
  }
  return world;
}

// ── what holds after every step ──────────────────────────────────────────────────────────────────

const listOf = (world: World): readonly CampaignSummary[] => {
  const answer = world.ask({ kind: 'campaign.list', by: 'default' });
  return answer.ok ? answer.value : [];
};

const isOver = (stage: number): boolean => stage >= 7;

function check(model: Model, world: World): void {
  const list = listOf(world);
  const left = model.campaigns.filter(({ deleted }) => !deleted);
  expect(list.map(({ name }) => name)).toEqual(left.map(({ name }) => name));
  const results = world.result().campaigns;
  list.forEach((summary, i) => {
    const full = world.ask({
      kind: 'campaign.get',
      by: 'default',
      campaign_id: summary.campaign_id,
    });
    if (!full.ok || !('devices' in full.value)) return;
    checkCounts(full.value);
    checkHistory(world, full.value);
    const { success, verified } = results[i]!;
    expect(verified.right).toBe(verified.rebuilt);
    expect(success).toBeLessThanOrEqual(verified.right);
    checkHalted(left[i]!, full.value);
  });
}

function checkCounts(full: FullStatus): void {
  const fates = Object.values(full.devices).map(({ stage_str, failure_reason }) =>
    failure_reason !== null ? 'fail' : stage_str === 'FINISHED' ? 'success' : 'in_progress',
  );
  const count = (fate: string) => fates.filter((one) => one === fate).length;
  expect(count('fail')).toBe(full.num_devices_fail);
  expect(count('success')).toBe(full.num_devices_success);
  expect(count('in_progress')).toBe(full.num_devices_in_progress);
  if (isOver(full.stage)) expect(full.num_devices_in_progress).toBe(0);
}

/** What is over for a device stands in its history as it was, and only what was. */
function checkHistory(world: World, { campaign_id, devices }: FullStatus): void {
  const answer = world.ask({ kind: 'history.all', by: 'default' });
  const all = answer.ok ? answer.value : {};
  for (const [devEui, device] of Object.entries(devices)) {
    const entries = (all[devEui] ?? []).filter((entry) => entry.campaign_id === campaign_id);
    const successes = entries.filter(({ status }) => status === 'success').length;
    expect(successes).toBe(device.failure_reason === null && device.stage === 7 ? 1 : 0);
    const { failure_reason: reason, attempts } = device;
    if (reason === 'halted' && attempts === 0) expect(entries).toEqual([]);
    else if (reason !== null) expect(entries.at(-1)?.reason).toBe(reason);
  }
}

function checkHalted(known: Known, { stage_str, fragments }: FullStatus): void {
  if (!known.halted) return;
  expect(stage_str).toBe('HALTED');
  const sent = fragments?.sent ?? 0;
  if (known.sent >= 0) expect(sent).toBe(known.sent);
  known.sent = sent;
}

// ── commands ─────────────────────────────────────────────────────────────────────────────────────

/** Frames that a gateway holds already go out within this time. */
const SETTLING_US = 3 * SECOND_US;

function pause(world: World): void {
  world.runUntil(world.nowUs + SETTLING_US);
}

const step = (text: string, run: (model: Model, world: World) => void): Command => ({
  check: () => true,
  run(model, world) {
    run(model, world);
    check(model, world);
  },
  toString: () => text,
});

const create = (group: string, retries: number, checks: boolean): Command =>
  step(`create on ${group}`, (model, world) => {
    const number = model.campaigns.length;
    if (number >= MOST_CAMPAIGNS) return;
    const name = `campaign-${number}`;
    const campaign = {
      name,
      image_name: imageName(number),
      device_group_id: groupId(group),
      multicast_setup_time: 300,
      mcast_dr: 5,
      frag_size: 50,
      frag_send_delay: 2,
      redundancy: 1,
      automatic_retry_count: retries,
      automatic_retry_interval: 60,
      force_initial_version_check: checks,
    };
    const answer = world.submit({
      kind: 'campaign.create',
      by: 'default',
      id: campaignId(name),
      campaign,
    });
    expect(answer.ok || model.removed.size > 0).toBe(true);
    if (answer.ok) model.campaigns.push({ name, halted: false, deleted: false, sent: -1 });
  });

/** Carries out a command on one of the campaigns, which the model knows to be there or not. */
const onOne = (
  text: string,
  which: number,
  run: (known: Known, summary: CampaignSummary, world: World) => void,
): Command =>
  step(`${text} ${which}`, (model, world) => {
    const known = model.campaigns[which % Math.max(1, model.campaigns.length)];
    const name = known?.name ?? 'nobody';
    const summary = listOf(world).find((one) => one.name === name);
    if (known !== undefined && summary !== undefined) return run(known, summary, world);
    for (const kind of ['campaign.halt', 'campaign.delete'] as const) {
      const answer = world.submit({ kind, by: 'default', campaign_id: campaignId(name) });
      expect(answer).toMatchObject({ failure: { code: 'campaign.unknown' } });
    }
  });

const halt = (which: number): Command =>
  onOne('halt', which, (known, { stage, campaign_id }, world) => {
    const answer = world.submit({ kind: 'campaign.halt', by: 'default', campaign_id });
    expect(answer.ok).toBe(!isOver(stage));
    pause(world);
    if (answer.ok) Object.assign(known, { halted: true, sent: -1 });
  });

/** Fields of a restart; its start is in seconds from now. */
type Changes = Omit<CampaignRestart, 'scheduled_start_at'> & { readonly startsInS?: number };

const restart = (which: number, { startsInS, ...rest }: Changes): Command =>
  onOne(`restart with ${JSON.stringify(rest)}`, which, (known, summary, world) => {
    const { stage, campaign_id } = summary;
    const nowMs = START_UNIX_MS + world.nowUs / 1000;
    const start = startsInS === undefined ? null : formatInstant(nowMs + startsInS * 1000);
    const changes = { ...rest, scheduled_start_at: start };
    const hasFailedDevices = someFailedIsLeft(world, campaign_id);
    const answer = world.submit({ kind: 'campaign.restart', by: 'default', campaign_id, changes });
    expect(answer.ok).toBe(isOver(stage) && hasFailedDevices);
    if (!answer.ok) return;
    known.halted = false;
    pause(world); // before that it initializes
    const full = world.ask({ kind: 'campaign.get', by: 'default', campaign_id });
    if (!full.ok || !('devices' in full.value)) throw new Error('the campaign is not reported');
    checkRestarted(full.value, rest);
  });

/** Whether a device that failed in a campaign is still in the network. */
function someFailedIsLeft(world: World, campaign_id: string): boolean {
  const short = world.ask({ kind: 'campaign.shortStatus', by: 'default', campaign_id });
  const devices = short.ok && 'devices' in short.value ? Object.entries(short.value.devices) : [];
  return devices.some(
    ([devEui, { failure_reason }]) =>
      failure_reason !== null && world.ask({ kind: 'device.get', by: 'default', devEui }).ok,
  );
}

/** What was given holds from now on. */
function checkRestarted(settings: FullStatus, rest: Changes): void {
  const { redundancy, automatic_retry_count, multicast_setup_time } = rest;
  if (redundancy !== undefined) expect(settings.redundancy).toBe(redundancy);
  if (automatic_retry_count !== undefined) {
    expect(settings.automatic_retry_count).toBe(automatic_retry_count);
  }
  // At 0 it is reported once the round has a plan.
  if (multicast_setup_time) expect(settings.multicast_setup_time).toBe(multicast_setup_time);
}

/** Stages in which campaigns were deleted. */
const deletedIn = new Set<string>();

const remove = (which: number): Command =>
  onOne('delete', which, (known, { stage_str, campaign_id }, world) => {
    deletedIn.add(stage_str);
    expect(world.submit({ kind: 'campaign.delete', by: 'default', campaign_id }).ok).toBe(true);
    pause(world);
    known.deleted = true;
  });

const advance = (seconds: number): Command =>
  step(`advance ${seconds} s`, (_, world) => {
    world.runUntil(world.nowUs + seconds * SECOND_US);
  });

/** Goes on until a campaign is in a stage, for half an hour at most. */
const bringTo = (which: number, stage: Stage): Command =>
  onOne(`bring to ${stage}`, which, (known, _, world) => {
    const isThere = () =>
      listOf(world).some((one) => one.name === known.name && one.stage_str === stage);
    for (let i = 0; i < 1800 && !isThere(); i++) world.runUntil(world.nowUs + SECOND_US);
  });

const removeDevice = (which: number): Command =>
  step(`remove device ${which}`, (model, world) => {
    const { devEui } = world.plan.network.devices[which]!;
    const answer = world.submit({ kind: 'device.remove', by: 'default', devEui });
    expect(answer.ok).toBe(!model.removed.has(devEui));
    model.removed.add(devEui);
  });

const which = fc.nat({ max: MOST_CAMPAIGNS - 1 });
const changes: fc.Arbitrary<Changes> = fc.record(
  {
    gateways: fc.constantFrom([], [eui('06', 1)], [eui('06', 1), eui('06', 2)]),
    multicast_setup_time: fc.constantFrom(0, 200, 400),
    startsInS: fc.integer({ min: 1, max: 300 }),
    automatic_retry_count: fc.nat({ max: 2 }),
    redundancy: fc.constantFrom(0, 0.5, 1),
  },
  { requiredKeys: [] },
);
const COMMANDS = [
  fc
    .tuple(fc.constantFrom('all', 'some'), fc.nat({ max: 1 }), fc.boolean())
    .map(([g, r, c]) => create(g, r, c)),
  fc.integer({ min: 1, max: 700 }).map(advance),
  fc.integer({ min: 1, max: 20 }).map(advance),
  which.map(halt),
  fc.tuple(which, changes).map(([w, c]) => restart(w, c)),
  which.map(remove),
  fc.tuple(which, fc.constantFrom(...STAGES.slice(1, 8))).map(([w, stage]) => bringTo(w, stage)),
  fc.nat({ max: DEVICES - 1 }).map(removeDevice),
];

/** There is always a gateway. */
const NEVER = ['ERROR_SETTING_UP'];
const SEQUENCES = Number(process.env.FLEETWAVE_SEQUENCES ?? some(800));

describe('campaigns keep their word under any sequence of commands', () => {
  it.each(KINDS)(
    'on devices $title',
    (kind) => {
      const start = freshWorld(kind);
      fc.assert(
        fc.property(fc.commands(COMMANDS, { maxCommands: 14, size: 'max' }), (commands) => {
          fc.modelRun(
            () => ({ model: { campaigns: [], removed: new Set<string>() }, real: start.fork() }),
            commands,
          );
        }),
        { numRuns: Math.ceil(SEQUENCES / KINDS.length) },
      );
    },
    600_000,
  );

  it('also when one is deleted in any stage, while another waits for its devices', () => {
    const kinds = sampled(KINDS, ({ title }) => /of class A$|C in both/.test(title));
    for (const kind of kinds) {
      const start = freshWorld(kind);
      for (const stage of STAGES) {
        const steps = [create('all', 1, true), create('some', 0, false), advance(3)];
        const end = [remove(0), bringTo(1, 'FINISHED'), remove(1)];
        const first = stage === 'WAITING_FOR_START' ? [remove(1)] : [bringTo(0, stage)];
        const middle = stage === 'HALTED' ? [halt(0)] : first;
        const all =
          stage === 'INITIALIZING' ? [steps[0]!, remove(0)] : [...steps, ...middle, ...end];
        const model: Model = { campaigns: [], removed: new Set() };
        fc.modelRun(() => ({ model, real: start.fork() }), all);
      }
    }
    expect(STAGES.filter((stage) => !deletedIn.has(stage))).toEqual(NEVER);
  });
});
