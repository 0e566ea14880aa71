/**
 * Who belongs to a multicast group, devices or gateways: those of a list who are added or removed,
 * and those who are ignored.
 */
import type { GroupRecords } from '../group-records.ts';

/** A group, whose members stand under its EUI. */
interface Group {
  readonly owner: string;
  readonly eui: string;
  readonly name: string;
}

type Split = readonly [did: readonly string[], ignored: readonly string[]];

/** Adds members in their order; those that there are already, or that may not, are ignored. */
export function join(
  records: GroupRecords,
  { owner, eui: id, name }: Group,
  given: readonly string[],
  may: (member: string) => boolean = () => true,
): Split {
  const added = new Set<string>();
  const ignored: string[] = [];
  for (const each of given) {
    if (records.isMember(id, each) || added.has(each) || !may(each)) ignored.push(each);
    else added.add(each);
  }
  if (added.size > 0) records.join({ owner, id, name }, [...added]);
  return [[...added], ignored];
}

/** Removes members; what is none is ignored, also one that stands in the list twice. */
export function leave(
  records: GroupRecords,
  { owner, eui: id, name }: Group,
  given: readonly string[],
): Split {
  const removed = new Set<string>();
  const ignored: string[] = [];
  for (const each of given) {
    if (records.isMember(id, each) && !removed.has(each)) removed.add(each);
    else ignored.push(each);
  }
  if (removed.size > 0) records.part({ owner, id, name }, [...removed]);
  return [[...removed], ignored];
}
