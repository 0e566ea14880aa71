/**
 * What happens to a signal on its way: path loss, shadowing, walls, fading (docs/standard.md,
 * Path loss; phy.json, pathLossDb).
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DrawPurpose, draw, entityKey, expandSeed } from '../../sim/base/random.ts';
import { buildingLossDb } from '../../sim/radio/building.ts';
import { Fading, type FadingPlan } from '../../sim/radio/fading.ts';
import { Links } from '../../sim/radio/links.ts';
import {
  type PathLossPlan,
  pathLossDb,
  reachMeters,
  shadowingDb,
} from '../../sim/radio/propagation.ts';
import type { RadioPlan } from '../../sim/radio/radio-plan.ts';
import { ShadowField } from '../../sim/radio/shadow-field.ts';
import { PATH_LOSSES, SENSITIVITIES, SIR_MATRICES } from '../../sim/radio/tables.ts';
import { PLAIN_RADIO } from '../support/plain-radio.ts';
import { vectors } from '../support/vectors.ts';

const { pathLossDb: rows } = vectors<{
  readonly pathLossDb: readonly Readonly<Record<string, number>>[];
}>('phy');

/** Our names of the page's columns, and to how many digits a column is rounded. */
const COLUMNS = {
  ns3LogDistance: ['ns3LogDistance', 4],
  loRaSim: ['loraSim', 4],
  oulu: ['oulu', 4],
  floraHata: ['floraHata', 4],
  freeSpace: ['freeSpace868.1MHz', 3],
  hataUrbanSmall: ['hataUrbanSmall', 3],
  hataUrbanLarge: ['hataUrbanLarge', 3],
  hataSuburban: ['hataSuburban', 3],
  hataOpen: ['hataOpen', 3],
} as const satisfies Record<keyof typeof PATH_LOSSES, readonly [string, number]>;

const MODELS = Object.keys(PATH_LOSSES) as (keyof typeof PATH_LOSSES)[];

const seed = expandSeed('hills');
const keyOf = (name: string) => entityKey(seed, name);

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const deviation = (values: readonly number[]): number => {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
};

describe('path loss', () => {
  it.each(MODELS)('of %s is as published at every distance', (model) => {
    const [column, digits] = COLUMNS[model];
    const published = rows.filter((row) => row[column] !== undefined);
    expect(published).toHaveLength(column.startsWith('hata') ? 6 : 11);
    for (const row of published) {
      const loss = pathLossDb(PATH_LOSSES[model], row.dM);
      expect(Math.abs(loss - row[column])).toBeLessThan(0.6 * 10 ** -digits);
    }
  });

  const plans = fc.oneof(
    fc.constantFrom<PathLossPlan>(...Object.values(PATH_LOSSES)),
    fc.record({
      model: fc.constant('okumuraHata' as const),
      environment: fc.constantFrom('smallCity', 'largeCity', 'suburban', 'open'),
      frequencyHz: fc.integer({ min: 400e6, max: 1500e6 }),
      gatewayHeightMeters: fc.integer({ min: 1, max: 1000 }),
      deviceHeightMeters: fc.double({ min: 0.1, max: 10, noNaN: true }),
    }),
  ) as fc.Arbitrary<PathLossPlan>;

  it('grows with distance in every model, and is never that of less than a metre', () => {
    const meters = fc.double({ min: 1, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(plans, meters, meters, (plan, a, b) => {
        const [near, far] = [Math.min(a, b), Math.max(a, b)];
        expect(pathLossDb(plan, near)).toBeLessThanOrEqual(pathLossDb(plan, far));
        expect(pathLossDb(plan, 0)).toBe(pathLossDb(plan, 1));
      }),
    );
    expect(pathLossDb(PATH_LOSSES.ns3LogDistance, 0)).toBe(7.7);
  });

  it('of open land is less than that of suburbs, and that less than that of cities', () => {
    for (const meters of [100, 1_000, 20_000]) {
      const { hataOpen, hataSuburban, hataUrbanSmall } = PATH_LOSSES;
      const open = pathLossDb(hataOpen, meters);
      const suburban = pathLossDb(hataSuburban, meters);
      expect(open).toBeLessThan(suburban);
      expect(suburban).toBeLessThan(pathLossDb(hataUrbanSmall, meters));
    }
  });

  it('leaves nothing audible beyond the reach', () => {
    const radio = { pathLoss: PATH_LOSSES.oulu, shadowingSigmaDb: 4 } as RadioPlan;
    const reach = reachMeters(radio, 150);
    expect(pathLossDb(radio.pathLoss, reach) - 16).toBeCloseTo(150, 6);
    const constant = { ...radio, pathLoss: { model: 'constant', lossDb: 1 } as const };
    expect(reachMeters(constant, 150)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('shadowing of each link by itself', () => {
  it('has its standard deviation, never more than four of them', () => {
    const { key0, key1 } = keyOf('a');
    const words = Array.from({ length: 20_000 }, (_, i) =>
      draw(key0, key1, DrawPurpose.shadowing, i),
    );
    const values = words.map((word) => shadowingDb(5, word));
    expect(Math.abs(mean(values))).toBeLessThan(0.15);
    expect(Math.abs(deviation(values) - 5)).toBeLessThan(0.15);
    expect(shadowingDb(5, 0)).toBe(-20);
    expect(shadowingDb(5, -1)).toBe(20);
    expect(shadowingDb(0, 12345)).toBe(0);
  });
});

describe('shadowing as a landscape', () => {
  const fields = Array.from({ length: 1500 }, (_, i) => new ShadowField(keyOf(`mast-${i}`), 110));
  const heights = (x: number, y: number) => fields.map((field) => field.sigmasAt(x, y));

  it('has mean 0 and its standard deviation, normally distributed, within four of them', () => {
    const values = fields.flatMap((field) => [0, 1, 2, 3].map((n) => field.sigmasAt(2e4 * n, n)));
    expect(Math.abs(mean(values))).toBeLessThan(0.06);
    expect(Math.abs(deviation(values) - 1)).toBeLessThan(0.05);
    const beyond = (sigmas: number) => mean(values.map((one) => (Math.abs(one) > sigmas ? 1 : 0)));
    expect(Math.abs(beyond(1) - 0.3173)).toBeLessThan(0.03);
    expect(Math.abs(beyond(2) - 0.0455)).toBeLessThan(0.012);
    expect(Math.max(...values.map(Math.abs))).toBeLessThanOrEqual(4);
  });

  it.each([0, 11, 55, 110, 220, 440])('is correlated as exp(−d / 110 m) over %i m', (meters) => {
    const product = (dx: number, dy: number) => {
      const [here, there] = [heights(3_000, -700), heights(3_000 + dx, -700 + dy)];
      return mean(here.map((height, i) => height * there[i]));
    };
    const published = Math.exp(-meters / 110);
    const oblique = meters / Math.SQRT2;
    for (const [dx, dy] of [
      [meters, 0],
      [0, meters],
      [oblique, -oblique],
    ]) {
      expect(Math.abs(product(dx, dy) - published)).toBeLessThan(0.11);
    }
  });

  it.each([1, 5, 11])('differs over %i m no more than its correlation says', (meters) => {
    const half = mean(
      [0, 1, 2].flatMap((n) => {
        const [here, there] = [heights(900 * n, 100), heights(900 * n, 100 + meters)];
        return here.map((height, i) => (height - there[i]!) ** 2 / 2);
      }),
    );
    expect(Math.abs(half - (1 - Math.exp(-meters / 110)))).toBeLessThan(0.01);
  });

  it('is another for each gateway', () => {
    const [one, other] = [heights(0, 0), heights(0, 0).slice(1)];
    expect(Math.abs(mean(other.map((height, i) => height * one[i])))).toBeLessThan(0.08);
  });
});

describe('links over a landscape', () => {
  const radio: RadioPlan = {
    pathLoss: PATH_LOSSES.ns3LogDistance,
    shadowingSigmaDb: 8,
    ...PLAIN_RADIO,
    shadowingCorrelationMeters: 110,
    noiseFigureDb: 6,
    gatewaySensitivityCentiDbm: SENSITIVITIES.ns3Gateway,
    deviceSensitivityCentiDbm: SENSITIVITIES.ns3EndDevice,
    interference: { model: 'energy', sirCentiDb: SIR_MATRICES.goursaud, window: 'afterLock' },
    ignoredBelowCentiDbm: -20_000,
  };
  const station = (name: string, xMeters: number, yMeters: number) => ({
    ...keyOf(name),
    xMeters,
    yMeters,
  });
  const mast = { ...station('mast', 0, 0), row: 0, antennaGainCentiDb: 0 };
  const gainAt = (links: Links, row: number, name: string, x: number, y: number) => {
    links.connect(row, station(name, x, y), [mast]);
    return links.gainCentiDb(row, 0);
  };
  const place = fc.tuple(fc.integer({ min: -3e3, max: 3e3 }), fc.integer({ min: 1, max: 3e3 }));

  it('do not depend on the order in which devices come, nor on their names', () => {
    fc.assert(
      fc.property(fc.array(place, { minLength: 1, maxLength: 8 }), (places) => {
        const [one, other] = [new Links(radio, 1600, 0), new Links(radio, 1600, 0)];
        const forth = places.map(([x, y], i) => gainAt(one, i, `meter-${i}`, x, y));
        const back = places.toReversed().map(([x, y], i) => gainAt(other, i, `soil-${i}`, x, y));
        expect(back.toReversed()).toEqual(forth);
      }),
    );
  });

  it('lose the shadow of their place on top of the path, and the walls on top of both', () => {
    const links = new Links(radio, 1600, 0);
    const outdoors = gainAt(links, 0, 'meter', 800, 300);
    const field = new ShadowField(mast, 110);
    const path = pathLossDb(radio.pathLoss, Math.sqrt(800 ** 2 + 300 ** 2));
    expect(outdoors).toBe(-Math.round(100 * (path + 8 * field.sigmasAt(800, 300))));
    links.equip(1, { wallLossCentiDb: 1234, antennaGainCentiDb: 0 });
    expect(gainAt(links, 1, 'meter', 800, 300)).toBe(outdoors - 1234);
  });
});

describe('walls', () => {
  const losses = (indoorPpm: number) =>
    Array.from({ length: 20_000 }, (_, i) => buildingLossDb(keyOf(`meter-${i}`), indoorPpm));

  it('stand around the stated share of devices', () => {
    const share = mean(losses(300_000).map((db) => (db > 0 ? 1 : 0)));
    expect(Math.abs(share - 0.3)).toBeLessThan(0.015);
    expect(losses(0).every((db) => db === 0)).toBe(true);
    expect(losses(1_000_000).every((db) => db > 0)).toBe(true);
  });

  it('cost what 3GPP says: an external wall, and internal ones or a deep room', () => {
    const all = losses(1_000_000);
    expect(Math.min(...all)).toBeGreaterThanOrEqual(4);
    expect(Math.max(...all)).toBeLessThanOrEqual(23 + 30);
    // External walls: 0.25·7.5 + 0.65·15 + 0.1·21 = 13.725 dB. Internal: mean of the larger of p
    // walls of U(4, 10) dB and U(0, 9) dB, 4.5 + 7.6429 + 14 + 21 dB weighted by p's shares.
    const oneWall = meanOfLarger();
    const internal = 0.2833 * 4.5 + 0.2827 * oneWall + 0.284 * 14.0 + 0.15 * 21;
    expect(Math.abs(mean(all) - (13.725 + internal))).toBeLessThan(0.15);
  });

  /** Mean of the larger of U(4, 10) and U(0, 9), on a grid. */
  function meanOfLarger(): number {
    const steps = Array.from({ length: 300 }, (_, i) => (i + 0.5) / 300);
    return mean(steps.flatMap((a) => steps.map((b) => Math.max(4 + 6 * a, 9 * b))));
  }
});

describe('fading', () => {
  const gains = (plan: FadingPlan, count = 40_000) => {
    const fading = new Fading(plan);
    const [device, gateway] = [keyOf('meter'), keyOf('mast')];
    return Array.from({ length: count }, (_, frame) =>
      fading.centiDb(device, gateway, DrawPurpose.fadingUp, frame),
    );
  };
  const power = (centiDb: number) => 10 ** (centiDb / 1000);

  it.each<FadingPlan>([
    { model: 'rayleigh' },
    { model: 'rician', factorDb: 6 },
    { model: 'rician', factorDb: -20 },
    { model: 'nakagami', shape: 1 },
    { model: 'nakagami', shape: 4 },
  ])('keeps the mean power of the link: %o', (plan) => {
    expect(Math.abs(mean(gains(plan).map(power)) - 1)).toBeLessThan(0.03);
  });

  it('of Rayleigh is below x with probability 1 − exp(−x)', () => {
    const all = gains({ model: 'rayleigh' }).map(power);
    for (const x of [0.01, 0.1, 1, 3]) {
      const share = mean(all.map((one) => (one < x ? 1 : 0)));
      expect(Math.abs(share - (1 - Math.exp(-x)))).toBeLessThan(0.01);
    }
  });

  it('of Rice amounts to nothing when the direct wave is strong', () => {
    const spread = (factorDb: number) => deviation(gains({ model: 'rician', factorDb }, 4_000));
    expect(spread(30)).toBeLessThan(spread(10));
    expect(spread(10)).toBeLessThan(spread(0));
    expect(spread(40)).toBeLessThan(20);
  });

  it('of Nakagami has a power of variance 1/m, and is Rayleigh fading when m is 1', () => {
    const powers = (shape: number) => gains({ model: 'nakagami', shape }).map(power);
    for (const shape of [2, 5, 10]) {
      expect(Math.abs(deviation(powers(shape)) ** 2 * shape - 1)).toBeLessThan(0.04);
    }
    expect(gains({ model: 'nakagami', shape: 1 })).toEqual(gains({ model: 'rayleigh' }));
  });

  it('that is log-normal has its standard deviation and a median of 0 dB', () => {
    const all = gains({ model: 'logNormal', sigmaDb: 3 });
    expect(Math.abs(deviation(all) - 300)).toBeLessThan(5);
    expect(Math.abs(mean(all))).toBeLessThan(6);
  });

  it('is drawn for each frame, device, gateway and direction by itself', () => {
    const fading = new Fading({ model: 'rayleigh' });
    const [a, b, mast] = [keyOf('a'), keyOf('b'), keyOf('mast')];
    const first = fading.centiDb(a, mast, DrawPurpose.fadingUp, 7);
    expect(fading.centiDb(a, mast, DrawPurpose.fadingUp, 8)).not.toBe(first);
    expect(fading.centiDb(b, mast, DrawPurpose.fadingUp, 7)).not.toBe(first);
    expect(fading.centiDb(a, b, DrawPurpose.fadingUp, 7)).not.toBe(first);
    expect(fading.centiDb(a, mast, DrawPurpose.fadingDown, 7)).not.toBe(first);
    expect(fading.centiDb(a, mast, DrawPurpose.fadingUp, 7)).toBe(first);
  });

  it('is none where there is none', () => {
    expect(new Set(gains({ model: 'none' }, 100))).toEqual(new Set([0]));
    expect(new Fading({ model: 'none' }).active).toBe(false);
  });
});
