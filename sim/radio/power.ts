/**
 * From centi-dBm to linear power by one table, so that interference never computes a logarithm.
 *
 * Levels are whole 1/100 dBm between −400 and +100 dBm, which is more than a scenario file can ask
 * for. The loudest is 40 dBm EIRP, an antenna of 30 dB and a fade of 15 dB, since no link gives
 * power (`propagation.ts`). The faintest is a link that the strongest sender, 66 dBm with an
 * antenna, makes −200 dBm of. It is used with 108 dB less power and antennas, in a fade of −40 dB.
 */
import { assert } from '../base/assert.ts';
import { centiDbToLinear } from '../base/math.ts';

const LOWEST_CENTI_DBM = -40_000;
const HIGHEST_CENTI_DBM = 10_000;

let table: Float64Array | undefined;

/** The table, made on first use: entry `centiDbm + 40 000` in mW. */
export function milliwattTable(): Float64Array {
  table ??= filledTable();
  return table;
}

function filledTable(): Float64Array {
  const filled = new Float64Array(HIGHEST_CENTI_DBM - LOWEST_CENTI_DBM + 1);
  for (let i = 0; i < filled.length; i++) filled[i] = centiDbToLinear(i + LOWEST_CENTI_DBM);
  return filled;
}

export const MILLIWATT_OFFSET = -LOWEST_CENTI_DBM;

/** A level that the table has; what is weaker than its weakest counts as that. */
export const leastLevel = (centiDbm: number): number => Math.max(LOWEST_CENTI_DBM, centiDbm);

/** Power in mW of a whole level in 1/100 dBm. */
export function milliwatts(centiDbm: number): number {
  assert(
    centiDbm >= LOWEST_CENTI_DBM && centiDbm <= HIGHEST_CENTI_DBM,
    'a level lies between −400 and +100 dBm',
  );
  return milliwattTable()[centiDbm + MILLIWATT_OFFSET];
}

/**
 * Thermal noise in a bandwidth plus the receiver's noise figure, 1/100 dBm: −174 + 10·log10(BW) +
 * NF.
 */
export function noiseFloorCentiDbm(bandwidthHz: number, noiseFigureDb: number): number {
  const bandwidthDb: Readonly<Record<number, number>> = {
    100000: 50,
    125000: 50.97,
    250000: 53.98,
    500000: 56.99,
  };
  const db = bandwidthDb[bandwidthHz];
  assert(db !== undefined, 'LoRa has 125, 250 or 500 kHz, FSK 100');
  return Math.round(100 * (-174 + db + noiseFigureDb));
}
