/** A run writes the same bytes with stored code as without; all of the library: release tests. */
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { bundle } from '../support/bundled.ts';
import { runThrice } from '../support/stored-code.ts';

beforeAll(bundle);

it.each([
  ['validation/w1.yaml', ['devices.device.count=40']],
  ['campaigns/class-b.yaml', []],
])('%s gives the same files without stored code, while it is stored, and with it', (file, set) => {
  const { without, storing, using, stored } = runThrice(process.execPath, file, set);
  expect(Object.keys(without.files)).toContain('result.json');
  expect(stored).toEqual([expect.stringMatching(/^runs-.*-run-v/)]);
  expect(storing).toEqual(without);
  expect(using).toEqual(without);
});

it('a script imports packages by the function that it is given', () => {
  const folder = new URL('../../dist/scripts/', import.meta.url);
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.cjs'));
  const texts = scripts.map((name) => readFileSync(new URL(name, folder), 'utf8'));
  expect(texts.join()).toContain('importPackage("classic-level")');
  for (const text of texts) expect(text).not.toMatch(/\bimport\([`"'][@\w]/);
});
