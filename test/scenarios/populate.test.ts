/** A scenario and a seed to a world's plan. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WorldPlan } from '../../core/world/plan.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { PATH_LOSSES } from '../../sim/radio/tables.ts';
import { populationTypes } from '../support/library.ts';
import { meterWith, SHORTEST, scenarioOf } from './scenario.ts';

const planOf = (text: string, seed?: string): WorldPlan => populate(scenarioOf(text), seed);

const seeds = fc.string({ minLength: 1, maxLength: 20 });

const entries = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('meter', 'soil', 'tracker', 'alarm', 'valve'),
    count: fc.integer({ min: 0, max: 30 }),
    more: fc.constantFrom(
      '',
      ', placement: { disc: 2 km }',
      ', placement: { disc: 9 m }',
      ', adr: false',
    ),
  }),
  { selector: ({ name }) => name, minLength: 1, maxLength: 5 },
);
type Entries = typeof entries extends fc.Arbitrary<infer Value> ? Value : never;

const textOf = (populations: Entries) =>
  `scenario: a\ndevices:\n${populations
    .map(({ name, count, more }) => `  - { name: ${name}, count: ${count}${more} }\n`)
    .join('')}`;

describe('a plan', () => {
  it('is the same for the same scenario and seed', () => {
    fc.assert(
      fc.property(entries, seeds, (populations, seed) => {
        expect(planOf(textOf(populations), seed)).toEqual(planOf(textOf(populations), seed));
      }),
    );
  });

  it('moves nothing when a population is added, grows or changes its place in the file', () => {
    fc.assert(
      fc.property(entries, seeds, fc.nat(), fc.nat({ max: 9 }), (populations, seed, at, growth) => {
        const [stored, ...others] = populations;
        const changed = [...others, { ...stored!, count: stored!.count + growth }];
        changed.splice(at % (changed.length + 1), 0, {
          name: 'valve2' as 'valve',
          count: 3,
          more: '',
        });
        const places = new Map(
          planOf(textOf(changed), seed).network.devices.map(({ type: _, ...device }) => [
            device.name,
            device,
          ]),
        );
        for (const { type: _, ...device } of planOf(textOf(populations), seed).network.devices) {
          expect(places.get(device.name)).toEqual(device);
        }
      }),
    );
  });

  it('gives every device and gateway a name and an EUI of its own', () => {
    fc.assert(
      fc.property(entries, seeds, (populations, seed) => {
        const { devices, gateways } = planOf(textOf(populations), seed).network;
        const things = [...devices.map(({ devEui: eui, name }) => ({ eui, name })), ...gateways];
        expect(new Set(things.map(({ name }) => name)).size).toBe(things.length);
        expect(new Set(things.map(({ eui }) => eui)).size).toBe(things.length);
        for (const { eui } of things) expect(eui).toMatch(/^[0-9A-F]{16}$/);
      }),
    );
  });

  it('places devices by the seed, and names them without it', () => {
    const one = planOf(SHORTEST, 'one').network.devices;
    const other = planOf(SHORTEST, 'other').network.devices;
    expect(one.map(({ name }) => name)).toEqual(['meter-1', 'meter-2', 'meter-3']);
    expect(one.map(({ devEui }) => devEui)).toEqual(other.map(({ devEui }) => devEui));
    for (const [index, { xMeters }] of one.entries()) {
      expect(xMeters).not.toBe(other[index]!.xMeters);
    }
  });

  it('has the scenario’s name as its seed when no seed is given', () => {
    expect(planOf(SHORTEST)).toEqual(planOf(SHORTEST, 'short'));
    expect(planOf(`${SHORTEST}seed: 42\n`).network).toEqual(planOf(SHORTEST, '42').network);
  });
});

describe('an entry without a count', () => {
  it('is one thing with the plain name, its EUI and its key', () => {
    const { devices, gateways } = planOf(
      'scenario: a\ngateways: [{ name: mast, eui: "00800000A0000001" }]\n' +
        'devices: [{ name: probe, devEui: "70b3d57ed0000001", ' +
        'appKey: 000102030405060708090a0b0c0d0e0f, placement: { at: [1 km, -20 m] } }]',
    ).network;
    expect(gateways).toMatchObject([{ name: 'mast', eui: '00800000A0000001' }]);
    expect(devices).toEqual([
      {
        name: 'probe',
        devEui: '70B3D57ED0000001',
        appKey: '000102030405060708090A0B0C0D0E0F',
        xMeters: 1000,
        yMeters: -20,
        type: 0,
      },
    ]);
  });
});

describe('a placement', () => {
  const pointsOf = (placement: string, count = 4) =>
    planOf(
      `scenario: a\narea: { width: 2 km, height: 1 km }\n` +
        `devices: [{ name: m, count: ${count}${
          placement === '' ? '' : `, ` + `placement: ${placement}`
        } }]`,
    ).network.devices.map(({ xMeters, yMeters }) => [xMeters, yMeters] as const);

  it('on a ring spaces evenly from the east', () => {
    expect(pointsOf('{ ring: 1 km }')).toEqual([
      [1000, 0],
      [0, 1000],
      [-1000, 0],
      [0, -1000],
    ]);
    expect(pointsOf('{ ring: 1 km, centre: [5 km, 1 m] }')[0]).toEqual([6000, 1]);
  });

  it('in a grid fills rows from the south-west, centred', () => {
    expect(pointsOf('{ grid: { columns: 2, spacing: 100 m } }')).toEqual([
      [-50, -50],
      [50, -50],
      [-50, 50],
      [50, 50],
    ]);
    expect(pointsOf('{ grid: { columns: 3, spacing: 100 m } }', 1)).toEqual([[0, 0]]);
  });

  it('by a list takes the points in their order', () => {
    expect(pointsOf('[[1 m, 2 m], [3 m, 4 m], [0, 0]]', 2)).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('in a disc is uniform: a quarter of the devices in half the radius', () => {
    const points = pointsOf('{ disc: 1 km }', 4000);
    const radii = points.map(([x, y]) => Math.hypot(x, y));
    expect(Math.max(...radii)).toBeLessThanOrEqual(1000);
    const near = radii.filter((radius) => radius < 500).length / radii.length;
    expect(Math.abs(near - 0.25)).toBeLessThan(0.03);
    const east = points.filter(([x]) => x > 0).length / points.length;
    expect(Math.abs(east - 0.5)).toBeLessThan(0.03);
  });

  it('that is absent is uniform in the area', () => {
    const points = pointsOf('', 4000);
    for (const [x, y] of points) {
      expect(Math.abs(x)).toBeLessThanOrEqual(1000);
      expect(Math.abs(y)).toBeLessThanOrEqual(500);
    }
    const corner = points.filter(([x, y]) => x > 0 && y > 0).length / points.length;
    expect(Math.abs(corner - 0.25)).toBeLessThan(0.03);
  });
});

describe('gateways without a place', () => {
  const gatewaysOf = (entries: string, area = '{ radius: 5 km }') =>
    planOf(`${SHORTEST}area: ${area}\ngateways: ${entries}\n`).network.gateways.map(
      ({ xMeters, yMeters }) => [xMeters, yMeters] as const,
    );

  it('stand in the centre when there is one', () => {
    expect(gatewaysOf('[{}]')).toEqual([[0, 0]]);
    expect(planOf(SHORTEST).network.gateways).toMatchObject([
      { name: 'gateway', xMeters: 0, yMeters: 0 },
    ]);
  });

  it('are spread in the area together, whatever entry they are of', () => {
    for (const area of ['{ radius: 5 km }', '{ width: 8 km, height: 4 km }']) {
      const together = gatewaysOf('[{ name: a, count: 7 }]', area);
      expect(gatewaysOf('[{ name: b, count: 3 }, { name: c, count: 4 }]', area)).toEqual(together);
      const distances = together.flatMap(([x, y], i) =>
        together.slice(i + 1).map(([u, v]) => Math.hypot(x - u, y - v)),
      );
      expect(Math.min(...distances)).toBeGreaterThan(1000);
      for (const [x, y] of together) expect(Math.hypot(x, y)).toBeLessThan(5000);
    }
  });
});

describe('a timeline', () => {
  const text =
    `${SHORTEST}timeline:\n` +
    '  - { at: 3 h, removeDevice: meter-5 }\n' +
    '  - { at: 1 h, downlink: { to: meter-2, fPort: 7, payload: "0A10", confirmed: true } }\n' +
    '  - { at: 2 h, addDevices: { population: meter, count: 2 } }\n' +
    '  - { at: 2 h, addGateway: { name: mast, placement: { at: [1 km, 0 m] } } }\n' +
    '  - { at: 4 h, removeGateway: gateway }\n';

  it('becomes commands in the order of time, those of one time in the order of the file', () => {
    const { timeline, network } = planOf(text);
    const eui = (name: string) => network.devices.find((device) => device.name === name)!.devEui;
    const gateway = network.gateways[0]!;
    expect(timeline.map(({ atUs, command }) => [atUs / 3600e6, command.kind])).toEqual([
      [1, 'downlink.enqueue'],
      [2, 'device.create'],
      [2, 'device.create'],
      [2, 'gateway.create'],
      [3, 'device.remove'],
      [4, 'gateway.remove'],
    ]);
    const [downlink, four, five, mast, removed, gone] = timeline.map(({ command }) => command);
    expect(downlink).toEqual({
      kind: 'downlink.enqueue',
      by: 'default',
      devEui: eui('meter-2'),
      fPort: 7,
      payloadHex: '0A10',
      confirmed: true,
      flushQueue: false,
    });
    expect(four).toMatchObject({ device: { name: 'meter-4', type: 0 } });
    expect(five).toMatchObject({ device: { name: 'meter-5' } });
    expect(mast).toMatchObject({ gateway: { name: 'mast', xMeters: 1000, receptionPaths: 8 } });
    expect(removed).toMatchObject({
      devEui: (five as { device: { devEui: string } }).device.devEui,
    });
    expect(gone).toMatchObject({ eui: gateway.eui });
  });

  it('adds devices that are the ones a larger population would have had', () => {
    const larger = planOf(SHORTEST.replace('count: 3', 'count: 5')).network.devices;
    const added = planOf(text).timeline.flatMap(({ command }) =>
      command.kind === 'device.create' ? [command.device] : [],
    );
    expect(added).toEqual(larger.slice(3));
  });
});

describe('the defaults', () => {
  it('are those of a common network', () => {
    const plan = planOf(SHORTEST);
    const { network, durationUs } = plan;
    expect(durationUs).toBe(86_400e6);
    expect(network).toMatchObject({
      region: 'EU868',
      startUnixMs: Date.UTC(2026, 0, 1),
      frames: 'counted',
      verifyAllImages: false,
      uplinkChannelsHz: [],
      radio: {
        pathLoss: PATH_LOSSES.ns3LogDistance,
        shadowingSigmaDb: 4,
        shadowingCorrelationMeters: 0,
        fading: { model: 'none' },
        noiseFigureDb: 6,
        reception: { model: 'threshold' },
        interference: { model: 'energy', window: 'afterLock' },
        ignoredBelowCentiDbm: -15_000,
      },
      server: {
        deduplicationUs: 200_000,
        netId: 0,
        rx1DelayS: 1,
        rx1DrOffset: 0,
        rx2DataRate: 0,
        adr: true,
        adrMarginCentiDb: 1000,
      },
    });
    expect(populationTypes(plan)).toEqual([
      {
        name: 'meter',
        deviceClass: 'A',
        pingSlotPeriodicity: 4,
        activation: 'otaa',
        startSpreadUs: 1_800e6,
        traffic: {
          process: 'periodic',
          meanUs: 3_600e6,
          jitterPpm: 100_000,
          payloadBytes: 12,
          fPort: 10,
          confirmedPpm: 0,
        },
        dataRate: { from: 'join' },
        adr: true,
        maxEirpCentiDbm: 1600,
        antennaGainCentiDb: 0,
        indoorPpm: 0,
        driftPpb: 20_000,
        nbTrans: 1,
        confirmedTries: 8,
        dutyCycle: true,
        firmwareVersion: 0x01000000,
        hardwareVersion: 0x01000000,
        frameLossPpm: 0,
      },
    ]);
    expect(network.gateways).toMatchObject([
      {
        receptionPaths: 8,
        antennaGainCentiDb: 215,
        maxEirpCentiDbm: 2915,
        dutyCycle: true,
        backhaul: { latencyUs: 50_000, jitterUs: 20_000, lossPpm: 0 },
      },
    ]);
  });

  it.each([
    [2026, '2026-01-01', Date.UTC(2026, 0, 1)],
    [2024, '2024-02-29T12:30Z', Date.UTC(2024, 1, 29, 12, 30)],
    [2099, '2099-12-31T23:59:59.999Z', Date.UTC(2099, 11, 31, 23, 59, 59, 999)],
    [2000, '2000-03-01T00:00:00Z', Date.UTC(2000, 2, 1)],
  ])('know the calendar of %d', (_, start, unixMs) => {
    expect(planOf(`${SHORTEST}start: ${start}\n`).network.startUnixMs).toBe(unixMs);
  });

  it('know the sensitivities that a formula gives within 0.05 dB of the table', () => {
    const { gatewaySensitivityCentiDbm } = planOf(SHORTEST).network.radio;
    const table = [-119.5, -122, -124.5, -127, -129.5, -132, -134.5, -137];
    for (const [index, dbm] of table.entries()) {
      expect(Math.abs(gatewaySensitivityCentiDbm[index]! - dbm * 100)).toBeLessThanOrEqual(5);
    }
  });
});

describe('every field of the plan', () => {
  const base = meterWith('nbTrans: 1');

  it.each([
    ['durationUs', 'duration=2 h', (plan: WorldPlan) => plan.durationUs, 7_200e6],
    ['startUnixMs', 'start=1990-01-01', (p: WorldPlan) => p.network.startUnixMs, Date.UTC(1990, 0)],
    ['verifyAllImages', 'verifyImages=all', (p: WorldPlan) => p.network.verifyAllImages, true],
    ['frames', 'frames=real', (p: WorldPlan) => p.network.frames, 'real'],
    [
      'channels',
      'channels=[867.1 MHz]',
      (p: WorldPlan) => p.network.uplinkChannelsHz,
      [867_100_000],
    ],
    ...radioRows(),
    ...gatewayRows(),
    ...typeRows(),
    ...lossRows(),
    ...serverRows(),
  ] as const)('is reached: %s', (_, setting, field, value) => {
    const before = field(populate(scenarioOf(base)));
    const after = field(populate(scenarioOf(base, [setting])));
    expect(after).toEqual(value);
    expect(before).not.toEqual(value);
  });

  type Row = readonly [string, string, (plan: WorldPlan) => unknown, unknown];

  function radioRows(): Row[] {
    const radio = (plan: WorldPlan) => plan.network.radio;
    return [
      [
        'pathLoss preset',
        'radio.pathLoss=oulu',
        (p) => radio(p).pathLoss,
        { model: 'logDistance', exponent: 2.32, referenceLossDb: 128.95, referenceMeters: 1000 },
      ],
      [
        'pathLoss',
        'radio.pathLoss={model: constant, loss: 99.5 dB}',
        (p) => radio(p).pathLoss,
        { model: 'constant', lossDb: 99.5 },
      ],
      ['shadowing', 'radio.shadowing=7.8 dB', (p) => radio(p).shadowingSigmaDb, 7.8],
      ['noiseFigure', 'radio.noiseFigure=3 dB', (p) => radio(p).noiseFigureDb, 3],
      [
        'gateway sensitivity',
        'radio.sensitivity.gateway=ns3Gateway',
        (p) => radio(p).gatewaySensitivityCentiDbm.slice(2),
        [-13000, -13250, -13500, -13750, -14000, -14250],
      ],
      [
        'device sensitivity',
        'radio.sensitivity.device=[-120 dBm, -121 dBm, -122 dBm, -123 dBm, -124 dBm, -125 dBm]',
        (p) => radio(p).deviceSensitivityCentiDbm,
        [-11500, -11750, -12000, -12100, -12200, -12300, -12400, -12500],
      ],
      [
        'interference model',
        'radio.interference.model=aloha',
        (p) => radio(p).interference.model,
        'aloha',
      ],
      [
        'SIR',
        'radio.interference.sir=croce',
        (p) => radio(p).interference.sirCentiDb[0],
        [100, -800, -900, -900, -900, -900],
      ],
      [
        'interference window',
        'radio.interference.window=wholeFrame',
        (p) => radio(p).interference.window,
        'wholeFrame',
      ],
      ['ignoreBelow', 'radio.ignoreBelow=-160 dBm', (p) => radio(p).ignoredBelowCentiDbm, -16_000],
    ];
  }

  function gatewayRows(): Row[] {
    const gateway = (plan: WorldPlan) => plan.network.gateways[0]!;
    return [
      ['gateway name', 'gateways=[{name: mast}]', (p) => gateway(p).name, 'mast'],
      [
        'gateway EUI',
        'gateways=[{eui: 00800000a0000001}]',
        (p) => gateway(p).eui,
        '00800000A0000001',
      ],
      [
        'gateway place',
        'gateways=[{placement: {at: [1 km, 2 km]}}]',
        (p) => [gateway(p).xMeters, gateway(p).yMeters],
        [1000, 2000],
      ],
      ['receptionPaths', 'gateways=[{receptionPaths: 16}]', (p) => gateway(p).receptionPaths, 16],
      ['antennaGain', 'gateways=[{antennaGain: 6 dBi}]', (p) => gateway(p).antennaGainCentiDb, 600],
      ['gateway maxEirp', 'gateways=[{maxEirp: 16 dBm}]', (p) => gateway(p).maxEirpCentiDbm, 1600],
      ['gateway dutyCycle', 'gateways=[{dutyCycle: false}]', (p) => gateway(p).dutyCycle, false],
      [
        'backhaul',
        'gateways=[{backhaul: {latency: 1 s, jitter: 2 ms, loss: 1 %}}]',
        (p) => gateway(p).backhaul,
        { latencyUs: 1_000_000, jitterUs: 2000, lossPpm: 10_000 },
      ],
    ];
  }

  function lossRows(): Row[] {
    const radio = (plan: WorldPlan) => plan.network.radio;
    return [
      [
        'shadowing correlation',
        'radio.shadowingCorrelation=110 m',
        (p) => radio(p).shadowingCorrelationMeters,
        110,
      ],
      ['reception by its name', 'radio.reception=off', (p) => radio(p).reception.model, 'off'],
      [
        'implementation losses',
        'radio.reception={model: theory, implementationLoss: [1 dB, 1 dB, 1 dB, 2 dB, 2 dB, 3 dB]}',
        (p) => radio(p).reception,
        { model: 'theory', implementationLossCentiDb: [100, 100, 100, 100, 100, 200, 200, 300] },
      ],
      [
        'Rician fading',
        'radio.fading={model: rician, factor: 6 dB}',
        (p) => radio(p).fading,
        { model: 'rician', factorDb: 6 },
      ],
      [
        'log-normal fading',
        'radio.fading={model: logNormal, sigma: 3 dB}',
        (p) => radio(p).fading,
        { model: 'logNormal', sigmaDb: 3 },
      ],
      [
        'Okumura and Hata',
        'radio.pathLoss={model: okumuraHata, environment: suburban, gatewayHeight: 50 m}',
        (p) => radio(p).pathLoss,
        {
          model: 'okumuraHata',
          environment: 'suburban',
          frequencyHz: 868_100_000,
          gatewayHeightMeters: 50,
          deviceHeightMeters: 1.5,
        },
      ],
      [
        'free space',
        'radio.pathLoss={model: freeSpace, frequency: 433 MHz}',
        (p) => radio(p).pathLoss,
        { model: 'freeSpace', frequencyHz: 433_000_000 },
      ],
      [
        "FLoRa's matrix",
        'radio.interference.model=flora',
        (p) => radio(p).interference.sirCentiDb[0]![1],
        -800,
      ],
      [
        "ns-3's end device",
        'radio.sensitivity.device=ns-3',
        (p) => radio(p).deviceSensitivityCentiDbm[2],
        -12_400,
      ],
      [
        "ns-3's gateway",
        'radio.sensitivity.gateway=ns-3',
        (p) => radio(p).gatewaySensitivityCentiDbm[2],
        -13_000,
      ],
    ];
  }

  function typeRows(): Row[] {
    const type = (plan: WorldPlan) => plan.network.deviceTypes[0]!;
    const set = (setting: string) => `devices.meter.${setting}`;
    return [
      ['class', set('class=C'), (p) => type(p).deviceClass, 'C'],
      ['pingSlotPeriodicity', set('pingSlotPeriodicity=7'), (p) => type(p).pingSlotPeriodicity, 7],
      ['activation', set('activation=abp'), (p) => type(p).activation, 'abp'],
      ['joinWithin', set('joinWithin=1 min'), (p) => type(p).startSpreadUs, 60e6],
      [
        'traffic',
        set(
          'traffic={process: exponential, every: 1 min, jitter: 1 %, payload: 20 ' +
            'B, fPort: 3, confirmed: 50 %}',
        ),
        (p) => type(p).traffic,
        {
          process: 'exponential',
          meanUs: 60e6,
          jitterPpm: 10_000,
          payloadBytes: 20,
          fPort: 3,
          confirmedPpm: 500_000,
        },
      ],
      ['dataRate', set('dataRate=DR4'), (p) => type(p).dataRate, { from: 'fixed', dataRate: 4 }],
      [
        'dataRate by link',
        set('dataRate={link: -3 dB}'),
        (p) => type(p).dataRate,
        { from: 'link', marginCentiDb: -300 },
      ],
      ['adr', set('adr=false'), (p) => type(p).adr, false],
      ['maxEirp', set('maxEirp=14 dBm'), (p) => type(p).maxEirpCentiDbm, 1400],
      ['antennaGain', set('antennaGain=2 dB'), (p) => type(p).antennaGainCentiDb, 200],
      ['indoor', set('indoor=30 %'), (p) => type(p).indoorPpm, 300_000],
      ['drift', set('drift=5 ppb'), (p) => type(p).driftPpb, 5],
      ['nbTrans', set('nbTrans=3'), (p) => type(p).nbTrans, 3],
      ['confirmedTries', set('confirmedTries=4'), (p) => type(p).confirmedTries, 4],
      ['dutyCycle', set('dutyCycle=false'), (p) => type(p).dutyCycle, false],
      ['firmware', set('firmware=1.2.3'), (p) => type(p).firmwareVersion, 0x01020300],
      ['hardware', set('hardware=255.0.17.4'), (p) => type(p).hardwareVersion, 0xff001104],
      ['rejoin', set('rejoin={type1: 7 d}'), (p) => type(p).rejoinType1EveryUs, 604_800e6],
      ['frameLoss', set('frameLoss=2.5 %'), (p) => type(p).frameLossPpm, 25_000],
    ];
  }

  function serverRows(): Row[] {
    const server = (plan: WorldPlan) => plan.network.server;
    return [
      ['deduplication', 'server.deduplication=100 ms', (p) => server(p).deduplicationUs, 100_000],
      ['netId', 'server.netId=00000A', (p) => server(p).netId, 10],
      ['rx1Delay', 'server.rx1Delay=5 s', (p) => server(p).rx1DelayS, 5],
      ['rx1DrOffset', 'server.rx1DrOffset=2', (p) => server(p).rx1DrOffset, 2],
      ['rx2DataRate', 'server.rx2DataRate=DR3', (p) => server(p).rx2DataRate, 3],
      ['server adr', 'server.adr=false', (p) => server(p).adr, false],
      ['adrMargin', 'server.adrMargin=5 dB', (p) => server(p).adrMarginCentiDb, 500],
      ['margin of tts', 'server.adrAlgorithm=tts', (p) => server(p).adrMarginCentiDb, 1500],
      ['logEntries', 'records.logEntries=500', (p) => p.logEntries, 500],
    ];
  }
});
