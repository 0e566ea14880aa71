/** What configurations came to, in cells that every form of report shares. */
import type {
  ConfigurationPopulation,
  ConfigurationResult,
} from '../../../core/result/configuration.ts';
import { assert } from '../../../sim/base/assert.ts';
import { type Counts, sumOf } from '../../../sim/base/counts.ts';
import { count, counted, duration, NOTHING, partOf } from '../../text/format.ts';
import {
  byAmount,
  CANCELLATION_WORDS,
  CONFIGURATION_WORDS,
  ROLLOUT_WORDS,
  type Words,
} from '../../text/words.ts';

/** Populations that a report shows; a run may have very many. */
export const CONFIGURED_SHOWN = 20;

/** `1 000 rollouts: applied: 990, failed by Not sent: 10.`, in one sentence for all devices. */
export function rolloutsSentence({ rollouts, tries, suspensions }: ConfigurationResult): string {
  const { made, active, applied, failed, cancelled } = rollouts;
  const all = active + applied + sumOf(failed) + sumOf(cancelled);
  assert(all === made, 'each rollout has one state');
  const parts = [
    `${count(applied)} applied`,
    ...(active > 0 ? [`${count(active)} underway`] : []),
    ...listed(failed, CONFIGURATION_WORDS).map((part) => `failed: ${part.toLowerCase()}`),
    ...listed(cancelled, CANCELLATION_WORDS).map((part) => part.toLowerCase()),
  ];
  const work = `${counted(tries, 'try', 'tries')}, suspended ${counted(suspensions, 'time')}`;
  return `${counted(made, 'rollout')}: ${parts.join(', ')}; ${work}.`;
}

/** A line of a table; the physical truth first, then what the service believes. */
export function configuredRow({ name, devices, set, status, ...more }: ConfigurationPopulation) {
  const { failures, suspended, appliedSeconds } = more;
  assert(sumOf(status) === devices, 'each configured device has one latest rollout');
  const { applied = 0, failed: _, ...others } = status;
  return {
    name,
    set: set === null ? NOTHING : partOf(set, devices),
    applied: partOf(applied, devices),
    others: [
      ...listed(others, ROLLOUT_WORDS),
      ...(suspended > 0 ? [`Of those suspended: ${count(suspended)}`] : []),
      ...listed(failures, CONFIGURATION_WORDS),
    ],
    half: appliedSeconds === null ? NOTHING : duration(appliedSeconds.p50),
    last: appliedSeconds === null ? NOTHING : duration(appliedSeconds.max),
  };
}

const listed = <Cause extends string>(
  counts: Counts<Cause>,
  words: Readonly<Record<Cause, Words>>,
): readonly string[] =>
  byAmount(counts)
    .filter(([, times]) => times > 0)
    .map(([cause, times]) => `${words[cause].label}: ${count(times)}`);
