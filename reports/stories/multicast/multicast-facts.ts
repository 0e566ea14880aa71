/** What members of a multicast group heard, in words that every form of report shares. */
import type { MulticastGroupResult } from '../../../core/result/result.ts';
import { assert } from '../../../sim/base/assert.ts';
import { sumOf } from '../../../sim/base/counts.ts';
import { count, partOf } from '../../text/format.ts';
import { byAmount, FRAGMENT_WORDS } from '../../text/words.ts';

/** Groups that a report shows; a run may have many. */
export const GROUPS_SHOWN = 20;

/** A line of a table; `missed` has an entry for each cause, the most frequent first. */
export function groupRow({ name, eui, frames, toHear, heard, ...group }: MulticastGroupResult) {
  const { missed, outOfReach } = group;
  assert(heard + sumOf(missed) + outOfReach === toHear, 'a frame has one fate at each member');
  const causes = byAmount(missed).map(([cause, frames]) => {
    return `${FRAGMENT_WORDS[cause].label}: ${count(frames)}`;
  });
  const far = outOfReach > 0 ? [`Out of reach: ${count(outOfReach)}`] : [];
  return {
    name,
    eui,
    frames: count(frames),
    heard: partOf(heard, toHear),
    missed: [...causes, ...far],
  };
}
