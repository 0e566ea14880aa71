/**
 * Gateways of device and gateway management (rows 97, 98, 101 to 104 and 114), their profiles, and
 * RF regions.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlatformRequest } from '../../../core/base/outbox.ts';
import { GATEWAY_MODELS } from '../../../core/management/gateways/models.ts';
import type { Creation, FullGateway } from '../../../core/management/gateways/rows.ts';
import type { NewGateway } from '../../../sim/contract/things.ts';
import { Digest } from '../../../sim/kernel/digest.ts';
import { REGION_NAMES } from '../../../sim/lorawan/region.ts';
import { Bench } from '../bench.ts';
import { testIsolation } from './isolation.ts';
import { annAndBob, failureOf, NORTH, SOUTH, Subscriber, service } from './service.ts';

const NEW = 'C0FFEE0000000001';
const IMEI = '490154203237518';
const ICCID = '89490200001234567890';
const PLACED = { X: '48.01', Y: '11.02', Z: '519.5' };

/** Id of a gateway profile. */
const profileOf = (us: Subscriber, name = 'standard'): string =>
  us.ask({ kind: 'gatewayProfile.list' }).GatewayProfiles.find(({ Name }) => Name === name)!.Id;
const regionOf = (us: Subscriber, name = 'EU868'): string =>
  us.ask({ kind: 'rfRegion.list' }).RfRegions.find(({ Name }) => Name === name)!.Id;

const creation = (us: Subscriber, more: Partial<Creation> = {}): Creation => ({
  GatewayProfile: profileOf(us),
  MacAddress: 'aa:bb:cc:0d:0e:0f',
  NodeId: NEW,
  Name: 'roof',
  AntennaGain: '3.5',
  LocationType: 'OUTDOOR',
  Coordinates: PLACED,
  ...more,
});

const create = (gateway: Creation) => ({ kind: 'baseStation.create', gateway }) as const;
const get = (Id: string) => ({ kind: 'baseStation.get', Id }) as const;
const list = { kind: 'baseStation.list' } as const;
const update = (Id: string, gateway: object) =>
  ({ kind: 'baseStation.update', Id, gateway }) as const;
const replace = (us: Subscriber, Id: string, more: object = {}) => {
  const { GatewayProfile, Name, AntennaGain, LocationType } = creation(us);
  const input = { GatewayProfile, Name, AntennaGain, LocationType, Coordinates: PLACED };
  const gateway = { ...input, ...more };
  return { kind: 'baseStation.replace', Id, gateway } as const;
};
const remove = (Id: string) => ({ kind: 'baseStation.delete', Id }) as const;

/** What was requested of the network since. */
function requestsOf({ bench }: Subscriber, act: () => unknown): readonly PlatformRequest[] {
  const before = bench.log.length;
  act();
  return bench.log.slice(before).map(({ request }) => request);
}

const withoutStatistics = ({ Statistics: _, ...gateway }: FullGateway) => gateway;

/** The gateway that is created. */
function putUp(us: Subscriber, more: Partial<Creation> = {}): NewGateway {
  const [request] = requestsOf(us, () => us.do(create(creation(us, more))));
  if (request?.kind !== 'gateway.create') throw new Error('a gateway goes into service');
  return request.gateway;
}

describe('a gateway that is created', () => {
  it('baseStation.create: is answered whole, with its Id, and reported so from then on', () => {
    const us = service();
    const created = us.do(create(creation(us)));
    expect(created).toEqual({
      Id: expect.stringMatching(/^[0-9A-Za-z]{8}$/),
      GatewayProfile: profileOf(us),
      MacAddress: 'AA:BB:CC:0D:0E:0F',
      NodeId: NEW,
      Name: 'roof',
      AntennaGain: '3.5',
      LocationType: 'OUTDOOR',
      GPSEnabled: false,
      Coordinates: { X: '48.01', Y: '11.02', Z: '519.5' },
      CellularEnabled: false,
      IMEI: '',
      ICCID: '',
      CreatedAt: expect.any(String),
      UpdatedAt: created.CreatedAt,
      UpdatedBy: us.ask({ kind: 'account.get' }).UserInfo?.Id,
      Manufacturer: '',
      Model: 'FW-STD',
      RfRegion: regionOf(us),
      Statistics: null,
    });
    for (const word of [created.Id, NEW, NEW.toLowerCase()]) {
      expect(withoutStatistics(us.ask(get(word)))).toEqual(withoutStatistics(created));
    }
  });

  it('baseStation.get: is found by its Id in its own case alone', () => {
    const us = service();
    const { Id } = us.do(create(creation(us)));
    const other = [...Id].map((each) => (each < 'a' ? each.toLowerCase() : each.toUpperCase()));
    expect(other.join('')).not.toBe(Id);
    expect(us.refusedQuery(get(other.join('')))).toBe('gateway.unknown');
  });

  it('baseStation.create: has the antenna that is given, in dB, with or without its unit', () => {
    const us = service();
    const gains = ['2.15', '2.15 dBi', '2.15dB', '+2.15'].map((AntennaGain, i) => {
      const NodeId = `C0FFEE000000001${i}`;
      return putUp(us, { AntennaGain, NodeId }).antennaGainCentiDb;
    });
    expect(gains).toEqual([215, 215, 215, 215]);
    expect(putUp(us, { AntennaGain: '-3' }).antennaGainCentiDb).toBe(-300);
    expect(us.ask(get(NEW)).AntennaGain).toBe('-3');
  });

  it('baseStation.create: has the hardware of its profile', () => {
    const us = service();
    for (const [i, { Name, hardware, Model }] of GATEWAY_MODELS.entries()) {
      const NodeId = `C0FFEE000000001${i}`;
      expect(putUp(us, { GatewayProfile: profileOf(us, Name), NodeId })).toMatchObject(hardware);
      expect(us.ask(get(NodeId))).toMatchObject({ Model, Manufacturer: '' });
    }
  });

  it('baseStation.create: stands where its coordinates are, by the world’s origin', () => {
    const us = service();
    const { xMeters, yMeters } = putUp(us);
    // A degree is 111.195 km, of longitude by the cosine.
    expect(yMeters).toBeCloseTo(1_112, -1);
    expect(xMeters).toBeCloseTo(1_488, -1);
  });

  it.each([
    ['Coordinates of 0', { Coordinates: { X: '0', Y: '0.000', Z: '7' } }, '0'],
    ['GPS, and no Coordinates', { GPSEnabled: true, Coordinates: undefined }, '48'],
  ] as const)('baseStation.create: stands in the middle with %s', (_, more, X) => {
    const us = service();
    const { Coordinates, ...others } = creation(us);
    const gateway = { ...others, ...more } as Creation;
    const [request] = requestsOf(us, () => us.do(create(gateway)));
    expect(request).toMatchObject({ gateway: { xMeters: 0, yMeters: 0 } });
    expect(us.ask(get(NEW)).Coordinates.X).toBe(X);
  });

  it('baseStation.create: stands where Coordinates say with GPS, too, which is what gives it the time', () => {
    const us = service();
    const gateway = putUp(us, { GPSEnabled: true });
    expect(gateway).toMatchObject({ gps: true });
    expect(gateway.yMeters).toBeGreaterThan(1_000);
    expect(us.ask(get(NEW))).toMatchObject({ GPSEnabled: true, Coordinates: { X: '48.01' } });
  });

  it('baseStation.create: may have a mobile network, with modems and a SIM card', () => {
    const us = service();
    const cellular = { CellularEnabled: true, IMEI: `${IMEI}, ${IMEI},${IMEI}`, ICCID };
    us.do(create(creation(us, cellular)));
    expect(us.ask(get(NEW))).toMatchObject(cellular);
  });

  it('is at a height of 0 where none is given, and no zero is below zero', () => {
    const digestOf = (Z: string | undefined, AntennaGain: string): string => {
      const us = service();
      const Coordinates = { X: '48.01', Y: '11.02', ...(Z === undefined ? {} : { Z }) };
      us.do(create(creation(us, { Coordinates, AntennaGain } as never)));
      expect(us.ask(get(NEW))).toMatchObject({ AntennaGain: '0', Coordinates: { Z: '0' } });
      const digest = new Digest();
      us.bench.platform.fold(digest);
      return digest.hex();
    };
    const usual = digestOf('0', '0');
    expect([digestOf(undefined, '0'), digestOf('-0', '0'), digestOf('0', '-0.0')]).toEqual([
      usual,
      usual,
      usual,
    ]);
  });

  it('is one thing with the gateway of the simulator, anyone who made it', () => {
    const us = service();
    us.do(create(creation(us)));
    us.do({ kind: 'gateway.change', eui: NEW, gateway: { name: 'mast', xMeters: 0, yMeters: 0 } });
    expect(us.ask(get(NEW))).toMatchObject({
      Name: 'mast',
      Coordinates: { X: '48', Y: '11', Z: '519.5' },
    });
    const eui = 'C0FFEE00000000FF';
    us.bench.nowUs = 60_000_000;
    us.do({ kind: 'gateway.create', gateway: { eui, name: 'other', gps: true } });
    const start = us.ask(get(NORTH)).CreatedAt;
    expect(us.ask(get(eui))).toMatchObject({
      Name: 'other',
      GPSEnabled: true,
      AntennaGain: '2.15',
    });
    expect(us.ask(get(eui)).CreatedAt > start).toBe(true);
    us.do({ kind: 'gateway.remove', eui });
    expect(us.refusedQuery(get(eui))).toBe('gateway.unknown');
  });
});

describe('a gateway of the plan', () => {
  it('baseStation.list: has its documented view, and costs no record', () => {
    const us = service();
    const { Gateways } = us.ask(list);
    expect(Gateways.map(({ NodeId }) => NodeId)).toEqual([NORTH, SOUTH]);
    expect(Gateways[0]).toMatchObject({
      MacAddress: '00:00:00:00:00:01',
      AntennaGain: '2.15',
      LocationType: 'OUTDOOR',
      GPSEnabled: false,
      Coordinates: { X: '48', Y: '11', Z: '0' },
      UpdatedBy: us.ask({ kind: 'account.get' }).UserInfo?.Id,
    });
    expect(us.bench.platform.save().resources.baseStation).toEqual([]);
  });

  it('has the same Id in every world of the seed, and no other gateway has it', () => {
    const idsOf = (us: Subscriber) => us.ask(list).Gateways.map(({ Id }) => Id);
    const [ids, again] = [idsOf(service()), idsOf(service())];
    expect(ids).toEqual(again);
    expect(new Set(ids).size).toBe(2);
  });
});

describe('badGateway: what a gateway is refused for', () => {
  const required = [
    'GatewayProfile',
    'MacAddress',
    'NodeId',
    'Name',
    'AntennaGain',
    'LocationType',
  ];

  it.each(required)('baseStation.create, malformedField: %s is missing', (field) => {
    const us = service();
    const { [field]: _, ...gateway } = { ...creation(us) } as Record<string, unknown>;
    const failure = failureOf(us.try(create(gateway as unknown as Creation)));
    expect(failure.path).toBe(`/${field}`);
  });

  it.each([
    ['MacAddress', { MacAddress: 'aabbcc0d0e0f' }, '/MacAddress'],
    ['MacAddress', { MacAddress: 'aa:bb:cc:0d:0e' }, '/MacAddress'],
    ['MacAddress', { MacAddress: 'aa:bb:cc:0d:0e:0g' }, '/MacAddress'],
    ['NodeId', { NodeId: 'C0FFEE' }, '/NodeId'],
    ['NodeId', { NodeId: 'C0FFEE00000000XX' }, '/NodeId'],
    ['Name', { Name: '' }, '/Name'],
    ['LocationType', { LocationType: 'indoor' }, '/LocationType'],
    ['AntennaGain', { AntennaGain: 'much' }, '/AntennaGain'],
    ['AntennaGain', { AntennaGain: '31' }, '/AntennaGain'],
    ['AntennaGain', { AntennaGain: '2.155' }, '/AntennaGain'],
    ['AntennaGain', { AntennaGain: 2.15 }, '/AntennaGain'],
    ['X', { Coordinates: { X: '90.1', Y: '0', Z: '0' } }, '/Coordinates/X'],
    ['X', { Coordinates: { X: 48, Y: '11', Z: '0' } }, '/Coordinates/X'],
    ['X', { Coordinates: { Y: '11', Z: '0' } }, '/Coordinates/X'],
    ['Y', { Coordinates: { X: '48', Y: '-180.1', Z: '0' } }, '/Coordinates/Y'],
    ['Z', { Coordinates: { X: '48', Y: '11', Z: 'high' } }, '/Coordinates/Z'],
    ['Coordinates', { Coordinates: undefined }, '/Coordinates'],
    ['Coordinates', { Coordinates: null, GPSEnabled: false }, '/Coordinates'],
    ['Coordinates', { Coordinates: { X: '-48', Y: '-169', Z: '0' } }, '/Coordinates'],
    ['IMEI', { CellularEnabled: true, IMEI: IMEI.slice(1) }, '/IMEI'],
    ['IMEI', { CellularEnabled: true, IMEI: `${IMEI};${IMEI}` }, '/IMEI'],
    ['IMEI', { CellularEnabled: true, IMEI: `${IMEI},` }, '/IMEI'],
    ['IMEI', { IMEI }, '/IMEI'],
    ['ICCID', { CellularEnabled: true, ICCID: ICCID.slice(1) }, '/ICCID'],
    ['ICCID', { CellularEnabled: false, ICCID }, '/ICCID'],
    ['GPSEnabled', { GPSEnabled: 'true' }, '/GPSEnabled'],
    ['GatewayProfile', { GatewayProfile: 'nothing1' }, '/GatewayProfile'],
  ])('baseStation.create, replace and update: %s of %j', (_, wrong, pointer) => {
    const us = service();
    const isKey = /MacAddress|NodeId/.test(pointer);
    const before = JSON.stringify(us.bench.platform.save());
    const refused = us.try(create({ ...creation(us), ...wrong } as Creation));
    expect(failureOf(refused).path).toBe(pointer);
    if (!isKey) expect(failureOf(us.try(replace(us, NORTH, wrong))).path).toBe(pointer);
    const isMissing = 'Coordinates' in wrong && (wrong.Coordinates ?? undefined) === undefined;
    const changed = us.try(update(NORTH, wrong));
    if (isKey || isMissing) expect(changed.ok).toBe(true);
    else {
      expect(failureOf(changed).path).toBe(pointer);
      expect(JSON.stringify(us.bench.platform.save())).toBe(before);
      expect(us.bench.log).toEqual([]);
    }
  });

  it('baseStation.create: a message reports the world’s edge', () => {
    const us = service();
    const far = { Coordinates: { X: '-48', Y: '-169', Z: '0' } };
    const { code, message } = failureOf(us.try(create(creation(us, far))));
    expect(code).toBe('baseStation.coordinates');
    expect(message).toContain('10000 km');
  });

  it('takenId: baseStation.create: a NodeId that the world has, no matter whose; and no word of whose', () => {
    const [ann, bob] = annAndBob();
    for (const NodeId of [NORTH, SOUTH.toLowerCase()]) {
      const failure = failureOf(bob.try(create(creation(bob, { NodeId }))));
      expect(failure.code).toBe('gateway.exists');
      expect(failure.message).not.toMatch(/ann|bob/);
    }
    ann.do(create(creation(ann)));
    expect(bob.refused(create(creation(bob)))).toBe('gateway.exists');
    // A MAC address and a name may stand twice.
    expect(bob.try(create(creation(bob, { NodeId: 'C0FFEE00000000EE' }))).ok).toBe(true);
  });

  it('baseStation.update: an RF region that there is not', () => {
    const us = service();
    const failure = failureOf(us.try(update(NORTH, { RfRegion: 'nothing1' })));
    expect(failure).toMatchObject({ code: 'rfRegion.unknown', path: '/RfRegion' });
  });

  it('baseStation.create: a profile of another subscriber, who alone sees it', () => {
    const [ann, bob] = annAndBob();
    const GatewayProfile = ann.do({
      kind: 'gatewayProfile.create',
      gatewayProfile: { Name: 'hers' },
    }).Id;
    expect(bob.refused(create(creation(bob, { GatewayProfile })))).toBe('gatewayProfile.unknown');
    expect(ann.try(create(creation(ann, { GatewayProfile }))).ok).toBe(true);
    expect(ann.ask(get(NEW))).toMatchObject({ Model: 'hers', Manufacturer: '' });
  });
});

describe('a gateway that is changed', () => {
  const all = (us: Subscriber): Partial<Creation> => ({
    GatewayProfile: profileOf(us, 'outdoor-SX1301'),
    GPSEnabled: true,
    CellularEnabled: true,
    IMEI,
    ICCID,
    LocationType: 'INDOOR',
  });

  it('baseStation.replace: is replaced; what is not given is as by default, and keys stay', () => {
    const us = service();
    const { Id, CreatedAt } = us.do(create(creation(us, all(us))));
    us.bench.nowUs += 60_000_000;
    const keys = { NodeId: NORTH, MacAddress: '00:00:00:00:00:00', RfRegion: 'nothing1' };
    expect(us.do(replace(us, Id, { Name: 'mast', ...keys }))).toEqual({ Response: true });
    expect(us.ask(get(Id))).toMatchObject({
      ...creation(us),
      Name: 'mast',
      MacAddress: 'AA:BB:CC:0D:0E:0F',
      GPSEnabled: false,
      CellularEnabled: false,
      IMEI: '',
      ICCID: '',
      CreatedAt,
      RfRegion: regionOf(us),
    });
    expect(us.ask(get(Id)).UpdatedAt > CreatedAt).toBe(true);
  });

  it('baseStation.replace: names the user who changed it', () => {
    const us = service();
    us.bench.execute({ ...update(NORTH, {}), by: us.by, as: 'someAPP1' });
    expect(us.ask(get(NORTH)).UpdatedBy).toBe('someAPP1');
  });

  it('baseStation.update: is changed in what is given alone', () => {
    const us = service();
    us.do(create(creation(us, all(us))));
    const before = us.ask(get(NEW));
    us.do(update(NEW, { LocationType: 'OUTDOOR', AntennaGain: '6 dBi' }));
    expect(us.ask(get(NEW))).toEqual({
      ...before,
      LocationType: 'OUTDOOR',
      AntennaGain: '6',
      Statistics: expect.anything(),
    });
  });

  it('baseStation.replace and update: stays where and as it is when it is given back what it reports', () => {
    const us = service();
    const { Id } = us.do(create(creation(us, all(us))));
    const response = us.ask(get(Id));
    const requests = requestsOf(us, () => {
      us.do({ kind: 'baseStation.replace', Id, gateway: response });
      us.do(update(Id, response));
    });
    expect(requests).toEqual([]);
    const { UpdatedAt: _, ...others } = us.ask(get(Id));
    expect(response).toMatchObject(others);
  });

  it('baseStation.update: moves to other coordinates, and gets other hardware, in one request', () => {
    const us = service();
    us.do(create(creation(us, { GPSEnabled: true, AntennaGain: '9' })));
    const Coordinates = { X: '48', Y: '11', Z: '3' };
    const GatewayProfile = profileOf(us, 'indoor-SX1302');
    const requests = requestsOf(us, () => us.do(update(NEW, { Coordinates, GatewayProfile })));
    const { hardware } = GATEWAY_MODELS.find(({ Name }) => Name === 'indoor-SX1302')!;
    expect(requests).toMatchObject([
      {
        kind: 'gateway.change',
        eui: NEW,
        place: { xMeters: 0, yMeters: 0 },
        // Antenna and GPS are of the site.
        hardware: { ...hardware, gps: true, antennaGainCentiDb: 900 },
      },
    ]);
    expect(us.ask(get(NEW))).toMatchObject({ Coordinates, GatewayProfile, Model: 'FW-IN-1302' });
  });

  it('baseStation.update: stays where it is when nobody knows where that is, and GPS reports again', () => {
    const us = service();
    us.do(create(creation(us)));
    const unknown = { X: '0', Y: '0', Z: '0' };
    expect(requestsOf(us, () => us.do(update(NEW, { Coordinates: unknown })))).toEqual([]);
    expect(us.ask(get(NEW)).Coordinates).toEqual(unknown);
    us.do(update(NEW, { GPSEnabled: true }));
    expect(us.ask(get(NEW)).Coordinates).toEqual({ X: '48.01', Y: '11.02', Z: '0' });
  });

  it('baseStation.update: loses modem and SIM card with its mobile network', () => {
    const us = service();
    us.do(create(creation(us, all(us))));
    us.do(update(NEW, { CellularEnabled: false }));
    expect(us.ask(get(NEW))).toMatchObject({ CellularEnabled: false, IMEI: '', ICCID: '' });
    us.do(update(NEW, { CellularEnabled: true }));
    expect(us.ask(get(NEW))).toMatchObject({ CellularEnabled: true, IMEI: '', ICCID: '' });
  });

  it('baseStation.update: is set to an RF region, and back to the network’s', () => {
    const us = service();
    us.do(create(creation(us)));
    const set = (RfRegion: string) => requestsOf(us, () => us.do(update(NEW, { RfRegion })));
    expect(set(regionOf(us))).toEqual([]);
    expect(set(regionOf(us, 'US915'))).toMatchObject([{ hardware: { otherRegion: 'US915' } }]);
    expect(us.ask(get(NEW)).RfRegion).toBe(regionOf(us, 'US915'));
    // It stays so whatever else changes.
    us.do(update(NEW, { GatewayProfile: profileOf(us, 'indoor-SX1302'), AntennaGain: '1' }));
    expect(us.ask(get(NEW)).RfRegion).toBe(regionOf(us, 'US915'));
    const [back] = set(regionOf(us));
    expect(back).not.toHaveProperty('hardware.otherRegion');
    expect(us.ask(get(NEW)).RfRegion).toBe(regionOf(us));
  });

  it('baseStation.delete: goes out of service for good, with all that was said of it', () => {
    const us = service();
    const { Id } = us.do(create(creation(us, all(us))));
    expect(us.do(remove(Id))).toEqual({ Response: true });
    expect(us.refusedQuery(get(Id))).toBe('gateway.unknown');
    expect(us.refused(remove(NEW))).toBe('gateway.unknown');
    expect(us.bench.platform.save().resources.baseStation).toEqual([]);
    us.do({ kind: 'gateway.create', gateway: { eui: NEW } });
    expect(us.ask(get(NEW))).toMatchObject({ Name: NEW, LocationType: 'OUTDOOR', IMEI: '' });
  });
});

describe('a description of gateways', () => {
  it('is on record, and changes nothing of the network', () => {
    const us = service();
    const description = {
      GatewayProfile: profileOf(us, 'indoor-SX1302'),
      MacAddress: '01:02:03:04:05:06',
      LocationType: 'INDOOR',
      HeightMeters: 30.25,
      CellularEnabled: true,
      ICCID,
    } as const;
    const { HeightMeters: _, ...response } = description;
    const before = us.ask(list).Gateways;
    const requests = requestsOf(us, () =>
      us.do({ kind: 'baseStation.describe', Gateways: [NORTH, before[1]!.Id], description }),
    );
    expect(requests).toEqual([]);
    for (const [i, gateway] of us.ask(list).Gateways.entries()) {
      const { CreatedAt, UpdatedAt, Coordinates } = before[i]!;
      const Z = '30.25';
      expect(gateway).toMatchObject({ ...response, CreatedAt, UpdatedAt, Model: 'FW-IN-1302' });
      expect(gateway.Coordinates).toEqual({ ...Coordinates, Z });
    }
  });

  it('says it of all, or of none', () => {
    const us = service();
    const Gateways = [NORTH, 'nothing1'];
    const describeAll = { kind: 'baseStation.describe', Gateways } as const;
    const failure = failureOf(us.try({ ...describeAll, description: { LocationType: 'INDOOR' } }));
    expect(failure).toMatchObject({ code: 'gateway.unknown', path: '/Gateways/1' });
    expect(us.ask(get(NORTH)).LocationType).toBe('OUTDOOR');
  });
});

describe('profiles and RF regions', () => {
  it('gatewayProfile.list: every world has the same profiles, each a model', () => {
    const [ann, bob] = annAndBob();
    const profiles = ann.ask({ kind: 'gatewayProfile.list' });
    expect(profiles).toEqual(bob.ask({ kind: 'gatewayProfile.list' }));
    expect(profiles.GatewayProfiles).toEqual(
      GATEWAY_MODELS.map(({ Name, Description }) => ({
        Id: expect.stringMatching(/^[0-9A-Za-z]{8}$/),
        Name,
        Description,
      })),
    );
  });

  it('takes a profile’s paths the right way round, and an id once', () => {
    const us = service();
    const paths = [
      {
        count: 1,
        leastSpreadingFactor: 9,
        mostSpreadingFactor: 7,
        leastBandwidthHz: 0,
        mostBandwidthHz: 1,
      },
    ];
    const gatewayProfile = { Name: 'mine', Hardware: { paths } };
    const wrong = failureOf(us.try({ kind: 'gatewayProfile.create', gatewayProfile }));
    expect(wrong).toMatchObject({ code: 'gatewayProfile.paths', path: '/Hardware/paths/0' });
    const id = 'Aa345678';
    const right = { kind: 'gatewayProfile.create', gatewayProfile: { Name: 'mine' }, id } as const;
    expect(us.do(right)).toEqual({ Id: id });
    expect(us.refused(right)).toBe('gatewayProfile.exists');
  });

  it('has an RF region for each regional plan, and the models of one’s profiles', () => {
    const us = service();
    const { RfRegions } = us.ask({ kind: 'rfRegion.list' });
    expect(RfRegions.map(({ Name }) => Name)).toEqual(REGION_NAMES);
    expect(new Set(RfRegions.map(({ Id }) => Id)).size).toBe(REGION_NAMES.length);
    expect(RfRegions[0]?.GatewayModels).toEqual(GATEWAY_MODELS.map(({ Model }) => Model));
  });
});

// ── against a model ──────────────────────────────────────────────────────────────────────────────

describe('gateways that come, change and go', () => {
  const EUIS = ['C0FFEE00000000A1', 'C0FFEE00000000A2', 'C0FFEE00000000A3'];
  const word = <T>(...words: readonly T[]) => fc.constantFrom(...words);
  const eui = word(...EUIS);
  const fields = fc.record(
    {
      Name: word('a', 'b'),
      AntennaGain: word('1', '2.5'),
      LocationType: word('INDOOR' as const, 'OUTDOOR' as const),
      GPSEnabled: fc.boolean(),
      CellularEnabled: fc.boolean(),
      IMEI: word('', IMEI),
      Coordinates: word(
        { X: '48.1', Y: '11.1', Z: '0' },
        { X: '0', Y: '0', Z: '5' },
        { X: '-10', Y: '60', Z: '1' },
      ),
    },
    { requiredKeys: [] },
  );
  type Given = typeof fields extends fc.Arbitrary<infer Each> ? Each : never;
  type Modelled = Required<Given> & { readonly NodeId: string; at: { X: string; Y: string } };

  /** What a gateway is after what is given, or undefined where it is refused. */
  function after(before: Modelled | undefined, given: Given, whole: boolean): Given | undefined {
    const defaults = { GPSEnabled: false, CellularEnabled: false, IMEI: '' };
    const all = { ...(whole ? defaults : before), ...given };
    if (whole && !all.GPSEnabled && all.Coordinates === undefined) return undefined;
    if (!all.CellularEnabled && (given.IMEI ?? '') !== '') return undefined;
    return { ...before, ...all, ...(all.CellularEnabled ? {} : { IMEI: '' }) };
  }

  const step = fc.oneof(
    fc.record({ act: fc.constant('create' as const), eui, fields }),
    fc.record({ act: fc.constant('replace' as const), eui, fields }),
    fc.record({ act: fc.constant('update' as const), eui, fields }),
    fc.record({ act: fc.constant('delete' as const), eui, fields: fc.constant({}) }),
    fc.record({ act: fc.constant('reload' as const), eui, fields: fc.constant({}) }),
  );

  it('baseStation.list, create and get to delete: are what a simple model says, saved and loaded, too', () =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const us = new Subscriber(new Bench({ gateways: [] }), 'default');
        const model = new Map<string, Modelled>();
        const base = creation(us);
        const required = { Name: 'n', AntennaGain: '0', LocationType: 'OUTDOOR' as const };
        for (const { act, eui, fields } of steps) {
          const before = model.get(eui);
          if (act === 'reload') {
            us.bench.reload();
            continue;
          }
          if (act === 'delete') {
            expect(us.try(remove(eui)).ok).toBe(model.delete(eui));
            continue;
          }
          const whole = act !== 'update';
          const given: Given = whole ? { ...required, ...fields } : fields;
          const { GatewayProfile, MacAddress } = base;
          const gateway = {
            ...given,
            ...(whole ? { GatewayProfile, MacAddress, NodeId: eui } : {}),
          };
          const answer = us.try({
            kind: `baseStation.${act}`,
            ...(act === 'create' ? {} : { Id: eui }),
            gateway,
          } as Parameters<typeof us.try>[0]);
          const then = after(act === 'create' ? undefined : before, given, whole);
          const isRight = then !== undefined && (before === undefined) === (act === 'create');
          expect(answer.ok).toBe(isRight);
          if (!isRight) continue;
          const { Coordinates } = given;
          const isPlaced = Coordinates !== undefined && Coordinates.X !== '0';
          const stood = before?.at ?? { X: '48', Y: '11' };
          const at = isPlaced ? { X: Coordinates.X, Y: Coordinates.Y } : stood;
          const recorded = then.Coordinates ?? before?.Coordinates ?? { ...at, Z: '0' };
          model.set(eui, { ...then, Coordinates: recorded, NodeId: eui, at } as Modelled);
        }
        const reports = us.ask(list).Gateways;
        expect(reports.map(({ NodeId }) => NodeId)).toEqual([...model.keys()].sort());
        for (const gateway of reports) {
          const { at, Coordinates, ...others } = model.get(gateway.NodeId)!;
          const isKnown = others.GPSEnabled || Coordinates.X !== '0';
          const { Z } = Coordinates;
          const where = isKnown ? { ...at, Z } : { X: '0', Y: '0', Z };
          expect(gateway).toMatchObject({ ...others, Coordinates: where });
        }
      }),
    ));
});

// ── isolation ────────────────────────────────────────────────────────────────────────────────────

testIsolation('baseStation', (ann) => ({ ann, Id: ann.ask(get(NORTH)).Id }), {
  'baseStation.create': ({ ann }) => create(creation(ann)),
  'baseStation.list': () => ({}),
  'baseStation.get': ({ Id }) => ({ Id }),
  'baseStation.replace': ({ ann, Id }) => replace(ann, Id),
  'baseStation.update': ({ Id }) => ({ Id, gateway: { Name: 'north' } }),
  'baseStation.describe': ({ Id }) => ({
    Gateways: [Id],
    description: { LocationType: 'INDOOR', HeightMeters: 3 },
  }),
  'baseStation.delete': ({ Id }) => ({ Id }),
});

const OWN_MODEL = { Name: 'own', Model: 'own-1' };

testIsolation(
  'gatewayProfile',
  (ann) => ann.do({ kind: 'gatewayProfile.create', gatewayProfile: OWN_MODEL }),
  {
    'gatewayProfile.create': () => ({ gatewayProfile: OWN_MODEL }),
    'gatewayProfile.list': () => ({}),
  },
);

testIsolation(
  'rfRegion',
  (ann) => ann.do({ kind: 'gatewayProfile.create', gatewayProfile: OWN_MODEL }),
  { 'rfRegion.list': () => ({}) },
);
