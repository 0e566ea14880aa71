/** Uplinks of devices that listen for beacons (LoRaMac-node, check for a collision). */
import { describe, expect, it } from 'vitest';
import { SECOND_US } from '../../sim/base/units.ts';
import { beaconsOf, classBNetwork } from '../support/class-b-world.ts';
import { HOUR_US, MINUTE_US, watch } from '../support/small-network.ts';

const BEACON_PERIOD_US = 128 * SECOND_US;
/** 1.5 ms: from the multiple of 128 s to the beacon. */
const BEACON_DELAY_US = 1_500;

/** The worlds of these tests begin 18 s after a multiple of 128 s of GPS time. */
const sinceBeaconUs = (atUs: number, startUs: number): number =>
  (atUs - startUs) % BEACON_PERIOD_US;

describe('devices that follow beacons', () => {
  const network = classBNetwork({
    devices: 30,
    traffic: { meanUs: 2 * MINUTE_US, jitterPpm: 200_000 },
  });
  const trace = watch(network, 6 * HOUR_US);
  const first = { atUs: beaconsOf(trace)[0]!.startsAtUs };
  const uplinks = trace.of('uplinkBegins').filter(({ atUs }) => atUs > first.atUs);
  const fates = trace.of('beaconDecided').map(({ fate }) => fate);

  it('lose no beacon to an uplink of their own or to its windows', () => {
    expect(uplinks.length).toBeGreaterThan(4000);
    expect(fates.length).toBeGreaterThan(4000);
    expect(fates.filter((fate) => fate === 'ownUplink')).toEqual([]);
  });

  it('send nothing from guard, delays and air time before a beacon to 2.12 s after it', () => {
    const reserved = uplinks.filter(({ atUs, airtimeUs }) => {
      const sinceUs = sinceBeaconUs(atUs, first.atUs - BEACON_DELAY_US);
      const before = 3 * SECOND_US + SECOND_US + 2 * SECOND_US + airtimeUs;
      return sinceUs < 2_120_000 || sinceUs >= BEACON_PERIOD_US - before;
    });
    expect(reserved).toEqual([]);
  });

  it('do not all begin at one instant afterwards', () => {
    const after = uplinks
      .map(({ atUs }) => sinceBeaconUs(atUs, first.atUs - BEACON_DELAY_US))
      .filter((sinceUs) => sinceUs < 8 * SECOND_US);
    expect(after.length).toBeGreaterThan(300);
    expect(new Set(after.map((us) => Math.floor(us / SECOND_US))).size).toBe(6);
  });

  it('lose beacons when they do not wait', () => {
    const classA = classBNetwork({ devices: 30, type: { deviceClass: 'A' } });
    const beside = watch(classA, HOUR_US)
      .of('uplinkBegins')
      .filter(({ atUs, airtimeUs }) => {
        const sinceUs = sinceBeaconUs(atUs, first.atUs - BEACON_DELAY_US);
        return sinceUs >= BEACON_PERIOD_US - airtimeUs || sinceUs < 2_120_000;
      });
    expect(beside.length).toBeGreaterThan(0);
  });
});
