/** A run writes the same bytes with stored code as without; all of the library: release tests. */
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
