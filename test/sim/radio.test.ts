/**
 * The radio: who survives whom, who is heard at all, and how much of a signal arrives (protocol
 * reference §1; phy.json).
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draw, entityKey, expandSeed, Purpose } from '../../sim/base/random.ts';
import type { RadioPlan } from '../../sim/network-plan.ts';
import { Interference } from '../../sim/radio/interference.ts';
import { Links } from '../../sim/radio/links.ts';
import {
  MILLIWATT_OFFSET,
  milliwatts,
  milliwattTable,
  noiseFloorCentiDbm,
} from '../../sim/radio/power.ts';
import { pathLossDb, reachMeters, shadowingDb } from '../../sim/radio/propagation.ts';
import { SignalLog } from '../../sim/radio/signal-log.ts';
import {
  formulaSensitivity,
  PATH_LOSSES,
  SENSITIVITIES,
  SIR_MATRICES,
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
    readonly survives: boolean;
  }[];
  readonly pathLossDb: readonly Readonly<Record<string, number>>[];
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
  const hears = {
    hearsMw: (log: SignalLog, at: number) => milliwatts(log.column.eirpCentiDbm[at]),
  };

  it.each(phy.interferenceExamplesGoursaud)('$name: survives $survives', (example) => {
    const log = new SignalLog();
    const add = (spreadingFactor: number, dbm: number, startUs: number, airtimeUs: number) =>
      log.add({
        ...{ startUs, airtimeUs, spreadingFactor, symbolUs: 1024, preambleSymbols: 8 },
        ...{ bandwidthHz: 125_000, frame: 0 },
        ...{ eirpCentiDbm: Math.round(100 * dbm), sender: 0, linkStart: 0, linkCount: 0 },
      });
    const { wantedSf, wantedDbm, wantedDurationS, interferers, survives } = example;
    const wanted = add(wantedSf, wantedDbm, 0, Math.round(wantedDurationS * 1e6));
    for (const { sf, dbm, overlapS } of interferers) {
      const overlapUs = Math.round(overlapS * 1e6);
      add(sf, dbm, Math.round(wantedDurationS * 1e6) - overlapUs, overlapUs + 500);
    }
    const plan = {
      model: 'energy',
      sirCentiDb: SIR_MATRICES.goursaud,
      window: 'wholeFrame',
    } as const;
    expect(new Interference(plan).survives(log, log.position(wanted), hears)).toBe(survives);
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

describe('path loss', () => {
  it.each(phy.pathLossDb)('is as published at $dM m', (row) => {
    const { ns3LogDistance, loRaSim, oulu, floraHata } = PATH_LOSSES;
    const published = { ...row, loRaSim: row.loraSim };
    for (const [name, plan] of Object.entries({ ns3LogDistance, loRaSim, oulu, floraHata })) {
      expect(pathLossDb(plan, row.dM)).toBeCloseTo(Reflect.get(published, name), 3);
    }
  });

  it('grows with distance, and is never that of less than a metre', () => {
    const meters = fc.double({ min: 1, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(meters, meters, (a, b) => {
        const [near, far] = [Math.min(a, b), Math.max(a, b)];
        const plan = PATH_LOSSES.ns3LogDistance;
        expect(pathLossDb(plan, near)).toBeLessThanOrEqual(pathLossDb(plan, far));
      }),
    );
    expect(pathLossDb(PATH_LOSSES.ns3LogDistance, 0)).toBe(7.7);
  });

  it('has shadowing of its standard deviation, never more than four of them', () => {
    const { key0, key1 } = entityKey(expandSeed('hill'), 'a');
    const words = Array.from({ length: 20_000 }, (_, i) => draw(key0, key1, Purpose.shadowing, i));
    const values = words.map((word) => shadowingDb(5, word));
    const mean = values.reduce((sum, db) => sum + db, 0) / values.length;
    const variance = values.reduce((sum, db) => sum + (db - mean) ** 2, 0) / values.length;
    expect(Math.abs(mean)).toBeLessThan(0.15);
    expect(Math.abs(Math.sqrt(variance) - 5)).toBeLessThan(0.15);
    expect(shadowingDb(5, 0)).toBe(-20);
    expect(shadowingDb(5, -1)).toBe(20);
    expect(shadowingDb(0, 12345)).toBe(0);
  });

  it('leaves nothing audible beyond the reach', () => {
    const radio = { pathLoss: PATH_LOSSES.oulu, shadowingSigmaDb: 4 } as RadioPlan;
    const reach = reachMeters(radio, 150);
    expect(pathLossDb(radio.pathLoss, reach) - 16).toBeCloseTo(150, 6);
    expect(reachMeters({ ...radio, pathLoss: { model: 'constant', lossDb: 1 } }, 150)).toBe(
      Infinity,
    );
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
        const gains = [...links.gains.subarray(0, links.counts[0])];
        expect(gains).toEqual(gains.toSorted((a, b) => b - a));
        expect(gains.every((gain) => gain + 2915 >= -15_000)).toBe(true);
        some.forEach((x, row) => {
          const alone = new Links({ ...radio, ignoredBelowCentiDbm: -19_000 }, 2915, 215);
          alone.connect(0, station('meter', 0), [gateway(row, x)]);
          const gain = alone.gainCentiDb(0, row);
          const kept = Number.isNaN(gain) || gain + 2915 < -15_000 ? Number.NaN : gain;
          expect(links.gainCentiDb(0, row)).toBe(kept);
        });
      }),
    );
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

describe('levels', () => {
  it('are linear powers of 10^(dBm/10) mW within the table’s quantum', () => {
    fc.assert(
      fc.property(fc.integer({ min: -15_000, max: 6_000 }), (centiDbm) => {
        const exact = 10 ** (centiDbm / 1000);
        expect(Math.abs(milliwatts(centiDbm) / exact - 1)).toBeLessThan(1e-3);
        expect(milliwattTable()[centiDbm + MILLIWATT_OFFSET]).toBe(milliwatts(centiDbm));
      }),
    );
    expect(() => milliwatts(6_001)).toThrow('a level lies between −200 and +60 dBm');
  });

  it('have a noise floor and a sensitivity by the formula', () => {
    expect(noiseFloorCentiDbm(125_000, 6)).toBe(-11703);
    for (const { sf, bwHz, nf6 } of phy.sensitivityComputedNF6) {
      if (bwHz === 125_000) expect(formulaSensitivity(6)[sf - 5]).toBe(Math.round(100 * nf6));
    }
  });
});
