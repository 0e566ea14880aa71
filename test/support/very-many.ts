/** Worlds of very many things, and what commands, queries and events of them cost. */
import type { Command } from '../../core/command.ts';
import type { Answers, PlatformCommand, PlatformQuery } from '../../core/operations.ts';
import type { Query } from '../../core/query.ts';
import { World } from '../../core/world/world.ts';
import type { Result } from '../../sim/base/result.ts';
import { USUAL_PACKAGES } from '../../sim/plan/packages-plan.ts';
import { type Costs, costMs } from './cost.ts';
import { eui, HOUR_US, networkOf, type Wanted } from './small-network.ts';

/** Of each record in the small world; ten thousand in the large one. */
export const FEW = 1_250;
export const NORTH = eui('06', 1);
export const deviceOf = (i: number) => eui('02', i + 1);
export const devicesOf = (count: number) => Array.from({ length: count }, (_, i) => deviceOf(i));
export const IMAGE = 'app-1.2.3.bin';

/** A world whose devices are Ann's, with a gateway of hers and one of Bob's. */
export class Served {
  readonly world: World;

  constructor(devices: number, wanted: Wanted = {}) {
    const traffic = { meanUs: HOUR_US, jitterPpm: 100_000 };
    const type = {
      deviceClass: 'C' as const,
      packages: { ...USUAL_PACKAGES, versionReportsUs: 6 * HOUR_US },
    };
    const network = networkOf({ traffic, type, ...wanted, devices, gatewaysAt: [100, 110] });
    const owners = {
      devices: network.devices.map(({ devEui }) => [devEui, 'ann'] as const),
      gateways: [[NORTH, 'ann'] as const, [eui('06', 2), 'bob'] as const],
    };
    const startUnixMs = 1_767_225_600_000;
    const plan = { name: 'many', description: '', network: { ...network, startUnixMs }, owners };
    this.world = World.create({ ...plan, timeline: [] }, 'many');
    for (const by of ['ann', 'bob']) {
      this.do(by, { kind: 'image.create', name: IMAGE, bytes: new Uint8Array(100) });
    }
  }

  do<Given extends PlatformCommand>(by: string, command: Given): Answers[Given['kind']] {
    return got(this.world.submit({ ...command, by } as unknown as Command));
  }

  ask<Asked extends PlatformQuery>(by: string, query: Asked): Answers[Asked['kind']] {
    return got(this.world.ask({ ...query, by } as unknown as Query));
  }

  go(forUs: number): void {
    this.world.runUntil(this.world.nowUs + forUs);
  }

  /** Goes on for a while, event by event: what all of them cost, and the longest, ms. */
  going(what: string, forUs: number): Costs {
    const untilUs = this.world.nowUs + forUs;
    let [all, longest] = [0, 0];
    for (let isDone = false; !isDone; ) {
      const cost = costMs(() => {
        isDone = this.world.runUntil(untilUs, 1);
      });
      all += cost;
      longest = Math.max(longest, cost);
    }
    return { [what]: all, [`${what}, the longest event`]: longest };
  }
}

export function got<Value>(answer: unknown): Value {
  const result = answer as Result<Value>;
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`);
  return result.value;
}

/** What several cost together, ms. */
export const costOfAll = (count: number, work: (i: number) => void): number =>
  costMs(() => {
    for (let i = 0; i < count; i++) work(i);
  });
