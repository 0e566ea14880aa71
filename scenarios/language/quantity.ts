/**
 * Quantities as people write them (`10 km`, `868.1 MHz`, `20 ppm`), read into the base unit of
 * their dimension.
 */
import type { Limits } from '../../sim/base/rows/fields.ts';
import { rangeFault } from '../../sim/base/rows/range.ts';
import { nearest, quote, type Reader, type Reading, read, refuse } from './complaint.ts';

interface Dimension {
  /** With its article, as in "a length is expected". */
  readonly name: string;
  readonly example: string;
  /** Base units in one of each; the first is the one that limits are written in. */
  readonly units: Readonly<Record<string, number>>;
  /** Whether the base unit is counted in whole numbers. */
  readonly whole: boolean;
  /** Whether a plain number is understood, as if it had the unit ''. */
  readonly plain?: boolean;
  /** Whether several units may stand after each other: `1 h 30 min`. */
  readonly adds?: boolean;
  /** Whether a bare 0 means the same in every unit. */
  readonly zeroIsPlain: boolean;
}

/** Dimensions by name; each names its base unit. */
export const DIMENSIONS = {
  /** Base unit µs. */
  duration: {
    name: 'a duration',
    example: '6 h',
    units: {
      s: 1e6,
      us: 1,
      µs: 1,
      ms: 1e3,
      min: 60e6,
      h: 3600e6,
      d: 86400e6,
      w: 604800e6,
      y: 31557600e6,
    },
    whole: true,
    adds: true,
    zeroIsPlain: true,
  },
  /** Base unit m. */
  length: {
    name: 'a length',
    example: '10 km',
    units: { m: 1, km: 1e3 },
    whole: false,
    zeroIsPlain: true,
  },
  /** Base unit Hz. */
  frequency: {
    name: 'a frequency',
    example: '868.1 MHz',
    units: { MHz: 1e6, Hz: 1, kHz: 1e3, GHz: 1e9 },
    whole: true,
    zeroIsPlain: false,
  },
  /** Base unit ppb. */
  rateError: {
    name: 'a clock rate error',
    example: '20 ppm',
    units: { ppm: 1e3, ppb: 1, '%': 1e7 },
    whole: true,
    zeroIsPlain: true,
  },
  /** Base unit 1/100 °C. */
  temperature: {
    name: 'a temperature',
    example: '25 °C',
    units: { '°C': 100, C: 100 },
    whole: true,
    zeroIsPlain: false,
  },
  /** Base unit mAh. */
  charge: {
    name: 'a charge',
    example: '2400 mAh',
    units: { mAh: 1, Ah: 1000 },
    whole: false,
    zeroIsPlain: true,
  },
  /** Base unit nA. */
  current: {
    name: 'a current',
    example: '5 mA',
    units: { mA: 1e6, A: 1e9, uA: 1e3, µA: 1e3, nA: 1 },
    whole: true,
    zeroIsPlain: true,
  },
  /** Base unit mV. */
  voltage: {
    name: 'a voltage',
    example: '3.3 V',
    units: { V: 1e3, mV: 1 },
    whole: true,
    zeroIsPlain: true,
  },
  /** Base unit J. */
  energy: {
    name: 'an energy',
    example: '5 J',
    units: { J: 1, mJ: 1e-3, uJ: 1e-6, µJ: 1e-6, kJ: 1e3 },
    whole: false,
    zeroIsPlain: true,
  },
  /** Base unit 1/100 dBm. */
  power: {
    name: 'a power',
    example: '14 dBm',
    units: { dBm: 100 },
    whole: true,
    zeroIsPlain: false,
  },
  /** Base unit 1/100 dB. */
  level: {
    name: 'a number of decibels',
    example: '6 dB',
    units: { dB: 100, dBi: 100 },
    whole: true,
    zeroIsPlain: true,
  },
  /** Base unit B. */
  size: {
    name: 'a number of bytes',
    example: '20 B',
    units: { B: 1, kB: 1e3, KiB: 1024, MB: 1e6, MiB: 1048576 },
    whole: true,
    zeroIsPlain: true,
  },
  /** Base unit ppm of the whole. */
  share: {
    name: 'a share',
    example: '10 %',
    units: { '%': 1e4, '‰': 1e3, ppm: 1, '': 1e6 },
    whole: true,
    plain: true,
    zeroIsPlain: true,
  },
} satisfies Record<string, Dimension>;

export type DimensionName = keyof typeof DIMENSIONS;

const QUANTITY = /^\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)\s*([^\d\s.+-]*)\s*$/;

/** A number and a unit; value and range are in the dimension's base unit. */
export function readQuantity(input: unknown, name: DimensionName, range: Limits): Reading<number> {
  const dimension: Dimension = DIMENSIONS[name];
  const scaled = scale(input, dimension);
  if (!scaled.ok) return scaled;
  const value = dimension.whole ? Math.round(scaled.value) : scaled.value;
  const side = rangeFault(value, range);
  if (side === undefined) return read(value === 0 ? 0 : value);
  return refuse(`${quote(input)} is too ${side}`, rangeInWords(dimension, range));
}

/**
 * A reader of one dimension within a range given as quantities: `quantity('length', '1 m', '100
 * km')`.
 */
export function quantity(name: DimensionName, least: string, most: string): Reader<number> {
  const dimension: Dimension = DIMENSIONS[name];
  const bound = (text: string): number => {
    const scaled = scale(text, dimension);
    if (!scaled.ok) return Number.NaN;
    return dimension.whole ? Math.round(scaled.value) : scaled.value;
  };
  const range = { least: bound(least), most: bound(most) };
  return (input) => readQuantity(input, name, range);
}

function scale(input: unknown, dimension: Dimension): Reading<number> {
  const expected = `${dimension.name}, such as "${dimension.example}"`;
  if (input === undefined) return refuse('is missing', expected);
  if (typeof input === 'number') return scalePlain(input, dimension, expected);
  if (typeof input !== 'string')
    return refuse(`${quote(input)} is not ${dimension.name}`, expected);
  const match = QUANTITY.exec(input.length > 100 ? '' : input);
  if (match === null) return scaleSum(input, dimension, expected);
  const [, digits = '', unit = ''] = match;
  if (unit === '') return scalePlain(Number(digits), dimension, expected);
  const factor = ownFactor(dimension, unit);
  if (factor === undefined) return wrongUnit(input, unit, dimension, expected);
  const value = Number(digits) * factor;
  return Number.isFinite(value)
    ? read(value)
    : refuse(`${quote(input)} is not ${dimension.name}`, expected);
}

const PARTS = /(\d+(?:\.\d+)?)\s*([^\d\s.,+-]+)\s*/y;

/** A duration of several units, the larger before the smaller: `1 h 30 min`. */
function scaleSum(input: string, dimension: Dimension, expected: string): Reading<number> {
  const wrong = refuse(`${quote(input)} is not ${dimension.name}`, expected);
  const text = input.trim();
  if (!dimension.adds || text === '' || text.length > 100) return wrong;
  let sum = 0;
  let smallest = Number.POSITIVE_INFINITY;
  for (let at = 0; at < text.length; at = PARTS.lastIndex) {
    PARTS.lastIndex = at;
    const [, digits, unit = ''] = PARTS.exec(text) ?? [];
    if (digits === undefined) return wrong;
    const factor = ownFactor(dimension, unit);
    if (factor === undefined) return wrongUnit(input, unit, dimension, expected);
    if (factor >= smallest) {
      return refuse(
        `${quote(input)} has ${unit} in the wrong place`,
        'each unit once, the larger before the smaller, such as "1 h 30 min"',
      );
    }
    smallest = factor;
    sum += Number(digits) * factor;
  }
  return read(sum);
}

function scalePlain(value: number, dimension: Dimension, expected: string): Reading<number> {
  if (!Number.isFinite(value)) return refuse(`${value} is not ${dimension.name}`, expected);
  if (dimension.plain) return read(value * (ownFactor(dimension, '') ?? 1));
  if (value === 0 && dimension.zeroIsPlain) return read(0);
  const unit = Object.keys(dimension.units)[0] ?? '';
  return refuse(
    `${value} has no unit, but ${dimension.name} needs one`,
    expected,
    `${value} ${unit}`,
  );
}

function wrongUnit(
  input: string,
  unit: string,
  dimension: Dimension,
  expected: string,
): Reading<never> {
  const other = Object.values(DIMENSIONS).find((one) => ownFactor(one, unit) !== undefined);
  if (other !== undefined) {
    return refuse(`${quote(input)} is ${other.name}, but ${dimension.name} is expected`, expected);
  }
  const units = unitsOf(dimension);
  return refuse(
    `${quote(input)} has the unknown unit "${unit}"`,
    `${expected}, in ${units.join(', ')}`,
    wordedUnit(unit, units) ?? nearest(unit, units),
  );
}

/** "hours" for "h": the unit of a word, where people write it out. */
const WORDED: Readonly<Record<string, string>> = {
  second: 's',
  minute: 'min',
  hour: 'h',
  day: 'd',
  week: 'w',
  year: 'y',
  meter: 'm',
  metre: 'm',
  kilometer: 'km',
  kilometre: 'km',
  byte: 'B',
  percent: '%',
  decibel: 'dB',
};

function wordedUnit(unit: string, units: readonly string[]): string | undefined {
  const word = unit.toLowerCase().replace(/(?<=...)s$/, '');
  const meant = Object.hasOwn(WORDED, word) ? WORDED[word] : undefined;
  return meant !== undefined && units.includes(meant) ? meant : undefined;
}

function ownFactor(dimension: Dimension, unit: string): number | undefined {
  return Object.hasOwn(dimension.units, unit) ? dimension.units[unit] : undefined;
}

/** The units a user may write, the base unit's ASCII twin included once. */
export function unitsOf(dimension: { units: Readonly<Record<string, number>> }): string[] {
  return Object.keys(dimension.units).filter((unit) => unit !== '' && !unit.startsWith('µ'));
}

function rangeInWords(dimension: Dimension, { least, most }: Limits): string {
  return `${inWords(dimension, least)} to ${inWords(dimension, most)}`;
}

/** A value in base units, in the unit that gives the shortest text; the first one wins a tie. */
export function inWords(dimension: Dimension, value: number): string {
  let best = '';
  for (const unit of unitsOf(dimension)) {
    const text = `${value / (dimension.units[unit] ?? 1)} ${unit}`;
    if (best === '' || (value !== 0 && text.length < best.length)) best = text;
  }
  return best;
}
