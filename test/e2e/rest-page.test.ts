/** `docs/rest.md`: its examples print what their comments say, and it names what a client needs. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import * as api from '../../api/emulator.ts';
import { examplesOf, printedBy, saidBy } from '../support/page-examples.ts';

const page = readFileSync('docs/rest.md', 'utf8');
const examples = examplesOf(page);

describe('the page about the emulator over HTTPS', () => {
  let printed: readonly string[] = [];

  beforeAll(() => {
    printed = printedBy(examples.map(({ code }) => code!));
  });

  it.each(examples)('reports what its example prints: $heading', (example) => {
    expect(printed[examples.indexOf(example)]).toBe(saidBy(example.code!));
  });

  it('has an example in every section, and no code that is not one', () => {
    expect(examples).toHaveLength([...page.matchAll(/^## /gm)].length);
    expect(page.match(/^```\w/gm)).toHaveLength(examples.length);
    for (const { code } of examples) expect(saidBy(code!).length).toBeGreaterThan(1);
  });

  it('names every export of the emulator', () => {
    for (const name of Object.keys(api)) expect(page).toMatch(new RegExp(`\\b${name}\\b`));
  });
});
