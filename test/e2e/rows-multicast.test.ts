/** Rows 87 to 96 over HTTPS, and messages to groups: every status that they document. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatewayEui } from '../../scenarios/filling/identity.ts';
import { ServedEntry, statusErrorOf, TOWN } from '../support/served-http.ts';
import { APP_KEY, NWK_KEY } from '../support/standing-groups.ts';
import { testStatuses } from '../support/statuses-covered.ts';

const GROUPS = '/v0/multicastgroups';
const NEVER = 'FFFFFFFFFFFFFFFF';
const DONE = { Response: true };

let entry: ServedEntry;
let meters: string[];
let valves: string[];
let masts: string[];
let tower: string;

beforeAll(async () => {
  entry = await ServedEntry.open(TOWN);
  [meters, valves] = [await entry.devEuisOf('meter'), await entry.devEuisOf('valve', 'bob')];
  masts = [1, 2].map((number) => gatewayEui('mast', number));
  tower = gatewayEui('tower', 1);
  await entry.advance(600);
});
afterAll(async () => await entry.close());

let createdOne = 0;
/** A body of a group that there is not yet. */
const groupOf = (more: object = {}) => {
  createdOne++;
  const digits = createdOne.toString(16).toUpperCase();
  return {
    Name: 'lamps',
    MulticastDevEUI: `0C${digits.padStart(14, '0')}`,
    MulticastDevAddr: digits.padStart(8, '0'),
    GroupType: 'C',
    MulticastNwkSKey: NWK_KEY,
    MulticastAppSKey: APP_KEY,
    DataRate: 3,
    Frequency: 869_525_000,
    ...more,
  };
};

const post = async (path: string, body?: unknown, who?: string) =>
  await entry.ask('POST', path, { token: await entry.tokenOf(who), body });
const put = async (path: string, body?: unknown) => await entry.ask('PUT', path, { body });
const get = async (path: string, who?: string) =>
  await entry.ask('GET', path, { token: await entry.tokenOf(who) });

/** The path of a new group. */
async function created(more: object = {}): Promise<string> {
  const group = groupOf(more);
  const { status, body } = await post(GROUPS, group);
  expect([status, body]).toEqual([200, DONE]);
  return `${GROUPS}/${group.MulticastDevEUI}`;
}

const read = async (path: string) =>
  ((await get(path)).body as { MulticastGroup: object }).MulticastGroup;

describe('a multicast group', () => {
  it('multicastGroup.create: is answered with 200 and that it is done', async () => {
    await created();
    await created({ GroupType: 'B', PingSlotPeriod: 128 });
  });

  it('multicastGroup.create: takes keys and digits in any case, and ignores what it has not', async () => {
    const { Name, GroupType, DataRate, Frequency, ...rest } = groupOf();
    const eui = rest.MulticastDevEUI;
    const lower = Object.entries(rest).map(([key, value]) => [key, `${value}`.toLowerCase()]);
    const body = { name: Name, GROUPTYPE: GroupType, datarate: DataRate, frequency: Frequency };
    const more = { Devices: meters, Gateways: masts, Owner: 'bob' };
    const answer = await post(GROUPS, { ...Object.fromEntries(lower), ...body, ...more });
    expect([answer.status, answer.body]).toEqual([200, DONE]);
    expect(await read(`${GROUPS}/${eui.toLowerCase()}`)).toMatchObject({ MulticastDevEUI: eui });
    expect((await get(`${GROUPS}/${eui}/gateways`)).body).toEqual({ Gateways: [] });
  });

  it('multicastGroup.get: is reported with all that it has but its keys', async () => {
    const group = groupOf({ GroupType: 'B', PingSlotPeriod: 16 });
    await post(GROUPS, group);
    const { MulticastNwkSKey: _, MulticastAppSKey: __, ...response } = group;
    const { status, body, text } = await get(`${GROUPS}/${group.MulticastDevEUI}`);
    expect([status, body]).toEqual([200, { MulticastGroup: response }]);
    expect(text).not.toMatch(/SKey|[0-9A-F]{32}/i);
  });

  it('multicastGroup.get: has no ping slots in class C, whatever is given', async () => {
    for (const PingSlotPeriod of [0, 3, 16, -1, 1_000, null]) {
      expect(await read(await created({ PingSlotPeriod }))).not.toHaveProperty('PingSlotPeriod');
    }
  });

  it('multicastGroup.list: is listed by its EUI, as it is reported', async () => {
    const path = await created();
    const { status, body } = await get(GROUPS);
    const { MulticastGroups } = body as { MulticastGroups: { MulticastDevEUI: string }[] };
    expect([status, Object.keys(body as object)]).toEqual([200, ['MulticastGroups']]);
    expect(MulticastGroups).toContainEqual(await read(path));
    const euis = MulticastGroups.map((each) => each.MulticastDevEUI);
    expect(euis).toEqual([...euis].sort());
    expect((await get(GROUPS, 'bob')).body).toEqual({ MulticastGroups: [] });
  });

  it.each([{ Name: 'street' }, { DataRate: 5 }, { Frequency: 868_300_000 }, {}])(
    'multicastGroup.update: changes what is given, as %j',
    async (body) => {
      const path = await created();
      const before = await read(path);
      const answer = await put(path, body);
      expect([answer.status, answer.body]).toEqual([200, DONE]);
      expect(await read(path)).toEqual({ ...before, ...body });
    },
  );

  it('multicastGroup.update: keeps EUI, address, type, ping slots and keys', async () => {
    const path = await created({ GroupType: 'B', PingSlotPeriod: 2 });
    const before = await read(path);
    const { status } = await put(path, { ...groupOf(), Name: 'lamps', PingSlotPeriod: 8 });
    expect(status).toBe(200);
    expect(await read(path)).toEqual(before);
  });

  it('multicastGroup.delete: is deleted with 200, and its EUI is free', async () => {
    const group = groupOf();
    await post(GROUPS, group);
    const path = `${GROUPS}/${group.MulticastDevEUI}`;
    const { status, body } = await entry.ask('DELETE', path);
    expect([status, body]).toEqual([200, DONE]);
    expect((await get(path)).status).toBe(404);
    expect((await post(GROUPS, group)).status).toBe(200);
  });
});

describe('what a multicast group is refused for', () => {
  const WRONG = [
    [{ Name: '' }, 'multicastGroup.name', 'Name'],
    [{ Name: undefined }, 'multicastGroup.name', 'Name'],
    [{ MulticastDevEUI: '0C' }, 'eui.malformed', 'MulticastDevEUI'],
    [{ MulticastDevEUI: undefined }, 'eui.malformed', 'MulticastDevEUI'],
    [{ MulticastDevAddr: '0123456' }, 'multicastGroup.address', 'MulticastDevAddr'],
    [{ GroupType: 'A' }, 'multicastGroup.type', 'GroupType'],
    [{ MulticastNwkSKey: 'FF' }, 'multicastGroup.keys', 'MulticastNwkSKey'],
    [{ MulticastAppSKey: undefined }, 'multicastGroup.keys', 'MulticastAppSKey'],
    [{ DataRate: 16 }, 'multicastGroup.data-rate', 'DataRate'],
    [{ DataRate: 8 }, 'multicastGroup.data-rate', 'DataRate'],
    [{ DataRate: 1.5 }, 'multicastGroup.data-rate', 'DataRate'],
    [{ Frequency: 433_000_000 }, 'multicastGroup.frequency', 'Frequency'],
    [{ Frequency: 869.525 }, 'multicastGroup.frequency', 'Frequency'],
    [{ GroupType: 'B' }, 'multicastGroup.ping-slot-period', 'PingSlotPeriod'],
    [{ GroupType: 'B', PingSlotPeriod: 3 }, 'multicastGroup.ping-slot-period', 'PingSlotPeriod'],
    [{ GroupType: 'B', PingSlotPeriod: 256 }, 'multicastGroup.ping-slot-period', 'PingSlotPeriod'],
  ] as const;

  it.each(WRONG)('multicastGroup.create, badMulticast: 400 for %j', async (wrong, code, field) => {
    const group = groupOf(wrong);
    const { status, body } = await post(GROUPS, group);
    expect([status, body]).toEqual([400, statusErrorOf(3, code, field)]);
    if (group.MulticastDevEUI?.length === 16) {
      expect((await get(`${GROUPS}/${group.MulticastDevEUI}`)).status).toBe(404);
    }
  });

  it('multicastGroup.create, badMulticast: 400 reports what is allowed', async () => {
    const { text } = await post(GROUPS, groupOf({ Frequency: 900_000_000 }));
    expect(text).toContain('863062500 to 864937500');
  });

  it('multicastGroup.create, badMulticast: 409 for the EUI of a group or a device, whosever it is', async () => {
    const group = groupOf();
    await post(GROUPS, group, 'bob');
    for (const MulticastDevEUI of [group.MulticastDevEUI, meters[0]!, valves[0]!]) {
      const { status, body } = await post(GROUPS, groupOf({ MulticastDevEUI }));
      expect([status, body]).toEqual([409, statusErrorOf(6, 'multicastGroup.exists')]);
    }
  });

  it('multicastGroup.create, badMulticast: 409 for the address of a group', async () => {
    const { MulticastDevAddr, ...group } = groupOf();
    await post(GROUPS, { ...group, MulticastDevAddr }, 'bob');
    const { status, body } = await post(GROUPS, groupOf({ MulticastDevAddr }));
    const error = statusErrorOf(6, 'multicastGroup.address-taken', 'MulticastDevAddr');
    expect([status, body]).toEqual([409, error]);
  });

  it('endDevice.create, takenId: a device does not get the EUI of a group', async () => {
    const { body } = await get('/v1/deviceprofiles');
    const [profile] = (body as { DeviceProfiles: { Id: string }[] }).DeviceProfiles;
    const services = (await get('/v1/serviceprofiles')).body as {
      ServiceProfiles: [{ Id: string }];
    };
    const path = await created();
    const device = {
      Name: 'new',
      DevEUI: path.slice(-16),
      ActivationType: 'OTAA',
      ServiceProfile: services.ServiceProfiles[0].Id,
      DeviceProfile: profile!.Id,
      ApplicationEUI: NEVER,
      ApplicationKey: APP_KEY,
    };
    const { status, body: error } = await post('/v1/devices', device);
    expect([status, error]).toEqual([409, statusErrorOf(6, 'device.exists')]);
  });

  it.each([
    [{ Name: '' }, 'multicastGroup.name', 'Name'],
    [{ DataRate: -1 }, 'multicastGroup.data-rate', 'DataRate'],
    [{ Frequency: 1 }, 'multicastGroup.frequency', 'Frequency'],
  ])('multicastGroup.update, badMulticast: 400 for %j', async (wrong, code, field) => {
    const path = await created();
    const before = await read(path);
    const { status, body } = await put(path, wrong);
    expect([status, body]).toEqual([400, statusErrorOf(3, code, field)]);
    expect(await read(path)).toEqual(before);
  });

  it('unknownId, foreignThing: multicastGroup.get to removeGateways are 404 for what never was, and for what is another’s', async () => {
    const path = await created();
    const error = statusErrorOf(5, 'multicastGroup.unknown');
    const members = { Devices: [], Gateways: [] };
    for (const [who, at] of [
      ['ann', `${GROUPS}/${NEVER}`],
      ['bob', path],
    ] as const) {
      const token = await entry.tokenOf(who);
      for (const [method, below, sent] of [
        ['GET', '', {}],
        ['PUT', '', { body: {} }],
        ['DELETE', '', {}],
        ['GET', '/gateways', {}],
        ['POST', '/devices/associate', { body: members }],
        ['POST', '/devices/deassociate', { body: members }],
        ['POST', '/gateways/associate', { body: members }],
        ['POST', '/gateways/deassociate', { body: members }],
      ] as const) {
        const { status, body } = await entry.ask(method, at + below, { token, ...sent });
        expect([method, below, status, body]).toEqual([method, below, 404, error]);
      }
    }
  });
});

describe('who belongs to a multicast group', () => {
  it('multicastGroup.addDevices and removeDevices: are devices, added and removed once', async () => {
    const path = await created();
    const [a, b, c] = meters as [string, string, string];
    const change = async (verb: string, Devices: readonly string[]) => {
      const { status, body } = await post(`${path}/devices/${verb}`, { Devices });
      expect(status).toBe(200);
      return body;
    };
    const added = { DevicesAdded: [a, b], DevicesIgnored: [a] };
    expect(await change('associate', [a.toLowerCase(), b, a])).toEqual(added);
    expect(await change('associate', [b, c])).toEqual({ DevicesAdded: [c], DevicesIgnored: [b] });
    const removed = { DevicesRemoved: [b], DevicesIgnored: [b] };
    expect(await change('deassociate', [b, b])).toEqual(removed);
    expect(await change('deassociate', [])).toEqual({ DevicesRemoved: [], DevicesIgnored: [] });
    expect(await change('associate', [b])).toEqual({ DevicesAdded: [b], DevicesIgnored: [] });
  });

  it('multicastGroup.addDevices: a device holds the keys of 16 groups', async () => {
    const device = (await entry.devEuisOf('sensor'))[1]!;
    const join = async () => {
      const path = await created();
      return (await post(`${path}/devices/associate`, { Devices: [device] })).body;
    };
    for (let i = 0; i < 16; i++) expect(await join()).toMatchObject({ DevicesAdded: [device] });
    expect(await join()).toEqual({ DevicesAdded: [], DevicesIgnored: [device] });
  });

  it('multicastGroup.gateways to removeGateways: are gateways, added and removed once', async () => {
    const path = await created();
    const [a, b] = masts as [string, string];
    const change = async (verb: string, Gateways: readonly string[]) =>
      (await post(`${path}/gateways/${verb}`, { Gateways })).body;
    const all = async () => (await get(`${path}/gateways`)).body;
    expect(await all()).toEqual({ Gateways: [] });
    const added = { GatewaysAdded: [b, a], GatewaysIgnored: [b] };
    expect(await change('associate', [b, a.toLowerCase(), b])).toEqual(added);
    expect(await all()).toEqual({ Gateways: [b, a] });
    const removed = { GatewaysRemoved: [b], GatewaysIgnored: [] };
    expect(await change('deassociate', [b])).toEqual(removed);
    const ignored = { GatewaysRemoved: [], GatewaysIgnored: [b] };
    expect(await change('deassociate', [b])).toEqual(ignored);
    expect(await all()).toEqual({ Gateways: [a] });
  });

  const MEMBERS = [
    ['devices', 'Devices', 'device'],
    ['gateways', 'Gateways', 'gateway'],
  ] as const;

  it.each(MEMBERS)(
    'multicastGroup.addDevices, removeDevices, addGateways and removeGateways, tooManyAtOnce: 400 for more than 10 %s',
    async (below, key) => {
      const path = await created();
      for (const verb of ['associate', 'deassociate']) {
        const at = `${path}/${below}/${verb}`;
        const error = statusErrorOf(3, `multicastGroup.${below}`, key);
        for (const wrong of [Array.from({ length: 11 }, () => NEVER), 'all', undefined]) {
          const { status, body } = await post(at, { [key]: wrong });
          expect([status, body]).toEqual([400, error]);
        }
      }
    },
  );

  it.each(MEMBERS)(
    'foreignThing: 400 for another’s %s, as for what never was',
    async (below, key, what) => {
      const path = await created();
      const [mine, foreign] = below === 'devices' ? [meters, valves[0]!] : [masts, tower];
      for (const verb of ['associate', 'deassociate']) {
        const wordsFor = async (eui: string) => {
          const { status, text } = await post(`${path}/${below}/${verb}`, {
            [key]: [mine[0], eui],
          });
          return [status, text.replaceAll(eui, 'X')];
        };
        expect(await wordsFor(foreign)).toEqual(await wordsFor(NEVER));
        const { status, body } = await post(`${path}/${below}/${verb}`, {
          [key]: [mine[0], NEVER],
        });
        const error = statusErrorOf(3, `multicastGroup.unknown-${what}`, `${key}[1]`);
        expect([status, body]).toEqual([400, error]);
      }
      expect((await get(`${path}/gateways`)).body).toEqual({ Gateways: [] });
    },
  );
});

describe('a message to a group', () => {
  const MESSAGE = { Payload: 'C0FFEE', TargetPort: '9' };
  const send = async (path: string, body: object = MESSAGE, who?: string) =>
    await post(`/v1/devices/${path.slice(-16)}/message`, body, who);

  it('message.send: is 402 as long as no gateway is to send it, and 200 then', async () => {
    const path = await created();
    const { status, body } = await send(path);
    expect([status, body]).toEqual([402, statusErrorOf(9, 'multicastGroup.no-gateway')]);
    expect(body).toMatchObject({ message: 'No Base Station Available' });
    await post(`${path}/gateways/associate`, { Gateways: masts });
    const answer = await send(path, { ...MESSAGE, FlushQueue: true });
    expect([answer.status, answer.body]).toEqual([200, DONE]);
    expect(await entry.advance('idle')).toBe(true);
  });

  it('message.send: is 402 in class B without a gateway that has GPS time', async () => {
    const path = await created({ GroupType: 'B', PingSlotPeriod: 1 });
    await post(`${path}/gateways/associate`, { Gateways: masts });
    expect((await send(path)).body).toEqual(statusErrorOf(9, 'multicastGroup.no-gateway'));
  });

  it.each([
    [{ ...MESSAGE, Confirm: true }, 400, 3, 'message.confirmed', 'Confirm'],
    [{ ...MESSAGE, TargetPort: '224' }, 400, 3, 'message.port', 'TargetPort'],
    [{ Payload: 'A' }, 400, 3, 'message.payload', 'Payload'],
    [{ ApplicationPayload: {} }, 400, 3, 'message.not-encodable', 'ApplicationPayload'],
    [{ ...MESSAGE, Payload: '00'.repeat(116) }, 402, 9, 'message.too-long', undefined],
  ] as const)('message.send, badMessage: %j is %i', async (given, expected, grpc, code, field) => {
    const path = await created();
    await post(`${path}/gateways/associate`, { Gateways: masts });
    const { status, body } = await send(path, given);
    expect([status, body]).toEqual([expected, statusErrorOf(grpc, code, field)]);
  });

  it('foreignThing: another’s group is 404, as what never was', async () => {
    const path = await created();
    const words = async (at: string) => (await send(at, MESSAGE, 'bob')).text;
    expect((await send(path, MESSAGE, 'bob')).status).toBe(404);
    expect((await words(path)).replaceAll(path.slice(-16), 'X')).toBe(
      (await words(NEVER)).replaceAll(NEVER, 'X'),
    );
  });
});

describe('multicastGroup.list to removeGateways', () =>
  testStatuses(() => entry, [87, 88, 89, 90, 91, 92, 93, 94, 95, 96]));
