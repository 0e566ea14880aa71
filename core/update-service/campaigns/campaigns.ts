/**
 * Campaigns: the resource of firmware update campaigns, with its operations and listeners. START
 * HERE; campaign.ts has one campaign, all-campaigns.ts what several have to do with each other.
 *
 * Problem: a campaign talks to many devices over days, each at its own pace, and several campaigns
 * may want the same device or the same air.
 *
 * Approach: an operation checks the request and calls functions of campaign.ts. The listeners pass
 * an uplink, a downlink state or a timer to the campaigns it concerns. A campaign keeps its members
 * in columns, and works through them in slices, so that no event takes long. A campaign whose
 * devices are in another active campaign is accepted. It stays in WAITING_FOR_START, names the
 * other one in `status`, and begins when that has finished.
 *
 * Rejected: refusal at creation. The group may change until the start, and next week's campaign is
 * legitimate. Two campaigns at once on a device: it has one radio and one place for an image, so
 * the second image would replace the first. Failure of the shared devices: no document has a reason
 * for it (docs/decisions/0024).
 *
 * Fragments of a campaign avoid those of others on the air: shared-air.ts.
 */
import { assert } from '../../../sim/base/assert.ts';
import { fail, ok } from '../../../sim/base/result.ts';
import type { ReceivedUplink } from '../../../sim/contract/news.ts';
import { type Fold, foldField } from '../../base/fold.ts';
import { NEVER_US } from '../../base/instant.ts';
import { copyPlain } from '../../base/plain.ts';
import { SLICE_PAUSE_US } from '../../base/slices.ts';
import type { Asking } from '../../base/subscribers.ts';
import { declareResource, done, handlers, type Listeners, meanwhile } from '../../kit/resource.ts';
import type { CampaignProgress, CampaignResult } from '../../result/result.ts';
import { listedGateways } from '../gateway-choice.ts';
import { AllCampaigns, type CampaignAttempt, type SavedLeaving } from './all-campaigns.ts';
import {
  halt,
  INITIALIZING_US,
  isDeleted,
  onDownlink,
  onMemberRemoved,
  onMulticast,
  onStart,
  onTimer,
  onUplink,
  remove,
  restart,
} from './campaign.ts';
import { CAMPAIGN_FAILURES, type GivenCampaign, type GivenRestart } from './commands.ts';
import type { Campaign } from './context.ts';
import { admit, type CampaignNeeds, campaignOf } from './creation.ts';
import { allMembers, type Member, memberCount } from './member.ts';
import { OPERATIONS } from './operations.ts';
import { type BelievedOutcome, outcomeOf } from './outcome.ts';
import { blockReceivedAns, readAnswers } from './payloads.ts';
import type { Plan } from './plan.ts';
import { refuseRestart, sendersOf } from './restarts.ts';
import { planFor } from './rounds.ts';
import { placedPlan } from './session-place.ts';
import { restartedSettings } from './settings.ts';
import { isBeforeARound, isOver } from './stages.ts';
import { type CampaignState, newCampaign } from './state.ts';
import {
  begunStatus,
  bulkStatus,
  campaignSummary,
  fullStatus,
  partialStatus,
  shortStatus,
} from './status.ts';
import { warningsOf } from './warnings.ts';

/** What became of a member of a campaign so far. */
export interface MemberFate extends Pick<Member, 'devEui' | 'fate' | 'reason' | 'endedAtUs'> {
  /** 16 hexadecimal digits that it reported last in the campaign; null: none. */
  readonly version: string | null;
}

/** What it takes to decide whether a rebuilt block is the image. */
export interface ImageInUse {
  readonly bytes: Uint8Array;
  readonly nbFrag: number;
  readonly fragSize: number;
  /** Bytes of the last fragment that are not the image's. */
  readonly padding: number;
  /** Of TS004: it decides the parity matrix. */
  readonly version: 1 | 2;
}

/** Plain data. */
export interface SavedCampaigns {
  readonly campaigns: readonly CampaignState[];
  /** What is still to be cleared up of campaigns that are gone. */
  readonly leaving: SavedLeaving;
  /** Campaigns created so far. */
  readonly latestNumber: number;
  /** Rounds that campaigns have begun so far. */
  readonly roundsBegun: number;
}

export class Campaigns {
  readonly #needs: CampaignNeeds;
  #all: AllCampaigns;
  /** Numbers are never used again. */
  #latestNumber = 0;

  readonly handle = handlers(OPERATIONS, {
    'campaign.create': ({ campaign, id }, asking) => this.create(campaign, id, asking),
    'campaign.list': (_, { by, view }) =>
      ok(this.#all.ofOwner(by).map(({ state }) => campaignSummary(state, view))),
    'campaign.get': ({ campaign_id }, { by, view, nowUs }) =>
      this.#answer(by, campaign_id, (campaign) =>
        fullStatus(campaign.state, foreseenWarnings(campaign, nowUs), view),
      ),
    'campaign.shortStatus': ({ campaign_id }, { by }) =>
      this.#answer(by, campaign_id, ({ state }) => shortStatus(state)),
    'campaign.bulkStatus': ({ campaign_ids }, { by }) => {
      const found = campaign_ids.flatMap((id) => this.#all.find(by, id) ?? []);
      return ok(Object.fromEntries(found.map(({ state }) => [state.id, bulkStatus(state)])));
    },
    'campaign.halt': ({ campaign_id }, asking) => this.#halt(campaign_id, asking),
    'campaign.restart': ({ campaign_id, changes }, asking) =>
      this.#restart(campaign_id, changes, asking),
    'campaign.delete': ({ campaign_id }, asking) => this.#delete(campaign_id, asking),
  });

  readonly hears: Listeners = {
    uplink: ({ uplink }, { owner }) => {
      const place = this.#all.placeOf(owner, uplink.devEui);
      if (place === undefined || !onUplink(...place, uplink)) this.#answerBlock(owner, uplink);
    },
    downlink: ({ id, sender, devEui, what }, { owner, nowUs }) => {
      if (sender.kind !== 'campaign') return;
      const [campaign, place] = this.#all.placeOf(owner, devEui) ?? [];
      if (campaign?.state.id === sender.id) onDownlink(campaign, place!, id, what, nowUs);
    },
    multicast: ({ status }, { nowUs }) => {
      const campaign = this.#all.ofAddress(status.mcAddr);
      if (campaign !== undefined) onMulticast(campaign, status, nowUs);
    },
    /** A device that is removed fails in its campaign. The view must not know it any more. */
    deviceRemoved: ({ devEui }, { owner, nowUs }) => {
      const isKnown = this.#needs.viewOf(owner).device(devEui) !== undefined;
      assert(!isKnown, 'the view does not know a device that is removed');
      const place = this.#all.placeOf(owner, devEui);
      if (place !== undefined) onMemberRemoved(...place, nowUs);
    },
  };

  constructor(needs: CampaignNeeds) {
    this.#needs = needs;
    this.#all = this.#none();
  }

  // ── commands ───────────────────────────────────────────────────────────────────────────────────

  /** What `campaign.create` does, for other resources, too. */
  create(input: GivenCampaign, given: string | undefined, asking: Asking) {
    const isTaken = (id: string) => this.#all.has(id);
    if (given !== undefined && isTaken(given)) {
      return fail('campaign.exists', `There is a campaign ${given}.`, '/id');
    }
    const admitted = admit(input, asking, this.#needs, this.#all);
    if (!admitted.ok) return admitted;
    const { nowUs } = asking;
    const { campaign: parts, plan } = admitted.value;
    const number = ++this.#latestNumber;
    const named = { ...parts, number, id: given ?? this.#needs.ids.uuid(isTaken) };
    const campaign = this.#keep(newCampaign(named, nowUs, INITIALIZING_US));
    onStart(campaign, nowUs);
    const warnings = foreseenWarnings(campaign, nowUs, plan);
    return ok(begunStatus(campaign.state, warnings));
  }

  #halt(id: string, { by, nowUs }: Asking) {
    const campaign = this.#all.find(by, id);
    if (campaign === undefined) return this.#callOff(id, by, nowUs);
    if (isOver(campaign.state.stage)) {
      return fail('campaign.not-running', `${id} is over: ${campaign.state.stage}.`);
    }
    halt(campaign, nowUs);
    return done();
  }

  /** Tries failed devices again, once the campaign is over. */
  #restart(id: string, changes: GivenRestart, { by, view, nowUs }: Asking) {
    const campaign = this.#all.find(by, id);
    if (campaign === undefined) return this.#unknown(id, by);
    const { state } = campaign;
    const listed = changes.gateways ?? [];
    const gateways = listedGateways(listed, sendersOf(campaign, nowUs), this.#needs);
    if (!gateways.ok) return gateways;
    const settings = restartedSettings(state, changes, view.unixMs(nowUs));
    if (!settings.ok) return settings;
    if (state.deletedAtUs !== NEVER_US) {
      return fail('campaign.nothing-to-restart', `${id} is being deleted.`);
    }
    const through = { ...changes, gateways: gateways.value };
    const refused = refuseRestart(campaign, settings.value, through, nowUs);
    if (refused !== undefined) return refused;
    restart(campaign, settings.value, gateways.value, nowUs);
    return ok(begunStatus(state, foreseenWarnings(campaign, nowUs)));
  }

  /** Stops a campaign and lets it vanish a second later, its part of the history with it. */
  #delete(id: string, { by, nowUs }: Asking) {
    const campaign = this.#all.find(by, id);
    if (campaign === undefined) return this.#callOff(id, by, nowUs);
    remove(campaign, nowUs);
    return done();
  }

  /** What is to follow another campaign and has not begun yet will not begin. */
  #callOff(id: string, owner: string, nowUs: number) {
    return this.#needs.followUp.callOff(owner, id, nowUs) ? done() : this.#unknown(id, owner);
  }

  // ── what happened ──────────────────────────────────────────────────────────────────────────────

  /** `timer` is a campaign's number. */
  onTimer(timer: number, nowUs: number): void {
    const campaign = this.#all.byNumber(timer);
    if (campaign !== undefined && !isDeleted(campaign, nowUs)) return onTimer(campaign, nowUs);
    // The campaign is gone, and with it what its devices' history says of it.
    if (campaign !== undefined) {
      const { owner, id } = campaign.state;
      this.#all.remove(campaign);
      this.#needs.managedCampaign.childIsGone(owner, id, nowUs);
    }
    if (this.#all.leaveOn(timer)) return;
    this.#needs.timers.wakeAt(timer, nowUs + SLICE_PAUSE_US, nowUs);
  }

  /**
   * A device of version 2 repeats that its block is whole until that is answered, maybe when its
   * campaign is done with it, or gone.
   */
  #answerBlock(owner: string, { devEui, fPort, payload, atUs }: ReceivedUplink): void {
    const packages = this.#needs.viewOf(owner).device(devEui)?.packages;
    if (packages?.fragmentation.fPort !== fPort || packages.fragmentation.version !== 2) return;
    const answers = readAnswers(packages, fPort, payload);
    const asked = answers.find((one) => one.name === 'FragDataBlockReceivedReq');
    if (asked === undefined) return;
    const reply = blockReceivedAns(asked.payload.fragIndex);
    const [campaign] = this.#all.placeOf(owner, devEui) ?? [];
    const sender = { kind: 'campaign', id: campaign?.state.id ?? '' } as const;
    this.#needs.downlinks.send(sender, { devEui, fPort, payload: reply }, atUs);
  }

  /** Those that a round speaks with, whosever the campaign is. */
  watches(devEui: string): boolean {
    return this.#all.speakWith(devEui);
  }

  // ── operations ───────────────────────────────────────────────────────────────────────────────

  /** While a campaign initializes there is no more to tell than that. */
  #answer<Answer>(owner: string, id: string, answer: (campaign: Campaign) => Answer) {
    const campaign = this.#all.find(owner, id);
    if (campaign === undefined) return unknownCampaign(id);
    const { state } = campaign;
    return state.stage === 'INITIALIZING' ? meanwhile(partialStatus(state)) : ok(answer(campaign));
  }

  /** In the order of their creation; what only the radio knows is left empty. */
  results(): CampaignResult[] {
    return this.#every(({ state, image, stored }) => stored.result(state, image));
  }

  /** Ids of the campaigns, in the same order. */
  ids(): string[] {
    return this.#every(({ state }) => state.id);
  }

  /** Group addresses of the campaigns, in the same order; undefined before the group is open. */
  addresses(): (number | undefined)[] {
    return this.#every(({ state }) => state.multicast?.mcAddr);
  }

  /** What each believes of its members, in the same order. */
  outcomes(): BelievedOutcome[] {
    return this.#every(({ state }) => outcomeOf(state));
  }

  /** Whether some campaign, over or not, has a device. */
  hasMember(devEui: string): boolean {
    return this.#all.memberOf(devEui) !== undefined;
  }

  /** How far they are, in the same order. */
  progress(): CampaignProgress[] {
    return this.#every(({ state }) => ({
      name: state.input.name,
      devices: memberCount(state),
      success: state.succeeded,
      failed: state.failed,
    }));
  }

  /** In the latest campaign of a device: 0 in none, 1 updated, 2 in progress, 3 failed. */
  fate(devEui: string): 0 | 1 | 2 | 3 {
    const member = this.#all.memberOf(devEui);
    if (member === undefined) return 0;
    assert(member.devEui === devEui, 'a device is at its place in the group');
    return FATES[member.fate];
  }

  /** In how many campaigns a device was set up for a session. */
  sessionsOf(devEui: string): number {
    return this.#all.sessionsOf(devEui);
  }

  /** What an owner's campaigns tried with a device, the oldest first. */
  attemptsOf(owner: string, devEui: string): readonly CampaignAttempt[] {
    return this.#all.attemptsOf(owner, devEui);
  }

  /** The same of all devices that have some, in the order of their DevEUIs. */
  attemptsOfAll(owner: string): readonly (readonly [string, readonly CampaignAttempt[]])[] {
    return this.#all.attemptsOfAll(owner);
  }

  /** Whether none is to come, underway, or being cleared up or deleted. */
  get isIdle(): boolean {
    return this.#all.areIdle;
  }

  /**
   * Stages of an owner's campaign so far, the latest last: the campaign's own list, which grows.
   * Undefined: the owner has no such campaign.
   */
  stagesOf(owner: string, id: string): CampaignState['stages'] | undefined {
    return this.#all.find(owner, id)?.state.stages;
  }

  /** Whether there is a campaign of this id, whosever it is. */
  has(id: string): boolean {
    return this.#all.has(id);
  }

  nameOf(owner: string, id: string): string | undefined {
    return this.#all.find(owner, id)?.state.input.name;
  }

  /** Whether an owner's campaign is not over; undefined: the owner has no such campaign. */
  isRunning(owner: string, id: string): boolean | undefined {
    const campaign = this.#all.find(owner, id);
    return campaign && !isOver(campaign.state.stage);
  }

  /**
   * What a campaign waits for that has not begun: the instant of its start, or what its status
   * reports; undefined: it has begun, or there is none.
   */
  waitsFor(
    owner: string,
    id: string,
  ): { readonly startsAtUs: number } | { readonly status: string } | undefined {
    const state = this.#all.find(owner, id)?.state;
    if (state?.stage !== 'WAITING_FOR_START' || state.rounds > 0) return undefined;
    const { stageEndsAtUs: startsAtUs, status } = state;
    return startsAtUs === NEVER_US ? { status } : { startsAtUs };
  }

  /** Halts an owner's campaign if it runs. */
  stop(owner: string, id: string, nowUs: number): void {
    const campaign = this.#all.find(owner, id);
    if (campaign !== undefined && !isOver(campaign.state.stage)) halt(campaign, nowUs);
  }

  /** Deletes an owner's campaign as `campaign.delete` does, if there is one. */
  discard(owner: string, id: string, nowUs: number): void {
    const campaign = this.#all.find(owner, id);
    if (campaign !== undefined) remove(campaign, nowUs);
  }

  /** What became of each member, in the order of the group; none of a campaign that is gone. */
  fatesOf(owner: string, id: string): readonly MemberFate[] {
    const campaign = this.#all.find(owner, id);
    if (campaign === undefined) return [];
    return allMembers(campaign.state).map((member) => {
      const { devEui, fate, reason, endedAtUs, initialVersion, finalVersion } = member;
      return { devEui, fate, reason, endedAtUs, version: finalVersion ?? initialVersion };
    });
  }

  /** The group to whose address a campaign sends; undefined when none does. */
  groupOfAddress(mcAddr: number): { readonly owner: string; readonly eui: string } | undefined {
    const campaign = this.#all.ofAddress(mcAddr);
    if (campaign === undefined || campaign.state.multicast === null) return undefined;
    return { owner: campaign.state.owner, eui: campaign.state.multicast.eui };
  }

  /** The image that goes to a multicast group; undefined when it is none of a campaign. */
  imageOf(mcAddr: number): ImageInUse | undefined {
    const campaign = this.#all.ofAddress(mcAddr);
    if (campaign === undefined || campaign.state.plan === null) return undefined;
    const { nbFrag, fragSize, padding, version } = campaign.state.plan;
    return { bytes: campaign.image.bytes, nbFrag, fragSize, padding, version };
  }

  /** Whether the multicast group of a campaign that is not over has this address. */
  hasAddress(mcAddr: number): boolean {
    return this.#all.isInUse(mcAddr, 0);
  }

  /** Whether some campaign of an owner, over or not, sends this image. */
  usesImage(owner: string, name: string): boolean {
    return this.#all.usesImage(owner, name);
  }

  /** Whether some campaign of an owner, over or not, updates this device group. */
  usesGroup(owner: string, id: string): boolean {
    return this.#all.usesGroup(owner, id);
  }

  fold(fold: Fold): void {
    for (const { state, stored } of this.#all.all()) stored.into(fold, state);
    foldField(fold, 'latestNumber', this.#latestNumber);
    foldField(fold, 'roundsBegun', this.#all.roundsBegun);
    foldField(fold, 'leaving', this.#all.saveLeaving());
  }

  save(): SavedCampaigns {
    const campaigns = this.#every(({ state }) => copyPlain(state));
    const leaving = this.#all.saveLeaving();
    const { roundsBegun } = this.#all;
    return { campaigns, leaving, latestNumber: this.#latestNumber, roundsBegun };
  }

  load(saved: SavedCampaigns): void {
    this.#all = this.#none();
    for (const state of saved.campaigns) this.#keep(copyPlain(state));
    this.#all.loadLeaving(saved.leaving);
    this.#latestNumber = saved.latestNumber;
    this.#all.roundsBegun = saved.roundsBegun;
  }

  // ── inside ─────────────────────────────────────────────────────────────────────────────────────

  #none(): AllCampaigns {
    return new AllCampaigns(
      ({ state: { owner, id } }, nowUs) => {
        this.#needs.managedCampaign.childIsOver(owner, id, nowUs);
        this.#needs.followUp.earlierIsOver(owner, id, nowUs);
      },
      (mcAddr) => this.#needs.multicastGroup.hasAddress(mcAddr),
    );
  }

  /** Of a campaign that was to follow another there is more to tell. */
  #unknown(id: string, owner: string) {
    const stage = this.#needs.followUp.stageOf(owner, id);
    if (stage === undefined || stage === 'started') return unknownCampaign(id);
    const what = stage === 'called off' ? 'was called off' : 'has not begun';
    return fail('campaign.unknown', `The campaign ${id} ${what}.`);
  }

  #every<What>(what: (campaign: Campaign) => What): What[] {
    return Array.from(this.#all.all(), what);
  }

  #keep(state: CampaignState): Campaign {
    const campaign = campaignOf(state, this.#needs, this.#all);
    this.#all.add(campaign);
    return campaign;
  }
}

export const campaignResource = declareResource({
  name: 'campaign',
  is: 'Firmware update campaigns: a group of devices receives an image.',
  permission: 'Device',
  failures: CAMPAIGN_FAILURES,
  operations: OPERATIONS,
  packages: ['fragmentation'],
  timerSpace: 0,
  make: (needs: CampaignNeeds) => new Campaigns(needs),
});

const FATES = { success: 1, inProgress: 2, failed: 3 } as const;

const unknownCampaign = (id: string) => fail('campaign.unknown', `There is no campaign ${id}.`);

/**
 * What operators regret later of its round, or of the next one as it would be planned now, where
 * that plan is not known yet.
 */
function foreseenWarnings(campaign: Campaign, nowUs: number, known?: Plan): string[] {
  const { state, image, view } = campaign;
  if (!isBeforeARound(state.stage)) return warningsOf(state, image, state.plan, view);
  const open = () => allMembers(state).filter(({ fate }) => fate !== 'success');
  const planned = known === undefined ? planFor(campaign, open(), nowUs) : ok(known);
  const { startsAtUnixMs } = state.settings;
  const startsAtUs = startsAtUnixMs === null ? nowUs : view.worldUsOfUnixMs(startsAtUnixMs);
  const beginsAtUs = Math.max(nowUs, startsAtUs);
  const plan = planned.ok ? placedPlan(campaign, planned.value, beginsAtUs).plan : null;
  return warningsOf(state, image, plan, view);
}
