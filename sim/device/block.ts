/** A block on its way to completion: fragments in, rank decided, the image activated. */

import { assert } from '../base/assert.ts';
import { SECOND_US } from '../base/units.ts';
import { removeRow } from '../kernel/chain.ts';
import { NONE } from '../kernel/columns.ts';
import { FragmentDecoder } from '../lorawan/fragmentation-code.ts';
import type { DeviceRoom } from './device-room.ts';
import { setFragment } from './fragment-bits.ts';
import { traceEnds, traceTaken } from './session-trace.ts';

/** From the last fragment to the reboot that activates the image. */
const ACTIVATION_DELAY_US = 10 * SECOND_US;

/** What a fragment did. */
export const Taken = { dropped: 0, repeated: 1, fresh: 2, completed: 3 } as const;
export type Taken = (typeof Taken)[keyof typeof Taken];

/**
 * Takes one fragment of a session at a time. Once the block is complete, further ones are dropped.
 */
export function takeFragment(
  room: DeviceRoom,
  device: number,
  row: number,
  number: number,
  fragment: Uint8Array,
  nowUs: number,
): Taken {
  const { groups } = room;
  const s = groups.sessions.column;
  if (s.complete[row] === 1 || number === 0 || fragment.length !== s.fragSize[row]) {
    return Taken.dropped;
  }
  makeRoom(room, row, number);
  s.received[row]++;
  if (!setFragment(groups.bits.words, s.bitsAt[row], number)) return Taken.repeated;
  s.distinct[row]++;
  s.highest[row] = Math.max(s.highest[row], number);
  if (s.sampled[row] === 1) groups.kept.get(row)?.set(number, fragment.slice());
  const completes = s.distinct[row] >= s.nbFrag[row] && isComplete(room, row);
  if (completes) complete(room, device, row, nowUs);
  traceTaken(room, device, row, number, nowUs);
  return completes ? Taken.completed : Taken.fresh;
}

function isComplete(room: DeviceRoom, row: number): boolean {
  const s = room.groups.sessions.column;
  const model = room.groups.model(s.nbFrag[row]);
  return model.completesAt(room.groups.bits.words, s.bitsAt[row], s.highest[row]) >= 0;
}

/** The block is whole: the image will be activated, a sampled one is rebuilt and handed on. */
function complete(room: DeviceRoom, device: number, row: number, nowUs: number): void {
  const s = room.groups.sessions.column;
  const c = room.devices.column;
  s.complete[row] = 1;
  s.completedAtUs[row] = nowUs;
  c.nextFwVersion[device] = s.descriptor[row];
  c.rebootAtUs[device] = nowUs + ACTIVATION_DELAY_US;
  if (s.sampled[row] === 0) return;
  const block = rebuild(room, row);
  room.groups.kept.delete(row);
  const { devEui } = room.devices.identities[device]!;
  room.onBlock({ devEui, mcAddr: addressOf(room, device, row), block });
}

/** Address of the group that a session's fragments come from, 0 when there is none. */
function addressOf(room: DeviceRoom, device: number, row: number): number {
  const g = room.groups.groups.column;
  const mask = room.groups.sessions.column.mcGroupBitMask[row];
  let group = room.devices.column.mcGroups[device];
  while (group !== NONE && (mask & (1 << g.mcGroupId[group])) === 0) group = g.next[group];
  return group === NONE ? 0 : g.mcAddr[group];
}

/** The block's bytes from the fragments kept, padding cut off. */
function rebuild(room: DeviceRoom, row: number): Uint8Array {
  const s = room.groups.sessions.column;
  const decoder = new FragmentDecoder(1, s.nbFrag[row], s.fragSize[row]);
  const kept = [...(room.groups.kept.get(row) ?? [])].sort(([a], [b]) => a - b);
  for (const [number, fragment] of kept) decoder.add(number, fragment);
  const block = decoder.block();
  assert(block !== undefined, 'a block of full rank is rebuilt');
  return block.subarray(0, block.length - s.padding[row]);
}

/** Grows the bit set when a fragment number lies beyond it. */
function makeRoom(room: DeviceRoom, row: number, number: number): void {
  const { bits, sessions } = room.groups;
  const s = sessions.column;
  const needed = ((number - 1) >> 5) + 2;
  if (needed <= s.bitWords[row]) return;
  const length = 2 * needed;
  const at = bits.take(length);
  bits.words.copyWithin(at, s.bitsAt[row], s.bitsAt[row] + s.bitWords[row]);
  bits.give(s.bitsAt[row], s.bitWords[row]);
  s.bitsAt[row] = at;
  s.bitWords[row] = length;
}

/** Forgets a session. */
export function dropSession(room: DeviceRoom, device: number, row: number): void {
  const { groups, devices } = room;
  const s = groups.sessions.column;
  traceEnds(room, device, row);
  removeRow(devices.column.fragSessions, device, s.next, row);
  groups.bits.give(s.bitsAt[row], s.bitWords[row]);
  groups.kept.delete(row);
  groups.sessions.give(row);
}
