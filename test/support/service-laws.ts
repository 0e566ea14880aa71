/**
 * What holds of three subscribers' things at every instant, by the service's document: who sees
 * what, which moves there are, that sums are complete. Asking for it changes nothing.
 */
import { expect } from 'vitest';
import type { Answers } from '../../core/operations.ts';
import {
  IMAGES,
  isOver,
  type ModelJob,
  type ModelManaged,
  WHO,
  type Who,
} from './service-model.ts';
import type { Driven } from './service-world.ts';

type Campaign = Answers['campaign.get'];
type Full = Extract<Campaign, { readonly devices: unknown }>;

/** Stages by number, with those that may come next (managed campaigns of the document). */
const MANAGED_MOVES: Readonly<Record<number, readonly number[]>> = {
  0: [1, 7, 9],
  1: [3, 7],
  3: [7],
  7: [8],
  8: [],
  9: [],
};

/** Those of campaigns; without a command that restarts, what is over stays as it is. */
const CAMPAIGN_MOVES: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 3, 7, 8, 9],
  1: [2, 3, 7, 8, 9],
  2: [3, 4, 6, 7, 8],
  3: [4, 6, 7, 8],
  4: [5, 6, 7, 8],
  5: [6, 7, 8],
  6: [2, 3, 7, 8, 9],
  7: [],
  8: [],
  9: [],
};

/** Whether there is a way from a stage to another, of any number of moves. */
function leadsTo(moves: typeof MANAGED_MOVES, from: number, to: number): boolean {
  const seen = new Set([from]);
  for (const stage of seen) for (const next of moves[stage]!) seen.add(next);
  return seen.has(to);
}

const MANAGED_STAGES: Readonly<Record<number, string>> = {
  0: 'INITIALIZING',
  1: 'GATHERING_DEVICES',
  3: 'RUNNING_LAST_CAMPAIGN',
  7: 'FINISHED',
  8: 'CLEANED',
  9: 'ERROR_SETTING_UP',
};

/** All laws; the model takes in what it is reported. */
export function audit(driven: Driven): void {
  const before = driven.world.digest();
  for (const who of WHO) {
    takeManaged(driven, who);
    takeCampaigns(driven, who);
    for (const one of driven.model.of(driven.model.managed, who)) schedules(driven, one);
    takeJobs(driven, who);
    seesItsOwn(driven, who);
    seesDelegated(driven, who);
    seesHistory(driven, who);
    seesNothingElse(driven, who);
  }
  isInOneCampaign(driven);
  expect(driven.world.digest(), 'asking changes nothing').toEqual(before);
}

const sorted = (texts: Iterable<string>): string[] => [...texts].sort();
const idsOf = (things: readonly { readonly id: string }[]) => sorted(things.map(({ id }) => id));

// ── managed campaigns ────────────────────────────────────────────────────────────────────────────

function takeManaged(driven: Driven, who: Who): void {
  const { model } = driven;
  const reports = driven.got(who, { kind: 'managedCampaign.list' });
  const ids = reports.map(({ managed_campaign_id }) => managed_campaign_id);
  expect(sorted(ids)).toEqual(idsOf(model.of(model.managed, who)));
  for (const id of ids) takeOneManaged(driven, model.managed.get(id)!);
}

function takeOneManaged(driven: Driven, one: ModelManaged): void {
  const { nowMs } = driven;
  const query = { managed_campaign_id: one.id };
  const response = driven.got(one.owner, { kind: 'managedCampaign.get', ...query });
  const { stage, stage_str, next_update_session_time: next } = response;
  expect(stage_str).toBe(MANAGED_STAGES[stage]);
  const isMove = leadsTo(MANAGED_MOVES, one.stage, stage);
  expect(isMove, `a managed campaign moves from ${one.stage} to ${stage}`).toBe(true);
  if (isOver(one.stage) && stage !== one.stage) expect([one.stage, stage]).toEqual([7, 8]);
  if (one.isHalted) expect(isOver(stage)).toBe(true);
  one.stage = stage;
  if (stage > 1) expect(next).toBeNull();
  if (nowMs > one.runUntilMs) expect(stage).not.toBe(1);
  if (next !== null) {
    expect(next).toContain(`T${one.time}:00`);
    expect(Date.parse(next)).toBeGreaterThan(nowMs);
    expect(Date.parse(next)).toBeLessThanOrEqual(one.runUntilMs);
  }
}

/** Whether digits are of a pattern: any digit for a dot. */
const isOf = (pattern: string, hex: string) => new RegExp(`^${pattern}$`).test(hex);

/** Who is scheduled and updated, and who is left out since it failed twice. */
function schedules(driven: Driven, one: ModelManaged): void {
  const { model } = driven;
  const { id: managed_campaign_id, owner } = one;
  const response = driven.got(owner, { kind: 'managedCampaign.get', managed_campaign_id });
  const query = { kind: 'managedCampaign.problematicDevices', managed_campaign_id } as const;
  const problems = driven.got(owner, query);
  for (const { failed_campaigns } of Object.values(problems)) {
    expect(failed_campaigns).toBeGreaterThanOrEqual(2);
  }
  for (const devEui of [...Object.keys(problems), ...Object.keys(response.updated_devices)]) {
    expect(model.devices.get(devEui)?.owner).toBe(owner);
  }
  const versions = driven.got(one.owner, { kind: 'deviceVersion.all' });
  const running = new Set(
    model
      .of(model.campaigns, one.owner)
      .filter(({ managedId, stage }) => managedId === one.id && !isOver(stage))
      .flatMap(({ groupId }) => model.groups.get(groupId)?.devices ?? []),
  );
  const may = Object.entries(versions).filter(
    ([devEui, { version_hex: hex }]) =>
      isOf(one.include, hex) &&
      !(one.exclude !== undefined && isOf(one.exclude, hex)) &&
      !isOf(one.expected, hex) &&
      !Object.hasOwn(problems, devEui) &&
      !running.has(devEui) &&
      model.devices.get(devEui)?.owner === one.owner,
  );
  const scheduled = response.scheduled_devices;
  for (const [devEui, { version_hex, reported_at }] of Object.entries(scheduled)) {
    expect(may.map(([each]) => each)).toContain(devEui);
    expect(versions[devEui]).toMatchObject({ version_hex, reported_at });
  }
  if (response.next_update_session_time === null) expect(scheduled).toEqual({});
}

// ── campaigns ────────────────────────────────────────────────────────────────────────────────────

function takeCampaigns(driven: Driven, who: Who): void {
  const { model, world } = driven;
  const reports = driven.got(who, { kind: 'campaign.list' });
  for (const summary of reports) adopt(driven, who, summary);
  const ids = new Set(reports.map(({ campaign_id }) => campaign_id));
  for (const campaign of model.of(model.campaigns, who)) {
    if (ids.has(campaign.id)) continue;
    const stage = model.managed.get(campaign.managedId ?? '')?.stage;
    const isGone = campaign.goneByUs !== undefined || stage === 8;
    expect(isGone, 'a campaign goes by a command or with its managed campaign').toBe(true);
    model.campaigns.delete(campaign.id);
    if (stage === 8) forgetGroup(driven, who, campaign.groupId);
  }
  // Of a child that its owner deleted, the group goes with the other children's.
  for (const { id, isChilds } of model.of(model.groups, who)) {
    const isLeft = isChilds && !model.usersOf(who, ({ groupId }) => groupId === id).any;
    const query = { kind: 'deviceGroup.get', device_group_id: id } as const;
    if (isLeft && !driven.ask(who, query).ok) model.groups.delete(id);
  }
  for (const summary of reports) {
    const campaign = model.campaigns.get(summary.campaign_id)!;
    const { goneByUs = Number.POSITIVE_INFINITY } = campaign;
    expect(world.nowUs, 'a deleted campaign is gone after a second').toBeLessThanOrEqual(goneByUs);
    takeOneCampaign(driven, who, summary);
  }
}

/** A child's group goes with it, unless somebody's own campaign or job uses it. */
function forgetGroup(driven: Driven, who: Who, groupId: string): void {
  const { model } = driven;
  if (model.groups.get(groupId)?.isChilds !== true) return;
  const query = { kind: 'deviceGroup.get', device_group_id: groupId } as const;
  if (!driven.ask(who, query).ok) model.groups.delete(groupId);
  else expect(model.ofOthers(who, groupId), 'a child’s group goes with it').toBe(true);
}

/** A campaign that nobody made is a child, and its group is. */
function adopt(driven: Driven, who: Who, summary: Summary): void {
  const { model } = driven;
  const { campaign_id: id, name, device_group_id: groupId, stage, image_name } = summary;
  if (model.campaigns.has(id)) return;
  const parent = model.of(model.managed, who).find((each) => name.startsWith(`${each.name} `));
  expect(parent, `${name} is a child of a managed campaign`).toBeDefined();
  expect(image_name).toBe(parent!.image);
  expect(model.ids.has(id)).toBe(false);
  model.ids.add(id);
  const calm = { isRestarted: true, isHalted: parent!.isHalted, goneByUs: undefined };
  const common = { id, owner: who, groupId, image: image_name, stage };
  model.campaigns.set(id, { ...common, ...calm, managedId: parent!.id });
  const { devices } = driven.got(who, { kind: 'deviceGroup.get', device_group_id: groupId });
  expect(model.ids.has(groupId)).toBe(false);
  model.ids.add(groupId);
  model.groups.set(groupId, { id: groupId, owner: who, devices, isChilds: true, isOfClass: true });
}
type Summary = Answers['campaign.list'][number];

function takeOneCampaign(driven: Driven, who: Who, summary: Summary): void {
  const { model } = driven;
  const { campaign_id, stage, num_devices_success: success, num_devices_fail: failed } = summary;
  const campaign = model.campaigns.get(campaign_id)!;
  const { isRestarted, isHalted } = campaign;
  const isMove = isRestarted || leadsTo(CAMPAIGN_MOVES, campaign.stage, stage);
  expect(isMove, `a campaign moves from ${campaign.stage} to ${stage}`).toBe(true);
  if (stage === 8 && campaign.stage !== 8 && campaign.goneByUs === undefined) {
    expect(isHalted, 'it is halted by a command').toBe(true);
  }
  Object.assign(campaign, { stage, isRestarted: false });
  const [full, short] = (['campaign.get', 'campaign.shortStatus'] as const).map((kind) =>
    driven.got(who, { kind, campaign_id }),
  ) as [Full, Answers['campaign.shortStatus']];
  expect(Object.keys(full).sort().join() === 'campaign_id,stage,stage_str').toBe(stage === 0);
  const bulk = driven.got(who, { kind: 'campaign.bulkStatus', campaign_ids: [campaign_id] });
  const total = success + failed + summary.num_devices_in_progress;
  expect(bulk).toEqual({ [campaign_id]: [stage, success, total] });
  if (!('devices' in short)) return;
  expect(full).toMatchObject(summary);
  const devices = Object.values(short.devices);
  expect(devices.length, 'the sum of devices is complete').toBe(total);
  expect(devices.filter(({ failure_reason }) => failure_reason !== null).length).toBe(failed);
  if (isOver(stage)) expect(total - success - failed, 'nothing is in progress').toBe(0);
}

/** No device takes part in two campaigns at a time, whosever they are. */
function isInOneCampaign(driven: Driven): void {
  const { model } = driven;
  const takesPart = new Map<string, string>();
  for (const { id: campaign_id, owner, stage, goneByUs } of model.campaigns.values()) {
    if (stage < 2 || stage > 5 || goneByUs !== undefined) continue;
    const short = driven.got(owner, { kind: 'campaign.shortStatus', campaign_id });
    if (!('devices' in short)) continue;
    for (const [devEui, device] of Object.entries(short.devices)) {
      if (device.stage < 2 || device.stage > 5) continue;
      expect(takesPart.get(devEui), `${devEui} is in one campaign at a time`).toBeUndefined();
      takesPart.set(devEui, campaign_id);
    }
  }
}

// ── jobs ─────────────────────────────────────────────────────────────────────────────────────────

function takeJobs(driven: Driven, who: Who): void {
  const { model } = driven;
  const reports = driven.got(who, { kind: 'reliableDownlink.list' });
  expect(sorted(reports.map(({ job_id }) => job_id))).toEqual(idsOf(model.of(model.jobs, who)));
  for (const answer of reports) {
    const { job_id } = answer;
    expect(driven.got(who, { kind: 'reliableDownlink.get', job_id })).toEqual(answer);
    takeOneJob(model.jobs.get(job_id)!, answer);
  }
}

function takeOneJob(job: ModelJob, answer: Answers['reliableDownlink.get']): void {
  const devices = Object.entries(answer.devices);
  const count = (state: string) => devices.filter(([, each]) => each.state === state).length;
  const { num_devices_pending: pending } = answer;
  expect(sorted(Object.keys(answer.devices))).toEqual(sorted(job.devices));
  expect([pending, answer.num_devices_success, answer.num_devices_fail]).toEqual(
    ['pending', 'success', 'failed'].map(count),
  );
  for (const [, { state, attempts, completed_at, reason, last_sent_at }] of devices) {
    expect(attempts).toBeLessThanOrEqual(1 + job.maxRetries);
    expect(completed_at === null).toBe(state === 'pending');
    expect(reason === null).toBe(state !== 'failed');
    if (state === 'success') expect(last_sent_at).not.toBeNull();
    if (last_sent_at !== null) expect(attempts).toBeGreaterThan(0);
  }
  // Nobody but a command stops one; what is over changes by a restart alone.
  const isStopped = job.status === 'stopped';
  expect(answer.status).toBe(isStopped ? 'stopped' : pending > 0 ? 'running' : 'finished');
  if (job.last !== undefined) expect(JSON.stringify(answer)).toBe(job.last);
  const succeeded = devices.filter(([, { state }]) => state === 'success').map(([each]) => each);
  for (const devEui of job.succeeded) expect(succeeded).toContain(devEui);
  const last = pending > 0 ? undefined : JSON.stringify(answer);
  Object.assign(job, { status: answer.status, last, succeeded: new Set(succeeded) });
}

// ── who sees what ────────────────────────────────────────────────────────────────────────────────

function seesItsOwn(driven: Driven, who: Who): void {
  const { model } = driven;
  const devices = driven.got(who, { kind: 'device.list' }).map(({ devEui }) => devEui);
  expect(devices).toEqual(idsOf(model.of(model.devices, who)));
  const gateways = driven.got(who, { kind: 'gateway.list' }).map(({ eui }) => eui);
  expect(gateways).toEqual(idsOf(model.of(model.gateways, who)));
  const images = driven.got(who, { kind: 'image.list' }).map(({ name }) => name);
  expect(sorted(images)).toEqual(IMAGES.filter((name) => model.hasImage(who, name)));
  const groups = driven.got(who, { kind: 'deviceGroup.list' });
  const reports = groups.map(({ device_group_id: id, devices }) => [id, sorted(devices)]).sort();
  const own = model.of(model.groups, who).map(({ id, devices }) => [id, sorted(devices)]);
  expect(reports).toEqual(own.sort());
  const versions = driven.got(who, { kind: 'deviceVersion.all' });
  for (const devEui of Object.keys(versions)) expect(devices).toContain(devEui);
}

function seesDelegated(driven: Driven, who: Who): void {
  const { model, nowMs } = driven;
  const { delegated_to, delegated_from } = driven.got(who, { kind: 'delegation.list' });
  const records = [...model.delegations.values()];
  const ids = (reports: typeof delegated_to) => sorted(reports.map((each) => each.delegation_id));
  expect(ids(delegated_to)).toEqual(idsOf(records.filter(({ from }) => from === who)));
  expect(ids(delegated_from)).toEqual(idsOf(records.filter(({ to }) => to === who)));
  for (const from of WHO.filter((each) => each !== who)) {
    const delegated = model.delegated(from, who, nowMs);
    const query = { kind: 'deviceVersion.all', delegated_subscriber_id: from } as const;
    if (delegated.length === 0) {
      expect(driven.refusal(who, query)).toBe('unknown');
      continue;
    }
    const all = Object.entries(driven.got(from, { kind: 'deviceVersion.all' }));
    const theirs = all.filter(([devEui]) => delegated.includes(devEui));
    expect(driven.got(who, query)).toEqual(Object.fromEntries(theirs));
  }
}

/** Attempts of campaigns that are there, for whose they are and for whose the device is. */
function seesHistory(driven: Driven, who: Who): void {
  const { model } = driven;
  const history = driven.got(who, { kind: 'history.all' });
  for (const [devEui, entries] of Object.entries(history)) {
    expect(driven.got(who, { kind: 'history.get', deveui: devEui })).toEqual(entries);
    for (const { campaign_id, reason, status } of entries) {
      const campaign = model.campaigns.get(campaign_id ?? '');
      expect(campaign, 'history goes with its campaign').toBeDefined();
      const isTheirs = campaign!.owner === who || model.everOf.get(devEui)!.has(who);
      expect(isTheirs).toBe(true);
      expect(reason === '').toBe(status === 'success');
    }
  }
  for (const campaign of model.of(model.campaigns, who)) {
    const { id: campaign_id } = campaign;
    const short = driven.ask(who, { kind: 'campaign.shortStatus', campaign_id });
    if (!short.ok || !('devices' in short.value)) continue;
    for (const [devEui, { attempts, failure_reason }] of Object.entries(short.value.devices)) {
      const all = (history[devEui] ?? []).filter((each) => each.campaign_id === campaign_id);
      // What no session could be planned for was not tried, and failed.
      const entries = all.filter(({ reason }) => reason !== 'no plan');
      expect(entries.length, 'an entry for each attempt that is over').toBeLessThanOrEqual(
        attempts,
      );
      expect(entries.length).toBeGreaterThanOrEqual(attempts - 1);
      if (!isOver(campaign.stage)) continue;
      expect(entries.length).toBe(attempts);
      if (failure_reason === 'not delegated' || all.length === 0) continue;
      expect(all.at(-1)?.reason).toBe(failure_reason ?? '');
    }
  }
}

/** Nothing that is another's stands in any answer, but for what delegations show. */
function seesNothingElse(driven: Driven, who: Who): void {
  const { model } = driven;
  const queries = [
    { kind: 'device.list' },
    { kind: 'deviceGroup.list' },
    { kind: 'campaign.list' },
    { kind: 'managedCampaign.list' },
    { kind: 'reliableDownlink.list' },
    { kind: 'history.all' },
    { kind: 'deviceVersion.all' },
  ] as const;
  const text = JSON.stringify(queries.map((query) => driven.got(who, query)));
  const full = model
    .of(model.campaigns, who)
    .map(({ id }) => driven.ask(who, { kind: 'campaign.get', campaign_id: id }));
  const all = text + JSON.stringify(full);
  for (const other of WHO.filter((each) => each !== who)) {
    for (const { id } of model.of(model.managed, other)) expect(all).not.toContain(id);
    for (const { id } of model.of(model.jobs, other)) expect(all).not.toContain(id);
    for (const { id } of model.of(model.groups, other)) expect(all).not.toContain(`"${id}"`);
    if (!model.wereParties(other, who) && !model.wereParties(who, other)) {
      for (const { id } of model.of(model.campaigns, other)) expect(all).not.toContain(id);
      for (const { id } of model.of(model.gateways, other)) expect(all).not.toContain(id);
    }
  }
  for (const [devEui, owners] of model.everOf) {
    const mayShow = [...owners].some((each) => each === who || model.wereParties(each, who));
    if (!mayShow) expect(all).not.toContain(devEui);
  }
  areUnknown(driven, who);
}

function areUnknown(driven: Driven, who: Who): void {
  const { model } = driven;
  const foreign = <Thing extends { readonly owner: string; readonly id: string }>(
    things: ReadonlyMap<string, Thing>,
  ) => [...things.values()].filter(({ owner }) => owner !== who).map(({ id }) => id);
  const { campaigns, managed, jobs, groups, devices, gateways, delegations } = model;
  const queries = [
    ...foreign(campaigns).map((campaign_id) => ({ kind: 'campaign.get', campaign_id }) as const),
    ...foreign(managed).map(
      (managed_campaign_id) => ({ kind: 'managedCampaign.get', managed_campaign_id }) as const,
    ),
    ...foreign(jobs).map((job_id) => ({ kind: 'reliableDownlink.get', job_id }) as const),
    ...foreign(groups).map(
      (device_group_id) => ({ kind: 'deviceGroup.get', device_group_id }) as const,
    ),
    ...foreign(devices).map((devEui) => ({ kind: 'device.get', devEui }) as const),
    ...foreign(gateways).map((eui) => ({ kind: 'gateway.get', eui }) as const),
    ...[...delegations.values()]
      .filter(({ from, to }) => from !== who && to !== who)
      .map(({ id: delegation_id }) => ({ kind: 'delegation.get', delegation_id }) as const),
  ];
  for (const query of queries) expect(driven.refusal(who, query), query.kind).toBe('unknown');
}
