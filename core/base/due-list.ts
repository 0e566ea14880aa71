/**
 * Members of a campaign or a job by the time they are due: a binary heap in a plain array, ordered
 * by (time, place).
 *
 * An entry counts only while the member's own `dueAtUs` agrees with it; others are stale and are
 * dropped when they are taken.
 */

import { assert } from '../../sim/base/assert.ts';

export interface DueEntry {
  readonly atUs: number;
  /** The member's place among the members. */
  readonly member: number;
}

export type DueList = DueEntry[];

export function addDue(list: DueList, entry: DueEntry): void {
  let place = list.push(entry) - 1;
  while (place > 0) {
    const parent = (place - 1) >> 1;
    if (!isBefore(entry, list[parent]!)) break;
    list[place] = list[parent]!;
    place = parent;
  }
  list[place] = entry;
}

/** Removes and returns the first entry. */
export function takeDue(list: DueList): DueEntry | undefined {
  const first = list[0];
  const last = list.pop();
  if (first === undefined || last === undefined || list.length === 0) return first;
  sink(list, last);
  assert(!isBefore(list[0]!, first), 'members are taken in the order in which they are due');
  return first;
}

/** Puts an entry in the place of the first. */
function sink(list: DueList, entry: DueEntry): void {
  let place = 0;
  for (;;) {
    let child = 2 * place + 1;
    if (child >= list.length) break;
    const right = child + 1;
    if (right < list.length && isBefore(list[right]!, list[child]!)) child = right;
    if (!isBefore(list[child]!, entry)) break;
    list[place] = list[child]!;
    place = child;
  }
  list[place] = entry;
}

function isBefore(a: DueEntry, b: DueEntry): boolean {
  return a.atUs < b.atUs || (a.atUs === b.atUs && a.member < b.member);
}
