/**
 * What a managed campaign does as time goes on: it initializes, holds a session a day, waits for
 * its last child, and clears up behind itself. It has one timer, its number.
 */
import { assert } from '../../../sim/base/assert.ts';
import { SECOND_US } from '../../../sim/base/units.ts';
import { NEVER_US } from '../../base/instant.ts';
import type { Asking } from '../../base/subscribers.ts';
import type { Surroundings } from '../../kit/resource.ts';
import type { Campaigns } from '../campaigns/campaigns.ts';
import type { Image } from '../images.ts';
import type { Keys } from '../keys.ts';
import type { ReportedVersion } from '../reported-versions.ts';
import { dateOf, nextSession } from './calendar.ts';
import { eligible } from './eligible.ts';
import type { Records } from './records.ts';
import { isGathering, nextStage, type Trigger } from './stages.ts';
import type { Child, ManagedCampaign } from './state.ts';

/** What managed campaigns use of the platform and of other resources. */
export interface ManagedNeeds extends Pick<Surroundings, 'ids' | 'timers' | 'viewOf'> {
  readonly image: { get(owner: string, name: string): Image | undefined };
  readonly key: Pick<Keys, 'rootOf'>;
  readonly deviceVersion: { latest(owner: string): readonly ReportedVersion[] };
  readonly deviceGroup: {
    create(group: ChildGroup, id: undefined, asking: Asking): Made<'device_group_id'>;
    discard(owner: string, id: string): void;
  };
  readonly campaign: Pick<Campaigns, 'isRunning' | 'stop' | 'discard' | 'fatesOf' | 'stagesOf'> & {
    create(campaign: ChildInput, id: undefined, asking: Asking): Made<'campaign_id'>;
  };
}

interface ChildGroup {
  readonly name: string;
  readonly lora_class: 'A' | 'C';
  readonly devices: readonly string[];
}

interface ChildInput {
  readonly name: string;
  readonly image_name: string;
  readonly device_group_id: string;
  readonly expected_version: string;
}

type Made<Id extends string> =
  | { readonly ok: true; readonly value: { readonly [K in Id]: string } }
  | { readonly ok: false; readonly failure: { readonly message: string } };

/** All that a managed campaign may reach. */
export interface Reach {
  readonly needs: ManagedNeeds;
  readonly records: Records;
}

/** How long it initializes. */
export const INITIALIZING_US = SECOND_US;

const DAY_MS = 86_400_000;

/** How long it goes on without a `run_until`. */
export const USUAL_RUN_MS = 7 * DAY_MS;

/** From the end of its last child until its children are deleted. */
const KEPT_US = 7 * 86_400 * SECOND_US;

// ── the time ─────────────────────────────────────────────────────────────────────────────────────

export function onTimer(reach: Reach, number: number, nowUs: number): void {
  const campaign = reach.records.numbered(number);
  if (campaign === undefined) return;
  switch (campaign.stage) {
    case 'INITIALIZING':
      return initialized(reach, campaign, nowUs);
    case 'GATHERING_DEVICES':
      return gatherOn(reach, campaign, nowUs);
    case 'FINISHED':
      return clean(reach, campaign, nowUs);
    default:
      assert(false, `${campaign.stage} does not end by time`);
  }
}

/** Makes the one appointment of a managed campaign. */
export function rearm({ needs }: Reach, campaign: ManagedCampaign, nowUs: number): void {
  const { number } = campaign;
  const atUs = nextWakeUs(campaign, needs);
  if (atUs === NEVER_US) needs.timers.wakeNever(number, nowUs);
  else needs.timers.wakeAt(number, Math.max(atUs, nowUs + 1), nowUs);
}

function nextWakeUs(campaign: ManagedCampaign, { viewOf }: ManagedNeeds): number {
  const { stage, owner, createdAtUs, sessionUnixMs, runUntilUnixMs, cleansAtUs } = campaign;
  if (stage === 'INITIALIZING') return createdAtUs + INITIALIZING_US;
  if (stage === 'FINISHED') return cleansAtUs;
  if (stage !== 'GATHERING_DEVICES') return NEVER_US;
  return viewOf(owner).worldUsOfUnixMs(sessionUnixMs ?? runUntilUnixMs);
}

function enter(
  { records }: Reach,
  campaign: ManagedCampaign,
  trigger: Trigger,
  nowUs: number,
  change: Partial<ManagedCampaign> = {},
): ManagedCampaign {
  const stage = nextStage(campaign.stage, trigger);
  const stages = [...campaign.stages, { stage, atUs: nowUs }];
  const next = isGathering(stage) ? {} : { sessionUnixMs: null };
  return records.put({ ...campaign, stage, stages, ...next, ...change });
}

/** The image is kept for it; the gateway may be gone by now. */
function initialized(reach: Reach, campaign: ManagedCampaign, nowUs: number): void {
  const { owner, input } = campaign;
  const { viewOf, image } = reach.needs;
  assert(image.get(owner, input.image_name) !== undefined, 'an image that is used stays');
  const gone = input.gateways.find((eui) => viewOf(owner).gateway(eui) === undefined);
  if (gone !== undefined) {
    const status = `There is no gateway ${gone} any more.`;
    return rearm(reach, enter(reach, campaign, 'setUpFails', nowUs, { status }), nowUs);
  }
  rearm(reach, enter(reach, campaign, 'initialized', nowUs), nowUs);
}

// ── sessions ─────────────────────────────────────────────────────────────────────────────────────

/** Devices of the next session, as of now. */
export function scheduledBy(reach: Reach, campaign: ManagedCampaign): readonly ReportedVersion[] {
  if (campaign.sessionUnixMs === null) return [];
  const { records, needs } = reach;
  const { owner, number } = campaign;
  const leftOut = new Set(records.problematicOf(number).map(({ devEui }) => devEui));
  for (const { campaignId } of running(reach, campaign)) {
    for (const { devEui } of needs.campaign.fatesOf(owner, campaignId)) leftOut.add(devEui);
  }
  const isLeftOut = (devEui: string) => leftOut.has(devEui);
  const versions = needs.deviceVersion.latest(owner);
  return eligible(campaign, { versions, view: needs.viewOf(owner), key: needs.key, isLeftOut });
}

/** Children that are not over. */
export const running = ({ needs }: Reach, { owner, children }: ManagedCampaign) =>
  children.filter(({ campaignId }) => needs.campaign.isRunning(owner, campaignId) === true);

/** A session is due, or the end. */
function gatherOn(reach: Reach, campaign: ManagedCampaign, nowUs: number): void {
  if (campaign.sessionUnixMs === null) return endGathering(reach, campaign, nowUs);
  const scheduled = scheduledBy(reach, campaign);
  if (scheduled.length === 0 && campaign.input.stop_when_no_match === true) {
    return endGathering(reach, campaign, nowUs);
  }
  const held = scheduled.length === 0 ? campaign : holdSession(reach, campaign, scheduled, nowUs);
  const { startMinute, runUntilUnixMs, owner } = held;
  const nowMs = reach.needs.viewOf(owner).unixMs(nowUs);
  const sessionUnixMs = nextSession(startMinute, nowMs, runUntilUnixMs);
  const next = reach.records.put({ ...held, sessionUnixMs });
  if (nowMs >= runUntilUnixMs) return endGathering(reach, next, nowUs);
  rearm(reach, next, nowUs);
}

/** A child for each class. One that is refused is kept as words; the next day is another try. */
function holdSession(
  reach: Reach,
  campaign: ManagedCampaign,
  scheduled: readonly ReportedVersion[],
  nowUs: number,
): ManagedCampaign {
  const { owner, number } = campaign;
  const view = reach.needs.viewOf(owner);
  const children = [...campaign.children];
  const refused: string[] = [];
  for (const loraClass of ['A', 'C'] as const) {
    const devices = scheduled
      .map(({ devEui }) => devEui)
      .filter((devEui) => view.device(devEui)?.deviceClass === loraClass);
    if (devices.length === 0) continue;
    const name = `${campaign.name} ${dateOf(view.unixMs(nowUs))} ${loraClass}`;
    const group: ChildGroup = { name, lora_class: loraClass, devices };
    const made = createChild(reach, campaign, group, nowUs);
    if (made.ok) children.push({ ...newChild(children.length + 1, name, nowUs), ...made.value });
    else refused.push(`${name}: ${made.failure.message}`);
  }
  const problematic = reach.records.problematicOf(number).length;
  const session = { atUs: nowUs, scheduled: scheduled.length, problematic, refused };
  return { ...campaign, children, sessions: [...campaign.sessions, session] };
}

const newChild = (number: number, name: string, sessionAtUs: number) => ({
  number,
  sessionAtUs,
  name,
  devices: 0,
  success: 0,
  failed: 0,
  endedAtUs: NEVER_US,
  isGone: false,
});

/** A group and a campaign as anybody makes them; both or none. */
function createChild(
  { needs }: Reach,
  { owner, input, expectedVersion }: ManagedCampaign,
  group: ChildGroup,
  nowUs: number,
) {
  const asking = { by: owner, nowUs, view: needs.viewOf(owner) };
  const grouped = needs.deviceGroup.create(group, undefined, asking);
  if (!grouped.ok) return grouped;
  const groupId = grouped.value.device_group_id;
  const child: ChildInput = {
    name: group.name,
    image_name: input.image_name,
    device_group_id: groupId,
    expected_version: expectedVersion,
  };
  const made = needs.campaign.create(child, undefined, asking);
  if (made.ok) return { ok: true, value: { groupId, campaignId: made.value.campaign_id } } as const;
  needs.deviceGroup.discard(owner, groupId);
  return made;
}

// ── children ─────────────────────────────────────────────────────────────────────────────────────

/**
 * A child is over, maybe once more since somebody restarted it: what became of each device in it
 * counts as it is now. Who is gone by now has no record.
 */
export function childIsOver(
  reach: Reach,
  campaign: ManagedCampaign,
  campaignId: string,
  nowUs: number,
): void {
  const { needs, records } = reach;
  const child = campaign.children.find((each) => each.campaignId === campaignId);
  assert(child !== undefined, 'a child is one of its parent');
  const fates = needs.campaign.fatesOf(campaign.owner, campaignId);
  const view = needs.viewOf(campaign.owner);
  for (const { devEui, reason, endedAtUs: atUs, version } of fates) {
    if (reason === 'device removed' || view.device(devEui) === undefined) continue;
    if (reason === null) {
      assert(version !== null, 'who succeeds has reported what it runs');
      records.succeeds(campaign, child, devEui, { hex: version, atUs });
    } else records.fails(campaign, child, devEui, { reason, atUs });
  }
  const success = fates.filter(({ fate }) => fate === 'success').length;
  const counted = { devices: fates.length, success, failed: fates.length - success };
  const known = { ...child, ...counted, endedAtUs: nowUs };
  const next = records.put(withChild(campaign, known));
  if (next.stage === 'RUNNING_LAST_CAMPAIGN') endGathering(reach, next, nowUs);
  else if (next.stage === 'FINISHED') {
    rearm(reach, records.put({ ...next, cleansAtUs: nowUs + KEPT_US }), nowUs);
  }
}

/** A child has been deleted, by its parent or by somebody else. */
export function childIsGone(
  reach: Reach,
  campaign: ManagedCampaign,
  campaignId: string,
  nowUs: number,
): void {
  const { records } = reach;
  const child = campaign.children.find((each) => each.campaignId === campaignId);
  assert(child !== undefined && !child.isGone, 'a child goes once');
  const next = records.put(withChild(campaign, { ...child, isGone: true }));
  if (next.stage === 'FINISHED' && next.cleansAtUs !== NEVER_US && next.cleansAtUs <= nowUs) {
    cleaned(reach, next, nowUs);
  }
}

const withChild = (campaign: ManagedCampaign, child: Child): ManagedCampaign => ({
  ...campaign,
  children: campaign.children.map((each) => (each.number === child.number ? child : each)),
});

// ── the end ──────────────────────────────────────────────────────────────────────────────────────

/** No more children are created; those that run are waited for. */
function endGathering(reach: Reach, campaign: ManagedCampaign, nowUs: number): void {
  if (running(reach, campaign).length === 0) return finish(reach, campaign, 'lastIsOver', nowUs);
  if (isGathering(campaign.stage)) enter(reach, campaign, 'gatheringEnds', nowUs);
}

/** No child runs; they stay for a week. */
export function finish(
  reach: Reach,
  campaign: ManagedCampaign,
  trigger: 'lastIsOver' | 'halt',
  nowUs: number,
): void {
  const lastUs = Math.max(...campaign.children.map(({ endedAtUs }) => endedAtUs));
  const cleansAtUs = campaign.children.length === 0 ? nowUs : lastUs + KEPT_US;
  const finished = enter(reach, campaign, trigger, nowUs, { cleansAtUs });
  if (campaign.children.length === 0) cleaned(reach, finished, nowUs);
  else rearm(reach, finished, nowUs);
}

/** Deletes the children, unless somebody has restarted one: then its end is waited for. */
function clean(reach: Reach, campaign: ManagedCampaign, nowUs: number): void {
  if (running(reach, campaign).length > 0) return;
  const { owner, children } = campaign;
  for (const { campaignId } of children) reach.needs.campaign.discard(owner, campaignId, nowUs);
  cleaned(reach, campaign, nowUs);
}

/** Once all children are gone, their groups go, too, but for those that another campaign uses. */
function cleaned(reach: Reach, campaign: ManagedCampaign, nowUs: number): void {
  const { owner, children } = campaign;
  if (!children.every(({ isGone }) => isGone)) return;
  for (const { groupId } of children) reach.needs.deviceGroup.discard(owner, groupId);
  rearm(reach, enter(reach, campaign, 'cleaned', nowUs), nowUs);
}
