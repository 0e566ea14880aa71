/** A scenario's timeline to commands with their stamps, in the order of time. */
import type { Command, TimedCommand } from '../../core/command.ts';
import type { Seed } from '../../sim/base/random.ts';
import type { DevicePlan, NetworkPlan } from '../../sim/plan/network-plan.ts';
import { type Placement, type Point, place } from '../language/placement.ts';
import type { Scenario, TimelineEntry } from '../language/schema.ts';
import { gatewayEui } from './identity.ts';
import { keyCommands } from './multicast-keys.ts';
import { gatewayPlan } from './plans.ts';
import { campaignCommands, updateCommands } from './updates.ts';

/** Makes the members of a population with these numbers. */
type Add = (
  type: number,
  numbers: readonly number[],
  placement: Placement | undefined,
) => readonly DevicePlan[];

/** The loader has seen that every device and gateway named here exists at its time. */
export function timelineOf(
  scenario: Scenario,
  network: NetworkPlan,
  add: Add,
  luck: Seed,
): TimedCommand[] {
  const updates = updateCommands(scenario, network, luck);
  const devEuis = new Map(network.devices.map(({ name, devEui }) => [name, devEui]));
  const euis = new Map(network.gateways.map(({ name, eui }) => [name, eui]));
  const sizes = scenario.devices.map(({ count = 1 }) => count);
  const grow = ({ population, count, placement }: NonNullable<TimelineEntry['addDevices']>) => {
    const type = scenario.devices.findIndex(({ name }) => name === population);
    const size = sizes[type] ?? 0;
    sizes[type] = size + count;
    const numbers = Array.from({ length: count }, (_, index) => size + index + 1);
    const devices = add(type, numbers, placement);
    const created = devices.map((device): Command => {
      devEuis.set(device.name, device.devEui);
      return { kind: 'device.create', device };
    });
    return [...created, ...keyCommands(scenario.devices[type]?.multicastKeys ?? 'own', devices)];
  };
  const build = (entry: NonNullable<TimelineEntry['addGateway']>): Command => {
    const centre: Point = { xMeters: 0, yMeters: 0 };
    const [point = centre] =
      entry.placement === undefined ? [centre] : place(entry.placement, [entry.name], luck);
    const gateway = gatewayPlan(entry, entry.name, gatewayEui(entry.name, 1), point);
    euis.set(gateway.name, gateway.eui);
    return { kind: 'gateway.create', gateway };
  };
  const commandsOf = (entry: TimelineEntry): Command[] => {
    const { downlink, addDevices, removeDevice, addGateway, removeGateway } = entry;
    if (downlink !== undefined) return [downlinkCommand(downlink, devEuis)];
    if (entry.switchClass !== undefined) {
      const { device, to } = entry.switchClass;
      return [{ kind: 'device.class', devEui: euiOf(device, devEuis), deviceClass: to }];
    }
    if (entry.macRequest !== undefined) {
      const { to, commands } = entry.macRequest;
      const devEui = euiOf(to, devEuis);
      return [{ kind: 'mac.request', devEui, commandsHex: commands.toLowerCase() }];
    }
    if (addDevices !== undefined) return grow(addDevices);
    if (addGateway !== undefined) return [build(addGateway)];
    if (removeDevice !== undefined) {
      return [{ kind: 'device.remove', devEui: euiOf(removeDevice, devEuis) }];
    }
    if (removeGateway !== undefined) {
      return [{ kind: 'gateway.remove', eui: euiOf(removeGateway, euis) }];
    }
    return campaignCommands(entry, scenario.start, (word) => euiOf(word, euis));
  };
  const entries = [...scenario.timeline]
    .sort((a, b) => a.at - b.at)
    .flatMap((entry) => commandsOf(entry).map((command) => ({ atUs: entry.at, command })));
  // Sorting keeps the order of equal times, so updates come before the timeline's own entries.
  return [...updates, ...entries].sort((a, b) => a.atUs - b.atUs);
}

function downlinkCommand(
  { to, fPort, payload, confirmed }: NonNullable<TimelineEntry['downlink']>,
  devEuis: ReadonlyMap<string, string>,
): Command {
  const devEui = euiOf(to, devEuis);
  return { kind: 'downlink.enqueue', devEui, fPort, payloadHex: payload.toLowerCase(), confirmed };
}

/** A word that is no name is the EUI itself. */
function euiOf(word: string, euis: ReadonlyMap<string, string>): string {
  return euis.get(word) ?? word.toUpperCase();
}
