/**
 * What a managed campaign does as time goes on: it initializes, then holds a session a day. It has
 * one timer, its number; progress.ts makes its appointment, and says how it ends.
 */
import { assert } from '../../../sim/base/assert.ts';
import type { ReportedVersion } from '../reported-versions.ts';
import { dateOf, nextSession } from './calendar.ts';
import { createChild, newChild } from './children.ts';
import { eligible } from './eligible.ts';
import { clean, endGathering, enter, rearm } from './progress.ts';
import { type ChildGroup, type Reach, running } from './reach.ts';
import type { ManagedCampaign } from './state.ts';

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

/** The image is stored for it; the gateway may be gone by now. */
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

/** A child for each class. A refused one is stored as a message; the next day tries again. */
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
    const created = createChild(reach, campaign, group, nowUs);
    if (created.ok)
      children.push({ ...newChild(children.length + 1, name, nowUs), ...created.value });
    else refused.push(`${name}: ${created.failure.message}`);
  }
  const problematic = reach.records.problematicOf(number).length;
  const session = { atUs: nowUs, scheduled: scheduled.length, problematic, refused };
  return { ...campaign, children, sessions: [...campaign.sessions, session] };
}
