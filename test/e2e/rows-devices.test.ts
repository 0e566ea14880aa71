/**
 * Rows 64 to 67, 70 to 73, 85 and 86 over HTTPS: devices of device and gateway management, and what
 * they refer to, with every status that they document.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServedEntry, statusErrorOf, TOWN } from '../support/served-http.ts';
import { testStatuses } from '../support/statuses-covered.ts';

const NEVER = 'FFFFFFFFFFFFFFFF';
const RESPONSE = { Response: true };

let entry: ServedEntry;
let meters: string[];
let valves: string[];
let refers: { readonly ServiceProfile: string; readonly DeviceProfile: string };
const ids = new Map<string, string>();
let createdOne = 0;

type Named = { readonly Id: string; readonly Name: string };
type Device = Readonly<Record<string, unknown>>;

const get = async (path: string, who = 'ann') =>
  await entry.ask('GET', `/v1${path}`, { token: await entry.tokenOf(who) });
const put = async (method: string, path: string, body?: object, who = 'ann') =>
  await entry.ask(method, `/v1${path}`, {
    token: await entry.tokenOf(who),
    ...(body === undefined ? {} : { body }),
  });

beforeAll(async () => {
  entry = await ServedEntry.open(TOWN);
  [meters, valves] = [await entry.devEuisOf('meter'), await entry.devEuisOf('valve', 'bob')];
  for (const list of ['DeviceProfiles', 'ServiceProfiles', 'DecoderTypes']) {
    const { body } = await get(`/${list.toLowerCase()}`);
    for (const { Id, Name } of (body as Record<string, Named[]>)[list]!) ids.set(Name, Id);
  }
  refers = { ServiceProfile: ids.get('standard')!, DeviceProfile: ids.get('Class A')! };
});
afterAll(async () => await entry.close());

const HEX = '0123456789ABCDEF';
const KEYS = {
  DevAddr: '26000001',
  NetworkSkey: HEX.repeat(2),
  ApplicationSKey: HEX.repeat(2),
  ApplicationEUI: HEX,
  ApplicationKey: HEX.repeat(2),
  NetworkKey: HEX.repeat(2),
} as const;
type Key = keyof typeof KEYS;
const keys = (...names: readonly Key[]) =>
  Object.fromEntries(names.map((name) => [name, KEYS[name]]));

/** The creation input of another device, which joins. */
const input = (more: object = {}) => {
  createdOne++;
  const DevEUI = `C0FFEE${createdOne.toString(16).toUpperCase().padStart(10, '0')}`;
  const joins = { ActivationType: 'OTAA', ...keys('ApplicationEUI', 'ApplicationKey') };
  return { Name: `device ${createdOne}`, DevEUI, ...refers, ...joins, ...more };
};
const created = async (more: object = {}): Promise<string> => {
  const { status, body } = await put('POST', '/devices', input(more));
  expect(status).toBe(200);
  return (body as { readonly Id: string }).Id;
};
const read = async (devEui: string) => (await get(`/devices/${devEui}`)).body as Device;

/** What the simulator has of a device. */
async function simulatedOf(devEui: string): Promise<object | undefined> {
  const { body } = await entry.ask('GET', '/sim/v1/devices');
  return (body as { readonly devEui: string }[]).find((each) => each.devEui === devEui);
}

describe('what devices refer to', () => {
  it('decoderType.list: decoder types are answered with 200, wrapped', async () => {
    const { status, body } = await get('/decodertypes');
    expect(status).toBe(200);
    expect(Object.keys(body as object)).toEqual(['DecoderTypes']);
    const { DecoderTypes } = body as { readonly DecoderTypes: readonly object[] };
    for (const PayloadDecoder of ['RAW_HEX', 'CAYENNE_LPP', 'ELSYS', 'SETTINGS_REPORTED']) {
      expect(DecoderTypes).toContainEqual(expect.objectContaining({ PayloadDecoder }));
    }
  });

  it('decoderType.get: a decoder type is answered with 200, and 404 where there is none', async () => {
    const Id = ids.get('ELSYS')!;
    const one = await get(`/decodertypes/${Id}`);
    expect([one.status, one.body]).toEqual([200, { Id, Name: 'ELSYS', PayloadDecoder: 'ELSYS' }]);
    const none = await get('/decodertypes/nothing0');
    expect([none.status, none.body]).toEqual([404, statusErrorOf(5, 'decoderType.unknown')]);
  });

  it('deviceProfile.list: device profiles are one’s populations, and A and C of 1.0 and 1.1', async () => {
    const usual = ['Class A', 'Class C', 'Class A 1.1', 'Class C 1.1'];
    const namesFor = async (who: string) => {
      const { status, body } = await get('/deviceprofiles', who);
      expect(status).toBe(200);
      return (body as { readonly DeviceProfiles: Named[] }).DeviceProfiles.map(({ Name }) => Name);
    };
    expect(await namesFor('ann')).toEqual(['meter', 'sensor', ...usual]);
    expect(await namesFor('bob')).toEqual(['valve', ...usual]);
  });

  it('service profiles are answered with 200, one at least', async () => {
    const { status, body } = await get('/serviceprofiles');
    expect(status).toBe(200);
    const { ServiceProfiles } = body as { readonly ServiceProfiles: object[] };
    expect(Object.keys(ServiceProfiles[0]!)).toEqual(['Id', 'Name', 'Description']);
  });
});

describe('a device', () => {
  it('endDevice.create: is answered with 200 and its DevEUI as its id', async () => {
    const device = input();
    const { status, body } = await put('POST', '/devices', device);
    expect([status, body]).toEqual([200, { Id: device.DevEUI }]);
  });

  it('endDevice.create: takes keys of the body and hexadecimal digits in any case', async () => {
    const lower = Object.entries(input()).map(([key, value]) => [
      key.toLowerCase(),
      ['DevEUI', ...Object.keys(KEYS)].includes(key) ? String(value).toLowerCase() : value,
    ]);
    const { status, body } = await put('POST', '/devices', Object.fromEntries(lower));
    expect([status, body]).toEqual([200, { Id: expect.stringMatching(/^C0FFEE/) }]);
  });

  it('endDevice.get: is answered with 200 and its fields, none of them null but LastUplink', async () => {
    const DecoderType = ids.get('Cayenne LPP');
    const device = input({ DecoderType, PrivateData: true });
    await put('POST', '/devices', device);
    const { status, body } = await get(`/devices/${device.DevEUI.toLowerCase()}`);
    expect(status).toBe(200);
    const { Name, DevEUI } = device;
    expect(body).toEqual({
      Name,
      DevEUI,
      ActivationType: 'OTAA',
      ...refers,
      DecoderType,
      OutputProfile: '',
      PrivateData: true,
      CreatedAt: expect.stringMatching(/^2026-03-01T.*Z$/),
      UpdatedAt: expect.stringMatching(/^2026-03-01T.*Z$/),
      UpdatedBy: expect.stringMatching(/./),
      LastUplink: null,
      Statistics: {
        HealthState: 'offline',
        SpreadingFactor: 0,
        AverageRSSI: 0,
        AverageESP: 0,
        AverageSNR: 0,
        PacketErrorRate: 0,
        BatteryLevel: 0,
        AverageWeeklyPackets: 0,
      },
      PayloadDecoder: 'CAYENNE_LPP',
    });
  });

  it('endDevice.list: is listed as it is read, in the order of the DevEUIs', async () => {
    const Id = await created();
    const { status, body } = await get('/devices');
    expect(status).toBe(200);
    const { Devices } = body as { readonly Devices: Device[] };
    expect(Devices).toContainEqual(await read(Id));
    const euis = Devices.map(({ DevEUI }) => String(DevEUI));
    expect(euis).toEqual([...euis].sort());
    expect(euis).toEqual(expect.arrayContaining(meters));
    expect(euis).not.toEqual(expect.arrayContaining(valves.slice(0, 1)));
  });

  it('endDevice.replace: is replaced with 200; what is not given is as by default', async () => {
    const Id = await created({ PrivateData: true, DecoderType: ids.get('ELSYS') });
    const DeviceProfile = ids.get('Class C');
    const body = { Name: `new ${Id}`, ...refers, DeviceProfile, DevEUI: NEVER };
    const answer = await put('PUT', `/devices/${Id}`, body);
    expect([answer.status, answer.body]).toEqual([200, RESPONSE]);
    expect(await read(Id)).toMatchObject({
      Name: `new ${Id}`,
      DeviceProfile,
      PrivateData: false,
      DecoderType: '',
      PayloadDecoder: '',
    });
    const simulated = await simulatedOf(Id);
    expect(simulated).toMatchObject({ deviceClass: 'C', name: `new ${Id}` });
  });

  it('endDevice.update: is changed with 200 in what is given alone', async () => {
    const Id = await created({ PrivateData: true });
    const before = await read(Id);
    for (const body of [{}, { RemoveOutputProfile: true }, { DecoderType: ids.get('ELSYS') }]) {
      const answer = await put('PATCH', `/devices/${Id}`, body);
      expect([answer.status, answer.body]).toEqual([200, RESPONSE]);
    }
    const { DecoderType, PayloadDecoder } = await read(Id);
    expect(await read(Id)).toEqual({
      ...before,
      DecoderType,
      PayloadDecoder,
      UpdatedAt: expect.any(String),
      UpdatedBy: expect.any(String),
    });
    expect(PayloadDecoder).toBe('ELSYS');
    expect((await put('PATCH', `/devices/${Id}`)).status).toBe(200);
  });

  it('endDevice.delete: is deleted with 200, and off the air', async () => {
    const Id = await created();
    const answer = await put('DELETE', `/devices/${Id}`);
    expect([answer.status, answer.body]).toEqual([200, RESPONSE]);
    expect((await get(`/devices/${Id}`)).status).toBe(404);
    expect(await simulatedOf(Id)).toBeUndefined();
  });

  it('deviceProfile.assign, oneByOne: gets a profile with others, with an answer for each', async () => {
    const Id = await created();
    const modern = await created({
      DeviceProfile: ids.get('Class A 1.1'),
      ...keys('NetworkKey'),
    });
    const profile = ids.get('Class C')!;
    const long = 'X'.repeat(250);
    const Devices = [modern, Id.toLowerCase(), valves[0]!, NEVER, 'nonsense', long];
    const answer = await put('PATCH', `/deviceprofiles/${profile}/devices`, { Devices });
    expect(answer.status).toBe(200);
    const unknown = (DevEUI: string) => ({
      DevEUI,
      Response: false,
      Error: `No device has DevEUI ${DevEUI}.`,
    });
    expect(answer.body).toEqual({
      Responses: [
        { DevEUI: modern, Response: false, Error: expect.stringContaining('LoRaWAN 1.1') },
        { DevEUI: Id, Response: true, Error: '' },
        unknown(valves[0]!),
        unknown(NEVER),
        unknown('NONSENSE'),
        unknown(long),
      ],
    });
    expect(await read(Id)).toMatchObject({ DeviceProfile: profile });
    const none = await put('PATCH', '/deviceprofiles/nothing0/devices', { Devices });
    expect([none.status, none.body]).toEqual([404, statusErrorOf(5, 'deviceProfile.unknown')]);
    const wrong = await put('PATCH', `/deviceprofiles/${profile}/devices`, {});
    expect([wrong.status, wrong.body]).toEqual([
      400,
      statusErrorOf(3, 'command.malformed', 'Devices'),
    ]);
  });

  it('is on the air: it joins, and is reported as heard', async () => {
    const Id = await created();
    await entry.advance(2 * 3600);
    const heard = await read(Id);
    expect(heard).toMatchObject({
      LastUplink: expect.stringMatching(/^2026-03-01T0\d/),
      Statistics: { HealthState: 'good', PacketErrorRate: 0 },
    });
  });
});

describe('missingKeys: the keys of a device', () => {
  const ABP = ['DevAddr', 'NetworkSkey', 'ApplicationSKey'] as const;
  const OTAA = ['ApplicationEUI', 'ApplicationKey'] as const;
  const CASES: readonly (readonly [
    activation: 'ABP' | 'OTAA',
    profile: string,
    given: readonly Key[],
    wrong: Key | undefined,
  ])[] = [
    ['ABP', 'Class A', ABP, undefined],
    ...ABP.map((each) => ['ABP', 'Class A', ABP.filter((key) => key !== each), each] as const),
    ...[...OTAA, 'NetworkKey' as const].map(
      (each) => ['ABP', 'Class A', [...ABP, each], each] as const,
    ),
    ['OTAA', 'Class A', OTAA, undefined],
    ['OTAA', 'Class A', [...OTAA, 'DevAddr'], undefined],
    ...OTAA.map((each) => ['OTAA', 'Class A', OTAA.filter((key) => key !== each), each] as const),
    ...ABP.slice(1).map((each) => ['OTAA', 'Class A', [...OTAA, each], each] as const),
    ['OTAA', 'Class A', [...OTAA, 'NetworkKey'], 'NetworkKey'],
    ['OTAA', 'Class A 1.1', OTAA, 'NetworkKey'],
    ['OTAA', 'Class A 1.1', [...OTAA, 'NetworkKey'], undefined],
    ['OTAA', 'Class C 1.1', [...OTAA, 'NetworkKey'], undefined],
  ];

  it.each(CASES)(
    'endDevice.create, missingKeys: %s with %s and %j',
    async (ActivationType, profile, given, wrong) => {
      const { ApplicationEUI: _, ApplicationKey: __, ...rest } = input() as Record<string, unknown>;
      const DeviceProfile = ids.get(profile);
      const device = { ...rest, ActivationType, DeviceProfile, ...keys(...given) };
      const { status, body } = await put('POST', '/devices', device);
      if (wrong === undefined) expect([status, body]).toEqual([200, { Id: rest.DevEUI }]);
      else expect([status, body]).toEqual([400, statusErrorOf(3, 'endDevice.keys', wrong)]);
    },
  );

  it('keysStay: endDevice.replace and update ignore them', async () => {
    const Id = await created();
    const { Name } = await read(Id);
    for (const [method, body] of [
      ['PUT', { Name, ...refers, ...KEYS, ActivationType: 'ABP' }],
      ['PATCH', { ...KEYS, ActivationType: 'nonsense', DevEUI: NEVER }],
    ] as const) {
      expect((await put(method, `/devices/${Id}`, body)).status).toBe(200);
    }
    expect(await read(Id)).toMatchObject({ DevEUI: Id, ActivationType: 'OTAA' });
  });
});

describe('what a device is refused for', () => {
  it.each([
    ['malformedField', { Name: '' }, 'command.malformed', 'Name'],
    ['malformedField', { Name: undefined }, 'command.malformed', 'Name'],
    ['malformedField', { DevEUI: 'C0FFEE' }, 'eui.malformed', 'DevEUI'],
    ['malformedField', { ActivationType: 'otaa' }, 'command.malformed', 'ActivationType'],
    ['malformedField', { PrivateData: 'yes' }, 'command.malformed', 'PrivateData'],
    ['malformedField', { ApplicationKey: 'short' }, 'command.malformed', 'ApplicationKey'],
    ['unknownInBody', { ServiceProfile: 'nothing0' }, 'serviceProfile.unknown', 'ServiceProfile'],
    ['unknownInBody', { DeviceProfile: 'nothing0' }, 'deviceProfile.unknown', 'DeviceProfile'],
    ['unknownInBody', { DecoderType: 'nothing0' }, 'decoderType.unknown', 'DecoderType'],
    ['unknownInBody', { OutputProfile: 'nothing0' }, 'outputProfile.unknown', 'OutputProfile'],
  ] as const)('endDevice.create, %s: 400 for %j', async (_, wrong, code, field) => {
    const { status, body } = await put('POST', '/devices', input(wrong));
    expect([status, body]).toEqual([400, statusErrorOf(3, code, field)]);
  });

  it.each([
    [{ Name: '' }, 'command.malformed', 'Name'],
    [{ ServiceProfile: 'nothing0' }, 'serviceProfile.unknown', 'ServiceProfile'],
    [{ DeviceProfile: 'nothing0' }, 'deviceProfile.unknown', 'DeviceProfile'],
  ] as const)('endDevice.replace and update: 400 for %j', async (wrong, code, field) => {
    const Id = await created();
    const before = await read(Id);
    for (const method of ['PUT', 'PATCH']) {
      const answer = await put(method, `/devices/${Id}`, { Name: 'x', ...refers, ...wrong });
      expect([answer.status, answer.body]).toEqual([400, statusErrorOf(3, code, field)]);
    }
    expect(await read(Id)).toEqual(before);
  });

  it('takenId: endDevice.create, replace and update are 409 for a DevEUI or a name that is taken', async () => {
    const [Id, other] = [await created(), await created()];
    const { Name } = await read(other);
    const named = statusErrorOf(6, 'endDevice.name', 'Name');
    for (const DevEUI of [Id, meters[0]!, valves[0]!]) {
      const answer = await put('POST', '/devices', input({ DevEUI }));
      expect([answer.status, answer.body]).toEqual([409, statusErrorOf(6, 'device.exists')]);
      expect(answer.text).not.toMatch(/ann|bob/);
    }
    for (const [method, path, body] of [
      ['POST', '/devices', input({ Name })],
      ['POST', '/devices', input({ Name: 'meter-1' })],
      ['PUT', `/devices/${Id}`, { Name, ...refers }],
      ['PATCH', `/devices/${Id}`, { Name }],
    ] as const) {
      const answer = await put(method, path, body);
      expect([answer.status, answer.body]).toEqual([409, named]);
    }
    // A name is unique among those of its subscriber.
    const body = { ...input({ Name }), ...refers };
    expect((await put('POST', '/devices', body, 'bob')).status).toBe(200);
  });

  it('endDevice.replace and update are 409 for a profile that the device cannot have', async () => {
    const Id = await created();
    const { Name } = await read(Id);
    const DeviceProfile = ids.get('Class A 1.1');
    for (const method of ['PUT', 'PATCH']) {
      const answer = await put(method, `/devices/${Id}`, { Name, ...refers, DeviceProfile });
      const error = statusErrorOf(6, 'endDevice.profile', 'DeviceProfile');
      expect([answer.status, answer.body]).toEqual([409, error]);
    }
  });

  it('unknownId, foreignThing: endDevice.get to delete are 404 for what never was, and for what is another’s', async () => {
    for (const devEui of [NEVER, valves[0]!, 'nonsense']) {
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        const sent = method === 'GET' || method === 'DELETE' ? undefined : { Name: 'x', ...refers };
        const { status, body } = await put(method, `/devices/${devEui}`, sent);
        expect([method, status, body]).toEqual([method, 404, statusErrorOf(5, 'device.unknown')]);
      }
    }
  });
});

describe('decoderType.list to endDevice.create, get to delete, deviceProfile.list and assign', () =>
  testStatuses(() => entry, [64, 65, 66, 67, 70, 71, 72, 73, 85, 86]));
