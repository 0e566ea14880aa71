/**
 * Every operation of the document that is served, with twenty cases of each; `npm run test:fuzz`
 * has more.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { Fuzz } from './fuzz/fuzz.ts';

const CASES = 20;
/** Passwords cost derivations of keys, which are meant to be slow; most filters are none. */
const CASES_OF: Readonly<Record<string, number>> = {
  'account.resetPassword': 10,
  'endDeviceV2.list': 40,
};
const fuzz = new Fuzz();
const operations = (await fuzz.operations()).map(({ id }) => id);

afterAll(async () => await fuzz.close());

describe('whatever is asked, answers are as documented, and refusals leave nothing', () => {
  it.each(operations)('%s', async (id) => {
    await fuzz.run(id, CASES_OF[id] ?? CASES, 42);
    expect(fuzz.totals.get(id)!.size).toBeGreaterThan(1);
  });
});
