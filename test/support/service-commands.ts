/**
 * What subscribers of one network may do, a row each: how it is asked for, why it may be refused,
 * and what it does in the reference model.
 */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { FailureClass } from '../../core/kit/failures.ts';
import { World } from '../../core/world/world.ts';
import { SEED } from './driving.ts';
import { IMAGES, isOver, WHO } from './service-model.ts';
import {
  type Chosen,
  CLASS_A,
  DAY_US,
  type Driven,
  devEuiOf,
  gatewayOf,
  NOBODYS,
} from './service-world.ts';
import { SECOND_US } from './small-network.ts';

type Does = (driven: Driven, chosen: Chosen) => void;

// ── what may be done ─────────────────────────────────────────────────────────────────────────────

const groups: Record<'group' | 'groupAdd' | 'groupReplace' | 'groupDelete', Does> = {
  group: (driven, { by, a, asOwner }) => {
    const { model, nowMs } = driven;
    // Mostly what one may have.
    const devices = driven
      .devEuis(a)
      .filter((each) => !asOwner || ['own', 'delegated'].includes(model.standing(by, each, nowMs)));
    const reasons = model.whyNotMembers(by, devices, [], nowMs);
    const group = { name: 'g', devices };
    if (devices.length === 0) reasons.push('malformed');
    const created = driven.give(by, { kind: 'deviceGroup.create', group }, reasons);
    if (created === undefined) return;
    const id = driven.note(created.device_group_id);
    model.groups.set(id, { id, owner: by, devices, isChilds: false, isOfClass: false });
  },
  groupAdd: (driven, chosen) => {
    const { model, nowMs } = driven;
    const [group, by, device_group_id] = driven.pick(model.groups, chosen);
    const devices = driven.devEuis(chosen.b || 1);
    const others = group?.isOfClass === true ? 'of a class' : (group?.devices ?? []);
    const unknown = model.whyNotIn(model.groups, by, device_group_id);
    const reasons = [...unknown, ...model.whyNotMembers(by, devices, others, nowMs)];
    const add = { kind: 'deviceGroup.addDevices', device_group_id, devices } as const;
    const more = driven.give(by, add, device_group_id === '' ? ['malformed', 'unknown'] : reasons);
    if (more === undefined || group === undefined) return;
    group.devices = [...new Set([...group.devices, ...devices])];
  },
  groupReplace: (driven, chosen) => {
    const { model, nowMs } = driven;
    const [group, by, device_group_id] = driven.pick(model.groups, chosen);
    if (group === undefined) return;
    const devices = driven.devEuis(chosen.b || 1);
    const unknown = model.whyNotIn(model.groups, by, device_group_id);
    const reasons = [...unknown, ...model.whyNotMembers(by, devices, [], nowMs)];
    const replace = { kind: 'deviceGroup.replace', device_group_id } as const;
    const response = driven.give(by, { ...replace, group: { name: 'r', devices } }, reasons);
    if (response !== undefined) Object.assign(group, { devices, isOfClass: false });
  },
  groupDelete: (driven, chosen) => {
    const { model } = driven;
    const [group, by, device_group_id] = driven.pick(model.groups, chosen);
    if (group === undefined) return;
    const reasons = model.whyNotIn(model.groups, by, device_group_id);
    const users = model.usersOf(group.owner, ({ groupId }) => groupId === group.id);
    const isOfJob = [...model.jobs.values()].some(
      ({ groupId, status }) => groupId === group.id && status === 'running',
    );
    if (reasons.length === 0 && (users.staying || isOfJob)) reasons.push('conflict');
    const may: FailureClass[] = users.any ? ['conflict'] : [];
    driven.give(by, { kind: 'deviceGroup.delete', device_group_id }, reasons, may);
    const isThere = driven.ask(group.owner, { kind: 'deviceGroup.get', device_group_id }).ok;
    if (reasons.length > 0) expect(isThere).toBe(true);
    if (!isThere) model.groups.delete(device_group_id);
  },
};

const campaigns: Record<`campaign${'' | 'Halt' | 'Restart' | 'Delete'}`, Does> = {
  campaign: (driven, chosen) => {
    const { model, nowMs } = driven;
    const [group, by, device_group_id] = driven.pick(model.groups, chosen);
    if (group === undefined) return;
    const image_name = IMAGES[chosen.b % 2]!;
    const scheduled_start_at = chosen.b % 5 === 4 ? driven.in(2 * DAY_US) : null;
    const automatic_retry_count = chosen.b % 3;
    const campaign = { name: 'c', image_name, device_group_id, scheduled_start_at };
    const create = {
      kind: 'campaign.create',
      campaign: { ...campaign, automatic_retry_count },
    } as const;
    const reasons = model.whyNoCampaign(by, image_name, device_group_id, nowMs);
    const created = driven.give(by, create, reasons, ['failed']);
    if (created === undefined) return;
    expect(created.stage_str).toBe('INITIALIZING');
    const id = driven.note(created.campaign_id);
    const common = { id, owner: by, groupId: device_group_id, image: image_name, stage: 0 };
    const calm = { isRestarted: false, isHalted: false, goneByUs: undefined };
    model.campaigns.set(id, { ...common, ...calm, managedId: undefined });
  },
  campaignHalt: (driven, chosen) => {
    const { model } = driven;
    const [campaign, by, campaign_id] = driven.pick(model.campaigns, chosen);
    if (campaign === undefined) return;
    const reasons = model.whyNotIn(model.campaigns, by, campaign_id);
    if (isOver(campaign.stage)) reasons.push('conflict');
    const may: FailureClass[] = campaign.goneByUs === undefined ? [] : ['unknown', 'conflict'];
    driven.give(by, { kind: 'campaign.halt', campaign_id }, reasons, may);
    if (reasons.length === 0) campaign.isHalted = true;
  },
  campaignRestart: (driven, chosen) => {
    const { model, nowMs } = driven;
    const [campaign, by, campaign_id] = driven.pick(model.campaigns, chosen);
    if (campaign === undefined) return;
    const status = driven.ask(campaign.owner, { kind: 'campaign.shortStatus', campaign_id });
    const devices = status.ok && 'devices' in status.value ? status.value.devices : {};
    const failed = Object.entries(devices)
      .filter(([, { failure_reason }]) => failure_reason !== null)
      .map(([devEui]) => devEui);
    const reasons = model.whyNotIn(model.campaigns, by, campaign_id);
    reasons.push(...model.whyNoRestart(campaign.owner, campaign, failed, nowMs));
    const may: FailureClass[] = ['failed'];
    // Devices that are gone, or somebody else’s, are not tried again.
    if (!failed.every((each) => model.devices.has(each))) may.push('conflict', 'forbidden');
    if (campaign.goneByUs !== undefined) may.push('unknown', 'conflict');
    const restart = { kind: 'campaign.restart', campaign_id, changes: {} } as const;
    if (driven.give(by, restart, reasons, may) === undefined) return;
    campaign.isRestarted = true;
  },
  campaignDelete: (driven, chosen) => {
    const { model } = driven;
    const [campaign, by, campaign_id] = driven.pick(model.campaigns, chosen);
    if (campaign === undefined) return;
    const reasons = model.whyNotIn(model.campaigns, by, campaign_id);
    const may: FailureClass[] = campaign.goneByUs === undefined ? [] : ['unknown'];
    driven.give(by, { kind: 'campaign.delete', campaign_id }, reasons, may);
    if (reasons.length === 0) campaign.goneByUs ??= driven.world.nowUs + SECOND_US;
  },
};

const managed: Record<`managed${'' | 'Halt' | 'Delete' | 'Clear'}`, Does> = {
  managed: (driven, { by, a, b, asOwner }) => {
    const { model } = driven;
    const own = model.of(model.gateways, by)[0]?.id;
    const gateway = asOwner && own !== undefined ? own : driven.gateway(a);
    const image = IMAGES[b % 2]!;
    const reasons: FailureClass[] = [];
    if (model.gateways.get(gateway)?.owner !== by) reasons.push('malformed');
    if (!model.hasImage(by, image)) reasons.push('malformed');
    const days = [1, 3, 20][b % 3]!;
    const name = `m${driven.names++}`;
    const time = ['00:00', '13:30', '23:59'][a % 3]!;
    const include = ['................', '0100............', '01020300........'][a % 3]!;
    const exclude = b % 4 === 3 ? '01000000........' : undefined;
    const managedCampaign = {
      name,
      include_versions: [include],
      exclude_versions: exclude === undefined ? null : [exclude],
      image_name: image,
      preferred_start_time_utc: time,
      stop_when_no_match: a % 2 === 1,
      run_until: b % 3 === 0 ? null : driven.in(days * DAY_US),
      gateways: [gateway],
    };
    const create = { kind: 'managedCampaign.create', managedCampaign } as const;
    const created = driven.give(by, create, reasons);
    if (created === undefined) return;
    expect(created).toMatchObject({ stage: 0, updated_devices: {}, name, image_name: image });
    const id = driven.note(created.managed_campaign_id);
    const runUntilMs = Date.parse(created.run_until ?? '');
    expect(runUntilMs).toBe(driven.nowMs + (b % 3 === 0 ? 7 : days) * 86_400_000);
    const expected = image === IMAGES[0] ? '01020300........' : '01020400........';
    const fixed = { id, owner: by, name, image, gateway, include, exclude, expected, time };
    model.managed.set(id, { ...fixed, runUntilMs, stage: 0, isHalted: false });
  },
  managedHalt: (driven, chosen) => {
    const { model } = driven;
    const [one, by, managed_campaign_id] = driven.pick(model.managed, chosen);
    if (one === undefined) return;
    const reasons = model.whyNotIn(model.managed, by, managed_campaign_id);
    driven.give(by, { kind: 'managedCampaign.halt', managed_campaign_id }, reasons);
    if (reasons.length > 0) return;
    const get = { kind: 'managedCampaign.get', managed_campaign_id } as const;
    expect(isOver(driven.got(by, get).stage)).toBe(true);
    if (!isOver(one.stage)) {
      for (const child of model.campaigns.values()) {
        if (child.managedId === one.id && !isOver(child.stage)) child.isHalted = true;
      }
    }
    one.isHalted = true;
  },
  managedDelete: (driven, chosen) => {
    const { model } = driven;
    const [one, by, managed_campaign_id] = driven.pick(model.managed, chosen);
    if (one === undefined) return;
    const reasons = model.whyNotIn(model.managed, by, managed_campaign_id);
    if (!isOver(one.stage)) reasons.push('conflict');
    driven.give(by, { kind: 'managedCampaign.delete', managed_campaign_id }, reasons);
    if (reasons.length === 0) model.managed.delete(managed_campaign_id);
  },
  managedClear: (driven, chosen) => {
    const { model } = driven;
    const [one, by, managed_campaign_id] = driven.pick(model.managed, chosen);
    if (one === undefined) return;
    const reasons = model.whyNotIn(model.managed, by, managed_campaign_id);
    const clear = { kind: 'managedCampaign.clearProblematicDevices', managed_campaign_id } as const;
    driven.give(by, clear, reasons);
    const query = { kind: 'managedCampaign.problematicDevices', managed_campaign_id } as const;
    if (reasons.length === 0) expect(driven.got(by, query)).toEqual({});
  },
};

const jobs: Record<`job${'' | 'Stop' | 'Restart' | 'Delete'}`, Does> = {
  job: (driven, { by, a, b, asOwner }) => {
    const { model } = driven;
    const own = driven.devEuis(a).filter((each) => model.devices.get(each)?.owner === by);
    const devices = asOwner ? own : driven.devEuis(a);
    const group =
      b % 4 === 3 ? [...model.groups.values()][b % Math.max(1, model.groups.size)] : undefined;
    const reasons = model.whyNoJob(by, devices, group?.id);
    const max_retries = b % 3;
    const job = {
      name: 'j',
      downlink_hex: '0A0B',
      downlink_fport: 9,
      expected_uplink_hex: b % 2 === 0 ? '0a0b' : 'FF',
      expected_uplink_fport: 9,
      devices,
      device_group_id: group?.id ?? null,
      max_retries,
      retry_interval: [10, 600, 100_000][b % 3]!,
    };
    const created = driven.give(by, { kind: 'reliableDownlink.create', job }, reasons);
    if (created === undefined) return;
    const all = new Set([...devices, ...(group?.devices ?? [])]);
    expect(Object.keys(created.devices).sort()).toEqual([...all].sort());
    const id = driven.note(created.job_id);
    model.jobs.set(id, {
      id,
      owner: by,
      groupId: group?.id,
      devices: [...all],
      maxRetries: max_retries,
      status: created.status,
      last: undefined,
      succeeded: new Set(),
    });
  },
  jobStop: (driven, chosen) => {
    const { model } = driven;
    const [job, by, job_id] = driven.pick(model.jobs, chosen);
    if (job === undefined) return;
    const reasons = model.whyNotIn(model.jobs, by, job_id);
    if (job.status !== 'running') reasons.push('conflict');
    const response = driven.give(by, { kind: 'reliableDownlink.stop', job_id }, reasons);
    if (response === undefined) return;
    expect(response).toMatchObject({ status: 'stopped', num_devices_pending: 0 });
    Object.assign(job, { status: 'stopped', last: JSON.stringify(response) });
  },
  jobRestart: (driven, chosen) => {
    const { model } = driven;
    const [job, by, job_id] = driven.pick(model.jobs, chosen);
    if (job === undefined) return;
    const reasons = model.whyNotIn(model.jobs, by, job_id);
    const get = { kind: 'reliableDownlink.get', job_id } as const;
    const { num_devices_fail: failed, num_devices_pending: pending } = driven.got(job.owner, get);
    if (pending > 0 || failed === 0) reasons.push('conflict');
    const response = driven.give(by, { kind: 'reliableDownlink.restart', job_id }, reasons);
    if (response !== undefined) Object.assign(job, { status: response.status, last: undefined });
  },
  jobDelete: (driven, chosen) => {
    const { model } = driven;
    const [job, by, job_id] = driven.pick(model.jobs, chosen);
    if (job === undefined) return;
    const reasons = model.whyNotIn(model.jobs, by, job_id);
    driven.give(by, { kind: 'reliableDownlink.delete', job_id }, reasons);
    if (reasons.length === 0) model.jobs.delete(job_id);
  },
};

const SPANS_US = [1, 60, 3600, 86_400, 5 * 86_400].map((seconds) => seconds * SECOND_US);

const delegations: Record<'delegate' | 'delegationChange' | 'delegationDelete', Does> = {
  delegate: (driven, { by, a, b }) => {
    const { model } = driven;
    const to = WHO[b % 3]!;
    const include = ['................', devEuiOf(0), devEuiOf(a % 5)][a % 3]!;
    const exclude = a % 4 === 3 ? [devEuiOf(0)] : [];
    const spanUs = SPANS_US[(a + b) % SPANS_US.length]!;
    const expires_at = driven.in(spanUs);
    const delegation = {
      delegate_to: to,
      expires_at,
      include_devices: [include],
      exclude_devices: exclude,
    };
    const reasons: FailureClass[] = to === by ? ['malformed'] : [];
    const created = driven.give(by, { kind: 'delegation.create', delegation }, reasons);
    if (created === undefined) return;
    const id = driven.note(created.delegation_id);
    const cover = { from: by, to, include: [include], exclude };
    model.delegations.set(id, { id, ...cover, expiresMs: Date.parse(expires_at) });
  },
  delegationChange: (driven, { by, a, b }) => {
    const { model } = driven;
    const one = [...model.delegations.values()][a % Math.max(1, model.delegations.size)];
    if (one === undefined) return;
    const exclude = b % 2 === 0 ? [devEuiOf(b % 5)] : [];
    const expires_at = driven.in(DAY_US);
    const update = {
      kind: 'delegation.update',
      delegation_id: one.id,
      delegation:
        b % 3 === 0 ? { exclude_devices: exclude, expires_at } : { exclude_devices: exclude },
    } as const;
    const response = driven.give(by, update, refusedTo(by, one));
    if (response === undefined) return;
    model.former.push(one);
    model.delegations.set(one.id, { ...one, exclude, expiresMs: Date.parse(response.expires_at) });
  },
  delegationDelete: (driven, { by, a }) => {
    const { model } = driven;
    const one = [...model.delegations.values()][a % Math.max(1, model.delegations.size)];
    if (one === undefined) return;
    const remove = { kind: 'delegation.delete', delegation_id: one.id } as const;
    driven.give(by, remove, refusedTo(by, one));
    if (by !== one.from) return;
    model.delegations.delete(one.id);
    model.former.push(one);
  },
};

/** Only the creator changes a record; to a third party there is none. */
function refusedTo(by: string, { from, to }: { from: string; to: string }): FailureClass[] {
  if (by === from) return [];
  return by === to ? ['forbidden'] : ['unknown'];
}

const things: Record<
  'device' | 'deviceRemove' | 'gateway' | 'gatewayRemove' | 'fault' | 'behaviour' | 'keys',
  Does
> = {
  device: (driven, { by, a, b }) => {
    const { model } = driven;
    const devEui = devEuiOf(a % 7);
    const type = b % 3;
    const reasons: FailureClass[] = model.devices.has(devEui) ? ['conflict'] : [];
    const place = { xMeters: 0, yMeters: 0 };
    driven.give(by, { kind: 'device.create', device: { devEui, type, ...place } }, reasons);
    if (reasons.length > 0) return;
    model.addDevice({ id: devEui, owner: by, deviceClass: type === CLASS_A ? 'A' : 'C' });
  },
  deviceRemove: (driven, chosen) => {
    const { model } = driven;
    const [device, by, devEui] = driven.pick(model.devices, chosen);
    if (device === undefined) return;
    const reasons = model.whyNotIn(model.devices, by, devEui);
    driven.give(by, { kind: 'device.remove', devEui }, reasons);
    if (reasons.length === 0) model.removeDevice(devEui);
  },
  gateway: (driven, { by, a }) => {
    const { model } = driven;
    const id = gatewayOf(a % 4);
    const reasons: FailureClass[] = model.gateways.has(id) ? ['conflict'] : [];
    const gateway = { eui: id, name: id, xMeters: 100, yMeters: 0 };
    driven.give(by, { kind: 'gateway.create', gateway }, reasons);
    if (reasons.length === 0) model.gateways.set(id, { id, owner: by });
  },
  gatewayRemove: (driven, chosen) => {
    const { model } = driven;
    const [gateway, by, eui] = driven.pick(model.gateways, chosen);
    if (gateway === undefined) return;
    const reasons = model.whyNotIn(model.gateways, by, eui);
    driven.give(by, { kind: 'gateway.remove', eui }, reasons);
    if (reasons.length > 0) return;
    model.wasDeaf = true;
    model.gateways.delete(eui);
  },
  fault: (driven, chosen) => {
    const { model } = driven;
    const [gateway, by, eui] = driven.pick(model.gateways, chosen);
    if (gateway === undefined) return;
    const fault = chosen.b % 2 === 0 ? 'radio' : 'backhaul';
    const on = chosen.b % 4 < 2;
    const reasons = model.whyNotIn(model.gateways, by, eui);
    driven.give(by, { kind: 'gateway.fault', eui, fault, on }, reasons);
    model.wasDeaf = true;
  },
  behaviour: (driven, chosen) => {
    const { model } = driven;
    const [device, by, devEui] = driven.pick(model.devices, chosen);
    if (device === undefined) return;
    const reasons = model.whyNotIn(model.devices, by, devEui);
    const answers = [[], [{}], [{ delay: 2 }], [{ sendHex: 'ff' }]][chosen.b % 4]!;
    driven.give(by, { kind: 'device.behaviour', devEui, answers }, reasons);
  },
  keys: (driven, { by, a, b }) => {
    const devices = driven.devEuis(a);
    const [first = NOBODYS] = devices;
    if (b % 3 === 0) driven.give(by, { kind: 'key.delete', devices }, []);
    else if (b % 3 === 1) {
      driven.give(by, { kind: 'key.generate', keygen_type: 'vendor', devices }, []);
    } else driven.give(by, { kind: 'key.upload', keys: { [first]: 'ab'.repeat(16) } }, []);
  },
};

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;
const STEPS_S = [
  0,
  1,
  2,
  10,
  60,
  600,
  HOUR_S,
  3 * HOUR_S,
  12 * HOUR_S,
  DAY_S,
  3 * DAY_S,
  8 * DAY_S,
];
const STEPS_US = [...STEPS_S, DAY_S - 60].map((seconds) => seconds * SECOND_US);

const worlds: Record<'wait' | 'save' | 'fork', Does> = {
  wait: (driven, { a }) => {
    driven.world.runUntil(driven.world.nowUs + STEPS_US[a % STEPS_US.length]!);
  },
  save: (driven) => {
    const { world, plan } = driven;
    const before = world.digest();
    const stored = new Map(world.contents().map(({ sha256, bytes }) => [sha256, bytes]));
    const contents = (sha256: string) => stored.get(sha256);
    const again = World.fromBytes(plan, SEED, world.toBytes(), { contents, ...driven.options });
    if (!again.ok) throw new Error(again.failure.message);
    expect(again.value.digest()).toEqual(before);
    expect(world.digest()).toEqual(before);
    driven.world = again.value;
  },
  fork: (driven, { a }) => {
    const { world, plan } = driven;
    const before = world.digest();
    const [one, other] = [world.fork(), World.restore(plan, SEED, world.snapshot())];
    const untilUs = world.nowUs + STEPS_US[a % STEPS_US.length]!;
    one.runUntil(untilUs);
    other.runUntil(untilUs);
    expect(other.digest()).toEqual(one.digest());
    expect(world.digest()).toEqual(before);
  },
};

const images: Record<'image' | 'imageDelete', Does> = {
  image: (driven, { by, b }) => {
    const { model } = driven;
    const name = IMAGES[b % 2]!;
    const reasons: FailureClass[] = model.hasImage(by, name) ? ['conflict'] : [];
    const bytes = new Uint8Array(100).fill(b);
    driven.give(by, { kind: 'image.create', name, bytes }, reasons);
    model.images.add(`${by}/${name}`);
  },
  imageDelete: (driven, { by, b }) => {
    const { model } = driven;
    const name = IMAGES[b % 2]!;
    const reasons: FailureClass[] = model.hasImage(by, name) ? [] : ['unknown'];
    const users = model.usersOf(by, ({ image }) => image === name);
    // It is complete when it is CLEANED or ERROR_SETTING_UP.
    const isManaged = model
      .of(model.managed, by)
      .some(({ image, stage }) => image === name && stage < 8);
    if (users.staying || isManaged) reasons.push('conflict');
    const may: FailureClass[] = users.any ? ['conflict'] : [];
    driven.give(by, { kind: 'image.delete', name }, reasons, may);
    const isThere = driven.got(by, { kind: 'image.list' }).some((each) => each.name === name);
    if (!isThere) model.images.delete(`${by}/${name}`);
  },
};

const DOES = {
  ...groups,
  ...campaigns,
  ...managed,
  ...jobs,
  ...delegations,
  ...things,
  ...worlds,
  ...images,
};

/** How often a command comes that is not as usual, and more often. */
const OFTEN: Partial<Record<Step['does'], number>> = {
  wait: 40,
  group: 8,
  campaign: 8,
  managed: 8,
  job: 6,
  delegate: 6,
  groupAdd: 3,
  behaviour: 3,
  jobRestart: 3,
  campaignRestart: 3,
};

const does = fc.oneof(
  ...(Object.keys(DOES) as Step['does'][]).map((each) => ({
    weight: OFTEN[each] ?? 1,
    arbitrary: fc.constant(each),
  })),
);

export const steps: fc.Arbitrary<Step> = fc.record({
  does,
  who: fc.nat(2),
  asOwner: fc.boolean().chain((first) => (first ? fc.constant(true) : fc.boolean())),
  a: fc.nat(63),
  b: fc.nat(63),
});

/** A command: kind, caller, and two numbers that choose among what there is. */
export interface Step {
  readonly does: keyof typeof DOES;
  readonly who: number;
  /** By whose thing it is, where there is one. */
  readonly asOwner: boolean;
  readonly a: number;
  readonly b: number;
}

export function carryOut(driven: Driven, { does, who, asOwner, a, b }: Step): void {
  DOES[does](driven, { by: WHO[who % WHO.length]!, asOwner, a, b });
}
