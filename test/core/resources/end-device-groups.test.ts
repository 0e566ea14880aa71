/** Device groups of device and gateway management. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatInstant } from '../../../core/base/instant.ts';
import { GroupRecords } from '../../../core/management/group-records.ts';
import { fromHex } from '../../../sim/base/bytes.ts';
import { Digest } from '../../../sim/kernel/digest.ts';
import { frameOf, USUAL_FRAME } from '../../support/heard-frames.ts';
import { S } from '../bench.ts';
import { testIsolation } from './isolation.ts';
import { annAndBob, failureOf, type Subscriber, service } from './service.ts';

const A = 'D000000000000001';
const B = 'D000000000000002';
const C = 'D000000000000003';
const NEVER = 'D0000000000000FF';

interface GroupInput {
  readonly Name: string;
  readonly DeviceList?: readonly string[] | null;
}

const create = (group: GroupInput) => ({ kind: 'endDeviceGroup.create', group }) as const;
const LIST = { kind: 'endDeviceGroup.list' } as const;
const get = (Id: string) => ({ kind: 'endDeviceGroup.get', Id }) as const;

/** Devices A, B and C. */
function withDevices(): Subscriber {
  const us = service();
  us.devices(3);
  return us;
}

const createNew = (us: Subscriber, group: GroupInput) => us.do(create(group)).Id;

describe('a device group of management', () => {
  it('endDeviceGroup.create: is answered with an id of 8 alphanumerics; endDeviceGroup.get: reported with its devices', () => {
    const us = withDevices();
    const Id = createNew(us, { Name: 'roof', DeviceList: [B.toLowerCase(), A, B] });
    expect(Id).toMatch(/^[0-9A-Za-z]{8}$/);
    const group = us.ask(get(Id));
    expect(group).toMatchObject({ Id, Name: 'roof', DeviceList: [B, A] });
    expect(group.Devices.map(({ DevEUI }) => DevEUI)).toEqual([B, A]);
    expect(Object.keys(group).sort()).toEqual(['DeviceList', 'Devices', 'Id', 'Name']);
  });

  it.each([undefined, null, []])(
    'endDeviceGroup.create: has no device where the list is %j',
    (DeviceList) => {
      const us = withDevices();
      const given = DeviceList === undefined ? { Name: 'x' } : { Name: 'x', DeviceList };
      expect(us.ask(get(createNew(us, given)))).toMatchObject({ DeviceList: [], Devices: [] });
    },
  );

  it('endDeviceGroup.list: is listed in the order of ids', () => {
    const us = withDevices();
    expect(us.ask(LIST)).toEqual({ DeviceGroups: [] });
    const ids = ['x', 'y', 'z'].map((Name) => createNew(us, { Name, DeviceList: [A] }));
    expect(us.ask(LIST)).toEqual({ DeviceGroups: ids.sort().map((Id) => us.ask(get(Id))) });
  });

  it('endDeviceGroup.create and replace: may have the name of another', () => {
    const us = withDevices();
    const [one, other] = [createNew(us, { Name: 'x' }), createNew(us, { Name: 'x' })];
    expect(one).not.toBe(other);
  });

  it('endDeviceGroup.replace: has another name and other devices in the place of its own', () => {
    const us = withDevices();
    const Id = createNew(us, { Name: 'x', DeviceList: [A, B] });
    const replace = (group: GroupInput) => us.do({ kind: 'endDeviceGroup.replace', Id, group });
    expect(replace({ Name: 'y', DeviceList: [C, A] })).toEqual({ Response: true });
    expect(us.ask(get(Id))).toMatchObject({ Name: 'y', DeviceList: [C, A] });
    replace({ Name: 'z' });
    expect(us.ask(get(Id))).toMatchObject({ Name: 'z', DeviceList: [] });
  });

  it('endDeviceGroup.update: changes only in what is given', () => {
    const us = withDevices();
    const Id = createNew(us, { Name: 'x', DeviceList: [A, B] });
    const update = (group: Partial<GroupInput>) => {
      expect(us.do({ kind: 'endDeviceGroup.update', Id, group })).toEqual({ Response: true });
      const { Name, DeviceList } = us.ask(get(Id));
      return [Name, DeviceList];
    };
    expect(update({})).toEqual(['x', [A, B]]);
    expect(update({ Name: 'y' })).toEqual(['y', [A, B]]);
    expect(update({ DeviceList: null })).toEqual(['y', [A, B]]);
    expect(update({ DeviceList: [B, C] })).toEqual(['y', [B, C]]);
    expect(update({ DeviceList: [] })).toEqual(['y', []]);
  });

  it('endDeviceGroup.delete: is gone once it is deleted, and its devices stay', () => {
    const us = withDevices();
    const Id = createNew(us, { Name: 'x', DeviceList: [A] });
    const other = createNew(us, { Name: 'y', DeviceList: [A] });
    expect(us.do({ kind: 'endDeviceGroup.delete', Id })).toEqual({ Response: true });
    expect(us.refusedQuery(get(Id))).toBe('endDeviceGroup.unknown');
    expect(us.ask(get(other)).DeviceList).toEqual([A]);
    expect(us.ask({ kind: 'device.get', devEui: A }).devEui).toBe(A);
  });

  it('endDeviceGroup.get: has lost a device that is deleted, whichever groups it stood in', () => {
    const us = withDevices();
    const groups = [[A, B], [A], [B]].map((DeviceList) => createNew(us, { Name: 'x', DeviceList }));
    us.do({ kind: 'device.remove', devEui: A });
    const lists = () => groups.map((Id) => us.ask(get(Id)).DeviceList);
    expect(lists()).toEqual([[B], [], [B]]);
    us.do({ kind: 'device.create', device: { devEui: A } });
    expect(lists()).toEqual([[B], [], [B]]);
  });

  const WRONG = [
    ['endDeviceGroup.name', '/Name', { Name: '' }],
    ['endDeviceGroup.name', '/Name', { Name: 7 }],
    ['endDeviceGroup.devices', '/DeviceList', { Name: 'x', DeviceList: A }],
    ['eui.malformed', '/DeviceList/1', { Name: 'x', DeviceList: [A, 'D0'] }],
    ['endDeviceGroup.unknown-device', '/DeviceList/1', { Name: 'x', DeviceList: [A, NEVER] }],
  ] as const;

  it.each(WRONG)(
    'endDeviceGroup.create, replace and update, namelessGroup: is refused with %s at %s',
    (code, path, given) => {
      const us = withDevices();
      const Id = createNew(us, { Name: 'old', DeviceList: [C] });
      const group = given as unknown as GroupInput;
      for (const command of [
        create(group),
        { kind: 'endDeviceGroup.replace', Id, group } as const,
        { kind: 'endDeviceGroup.update', Id, group } as const,
      ]) {
        expect(failureOf(us.try(command))).toMatchObject({ code, path });
      }
      expect(us.ask(LIST).DeviceGroups.map(({ Name, DeviceList }) => [Name, DeviceList])).toEqual([
        ['old', [C]],
      ]);
    },
  );

  it.each(['create', 'replace'] as const)('namelessGroup: needs a name in %s', (verb) => {
    const us = withDevices();
    const Id = createNew(us, { Name: 'x' });
    const group = { DeviceList: [A] } as unknown as GroupInput;
    const asked =
      verb === 'create' ? create(group) : { ...get(Id), kind: 'endDeviceGroup.replace' };
    expect(failureOf(us.try({ ...asked, group } as never))).toMatchObject({
      code: 'endDeviceGroup.name',
      path: '/Name',
    });
  });

  it('foreignThing: has no device of another, in the words for one that never was', () => {
    const [ann, bob] = annAndBob();
    const [his] = bob.devices(1) as [string];
    const words = (devEui: string) => {
      const { message, ...failure } = failureOf(
        ann.try(create({ Name: 'x', DeviceList: [devEui] })),
      );
      return { ...failure, message: message.replace(devEui, 'X') };
    };
    expect(words(his)).toEqual(words(NEVER));
  });

  it('is another thing than a group of the update service', () => {
    const us = withDevices();
    const Id = createNew(us, { Name: 'x', DeviceList: [A] });
    const own = us.do({ kind: 'deviceGroup.create', group: { name: 'x', devices: [A] } });
    const { device_group_id } = own;
    expect(us.refusedQuery(get(device_group_id))).toBe('endDeviceGroup.unknown');
    expect(us.refusedQuery({ kind: 'deviceGroup.get', device_group_id: Id })).toBe(
      'deviceGroup.unknown',
    );
    us.do({ kind: 'endDeviceGroup.delete', Id });
    expect(us.ask({ kind: 'deviceGroup.list' })).toEqual([own]);
  });
});

describe('groups of devices', () => {
  it('are those in which it stands, in the order of their ids, and none of one in none', () => {
    const us = withDevices();
    const { groupsOf } = us.bench.platform.resources.endDeviceGroup;
    const ids = ['x', 'y', 'z'].map((Name) => createNew(us, { Name, DeviceList: [A, B] }));
    expect(groupsOf(A).map(({ id }) => id)).toEqual(ids.sort());
    expect(new Set(groupsOf(A).map(({ name }) => name))).toEqual(new Set(['x', 'y', 'z']));
    expect(groupsOf(C)).toEqual([]);
    expect(groupsOf(NEVER)).toEqual([]);
  });

  /** What happens to the members of four groups. */
  const member = fc.constantFrom<string>('a', 'b', 'c', 'd', 'e');
  const group = fc.constantFrom('1', '2', '3', '4');
  const members = fc.uniqueArray(member);
  const step = fc.oneof(
    fc.record({ what: fc.constant('put' as const), id: group, members }),
    fc.record({ what: fc.constant('remove' as const), id: group }),
    fc.record({ what: fc.constantFrom('join' as const, 'part' as const), id: group, members }),
    fc.record({ what: fc.constant('leave' as const), member }),
    fc.record({ what: fc.constant('load' as const) }),
  );
  const digestOf = (records: GroupRecords) => {
    const digest = new Digest();
    records.fold(digest);
    return digest.hex();
  };

  it('are those whose lists have it, whatever was put, joined, parted and saved', () => {
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        let records = new GroupRecords('x');
        const model = new Map<string, readonly string[]>();
        for (const each of steps) {
          if (each.what === 'put') {
            records.put({ owner: 'ann', name: 'n', ...each });
            model.set(each.id, each.members);
          } else if (each.what === 'remove') {
            records.remove('ann', each.id);
            model.delete(each.id);
          } else if (each.what === 'join' || each.what === 'part') {
            const old = model.get(each.id) ?? [];
            const others = each.members.filter((one) => !old.includes(one));
            const rest = old.filter((one) => !each.members.includes(one));
            const heading = { owner: 'ann', name: 'n', id: each.id };
            if (each.what === 'join') records.join(heading, each.members);
            else records.part(heading, each.members);
            model.set(each.id, each.what === 'join' ? [...old, ...others] : rest);
            for (const one of ['a', 'b', 'c', 'd', 'e']) {
              expect(records.isMember(each.id, one)).toBe(model.get(each.id)?.includes(one));
            }
          } else if (each.what === 'leave') {
            records.leave(each.member);
            for (const [id, members] of model) {
              model.set(
                id,
                members.filter((one) => one !== each.member),
              );
            }
          } else {
            const fresh = new GroupRecords('x');
            fresh.load(records.save());
            expect(digestOf(fresh)).toBe(digestOf(records));
            records = fresh;
          }
        }
        const sorted = [...model].sort(([a], [b]) => (a < b ? -1 : 1));
        expect(records.list('ann').map(({ id, members }) => [id, members])).toEqual(sorted);
        for (const one of ['a', 'b', 'c', 'd', 'e']) {
          const having = sorted.filter(([, members]) => members.includes(one));
          expect(records.groupsOf(one).map(({ id }) => id)).toEqual(having.map(([id]) => id));
        }
      }),
    );
  });
});

describe('the recent search of a group', () => {
  const recent = (us: Subscriber, Id: string, given: object = {}) =>
    us.ask({ kind: 'endDeviceGroup.recent', Id, ...given }).DeviceList;

  /** Uplinks of A (01 at 10 s, 02 at 20 s), B (01 at 30 s) and C (none), a group and a world. */
  function searched() {
    const us = withDevices();
    const Id = createNew(us, { Name: 'x', DeviceList: [C, B, A] });
    const hear = (devEui: string, payloadHex: string, atS: number) => {
      const payload = fromHex(payloadHex);
      const frame = frameOf({ ...USUAL_FRAME, devEui, atUs: atS * S, payload, fCnt: atS });
      us.bench.platform.hear({ kind: 'frameUp', frame }, atS * S);
    };
    hear(A, '01', 10);
    hear(A, '02', 20);
    hear(B, '01', 30);
    us.bench.runUntil(60 * S);
    const at = (seconds: number) => formatInstant(us.bench.view.unixMs(seconds * S));
    return { us, Id, at };
  }

  it('endDeviceGroup.recent: finds those that sent the payload, in any case, in the order of the group', () => {
    const { us, Id } = searched();
    expect(recent(us, Id)).toEqual([B, A]);
    expect(recent(us, Id, { Payload: '01' })).toEqual([B, A]);
    expect(recent(us, Id, { Payload: '02' })).toEqual([A]);
    expect(recent(us, Id, { Payload: 'AB' })).toEqual([]);
    expect(recent(us, Id, { Payload: '' })).toEqual([]);
  });

  it('endDeviceGroup.recent: counts what was sent at either end of the time, and nothing beyond', () => {
    const { us, Id, at } = searched();
    const within = (from: number, until: number, Payload = '01') =>
      recent(us, Id, { StartTime: at(from), EndTime: at(until), Payload });
    expect(within(10, 30)).toEqual([B, A]);
    expect(within(10, 10)).toEqual([A]);
    expect(within(11, 30)).toEqual([B]);
    expect(within(11, 29)).toEqual([]);
    expect(recent(us, Id, { StartTime: at(20), Payload: '01' })).toEqual([B]);
    expect(recent(us, Id, { EndTime: at(29), Payload: '01' })).toEqual([A]);
  });

  it('endDeviceGroup.recent: finds a device whose data are private by no payload, but that it has sent', () => {
    const { us } = searched();
    const device = { PrivateData: true };
    us.do({ kind: 'endDevice.update', DevEUI: C, device });
    const payload = fromHex('07');
    const frame = frameOf({ ...USUAL_FRAME, devEui: C, atUs: 60 * S, payload });
    us.bench.platform.hear({ kind: 'frameUp', frame }, 60 * S);
    const only = createNew(us, { Name: 'y', DeviceList: [C] });
    expect(recent(us, only, { Payload: '07' })).toEqual([]);
    expect(recent(us, only, { Payload: '' })).toEqual([]);
    expect(recent(us, only)).toEqual([C]);
  });

  it.each([
    ['endDeviceGroup.payload', '/Payload', { Payload: '0' }],
    ['endDeviceGroup.payload', '/Payload', { Payload: 'xy' }],
    ['command.malformed', '/StartTime', { StartTime: 'yesterday' }],
    ['command.malformed', '/EndTime', { EndTime: '2026-13-01T00:00:00Z' }],
    [
      'payload.range',
      '/EndTime',
      { StartTime: '2026-01-01T00:00:01Z', EndTime: '2026-01-01T00:00:00Z' },
    ],
  ])('endDeviceGroup.recent, endBeforeStart: is refused with %s at %s', (code, path, given) => {
    const { us, Id } = searched();
    const asked = { kind: 'endDeviceGroup.recent', Id, ...given } as const;
    expect(failureOf(us.tryAsk(asked))).toMatchObject({ code, path });
  });
});

const HERS = { Name: 'secret', DeviceList: [A] };

testIsolation('endDeviceGroup', (ann) => createNew(ann, HERS), {
  'endDeviceGroup.recent': (Id) => ({ Id }),
  'endDeviceGroup.create': () => ({ group: { Name: 'x', DeviceList: [A] } }),
  'endDeviceGroup.list': () => ({}),
  'endDeviceGroup.get': (Id) => ({ Id }),
  'endDeviceGroup.replace': (Id) => ({ Id, group: { Name: 'y' } }),
  'endDeviceGroup.update': (Id) => ({ Id, group: { Name: 'y' } }),
  'endDeviceGroup.delete': (Id) => ({ Id }),
});
