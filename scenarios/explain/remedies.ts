/**
 * Settings that may save a device that failed in a campaign, by the cause of its failure: the ones
 * that branches of its world then try, in this order.
 */
import type { StoryEvent } from '../../core/result/explanation.ts';
import type { CampaignDevice, FailureCause } from '../../core/result/outcome.ts';
import { sumOf } from '../../sim/base/counts.ts';

/** What a campaign was created with, as its command has it; absent: the default. */
export interface Given {
  readonly redundancy?: number;
  readonly automatic_retry_count?: number;
  readonly acceptable_time_drift?: number;
  readonly max_final_version_check_retry?: number;
  readonly ignore_clock_rates?: boolean;
}

export interface Failed {
  readonly outcome: CampaignDevice;
  readonly given: Given;
  /** Of the latest session, at the device or at all of them; undefined: none was known. */
  readonly fragments:
    | Pick<Extract<StoryEvent, { readonly kind: 'fragments' }>, 'heard' | 'missed'>
    | undefined;
  /** Seconds from the campaign's creation to its session; undefined: there was none. */
  readonly setUpSeconds: number | undefined;
}

/** Knobs of the campaign with their values, such as `redundancy=40 %`. */
type Trial = readonly string[];

/** Null: nothing that is set later helps. */
export const REMEDIES: Readonly<
  Record<FailureCause, ((failed: Failed) => readonly Trial[]) | null>
> = {
  'missing fragments': (failed) => (isAsleep(failed) ? earlier(failed) : redundancy(failed)),
  'session missed': (failed) => [...earlier(failed), ...rounds(failed)],
  'clock drift': tolerance,
  'no uplink': (failed) => [...later(failed), ...rounds(failed)],
  'set-up unanswered': (failed) => [...later(failed), ...rounds(failed)],
  'verification unanswered': questions,
  'answer lost': unheard,
  'asked too early': unheard,
  'no beacon': (failed) => [['multicastSession=classC'], ...rounds(failed)],
  'not enough memory': rounds,
  'flash write error': rounds,
  rebooted: rounds,
  'MIC error': rounds,
  'multicast group undefined': rounds,
  'session counter replayed': rounds,
  'version mismatch': rounds,
  'no plan': rounds,
  'no key': null,
  halted: null,
  'device removed': null,
  'McGroupID unsupported': null,
  'encoding unsupported': null,
  'FragIndex unsupported': null,
  'wrong descriptor': null,
  'DR unsupported': null,
  'frequency unsupported': null,
  'not delegated': null,
  'wrong signature': null,
  'wrong hardware': null,
};

const percents = (share: number): string => `${Math.round(share * 100)} %`;

/** More fragments: what it lacked at its own loss, then more; or repairs. */
function redundancy({ outcome, given, fragments }: Failed): readonly Trial[] {
  const { redundancy: now = 0.3 } = given;
  const missed = fragments === undefined ? 0 : sumOf(fragments.missed);
  const heard = fragments?.heard ?? 0;
  const { fragmentsMissing, fragmentsNeeded } = outcome;
  const lacking = (fragmentsMissing ?? 1) / Math.max(1, fragmentsNeeded ?? heard + missed);
  const share = heard === 0 ? 0.5 : heard / (heard + missed);
  const first = Math.ceil((now + lacking / share) * 10 + 0.5) / 10;
  const shares = [first, first + 0.2, 1].filter((each) => each > now && each <= 1);
  const repairs = 2 * (fragmentsMissing ?? 10);
  return [
    ...[...new Set(shares)].map((each) => [`redundancy=${percents(each)}`]),
    [`individual_fragment_retransmit=${repairs}`],
  ];
}

/** Most of what it missed went by while its session was not open. */
const isAsleep = ({ fragments }: Failed): boolean =>
  fragments !== undefined && 2 * (fragments.missed.notListening ?? 0) > sumOf(fragments.missed);

/** A session sooner after the set-up: clocks have had less time to drift. */
function earlier({ setUpSeconds = 0 }: Failed): readonly Trial[] {
  const times = [2, 8, 32].map((part) => hours(setUpSeconds / part));
  return [...new Set(times)].map((time) => [`multicast_setup_time=${time}`]);
}

/** A session later: more uplinks until then. */
function later({ setUpSeconds = 0 }: Failed): readonly Trial[] {
  return [2, 4].map((times) => [`multicast_setup_time=${hours(setUpSeconds * times)}`]);
}

function hours(seconds: number): string {
  if (seconds >= 2 * 3_600) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.max(1, Math.round(seconds / 60))} min`;
}

function rounds({ given: { automatic_retry_count: now = 0 } }: Failed): readonly Trial[] {
  return [1, 3].map((more) => [`automatic_retry_count=${now + more}`]);
}

/** It runs the image: another round would ask it, or more questions. */
function unheard(failed: Failed): readonly Trial[] {
  return [...questions(failed).slice(0, 1), ...rounds(failed).slice(0, 1)];
}

/** Rates of clocks that are measured, where the campaign leaves that out; more tolerance. */
function tolerance({ given }: Failed): readonly Trial[] {
  const { acceptable_time_drift: now = 5, ignore_clock_rates = false } = given;
  return [
    ...(ignore_clock_rates ? [['ignore_clock_rates=false']] : []),
    ...[4, 16, 64].map((times) => [`acceptable_time_drift=${Math.max(1, now) * times} s`]),
  ];
}

function questions({
  given: { max_final_version_check_retry: now = 3 },
}: Failed): readonly Trial[] {
  return [2, 10].map((times) => [`max_final_version_check_retry=${Math.max(1, now) * times}`]);
}
