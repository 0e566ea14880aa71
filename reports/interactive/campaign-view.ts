/** A campaign by device: what became of each recorded device, and which frames it heard. */
import type { CampaignColumns, RunColumns } from '../../core/result/columns.ts';
import type { RunData } from '../pages/interactive-parts.ts';
import { FAILURE_WORDS, type Words } from '../text/words.ts';

export interface CampaignView {
  readonly name: string;
  readonly columns: CampaignColumns;
  readonly nbFrag: number;
  /** Place among the members by place of the device; −1: it is not a member. */
  readonly memberOf: Int32Array;
}

export function campaignViews(
  { campaigns }: RunData,
  columns: RunColumns | undefined,
): CampaignView[] {
  if (columns === undefined) return [];
  const { length } = columns.devices.devEuis;
  return columns.campaigns.map((one) => {
    const memberOf = new Int32Array(length).fill(-1);
    for (const [member, device] of one.members.entries()) memberOf[device] = member;
    const nbFrag = campaigns.find(({ name }) => name === one.name)?.nbFrag ?? 0;
    return { name: one.name, columns: one, nbFrag, memberOf };
  });
}

/** Outcome of a device in a campaign, in the words of filters and legends. */
export const OUTCOMES = ['confirmed', 'unheard', 'inProgress', 'failed', 'none'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const OUTCOME_LABELS: Readonly<Record<Outcome, string>> = {
  confirmed: 'Confirmed',
  unheard: 'Runs it, not confirmed',
  inProgress: 'In progress',
  failed: 'Failed',
  none: 'In no campaign',
};

export function outcomeOf(view: CampaignView | undefined, device: number): Outcome {
  const member = view?.memberOf[device] ?? -1;
  if (view === undefined || member < 0) return 'none';
  const fate = view.columns.fates[member]!;
  if (fate !== 'confirmed' && view.columns.runs[member] === true) return 'unheard';
  return fate;
}

/** The cause of failure in words; empty where it has not failed. */
export function causeLabel(view: CampaignView | undefined, device: number): string {
  const cause = causeWords(view, device);
  return cause?.label ?? '';
}

export function causeWords(view: CampaignView | undefined, device: number): Words | undefined {
  const member = view?.memberOf[device] ?? -1;
  const cause = view?.columns.causes[member] ?? null;
  if (cause === null) return undefined;
  const words = (FAILURE_WORDS as Readonly<Record<string, Words>>)[cause];
  return words ?? { label: cause, meaning: '' };
}

/** A figure of a member; null: there is none. */
export function memberFigure(
  view: CampaignView | undefined,
  device: number,
  of: 'fragmentsHeld' | 'fragmentsNeeded' | 'fragmentsMissing',
): number | null {
  const member = view?.memberOf[device] ?? -1;
  return member < 0 ? null : (view!.columns[of][member] ?? null);
}

/** Frames of the campaign at a device, a character each; empty: nothing was recorded. */
export function framesOf(view: CampaignView | undefined, device: number): string {
  const member = view?.memberOf[device] ?? -1;
  return view?.columns.fragments?.fates[member] ?? '';
}
