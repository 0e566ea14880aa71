/** End-devices of device and gateway management (rows 66, 67 and 70 to 73). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatInstant } from '../../../core/base/instant.ts';
import type { PlatformRequest } from '../../../core/base/outbox.ts';
import type { Creation } from '../../../core/management/end-devices/rows.ts';
import { TO_WEB } from '../../support/targets.ts';
import { TYPES } from '../bench.ts';
import { testIsolation } from './isolation.ts';
import { annAndBob, failureOf, type Subscriber, service } from './service.ts';

const NEW = 'C0FFEE0000000001';
const KEY = (digit: string) => digit.repeat(32);
const EUI = '70B3D50000000001';

/** Ids of what devices may refer to. */
function idsOf(us: Subscriber) {
  const profiles = us.ask({ kind: 'deviceProfile.list' }).DeviceProfiles;
  const profile = (name: string) => profiles.find(({ Name }) => Name === name)?.Id ?? '';
  const [service] = us.ask({ kind: 'serviceProfile.list' }).ServiceProfiles;
  const decoders = us.ask({ kind: 'decoderType.list' }).DecoderTypes;
  return {
    ServiceProfile: service!.Id,
    profile,
    decoder: (word: string) => decoders.find(({ PayloadDecoder }) => PayloadDecoder === word)!.Id,
  };
}

const ABP = {
  ActivationType: 'ABP',
  DevAddr: '260b1a2f',
  NetworkSkey: KEY('a'),
  ApplicationSKey: KEY('b'),
} as const;
const OTAA = {
  ActivationType: 'OTAA',
  ApplicationEUI: EUI.toLowerCase(),
  ApplicationKey: KEY('c'),
} as const;

type Keys = Partial<Creation> & Pick<Creation, 'ActivationType'>;

const creation = (us: Subscriber, keys: Keys, more: Partial<Creation> = {}): Creation => {
  const { ServiceProfile, profile } = idsOf(us);
  const DeviceProfile = profile('meter') || profile('modern');
  return { Name: 'pump', DevEUI: NEW, ServiceProfile, DeviceProfile, ...keys, ...more };
};

const create = (device: Creation) => ({ kind: 'endDevice.create', device }) as const;
const get = (DevEUI: string) => ({ kind: 'endDevice.get', DevEUI }) as const;
const update = (DevEUI: string, device: object) =>
  ({ kind: 'endDevice.update', DevEUI, device }) as const;
const replace = (us: Subscriber, DevEUI: string, device: object) => {
  const { Name, ServiceProfile, DeviceProfile } = creation(us, ABP);
  const whole = { Name, ServiceProfile, DeviceProfile, ...device };
  return { kind: 'endDevice.replace', DevEUI, device: whole } as const;
};

/** What was requested of the network since. */
function requestsOf({ bench }: Subscriber, act: () => unknown): readonly PlatformRequest[] {
  const before = bench.log.length;
  act();
  return bench.log.slice(before).map(({ request }) => request);
}

describe('a device that is created', () => {
  it('endDevice.create: is put on the air with its session (ABP)', () => {
    const us = service();
    const requests = requestsOf(us, () => {
      expect(us.do(create(creation(us, ABP, { DevEUI: NEW.toLowerCase() })))).toEqual({ Id: NEW });
    });
    expect(requests).toMatchObject([
      {
        kind: 'device.create',
        device: {
          devEui: NEW,
          name: 'pump',
          type: 0,
          credentials: {
            activation: 'abp',
            devAddr: 0x260b1a2f,
            nwkSKey: KEY('A'),
            appSKey: KEY('B'),
          },
        },
      },
    ]);
  });

  it('endDevice.create: is put on the air with its root keys (OTAA)', () => {
    const us = service();
    const [request] = requestsOf(us, () => us.do(create(creation(us, OTAA))));
    expect(request).toMatchObject({
      kind: 'device.create',
      device: { appKey: KEY('C'), credentials: { activation: 'otaa', joinEui: EUI } },
    });
  });

  it('endDevice.create: has its NwkKey with LoRaWAN 1.1', () => {
    const us = service();
    const DeviceProfile = idsOf(us).profile('modern');
    const keys = { ...OTAA, NetworkKey: KEY('d') };
    const [request] = requestsOf(us, () => us.do(create(creation(us, keys, { DeviceProfile }))));
    expect(request).toMatchObject({
      device: { type: 2, appKey: KEY('C'), credentials: { nwkKey: KEY('D') } },
    });
  });

  it('endDevice.create: stands near the first gateway of its subscriber', () => {
    const us = service();
    const [request] = requestsOf(us, () => us.do(create(creation(us, OTAA))));
    const { xMeters, yMeters } = (request as Extract<typeof request, { kind: 'device.create' }>)
      .device;
    expect(Math.hypot(xMeters, yMeters)).toBeLessThanOrEqual(500);
    const again = service();
    const [same] = requestsOf(again, () => again.do(create(creation(again, OTAA))));
    expect(same).toEqual(request);
  });

  it('endDevice.get: is reported with all its fields, and none of its keys', () => {
    const us = service();
    const { decoder } = idsOf(us);
    const DecoderType = decoder('CAYENNE_LPP');
    us.bench.nowUs = 3_600_000_000;
    us.do(create(creation(us, ABP, { DecoderType, PrivateData: true })));
    const at = formatInstant(us.bench.view.unixMs(us.bench.nowUs));
    const { UserInfo } = us.ask({ kind: 'account.get' });
    expect(us.ask(get(NEW.toLowerCase()))).toEqual({
      Name: 'pump',
      DevEUI: NEW,
      ActivationType: 'ABP',
      ServiceProfile: idsOf(us).ServiceProfile,
      DeviceProfile: idsOf(us).profile('meter'),
      DecoderType,
      OutputProfile: '',
      PrivateData: true,
      CreatedAt: at,
      UpdatedAt: at,
      UpdatedBy: UserInfo!.Id,
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

  it('endDevice.list: is listed with the others, in the order of the DevEUIs', () => {
    const us = service();
    us.devices(2);
    us.do(create(creation(us, ABP)));
    us.do(create(creation(us, OTAA, { DevEUI: '0000000000000001', Name: 'first' })));
    const { Devices } = us.ask({ kind: 'endDevice.list' });
    const euis = Devices.map(({ DevEUI }) => DevEUI);
    expect(euis).toEqual([...euis].sort());
    expect(euis).toHaveLength(4);
    for (const each of Devices) expect(us.ask(get(each.DevEUI))).toEqual(each);
  });

  it('takenId: has a DevEUI of its own in the world, no matter whose the other is', () => {
    const [ann, bob] = annAndBob();
    const [hers] = ann.devices(1);
    ann.do(create(creation(ann, OTAA)));
    for (const DevEUI of [NEW, hers!]) {
      const keys = { ...OTAA, NetworkKey: KEY('e') };
      const DeviceProfile = idsOf(bob).profile('modern');
      const refused = failureOf(
        bob.try(create(creation(bob, keys, { DevEUI, Name: 'his', DeviceProfile }))),
      );
      expect(refused.code).toBe('device.exists');
      expect(refused.message).not.toContain('ann');
    }
  });

  it('takenId: has a name of its own among those of its subscriber', () => {
    const [ann, bob] = annAndBob();
    const make = (us: Subscriber, DevEUI: string, Name: string) =>
      create(
        creation(
          us,
          { ...OTAA, NetworkKey: KEY('d') },
          {
            DevEUI,
            Name,
            DeviceProfile: idsOf(us).profile('modern'),
          },
        ),
      );
    ann.do(make(ann, NEW, 'pump'));
    expect(ann.refused(make(ann, 'C0FFEE0000000002', 'pump'))).toBe('endDevice.name');
    // A planned device has its name, too.
    const [planned] = ann.devices(1);
    expect(ann.refused(make(ann, 'C0FFEE0000000002', planned!))).toBe('endDevice.name');
    bob.do(make(bob, 'C0FFEE0000000002', 'pump'));
    // Who is gone, or is called otherwise, does not have it any more.
    ann.do(update(NEW, { Name: 'fountain' }));
    ann.do(make(ann, 'C0FFEE0000000003', 'pump'));
    ann.do({ kind: 'endDevice.delete', DevEUI: 'C0FFEE0000000003' });
    ann.do(make(ann, 'C0FFEE0000000004', 'pump'));
  });

  it('endDevice.create: has an address that no other session has', () => {
    const us = service();
    us.do(create(creation(us, ABP)));
    const other = creation(us, ABP, { DevEUI: 'C0FFEE0000000002', Name: 'other' });
    expect(failureOf(us.try(create(other)))).toMatchObject({
      code: 'endDevice.address',
      path: '/DevAddr',
    });
  });

  it.each([
    ['serviceProfile.unknown', { ServiceProfile: 'nothing' }, '/ServiceProfile'],
    ['deviceProfile.unknown', { DeviceProfile: 'nothing' }, '/DeviceProfile'],
    ['decoderType.unknown', { DecoderType: 'nothing' }, '/DecoderType'],
    ['outputProfile.unknown', { OutputProfile: 'nothing' }, '/OutputProfile'],
    ['command.malformed', { ServiceProfile: '' }, '/ServiceProfile'],
    ['command.malformed', { DeviceProfile: '' }, '/DeviceProfile'],
  ])('endDevice.create: is refused with %s', (code, wrong, path) => {
    const us = service();
    expect(failureOf(us.try(create(creation(us, ABP, wrong))))).toMatchObject({ code, path });
    expect(us.refusedQuery(get(NEW))).toBe('device.unknown');
  });
});

// ── E47 ──────────────────────────────────────────────────────────────────────────────────────────

/** The table of the creation input: what is required, what may be given, and what is omitted. */
const TABLE = {
  ABP: {
    DevAddr: 'required',
    NetworkSkey: 'required',
    ApplicationSKey: 'required',
    ApplicationEUI: 'omitted',
    ApplicationKey: 'omitted',
    NetworkKey: 'omitted',
  },
  OTAA: {
    DevAddr: 'optional',
    NetworkSkey: 'omitted',
    ApplicationSKey: 'omitted',
    ApplicationEUI: 'required',
    ApplicationKey: 'required',
    NetworkKey: 'by version',
  },
} as const;
const VALUES = {
  DevAddr: '260B1A2F',
  NetworkSkey: KEY('1'),
  ApplicationSKey: KEY('2'),
  ApplicationEUI: EUI,
  ApplicationKey: KEY('3'),
  NetworkKey: KEY('4'),
} as const;
const FIELDS = Object.keys(VALUES) as (keyof typeof VALUES)[];

describe('missingKeys: the keys of a device', () => {
  it.each(['ABP', 'OTAA'] as const)('are accepted with %s as the table has them', (activation) => {
    // All sets of keys with both versions: the table alone says which are right.
    for (const [name, version] of [
      ['meter', '1.0'],
      ['modern', '1.1'],
    ] as const) {
      for (let set = 0; set < 1 << FIELDS.length; set++) {
        const given = FIELDS.filter((_, bit) => (set >> bit) & 1);
        const us = service();
        const DeviceProfile = idsOf(us).profile(name);
        const keys = Object.fromEntries(given.map((field) => [field, VALUES[field]]));
        const device = creation(us, { ActivationType: activation }, { DeviceProfile, ...keys });
        const isRight = FIELDS.every((field) => {
          const rule = TABLE[activation][field];
          const isGiven = given.includes(field);
          if (rule === 'by version') return isGiven === (version === '1.1');
          return rule === 'optional' || isGiven === (rule === 'required');
        });
        const answer = us.try(create(device));
        expect(answer.ok, `${activation} ${version} with ${given}`).toBe(isRight);
        if (answer.ok) continue;
        const { code, path = '' } = failureOf(answer);
        expect(code).toBe('endDevice.keys');
        expect(FIELDS).toContain(path.slice(1));
      }
    }
  });

  it.each([ABP, OTAA])('are as if they were not given where they are null', (keys) => {
    const us = service();
    const optional = ['DecoderType', 'OutputProfile', 'PrivateData', ...FIELDS];
    const nulls = Object.fromEntries(optional.map((field) => [field, null]));
    us.do(create({ ...nulls, ...creation(us, keys) }));
    const plain = service();
    plain.do(create(creation(plain, keys)));
    expect(us.ask(get(NEW))).toEqual(plain.ask(get(NEW)));
  });

  it.each([
    ['DevAddr', '260B1A2', ABP],
    ['NetworkSkey', 'x'.repeat(32), ABP],
    ['ApplicationSKey', '', ABP],
    ['ApplicationEUI', '70B3D5', OTAA],
    ['ApplicationKey', KEY('3').slice(1), OTAA],
    ['DevEUI', 'C0FFEE', OTAA],
    ['Name', '', OTAA],
    ['ActivationType', 'abp', ABP],
  ] as const)('are of the form that the table has: %s is not %j', (field, wrong, keys) => {
    const us = service();
    const refused = failureOf(
      us.try(create({ ...creation(us, keys), [field]: wrong } as Creation)),
    );
    expect(refused.path).toBe(`/${field}`);
    if (wrong !== '' && field.endsWith('ey')) expect(refused.message).not.toContain(wrong);
  });

  it('keysStay: stay as they are: a change ignores them', () => {
    const us = service();
    us.do(create(creation(us, ABP)));
    const keys = { ...VALUES, DevEUI: EUI, ActivationType: 'OTAA' };
    expect(requestsOf(us, () => us.do(update(NEW, keys)))).toEqual([]);
    expect(requestsOf(us, () => us.do(replace(us, NEW, keys)))).toEqual([]);
    expect(us.ask(get(NEW))).toMatchObject({ DevEUI: NEW, ActivationType: 'ABP' });
  });
});

// ── changes ──────────────────────────────────────────────────────────────────────────────────────

describe('a device that is changed', () => {
  const registered = () => {
    const us = service();
    const { decoder } = idsOf(us);
    const { Id: OutputProfile } = us.do({
      kind: 'outputProfile.create',
      outputProfile: { Name: 'out', ...TO_WEB },
    });
    const DecoderType = decoder('ELSYS');
    us.do(create(creation(us, ABP, { DecoderType, OutputProfile, PrivateData: true })));
    return { us, DecoderType, OutputProfile };
  };

  it('endDevice.update: is changed in what is given alone', () => {
    const { us } = registered();
    const before = us.ask(get(NEW));
    us.bench.nowUs += 60_000_000;
    expect(us.do(update(NEW, { PrivateData: false }))).toEqual({ Response: true });
    const UpdatedAt = formatInstant(us.bench.view.unixMs(us.bench.nowUs));
    expect(us.ask(get(NEW))).toEqual({ ...before, PrivateData: false, UpdatedAt });
  });

  it('endDevice.update: reports who changed it', () => {
    const { us } = registered();
    us.do({ ...update(NEW, {}), as: 'somebody' } as ReturnType<typeof update>);
    expect(us.ask(get(NEW)).UpdatedBy).toBe('somebody');
  });

  it('endDevice.update: loses its output profile by RemoveOutputProfile true, and keeps it by false', () => {
    const { us, OutputProfile } = registered();
    us.do(update(NEW, { RemoveOutputProfile: false }));
    expect(us.ask(get(NEW)).OutputProfile).toBe(OutputProfile);
    us.do(update(NEW, { RemoveOutputProfile: true }));
    expect(us.ask(get(NEW)).OutputProfile).toBe('');
  });

  it('endDevice.replace: has defaults for what is not given', () => {
    const { us } = registered();
    us.do(replace(us, NEW, { Name: 'well' }));
    expect(us.ask(get(NEW))).toMatchObject({
      Name: 'well',
      DecoderType: '',
      OutputProfile: '',
      PrivateData: false,
      PayloadDecoder: '',
    });
  });

  it('endDevice.replace and update: has null in an optional field as if the field were not given', () => {
    const { us } = registered();
    const before = us.ask(get(NEW));
    const nulls = { DecoderType: null, OutputProfile: null, PrivateData: null };
    us.do(update(NEW, { ...nulls, RemoveOutputProfile: null }));
    expect(us.ask(get(NEW))).toEqual(before);
    us.do(replace(us, NEW, nulls));
    const none = { DecoderType: '', OutputProfile: '', PrivateData: false, PayloadDecoder: '' };
    expect(us.ask(get(NEW))).toEqual({ ...before, ...none });
  });

  it.each(['Name', 'ServiceProfile', 'DeviceProfile'])('endDevice.replace: needs a %s', (field) => {
    const { us } = registered();
    const { kind, DevEUI, device } = replace(us, NEW, {});
    const { [field]: _, ...rest } = device as Record<string, unknown>;
    const command = { kind, DevEUI, device: rest } as unknown as ReturnType<typeof replace>;
    const refused = failureOf(us.try(command));
    expect(refused.path).toBe(`/${field}`);
  });

  it.each([
    ['serviceProfile.unknown', { ServiceProfile: 'nothing' }],
    ['deviceProfile.unknown', { DeviceProfile: 'nothing' }],
    ['decoderType.unknown', { DecoderType: 'nothing' }],
    ['outputProfile.unknown', { OutputProfile: 'nothing' }],
  ])('endDevice.replace and update: is refused with %s, and stays as it is', (code, wrong) => {
    const { us } = registered();
    const before = us.ask(get(NEW));
    for (const command of [
      update(NEW, { Name: 'other', ...wrong }),
      replace(us, NEW, { Name: 'other', ...wrong }),
    ]) {
      expect(requestsOf(us, () => expect(us.refused(command)).toBe(code))).toEqual([]);
      expect(us.ask(get(NEW))).toEqual(before);
    }
  });

  it('takenId: keeps its name where another has the one that is given', () => {
    const { us } = registered();
    const [other] = us.devices(1);
    expect(us.refused(update(NEW, { Name: other! }))).toBe('endDevice.name');
    // Its own is no other's.
    us.do(update(NEW, { Name: 'pump' }));
  });

  it('endDevice.delete: is off the air and forgotten when it is deleted', () => {
    const { us } = registered();
    const requests = requestsOf(us, () =>
      expect(us.do({ kind: 'endDevice.delete', DevEUI: NEW })).toEqual({ Response: true }),
    );
    expect(requests).toEqual([{ kind: 'device.remove', devEui: NEW }]);
    expect(us.refusedQuery(get(NEW))).toBe('device.unknown');
    us.bench.addresses.clear();
    us.do(create(creation(us, ABP)));
    expect(us.ask(get(NEW))).toMatchObject({ PrivateData: false, DecoderType: '' });
  });
});

// ── what derives ─────────────────────────────────────────────────────────────────────────────────

describe('a device that nobody has changed', () => {
  it('has a record that derives from the plan, and nothing in the platform', () => {
    const us = service();
    const empty = JSON.stringify(us.bench.platform.save().resources.endDevice);
    const [devEui] = us.devices(3);
    const { Devices } = us.ask({ kind: 'endDevice.list' });
    expect(Devices).toHaveLength(3);
    expect(us.ask(get(devEui!))).toMatchObject({
      Name: devEui,
      ServiceProfile: idsOf(us).ServiceProfile,
      DeviceProfile: idsOf(us).profile('meter'),
      DecoderType: '',
      OutputProfile: '',
      PrivateData: false,
      CreatedAt: formatInstant(us.bench.view.unixMs(0)),
    });
    expect(JSON.stringify(us.bench.platform.save().resources.endDevice)).toBe(empty);
  });

  it('is as one that is stored: a change without effect only updates its time and user', () => {
    const us = service();
    const [planned] = us.devices(1);
    us.do(create(creation(us, ABP)));
    const pick = fc.subarray(['Name', 'ServiceProfile', 'DeviceProfile', 'DecoderType'] as const);
    fc.assert(
      fc.property(fc.constantFrom(planned!, NEW), pick, fc.boolean(), (devEui, given, whole) => {
        const before = us.ask(get(devEui));
        us.bench.nowUs += 1_000_000;
        const same = Object.fromEntries(given.map((field) => [field, before[field]]));
        us.do(whole ? replace(us, devEui, before) : update(devEui, same));
        const UpdatedAt = formatInstant(us.bench.view.unixMs(us.bench.nowUs));
        const after = us.ask(get(devEui));
        expect(after).toEqual({ ...before, UpdatedAt });
        us.bench.reload();
        expect(us.ask(get(devEui))).toEqual(after);
      }),
    );
  });

  it('has what its profile’s preset says, until it is reported otherwise', () => {
    const us = service();
    const [first, second] = us.devices(2) as [string, string];
    const { profile, decoder } = idsOf(us);
    const Id = profile('meter');
    us.do(update(first, { DecoderType: decoder('ELSYS') }));
    const preset = { DecoderType: decoder('RAW_HEX'), PrivateData: true };
    expect(us.do({ kind: 'deviceProfile.preset', Id, preset })).toEqual({ Response: true });
    expect(us.ask(get(first))).toMatchObject({ PayloadDecoder: 'ELSYS', PrivateData: true });
    expect(us.ask(get(second))).toMatchObject({ PayloadDecoder: 'RAW_HEX', PrivateData: true });
    us.do(update(second, { DecoderType: '' }));
    expect(us.ask(get(second))).toMatchObject({ PayloadDecoder: '', PrivateData: true });
  });
});

// ── profiles ─────────────────────────────────────────────────────────────────────────────────────

describe('device profiles', () => {
  it('deviceProfile.list: are the types of the world, in their order', () => {
    const us = service();
    const { DeviceProfiles } = us.ask({ kind: 'deviceProfile.list' });
    expect(DeviceProfiles.map(({ Name }) => Name)).toEqual(TYPES.map(({ name }) => name));
    for (const { Id } of DeviceProfiles) expect(Id).toMatch(/^[0-9A-Za-z]{8}$/);
    expect(new Set(DeviceProfiles.map(({ Id }) => Id)).size).toBe(TYPES.length);
  });

  it('deviceProfile.list: are those of the subscriber, and everybody’s', () => {
    const [ann, bob] = annAndBob();
    const namesOf = (us: Subscriber) =>
      us.ask({ kind: 'deviceProfile.list' }).DeviceProfiles.map(({ Name }) => Name);
    expect(namesOf(ann)).toEqual(['meter', 'modern', 'siren']);
    expect(namesOf(bob)).toEqual(['valve', 'modern', 'siren']);
  });

  it('endDevice.update: give a device class, answers and key knowledge, and take them back', () => {
    const us = service();
    const [devEui] = us.devices(1) as [string];
    const { profile } = idsOf(us);
    const give = (name: string) =>
      requestsOf(us, () => us.do(update(devEui, { DeviceProfile: profile(name) })));
    expect(give('valve')).toEqual([
      { kind: 'device.class', devEui, deviceClass: 'C' },
      { kind: 'device.behaviour', devEui, answers: [] },
      { kind: 'device.rootKey', devEui, known: false },
    ]);
    expect(us.ask(get(devEui)).DeviceProfile).toBe(profile('valve'));
    // The same again changes nothing on the air.
    expect(give('valve')).toEqual([]);
    us.bench.device(devEui).script.rootKeyKnown = false;
    expect(give('meter')).toEqual([
      { kind: 'device.class', devEui, deviceClass: 'A' },
      { kind: 'device.behaviour', devEui, answers: null },
      { kind: 'device.rootKey', devEui, known: true },
    ]);
  });

  it.each([
    ['modern', /LoRaWAN 1\.0.*LoRaWAN 1\.1/],
    ['siren', /class A.*class B/],
  ])('endDevice.update: of another kind of device are refused: %s', (name, why) => {
    const us = service();
    const [devEui] = us.devices(1) as [string];
    const DeviceProfile = idsOf(us).profile(name);
    const command = update(devEui, { DeviceProfile });
    const requests = requestsOf(us, () => {
      const refused = failureOf(us.try(command));
      expect(refused).toMatchObject({ code: 'endDevice.profile', path: '/DeviceProfile' });
      expect(refused.message).toMatch(why);
    });
    expect(requests).toEqual([]);
  });

  it('deviceProfile.assign, oneByOne: are given to devices each for itself, in the order of the request', () => {
    const us = service();
    const [first, second, third] = us.devices(3) as [string, string, string];
    us.bench.device(second).type = 3;
    const Id = idsOf(us).profile('valve');
    const Devices = [third.toLowerCase(), NEW, second, 'nonsense', first, first];
    const { Responses } = us.do({ kind: 'deviceProfile.assign', Id, Devices });
    expect(Responses).toEqual([
      { DevEUI: third, Response: true, Error: '' },
      { DevEUI: NEW, Response: false, Error: `No device has DevEUI ${NEW}.` },
      { DevEUI: second, Response: false, Error: expect.stringContaining('class B') },
      { DevEUI: 'NONSENSE', Response: false, Error: 'No device has DevEUI NONSENSE.' },
      { DevEUI: first, Response: true, Error: '' },
      { DevEUI: first, Response: true, Error: '' },
    ]);
    const profileOf = (devEui: string) => us.ask(get(devEui)).DeviceProfile;
    expect([first, second, third].map(profileOf)).toEqual([Id, idsOf(us).profile('siren'), Id]);
    expect(us.refused({ kind: 'deviceProfile.assign', Id: 'nothing', Devices })).toBe(
      'deviceProfile.unknown',
    );
  });
});

// ── two subscribers ──────────────────────────────────────────────────────────────────────────────

testIsolation(
  'endDevice',
  (ann, devEui) => {
    const { ServiceProfile, profile } = idsOf(ann);
    const refers = { ServiceProfile, DeviceProfile: profile('meter') };
    return { devEui, refers };
  },
  {
    'endDevice.create': ({ refers }) => ({
      device: { ...refers, ...ABP, Name: 'new', DevEUI: NEW, DecoderType: '', PrivateData: true },
    }),
    'endDevice.list': () => ({}),
    'endDevice.health': () => ({}),
    'endDevice.get': ({ devEui }) => ({ DevEUI: devEui }),
    'endDevice.replace': ({ devEui, refers }) => ({
      DevEUI: devEui,
      device: { Name: 'other', ...refers, PrivateData: true },
    }),
    'endDevice.update': ({ devEui }) => ({
      DevEUI: devEui,
      device: { Name: 'other', PrivateData: true, RemoveOutputProfile: true },
    }),
    'endDevice.delete': ({ devEui }) => ({ DevEUI: devEui }),
  },
);

testIsolation('deviceProfile', (ann, devEui) => ({ devEui, Id: idsOf(ann).profile('meter') }), {
  'deviceProfile.list': () => ({}),
  'deviceProfile.assign': ({ Id, devEui }) => ({ Id, Devices: [devEui] }),
  'deviceProfile.preset': ({ Id }) => ({ Id, preset: { PrivateData: true } }),
});
