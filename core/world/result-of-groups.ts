/** The part of a result on multicast groups of management: what their members heard. */
import { sortedByName, sumOf } from '../../sim/base/counts.ts';
import type { NetworkSummary } from '../../sim/contract/summary.ts';
import type { Resources } from '../operations.ts';
import type { WorldResult } from '../result/result.ts';

/** Those that there are, in the order of their creation; nothing where there are none. */
export function groupResults(
  known: Resources['multicastGroup'],
  { counted }: NetworkSummary,
): Pick<WorldResult, 'multicastGroups'> {
  const groups = known.all();
  if (groups.length === 0) return {};
  const multicastGroups = groups.map(({ mcAddr, name, eui }) => {
    const { frames = 0, toHear = 0, fates = {} } = counted.groupFrames.get(mcAddr) ?? {};
    const { heard = 0, ...missed } = fates;
    const outOfReach = toHear - sumOf(fates);
    return { name, eui, frames, toHear, heard, missed: sortedByName(missed), outOfReach };
  });
  return { multicastGroups };
}
