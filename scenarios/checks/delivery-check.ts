/**
 * What no single entry shows of where data goes: profiles without a target, phases that end first.
 */

import { mapOf, type Named, type Report } from '../language/members.ts';
import { readQuantity } from '../language/quantity.ts';
import { TARGET_LISTS } from '../schema/delivery-schema.ts';

const ANY = { least: 0, most: Number.MAX_SAFE_INTEGER };

/** Each has a target. */
export function checkOutputProfiles(profiles: readonly Named[], report: Report): void {
  const lists = Object.keys(TARGET_LISTS);
  for (const { path, name, entry } of profiles) {
    const isNone = (list: unknown) => list === undefined || (Array.isArray(list) && !list.length);
    if (!lists.every((list) => isNone(entry[list]))) continue;
    const what = `the output profile "${name}" has no target`;
    report(path, { what, allowed: `at least one in ${lists.join(', ')}` });
  }
}

/** Each phase ends after it begins. */
export function checkReceivers(receivers: readonly Named[], report: Report): void {
  for (const { path, entry } of receivers) {
    const phases = Array.isArray(entry.phases) ? (entry.phases as readonly unknown[]) : [];
    for (const [i, phase] of phases.entries()) {
      const { from, until } = mapOf(phase);
      const [begin, end] = [from, until].map((time) => readQuantity(time, 'duration', ANY));
      if (!begin?.ok || !end?.ok || end.value > begin.value) continue;
      const what = `${String(until)} is not after ${String(from)}`;
      report([...path, 'phases', i, 'until'], { what, allowed: 'later than its `from`' });
    }
  }
}
