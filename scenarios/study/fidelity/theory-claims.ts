/** What theory says of the redundancy code, of noise, and of class B. */
import { DrawPurpose, draw, entityKey, expandSeed, toUnit } from '../../../sim/base/random.ts';
import { timeOnAirUs } from '../../../sim/lorawan/airtime.ts';
import { beaconBytes, nextPingSlot } from '../../../sim/lorawan/class-b.ts';
import { RankModel } from '../../../sim/lorawan/fragmentation-rank.ts';
import { SNR_FLOORS_DB, symbolErrorRate } from '../../../sim/radio/packet-error.ts';
import { redundancyNeeded } from '../../planning/fragment-plan.ts';
import { type Claims, type CodeClaim, percent, spaced } from './claim.ts';

type Row = CodeClaim & { readonly at: string };

/**
 * Coded fragments until 50, 90 and 99 % of devices are complete. Both are Monte Carlo over the code
 * as it is: a fragment or 3 % apart, and three for the last hundredth of devices, which few draws
 * decide.
 */
function coded(nbFrag: number, loss: number, published: readonly [number, number, number]): Row[] {
  let needed: readonly (number | undefined)[] | undefined;
  return published.map((most, place) => ({
    at: `${spaced(nbFrag)} fragments, ${loss * 100} % lost`,
    figure: `coded fragments for ${[50, 90, 99][place]} % of devices`,
    unit: 'count',
    published: most,
    tolerance: Math.max(place === 2 ? 3 : 1, Math.round(most * 0.03)),
    value: () => {
      needed ??= redundancyNeeded(nbFrag, loss);
      return needed[place] ?? Number.NaN;
    },
  }));
}

// ── rows of the code ─────────────────────────────────────────────────────────────────────────────

/** Product of 1 − 2^−(k + i) over all i from 1 on, for k = 0 … 7. */
const REBUILT = [0.289, 0.578, 0.77, 0.88, 0.939, 0.969, 0.984, 0.992];
const BLOCK = 100;
const LOST = 12;
const TRIES = 4_000;
/** Four standard errors of a share that is drawn so often. */
const drawnTolerance = (share: number): number => 4 * Math.sqrt((share * (1 - share)) / TRIES);

/** Share of devices that rebuild what they lost from some coded fragments more, drawn. */
function rebuiltShare(spare: number): number {
  const rank = new RankModel(1, BLOCK);
  const { key0, key1 } = entityKey(expandSeed('rows'), `${spare}`);
  let drawn = 0;
  const below = (count: number) =>
    Math.floor(toUnit(draw(key0, key1, DrawPurpose.frameLossDown, drawn++)) * count);
  const most = BLOCK * 20;
  let rebuilt = 0;
  for (let device = 0; device < TRIES; device++) {
    const received = new Int32Array((most + 31) >> 5);
    const has = (place: number) => (received[place >> 5]! & (1 << (place & 31))) !== 0;
    const set = (place: number) => {
      received[place >> 5]! |= 1 << (place & 31);
    };
    for (let place = 0; place < BLOCK; place++) set(place);
    for (let lost = 0; lost < LOST; ) {
      const place = below(BLOCK);
      if (!has(place)) continue;
      received[place >> 5]! &= ~(1 << (place & 31));
      lost++;
    }
    for (let rows = 0; rows < LOST + spare; ) {
      const place = BLOCK + below(most - BLOCK);
      if (has(place)) continue;
      set(place);
      rows++;
    }
    if (rank.completesAt(received, 0, most) >= 0) rebuilt++;
  }
  return rebuilt / TRIES;
}

const rebuilt = REBUILT.map(
  (published, spare): Row => ({
    at: `${spare} more than lost`,
    figure: 'devices that rebuild the block',
    unit: 'share',
    published,
    tolerance: drawnTolerance(published),
    value: () => rebuiltShare(spare),
  }),
);

// ── noise ────────────────────────────────────────────────────────────────────────────────────────

/** Below Semtech's SNR floor, dB. */
const BELOW_FLOOR_DB = 1;

/** By spreading factor from 7 on: exact integrals, confirmed by drawn chirps. */
const SYMBOL_ERRORS: readonly number[] = [
  0.0042739, 0.00266408, 0.001471, 0.000708131, 0.000291386, 0.00010009,
];

const noise = SYMBOL_ERRORS.map(
  (published, place): Row => ({
    at: `SF${7 + place}`,
    figure: 'symbols lost 1 dB below the SNR floor',
    unit: 'share',
    published,
    tolerance: percent(1, published),
    value: () => symbolErrorRate(7 + place, SNR_FLOORS_DB[2 + place]! - BELOW_FLOOR_DB),
  }),
);

// ── class B ──────────────────────────────────────────────────────────────────────────────────────

/** Expected by ChirpStack's own tests: after, periodicity, start of the slot, s of GPS time. */
const SLOTS = [
  [0, 7, 74.3],
  [120, 7, 185.62],
  [0, 6, 12.86],
  [13, 6, 74.3],
  [124, 0, 124.22],
] as const;

const slots = SLOTS.map(
  ([afterS, periodicity, published]): Row => ({
    at: `after ${afterS} s, periodicity ${periodicity}`,
    figure: 'next ping slot of address 0',
    unit: 'seconds',
    published,
    tolerance: 0.0005,
    value: () => nextPingSlot(afterS * 1_000_000, 0, periodicity).startUs / 1e6,
  }),
);

const beacon: Row = {
  at: 'EU868, SF9',
  figure: 'time on air of a beacon',
  unit: 'seconds',
  published: 0.152576,
  tolerance: 0.0000005,
  value: () =>
    timeOnAirUs({
      spreadingFactor: 9,
      bandwidthHz: 125_000,
      preambleSymbols: 10,
      phyPayloadBytes: beaconBytes(9),
      crc: false,
      explicitHeader: false,
    }) / 1e6,
};

export const THEORY_CLAIMS: readonly Claims[] = [
  {
    name: 'fragmentation',
    title: 'Redundancy that a campaign needs (TS004 version 1, memoryless loss)',
    source: 'Monte Carlo over the matrices of TS004-1.0.0 by others; M = 1 000 at 10 % corrected',
    settings: [],
    code: [
      ...coded(100, 0.1, [13, 18, 26]),
      ...coded(1000, 0.1, [112, 127, 141]),
      ...coded(1000, 0.3, [432, 463, 482]),
    ],
  },
  {
    name: 'rows',
    title: 'Rows of the redundancy code against random ones',
    source: 'product of 1 − 2^−(k + i) over i ≥ 1, for k coded fragments more than are lost',
    settings: [],
    code: rebuilt,
  },
  {
    name: 'noise',
    title: 'Symbols that noise loses',
    source:
      'ideal non-coherent detection: exact integral, confirmed by drawn chirps at nine points',
    settings: [],
    code: noise,
  },
  {
    name: 'class-b',
    title: 'Arithmetic of class B',
    source: 'ChirpStack’s unit tests of ping slots; RP002-1.0.4, beacon of EU868',
    settings: [],
    code: [...slots, beacon],
  },
];
