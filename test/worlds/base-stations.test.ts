/** Gateways of device and gateway management in whole worlds: what their fields do to the radio. */
import { describe, expect, it } from 'vitest';
import { coordinatesOf, USUAL_ORIGIN } from '../../core/base/geography.ts';
import type { Command } from '../../core/command.ts';
import type { WorldPlan } from '../../core/world/plan.ts';
import { World } from '../../core/world/world.ts';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import type { Result } from '../../sim/base/result.ts';
import { got } from '../core/resources/service.ts';
import { HOUR_US, MINUTE_US, networkOf, Trace } from '../support/small-network.ts';

const NEW = 'C0FFEE0000000001';
const by = 'default';
const network = networkOf({ devices: 3, gatewaysAt: [100] });
const plan = { name: 'x', description: '', durationUs: 10 * HOUR_US, network, timeline: [] };

const carryOut = (world: World<WorldPlan>, command: Command): unknown =>
  got(world.submit(command) as Result<unknown>);

/** A world whose devices stand in its middle, with a gateway there and a command for another. */
function setUp() {
  const trace = new Trace();
  const world = World.create(plan, 'seed', { observer: trace });
  world.runUntil(MINUTE_US);
  const { GatewayProfiles } = got(world.ask({ kind: 'gatewayProfile.list', by }));
  const profile = (name: string) => GatewayProfiles.find(({ Name }) => Name === name)!.Id;
  const createAt = (eastMeters: number, more: object = {}): Command => {
    const place = { xMeters: eastMeters, yMeters: 0 };
    const { latitude, longitude } = coordinatesOf(place, USUAL_ORIGIN);
    const gateway = {
      GatewayProfile: profile('standard'),
      MacAddress: '00:00:00:00:00:01',
      NodeId: NEW,
      Name: 'new',
      AntennaGain: '0',
      LocationType: 'OUTDOOR',
      Coordinates: { X: latitude.toFixed(7), Y: longitude.toFixed(7), Z: '0' },
      ...more,
    } as const;
    return { kind: 'baseStation.create', by, gateway };
  };
  const update = (gateway: object): Command => ({
    kind: 'baseStation.update',
    by,
    Id: NEW,
    gateway,
  });
  const heardSince = (fromUs: number) =>
    trace
      .of('uplinkEnds')
      .filter(({ atUs }) => atUs > fromUs)
      .flatMap(({ gateways }) => gateways)
      .filter(({ gateway, fate }) => gateway === 'new' && fate === 'received');
  return { world, trace, createAt, update, heardSince, profile };
}

describe('a gateway that is created', () => {
  it.each([
    [300, true],
    [60_000, false],
  ])('hears at %i m from the devices what its place lets it hear: %s', (meters, hears) => {
    const { world, createAt, heardSince } = setUp();
    carryOut(world, createAt(meters));
    world.runUntil(HOUR_US);
    expect(heardSince(0).length > 0).toBe(hears);
    const response = got(world.ask({ kind: 'gatewayStatistics.devices', by, Id: NEW }));
    expect(response.Devices.length > 0).toBe(hears);
  });

  it('that moves hears what its new place lets it hear', () => {
    const { world, createAt, update, heardSince } = setUp();
    carryOut(world, createAt(60_000));
    world.runUntil(HOUR_US);
    expect(heardSince(0)).toEqual([]);
    carryOut(world, update({ Coordinates: { X: '48.001', Y: '11', Z: '0' } }));
    world.runUntil(2 * HOUR_US);
    expect(heardSince(HOUR_US).length).toBeGreaterThan(100);
    carryOut(world, update({ Coordinates: { X: '49', Y: '12', Z: '0' } }));
    world.runUntil(3 * HOUR_US);
    expect(heardSince(2 * HOUR_US)).toEqual([]);
  });

  it('hears by so much better as its antenna’s gain says', () => {
    const levelWith = (AntennaGain: string) => {
      const { world, createAt, heardSince } = setUp();
      carryOut(world, createAt(300, { AntennaGain }));
      world.runUntil(10 * MINUTE_US);
      return heardSince(0)[0]!.rssiCentiDbm;
    };
    expect(levelWith('7.25 dBi') - levelWith('0')).toBe(725);
  });

  it('that is set to another RF region hears and sends nothing, till it is set back', () => {
    const { world, trace, createAt, update, heardSince } = setUp();
    const { RfRegions } = got(world.ask({ kind: 'rfRegion.list', by }));
    const region = (name: string) => RfRegions.find(({ Name }) => Name === name)!.Id;
    carryOut(world, createAt(300));
    world.runUntil(HOUR_US);
    expect(heardSince(0).length).toBeGreaterThan(100);
    carryOut(world, update({ RfRegion: region('AS923-2') }));
    world.runUntil(2 * HOUR_US);
    expect(heardSince(HOUR_US)).toEqual([]);
    // A fault that comes and goes does not tune it.
    for (const on of [true, false]) {
      carryOut(world, { kind: 'gateway.fault', by, eui: NEW, fault: 'radio', on });
      world.runUntil(world.nowUs + HOUR_US / 2);
    }
    expect(heardSince(HOUR_US)).toEqual([]);
    carryOut(world, update({ RfRegion: region('EU868') }));
    const backUs = world.nowUs;
    world.runUntil(backUs + HOUR_US);
    expect(heardSince(backUs).length).toBeGreaterThan(100);
    const [planned] = network.gateways;
    const gateways = [...network.gateways, { ...planned!, name: 'new', eui: NEW }];
    expect(judge(trace.rows, { ...network, gateways })).toEqual({});
  });

  it('has the reception paths of its profile', () => {
    const { world, createAt, profile, update } = setUp();
    carryOut(world, createAt(300, { GatewayProfile: profile('indoor-SX1302') }));
    const report = () => got(world.ask({ kind: 'gateway.get', by, eui: NEW }));
    expect(report().paths).toHaveLength(4);
    carryOut(world, update({ GatewayProfile: profile('standard') }));
    expect(report()).not.toHaveProperty('paths');
  });
});

describe('a world with such gateways', () => {
  it('goes on as it was when it is saved, restored and forked; asking changes nothing', () => {
    const { world: straight, createAt, update } = setUp();
    const acts = [
      createAt(300, { GPSEnabled: true }),
      update({ AntennaGain: '6', CellularEnabled: true }),
      update({ Coordinates: { X: '0', Y: '0', Z: '7' } }),
      update({ GPSEnabled: false, LocationType: 'INDOOR' }),
      { kind: 'baseStation.delete', by, Id: NEW } as const,
    ];
    for (const act of acts) {
      carryOut(straight, act);
      straight.runUntil(straight.nowUs + HOUR_US);
    }
    const listOf = (each: World<WorldPlan>) => got(each.ask({ kind: 'baseStation.list', by }));
    let { world } = setUp();
    for (const act of acts) {
      carryOut(world, act);
      const response = listOf(world);
      const restored = got(World.fromBytes(plan, 'seed', world.toBytes()));
      expect(listOf(restored)).toEqual(response);
      expect(listOf(world.fork())).toEqual(response);
      world = restored;
      world.runUntil(world.nowUs + HOUR_US);
    }
    expect(world.digest()).toEqual(straight.digest());
  });
});
