/**
 * What happened in a campaign and what to change, in one sentence: computed from its outcome and,
 * where devices were recorded, from what each of them missed.
 */
import { type CampaignColumns, FRAME_FATES } from '../../../core/result/columns.ts';
import type { CampaignResult } from '../../../core/result/result.ts';
import { count, counted, percent } from '../../text/format.ts';
import { byAmount, FAILURE_WORDS } from '../../text/words.ts';

/** Redundancy that would have given each of these devices its block, at the losses that it had. */
export interface RedundancyNeeded {
  /** Devices that lack fragments, and the fewest and most that any of them lacks. */
  readonly devices: number;
  readonly fewest: number;
  readonly most: number;
  /** Redundancy fragments in all; null: some device heard nothing, so no number is enough. */
  readonly redundancy: number | null;
}

export function campaignAnswer(campaign: CampaignResult, columns?: CampaignColumns): string {
  const { devices, running, success, inProgress, failed, stage } = campaign;
  if (devices === 0) return 'No device is in it.';
  if (running === devices && success === devices) {
    return `All ${counted(devices, 'device')} run it and have confirmed it: nothing to change.`;
  }
  const all = `all ${counted(devices, 'device')} run it`;
  const runs = running === devices ? all : `${percent(running / devices)} run it`;
  const unheard = running - success;
  const have = unheard === 1 ? 'has' : 'have';
  const parts = [unheard > 0 ? `${runs}, and ${count(unheard)} ${have} not confirmed it` : runs];
  if (inProgress > 0) {
    parts.push(`${counted(inProgress, 'device')} not over (${stage.toLowerCase()})`);
  }
  const lacking = columns === undefined ? undefined : redundancyNeeded(campaign, columns);
  if (lacking !== undefined) parts.push(lackOf(campaign, lacking, columns!.members.length));
  else if (failed > 0) parts.push(failureOf(campaign));
  const sentence = parts.join('; ');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

function failureOf({ failures, failed }: CampaignResult): string {
  const [most] = byAmount(failures);
  if (most === undefined) return `${count(failed)} failed`;
  const [cause, times] = most;
  const { label, meaning } = FAILURE_WORDS[cause];
  const all = times === failed ? 'all' : `${count(times)} of them`;
  return `${count(failed)} failed, ${all} by “${label}”: ${meaning.replace(/\.$/, '')}`;
}

function lackOf({ nbFrag, redundancy }: CampaignResult, lack: RedundancyNeeded, all: number) {
  const { fewest, most, devices } = lack;
  const span = fewest === most ? count(fewest) : `${count(fewest)} to ${count(most)}`;
  const lacks = `${percent(devices / all)} lack ${span} ${most === 1 ? 'fragment' : 'fragments'}`;
  if (lack.redundancy === null) {
    return `${lacks}, and some of them heard none: redundancy alone does not reach them`;
  }
  const share = percent(lack.redundancy / nbFrag, 0);
  return (
    `${lacks}: redundancy of ${share} (${count(lack.redundancy)} fragments in place of ` +
    `${count(redundancy)}) would do, at the losses that each of them had`
  );
}

/** Undefined: no device failed for missing fragments, or nothing was recorded of them. */
export function redundancyNeeded(
  { nbFrag }: Pick<CampaignResult, 'nbFrag'>,
  { fragmentsMissing, fragmentsHeld, fates, fragments }: CampaignColumns,
): RedundancyNeeded | undefined {
  let [devices, fewest, most] = [0, Number.POSITIVE_INFINITY, 0];
  let redundancy: number | null = 0;
  for (const [member, missing] of fragmentsMissing.entries()) {
    if (fates[member] !== 'failed' || missing === null || missing === 0) continue;
    devices++;
    fewest = Math.min(fewest, missing);
    most = Math.max(most, missing);
    const heard = heardShare(fragments?.fates[member] ?? '');
    const block = (fragmentsHeld[member] ?? 0) + missing;
    const needed = heard === 0 ? null : Math.max(0, Math.ceil(block / heard) - nbFrag);
    redundancy = needed === null || redundancy === null ? null : Math.max(redundancy, needed);
  }
  return devices === 0 ? undefined : { devices, fewest, most, redundancy };
}

/** Share of the frames of its sessions that a device heard; 0 where nothing was recorded. */
function heardShare(frames: string): number {
  let [heard, all] = [0, 0];
  for (const character of frames) {
    if (FRAME_FATES[character as keyof typeof FRAME_FATES] === 'heard') heard++;
    if (character !== '.') all++;
  }
  return all === 0 ? 0 : heard / all;
}
