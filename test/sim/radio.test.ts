/**
 * The radio: which frames survive interference, which are heard, and how much of a signal arrives
 * (docs/standard.md, Reception in noise and Interference; phy.json).
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entityKey, expandSeed } from '../../sim/base/random.ts';
import { Interference, type Receivers } from '../../sim/radio/interference.ts';
import { gainOf, Links } from '../../sim/radio/links.ts';
import {
  MILLIWATT_OFFSET,
  milliwatts,
  milliwattTable,
  noiseFloorCentiDbm,
} from '../../sim/radio/power.ts';
import type { RadioPlan } from '../../sim/radio/radio-plan.ts';
import { SignalLog } from '../../sim/radio/signal-log.ts';
import {
  formulaSensitivity,
  PATH_LOSSES,
  SENSITIVITIES,
  SIR_MATRICES,
  sensitivityCentiDbm,
} from '../../sim/radio/tables.ts';
import { onTheAir } from '../support/air.ts';
import { PLAIN_RADIO } from '../support/plain-radio.ts';
import { vectors } from '../support/vectors.ts';

interface Phy {
  readonly 'sirMatrixGoursaud(ns-3 lorawan)': readonly (readonly number[])[];
  readonly 'sirMatrixCroce(FLoRa)': readonly (readonly number[])[];
  readonly sensitivityComputedNF6: readonly { sf: number; bwHz: number; nf6: number }[];
  readonly interferenceExamplesGoursaud: readonly {
    readonly name: string;
    readonly wantedSf: number;
    readonly wantedDbm: number;
    readonly wantedDurationS: number;
    readonly interferers: readonly { sf: number; dbm: number; overlapS: number }[];
    readonly snirDbPerSf: Readonly<Record<string, number>>;
    readonly survives: boolean;
  }[];
  readonly sensitivityTables: {
    readonly 'ns3Gateway125kHz_SF7..12': readonly number[];
    readonly 'ns3EndDevice125kHz_SF7..12': readonly number[];
    readonly 'sx1272Datasheet(FLoRa)': Readonly<Record<string, readonly number[]>>;
    readonly loraSimMeasured: Readonly<Record<string, readonly number[]>>;
  };
}

const phy = vectors<Phy>('phy');

describe('two uplinks on one channel and spreading factor', () => {
  it('lets the stronger one live when it is 6 dB above', () => {
    const { gateway } = onTheAir(`
      alder SF7 868.1 -90 |######
      birch SF7 868.1 -97 |   ######
    `);
    expect(gateway.heard).toEqual(['alder']);
    expect(gateway.lost).toEqual({ birch: 'interfered' });
  });

  it('lets the later one live too when it is the stronger', () => {
    const { gateway } = onTheAir(`
      alder SF7 868.1 -97 |######
      birch SF7 868.1 -90 |   ######
    `);
    expect(gateway.heard).toEqual(['birch']);
  });

  it('loses both when neither is 6 dB above', () => {
    const { gateway } = onTheAir(`
      alder SF7 868.1 -90 |######
      birch SF7 868.1 -94 |#######
    `);
    expect(gateway).toMatchObject({
      heard: [],
      lost: { alder: 'interfered', birch: 'interfered' },
    });
  });

  it.each([
    [-96, true],
    [-95.99, false],
    [-96.01, true],
  ])('captures at exactly 6 dB: an interferer at %f dBm spares it: %s', (dbm, survives) => {
    const { gateway } = onTheAir(
      `
      alder SF9 868.1 -90 |######
      birch SF9 868.1 ${dbm} |######
    `,
      { window: 'wholeFrame' },
    );
    expect(gateway.heard.includes('alder')).toBe(survives);
  });

  it('counts energy, so that a short overlap harms less', () => {
    const drawing = `
      alder SF8 868.1 -100 |####################
      birch SF8 868.1 -100 |                   ####################
    `;
    expect(onTheAir(drawing).gateway.heard).toEqual(['alder', 'birch']);
  });

  it('adds up the interferers of one spreading factor', () => {
    const one = `
      alder SF7 868.1 -100 |##########
      birch SF7 868.1 -107 |##########
    `;
    const two = `${one}
      cedar SF7 868.1 -108 |##########`;
    expect(onTheAir(one).gateway.heard).toEqual(['alder']);
    expect(onTheAir(two).gateway.heard).toEqual([]);
  });

  it('knows no collision between frames that only touch', () => {
    const { gateway } = onTheAir(`
      alder SF7 868.1 -90 |######
      birch SF7 868.1 -90 |      ######
    `);
    expect(gateway.heard).toEqual(['alder', 'birch']);
  });
});

describe('the locking point', () => {
  // SF12 at 125 kHz: a symbol lasts 32.768 ms, so the lock begins 98.304 ms into the frame.
  const drawing = `
      alder SF12 868.1 -110 |         ######################################
      birch SF12 868.1 -100 |##################
    `;

  it('spares a frame whose interferer is gone before its last five preamble symbols', () => {
    expect(onTheAir(drawing).gateway.heard).toContain('alder');
  });

  it('is not looked at when the whole frame counts', () => {
    expect(onTheAir(drawing, { window: 'wholeFrame' }).gateway.heard).toEqual(['birch']);
  });

  it('loses the frame when the interferer lasts into them', () => {
    const { gateway } = onTheAir(`
      alder SF12 868.1 -110 |         ######################################
      birch SF12 868.1 -100 |######################
    `);
    expect(gateway.heard).toEqual(['birch']);
  });

  it('begins after the third symbol, to the microsecond', () => {
    const lockUs = 3 * 32_768;
    const until = (endUs: number) => {
      const symbol = (ch: string, us: number) => ch.repeat(us / 32);
      return onTheAir(
        `
        alder SF12 868.1 -110 |${symbol('#', 1_310_720)}
        birch SF12 868.1 -80 |${symbol('#', endUs)}
      `,
        { characterUs: 32, model: 'aloha' },
      ).gateway.heard;
    };
    expect(until(lockUs)).toContain('alder');
    expect(until(lockUs + 32)).not.toContain('alder');
  });
});

describe('uplinks that differ', () => {
  it('in their channel do not disturb each other', () => {
    const { gateway } = onTheAir(`
      alder SF7 868.1 -120 |######
      birch SF7 868.3 -60  |######
    `);
    expect(gateway.heard).toEqual(['alder', 'birch']);
  });

  it('in their spreading factor disturb each other only beyond the matrix', () => {
    const near = (dbm: number) =>
      onTheAir(`
      alder SF12 868.1 -120 |######################
      birch SF7 868.1 ${dbm} |######################
    `).gateway.heard;
    expect(near(-85)).toEqual(['alder', 'birch']);
    expect(near(-83)).toEqual(['birch']);
  });

  it('only in their strength are both lost under pure ALOHA', () => {
    const { gateway } = onTheAir(
      `
      alder SF7 868.1 -60  |######
      birch SF7 868.1 -120 |     ######
      cedar SF8 868.1 -60  |   ######
    `,
      { model: 'aloha', window: 'wholeFrame' },
    );
    expect(gateway.heard).toEqual(['cedar']);
  });

  it('in nothing are both received when interference is off', () => {
    const { gateway } = onTheAir(
      `
      alder SF7 868.1 -90 |######
      birch SF7 868.1 -90 |######
    `,
      { model: 'off' },
    );
    expect(gateway.heard).toEqual(['alder', 'birch']);
  });
});

describe('a gateway', () => {
  it('hears nothing below its sensitivity, and all that reaches it', () => {
    const { gateway } = onTheAir(`
      alder SF7 868.1 -130    |######
      birch SF7 868.3 -130.01 |######
      cedar SF12 868.5 -142.5 |##############
    `);
    expect(gateway.heard).toEqual(['alder', 'cedar']);
    expect(gateway.lost).toEqual({ birch: 'tooWeak' });
  });

  it('demodulates as many frames at once as it has paths, the first come', () => {
    const { gateway } = onTheAir(
      `
      alder SF7 868.1 -90  |######
      birch SF8 868.1 -90  | ######
      cedar SF9 868.1 -90  |  ######
      dogwood SF10 868.1 -90 |      ######
    `,
      { receptionPaths: 2 },
    );
    expect(gateway.heard).toEqual(['alder', 'birch', 'dogwood']);
    expect(gateway.lost).toEqual({ cedar: 'noPath' });
  });

  it('holds a path for a frame that is lost to interference', () => {
    const { gateway } = onTheAir(
      `
      alder SF7 868.1 -90 |######
      birch SF7 868.1 -90 |  ######
      cedar SF9 868.5 -90 |    ######
    `,
      { receptionPaths: 2 },
    );
    expect(gateway.lost).toEqual({ alder: 'interfered', birch: 'interfered', cedar: 'noPath' });
  });

  it('is deaf while it sends, and loses what it was receiving', () => {
    const { gateway } = onTheAir(`
      alder SF7 868.1 -90 |######
      birch SF7 868.3 -90 |      ######
      cedar SF7 868.5 -90 |        ##
      gateway             |    ####
    `);
    expect(gateway.heard).toEqual(['cedar']);
    expect(gateway.lost).toEqual({ alder: 'halfDuplex', birch: 'halfDuplex' });
  });

  it('has its paths again after it has sent', () => {
    const { gateway } = onTheAir(
      `
      alder SF7 868.1 -90 |##########
      gateway             |  ###
      birch SF7 868.3 -90 |     ####
      cedar SF7 868.5 -90 |      ###
      dogwood SF8 868.5 -90 |            ###
    `,
      { receptionPaths: 1 },
    );
    expect(gateway.heard).toEqual(['birch', 'dogwood']);
    expect(gateway.lost).toEqual({ alder: 'halfDuplex', cedar: 'noPath' });
  });

  it('is disturbed by frames that it has no path for', () => {
    const { gateway } = onTheAir(
      `
      alder SF7 868.1 -100 |######
      birch SF7 868.1 -90  |   ######
    `,
      { receptionPaths: 1 },
    );
    expect(gateway.lost).toEqual({ alder: 'interfered', birch: 'noPath' });
  });
});

describe('interference as ns-3 lorawan computes it', () => {
  /** Hears all that was ever sent, at the power at which it was sent. */
  const hears: Receivers = {
    hear(log, fromUs, untilUs, _row, heard) {
      for (let at = 0; at < log.end; at++) {
        const { startUs, endUs, eirpCentiDbm } = log.column;
        if (startUs[at] >= untilUs || endUs[at] <= fromUs) continue;
        heard.add(at, milliwatts(eirpCentiDbm[at]));
      }
    },
  };

  it.each(phy.interferenceExamplesGoursaud)('$name: survives $survives', (example) => {
    const log = new SignalLog();
    const add = (spreadingFactor: number, dbm: number, startUs: number, airtimeUs: number) =>
      log.add({
        startUs,
        airtimeUs,
        spreadingFactor,
        symbolUs: 1024,
        preambleSymbols: 8,
        bandwidthHz: 125_000,
        frame: 0,
        eirpCentiDbm: Math.round(100 * dbm),
        sender: 0,
        linkStart: 0,
        linkCount: 0,
      });
    const { wantedSf, wantedDbm, wantedDurationS, interferers, survives } = example;
    const wanted = add(wantedSf, wantedDbm, 0, Math.round(wantedDurationS * 1e6));
    // A log takes signals in the order of their start.
    const inOrder = [...interferers].sort((a, b) => b.overlapS - a.overlapS);
    for (const { sf, dbm, overlapS } of inOrder) {
      const overlapUs = Math.round(overlapS * 1e6);
      add(sf, dbm, Math.round(wantedDurationS * 1e6) - overlapUs, overlapUs + 500);
    }
    const plan = {
      model: 'energy',
      sirCentiDb: SIR_MATRICES.goursaud,
      window: 'wholeFrame',
    } as const;
    expect(new Interference(plan).survives(log, log.position(wanted), hears, 0)).toBe(survives);
  });

  it.each(phy.interferenceExamplesGoursaud)('$name: the ratios are as published', (example) => {
    const { wantedDbm, wantedDurationS, interferers, snirDbPerSf } = example;
    for (const [factor, published] of Object.entries(snirDbPerSf)) {
      const energy = interferers
        .filter(({ sf }) => sf === Number(factor))
        .reduce((sum, { dbm, overlapS }) => sum + milliwatts(100 * dbm) * overlapS, 0);
      const own = milliwatts(Math.round(100 * wantedDbm)) * wantedDurationS;
      expect(10 * Math.log10(own / energy)).toBeCloseTo(published, 4);
    }
  });

  it('has the published matrices', () => {
    const centi = (matrix: readonly (readonly number[])[]) =>
      matrix.map((row) => row.map((db) => 100 * db));
    expect(SIR_MATRICES.goursaud).toEqual(centi(phy['sirMatrixGoursaud(ns-3 lorawan)']));
    expect(SIR_MATRICES.croce).toEqual(centi(phy['sirMatrixCroce(FLoRa)']));
  });

  it('forgets no signal that may still matter, however many there were', () => {
    const log = new SignalLog();
    const alive: { number: number; endUs: number }[] = [];
    for (let i = 0; i < 500; i++) {
      const startUs = i * 1000;
      log.forget(startUs);
      const airtimeUs = 500 + ((i * 7919) % 60_000);
      const radio = { bandwidthHz: 125_000, frame: 0 };
      const base = {
        ...radio,
        spreadingFactor: 7,
        symbolUs: 1024,
        preambleSymbols: 8,
        linkStart: 0,
      };
      const number = log.add({
        ...base,
        startUs,
        airtimeUs,
        eirpCentiDbm: i,
        sender: i,
        linkCount: 0,
      });
      alive.push({ number, endUs: startUs + airtimeUs });
      for (const one of alive.filter(({ endUs }) => endUs >= startUs)) {
        expect(log.column.endUs[log.position(one.number)]).toBe(one.endUs);
      }
    }
    expect(log.end).toBeLessThan(400);
  });
});

describe('links', () => {
  const radio: RadioPlan = {
    pathLoss: PATH_LOSSES.ns3LogDistance,
    shadowingSigmaDb: 6,
    ...PLAIN_RADIO,
    noiseFigureDb: 6,
    gatewaySensitivityCentiDbm: SENSITIVITIES.ns3Gateway,
    deviceSensitivityCentiDbm: SENSITIVITIES.ns3EndDevice,
    interference: { model: 'energy', sirCentiDb: SIR_MATRICES.goursaud, window: 'afterLock' },
    ignoredBelowCentiDbm: -15_000,
  };
  const seed = expandSeed('links');
  const station = (name: string, xMeters: number) => ({
    ...entityKey(seed, name),
    xMeters,
    yMeters: 0,
  });
  const gateway = (row: number, xMeters: number) => ({
    ...station(`gateway-${row}`, xMeters),
    row,
    antennaGainCentiDb: 215,
  });

  it('stand in the order of their strength, all that are strong enough and no others', () => {
    const places = fc.array(fc.integer({ min: -20_000, max: 20_000 }), { maxLength: 12 });
    fc.assert(
      fc.property(places, (some) => {
        const links = new Links(radio, 2915, 215);
        links.connect(
          0,
          station('meter', 0),
          some.map((x, row) => gateway(row, x)),
        );
        const gains = Array.from(links.all.subarray(0, links.counts[0]), gainOf);
        expect(gains).toEqual(gains.toSorted((a, b) => b - a));
        expect(gains.every((gain) => gain + 2915 >= -15_000)).toBe(true);
        some.forEach((x, row) => {
          const alone = new Links({ ...radio, ignoredBelowCentiDbm: -19_000 }, 2915, 215);
          alone.connect(0, station('meter', 0), [gateway(row, x)]);
          const gain = alone.gainCentiDb(0, row);
          const stored = Number.isNaN(gain) || gain + 2915 < -15_000 ? Number.NaN : gain;
          expect(links.gainCentiDb(0, row)).toBe(stored);
        });
      }),
    );
  });

  it('are, when gateways come one by one and some have gone, those to all in service', () => {
    const life = fc.record({ x: fc.integer({ min: -20_000, max: 20_000 }), goes: fc.boolean() });
    fc.assert(
      fc.property(fc.array(life, { minLength: 1, maxLength: 12 }), (lives) => {
        const [meter, links] = [station('meter', 0), new Links(radio, 2915, 215)];
        links.connect(0, meter, []);
        const there = new Set<number>();
        lives.forEach(({ x, goes }, row) => {
          there.add(row);
          links.admit(0, meter, gateway(row, x), (each) => there.has(each));
          // It goes once the next one is there, or stays.
          if (goes && row > 0) there.delete(row - 1);
        });
        links.admit(0, meter, gateway(lives.length, 100), (each) => there.has(each));
        const whole = new Links(radio, 2915, 215);
        const all = [...there].map((row) => gateway(row, lives[row]!.x));
        whole.connect(0, meter, [...all, gateway(lives.length, 100)]);
        const of = (each: Links) => {
          const from = each.starts[0]!;
          const until = from + each.counts[0]!;
          return [...each.all.slice(from, until)];
        };
        expect(of(links)).toEqual(of(whole));
      }),
    );
  });

  it('are those that a device has now, whether it was held before or not', () => {
    const links = new Links(radio, 2915, 215);
    const [near, far] = [gateway(0, 500), gateway(1, 2_000)];
    const gains = () => [0, 1].map((row) => links.gainCentiDb(0, row));
    links.connect(0, station('meter', 0), [near]);
    links.connect(1, station('other', 9), [near, far]);
    for (const reached of [[near, far], [far], [], [near], [near, far]]) {
      links.hold(0);
      links.connect(0, station('meter', 0), reached);
      const walked = gains();
      expect(walked.map((gain) => !Number.isNaN(gain))).toEqual(
        [near, far].map((each) => reached.includes(each)),
      );
      links.hold(1);
      links.hold(0);
      expect(gains()).toEqual(walked);
    }
  });

  it('do not change when others come', () => {
    const links = new Links(radio, 2915, 215);
    links.connect(0, station('meter', 0), [gateway(0, 500)]);
    const before = links.gainCentiDb(0, 0);
    links.connect(1, station('other', 10), [gateway(0, 500), gateway(1, 50)]);
    links.connect(0, station('meter', 0), [gateway(0, 500), gateway(1, 50)]);
    expect(links.gainCentiDb(0, 0)).toBe(before);
  });
});

describe('the published sensitivities', () => {
  const { ns3Gateway, ns3EndDevice, sx1272, loRaSim } = SENSITIVITIES;
  const tables = phy.sensitivityTables;
  const dbm = (table: readonly number[], sf: number, bandwidthHz: number) =>
    sensitivityCentiDbm(table, sf, bandwidthHz) / 100;

  it("are ns-3's for gateways and end devices", () => {
    tables['ns3Gateway125kHz_SF7..12'].forEach((level, i) => {
      expect(dbm(ns3Gateway, 7 + i, 125_000)).toBe(level);
    });
    tables['ns3EndDevice125kHz_SF7..12'].forEach((level, i) => {
      expect(dbm(ns3EndDevice, 7 + i, 125_000)).toBe(level);
    });
  });

  it.each([
    ['the data sheet of the SX1272', sx1272, tables['sx1272Datasheet(FLoRa)']],
    ['LoRaSim', loRaSim, tables.loraSimMeasured],
  ] as const)('are those of %s in all three bandwidths', (_, table, published) => {
    const rows = Object.entries(published).filter(([key]) => key.startsWith('SF'));
    expect(rows.length).toBeGreaterThanOrEqual(6);
    for (const [key, levels] of rows) {
      const published = [125_000, 250_000, 500_000].map((hz) =>
        dbm(table, Number(key.slice(2)), hz),
      );
      expect(published).toEqual(levels);
    }
  });

  it('cost 3.01 dB a doubling of the bandwidth where a table is silent', () => {
    expect(dbm(ns3Gateway, 9, 250_000)).toBe(-131.99);
    expect(dbm(ns3Gateway, 9, 500_000)).toBe(-128.98);
  });
});

describe('levels', () => {
  it('are linear powers of 10^(dBm/10) mW, weak ones too', () => {
    fc.assert(
      fc.property(fc.integer({ min: -40_000, max: 10_000 }), (centiDbm) => {
        const exact = 10 ** (centiDbm / 1000);
        expect(Math.abs(milliwatts(centiDbm) / exact - 1)).toBeLessThan(1e-12);
        expect(milliwattTable()[centiDbm + MILLIWATT_OFFSET]).toBe(milliwatts(centiDbm));
      }),
    );
    expect(() => milliwatts(10_001)).toThrow('a level lies between −400 and +100 dBm');
  });

  it('are as far apart as a threshold, however weak they are, and then the frame survives', () => {
    const interference = new Interference({
      model: 'energy',
      sirCentiDb: SIR_MATRICES.goursaud,
      window: 'wholeFrame',
    });
    fc.assert(
      fc.property(
        fc.integer({ min: -15_000, max: 0 }),
        fc.integer({ min: 0, max: 3000 }),
        (level, gap) => {
          const [strong, weak] = [milliwatts(level + gap), milliwatts(level)];
          expect(interference.exceeds(strong, weak, gap)).toBe(true);
          expect(interference.exceeds(strong, weak, gap + 1)).toBe(false);
        },
      ),
    );
  });

  it('have a noise floor and a sensitivity by the formula', () => {
    expect(noiseFloorCentiDbm(125_000, 6)).toBe(-11703);
    for (const bandwidthHz of [100_000, 125_000, 250_000, 500_000]) {
      const centiDbm = 100 * (-174 + 10 * Math.log10(bandwidthHz) + 6);
      expect(noiseFloorCentiDbm(bandwidthHz, 6)).toBe(Math.round(centiDbm));
    }
    for (const { sf, bwHz, nf6 } of phy.sensitivityComputedNF6) {
      const centiDbm = sensitivityCentiDbm(formulaSensitivity(6), sf, bwHz);
      expect(Math.abs(centiDbm - 100 * nf6)).toBeLessThanOrEqual(1);
    }
    expect(phy.sensitivityComputedNF6).toHaveLength(24);
  });
});
