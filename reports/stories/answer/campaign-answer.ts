/**
 * What happened in a campaign and what to change, in one sentence: computed from its outcome and,
 * where devices were recorded, from what each of them missed.
 */
import { type CampaignColumns, FRAME_FATES } from '../../../core/result/columns.ts';
import type { FailureCause } from '../../../core/result/outcome.ts';
import type { CampaignResult } from '../../../core/result/result.ts';
import { count, counted, percent } from '../../text/format.ts';
import { byAmount, FAILURE_WORDS, spelled } from '../../text/words.ts';

/** Redundancy that would have given each of these devices its block, at the losses that it had. */
export interface RedundancyNeeded {
  /** Devices that lack fragments, and the fewest and most that any of them lacks. */
  readonly devices: number;
  readonly fewest: number;
  readonly most: number;
  /**
   * Redundancy fragments in all with which nine in ten of them, and all of them, would have their
   * block; null: they heard nothing, so no number is enough.
   */
  readonly forMost: number | null;
  readonly forAll: number | null;
}

export function campaignAnswer(campaign: CampaignResult, columns?: CampaignColumns): string {
  const { devices, running, success, inProgress, stage } = campaign;
  if (devices === 0) return 'No device is in it.';
  if (success === devices) {
    return `All ${counted(devices, 'device')} run it and have confirmed it: nothing to change.`;
  }
  const all = `all ${counted(devices, 'device')} run it`;
  const runs = running === devices ? all : `${percent(running / devices)} run it`;
  const unheard = running - success;
  const have = unheard === 1 ? 'has' : 'have';
  const parts = [unheard > 0 ? `${runs}, and ${count(unheard)} ${have} not confirmed it` : runs];
  if (inProgress > 0) {
    parts.push(`${counted(inProgress, 'device')} not over (${spelled(stage).toLowerCase()})`);
  }
  const sentence = [...parts, ...failuresOf(campaign, columns)].join('; ');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

/** Causes of failure that have words of their own. */
const CAUSES_NAMED = 2;

function failuresOf(campaign: CampaignResult, columns: CampaignColumns | undefined): string[] {
  const { failures, devices } = campaign;
  return byAmount(failures)
    .slice(0, CAUSES_NAMED)
    .map(([cause, times]) => {
      const lack = cause === LACKING && columns && redundancyNeeded(campaign, columns);
      if (lack) return lackOf(campaign, lack, times);
      const { label, meaning } = FAILURE_WORDS[cause];
      const share = percent(times / devices);
      return `${share} failed by “${label}” (${meaning.replace(/\.$/, '')})`;
    });
}

/** The cause that more redundancy is an answer to. */
const LACKING: FailureCause = 'missing fragments';

function lackOf(
  { nbFrag, redundancy, devices }: CampaignResult,
  lack: RedundancyNeeded,
  times: number,
): string {
  const { fewest, most, forAll, forMost } = lack;
  const span = fewest === most ? count(fewest) : `${count(fewest)} to ${count(most)}`;
  const lacks = `${percent(times / devices)} lack ${span} ${most === 1 ? 'fragment' : 'fragments'}`;
  if (forMost === null) {
    return `${lacks}, and many of them heard none: redundancy alone does not reach them`;
  }
  const share = (fragments: number) => percent(fragments / nbFrag, 0);
  const change = `${count(forMost)} fragments in place of ${count(redundancy)}`;
  const cause = `${lacks}: at the losses that each had`;
  const would = `${cause}, redundancy of ${share(forMost)} (${change})`;
  if (forAll === forMost) return `${would} would do`;
  const rest = forAll === null ? 'no redundancy' : share(forAll);
  return `${would} would do for nine in ten of them, ${rest} for all`;
}

/** Undefined: no device failed for missing fragments, or nothing was recorded of them. */
function redundancyNeeded(
  { nbFrag }: Pick<CampaignResult, 'nbFrag'>,
  { fragmentsMissing, fragmentsHeld, causes, fragments }: CampaignColumns,
): RedundancyNeeded | undefined {
  const lacks: number[] = [];
  const needed: number[] = [];
  for (const [member, missing] of fragmentsMissing.entries()) {
    if (causes[member] !== LACKING || missing === null || missing === 0) continue;
    lacks.push(missing);
    const heard = heardShare(fragments?.fates[member] ?? '');
    const block = (fragmentsHeld[member] ?? 0) + missing;
    needed.push(heard === 0 ? Number.POSITIVE_INFINITY : Math.ceil(block / heard) - nbFrag);
  }
  if (lacks.length === 0) return undefined;
  lacks.sort((a, b) => a - b);
  needed.sort((a, b) => a - b);
  const most = needed[Math.ceil(MOST_OF_THEM * needed.length) - 1]!;
  return {
    devices: lacks.length,
    fewest: lacks[0]!,
    most: lacks.at(-1)!,
    forMost: redundancyOf(most),
    forAll: redundancyOf(needed.at(-1)!),
  };
}

const MOST_OF_THEM = 0.9;

const redundancyOf = (needed: number): number | null =>
  Number.isFinite(needed) ? Math.max(0, needed) : null;

/** Share of the frames of its sessions that a device heard; 0 where nothing was recorded. */
function heardShare(frames: string): number {
  let [heard, all] = [0, 0];
  for (const character of frames) {
    if (FRAME_FATES[character as keyof typeof FRAME_FATES] === 'heard') heard++;
    if (character !== '.') all++;
  }
  return all === 0 ? 0 : heard / all;
}
