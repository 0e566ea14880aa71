/** Quantities as people write them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sentence } from '../../scenarios/language/complaint.ts';
import {
  DIMENSIONS,
  type DimensionName,
  quantity,
  readQuantity,
  unitsOf,
} from '../../scenarios/language/quantity.ts';

const ANY = { least: -Infinity, most: Infinity };

function readAs(input: unknown, dimension: DimensionName): number {
  const reading = readQuantity(input, dimension, ANY);
  if (!reading.ok) throw new Error(sentence(reading.complaint));
  return reading.value;
}

function complaintOf(input: unknown, dimension: DimensionName): string {
  const reading = readQuantity(input, dimension, ANY);
  return reading.ok ? 'none' : sentence(reading.complaint);
}

describe('a quantity', () => {
  it.each([
    ['10 km', 'length', 10_000],
    ['10km', 'length', 10_000],
    ['98.95 m', 'length', 98.95],
    ['-500 m', 'length', -500],
    [0, 'length', 0],
    ['868.1 MHz', 'frequency', 868_100_000],
    ['869.525 MHz', 'frequency', 869_525_000],
    ['20 ppm', 'rateError', 20_000],
    ['6 h', 'duration', 21_600_000_000],
    ['1 d', 'duration', 86_400_000_000],
    ['2 w', 'duration', 1_209_600_000_000],
    ['500 ms', 'duration', 500_000],
    ['3 us', 'duration', 3],
    ['3 µs', 'duration', 3],
    ['1e3 s', 'duration', 1_000_000_000],
    ['14 dBm', 'power', 1400],
    ['-137.5 dBm', 'power', -13_750],
    ['6 dB', 'level', 600],
    ['2.15 dBi', 'level', 215],
    ['20 B', 'size', 20],
    ['20 kB', 'size', 20_000],
    ['1 KiB', 'size', 1024],
    ['10 %', 'share', 100_000],
    ['5 ‰', 'share', 5000],
    [0.1, 'share', 100_000],
    [1, 'share', 1_000_000],
    ['.5', 'share', 500_000],
  ] as const)('%s as %s is %d', (input, dimension, value) => {
    expect(readAs(input, dimension)).toBe(value);
  });

  it.each([
    [
      '10 km',
      'duration',
      '"10 km" is a length, but a duration is expected; allowed: a duration, such as "6 h"',
    ],
    [
      '5 m',
      'duration',
      '"5 m" is a length, but a duration is expected; allowed: a duration, such as "6 h"',
    ],
    [
      '14 dB',
      'power',
      '"14 dB" is a number of decibels, but a power is expected; allowed: a ' +
        'power, such as "14 dBm"',
    ],
    [
      '5 kms',
      'length',
      '"5 kms" has the unknown unit "kms"; ' +
        'allowed: a length, such as "10 km", in m, km; did you mean "km"?',
    ],
    [
      '1 furlong',
      'length',
      '"1 furlong" has the unknown unit "furlong"; allowed: a length, such as "10 km", in m, km',
    ],
    [
      5,
      'length',
      '5 has no unit, but a length needs one; ' +
        'allowed: a length, such as "10 km"; did you mean "5 m"?',
    ],
    [
      0,
      'power',
      '0 has no unit, but a power needs one; ' +
        'allowed: a power, such as "14 dBm"; did you mean "0 dBm"?',
    ],
    ['soon', 'duration', '"soon" is not a duration; allowed: a duration, such as "6 h"'],
    ['1,5 h', 'duration', '"1,5 h" is not a duration; allowed: a duration, such as "6 h"'],
    [Number.NaN, 'share', 'NaN is not a share; allowed: a share, such as "10 %"'],
    [Infinity, 'duration', 'Infinity is not a duration; allowed: a duration, such as "6 h"'],
    ['1e999 s', 'duration', '"1e999 s" is not a duration; allowed: a duration, such as "6 h"'],
    [[1], 'length', 'a list is not a length; allowed: a length, such as "10 km"'],
    [
      null,
      'size',
      'an empty value is not a number of bytes; allowed: a number of bytes, such as "20 B"',
    ],
    [undefined, 'share', 'is missing; allowed: a share, such as "10 %"'],
  ] as const)('%s as %s is refused', (input, dimension, complaint) => {
    expect(complaintOf(input, dimension)).toBe(complaint);
  });

  it('outside its range is refused with the range in words', () => {
    const period = quantity('duration', '1 s', '365 d');
    const read = (input: string) => {
      const reading = period(input);
      return reading.ok ? reading.value : sentence(reading.complaint);
    };
    expect(read('1 s')).toBe(1_000_000);
    expect(read('365 d')).toBe(31_536_000_000_000);
    expect(read('999 ms')).toBe('"999 ms" is too small; allowed: 1 s to 365 d');
    expect(read('53 w')).toBe('"53 w" is too large; allowed: 1 s to 365 d');
  });

  it('means the same in every unit and spacing', () => {
    const names = Object.keys(DIMENSIONS) as DimensionName[];
    const written = fc.constantFrom(...names).chain((name) =>
      fc.record({
        name: fc.constant(name),
        unit: fc.constantFrom(...unitsOf(DIMENSIONS[name])),
        digits: fc.integer({ min: -999_999, max: 999_999 }),
        space: fc.constantFrom('', ' ', '  '),
      }),
    );
    fc.assert(
      fc.property(written, ({ name, unit, digits, space }) => {
        const factor = (DIMENSIONS[name].units as Record<string, number>)[unit]!;
        expect(readAs(`${digits}${space}${unit}`, name)).toBe(digits * factor + 0);
      }),
    );
  });

  it('is a sum of durations, the larger unit before the smaller', () => {
    expect(readAs('1 h 30 min', 'duration')).toBe(5400e6);
    expect(readAs(' 2d 12h 0.5 s ', 'duration')).toBe(216_000.5e6);
    const said = (input: string, name: DimensionName = 'duration') => {
      const reading = readQuantity(input, name, ANY);
      return reading.ok ? reading.value : sentence(reading.complaint);
    };
    expect(said('30 min 1 h')).toBe(
      '"30 min 1 h" has h in the wrong place; allowed: each unit once, the larger before the ' +
        'smaller, such as "1 h 30 min"',
    );
    expect(said('1 h 2 h')).toMatch(/has h in the wrong place/);
    expect(said('1 h 30 mmin')).toMatch(/unknown unit "mmin".*did you mean "min"\?$/);
    expect(said('1 h 30')).toBe('"1 h 30" is not a duration; allowed: a duration, such as "6 h"');
    expect(said('1 h -30 min')).toMatch(/is not a duration/);
    expect(said('1 km 30 m', 'length')).toMatch(/is not a length/);
  });

  it('of no kind of input throws', () => {
    const names = Object.keys(DIMENSIONS) as DimensionName[];
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom(...names), (input, name) => {
        const reading = readQuantity(input, name, ANY);
        expect(reading.ok ? Number.isFinite(reading.value) : reading.complaint.what !== '').toBe(
          true,
        );
      }),
    );
  });
});

describe('a range', () => {
  it.each([
    ['length', '0.1 m', '10 m', '0.05 m', '0.1 m'],
    ['length', '0.1 m', '10 m', '0 m', '0.1 m'],
    ['length', '1 m', '2.4 m', '2.5 m', '2.4 m'],
  ] as const)('of %s from %s to %s refuses %s and takes %s', (name, least, most, out, ok) => {
    expect(quantity(name, least, most)(out).ok).toBe(false);
    expect(quantity(name, least, most)(ok).ok).toBe(true);
  });
});
