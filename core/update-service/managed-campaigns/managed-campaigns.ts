/**
 * Managed campaigns: each watches a gateway for devices of some versions, and updates them by child
 * campaigns, once a day (docs/decisions/0051). START HERE: their operations, and what they hear.
 * What one of them does as time goes on is in sessions.ts, what becomes of its campaigns in
 * children.ts, how it ends in progress.ts; stages.ts says which stage follows which.
 */
import { andThen, fail, found, ok } from '../../../sim/base/result.ts';
import { inferVersion } from '../../base/firmware-versions.ts';
import type { Fold } from '../../base/fold.ts';
import { instantOf, NEVER_US } from '../../base/instant.ts';
import type { Asking } from '../../base/subscribers.ts';
import { declareResource, done, handlers, type Listeners } from '../../kit/resource.ts';
import type { ManagedCampaignResult } from '../../result/result.ts';
import { listedGateways } from '../gateway-choice.ts';
import { fullAnswer, problematicAnswer, summaryOf } from './answers.ts';
import { DAY_MS, minuteOf, nextSession } from './calendar.ts';
import { childIsGone, childIsOver } from './children.ts';
import { type GivenManaged, MANAGED, MANAGED_FAILURES, OPERATIONS } from './fields.ts';
import { managedResult } from './managed-result.ts';
import { finish, INITIALIZING_US, rearm } from './progress.ts';
import { type ManagedNeeds, type Reach, running } from './reach.ts';
import { Records, type SavedManaged } from './records.ts';
import { onTimer, scheduledBy } from './sessions.ts';
import { isHaltable } from './stages.ts';
import type { ManagedCampaign } from './state.ts';

export class ManagedCampaigns {
  readonly #reach: Reach;

  readonly handle = handlers(OPERATIONS, {
    'managedCampaign.create': ({ managedCampaign, id }, asking) =>
      this.#create(managedCampaign, id, asking),
    'managedCampaign.list': (_, { by, view }) =>
      ok(this.#records.list(by).map((campaign) => summaryOf(campaign, view))),
    'managedCampaign.get': ({ managed_campaign_id }, asking) =>
      andThen(this.#known(managed_campaign_id, asking), (campaign) =>
        ok(this.#answer(campaign, asking)),
      ),
    'managedCampaign.delete': ({ managed_campaign_id: id }, asking) =>
      andThen(this.#known(id, asking), (campaign) => {
        const { stage } = campaign;
        if (!isHaltable(stage)) return done(this.#remove(campaign, asking.nowUs));
        return fail('managedCampaign.not-finished', `${id} is not finished: ${stage}.`);
      }),
    'managedCampaign.halt': ({ managed_campaign_id }, asking) =>
      andThen(this.#known(managed_campaign_id, asking), (campaign) =>
        done(this.#halt(campaign, asking.nowUs)),
      ),
    'managedCampaign.problematicDevices': ({ managed_campaign_id }, asking) =>
      andThen(this.#known(managed_campaign_id, asking), ({ number }) =>
        ok(problematicAnswer(this.#records.problematicOf(number), asking.view)),
      ),
    'managedCampaign.clearProblematicDevices': ({ managed_campaign_id }, asking) =>
      andThen(this.#known(managed_campaign_id, asking), ({ number }) =>
        done(this.#records.clear(number)),
      ),
  });

  readonly hears: Listeners = {
    /** What is known of a device goes with it. */
    deviceRemoved: ({ devEui }, { owner }) => this.#records.forget(owner, devEui),
  };

  constructor(needs: ManagedNeeds) {
    this.#reach = { needs, records: new Records() };
  }

  // ── commands ───────────────────────────────────────────────────────────────────────────────────

  #create(input: GivenManaged, given: string | undefined, asking: Asking) {
    const { needs, records } = this.#reach;
    const { by: owner, nowUs, view } = asking;
    const isTaken = (id: string) => records.has(id);
    if (given !== undefined && isTaken(given)) {
      return fail('managedCampaign.exists', `There is a managed campaign ${given}.`, '/id');
    }
    const parts = this.#admit(input, asking);
    if (!parts.ok) return parts;
    const { gateways, ...named } = parts.value;
    const startMinute = minuteOf(input.preferred_start_time_utc ?? DEFAULT_TIME);
    const initializedMs = view.unixMs(nowUs + INITIALIZING_US);
    const campaign = records.put({
      ...named,
      number: records.nextNumber(),
      owner,
      id: given ?? needs.ids.uuid(isTaken),
      input: { ...input, gateways },
      name: input.name ?? `managed ${input.image_name}`,
      startMinute,
      createdAtUs: nowUs,
      stage: 'INITIALIZING',
      stages: [{ stage: 'INITIALIZING', atUs: nowUs }],
      status: '',
      sessionUnixMs: nextSession(startMinute, initializedMs, named.runUntilUnixMs),
      sessions: [],
      children: [],
      cleansAtUs: NEVER_US,
    });
    rearm(this.#reach, campaign, nowUs);
    return ok(this.#answer(campaign, asking));
  }

  /** What is decided before, or the first thing wrong. */
  #admit(input: GivenManaged, { by, nowUs, view }: Asking) {
    const { image_name, whole_subscriber, run_until } = input;
    if (whole_subscriber === true) {
      const message = 'whole_subscriber is reserved; it has to be false.';
      return fail('managedCampaign.whole-subscriber', message, '/whole_subscriber');
    }
    if (this.#reach.needs.image.get(by, image_name) === undefined) {
      return fail('image.unknown', `There is no image ${image_name}.`, '/image_name');
    }
    const gateways = listedGateways(input.gateways, [view], this.#reach.needs);
    if (!gateways.ok) return gateways;
    const expected =
      input.expected_version === undefined ? inferVersion(image_name) : ok(input.expected_version);
    if (!expected.ok) {
      return fail('managedCampaign.version', expected.failure.message, '/expected_version');
    }
    const nowMs = view.unixMs(nowUs);
    const runUntilUnixMs = run_until === undefined ? nowMs + USUAL_RUN_MS : instantOf(run_until);
    if (runUntilUnixMs <= nowMs) {
      return fail('managedCampaign.run-until', `${run_until} is not in the future.`, '/run_until');
    }
    return ok({ gateways: gateways.value, expectedVersion: expected.value, runUntilUnixMs });
  }

  /** Its children end with it; what is finished stays as it is. */
  #halt(campaign: ManagedCampaign, nowUs: number): void {
    if (!isHaltable(campaign.stage)) return;
    const { needs, records } = this.#reach;
    const { owner, id } = campaign;
    for (const { campaignId } of running(this.#reach, campaign)) {
      needs.campaign.stop(owner, campaignId, nowUs);
    }
    // The notification of a finished child may have ended it already.
    const now = records.get(owner, id);
    if (now !== undefined && isHaltable(now.stage)) finish(this.#reach, now, 'halt', nowUs);
  }

  #remove(campaign: ManagedCampaign, nowUs: number): void {
    this.#records.remove(campaign);
    this.#reach.needs.timers.wakeNever(campaign.number, nowUs);
  }

  // ── what happened ──────────────────────────────────────────────────────────────────────────────

  /** `timer` is a managed campaign's number. */
  onTimer(timer: number, nowUs: number): void {
    onTimer(this.#reach, timer, nowUs);
  }

  /** An owner's campaign is over, or over once more; maybe it is a child. */
  childIsOver(owner: string, campaignId: string, nowUs: number): void {
    const parent = this.#records.parentOf(owner, campaignId);
    if (parent !== undefined) childIsOver(this.#reach, parent, campaignId, nowUs);
  }

  /** An owner's campaign has been deleted; maybe it was a child. */
  childIsGone(owner: string, campaignId: string, nowUs: number): void {
    const parent = this.#records.parentOf(owner, campaignId);
    if (parent !== undefined) childIsGone(this.#reach, parent, campaignId, nowUs);
  }

  // ── operations ───────────────────────────────────────────────────────────────────────────────

  #known(id: string, { by }: Asking) {
    const message = `There is no managed campaign ${id}.`;
    return found(this.#records.get(by, id), 'managedCampaign.unknown', message);
  }

  #answer(campaign: ManagedCampaign, { view }: Asking) {
    const scheduled = scheduledBy(this.#reach, campaign);
    return fullAnswer(campaign, { scheduled, updated: this.#updated(campaign) }, view);
  }

  /** Latest successes by DevEUI, those of children that run included. */
  #updated(campaign: ManagedCampaign) {
    const { needs, records } = this.#reach;
    const known = records.devicesOf(campaign.number);
    const found = new Map(
      known.flatMap(({ devEui, updated }) =>
        updated === null ? [] : [[devEui, updated] as const],
      ),
    );
    for (const { campaignId } of running(this.#reach, campaign)) {
      for (const each of needs.campaign.fatesOf(campaign.owner, campaignId)) {
        const { devEui, fate, version, endedAtUs: atUs } = each;
        if (fate === 'success' && version !== null) found.set(devEui, { hex: version, atUs });
      }
    }
    return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Whether one of an owner's that is not complete sends this image. */
  usesImage(owner: string, name: string): boolean {
    return this.#records.usesImage(owner, name);
  }

  /** Whether none creates campaigns any more, nor waits for one; finished ones may be stored. */
  get isIdle(): boolean {
    return this.#records.areIdle;
  }

  get isEmpty(): boolean {
    return this.#records.isEmpty;
  }

  /** In the order of their creation. `runs`: what a device runs in truth; undefined: it is gone. */
  results(runs: (devEui: string) => string | undefined): ManagedCampaignResult[] {
    return this.#records.all().map((campaign) => managedResult(this.#reach, campaign, runs));
  }

  // ── saving ─────────────────────────────────────────────────────────────────────────────────────

  fold(fold: Fold): void {
    this.#records.fold(fold);
  }

  save(): SavedManaged {
    return this.#records.save();
  }

  load(saved: SavedManaged): void {
    this.#records.load(saved);
  }

  get #records(): Records {
    return this.#reach.records;
  }
}

/** How long one goes on without a `run_until`. */
const USUAL_RUN_MS = 7 * DAY_MS;

const DEFAULT_TIME = MANAGED.preferred_start_time_utc.default;

export const managedCampaignResource = declareResource({
  name: 'managedCampaign',
  is: 'Campaigns that keep choosing devices to update until all are done.',
  permission: 'Device',
  failures: MANAGED_FAILURES,
  operations: OPERATIONS,
  timerSpace: 1,
  make: (needs: ManagedNeeds) => new ManagedCampaigns(needs),
});
