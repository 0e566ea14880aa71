/** Notation for news: what a world reports, beside the trace of the same run. */
import type { NewsAbout } from '../../core/kit/resource.ts';
import type { RunPlan } from '../../core/world/plan.ts';
import { type Run, World } from '../../core/world/world.ts';
import type { ArbitraryWorld } from '../../scenarios/testing/generators/arbitraries.ts';
import type { FrameDown, FrameUp } from '../../sim/contract/frames.ts';
import type { News } from '../../sim/contract/news.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { Trace } from './small-network.ts';
import { carryOut } from './worlds.ts';

export interface Response {
  readonly news: News;
  readonly owner: string;
  readonly nowUs: number;
}

/** A port that keeps all it receives. */
export class Listener {
  readonly reported: Response[] = [];

  readonly news = (news: News, { owner, nowUs }: NewsAbout): void => {
    this.reported.push({ news, owner, nowUs });
  };

  of<Kind extends News['kind']>(kind: Kind): Extract<News, { kind: Kind }>[] {
    return this.reported.flatMap(({ news }) =>
      news.kind === kind ? [news as Extract<News, { kind: Kind }>] : [],
    );
  }

  get ups(): FrameUp[] {
    return this.of('frameUp').map(({ frame }) => frame);
  }

  get downs(): FrameDown[] {
    return this.of('frameDown').map(({ frame }) => frame);
  }
}

export interface HeardRun {
  readonly listener: Listener;
  readonly trace: Trace;
  readonly world: Run;
}

/** Runs a generated world, its commands at their stamps, and listens to it. */
export function hear(world: ArbitraryWorld): HeardRun {
  const [listening, trace] = [new Listener(), new Trace()];
  return {
    listener: listening,
    trace,
    world: carryOut(world, undefined, { news: listening.news, observer: trace }),
  };
}

/** The same of a network with a timeline. */
export function hearNetwork(
  network: NetworkPlan,
  durationUs: number,
  timeline: RunPlan['timeline'] = [],
  owners?: RunPlan['owners'],
): HeardRun {
  const [listening, trace] = [new Listener(), new Trace()];
  const plan = { name: 'small', description: '', durationUs, network, timeline };
  const world = World.create({ ...plan, ...(owners && { owners }) }, 'small', {
    news: listening.news,
    observer: trace,
  });
  world.runUntil(durationUs);
  return { listener: listening, trace, world };
}
