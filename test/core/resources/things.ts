/** A small world, for tests of resources that act on the network. */
import type { Command } from '../../../core/command.ts';
import type { LogEntry } from '../../../core/world/log.ts';
import type { WorldPlan } from '../../../core/world/plan.ts';
import { World } from '../../../core/world/world.ts';
import { HOUR_US, networkOf, type Wanted } from '../../support/small-network.ts';

/** An empty world of one device type, unless more is wanted. */
export function planOf(wanted: Wanted = { devices: 0, gatewaysAt: [] }): WorldPlan {
  const network = networkOf(wanted);
  const startUnixMs = 1_767_225_600_000;
  return {
    name: 'x',
    description: '',
    durationUs: HOUR_US,
    network: { ...network, startUnixMs },
    timeline: [],
  };
}

export interface Logged {
  readonly world: World;
  readonly log: readonly LogEntry[];
}

export function logged(plan: WorldPlan = planOf(), seed = 'seed'): Logged {
  const log: LogEntry[] = [];
  return { world: World.create(plan, seed, { log: (entry) => log.push(entry) }), log };
}

export const emptyWorld = (seed = 'seed'): World => logged(planOf(), seed).world;

/** The code of the failure that a command meets; '' when it is carried out. */
export function codeOf(world: World, command: Command): string {
  const answer = world.submit(command);
  return answer.ok ? '' : answer.failure.code;
}

/** What is no value of any field of devices and gateways, unless its row allows it. */
export const GARBAGE: readonly unknown[] = [
  null,
  true,
  '',
  'zz',
  '\u0000',
  '\ud800',
  'x'.repeat(300),
  -1,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  1e300,
  {},
  [],
  Array.from({ length: 1_000 }, () => 1),
  () => 0,
];
