/** The laws of a town: an example of a user’s own property tests. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  checkInvariants,
  runScenario,
  runWorld,
  scenarioTexts,
  worlds,
} from '../../scenarios/testing/testing.ts';

const TOWN = `
  scenario: town
  duration: 1 h
  area: { radius: 2 km }
  gateways: [{ name: roof, count: 2 }]
  devices:
    - { name: meter, count: 20, joinWithin: 10 min, traffic: { every: 10 min } }
`;

it('joins every meter of the town, whatever the seed', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (seed) => {
      const { result } = runScenario(TOWN, { seed });
      expect(result.devices.joined).toBe(20);
    }),
    { numRuns: 10 },
  );
});

it('delivers most messages, however many meters there are', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), (count) => {
      const { result } = runScenario(TOWN, { set: [`devices.meter.count=${count}`] });
      const { messages, messagesDelivered } = result.devices;
      expect(messagesDelivered / messages).toBeGreaterThan(0.9);
    }),
    { numRuns: 10 },
  );
});

it('keeps the rules of the air, in this town and in any other', () => {
  expect(checkInvariants(runScenario(TOWN).trace)).toEqual({});
  fc.assert(
    fc.property(scenarioTexts, (text) => {
      expect(checkInvariants(runScenario(text).trace)).toEqual({});
    }),
    { numRuns: 10 },
  );
});

it('runs the same way twice', () => {
  fc.assert(
    fc.property(worlds(), (world) => {
      expect(runWorld(world)).toEqual(runWorld(world));
    }),
    { numRuns: 10 },
  );
});
