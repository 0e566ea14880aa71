/**
 * Every operation of the document that is served, with three cases of each, twenty in the long run;
 * `npm run test:fuzz` has more.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { IS_LONG, some } from '../support/long.ts';
import { Fuzz } from './fuzz/fuzz.ts';

const CASES = 20;
/** Passwords cost derivations of keys, which are meant to be slow; most filters are none. */
const CASES_OF: Readonly<Record<string, number>> = {
  'account.resetPassword': 12,
  'endDeviceV2.list': 40,
};
const fuzz = new Fuzz();
const operations = (await fuzz.operations()).map(({ id }) => id);

afterAll(async () => await fuzz.close());

describe('whatever is asked, answers are as documented, and refusals leave nothing', () => {
  it.each(operations)('%s', async (id) => {
    await fuzz.run(id, some(CASES_OF[id] ?? CASES), 42);
    expect(fuzz.totals.get(id)!.size).toBeGreaterThan(IS_LONG ? 1 : 0);
  });
});
