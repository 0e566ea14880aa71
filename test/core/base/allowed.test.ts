/** What rows allow, in words. */
import { expect, it } from 'vitest';
import { allowedOf } from '../../../sim/base/rows/allowed.ts';
import { ANY_NUMBER, type Kind } from '../../../sim/base/rows/fields.ts';

const flag: Kind = { type: 'flag' };

it.each<[Kind, string]>([
  [flag, 'true or false'],
  [{ type: 'whole', least: 1, most: 9 }, 'a whole number from 1 to 9'],
  [{ type: 'number', least: 0.5, most: ANY_NUMBER }, 'a number from 0.5 on'],
  [{ type: 'choice', words: ['a', '', 'b'] }, 'one of a, nothing, b'],
  [{ type: 'hex', digits: 16 }, '16 hexadecimal digits'],
  [{ type: 'hexBytes', least: 1, most: 4 }, '1 to 4 bytes in hexadecimal'],
  [{ type: 'bytes', least: 0, most: 4 }, '0 to 4 bytes'],
  [{ type: 'text' }, 'text of 1 to 250 characters'],
  [{ type: 'text', least: 0, most: 8 }, 'text of 0 to 8 characters'],
  [{ type: 'text', least: 8, most: 8 }, 'text of 8 characters'],
  [{ type: 'text', least: 3, most: ANY_NUMBER }, 'text of 3 or more characters'],
  [{ type: 'list', of: flag, most: 5 }, 'a list of 0 to 5, each true or false'],
  [
    { type: 'list', of: flag, least: 1, most: ANY_NUMBER, unique: true },
    'a list of 1 or more, none twice, each true or false',
  ],
  [
    { type: 'map', keys: flag, of: flag, most: 2 },
    'a map of at most 2, true or false by true or false',
  ],
  [
    { type: 'map', keys: flag, of: flag, most: ANY_NUMBER },
    'a map of any number, true or false by true or false',
  ],
  [
    { type: 'either', kinds: [flag, { type: 'hex', digits: 2 }] },
    'true or false, or 2 hexadecimal digits',
  ],
  [{ type: 'json' }, 'a map of plain data, of 10000 values at most, 16 deep'],
  [{ type: 'hex', digits: 2, allowed: 'a pair' }, 'a pair'],
] as [Kind, string][])('a row of %o allows %s', (kind, words) => {
  expect(allowedOf(kind)).toBe(words);
});
