/** LoRaWAN 1.0.4 §8…§14: ping slots, hopping and beacons. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../../sim/base/bytes.ts';
import {
  BEACON_DELAY_US,
  BEACON_GUARD_US,
  BEACON_RESERVED_US,
  beaconBytes,
  beaconFrequencyHz,
  decodeBeacon,
  encodeBeacon,
  nextClearSlot,
  nextPingSlot,
  PING_SLOT_US,
  pingOffset,
  pingPeriodSlots,
  pingSlotFrequencyHz,
  pingSlotsPerBeacon,
} from '../../sim/lorawan/class-b.ts';
import { REGION_NAMES, region } from '../../sim/lorawan/region.ts';
import { vectors } from '../support/vectors.ts';

interface SlotRow {
  afterMs: number;
  addr: string;
  periodicity: number;
  beaconTime: number;
  pingOffset: number;
  slotN: number;
  slotStartMs: number;
}

interface BeaconRow {
  layout: string;
  gpsTime: number;
  infoDesc: number;
  lat24: number;
  lng24: number;
  hex: string;
}

interface HopRow {
  addr: string;
  beaconTime: number;
  pingFreqHz: number;
  beaconFreqHz: number;
}

const classB = vectors<{
  chirpstackUnitTestsSatisfied: Omit<SlotRow, 'slotN' | 'beaconTime' | 'pingOffset'>[];
  nextPingSlot: SlotRow[];
  beacons: BeaconRow[];
  hoppingUS915: HopRow[];
}>('classb');

const { pingSlots } = vectors<{
  pingSlots: {
    beaconTime: number;
    addr: string;
    periodicity: number;
    pingPeriodSlots: number;
    pingNb: number;
    pingOffset: number;
    firstSlotMsAfterBeaconStart: number;
  }[];
}>('keys');

const address = (text: string): number => Number.parseInt(text, 16);

describe('a ping slot', () => {
  it.each(pingSlots)('of $addr at beacon $beaconTime, periodicity $periodicity', (row) => {
    const { periodicity } = row;
    const devAddr = address(row.addr);
    const offset = pingOffset({ beaconTimeS: row.beaconTime, devAddr, periodicity });
    expect(offset).toBe(row.pingOffset);
    expect(pingPeriodSlots(periodicity)).toBe(row.pingPeriodSlots);
    expect(pingSlotsPerBeacon(periodicity)).toBe(row.pingNb);
    expect((BEACON_RESERVED_US + offset * PING_SLOT_US) / 1000).toBe(
      row.firstSlotMsAfterBeaconStart,
    );
  });

  it('comes next where two implementations say', () => {
    for (const row of classB.nextPingSlot) {
      const slot = nextPingSlot(row.afterMs * 1000, address(row.addr), row.periodicity);
      expect(slot).toEqual({
        beaconTimeS: row.beaconTime,
        slotNumber: row.slotN,
        startUs: row.slotStartMs * 1000,
      });
    }
    for (const row of classB.chirpstackUnitTestsSatisfied) {
      const slot = nextPingSlot(row.afterMs * 1000, address(row.addr), row.periodicity);
      expect(slot.startUs).toBe(row.slotStartMs * 1000);
    }
  });

  it('starts later than asked, within the beacon window, and none lies between', () => {
    const times = fc.integer({ min: 0, max: 2_000_000_000 }).map((ms) => ms * 1000);
    fc.assert(
      fc.property(times, fc.nat(0xffffffff), fc.nat(7), (afterUs, devAddr, periodicity) => {
        const slot = nextPingSlot(afterUs, devAddr, periodicity);
        expect(slot.startUs).toBeGreaterThan(afterUs);
        const within = slot.startUs - slot.beaconTimeS * 1_000_000;
        expect(within).toBeGreaterThanOrEqual(BEACON_RESERVED_US);
        expect(within).toBeLessThan(128_000_000 - BEACON_GUARD_US);
        expect(nextPingSlot(slot.startUs - 1, devAddr, periodicity)).toEqual(slot);
      }),
    );
  });

  it('keeps clear of the beacons around it, and is the first that does', () => {
    const times = fc.integer({ min: 0, max: 2_000_000_000 }).map((ms) => ms * 1000);
    const airtimes = fc.integer({ min: 20_000, max: 2_900_000 });
    fc.assert(
      fc.property(times, fc.nat(0xffffffff), fc.nat(7), airtimes, (at, addr, periodicity, air) => {
        const slot = nextClearSlot(at, addr, periodicity, air, 40_000);
        const isClear = ({ startUs, beaconTimeS }: { startUs: number; beaconTimeS: number }) => {
          const within = startUs - beaconTimeS * 1_000_000 - BEACON_DELAY_US;
          const guardUs = 128_000_000 - BEACON_GUARD_US;
          return within >= BEACON_RESERVED_US + 40_000 && within + air + 40_000 <= guardUs;
        };
        expect(slot.startUs).toBeGreaterThanOrEqual(at);
        expect(isClear(slot)).toBe(true);
        let earlier = nextPingSlot(at - 1, addr, periodicity);
        for (; earlier.startUs < slot.startUs; ) {
          expect(isClear(earlier)).toBe(false);
          earlier = nextPingSlot(earlier.startUs, addr, periodicity);
        }
        expect(earlier).toEqual(slot);
      }),
    );
  });

  it.each(classB.hoppingUS915)('of $addr hops at beacon $beaconTime', (row) => {
    const { pingSlot, beacon } = region('US915');
    expect(pingSlotFrequencyHz(pingSlot, address(row.addr), row.beaconTime)).toBe(row.pingFreqHz);
    expect(beaconFrequencyHz(beacon, row.beaconTime)).toBe(row.beaconFreqHz);
    expect(beaconFrequencyHz(region('EU868').beacon, row.beaconTime)).toBe(869_525_000);
  });
});

describe('a beacon', () => {
  const spreadingFactor = (row: BeaconRow): number => Number(/SF(\d+)/.exec(row.layout)![1]);
  const beaconOf = (row: BeaconRow): Parameters<typeof encodeBeacon>[1] => ({
    timeS: row.gpsTime,
    param: 0,
    infoDesc: row.infoDesc,
    latitude24: row.lat24,
    longitude24: row.lng24,
  });

  it.each(classB.beacons)('$layout at $gpsTime is $hex', (row) => {
    const sf = spreadingFactor(row);
    expect(toHex(encodeBeacon(sf, beaconOf(row)))).toBe(row.hex);
    expect(decodeBeacon(sf, fromHex(row.hex))).toEqual({
      ok: true,
      value: { ...beaconOf(row), positionOk: true },
    });
  });

  it('has the length that the regional plan says', () => {
    for (const name of REGION_NAMES) {
      const { beacon, dataRates } = region(name);
      const rate = dataRates[beacon.dataRate]!;
      expect(rate.modulation).toBe('lora');
      if (rate.modulation === 'lora') expect(beaconBytes(rate.spreadingFactor)).toBe(beacon.bytes);
    }
  });

  it('is refused with a wrong time, and read without a position that is wrong', () => {
    const row = classB.beacons[2]!;
    for (let bit = 0; bit < 17 * 8; bit++) {
      const spoilt = fromHex(row.hex);
      spoilt[bit >> 3]! ^= 1 << (bit & 7);
      const decoded = decodeBeacon(9, spoilt);
      if (bit < 8 * 8) expect(decoded).toMatchObject({ failure: { code: 'beacon.malformed' } });
      else expect(decoded).toMatchObject({ value: { timeS: row.gpsTime, positionOk: false } });
    }
    expect(decodeBeacon(9, new Uint8Array(16)).ok).toBe(false);
    expect(() => beaconBytes(7)).toThrow('SF8, 9, 10 or 12');
  });
});
