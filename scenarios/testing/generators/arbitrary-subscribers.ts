/**
 * Several subscribers in generated worlds (fast-check). How many is one draw, the last of a world,
 * so that it shifts no other; whose a thing is follows from its EUI. Who has a thing asks for what
 * is done to it, so a network does the same for any owners.
 */
import * as fc from 'fast-check';
import { DEFAULT_SUBSCRIBER } from '../../../core/base/subscribers.ts';
import type { Command } from '../../../core/command.ts';
import type { PlatformCommand } from '../../../core/operations.ts';
import type { WorldPlan } from '../../../core/world/plan.ts';
import type { NetworkPlan } from '../../../sim/plan/network-plan.ts';

/** Subscribers who have something; 0: all is the default subscriber's, and nobody is named. */
export type Sharers = 0 | 1 | 2;

/** Mostly as it is in a file that names nobody. */
export const sharers: fc.Arbitrary<Sharers> = fc.constantFrom(0, 0, 0, 1, 2);

const NAMES = ['north', 'south'] as const;

/** Whose a device or gateway is: those of two subscribers alternate. */
export function ownerId(sharers: Sharers, eui: string): string {
  if (sharers === 0) return DEFAULT_SUBSCRIBER;
  const isEven = Number.parseInt(eui.slice(-1), 16) % 2 === 0;
  return NAMES[isEven && sharers === 2 ? 1 : 0];
}

/** Whose the things of a network are, for its world's plan. */
export function ownersIn(
  sharers: Sharers,
  { devices, gateways }: NetworkPlan,
): Pick<WorldPlan, 'owners'> {
  if (sharers === 0) return {};
  const owned = (eui: string) => [eui, ownerId(sharers, eui)] as const;
  return {
    owners: {
      devices: devices.map(({ devEui }) => owned(devEui)),
      gateways: gateways.map(({ eui }) => owned(eui)),
    },
  };
}

/** The command, asked for by who has the device or gateway that it is about. */
export function askedByOwner(sharers: Sharers, command: PlatformCommand): Command {
  return { ...command, by: ownerId(sharers, thingOf(command) ?? '') };
}

function thingOf(command: PlatformCommand): string | undefined {
  switch (command.kind) {
    case 'device.create':
      return command.device.devEui;
    case 'gateway.create':
      return command.gateway.eui;
    default:
      if ('devEui' in command) return command.devEui;
      return 'eui' in command ? command.eui : undefined;
  }
}
