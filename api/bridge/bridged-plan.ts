/**
 * The plan of a world whose network server is outside: the scenario's, from an instant of the
 * wall's clock on, with real frames, and without what its own server would be asked for.
 */

import type { RunPlan } from '../../core/world/plan.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import type { Scenario } from '../../scenarios/schema/schema.ts';
import type { GatewayPlan } from '../../sim/plan/network-plan.ts';

export interface BridgedPlan {
  readonly plan: RunPlan;
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
    timeline: timeline.filter(({ command }) => isPhysical(command.kind)),
  };
  return { plan, leftOut: [...leftOut].sort() };
}

/**
 * It does not put frames off, as a Basics Station does. It has a queue, and answers what this does
 * not take.
 */
function asPacketForwarder({ refusesOverBudget: _, queueWords, ...gateway }: GatewayPlan) {
  return queueWords === 'packetForwarder' ? { ...gateway, queueWords } : gateway;
}
