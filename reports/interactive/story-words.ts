/** Why a device ended as it did, in a sentence, with the evidence that was recorded of it. */
import { count, percent } from '../text/format.ts';
import { FRAGMENT_WORDS, UPLINK_WORDS, type Words } from '../text/words.ts';
import {
  type CampaignView,
  causeWords,
  framesOf,
  memberFigure,
  outcomeOf,
} from './campaign-view.ts';
import { frameFate, type Run } from './page-data.ts';

/** Frames of a campaign at a device, by fate, the most frequent first. */
export function framesByFate(view: CampaignView | undefined, device: number): [string, number][] {
  const counts = new Map<string, number>();
  for (const character of framesOf(view, device)) {
    const fate = frameFate(character);
    if (fate !== 'none') counts.set(fate, (counts.get(fate) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]);
}

export const fateLabel = (fate: string): string =>
  fate === 'heard'
    ? 'Heard'
    : fate === 'outOfReach'
      ? 'Other gateway'
      : ((FRAGMENT_WORDS as Readonly<Record<string, Words>>)[fate]?.label ?? fate);

/** `Missing fragments: 3 of 84 are missing; 12 of 93 frames were lost, most by noise.` */
export function verdictOn(run: Run, view: CampaignView | undefined, device: number): string {
  const outcome = outcomeOf(view, device);
  if (view === undefined || outcome === 'none') return traffic(run, device);
  if (outcome === 'confirmed') return `It runs the image of ${view.name}, and has confirmed it.`;
  if (outcome === 'inProgress') return `It is not over with ${view.name}.`;
  const words = causeWords(view, device);
  const runs = outcome === 'unheard' ? 'It runs the new image, and counts as failed. ' : '';
  const why = words === undefined ? 'It failed.' : `${words.label}: ${words.meaning}`;
  const evidence = fragmentsSentence(view, device);
  const diagnosis = view.columns.diagnoses[view.memberOf[device]!] ?? null;
  return [runs + why, evidence, diagnosis ?? ''].filter((part) => part !== '').join(' ');
}

function fragmentsSentence(view: CampaignView, device: number): string {
  const missing = memberFigure(view, device, 'fragmentsMissing');
  const needed = memberFigure(view, device, 'fragmentsNeeded');
  const fates = framesByFate(view, device);
  const all = fates.reduce((sum, [, times]) => sum + times, 0);
  const lost = fates.filter(([fate]) => fate !== 'heard');
  const parts: string[] = [];
  if (missing !== null && missing > 0) {
    parts.push(`${count(missing)} of ${count(needed ?? view.nbFrag)} fragments are missing`);
  }
  const [most] = lost;
  if (most !== undefined) {
    const times = lost.reduce((sum, [, each]) => sum + each, 0);
    const label = fateLabel(most[0]).toLowerCase();
    parts.push(`${count(times)} of ${count(all)} frames were not heard, most: ${label}`);
  }
  return parts.length === 0 ? '' : `${parts.join('; ')}.`;
}

function traffic(run: Run, device: number): string {
  const { uplinks } = run.columns!.devices;
  const fates = Object.entries(uplinks).map(([fate, values]) => [fate, values![device]!] as const);
  const sent = fates.reduce((sum, [, times]) => sum + times, 0);
  if (sent === 0) return 'It sent nothing.';
  const [most] = fates
    .filter(([fate, times]) => fate !== 'received' && times > 0)
    .sort((a, b) => b[1] - a[1]);
  const received = uplinks.received?.[device] ?? 0;
  const share = `${percent(received / sent)} of its ${count(sent)} frames arrived`;
  if (most === undefined) return `${share}.`;
  const { label } = UPLINK_WORDS[most[0] as keyof typeof UPLINK_WORDS];
  return `${share}; most others were lost by “${label}”.`;
}
