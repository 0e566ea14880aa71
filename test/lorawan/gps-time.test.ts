/** GPS time and UTC: the leap seconds of IERS Bulletin C. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  gpsMsOfUnixMs,
  gpsSeconds32,
  leapSeconds,
  unixMsOfGpsMs,
} from '../../sim/lorawan/gps-time.ts';

describe('GPS time', () => {
  it('is zero at its epoch and 18 s ahead of UTC since 2017', () => {
    expect(gpsMsOfUnixMs(Date.UTC(1980, 0, 6))).toBe(0);
    expect(leapSeconds(Date.UTC(2017, 0, 1) - 1)).toBe(17);
    expect(leapSeconds(Date.UTC(2017, 0, 1))).toBe(18);
    expect(gpsMsOfUnixMs(Date.UTC(2024, 0, 6, 0, 0, 0, 500))).toBe(1_388_534_418_500);
  });

  it('gains one second at each leap, which fall on the first of January or July', () => {
    let count = 0;
    for (let year = 1980; year <= 2025; year++) {
      for (const month of [0, 6]) {
        const at = Date.UTC(year, month, 1);
        const gained = leapSeconds(at) - leapSeconds(at - 1000);
        expect(gained === 0 || gained === 1).toBe(true);
        count += gained;
      }
    }
    expect(count).toBe(18);
  });

  it('comes back from UTC and never goes back itself', () => {
    const times = fc.integer({ min: 0, max: 2_000_000_000 }).map((s) => s * 1000 + 315_964_800_000);
    fc.assert(
      fc.property(times, (unixMs) => {
        expect(unixMsOfGpsMs(gpsMsOfUnixMs(unixMs))).toBe(unixMs);
        expect(gpsMsOfUnixMs(unixMs + 1)).toBeGreaterThan(gpsMsOfUnixMs(unixMs));
      }),
    );
    expect(unixMsOfGpsMs(gpsMsOfUnixMs(Date.UTC(2017, 0, 1)))).toBe(Date.UTC(2017, 0, 1));
    const leapSecond = gpsMsOfUnixMs(Date.UTC(2017, 0, 1)) - 1;
    expect(unixMsOfGpsMs(leapSecond)).toBe(Date.UTC(2017, 0, 1) - 1);
    expect(unixMsOfGpsMs(leapSecond - 1000)).toBe(Date.UTC(2017, 0, 1) - 1);
  });

  it('fits 32 bits of seconds', () => {
    expect(gpsSeconds32(1_388_534_400_999)).toBe(1_388_534_400);
    expect(gpsSeconds32(4_294_967_296_000)).toBe(0);
  });
});
