/** What subscribers are reported of what they manage, held against the reference model. */
import { expect } from 'vitest';
import { formatInstant, instantOf } from '../../core/base/instant.ts';
import type { FailureClass } from '../../core/kit/failures.ts';
import type { Answers } from '../../core/operations.ts';
import type { World } from '../../core/world/world.ts';
import { pagesAreTheWhole, v2Of } from './management-lists.ts';
import { type ModelDevice, type ModelGroup, WHO, type Who } from './management-model.ts';
import {
  type Chosen,
  type Managed,
  permissionsIn,
  START_MS,
  unchanged,
} from './management-world.ts';

export type FullDevice = Answers['endDevice.get'];

/** Everything that everybody is reported; and that it changes nothing. */
export function audit(driven: Managed): void {
  unchanged(driven, () => {
    for (const who of WHO) {
      const devices = reportsDevices(driven, who);
      reportsVersion2(driven, who, devices);
      reportsHealth(driven, who, devices);
      reportsGroups(driven, who, devices);
      reportsApplications(driven, who);
      reportsAccount(driven, who);
      reportsNothingForeign(driven, who);
    }
  });
}

/** All that a world reports its subscribers, as text: for worlds that are to be the same. */
export function allReported(world: World): string {
  const kinds = [
    'endDevice.list',
    'endDevice.health',
    'statistics.healthCount',
    'endDeviceV2.list',
    'endDeviceGroup.list',
    'application.list',
    'account.get',
    'account.permissions',
    'device.list',
  ] as const;
  return JSON.stringify(
    WHO.map((by) => kinds.map((kind) => world.ask({ kind, by } as never))),
    undefined,
    1,
  );
}

// ── devices ──────────────────────────────────────────────────────────────────────────────────────

/** Devices as v1 has them. */
function expectedOf(driven: Managed, device: ModelDevice) {
  const { model, world } = driven;
  const { decoderTypes } = model.references.get(device.owner)!;
  const references = model.referencesOf(device);
  const { uplinks } = device;
  const { BatteryLevel, ...statistics } = uplinks.statistics(world.nowUs, START_MS);
  const { lastAtUs } = uplinks;
  return {
    Name: device.name,
    DevEUI: device.id,
    ActivationType: device.activation,
    ...references,
    CreatedAt: formatInstant(device.createdAtMs),
    UpdatedAt: formatInstant(device.updatedAtMs),
    UpdatedBy: device.updatedBy,
    LastUplink: lastAtUs === undefined ? null : driven.report(lastAtUs),
    Statistics: {
      ...statistics,
      AverageESP: expect.closeTo(statistics.AverageESP, 1),
      BatteryLevel: BatteryLevel ?? 0,
    },
    PayloadDecoder: decoderTypes.get(references.DecoderType) ?? '',
  };
}

function reportsDevices(driven: Managed, who: Who): readonly FullDevice[] {
  const { model } = driven;
  const { Devices } = driven.got(who, { kind: 'endDevice.list' });
  expect(Devices).toEqual(model.of(model.devices, who).map((each) => expectedOf(driven, each)));
  for (const device of Devices) {
    const { DevEUI } = device;
    expect(driven.got(who, { kind: 'endDevice.get', DevEUI })).toEqual(device);
  }
  return Devices;
}

/** Both versions are views of one record. */
function reportsVersion2(driven: Managed, who: Who, devices: readonly FullDevice[]): void {
  const { model, world } = driven;
  const { meta, data } = driven.got(who, { kind: 'endDeviceV2.list' });
  expect(meta).toEqual({ total: devices.length, page: 1, page_size: null });
  const rows = devices.map((device) => {
    const { uplinks } = model.devices.get(device.DevEUI)!;
    const { BatteryLevel } = uplinks.statistics(world.nowUs, START_MS);
    return v2Of(device, who, BatteryLevel, model.groupsOf(device.DevEUI).map(namedGroup));
  });
  const key = ({ name, dev_eui }: { name: string; dev_eui: string }) => `${name}\0${dev_eui}`;
  rows.sort((one, other) => (key(one) < key(other) ? -1 : 1));
  expect(data).toEqual(rows);
  for (const row of rows) {
    const { dev_eui } = row;
    expect(driven.got(who, { kind: 'endDeviceV2.get', dev_eui })).toEqual(row);
  }
  pagesAreTheWhole(driven, who, rows);
}

const namedGroup = ({ id, name }: ModelGroup) => ({ id, name });

function reportsHealth(driven: Managed, who: Who, devices: readonly FullDevice[]): void {
  const response = driven.got(who, { kind: 'endDevice.health' });
  const of = (health: string) =>
    devices.filter(({ Statistics }) => Statistics.HealthState === health);
  const lists = { Good: of('good'), Fair: of('fair'), Poor: of('poor'), Offline: of('offline') };
  expect(response).toEqual(lists);
  const counts = Object.fromEntries(
    Object.entries(lists).map(([word, list]) => [word, list.length]),
  );
  expect(driven.got(who, { kind: 'statistics.healthCount' })).toEqual(counts);
}

// ── groups ───────────────────────────────────────────────────────────────────────────────────────

function reportsGroups(driven: Managed, who: Who, devices: readonly FullDevice[]): void {
  const { model } = driven;
  const { DeviceGroups } = driven.got(who, { kind: 'endDeviceGroup.list' });
  const expected = model.of(model.groups, who).map(({ id: Id, name: Name, devices: list }) => ({
    Id,
    Name,
    DeviceList: list,
    Devices: list.map((each) => devices.find(({ DevEUI }) => DevEUI === each)),
  }));
  expect(DeviceGroups).toEqual(expected);
  for (const group of DeviceGroups) {
    const { Id } = group;
    expect(driven.got(who, { kind: 'endDeviceGroup.get', Id })).toEqual(group);
  }
}

interface Times {
  readonly StartTime?: string;
  readonly EndTime?: string;
}

/** Times around what was heard, or before all of it. */
function timesBy(driven: Managed, { a, b }: Chosen, uplinks: readonly { atUs: number }[]): Times {
  const all = uplinks.map(({ atUs }) => START_MS + Math.floor(atUs / 1000));
  const at = (n: number) => all[n % Math.max(1, all.length)] ?? driven.nowMs;
  return {
    ...(a % 3 > 0 && { StartTime: formatInstant(at(a) + (a % 4 === 0 ? 1 : 0)) }),
    ...(b % 3 > 0 && { EndTime: formatInstant(at(b) - (b % 4 === 0 ? 1 : 0)) }),
  };
}

const isWithin = ({ StartTime, EndTime }: Times, atUs: number): boolean => {
  const atMs = START_MS + Math.floor(atUs / 1000);
  return (
    (StartTime === undefined || atMs >= instantOf(StartTime)) &&
    (EndTime === undefined || atMs <= instantOf(EndTime))
  );
};

const whyNotRange = ({ StartTime, EndTime }: Times): FailureClass[] =>
  StartTime !== undefined && EndTime !== undefined && instantOf(StartTime) > instantOf(EndTime)
    ? ['malformed']
    : [];

/** Held against the class of what is answered; the answer, if there is one. */
function asked<Answer>(reasons: readonly FailureClass[], refusal: string, get: () => Answer) {
  if (reasons.length > 0) expect(reasons).toContain(refusal);
  else expect(refusal).toBe('');
  return reasons.length > 0 ? undefined : get();
}

export function asksForPayloads(driven: Managed, chosen: Chosen): void {
  const [own, DevEUI] = driven.pick(driven.model.devices, chosen);
  const all = own?.uplinks.payloads() ?? [];
  const times = timesBy(driven, chosen, all);
  const query = { kind: 'payload.list', DevEUI, ...times } as const;
  const reasons: FailureClass[] = own === undefined ? ['unknown'] : whyNotRange(times);
  const answer = asked(reasons, driven.refusal(chosen.by, query), () =>
    driven.got(chosen.by, query),
  );
  if (answer === undefined) return;
  const expected = all
    .filter(({ atUs }) => isWithin(times, atUs))
    .map(({ atUs, FPort, FCnt, PayloadHex }) => ({
      Time: driven.report(atUs),
      Data: { FPort, FCnt, PayloadHex },
      ApplicationData: {},
    }));
  expect(answer.Payloads).toEqual(expected);
}

export function asksForRecent(driven: Managed, chosen: Chosen): void {
  const { model } = driven;
  const [own, Id] = driven.pick(model.groups, chosen);
  const members = (own?.devices ?? []).map((each) => model.devices.get(each)!);
  const all = members.flatMap(({ uplinks }) => uplinks.payloads());
  const times = timesBy(driven, chosen, all);
  const hex = all[chosen.a % Math.max(1, all.length)]?.PayloadHex ?? 'a5';
  const Payload = chosen.b % 2 === 0 ? hex.toLowerCase() : undefined;
  const query = {
    kind: 'endDeviceGroup.recent',
    Id,
    ...(Payload !== undefined && { Payload }),
    ...times,
  } as const;
  const reasons: FailureClass[] = own === undefined ? ['unknown'] : whyNotRange(times);
  const answer = asked(reasons, driven.refusal(chosen.by, query), () =>
    driven.got(chosen.by, query),
  );
  const hasSent = ({ uplinks }: ModelDevice) =>
    uplinks
      .payloads()
      .some(
        ({ atUs, PayloadHex, isPrivate }) =>
          isWithin(times, atUs) &&
          (Payload === undefined || (!isPrivate && PayloadHex === Payload.toUpperCase())),
      );
  const expected = members.filter(hasSent).map(({ id }) => id);
  if (answer !== undefined) expect(answer.DeviceList).toEqual(expected);
}

// ── accounts ─────────────────────────────────────────────────────────────────────────────────────

function reportsApplications(driven: Managed, who: Who): void {
  const { model } = driven;
  const { Applications } = driven.got(who, { kind: 'application.list' });
  const own = model.of(model.applications, who);
  const expected = own.map(({ id: Id, name: Name, uuid: UUID, roles: Roles }) => ({
    Id,
    Name,
    UUID,
    Roles,
    SubscriberId: who,
  }));
  expect(Applications).toEqual(expected);
  for (const application of expected) {
    const { Id, Roles } = application;
    expect(driven.got(who, { kind: 'application.get', Id })).toEqual(application);
    const response = driven.got(who, { kind: 'account.permissions', as: Id } as never);
    const permitted = model.permissionsOf(who, Roles).filter(isDocumented);
    expect(permissionsIn(response).toSorted()).toEqual([...new Set(permitted)].sort());
    const account = driven.got(who, { kind: 'account.get', as: Id } as never);
    expect(account).toMatchObject({ UserInfo: null, SubscriberInfo: { Id: who } });
  }
}

const isDocumented = (permission: string): boolean => !permission.startsWith('Simulator.');

function reportsAccount(driven: Managed, who: Who): void {
  const { id, info } = driven.model.users.get(who)!;
  const { UserInfo, SubscriberInfo, AccountSettings } = driven.got(who, { kind: 'account.get' });
  expect(UserInfo).toMatchObject({ Id: id, ...info, Roles: [driven.administrator(who)] });
  expect(SubscriberInfo.Id).toBe(who);
  expect(AccountSettings).toEqual({
    Timezone: 'UTC',
    TemperatureUnit: 'CELSIUS',
    TimeFormat: '24H',
  });
}

// ── isolation ────────────────────────────────────────────────────────────────────────────────────

/** What is another's is as what never was. */
function reportsNothingForeign(driven: Managed, who: Who): void {
  const { devices, groups, applications } = driven.model;
  const foreign = <Thing extends { readonly owner: string; readonly id: string }>(
    things: ReadonlyMap<string, Thing>,
  ) => [...things.values()].filter(({ owner }) => owner !== who).map(({ id }) => id);
  const queries = [
    ...foreign(devices).flatMap((id) => [
      { kind: 'endDevice.get', DevEUI: id } as const,
      { kind: 'endDeviceV2.get', dev_eui: id } as const,
      { kind: 'payload.list', DevEUI: id } as const,
      { kind: 'device.get', devEui: id } as const,
    ]),
    ...foreign(groups).flatMap((Id) => [
      { kind: 'endDeviceGroup.get', Id } as const,
      { kind: 'endDeviceGroup.recent', Id } as const,
    ]),
    ...foreign(applications).map((Id) => ({ kind: 'application.get', Id }) as const),
  ];
  for (const query of queries) expect(driven.refusal(who, query), query.kind).toBe('unknown');
}
