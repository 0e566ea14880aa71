/**
 * Campaigns that begin when an earlier one is over, if enough of its devices have confirmed the
 * update (docs/decisions/0074). What is to begin is stored as it was asked for; whenever the
 * earlier campaign is over, it is judged, and created as its subscriber would create it. One that
 * was held back is judged again when the earlier campaign was restarted and is over once more.
 * Until it begins it can be called off.
 */
import { fail, ok } from '../../sim/base/result.ts';
import { MILLION, SECOND_US } from '../../sim/base/units.ts';
import type { Fold } from '../base/fold.ts';
import { UUID, UUID_GIVEN } from '../base/ids.ts';
import { instantOf } from '../base/instant.ts';
import { keyOfOwned, Store } from '../base/store.ts';
import { type Asking, DEFAULT_SUBSCRIBER } from '../base/subscribers.ts';
import { declareResource, handlers, type Operations, type Surroundings } from '../kit/resource.ts';
import type { EarlierCampaign, FollowUpResult } from '../result/result.ts';
import { record, responseField } from '../rows/answers.ts';
import { body, uuid } from '../rows/fields.ts';
import type { Campaigns } from './campaigns/campaigns.ts';
import { CAMPAIGN, type GivenCampaign } from './campaigns/commands.ts';

/** Plain data that is never changed in place. */
export interface FollowUp {
  readonly owner: string;
  /** Of the campaign, from before it is one. */
  readonly id: string;
  /** From 1, among its owner's: of those that wait for one campaign, the first is created first. */
  readonly number: number;
  readonly input: GivenCampaign;
  /** The earlier campaign, by its id, and what it is called. */
  readonly after: string;
  readonly earlier: string;
  /** How many of its devices are to have confirmed, and which share of them, in millionths. */
  readonly leastUpdated: number;
  readonly leastUpdatedPpm: number;
  readonly stage: Stage;
  /** Why its campaign was refused; empty otherwise. */
  readonly refusal: string;
  /** Absent: it was not. */
  readonly calledOffAtUs?: number;
  /** Of the earlier campaign when that was over last; zeros before. */
  readonly devices: number;
  readonly updated: number;
}

/** Refused: it was time, and no such campaign can be created. */
type Stage = FollowUpResult['stage'];

const OPERATIONS = {
  'followUp.create': {
    verb: 'create',
    takes: {
      campaign: { ...body(CAMPAIGN), failure: 'campaign.invalid' },
      id: UUID_GIVEN,
      after: uuid('The earlier campaign, or one that is itself to follow another, by its id.'),
      least_updated: {
        type: 'whole',
        least: 0,
        most: 1_000_000,
        default: 0,
        is: 'How many devices of the earlier campaign have to have confirmed the update.',
      },
      least_updated_share: {
        type: 'number',
        unit: 'share',
        least: 0,
        most: 1,
        default: 0,
        is: 'Which share of them has to have confirmed it, to a millionth.',
      },
    },
    answers: record({
      campaign_id: responseField({ ...UUID, is: 'The id that the campaign will have.' }),
    }),
    fails: ['campaign.unknown', 'campaign.exists'],
    is:
      'Creates a campaign when an earlier one is over, if enough of its devices are updated; one ' +
      'that is scheduled earlier than that starts at once.',
  },
} as const satisfies Operations;

export interface FollowUpNeeds extends Pick<Surroundings, 'ids' | 'viewOf'> {
  readonly campaign: Pick<
    Campaigns,
    'create' | 'isRunning' | 'fatesOf' | 'has' | 'nameOf' | 'waitsFor'
  >;
}

export class FollowUps {
  readonly #needs: FollowUpNeeds;
  readonly #records = new Store('followUps', ({ id }: FollowUp) => id, {
    after: ({ owner, after }: FollowUp) => [keyOfOwned(owner, after)],
  });

  readonly handle = handlers(OPERATIONS, {
    'followUp.create': ({ campaign: input, id: given, after, ...least }, asking) => {
      const { by: owner, nowUs } = asking;
      const earlier = this.#nameOf(owner, after);
      if (earlier === undefined) {
        return fail('campaign.unknown', `There is no campaign ${after}.`, '/after');
      }
      if (given !== undefined && this.#isTaken(given)) {
        return fail('campaign.exists', `There is a campaign ${given}.`, '/id');
      }
      const id = given ?? this.#needs.ids.uuid((each) => this.#isTaken(each));
      const followUp: FollowUp = {
        owner,
        id,
        number: this.#records.count(owner) + 1,
        input,
        after,
        earlier,
        leastUpdated: least.least_updated ?? 0,
        leastUpdatedPpm: Math.round((least.least_updated_share ?? 0) * MILLION),
        stage: 'waiting',
        refusal: '',
        devices: 0,
        updated: 0,
      };
      this.#records.put(followUp);
      if (this.#needs.campaign.isRunning(owner, after) === false) this.#judge(followUp, nowUs);
      return ok({ campaign_id: id });
    },
  });

  constructor(needs: FollowUpNeeds) {
    this.#needs = needs;
  }

  /** A campaign of an owner is over, or over once more. */
  earlierIsOver(owner: string, campaignId: string, nowUs: number): void {
    const waiting = this.#records.by('after', keyOfOwned(owner, campaignId));
    for (const each of [...waiting].sort((a, b) => a.number - b.number)) {
      if (mayBegin(each)) this.#judge(each, nowUs);
    }
  }

  /** Whether it had not begun; it will not any more. */
  callOff(owner: string, id: string, nowUs: number): boolean {
    const followUp = this.#records.get(owner, id);
    if (followUp === undefined || !mayBegin(followUp)) return false;
    this.#records.put({ ...followUp, stage: 'called off', calledOffAtUs: nowUs });
    return true;
  }

  /** The earlier campaign is over. */
  #judge(followUp: FollowUp, nowUs: number): void {
    const { owner, id, after, input, leastUpdated, leastUpdatedPpm } = followUp;
    const fates = this.#needs.campaign.fatesOf(owner, after);
    const devices = fates.length;
    const updated = fates.filter(({ fate }) => fate === 'success').length;
    const judged = { ...followUp, devices, updated, refusal: '' };
    if (updated < leastUpdated || updated * MILLION < leastUpdatedPpm * devices) {
      this.#records.put({ ...judged, stage: 'held back' });
      return;
    }
    const asking = { by: owner, nowUs, view: this.#needs.viewOf(owner) };
    const created = this.#needs.campaign.create(startingAtOnce(input, asking), id, asking);
    if (created.ok) this.#records.put({ ...judged, stage: 'started' });
    else this.#records.put({ ...judged, stage: 'refused', refusal: created.failure.message });
  }

  #isTaken(id: string): boolean {
    return this.#needs.campaign.has(id) || this.#records.ofAnybody(id) !== undefined;
  }

  /** Of a campaign, or of one that is to be. */
  #nameOf(owner: string, id: string): string | undefined {
    return this.#records.get(owner, id)?.input.name ?? this.#needs.campaign.nameOf(owner, id);
  }

  /** Where the earlier campaign of one that waits stands. */
  #earlierOf({ owner, after }: FollowUp): EarlierCampaign {
    const { campaign } = this.#needs;
    const wait = campaign.waitsFor(owner, after);
    if (wait !== undefined) {
      return 'status' in wait
        ? { is: 'held up', status: wait.status }
        : { is: 'to start', atSeconds: wait.startsAtUs / SECOND_US };
    }
    return { is: campaign.isRunning(owner, after) === undefined ? 'following' : 'running' };
  }

  // ── operations ───────────────────────────────────────────────────────────────────────────────

  stageOf(owner: string, id: string): Stage | undefined {
    return this.#records.get(owner, id)?.stage;
  }

  /** By owner, and in the order of their creation. */
  results(): FollowUpResult[] {
    return [...this.#records.all()]
      .sort((a, b) => (a.owner === b.owner ? a.number - b.number : 0))
      .map((each) => {
        const { owner, input, earlier, leastUpdated, leastUpdatedPpm, stage, refusal } = each;
        const stands = stage === 'waiting' ? this.#earlierOf(each) : undefined;
        return {
          name: input.name,
          ...(owner === DEFAULT_SUBSCRIBER ? {} : { subscriber: owner }),
          after: earlier,
          leastUpdated,
          leastUpdatedShare: leastUpdatedPpm / MILLION,
          stage,
          refusal,
          ...(each.calledOffAtUs !== undefined && {
            calledOffAtSeconds: each.calledOffAtUs / SECOND_US,
          }),
          ...(stands && { earlier: stands }),
          devices: each.devices,
          updated: each.updated,
        };
      });
  }

  // ── saving ─────────────────────────────────────────────────────────────────────────────────────

  fold(fold: Fold): void {
    this.#records.saving.fold(fold);
  }

  save(): readonly FollowUp[] {
    return this.#records.saving.save();
  }

  load(saved: readonly FollowUp[]): void {
    this.#records.saving.load(saved);
  }
}

/** Neither begun nor called off. */
const mayBegin = ({ stage }: FollowUp): boolean => stage !== 'started' && stage !== 'called off';

/** A start that has passed by the time at which a campaign is created is no start. */
function startingAtOnce(input: GivenCampaign, { view, nowUs }: Asking): GivenCampaign {
  const { scheduled_start_at: start, ...others } = input;
  if (start === undefined || instantOf(start) > view.unixMs(nowUs)) return input;
  return others;
}

export const followUpResource = declareResource({
  name: 'followUp',
  is: 'Campaigns that begin when another one ends.',
  permission: 'Device',
  failures: {},
  operations: OPERATIONS,
  make: (needs: FollowUpNeeds) => new FollowUps(needs),
});
