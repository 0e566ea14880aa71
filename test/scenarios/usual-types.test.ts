/** Device types that every world has, whatever its file says. */
import { describe, expect, it } from 'vitest';
import { populate } from '../../scenarios/filling/populate.ts';
import { LIBRARY_FILES, libraryScenario } from '../support/library.ts';

const strongest = (things: readonly { readonly maxEirpCentiDbm: number }[]) =>
  Math.max(...things.map(({ maxEirpCentiDbm }) => maxEirpCentiDbm));

describe.each(LIBRARY_FILES)('the world of %s', (file) => {
  const scenario = libraryScenario(file);
  const plan = populate(scenario);
  const { deviceTypes, devices, gateways } = plan.network;
  const own = deviceTypes.slice(0, scenario.devices.length);
  const usual = deviceTypes.slice(scenario.devices.length);

  it('has types of class A and C, of LoRaWAN 1.0 and 1.1, after those of its populations', () => {
    expect(own.map(({ name }) => name)).toEqual(scenario.devices.map(({ name }) => name));
    expect(usual).toMatchObject([
      { name: 'Class A', deviceClass: 'A', activation: 'otaa' },
      { name: 'Class C', deviceClass: 'C', activation: 'otaa' },
      { name: 'Class A 1.1', deviceClass: 'A', lorawan: '1.1' },
      { name: 'Class C 1.1', deviceClass: 'C', lorawan: '1.1' },
    ]);
    for (const { lorawan } of usual.slice(0, 2)) expect(lorawan).toBeUndefined();
  });

  it('has no device of them; they are everybody’s, and the others their subscribers’', () => {
    expect(devices.every(({ type }) => type < scenario.devices.length)).toBe(true);
    expect(plan.owners?.deviceTypes).toHaveLength(scenario.devices.length);
    expect(plan.owners?.deviceTypes).not.toContain('');
  });

  it('has links as it had without them: none radiates more than what there was', () => {
    expect(strongest(usual)).toBeLessThanOrEqual(strongest([...own, ...gateways]));
  });
});
