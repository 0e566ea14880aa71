/** What a restart can know at once: that it would find no plan, or not be heard by its devices. */
import { fail } from '../../../sim/base/result.ts';
import type { GivenRestart } from './commands.ts';
import type { Campaign } from './context.ts';
import { makePlan } from './plan.ts';
import { whoIsRetried } from './rounds.ts';
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
  const devEuis = whoIsRetried(campaign);
  if (!isOver(state.stage) || devEuis.length === 0) {
    const message =
      `${state.id} is in stage ${state.stage} and has ${devEuis.length} failed devices that are ` +
      'in the network.';
    return fail('campaign.nothing-to-restart', message);
  }
  const { mcAddr } = settings.multicastGroup;
  if (mcAddr !== '' && neighbours.isTaken(Number.parseInt(mcAddr, 16), state.number)) {
    return addressInUse(mcAddr);
  }
  const group = { ...state.group, gateways: changes.gateways ?? [] };
  const { imageBytes } = state;
  const plan = makePlan({ settings, group, imageBytes, devEuis }, view, nowUs);
  if (plan.ok) return undefined;
  const { code, message } = plan.failure;
  // A restart gives one of the numbers that decide how many fragments there are.
  const isTooMuch = code === 'campaign.image-too-large' || code === 'campaign.session-too-long';
  const isGiven = isTooMuch && changes.redundancy !== undefined;
  return isGiven ? fail(code, message, '/redundancy') : fail(code, message);
}

/** `path`: where the request gives it. */
export const addressInUse = (mcAddr: string, path?: string) =>
  fail('campaign.address-in-use', `Another campaign uses the group address ${mcAddr}.`, path);
