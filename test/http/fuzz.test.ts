/** Every operation of the document that is served, with a hundred cases and more of each. */
import { afterAll, describe, expect, it } from 'vitest';
import { Fuzz } from './fuzz/fuzz.ts';

const CASES = 100;
const fuzz = new Fuzz();
const operations = (await fuzz.operations()).map(({ id }) => id);

afterAll(async () => await fuzz.close());

describe('whatever is asked, answers are as documented, and refusals leave nothing', () => {
  it.each(operations)('%s', async (id) => {
    await fuzz.run(id, CASES, 42);
    expect(fuzz.totals.get(id)!.size).toBeGreaterThan(1);
  });
});
