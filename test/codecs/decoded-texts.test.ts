/**
 * Codecs answer the same on every machine: two hundred answers, as they were on the first.
 * `npx tsc -b && node test/support/renew-decoded.mjs` writes them; say why in the commit.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decodedTexts } from '../support/decoded-texts.ts';

const GOLDEN = readFileSync('test/codecs/decoded.txt', 'utf8').trimEnd().split('\n');

describe('what codecs answer', () => {
  const texts = decodedTexts();

  it('is two hundred texts, which are those of every machine', () => {
    expect(texts).toHaveLength(200);
    expect(texts).toEqual(GOLDEN);
  });

  it('is data of most uplinks, an error of some, and differs with the uplink', () => {
    const errors = texts.filter((text) => text.includes('{"errors":'));
    expect(errors.length).toBeGreaterThan(10);
    expect(errors.length).toBeLessThan(60);
    const answers = texts.map((text) => text.slice(text.indexOf(':')));
    expect(new Set(answers).size).toBeGreaterThan(140);
  });
});
