/**
 * The plan of a world whose network server is outside: the scenario's, from an instant of the
 * wall's clock on, with real frames, and without what its own server would be asked for.
 */

import type { TimedCommand } from '../../core/command.ts';
import { newGateway } from '../../core/simulator/gateways.ts';
import type { RunPlan } from '../../core/world/plan.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import type { Scenario } from '../../scenarios/schema/schema.ts';
import type { GatewayPlan } from '../../sim/plan/network-plan.ts';

export interface BridgedPlan {
  readonly plan: RunPlan;
  /** All that ever send to the server: those of the start, then those that the timeline adds. */
  readonly gateways: readonly GatewayPlan[];
  /** Kinds of timeline entries that were left out, since the outside server is to do such. */
  readonly leftOut: readonly string[];
}

/** Nouns of timeline commands that act on devices and gateways, and on nothing of a server. */
const PHYSICAL: ReadonlySet<string> = new Set(['device', 'gateway', 'behaviour', 'fault']);

/** `startUnixMs`: virtual time zero, ms since 1970. */
export function bridgedPlan(scenario: Scenario, seed: string, startUnixMs: number): BridgedPlan {
  const whole = populate({ ...scenario, start: startUnixMs, frames: 'real' }, seed);
  const isPhysical = (kind: string) => PHYSICAL.has(kind.split('.')[0]!);
  const { network, timeline } = whole;
  const leftOut = new Set(
    timeline.map(({ command }) => command.kind).filter((kind) => !isPhysical(kind)),
  );
  const plan: RunPlan = {
    ...whole,
    network: {
      ...network,
      gateways: network.gateways.map(asPacketForwarder),
      server: { ...network.server, outside: true },
    },
    timeline: timeline
      .filter(({ command }) => isPhysical(command.kind))
      .map(({ command, ...entry }) => ({ ...entry, command: withForwarder(command) })),
  };
  return { plan, gateways: gatewaysOf(plan), leftOut: [...leftOut].sort() };
}

/** Those of the start, in their order, then those that the timeline adds, each EUI once. */
export function gatewaysOf({ network, timeline }: RunPlan): readonly GatewayPlan[] {
  const byEui = new Map(network.gateways.map((gateway) => [gateway.eui, gateway]));
  for (const { command } of timeline) {
    if (command.kind !== 'gateway.create') continue;
    const gateway = newGateway(command.gateway);
    if (gateway.ok && !byEui.has(gateway.value.eui)) byEui.set(gateway.value.eui, gateway.value);
  }
  return [...byEui.values()];
}

const withForwarder = (command: TimedCommand['command']): TimedCommand['command'] =>
  command.kind === 'gateway.create'
    ? { ...command, gateway: asPacketForwarder(command.gateway) }
    : command;

/**
 * It does not put frames off, as a Basics Station does. It has a queue, and answers what this does
 * not take.
 */
function asPacketForwarder<Gateway extends Forwarding>({
  refusesOverBudget: _,
  queueWords,
  ...gateway
}: Gateway) {
  return queueWords === 'packetForwarder' ? { ...gateway, queueWords } : gateway;
}

type Forwarding = Pick<GatewayPlan, 'refusesOverBudget' | 'queueWords'>;
