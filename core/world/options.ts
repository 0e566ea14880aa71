/** What a world may be given beside its plan and its seed; nothing of it changes an event. */
import {
  checkOptions,
  FLAG_OPTION,
  functionOption,
  type OptionRows,
  objectOption,
  textOption,
} from '../../sim/base/options.ts';
import type { ForwarderPort } from '../../sim/contract/forwarding.ts';
import type { News } from '../../sim/contract/news.ts';
import type { Observer } from '../../sim/observation/observer.ts';
import { Recorder } from '../../sim/observation/recorder.ts';
import type { StoryLogOptions } from '../../sim/observation/stories/story-log.ts';
import { packagesOf } from '../../sim/plan/packages-plan.ts';
import type { CodecEngine } from '../codecs/engine.ts';
import type { Effects } from '../delivery/deliveries/effects.ts';
import type { NewsAbout } from '../kit/resource.ts';
import type { CampaignSteps } from '../update-service/campaigns/step-rows.ts';
import { recorderOptions } from './columns-of-devices.ts';
import type { LogEntry } from './log.ts';
import type { RunPlan } from './plan.ts';

export interface WorldOptions {
  readonly observer?: Observer;
  /** Counts by device for a report; nobody else asks it. A fork has none. */
  readonly recorder?: Recorder;
  /**
   * Receives each entry of the log in the order of time, a command's before it is applied. The
   * world keeps no log: with plan and seed, what is written here is all there is to know.
   */
  readonly log?: (entry: LogEntry) => void;
  /**
   * Receives all news of the network with whose they are, in the order in which resources hear
   * them, after these. It only observes: its presence changes no event, no digest and no byte of a
   * snapshot. News are the receiver's own; nobody else looks at them again.
   */
  readonly news?: (news: News, about: NewsAbout) => void;
  /**
   * Receives what gateways send to a network server outside the simulator, where the plan has one.
   * It only observes, as `news` does; what that server requests is `World.transmit`.
   */
  readonly forwarder?: ForwarderPort;
  /**
   * Receives what leaves the world for output profiles and destinations, and what becomes of it
   * inside. It only observes, as `news` does; bodies of deliveries are made for it alone.
   */
  readonly effects?: Effects;
  /** Receives what campaigns do, step by step. It only observes, as `news` does. */
  readonly steps?: CampaignSteps;
  /**
   * Whether statistics, payloads and logs of devices are stored; true when absent. No event and no
   * digest depends on it, and a run without them takes less time.
   */
  readonly records?: boolean;
  /**
   * What runs codecs in JavaScript. A world that has such codecs does not start without it. What it
   * answers is the same on each machine.
   */
  readonly codecs?: CodecEngine;
  /**
   * Reports the world from others of its plan and seed, such as one that it was restored to: page
   * tokens of one are void in another.
   */
  readonly worldId?: string;
}

/** Who receives the steps of campaigns: the port, and who stores stories. */
export function stepsOf({ steps, recorder }: WorldOptions): CampaignSteps | undefined {
  const stories = recorder?.stories;
  if (stories === undefined) return steps;
  return (row) => {
    steps?.(row);
    stories.step(row);
  };
}

/** A recorder of the devices of a world of this plan, for its options. */
export const recorderFor = (plan: RunPlan): Recorder =>
  new Recorder({
    ...recorderOptions(plan),
    ...(plan.network.frames === 'counted' && { stories: storyOptions(plan) }),
  });

/** Transmissions with a story: a megabyte of each hundred thousand. */
const STORY_UPLINKS_MOST = 1_000_000;

/** Frames on the air are read in clear, so stories are of counted frames. */
function storyOptions({ network }: RunPlan): StoryLogOptions {
  const ports = network.deviceTypes.flatMap((type) => {
    const { clockSync, multicastSetup, fragmentation, firmwareManagement } = packagesOf(type);
    return [clockSync, multicastSetup, fragmentation, firmwareManagement].map(({ fPort }) => fPort);
  });
  return { ports: new Set(ports), uplinks: STORY_UPLINKS_MOST };
}

const WORLD_OPTIONS: OptionRows<WorldOptions> = {
  observer: objectOption('an object with trace(row)', 'trace'),
  recorder: objectOption('a recorder of devices', 'recordOf'),
  log: functionOption('a function of each entry of the log'),
  forwarder: objectOption('an object with forwarded(uplink) and answered(answer)', 'forwarded'),
  news: functionOption('a function of each piece of news, and of whose it is'),
  effects: functionOption('a function of each effect'),
  steps: functionOption('a function of each step of a campaign'),
  records: FLAG_OPTION,
  codecs: objectOption('an engine of codecs, such as codecEngine() of fleetwave/api', 'open'),
  worldId: textOption('a text'),
};

/** What a fork is watched by, which writes no log, no news and no effects. */
export const observedAs = ({
  recorder: _r,
  log: _,
  news: _n,
  forwarder: _f,
  effects: _e,
  steps: _s,
  ...seen
}: WorldOptions) => seen;

/** The options of a world, where there are such. Throws a TypeError about those that are none. */
export function checkedOptions(options: WorldOptions): WorldOptions {
  checkOptions('World', options, WORLD_OPTIONS);
  return options;
}
