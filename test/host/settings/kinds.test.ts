/** What the value of a setting may be, in files and as a word. */
import { describe, expect, it } from 'vitest';
import {
  argumentOf,
  choice,
  flag,
  instant,
  limit,
  line,
  lineOf,
  lines,
  linesOf,
  numberOr,
  readSetting,
  type Setting,
  valueOfWord,
  whole,
} from '../../../api/host/settings/kinds.ts';
import { sentence } from '../../../scenarios/language/complaint.ts';

const NOTHING = Symbol('nothing');
type Kind = Omit<Setting, 'is'>;
const readBy = (kind: Kind, given: unknown): unknown => {
  const read = readSetting(kind as Setting, given);
  return read.ok ? read.value : NOTHING;
};

describe('a value of a setting', () => {
  it.each<[string, Kind, readonly (readonly [unknown, unknown])[], readonly unknown[]]>([
    [
      'a line',
      line(3),
      [
        ['a', 'a'],
        ['abc', 'abc'],
        [12, '12'],
        [-12, '-12'],
      ],
      ['', ' ', 'abcd', 1234, 'a\nb', 'a\r', 1.5, true, null, undefined],
    ],
    [
      'a whole number',
      whole(2, 5),
      [
        [2, 2],
        [5, 5],
      ],
      [1, 6, 2.5, '3', null, Number.NaN],
    ],
    [
      'a limit',
      limit(9),
      [
        [0, 0],
        [null, 0],
        [1, 1],
        [9, 9],
      ],
      [-1, 10, 1.5, '3', undefined],
    ],
    [
      'a number or a word',
      numberOr({ least: 0.5, most: 4 }, 'max'),
      [
        [0.5, 0.5],
        [4, 4],
        [1.25, 1.25],
        ['max', 'max'],
      ],
      [0.4, 4.1, 'min', '1', null],
    ],
    [
      'a choice',
      choice(['one', 'two']),
      [
        ['one', 'one'],
        ['two', 'two'],
      ],
      ['three', '', 1, null],
    ],
    [
      'a flag',
      flag,
      [
        [true, true],
        [false, false],
      ],
      ['true', 1, 0, null],
    ],
    [
      'a line of a form',
      lineOf('hex', (text) => /^[0-9a-f]+$/.test(text)),
      [
        ['af', 'af'],
        [12, '12'],
      ],
      ['g', '', 1.2, null],
    ],
    [
      'an instant',
      instant({ least: 2000, most: 2050 }),
      [
        ['2000-01-01T00:00:00Z', '2000-01-01T00:00:00Z'],
        ['2050-12-31T23:59:59Z', '2050-12-31T23:59:59Z'],
      ],
      ['1999-12-31T23:59:59Z', '2051-01-01T00:00:00Z', '2020-13-01T00:00:00Z', 'now', 5, null],
    ],
    [
      'lines',
      lines,
      [
        [[], []],
        [
          ['a', ''],
          ['a', ''],
        ],
      ],
      ['a', [1], ['a', null], null],
    ],
    [
      'lines of a form',
      linesOf('letters', (text) => /^[a-z]$/.test(text)),
      [
        [
          ['a', 'b'],
          ['a', 'b'],
        ],
      ],
      [['a', 'B'], ['ab']],
    ],
  ])('that is %s may be this and no other', (_, kind, taken, refused) => {
    for (const [given, value] of taken) expect(readBy(kind, given)).toEqual(value);
    expect(refused.filter((given) => readBy(kind, given) !== NOTHING)).toEqual([]);
  });

  it.each<[string, Kind, string, unknown]>([
    ['a number', whole(0, 99), '12', 12],
    ['a number with an exponent', limit(99), '1e1', 10],
    ['a number that begins with its point', numberOr({ least: 0, most: 1 }, 'max'), '.5', 0.5],
    ['a number that ends with its point', numberOr({ least: 0, most: 9 }, 'max'), '5.', 5],
    ['no number', whole(0, 99), '1 2', '1 2'],
    ['no number either', whole(0, 99), '.', '.'],
    ['nothing', whole(0, 99), '', ''],
    ['a flag', flag, 'true', true],
    ['a flag as 1', flag, '1', true],
    ['a flag as 0', flag, '0', false],
    ['no flag', flag, 'yes', 'yes'],
    ['a text', line(9), '12', '12'],
    ['lines', lines, 'a\n\nb\n', ['a', 'b']],
  ])('is meant by a word: %s', (_, kind, word, value) => {
    expect(valueOfWord({ ...kind, is: '' } as Setting, word)).toEqual(value);
  });

  it('is asked for as a word, as several, or by its name alone', () => {
    const rows: Kind[] = [whole(0, 1), line(1), lines, flag];
    expect(rows.map((kind) => argumentOf(kind as Setting))).toEqual([
      'word',
      'word',
      'words',
      'nothing',
    ]);
  });

  it.each<[words: string, kind: Kind, given: unknown]>([
    ['10 is not right; allowed: 0 to 9, 0 is off', whole(0, 9, ', 0 is off'), 10],
    ['is missing', whole(0, 9), undefined],
    ['allowed: north, south; did you mean "north"?', choice(['north', 'south']), 'nort'],
    ['allowed: 1 to 9, or max; did you mean "max"?', numberOr({ least: 1, most: 9 }, 'max'), 'mex'],
    ['1 to 5, 0 is no limit', limit(5), 6],
  ])('is complained about with what is allowed: %s', (words, kind, given) => {
    const read = readSetting(kind as Setting, given);
    expect(read.ok).toBe(false);
    expect(read.ok || sentence(read.complaint)).toContain(words);
  });
});
