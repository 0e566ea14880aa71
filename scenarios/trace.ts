/** Runs that are watched: a world is carried out, and all that its observer is shown is stored. */
import type { TimedCommand } from '../core/command.ts';
import type { RunResult } from '../core/result/result.ts';
import type { DEVICE } from '../core/simulator/fields.ts';
import { newGateway } from '../core/simulator/gateways.ts';
import type { WorldOptions } from '../core/world/options.ts';
import type { RunPlan } from '../core/world/plan.ts';
import { World } from '../core/world/world.ts';
import type { Input } from '../sim/base/rows/fields.ts';
import type { Observer, TraceRow } from '../sim/observation/observer.ts';
import type { DevicePlan, NetworkPlan } from '../sim/plan/network-plan.ts';

/** What happened in a world, to the last frame, and what the world was made of. */
export interface Trace {
  readonly rows: readonly TraceRow[];
  /** The network's plan with the devices and gateways that commands brought. */
  readonly network: NetworkPlan;
}

export interface WatchedRun {
  readonly result: RunResult;
  readonly trace: Trace;
}

/** An observer that keeps every row. */
export class Recorder implements Observer {
  readonly rows: TraceRow[] = [];

  trace(row: TraceRow): void {
    this.rows.push(row);
  }

  /** The rows since it was last asked; it keeps them no more. */
  take(): readonly TraceRow[] {
    return this.rows.splice(0);
  }
}

/**
 * Carries a world out to its end, with these commands at their stamps, and keeps its trace; it is
 * given what hears its platform's news, and what runs codecs.
 */
export function watchWorld(
  plan: RunPlan,
  seed: string,
  commands: readonly TimedCommand[] = [],
  { news, codecs }: Pick<WorldOptions, 'news' | 'codecs'> = {},
): WatchedRun {
  const observer = new Recorder();
  const world = World.create(plan, seed, optionsOf(observer, { news, codecs }));
  for (const { atUs, command } of commands) {
    world.runUntil(atUs);
    world.submit(command);
  }
  world.runUntil(world.endUs);
  const network = withLatecomers(plan.network, [...plan.timeline, ...commands]);
  return { result: world.result(), trace: { rows: observer.rows, network } };
}

type Beside = {
  readonly [Name in 'news' | 'codecs']?: WorldOptions[Name] | undefined;
};

const optionsOf = (observer: Observer, { news, codecs }: Beside): WorldOptions => ({
  observer,
  records: false,
  ...(news && { news }),
  ...(codecs && { codecs }),
});

/**
 * The rows of a world as they come: it goes on by one event when the next row is asked for, and not
 * at all when none is. What is derived at the end comes last; then the result is returned.
 */
export function* rowsOf(
  plan: RunPlan,
  seed: string,
  beside: Beside = {},
): Generator<TraceRow, RunResult, undefined> {
  const observer = new Recorder();
  const world = World.create(plan, seed, optionsOf(observer, beside));
  for (;;) {
    const isDone = world.runUntil(world.endUs, 1);
    yield* observer.take();
    if (isDone) break;
  }
  const result = world.result();
  yield* observer.take();
  return result;
}

/** The plan with what commands bring; what is in it already stands as it is. */
export function withLatecomers(
  network: NetworkPlan,
  commands: readonly TimedCommand[],
): NetworkPlan {
  const devices = new Map(network.devices.map((device) => [device.name, device]));
  const gateways = new Map(network.gateways.map((gateway) => [gateway.name, gateway]));
  for (const { command } of commands) {
    if (command.kind === 'device.create') {
      const device = latecomer(command.device);
      if (!devices.has(device.name)) devices.set(device.name, device);
    }
    if (command.kind === 'gateway.create') {
      const { eui } = command.gateway;
      const gateway = newGateway({ ...command.gateway, eui: eui.toUpperCase() });
      if (gateway.ok && !gateways.has(gateway.value.name)) {
        gateways.set(gateway.value.name, gateway.value);
      }
    }
  }
  return { ...network, devices: [...devices.values()], gateways: [...gateways.values()] };
}

/**
 * A device of a command. One whose place is left to the world stands in the middle here: of all
 * laws only that of listening before talk looks at places.
 */
function latecomer({ devEui: given, ...device }: Input<typeof DEVICE>): DevicePlan {
  const devEui = given.toUpperCase();
  const { name = devEui, type = 0, xMeters = 0, yMeters = 0 } = device;
  return { ...device, devEui, name, type, xMeters, yMeters };
}
