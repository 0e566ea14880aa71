/** Gateways as resources: what creates, changes and takes them away, and who may. */
import { describe, expect, it } from 'vitest';
import type { Command } from '../../../core/command.ts';
import { BACKHAUL, GATEWAY } from '../../../core/simulator/fields.ts';
import { World } from '../../../core/world/world.ts';
import { populate } from '../../../scenarios/filling/populate.ts';
import { runScenario } from '../../../scenarios/testing/testing.ts';
import { allowedOf } from '../../../sim/base/rows/allowed.ts';
import { effective } from '../../../sim/base/rows/fields.ts';
import { faultsOf, scenarioOf } from '../../scenarios/scenario.ts';
import { yards } from '../../support/cost.ts';
import { eui, HOUR_US, MINUTE_US } from '../../support/small-network.ts';
import { testIsolation } from './isolation.ts';
import { failureOf, got, NORTH } from './service.ts';
import { codeOf, emptyWorld, GARBAGE, logged, planOf } from './things.ts';

const EUI = 'AB000000000000CD';
const create = (gateway: object, by = 'ann') =>
  ({ kind: 'gateway.create', gateway: { eui: EUI, ...gateway }, by }) as Command & {
    readonly kind: 'gateway.create';
  };
const gatewayOf = (world: World, by = 'ann') =>
  got(world.ask({ kind: 'gateway.get', eui: EUI, by }));

testIsolation('gateway', () => NORTH, {
  'gateway.create': () => ({ gateway: { eui: EUI } }),
  'gateway.list': () => ({}),
  'gateway.get': (eui) => ({ eui }),
  'gateway.change': (eui) => ({ eui, gateway: { name: 'mine' } }),
  'gateway.remove': (eui) => ({ eui }),
});

describe('a gateway', () => {
  it('needs no more than an EUI: all else has the rows’ defaults, in the world’s middle', () => {
    const world = emptyWorld();
    const created = got(world.submit(create({})));
    const { paths, ...defaults } = effective(GATEWAY, {});
    const backhaul = effective(BACKHAUL, {});
    expect(created).toEqual({ ...defaults, backhaul, eui: EUI, name: EUI, xMeters: 0, yMeters: 0 });
    expect(paths).toBeUndefined();
    const never = { connection: 'NEVERCNX', health: 'INIT', last_status_at: null };
    expect(gatewayOf(world)).toEqual({ ...created, ...never });
  });

  it('is one in the world, with one EUI in either case, and nobody is reported whose it is', () => {
    const world = emptyWorld();
    got(world.submit(create({ eui: EUI.toLowerCase(), name: 'hers' })));
    const failure = failureOf(world.submit(create({}, 'bob')));
    expect(failure.code).toBe('gateway.exists');
    expect(JSON.stringify(failure)).not.toMatch(/ann|hers/);
    expect(got(world.ask({ kind: 'gateway.list', by: 'bob' }))).toEqual([]);
    const gone = { kind: 'gateway.remove', eui: EUI.toLowerCase(), by: 'ann' } as const;
    got(world.submit(gone));
    expect(codeOf(world, gone)).toBe('gateway.unknown');
    got(world.submit(create({}, 'bob')));
    expect(gatewayOf(world, 'bob').eui).toBe(EUI);
  });

  const PATH = {
    count: 1,
    leastSpreadingFactor: 7,
    mostSpreadingFactor: 12,
    leastBandwidthHz: 125_000,
    mostBandwidthHz: 125_000,
  };

  it.each([
    [{ xMeters: 1 }, '/yMeters'],
    [{ xMeters: Number.NaN, yMeters: 0 }, '/xMeters'],
    [{ receptionPaths: 0 }, '/receptionPaths'],
    [{ paths: Array(5).fill(PATH) }, '/paths'],
    [{ paths: [] }, '/paths'],
    [{ paths: [PATH, { ...PATH, count: Number.NaN }] }, '/paths/1/count'],
    [{ paths: [{ ...PATH, leastSpreadingFactor: 4 }] }, '/paths/0/leastSpreadingFactor'],
    [{ paths: [PATH, { ...PATH, leastSpreadingFactor: 12, mostSpreadingFactor: 7 }] }, '/paths/1'],
    [{ backhaul: { latencyUs: -1 } }, '/backhaul/latencyUs'],
    [{ backhaul: { latencyUs: 0.5 } }, '/backhaul/latencyUs'],
    [{ backhaul: { lossPpm: 1_000_001 } }, '/backhaul/lossPpm'],
    [{ backhaul: { spread: { kind: 'uniform' } } }, '/backhaul/spread/kind'],
    [{ backhaul: { spread: { kind: 'exponential' } } }, '/backhaul/spread'],
    [{ backhaul: { spread: { kind: 'logNormal', medianUs: 1 } } }, '/backhaul/spread'],
    [{ backhaul: { spread: { kind: 'quantiles', us: [1] } } }, '/backhaul/spread/us'],
    [{ backhaul: { spread: { kind: 'quantiles', us: [2, 1] } } }, '/backhaul/spread'],
    [
      { backhaul: { spread: { kind: 'quantiles', us: Array(102).fill(0) } } },
      '/backhaul/spread/us',
    ],
  ])('is refused for %j, with the place', (given, path) => {
    const world = emptyWorld();
    const failure = failureOf(world.submit(create(given)));
    expect(failure).toMatchObject({ code: 'gateway.invalid', path });
    expect(got(world.ask({ kind: 'gateway.list', by: 'ann' }))).toEqual([]);
  });

  it('takes no garbage in any field', () => {
    const world = emptyWorld();
    const places = { xMeters: 0, yMeters: 0 };
    for (const name of Object.keys(GATEWAY)) {
      for (const value of GARBAGE) {
        const answer = world.submit(create({ ...places, [name]: value }));
        if (answer.ok) {
          const response = gatewayOf(world) as object as Record<string, unknown>;
          expect([name, value, allowedOf(GATEWAY[name as keyof typeof GATEWAY])]).toEqual([
            name,
            name === 'backhaul' ? {} : response[name],
            expect.anything(),
          ]);
          got(world.submit({ kind: 'gateway.remove', eui: EUI, by: 'ann' }));
        } else {
          expect(answer.failure.path).toBe(`/${name}`);
          expect(answer.failure.code).toBe(name === 'eui' ? 'eui.malformed' : 'gateway.invalid');
        }
      }
    }
  });

  it('keeps of its spread what its kind takes', () => {
    const world = emptyWorld();
    const spread = { kind: 'exponential', meanUs: 5, sigma: 1, us: [1, 2] };
    const created = got(world.submit(create({ backhaul: { spread } })));
    expect(created.backhaul.spread).toEqual({ kind: 'exponential', meanUs: 5 });
  });
});

describe('the knobs of a scenario’s gateway', () => {
  const scenario = (gateway: string) =>
    `scenario: x\nduration: 1 h\ngateways: [{ name: mast${gateway} }]\n` +
    'devices: [{ name: meter, placement: { at: [0, 0] } }]\n';

  it('have the defaults that a gateway of a command has', () => {
    const [planned] = populate(scenarioOf(scenario(''))).network.gateways;
    const world = emptyWorld();
    const created = got(world.submit(create({})));
    expect({ ...planned, eui: EUI, name: EUI, xMeters: 0, yMeters: 0 }).toEqual(created);
  });

  it.each([
    ['receptionPaths: 1', 'receptionPaths: 65535', { receptionPaths: [1, 65_535] }],
    ['antennaGain: -20 dB', 'antennaGain: 30 dB', { antennaGainCentiDb: [-2000, 3000] }],
    ['maxEirp: -20 dBm', 'maxEirp: 40 dBm', { maxEirpCentiDbm: [-2000, 4000] }],
    ['clockError: 1 ms', 'clockError: 1 s', { clockErrorUs: [1_000, 1_000_000] }],
  ])('have the ranges of its rows: from %s to %s', (least, most, range) => {
    const [[name, limits]] = Object.entries(range) as [[keyof typeof GATEWAY, number[]]];
    const planned = [least, most].map(
      (knob) => populate(scenarioOf(scenario(`, ${knob}`))).network.gateways[0]![name],
    );
    expect(planned).toEqual(limits);
    expect(GATEWAY[name]).toMatchObject({ least: limits[0], most: limits[1] });
    for (const knob of [least.replace(/-?\d+/, '-10000'), most.replace(/\d+/, '10000000')]) {
      expect(faultsOf(scenario(`, ${knob}`))).toHaveLength(1);
    }
  });

  it.each([
    ['latency', 'latencyUs'],
    ['jitter', 'jitterUs'],
  ] as const)('have the range of its row: %s of the backhaul', (knob, name) => {
    expect(BACKHAUL[name]).toMatchObject({ least: 0, most: 60_000_000 });
    expect(faultsOf(scenario(`, backhaul: { ${knob}: 60 s }`))).toEqual([]);
    expect(faultsOf(scenario(`, backhaul: { ${knob}: 61 s }`))).toHaveLength(1);
  });
});

describe('a gateway that is changed', () => {
  const plan = planOf({ devices: 2, gatewaysAt: [100, 200] });
  const change = (gateway: object) =>
    ({ kind: 'gateway.change', by: 'default', eui: eui('06', 1), gateway }) as const;

  it('has its new name in answers, views and results, and nothing else happens', () => {
    const { world, log } = logged(plan);
    const other = World.create(plan, 'seed');
    for (const each of [world, other]) each.runUntil(10 * MINUTE_US);
    expect(got(world.submit(change({ name: 'mast' }))).name).toBe('mast');
    for (const each of [world, other]) each.runUntil(HOUR_US);
    const named = (it: World) => it.result().gateways.map(({ name }) => name);
    expect([named(world), named(other)]).toEqual([
      ['mast', 'gateway-2'],
      ['gateway-1', 'gateway-2'],
    ]);
    const figures = (it: World) => {
      const { digest: _, gateways, ...rest } = it.result();
      return { ...rest, gateways: gateways.map(({ name: _, ...gateway }) => gateway) };
    };
    expect(figures(world)).toEqual(figures(other));
    const others = [
      world.fork(),
      World.replay(plan, 'seed', log),
      World.restore(plan, 'seed', world.snapshot()),
    ];
    for (const each of others) {
      each.runUntil(HOUR_US);
      expect(each.digest()).toEqual(world.digest());
      expect(named(each)).toEqual(named(world));
    }
  });

  it('keeps its name when it moves, and draws by its first one whatever it is called', () => {
    const moved = change({ xMeters: 0, yMeters: 50 });
    const { world } = logged(plan);
    got(world.submit(change({ name: 'mast' })));
    got(world.submit(moved));
    const other = World.create(plan, 'seed');
    got(other.submit(moved));
    for (const each of [world, other]) each.runUntil(HOUR_US);
    const report = (it: World) => it.result().gateways.map(({ uplinksReceived: n }) => n);
    expect(report(world)).toEqual(report(other));
    expect(world.result().gateways.map(({ name, yMeters }) => [name, yMeters])).toEqual([
      ['mast', 0],
      ['gateway-2', 0],
      ['mast', 50],
    ]);
    expect(got(world.ask({ kind: 'gateway.get', by: 'default', eui: eui('06', 1) }))).toMatchObject(
      {
        name: 'mast',
        xMeters: 0,
        yMeters: 50,
      },
    );
  });

  it('stays another subscriber’s when it moves: bob’s move of it meets nothing', () => {
    const world = emptyWorld();
    got(world.submit(create({})));
    const moved = {
      kind: 'gateway.change',
      by: 'default',
      eui: EUI,
      gateway: { xMeters: 1, yMeters: 1 },
    } as const;
    expect(codeOf(world, { ...moved, by: 'bob' })).toBe('gateway.unknown');
    got(world.submit({ ...moved, by: 'ann' }));
    expect(gatewayOf(world)).toMatchObject({ xMeters: 1, yMeters: 1 });
    expect(codeOf(world, { ...moved, by: 'bob' })).toBe('gateway.unknown');
  });

  it('moves by both coordinates', () => {
    const world = World.create(plan, 'seed');
    expect(failureOf(world.submit(change({ xMeters: 1 })))).toMatchObject({ path: '/yMeters' });
  });

  it('is reported by its label in a report, when a timeline moves it', () => {
    const { result } = runScenario(
      'scenario: x\nduration: 1 h\ngateways: [{ name: mast, placement: { at: [1 km, 0] } }]\n' +
        'devices: [{ name: meter, placement: { at: [0, 0] } }]\n' +
        'timeline:\n' +
        '  - { at: 0.5 h, moveGateway: { gateway: mast, placement: { at: [0, 1 km] } } }\n',
    );
    expect(result.gateways.map(({ name }) => name)).toEqual(['mast', 'mast']);
  });
});

describe('ten thousand gateways', () => {
  it('are put up in a bounded time, and each is found by its EUI', () => {
    const world = emptyWorld();
    const putUp = () => {
      for (let n = 1; n <= 10_000; n++) got(world.submit(create({ eui: eui('06', n) })));
    };
    // Each looks once through those in service.
    expect(yards(putUp, 1)).toBeLessThan(1_000);
    const found = got(world.ask({ kind: 'gateway.get', eui: eui('06', 9_999), by: 'ann' }));
    expect(found.eui).toBe(eui('06', 9_999));
    expect(got(world.ask({ kind: 'gateway.list', by: 'ann' }))).toHaveLength(10_000);
  });
});
