/**
 * GPS time, which counts from 1980-01-06 without leap seconds, and UTC (IERS Bulletin C up to 72).
 */

/** Unix time of the GPS epoch, s. */
const GPS_EPOCH_UNIX_S = 315_964_800;

/**
 * Unix times, s, from which GPS is one more second ahead of UTC: the instants after the leap
 * seconds.
 */
const LEAPS_UNIX_S = [
  362_793_600, 394_329_600, 425_865_600, 489_024_000, 567_993_600, 631_152_000, 662_688_000,
  709_948_800, 741_484_800, 773_020_800, 820_454_400, 867_715_200, 915_148_800, 1_136_073_600,
  1_230_768_000, 1_341_100_800, 1_435_708_800, 1_483_228_800,
] as const;

/** Seconds that GPS is ahead of UTC at a Unix time in ms. */
export function leapSeconds(unixMs: number): number {
  let count = 0;
  for (const leap of LEAPS_UNIX_S) if (unixMs >= leap * 1000) count++;
  return count;
}

/** GPS time, ms since 1980-01-06, of a Unix time in ms. */
export function gpsMsOfUnixMs(unixMs: number): number {
  return unixMs - GPS_EPOCH_UNIX_S * 1000 + leapSeconds(unixMs) * 1000;
}

/** Unix time of a GPS time, both in ms; a leap second itself is read as the second before it. */
export function unixMsOfGpsMs(gpsMs: number): number {
  const unix = gpsMs + GPS_EPOCH_UNIX_S * 1000;
  let count = 0;
  for (const leap of LEAPS_UNIX_S) if (unix - count * 1000 >= leap * 1000) count++;
  return unix - count * 1000;
}

/** What fits a 32-bit field of GPS seconds, as TS003 and TS005 send them. */
export function gpsSeconds32(gpsMs: number): number {
  return Math.floor(gpsMs / 1000) % 4_294_967_296;
}
