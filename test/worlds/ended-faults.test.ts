/** Faults that have all ended leave every link as it is in a world that never had one. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PlatformCommand } from '../../core/operations.ts';
import { World } from '../../core/world/world.ts';
import { got } from '../core/resources/service.ts';
import { planOf } from '../core/resources/things.ts';
import { someRuns } from '../support/long.ts';
import { eui, MINUTE_US } from '../support/small-network.ts';

const [GATEWAYS, DEVICES] = [
  [eui('06', 1), eui('06', 2)],
  [eui('02', 1), eui('02', 2)],
];
const OF_GATEWAYS = ['backhaul', 'delay', 'radio', 'attenuation', 'noise'] as const;
const OF_DEVICES = ['radio', 'attenuation'] as const;
/** Shadowing makes each link one of its own. */
const PLAN = planOf({ devices: 2, gatewaysAt: [300, 900], radio: { shadowingSigmaDb: 7 } });

const strengths = fc.constantFrom(0.01, 3, 40, 200);
/** A strength belongs to an attenuation and to noise alone. */
const withStrength = <Given extends { readonly fault: string }>(given: fc.Arbitrary<Given>) =>
  fc.tuple(given, strengths).map(([one, decibels]) => {
    const isStrong = one.fault === 'attenuation' || one.fault === 'noise';
    return isStrong ? { ...one, decibels } : one;
  });
const place = fc.record({ xMeters: fc.integer({ min: 0, max: 2_000 }), yMeters: fc.constant(0) });
const gatewayFault = withStrength(
  fc.record({
    kind: fc.constant('gateway.fault' as const),
    eui: fc.constantFrom(...GATEWAYS),
    fault: fc.constantFrom(...OF_GATEWAYS),
    on: fc.boolean(),
  }),
);
const deviceFault = withStrength(
  fc.record({
    kind: fc.constant('device.fault' as const),
    devEui: fc.constantFrom(...DEVICES),
    fault: fc.constantFrom(...OF_DEVICES),
    on: fc.boolean(),
  }),
);
const gatewayMove = fc.record({
  kind: fc.constant('gateway.change' as const),
  eui: fc.constantFrom(...GATEWAYS),
  gateway: place,
});
const deviceMove = fc.record({
  kind: fc.constant('device.change' as const),
  devEui: fc.constantFrom(...DEVICES),
  device: place,
});
const commands = fc.array(fc.oneof(gatewayFault, deviceFault, gatewayMove, deviceMove), {
  minLength: 1,
  maxLength: 12,
});

const REPAIRS: readonly PlatformCommand[] = [
  ...GATEWAYS.flatMap((one) =>
    OF_GATEWAYS.map((fault) => ({ kind: 'gateway.repair', eui: one, fault }) as const),
  ),
  ...DEVICES.flatMap((devEui) =>
    OF_DEVICES.map((fault) => ({ kind: 'device.repair', devEui, fault }) as const),
  ),
];

const by = 'default';

/** Links of both devices after the commands, a minute apart. */
function linksAfter(given: readonly PlatformCommand[]) {
  const world = World.create(PLAN, 'seed');
  given.forEach((command, minute) => {
    world.runUntil(minute * MINUTE_US);
    expect(world.submit({ ...command, by })).toMatchObject({ ok: true });
  });
  expect(got(world.ask({ kind: 'fault.list', by })).faults).toEqual([]);
  return got(world.ask({ kind: 'device.truths', by })).data.map(({ links }) => links);
}

it('links are as they would be, whatever was on meanwhile and anyone who moved', () => {
  fc.assert(
    fc.property(commands, (given) => {
      const moves = given.filter(({ kind }) => kind.endsWith('.change'));
      expect(linksAfter([...given, ...REPAIRS])).toEqual(linksAfter(moves));
    }),
    { numRuns: someRuns(300) },
  );
});
