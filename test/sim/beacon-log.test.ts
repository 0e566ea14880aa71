/** The beacon log: copies that end one by one, and what overlaps them besides. */
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { NONE } from '../../sim/kernel/columns.ts';
import type { AirCopy } from '../../sim/radio/air-row.ts';
import { BeaconLog } from '../../sim/radio/beacon-log.ts';
import { DownlinkLevels } from '../../sim/radio/downlink-levels.ts';
import { growsTooMuch } from '../support/cost.ts';
import { worldCostMs } from '../support/growing-worlds.ts';

const BEACON = 5;
const START_US = 1_000;

const copyOf = (gateway: number, startUs = START_US): AirCopy => ({
  gateway,
  startUs,
  endUs: startUs + 150,
  eirpCentiDbm: 1600,
  spreadingFactor: 9,
  frequencyHz: 869_525_000,
  bandwidthHz: 125_000,
  frame: 1,
});

/** As if each copy were compared with all others. */
const strangersOf = (copies: readonly AirCopy[], others: readonly AirCopy[]) =>
  others.filter(
    (other) => other.startUs !== START_US || !copies.some((one) => one.gateway === other.gateway),
  );

describe('the beacon log', () => {
  const gateways = fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 9 });
  const met = fc.array(
    fc.record({ gateway: fc.integer({ min: 0, max: 30 }), isLate: fc.boolean() }),
    { maxLength: 9 },
  );

  it('has what overlaps a beacon but for its copies, after each of them and when loaded', () => {
    const run = (senders: number[], meetings: { gateway: number; isLate: boolean }[]) => {
      const others = meetings.map(({ gateway, isLate }) => copyOf(gateway, START_US + +isLate));
      const copies = senders.map((gateway) => copyOf(gateway));
      const log = new BeaconLog();
      copies.forEach((copy, at) => {
        if (at === 0) log.append(BEACON, copy.frequencyHz, { copies: [copy], others });
        else log.addCopy(copy);
        const sofar = copies.slice(0, at + 1);
        const loaded = new BeaconLog();
        const saved = log.save();
        loaded.load(saved);
        for (const row of [log.row(BEACON)!, loaded.row(BEACON)!]) {
          expect(row.copies).toEqual(sofar);
          expect(row.others).toEqual(strangersOf(sofar, others));
          for (const { gateway } of copies) {
            const place = sofar.findIndex((one) => one.gateway === gateway);
            expect(row.placeOf(gateway)).toBe(place < 0 ? NONE : place);
          }
        }
        loaded.addCopy(copyOf(40));
        expect(saved[0]!.copies).toEqual(sofar);
      });
    };
    fc.assert(fc.property(gateways, met, run));
  });
});

const beacons = (gateways: number, devices: string, radio = '{}') => `
scenario: beacons
radio: ${radio}
duration: 7 min
area: { radius: ${Math.round(2_000 * Math.sqrt(gateways / 10))} m }
gateways: [{ name: mast, count: ${gateways}, gps: true }]
devices: [{ name: meter, activation: abp, traffic: { process: none }, ${devices} }]
`;

it('beacons cost by the gateways that send them, not by their pairs', async () => {
  const cost = (gateways: number) => worldCostMs(beacons(gateways, 'count: 1'));
  expect(await growsTooMuch(cost, 250)).toBe(false);
});

it('a device of class B looks at the copies of gateways in reach, however many there are', () => {
  // Reach: some 500 m of an area of 4 km and more.
  const radio = `{ pathLoss: { model: logDistance, exponent: 5, referenceLoss: 40 dB } }`;
  const looksIn = (gateways: number) => {
    const looks = vi.spyOn(DownlinkLevels.prototype, 'centiDbm');
    worldCostMs(beacons(gateways, 'count: 4, class: B, placement: { ring: 600 m }', radio));
    const { calls } = looks.mock;
    looks.mockRestore();
    return calls.length;
  };
  const few = looksIn(40);
  expect(few).toBeGreaterThan(0);
  expect(looksIn(320)).toBeLessThan(2 * few);
});
