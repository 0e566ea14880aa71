/**
 * FLEETWAVE_WORLD=12 FLEETWAVE_FAULT=joinBackOff: the smallest scenario file that has the fault of
 * that world.
 */
import { writeSync } from 'node:fs';
import { expect, it } from 'vitest';
import { smallestFile } from './smaller.ts';

const { FLEETWAVE_WORLD: number, FLEETWAVE_FAULT: fault = '', FLEETWAVE_SEED: seed } = process.env;

it.skipIf(number === undefined)(`world ${number} has a smallest file`, () => {
  const smallest = smallestFile(Number(seed), Number(number), fault);
  writeSync(1, `${JSON.stringify(smallest)}\n`);
  expect(smallest).toBeDefined();
});
