/**
 * FUOTASim (Abdelfadeel et al., WoWMoM 2020): its arithmetic for class C and class B, with the air
 * times of our own functions.
 */
import { DrawPurpose, draw, entityKey, expandSeed, toUnit } from '../../../sim/base/random.ts';
import { timeOnAirUs } from '../../../sim/lorawan/airtime.ts';
import { fragmentCount } from '../../../sim/lorawan/fragmentation-code.ts';
import { type Claims, type CodeClaim, percent, type Unit } from './claim.ts';

/** FUOTASim's overhead: two bytes of each fragment, eight more on the air. */
const HEAD_BYTES = 2;
const AIR_BYTES = 8;
const REDUNDANT = 30;
/** Fragments beyond the uncoded ones until a device is complete; currents and supply. */
const SPARE = 3;
const WATT = 16e-3 * 3;
const IDLE_WATT = 6e-6 * 3;

type Row = CodeClaim & { readonly at: string };

interface Image {
  readonly kib: number;
  readonly dataRate: number;
  readonly bytes: number;
}

const airtimeS = (dataRate: number, bytes: number): number =>
  timeOnAirUs({
    spreadingFactor: 12 - dataRate,
    bandwidthHz: 125_000,
    crc: true,
    phyPayloadBytes: bytes + AIR_BYTES,
  }) / 1e6;

const uncodedOf = ({ kib, bytes }: Image): number => fragmentCount(kib * 1024, bytes - HEAD_BYTES);

const rowsOf = (
  at: string,
  values: readonly (readonly [string, Unit, () => number, tolerance: number])[],
  published: readonly number[],
): Row[] =>
  values.map(([figure, unit, value, share], place): Row => {
    const figured = published[place]!;
    return {
      at,
      figure,
      unit,
      published: figured,
      tolerance: percent(share, figured),
      value,
    };
  });

/** Class C: a fragment begins every ten air times, so n of them end after 10 n − 9. */
function classC(image: Image, published: readonly number[]): Row[] {
  const uncoded = uncodedOf(image);
  const airS = airtimeS(image.dataRate, image.bytes);
  const endS = (fragments: number): number => (10 * fragments - 9) * airS;
  const at = `${image.kib} KiB at DR${image.dataRate}`;
  return rowsOf(
    at,
    [
      ['fragments sent', 'count', () => uncoded + REDUNDANT, 0],
      ['end of the session', 'seconds', () => endS(uncoded + REDUNDANT), 0.05],
      ['energy of a device', 'joules', () => WATT * endS(uncoded + SPARE), 0.5],
    ],
    published,
  );
}

// ── class B ──────────────────────────────────────────────────────────────────────────────────────

const BEACON_PERIOD_S = 128;
const BEACON_BYTES = 17;
const SLOT_S = 0.03;
const PERIOD_S = 0.96;
const DRAWS = 200;

/**
 * One device's completion and energy under one draw. A fragment follows the end of the one before
 * after as many ping periods as nine air times need; the first after a beacon has a drawn slot. An
 * empty slot costs 30 ms of reception, and a beacon its air time.
 */
function classBRun(image: Image, periodicity: number, drawn: number) {
  const airS = airtimeS(image.dataRate, image.bytes);
  const beaconS = airtimeS(image.dataRate, BEACON_BYTES);
  const needed = uncodedOf(image) + SPARE;
  const fragments = uncodedOf(image) + REDUNDANT;
  const periodS = PERIOD_S * (1 << periodicity);
  const empty = Math.floor((9 * airS) / periodS);
  const roundS = BEACON_PERIOD_S + beaconS;
  const { key0, key1 } = entityKey(expandSeed('fuotasim'), `${drawn}`);
  const slots = (1 << (7 - periodicity)) + 1;
  let [nowS, heardS, doneS, count] = [0, 0, 0, 0];
  for (let sent = 1; sent <= fragments; sent++) {
    const ended = nowS < beaconS ? 0 : Math.floor((nowS - beaconS) / roundS) + 1;
    if (nowS >= ended * roundS) {
      const beaconAtS = Math.floor(nowS / roundS) * roundS;
      const unit = toUnit(draw(key0, key1, DrawPurpose.frameLossDown, count++));
      nowS = Math.max(nowS, beaconAtS + beaconS + Math.floor(unit * slots) * SLOT_S);
    }
    nowS += airS;
    if (sent <= needed) heardS += airS;
    if (sent === needed) doneS = nowS;
    if (sent < fragments) {
      heardS += empty * SLOT_S;
      nowS += (empty + 1) * periodS;
    }
  }
  heardS += (Math.floor((doneS - beaconS) / roundS) + 1) * beaconS;
  const endS = Math.ceil((nowS - beaconS) / roundS) * roundS + beaconS;
  return { doneS, joules: WATT * heardS + IDLE_WATT * (endS - heardS) };
}

function classB(image: Image, periodicity: number, published: readonly number[]): Row[] {
  const mean = (figure: 'doneS' | 'joules') => () => {
    let sum = 0;
    for (let drawn = 0; drawn < DRAWS; drawn++) sum += classBRun(image, periodicity, drawn)[figure];
    return sum / DRAWS;
  };
  const { kib, dataRate } = image;
  return rowsOf(
    `${kib} KiB at DR${dataRate}, periodicity ${periodicity}`,
    [
      ['until a device is complete', 'seconds', mean('doneS'), 0.1],
      ['energy of a device', 'joules', mean('joules'), 0.5],
    ],
    published,
  );
}

const SMALL: Image = { kib: 5, dataRate: 0, bytes: 51 };

export const FUOTASIM_CLAIMS: readonly Claims[] = [
  {
    name: 'fuotasim',
    title: 'FUOTASim’s closed form, class C',
    source: 'Abdelfadeel et al., WoWMoM 2020: a fragment every ten air times, 16 mA at 3 V',
    settings: [],
    code: [
      ...classC(SMALL, [135, 3526.3, 135.2]),
      ...classC({ kib: 50, dataRate: 3, bytes: 115 }, [484, 3171, 143.8]),
      ...classC({ kib: 50, dataRate: 5, bytes: 222 }, [263, 953.5, 41.25]),
    ],
  },
  {
    name: 'fuotasim-class-b',
    title: 'FUOTASim’s arithmetic of class B',
    source:
      'kqorany/FUOTASim, fuotasim.py as it is, Python 3: means of 30 seeds for a device near by',
    settings: [],
    code: [...classB(SMALL, 0, [2859.5, 19.958]), ...classB(SMALL, 5, [3572.7, 15.701])],
  },
];
