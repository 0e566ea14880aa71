/** Device types that every world has, whatever its file says. */
import { describe, expect, it } from 'vitest';
import { populate } from '../../scenarios/filling/populate.ts';
import { LIBRARY_FILES, libraryScenario } from '../support/library.ts';
import { sampled } from '../support/long.ts';

const strongest = (things: readonly { readonly maxEirpCentiDbm: number }[]) =>
  Math.max(...things.map(({ maxEirpCentiDbm }) => maxEirpCentiDbm));

/** Small worlds, some with devices from a file of places. */
const SMALL = /class-b|places|set-over|canary/;

describe.each(sampled(LIBRARY_FILES, (file) => SMALL.test(file)))('the world of %s', (file) => {
  const scenario = libraryScenario(file);
  const plan = populate(scenario);
  const { deviceTypes, devices, gateways } = plan.network;
  // Rows of a file of places may make several types of a population.
  const owners = plan.owners?.deviceTypes ?? [];
  const isOwned = (type: number) => (owners[type] ?? '') !== '';
  const own = deviceTypes.filter((_, type) => isOwned(type));
  const usual = deviceTypes.filter((_, type) => !isOwned(type));

  it('has types of class A and C, of LoRaWAN 1.0 and 1.1, after those of its populations', () => {
    const names = scenario.devices.map(({ name }) => name);
    expect([...new Set(own.map(({ name }) => name))]).toEqual(names);
    expect(usual).toMatchObject([
      { name: 'Class A', deviceClass: 'A', activation: 'otaa' },
      { name: 'Class C', deviceClass: 'C', activation: 'otaa' },
      { name: 'Class A 1.1', deviceClass: 'A', lorawan: '1.1' },
      { name: 'Class C 1.1', deviceClass: 'C', lorawan: '1.1' },
    ]);
    for (const { lorawan } of usual.slice(0, 2)) expect(lorawan).toBeUndefined();
  });

  it('has no device of them; they are everybody’s, and the others their subscribers’', () => {
    expect(devices.every(({ type }) => isOwned(type))).toBe(true);
    expect(usual).toHaveLength(4);
  });

  it('has links as it had without them: none radiates more than what there was', () => {
    expect(strongest(usual)).toBeLessThanOrEqual(strongest([...own, ...gateways]));
  });
});
