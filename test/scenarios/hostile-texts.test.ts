/** Texts that were written to be slow: each is read or refused at once, with what is too much. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Loaded } from '../../scenarios/load.ts';
import { yards } from '../support/cost.ts';
import { IS_LONG, sampled, someRuns } from '../support/long.ts';
import { loadText, SHORTEST } from './scenario.ts';

const MEBIBYTE = 1024 * 1024;
/** Ten times what the slowest takes of 256 KiB. */
const MOST_YARDS = 700;

/**
 * An eighth of a MiB: that many words and signs that a time which grows with their square shows.
 */
const filled = (part: string): string => part.repeat(Math.floor(MEBIBYTE / 8 / part.length));
const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

/** Loads a text within the time. */
function soon(text: string, mostYards = MOST_YARDS): Loaded {
  let loaded: Loaded | undefined;
  expect(yards(() => (loaded = loadText(text)), 1)).toBeLessThan(mostYards);
  return loaded!;
}

function problemsOf(loaded: Loaded) {
  return loaded.outcome === 'problems' ? loaded.problems : [];
}

const FLOODS = [
  '"',
  '[',
  '{',
  ']',
  '[]',
  '[,',
  '&a ',
  '*a ',
  '! ',
  '- ',
  '? ',
  'a: 1\n',
  '<<: 1\n',
  '\n',
  '#\n',
  '%a\n',
  '--- a\n',
  '...\n',
  '\r\n',
  ':',
  '|\n',
  "'",
  '\t',
  'a: - ',
  '😀',
];

/** Of lexer, parser, composer and notation, the slowest that are known and one that is quick. */
const OFTEN = ['[', '&a ', '? ', '<<: 1\n', '|\n', 'a: - '];

describe('a text of 128 KiB', () => {
  it.each(sampled(FLOODS, (part) => OFTEN.includes(part)))('of %j is refused at once', (part) => {
    const problems = problemsOf(soon(filled(part), MOST_YARDS / 2));
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.length).toBeLessThanOrEqual(101);
    for (const { message } of problems) expect(message.trim()).not.toBe('');
  });
});

describe('a text of 4 MiB', () => {
  /** The slowest that are known, for lexer, parser and composer. */
  it.each(sampled(['[', '|\n'], () => false))('of %j is refused in some seconds', (part) => {
    const text = part.repeat((4 * MEBIBYTE) / part.length);
    expect(problemsOf(soon(text, 2 * MOST_YARDS)).length).toBeGreaterThan(0);
  });

  it('may be one long value, in any form', () => {
    const long = 'A'.repeat(6 * MEBIBYTE);
    const forms = [long, `"${long}"`, `'${long}'`, `|\n  ${long}`];
    for (const value of IS_LONG ? forms : forms.slice(1, 2)) {
      const loaded = soon(`${SHORTEST}description: ${value}\n`);
      expect(loaded.outcome === 'scenario' && loaded.scenario.description).toBe(long);
    }
  });
});

describe('a long file', () => {
  it('names the limit of its words and signs, and where it ends to be read', () => {
    expect(problemsOf(soon(`a: [${'1,'.repeat(600_000)}]`))).toEqual([
      {
        where: expect.stringMatching(/^file\.yaml:1:\d+$/),
        line: 1,
        pointer: '',
        message:
          'has too many words and signs; allowed: at most 1000000 in a file; ' +
          'long lists of points go into a file of their own',
      },
    ]);
  });

  it('names the limit of what aliases repeat', () => {
    const points = Array.from({ length: 5_000 }, () => '[0, 0]').join();
    const more = lines(90, (i) => `- { name: b${i}, placement: *p }`);
    const text = `scenario: a\ndevices:\n- { name: a, placement: &p [${points}] }\n${more}`;
    expect(problemsOf(soon(text)).map(({ message }) => message)).toEqual([
      'repeats too much by aliases; allowed: at most 500000 values in all',
    ]);
  });

  it('reports the first hundred of its faults, and counts the others', () => {
    const problems = problemsOf(soon(SHORTEST + lines(20_000, (i) => `k${i}: 1`)));
    expect(problems).toHaveLength(101);
    expect(problems[99]?.message).toMatch(/^"k99" is not a known key here; allowed: scenario, /);
    expect(problems[100]?.message).toBe('has 19900 more faults; allowed: the first 100 are shown');
  });

  const NAMED: readonly (readonly [what: string, line: (i: number) => string])[] = [
    ['unknown devices', (i) => `- { at: 1 s, removeDevice: m${i} }`],
    ['unknown EUIs', () => '- { at: 1 s, removeDevice: "0000000000000001" }'],
    ['one population that grows', () => '- { at: 1 s, addDevices: { population: n1 } }'],
  ];

  it.each(sampled(NAMED, ([what]) => what === 'unknown devices'))(
    'looks up thousands of names among a thousand: %s',
    (_, line) => {
      const devices = lines(1_000, (i) => `- { name: n${i}, count: 9 }`);
      soon(`scenario: a\ndevices:\n${devices}\ntimeline:\n${lines(4_000, line)}`);
    },
  );

  it('does not count to a hundred million gateways for a figure that is none', () => {
    const gateways = lines(9_999, (i) => `- { name: n${i}, count: 10000 }`);
    const loaded = soon(`${SHORTEST}gateways:\n${gateways}\nexpectations: [nothing > 1]\n`);
    expect(problemsOf(loaded)[0]?.message).toMatch(/^99990000 gateways are too many/);
  });

  it('is not read to the end of a list that is far too long', () => {
    const loaded = soon(`scenario: a\ndevices:\n${lines(40_000, () => '- {}')}`);
    expect(problemsOf(loaded)[0]?.message).toMatch(/^is too long; allowed: at most 1000 pop/);
  });
});

it('control characters of a value reach no terminal', () => {
  const [problem] = problemsOf(loadText(`${SHORTEST}region: "\\e[2J\\u2028"`));
  expect(problem?.message).toMatch(/^"\\u001b\[2J\\u2028" is not known/);
});

it('any text made of what YAML and scenarios are made of is refused, or is a scenario', () => {
  const words = fc.constantFrom(
    'scenario',
    'devices',
    'name',
    'count',
    'timeline',
    'at',
    'placement',
    'channels',
    'radio',
    'meter',
    '1',
    '-1',
    '1e999',
    '.nan',
    '0x10',
    '1 s',
    '10 km',
    '5 dB',
    'true',
    'null',
    '~',
    '__proto__',
    'constructor',
    'toString',
    '\u0000',
    '\ud800',
    '\u{1f600}',
    '﻿',
    'é',
  );
  const signs = fc.constantFrom(
    ': ',
    '- ',
    '\n',
    '\n  ',
    '\n    ',
    '{',
    '}',
    '[',
    ']',
    ', ',
    '"',
    "'",
    '|',
    '>',
    '#',
    '%',
    '&a ',
    '*a',
    '<<: *a',
    '!!map ',
    '!x ',
    '? ',
    '---\n',
    '...\n',
    '\t',
    '\r\n',
    '\\',
    '@',
    '`',
  );
  const text = fc.array(fc.oneof(words, signs), { maxLength: 60 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.constantFrom('', SHORTEST), text, (start, rest) => {
      const loaded = loadText(start + rest);
      if (loaded.outcome === 'problems') expect(loaded.problems.length).toBeGreaterThan(0);
    }),
    { numRuns: someRuns(800) },
  );
});
