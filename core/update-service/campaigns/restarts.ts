/** What a restart can know at once: that it would find no plan, or not be heard by its devices. */
import { fail } from '../../../sim/base/result.ts';
import type { OwnView } from '../../base/subscribers.ts';
import { delegationEnded } from '../delegation-standing.ts';
import type { GivenRestart } from './commands.ts';
import { type Campaign, isUndelegated, partiesOf } from './context.ts';
import { makePlan } from './plan.ts';
import { firstOfThem, whoIsRetried } from './rounds.ts';
import type { Settings } from './settings.ts';
import { isOver } from './stages.ts';

/** Why a campaign is not restarted with these settings; undefined: it may be. */
export function refuseRestart(
  campaign: Campaign,
  settings: Settings,
  changes: GivenRestart,
  nowUs: number,
) {
  const { state, view, neighbours } = campaign;
  const retried = whoIsRetried(campaign);
  const devEuis = firstOfThem(campaign, retried);
  if (!isOver(state.stage) || devEuis.length === 0) {
    const message =
      `${state.id} is in stage ${state.stage} and has ${devEuis.length} failed devices that are ` +
      'in the network.';
    return fail('campaign.nothing-to-restart', message);
  }
  const ended = retried.filter(isUndelegated(campaign, campaign.standings(nowUs)));
  if (ended.length > 0) return delegationEnded(ended.map(({ devEui }) => devEui));
  const { mcAddr } = settings.multicastGroup;
  if (mcAddr !== '' && neighbours.isTaken(Number.parseInt(mcAddr, 16), state.number)) {
    return addressInUse(mcAddr);
  }
  const group = { ...state.group, gateways: changes.gateways ?? [] };
  const { imageBytes } = state;
  const plan = makePlan(
    { settings, group, imageBytes, devEuis, parties: partiesOf(campaign) },
    view,
    nowUs,
  );
  if (plan.ok) return undefined;
  const { code, message } = plan.failure;
  // A restart gives one of the numbers that decide how many fragments there are.
  const isTooMuch = code === 'campaign.image-too-large' || code === 'campaign.session-too-long';
  const isGiven = isTooMuch && changes.redundancy !== undefined;
  return isGiven ? fail(code, message, '/redundancy') : fail(code, message);
}

/** Whose gateways a restart may list: one's own, and those of who delegates a device to retry. */
export function sendersOf(campaign: Campaign, nowUs: number): readonly OwnView[] {
  const { state, owner, viewOf } = campaign;
  const isOut = isUndelegated(campaign, campaign.standings(nowUs));
  const retried = whoIsRetried(campaign).filter((member) => !isOut(member));
  const owners = [state.owner, ...retried.map(({ devEui }) => owner.ownerOf(devEui))];
  return [...new Set(owners)].map(viewOf);
}

/** `path`: where the request gives it. */
export const addressInUse = (mcAddr: string, path?: string) =>
  fail('campaign.address-in-use', `Another campaign uses the group address ${mcAddr}.`, path);
