/** Which fragmentation session of a device a group's fragments are for. */
import { NONE } from '../kernel/columns.ts';
import type { DeviceSide } from './device-side.ts';

/** Whether a fragmentation session takes fragments of a group (McGroupBitMask). */
export const takesFragmentsOf = (
  { multicast }: DeviceSide,
  session: number,
  group: number,
): boolean =>
  (multicast.fragSessions.column.mcGroupBitMask[session] &
    (1 << multicast.mcGroups.column.mcGroupId[group])) !==
  0;

/** The session at an index, if it takes fragments of a group; NONE else. */
export function fragSessionFor(
  side: DeviceSide,
  device: number,
  group: number,
  fragIndex: number,
): number {
  const heads = side.column.fragSessions;
  const row = side.multicast.findFragSession(heads, device, fragIndex);
  return row !== NONE && takesFragmentsOf(side, row, group) ? row : NONE;
}
