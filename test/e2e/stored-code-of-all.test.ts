/**
 * Every scenario of the library writes the same bytes with stored code as without, and the same on
 * each engine: `FLEETWAVE_NODES` has the paths of others than this one. The long run has all of
 * them, `npm run test:release` one in twelve.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../support/bundled.ts';
import { LIBRARY_FILES } from '../support/library.ts';
import { sampled } from '../support/long.ts';
import {
  goldenSettings,
  NODES,
  runThrice,
  versionOf,
  type Written,
} from '../support/stored-code.ts';

beforeAll(bundle);

const ALL = goldenSettings();
const SCENARIOS = sampled(ALL, (row) => ALL.indexOf(row) % 12 === 0);
const first = new Map<string, Written>();

it('all of the library is tried', () => {
  expect(ALL.map(([file]) => file).sort()).toEqual(LIBRARY_FILES);
});

describe.each(NODES.map((node) => [versionOf(node), node]))('on Node.js %s', (_, node) => {
  it.each(SCENARIOS)('%s gives the same files with and without stored code', (file, settings) => {
    const { without, storing, using, stored } = runThrice(node, file, settings);
    expect(Object.keys(without.files)).toContain('result.json');
    expect(stored).toHaveLength(1);
    expect(storing).toEqual(without);
    expect(using).toEqual(without);
    if (!first.has(file)) first.set(file, without);
    expect(without).toEqual(first.get(file));
  });
});
