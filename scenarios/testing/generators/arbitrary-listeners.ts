/**
 * Generated worlds of those who listen (fast-check). Energy is counted in all of them and some
 * batteries run empty. Devices are of class B among others, and the gateways with GPS time go away
 * for hours and come back.
 */
import * as fc from 'fast-check';
import { Owners } from '../../../core/base/subscribers.ts';
import type { TimedCommand } from '../../../core/command.ts';
import type { DeviceTypePlan, GatewayPlan } from '../../../sim/plan/network-plan.ts';
import { type ArbitraryWorld, type WorldLimits, worlds } from './arbitraries.ts';
import { energy } from './arbitrary-things.ts';

const HOUR_US = 3_600_000_000;
/** Long worlds have so much less traffic. */
const SLOWER = 20;

const USUAL_LIMITS: WorldLimits = { gateways: 3, devices: 8, minutes: 60, commands: 16 };

/** When the gateways with GPS time are away, permille of the run; from = until: they stay. */
const absence = fc
  .tuple(fc.nat(1000), fc.nat(1000))
  .map(([a, b]) => ({ from: Math.min(a, b), until: Math.max(a, b) }));

/**
 * Worlds of hours, with an absence of all gateways with GPS time. The first type of devices is of
 * class B; `minutes` bounds the stamps of the other commands.
 */
export function listeners(limits: Partial<WorldLimits> = {}): fc.Arbitrary<ArbitraryWorld> {
  return fc
    .record({
      world: worlds({ ...USUAL_LIMITS, ...limits }),
      hours: fc.integer({ min: 1, max: 12 }),
      absence,
      energies: fc.array(energy, { minLength: 3, maxLength: 3 }),
    })
    .map(({ world, hours, absence: away, energies }) => {
      const { network, timeline } = world.plan;
      const durationUs = Math.max(world.plan.durationUs, hours * HOUR_US);
      const [first, ...others] = network.gateways as [GatewayPlan, ...GatewayPlan[]];
      const gateways = [{ ...first, gps: true }, ...others];
      const deviceTypes = network.deviceTypes.map((type, i) =>
        counting(type, i === 0 ? 'B' : type.deviceClass, energies[i]!),
      );
      const owners = new Owners();
      if (world.plan.owners !== undefined) owners.plan(world.plan.owners);
      const ownerOf = (eui: string) => owners.ownerOf('gateway', eui);
      const asPlanned = (timed: TimedCommand) => withGps(timed, first.eui);
      const plan = {
        ...world.plan,
        durationUs,
        network: { ...network, gateways, deviceTypes },
        timeline: [
          ...timeline.map(asPlanned),
          ...comeAndGo(gateways, ownerOf, durationUs, away.from, away.until),
        ].sort((a, b) => a.atUs - b.atUs),
      };
      return { ...world, plan, commands: world.commands.map(asPlanned) };
    });
}

const counting = (
  type: DeviceTypePlan,
  deviceClass: DeviceTypePlan['deviceClass'],
  energyPlan: NonNullable<DeviceTypePlan['energy']>,
): DeviceTypePlan => ({
  ...type,
  deviceClass,
  energy: energyPlan,
  traffic: { ...type.traffic, meanUs: type.traffic.meanUs * SLOWER },
});

/** A gateway that a command brings back has GPS time as the plan's. */
const withGps = ({ atUs, command }: TimedCommand, eui: string): TimedCommand =>
  command.kind === 'gateway.create' && command.gateway.eui === eui
    ? { atUs, command: { ...command, gateway: { ...command.gateway, gps: true } } }
    : { atUs, command };

/** Every gateway with GPS time goes and comes back; one that a command took is refused as such. */
const comeAndGo = (
  gateways: readonly GatewayPlan[],
  ownerOf: (eui: string) => string,
  durationUs: number,
  from: number,
  until: number,
): TimedCommand[] =>
  from === until
    ? []
    : gateways
        .filter(({ gps }) => gps)
        .flatMap((gateway): TimedCommand[] => {
          const by = ownerOf(gateway.eui);
          return [
            {
              atUs: Math.floor((durationUs * from) / 1000),
              command: { kind: 'gateway.remove', by, eui: gateway.eui },
            },
            {
              atUs: Math.floor((durationUs * until) / 1000),
              command: { kind: 'gateway.create', by, gateway },
            },
          ];
        });
