/** Values as words of an override, and words as a shell takes them. */
import { spawnSync } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applySettings } from '../../../scenarios/composing/settings.ts';
import { settingOf, shellWord } from '../../../scenarios/study/setting.ts';

/** What the override's value is read as, as the scenario's reader does. */
function readAgain(value: unknown): unknown {
  const setting = settingOf('a.b', value);
  const source = { locate: () => ({ where: 'file', line: 0 }) };
  const read = applySettings({ value: { a: { b: 'old' } }, source }, [setting]);
  expect(read.problems, setting).toEqual([]);
  // Null takes a key away.
  return (read.value as { readonly a: { readonly b?: unknown } }).a.b ?? null;
}

/** What YAML has words for: 0 and −0 are one number of a scenario. */
const scalar = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary-ascii' }),
  fc.constantFrom('', ' ', '~', 'null', 'true', 'no', '1e3', '0x1f', '.inf', '-', '- a', 'a: b'),
  fc.constantFrom('# a', 'a #b', '"', "'", '[1]', '{a: 1}', '&a', '*a', '!x', '|', '>', '%', '@'),
  fc.constantFrom('\u0085', '\u2028', '\ufeff', '\u0000', 'a\nb', '\t', '10 %', '5 min', '±1'),
  fc.double().map((number) => (number === 0 ? 0 : number)),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.bigInt({ min: 0n, max: 10n ** 32n }).map(String),
  fc.bigInt({ min: 10n ** 15n, max: 9n * 10n ** 15n }).map(Number),
  fc.boolean(),
  fc.constant(null),
);

const key = fc
  .oneof(fc.string({ maxLength: 20 }), fc.constantFrom('a b', '1', 'null', '-', '?'))
  .filter((each) => each !== '<<' && each !== '__proto__');

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

describe('the setting of a value', () => {
  it('is read as the same value again, whatever scalar, list or map it is', () => {
    fc.assert(
      fc.property(value, (given) => {
        expect(readAgain(given)).toEqual(given);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    [10, 'p=10'],
    ['10 %', 'p=10 %'],
    ['5 min', 'p=5 min'],
    ['10', 'p="10"'],
    ['yes: no', 'p="yes: no"'],
    ['', 'p=""'],
    ['0123456789012345', 'p="0123456789012345"'],
    [1234567890123456, 'p=+1234567890123456'],
    [null, 'p=null'],
    [Number.POSITIVE_INFINITY, 'p=.inf'],
    [[Number.NaN, 1], 'p=[.nan,1]'],
    [{ every: '1 min' }, 'p={"every":"1 min"}'],
  ])('of %j is %s', (given, text) => {
    expect(settingOf('p', given)).toBe(text);
  });
});

describe('a word of a shell', () => {
  it('comes out as it went in', () => {
    const words = [
      'radio.shadowing=10 dB',
      "it's",
      '$HOME `id` "x" \\',
      '',
      'a\nb',
      '*',
      '-x',
      '~',
      ';',
      'ä€',
    ];
    const script = `printf '%s\\0' ${words.map(shellWord).join(' ')}`;
    const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
    expect(stdout.split('\0').slice(0, -1)).toEqual(words);
  });
});
