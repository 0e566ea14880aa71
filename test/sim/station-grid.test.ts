/** Gateways are found by their place; each device has the links that looking at all would give. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GatewayStation, gainOf, gatewayOf, Links } from '../../sim/radio/links.ts';
import { StationGrid } from '../../sim/radio/station-grid.ts';
import { SENSITIVITIES, SIR_MATRICES } from '../../sim/radio/tables.ts';
import { PLAIN_RADIO } from '../support/plain-radio.ts';

const meters = fc.oneof(
  fc.integer({ min: -3_000, max: 3_000 }),
  fc.integer({ min: -5_000_000, max: 5_000_000 }),
  fc.constantFrom(0, 1_000, 2_000),
);
const place = fc.record({ xMeters: meters, yMeters: meters });
const reach = fc.constantFrom(0.5, 1_000, 20_000, 1e9, Number.POSITIVE_INFINITY);

describe('a grid of stations', () => {
  it('finds every station within reach, each once', () => {
    const run = (
      stations: { xMeters: number; yMeters: number }[],
      at: (typeof stations)[0],
      r: number,
    ) => {
      const found: typeof stations = [];
      new StationGrid(stations, r).around(at.xMeters, at.yMeters, found);
      expect(new Set(found).size).toBe(found.length);
      const near = stations.filter(
        (one) => Math.hypot(one.xMeters - at.xMeters, one.yMeters - at.yMeters) <= r,
      );
      expect(near.filter((one) => !found.includes(one))).toEqual([]);
    };
    fc.assert(fc.property(fc.array(place, { maxLength: 40 }), place, reach, run));
  });

  it('looks at what is around a place, not at all that there is', () => {
    const stations = Array.from({ length: 10_000 }, (_, i) => ({
      xMeters: 1_000 * (i % 100),
      yMeters: 1_000 * Math.floor(i / 100),
    }));
    const found: typeof stations = [];
    new StationGrid(stations, 3_000).around(50_000, 50_000, found);
    expect(found.length).toBeGreaterThanOrEqual(29);
    expect(found.length).toBeLessThanOrEqual(100);
  });
});

describe('links of a device', () => {
  const radio = {
    ...PLAIN_RADIO,
    pathLoss: { model: 'logDistance', exponent: 3.76, referenceLossDb: 7.7, referenceMeters: 1 },
    shadowingSigmaDb: 4,
    noiseFigureDb: 6,
    gatewaySensitivityCentiDbm: SENSITIVITIES.ns3Gateway,
    deviceSensitivityCentiDbm: SENSITIVITIES.ns3EndDevice,
    interference: { model: 'energy', sirCentiDb: SIR_MATRICES.goursaud, window: 'afterLock' },
    ignoredBelowCentiDbm: -14_000,
  } as const;
  const stationAt = (at: { xMeters: number; yMeters: number }, row: number): GatewayStation => ({
    ...at,
    row,
    key0: row,
    key1: 7,
    antennaGainCentiDb: 0,
  });

  it('are those to every gateway taken by itself, the strongest first, then by row', () => {
    const town = fc.record({ xMeters: fc.integer({ min: 0, max: 40_000 }), yMeters: meters });
    const run = (places: { xMeters: number; yMeters: number }[], at: (typeof places)[0]) => {
      const stations = [...places, ...places.slice(0, 2)].map(stationAt);
      const device = { ...at, key0: 3, key1: 4 };
      const alone = stations.flatMap((station) => {
        const links = new Links(radio, 1_600, 0);
        links.connect(0, device, [station]);
        const gain = links.gainCentiDb(0, station.row);
        return Number.isNaN(gain) ? [] : [{ gain, row: station.row }];
      });
      alone.sort((a, b) => b.gain - a.gain || a.row - b.row);
      const links = new Links(radio, 1_600, 0);
      links.connect(0, device, stations);
      const { all, starts, counts } = links;
      const found = Array.from(all.subarray(starts[0], starts[0] + counts[0]), (link) => ({
        gain: gainOf(link),
        row: gatewayOf(link),
      }));
      expect(found).toEqual(alone);
    };
    fc.assert(fc.property(fc.array(town, { minLength: 1, maxLength: 100 }), town, run));
  });

  it('are, of thousands of devices in one network, those of each by itself', () => {
    const stations = [0, 3_000, 6_000].map((xMeters, row) =>
      stationAt({ xMeters, yMeters: 0 }, row),
    );
    const links = new Links(radio, 1_600, 0);
    const devices = Array.from({ length: 3_000 }, (_, i) => ({
      xMeters: 2 * i,
      yMeters: 500,
      key0: i,
      key1: 4,
    }));
    devices.forEach((device, row) => {
      links.connect(row, device, stations);
    });
    const of = ({ all, starts, counts }: Links, row: number) =>
      all.slice(starts[row], starts[row]! + counts[row]!);
    devices.forEach((device, row) => {
      const alone = new Links(radio, 1_600, 0);
      alone.connect(0, device, stations);
      expect(of(links, row)).toEqual(of(alone, 0));
    });
  });
});
