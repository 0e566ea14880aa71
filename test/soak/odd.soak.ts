/** The worlds of odd numbers: FLEETWAVE_WORLDS with their neighbours, 2 000 when absent. */
import { expect, it } from 'vitest';
import { faultsOf } from './soak.ts';

const seed = Number(process.env.FLEETWAVE_SEED);
const first = Number(process.env.FLEETWAVE_FIRST ?? 0);
const end =
  first + (process.env.FLEETWAVE_WORLD ? 0 : Number(process.env.FLEETWAVE_WORLDS ?? 2000));

it(`the worlds of odd numbers from ${first} to ${end - 1} keep the contract and the laws`, () => {
  expect(faultsOf({ seed, first: first + 1, end, step: 2 })).toEqual([]);
});
