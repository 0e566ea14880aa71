/**
 * What a host may look at between and within the slices of a world, at any event: nothing is
 * admitted and nothing copied, and nothing changes that a digest or a snapshot sees.
 */

import type { StoryKeeper } from '../../sim/contract/stories.ts';
import type { RecordedDevice } from '../../sim/contract/summary.ts';
import type { DeviceGroundTruth } from '../../sim/contract/truth.ts';
import type { OwnView } from '../base/subscribers.ts';
import type { Way } from '../delivery/targets/kinds.ts';
import type { Resource } from '../kit/resource.ts';
import type { Resources } from '../operations.ts';
import type { RunColumns } from '../result/columns.ts';
import type { CampaignDevice } from '../result/outcome.ts';
import type { WorldResult } from '../result/result.ts';
import { recordedColumns } from './columns-of-devices.ts';
import { DeviceOutcomes } from './device-outcomes.ts';
import type { WorldPlan } from './plan.ts';
import type { RadioGroundTruth } from './radio-truth.ts';
import { storiesOf } from './run-stories.ts';
import type { RunStories } from './story-format.ts';
import type { Timeline } from './timeline.ts';

/** The platform. */
interface Asked {
  readonly resources: Resources;
  viewOf(subscriber: string): OwnView;
}

/** Of the living network. */
interface Seen {
  readonly hasDownlinks: boolean;
  unixMs(atUs: number): number;
  worldUsOfUnixMs(unixMs: number): number;
  recordedDevices(): { readonly total: number; readonly recorded: readonly RecordedDevice[] };
  stations(): RunStories['gateways'];
  deviceGroundTruths(devEuis: readonly string[]): readonly DeviceGroundTruth[];
}

/** What is due. */
interface Due {
  readonly nextUs: number;
}

/** Stages that a campaign has been in. */
export type CampaignStages = NonNullable<ReturnType<Resources['campaign']['stagesOf']>>;

/** Accounts that may log in at a host, and their secrets. */
export interface WorldAccounts {
  readonly subscriber: Pick<
    Resources['subscriber'],
    'all' | 'of' | 'isKnown' | 'nextId' | 'answerOf'
  >;
  readonly application: Pick<Resources['application'], 'list' | 'client'>;
  readonly account: Pick<
    Resources['account'],
    'user' | 'userOf' | 'isUser' | 'permissionsOf' | 'hasChosenPasswords'
  >;
}

/** An entry, and whose it is. */
export type OwnLogEntry = { readonly Subscriber: string } & (ReturnType<
  Resources['log']['entriesOf']
> extends Iterable<infer Entry>
  ? Entry
  : never);

export class WorldFacts {
  readonly accounts: WorldAccounts;
  readonly #platform: Asked;
  readonly #campaigns: Resources['campaign'];
  readonly #log: Resources['log'];
  /** Resources that may have something to come or underway. */
  readonly #active: readonly Resource[];
  readonly #network: Seen;
  readonly #agenda: Due;
  readonly #timeline: Timeline;
  /** Of devices in campaigns; the world has to stand still while they are looked at. */
  readonly outcomes: DeviceOutcomes;

  constructor(
    platform: Asked,
    network: Seen & ConstructorParameters<typeof DeviceOutcomes>[1],
    agenda: Due,
    timeline: Timeline,
    groundTruth: Pick<RadioGroundTruth, 'activated'>,
  ) {
    const { resources } = platform;
    this.#platform = platform;
    this.accounts = resources;
    this.#campaigns = resources.campaign;
    this.#log = resources.log;
    this.#active = Object.values<Resource>(resources).filter((each) => 'isIdle' in each);
    this.#network = network;
    this.#agenda = agenda;
    this.#timeline = timeline;
    this.outcomes = new DeviceOutcomes(resources.campaign, network, groundTruth.activated);
  }

  /**
   * What the recorder of a world of this plan has counted of devices, for the report on its result;
   * without a recorder none. `seen`: all outcomes of devices, where somebody has them already. The
   * world has to stand still.
   */
  columns(
    plan: WorldPlan,
    { digest }: Pick<WorldResult, 'digest'>,
    seen?: readonly CampaignDevice[],
  ): RunColumns {
    const of = { digest, ...(seen && { seen }) };
    return recordedColumns(plan, this.#network.recordedDevices(), this.outcomes, of);
  }

  /**
   * What a recorder of this world has stored for the stories of its devices; undefined where it
   * has none, or not all. `seen` as above. The world has to stand still.
   */
  stories(
    recorder: StoryKeeper,
    { digest }: Pick<WorldResult, 'digest'>,
    seen?: readonly CampaignDevice[],
  ): RunStories | undefined {
    return storiesOf(recorder, this.#network, { digest, outcomes: seen ?? this.outcomes.all() });
  }

  /**
   * Every entry that is stored of the logs, as it is reported at an instant: those of one
   * subscriber after those of another, the oldest first, each when it is asked for. The world has
   * to stand still.
   */
  *logEntries(nowUs: number): Iterable<OwnLogEntry> {
    for (const Subscriber of this.#log.subscribers()) {
      for (const entry of this.#log.entriesOf(Subscriber, nowUs)) yield { Subscriber, ...entry };
    }
  }

  /** Whether a gateway is in service, and the subscriber's own. */
  seesGateway(subscriber: string, eui: string): boolean {
    return this.#platform.viewOf(subscriber).gateway(eui) !== undefined;
  }

  /** How a target of deliveries is reached now, secrets in clear; undefined: there is none. */
  wayTo(owner: string, target: string): Way | undefined {
    return this.#platform.resources.delivery.wayTo(owner, target);
  }

  /** Ordinal of the last delivery that there was to make; 0: there was none. */
  get latestDelivery(): number {
    return this.#platform.resources.delivery.latestOrdinal;
  }

  /** UTC of a virtual instant, whole ms since 1970. */
  unixMsOf(atUs: number): number {
    return this.#network.unixMs(atUs);
  }

  /** The virtual instant, µs, of a UTC time in ms since 1970; negative before the start. */
  instantOf(unixMs: number): number {
    return this.#network.worldUsOfUnixMs(unixMs);
  }

  /** No event and no timeline entry is due before this instant, µs; Infinity: none is left. */
  get nextUs(): number {
    return Math.min(this.#agenda.nextUs, this.#timeline.nextUs);
  }

  /**
   * Whether nothing is to come or underway that somebody may wait for. That is a campaign that is
   * not over, or is being cleared up or deleted, or a managed campaign that is not finished. It is
   * a job with a pending device, too, and an application downlink. O(1), but for a look at every
   * gateway where all else is idle.
   */
  get isIdle(): boolean {
    for (const resource of this.#active) if (resource.isIdle === false) return false;
    return !this.#network.hasDownlinks;
  }

  /**
   * Stages of a subscriber's campaign so far with their instants, the latest last: the campaign's
   * own list, which grows. Undefined: there is no such campaign. O(1).
   */
  stagesOf(by: string, campaignId: string): CampaignStages | undefined {
    return this.#campaigns.stagesOf(by, campaignId);
  }
}
