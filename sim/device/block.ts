/** A block on its way to completion: fragments in, rank decided, the image handed on. */

import { assert } from '../base/assert.ts';
import { bitCount, lowestPlace } from '../base/bits.ts';
import { removeRow } from '../kernel/chain.ts';
import { NONE } from '../kernel/columns.ts';
import { Admission, admit } from '../lorawan/fragment-admission.ts';
import type { DeviceSide } from './device-side.ts';
import { accountForFlash } from './energy.ts';
import { failsToWrite, mayFailToWrite } from './failures.ts';
import { hasFragment, setFragments } from './fragment-bits.ts';
import type { FragmentRun } from './multicast-memos.ts';
import { traceFragmentTaken, traceFragSessionEnds } from './multicast-trace.ts';
import { packagesFor } from './packages/answers.ts';
import { queueBlockReceivedReq } from './packages/fragment-status.ts';
import { takeImage } from './packages/image.ts';

/** What a fragment did. */
export const Taken = { dropped: 0, repeated: 1, fresh: 2, completed: 3 } as const;
export type Taken = (typeof Taken)[keyof typeof Taken];

/**
 * Takes one fragment of the fragmentation session in `row`: FragIndex `number` from 1, received at
 * `nowUs`. Once the block is complete, further ones are dropped. Nobody changes a fragment's bytes:
 * devices that had it of one frame keep the same.
 */
export function takeFragment(
  side: DeviceSide,
  device: number,
  row: number,
  number: number,
  fragment: Uint8Array,
  nowUs: number,
): Taken {
  const { multicast } = side;
  const s = multicast.fragSessions.column;
  assert(s.device[row] === device, 'a fragmentation session is that of its device');
  if (s.complete[row] === 1 || number === 0 || fragment.length !== s.fragSize[row]) {
    return Taken.dropped;
  }
  growFragmentBits(side, row, number);
  s.received[row]++;
  const admitted = isAdmitted(side, device, row, number);
  s.highest[row] = Math.max(s.highest[row], number);
  if (!admitted || !isWritten(side, device, row, number, nowUs)) return Taken.dropped;
  if (storeFragments(side, device, row, number, 1) === 0) return Taken.repeated;
  if (needsContents(side, device, row)) noteContent(side, device, row, number, fragment);
  const completes = s.distinct[row] >= s.nbFrag[row] && isComplete(side, device, row);
  if (completes) complete(side, device, row, nowUs);
  traceFragmentTaken(side, device, row, number, nowUs);
  return completes ? Taken.completed : Taken.fresh;
}

/** Whether a block takes every fragment of its length that comes until it is complete. */
export function takesAll(side: DeviceSide, device: number, row: number): boolean {
  const s = side.multicast.fragSessions.column;
  return (
    s.complete[row] === 0 &&
    s.unwritable[row] === 0 &&
    admitsAll(side, device, row) &&
    !mayFailToWrite(side, device)
  );
}

/**
 * Takes fragments of a block that takes all, and is not complete with them: bit i of `bits` is
 * number `first` + i.
 */
export function takeFragments(
  side: DeviceSide,
  device: number,
  row: number,
  first: number,
  bits: number,
  { firstNumber, fragments }: FragmentRun,
): void {
  const s = side.multicast.fragSessions.column;
  const highest = first + 31 - Math.clz32(bits);
  growFragmentBits(side, row, highest);
  s.received[row] += bitCount(bits);
  s.highest[row] = Math.max(s.highest[row], highest);
  const fresh = storeFragments(side, device, row, first, bits);
  assert(s.distinct[row] < s.nbFrag[row], 'a block lacks a fragment after those taken at once');
  if (!needsContents(side, device, row)) return;
  for (let left = fresh; left !== 0; left &= left - 1) {
    const number = first + lowestPlace(left);
    noteContent(side, device, row, number, fragments[number - firstNumber]!);
  }
}

/** Sets fragments that are written: bit i is number `first` + i. Returns those that are new. */
function storeFragments(
  side: DeviceSide,
  device: number,
  row: number,
  first: number,
  bits: number,
): number {
  const { fragmentBits, fragSessions } = side.multicast;
  const s = fragSessions.column;
  if (first + 31 - Math.clz32(bits) > s.nbFrag[row]) s.usesCoded[row] = 1;
  const fresh = setFragments(fragmentBits.words, s.bitsAt[row], first, bits);
  const count = bitCount(fresh);
  if (count > 0) accountForFlash(side, device, count * s.fragSize[row]);
  s.distinct[row] += count;
  assert(s.distinct[row] <= s.received[row], 'fragments that differ are some of those received');
  return fresh;
}

const isVersion2 = (side: DeviceSide, device: number): boolean =>
  packagesFor(side, device).fragmentation.version === 2;

/** Whether the decoder takes fragments in any order, and has memory for all that may be lost. */
function admitsAll(side: DeviceSide, device: number, row: number): boolean {
  const { decoder } = packagesFor(side, device);
  return !decoder.inOrder && decoder.maxLost >= side.multicast.fragSessions.column.nbFrag[row];
}

/** Whether the decoder's order and memory admit a fragment; sets `memoryError` if it is full. */
function isAdmitted(side: DeviceSide, device: number, row: number, number: number): boolean {
  if (admitsAll(side, device, row)) return true;
  const s = side.multicast.fragSessions.column;
  const { decoder } = packagesFor(side, device);
  const state = {
    nbFrag: s.nbFrag[row],
    highest: s.highest[row],
    missing: s.nbFrag[row] - s.distinct[row],
    usesCoded: s.usesCoded[row] === 1,
  };
  const admission = admit(decoder, state, number);
  if (admission === Admission.noMemory) s.memoryError[row] = 1;
  return admission === Admission.taken;
}

/**
 * Whether a fragment stands in flash; one that the device has already does. Where it cannot be
 * written the block is lost: `memoryError` is all that TS004 has to say so.
 */
function isWritten(
  side: DeviceSide,
  device: number,
  row: number,
  number: number,
  nowUs: number,
): boolean {
  const s = side.multicast.fragSessions.column;
  if (s.unwritable[row] === 1) return false;
  const { words } = side.multicast.fragmentBits;
  if (hasFragment(words, s.bitsAt[row], number)) return true;
  const block = { written: s.distinct[row], nbFrag: s.nbFrag[row] };
  if (!failsToWrite(side, device, block, nowUs)) return true;
  s.unwritable[row] = s.memoryError[row] = 1;
  return false;
}

/** Whether the fragments received have the rank of the block. */
function isComplete(side: DeviceSide, device: number, row: number): boolean {
  const s = side.multicast.fragSessions.column;
  const { version } = packagesFor(side, device).fragmentation;
  const model = side.multicast.rankModel(version, s.nbFrag[row]);
  return model.completesAt(side.multicast.fragmentBits.words, s.bitsAt[row], s.highest[row]) >= 0;
}

/**
 * The block is complete: its MIC is judged, its image waits for activation. The world hears of the
 * block of a sampled session.
 */
function complete(side: DeviceSide, device: number, row: number, nowUs: number): void {
  const s = side.multicast.fragSessions.column;
  s.complete[row] = 1;
  // The block that the fragments make is written once more.
  accountForFlash(side, device, s.nbFrag[row] * s.fragSize[row]);
  s.completedAtUs[row] = nowUs;
  const version2 = isVersion2(side, device);
  const block = version2 ? rebuildShared(side, row) : undefined;
  if (block !== undefined && !isIntact(side, device, row, block)) s.micError[row] = 1;
  takeImage(side, device, s.descriptor[row], s.micError[row] === 0, nowUs);
  if (s.awaitsAck[row] === 1) queueBlockReceivedReq(side, device, row, nowUs);
  if (s.sampled[row] === 0) return;
  const rebuilt = block ?? rebuild(side, row);
  side.multicast.keptFragments.delete(row);
  const { devEui } = side.devices.identities.of(device);
  side.onBlock({ devEui, mcAddr: mcAddrOf(side, device, row), block: rebuilt });
}

/** McAddr of the group that a session's fragments come from, 0 when there is none. */
function mcAddrOf(side: DeviceSide, device: number, row: number): number {
  const g = side.multicast.mcGroups.column;
  const mask = side.multicast.fragSessions.column.mcGroupBitMask[row];
  let group = side.column.mcGroups[device];
  while (group !== NONE && (mask & (1 << g.mcGroupId[group])) === 0) group = g.next[group];
  return group === NONE ? 0 : g.mcAddr[group];
}

/** The block's bytes from the fragments stored (version 1), padding cut off. */
function rebuild(side: DeviceSide, row: number): Uint8Array {
  const s = side.multicast.fragSessions.column;
  const stored = side.multicast.keptFragments.get(row) ?? new Map<number, Uint8Array>();
  const block = side.multicast.rebuiltBlocks.rebuild(s.nbFrag[row], s.fragSize[row], stored);
  assert(block !== undefined, 'a block of full rank is rebuilt');
  return block.subarray(0, block.length - s.padding[row]);
}

// ── version 2 ────────────────────────────────────────────────────────────────────────────────────

/** Whether fragments' bytes are noted: of version 2 by number, of a sampled session themselves. */
const needsContents = (side: DeviceSide, device: number, row: number): boolean =>
  side.multicast.fragSessions.column.sampled[row] === 1 || isVersion2(side, device);

/** Notes what the device had under a number. */
function noteContent(
  side: DeviceSide,
  device: number,
  row: number,
  number: number,
  fragment: Uint8Array,
): void {
  if (isVersion2(side, device)) noteNumber(side, row, number, fragment);
  else side.multicast.keptFragments.get(row)?.set(number, fragment);
}

/** Which content the device had under a number. */
function noteNumber(side: DeviceSide, row: number, number: number, fragment: Uint8Array): void {
  const { contentNumbers, contents, fragSessions } = side.multicast;
  const s = fragSessions.column;
  if (number > s.contentCount[row]) {
    const count = Math.max(s.nbFrag[row] + (s.nbFrag[row] >> 1), 2 * number);
    const at = contentNumbers.take(count);
    if (s.contentCount[row] > 0) {
      const from = s.contentAt[row];
      contentNumbers.words.copyWithin(at, from, from + s.contentCount[row]);
      contentNumbers.give(from, s.contentCount[row]);
    }
    s.contentAt[row] = at;
    s.contentCount[row] = count;
  }
  contentNumbers.words[s.contentAt[row] + number - 1] = contents.numberOf(fragment);
}

/** The block as all devices that had the same fragments rebuild it, padding cut off. */
function rebuildShared(side: DeviceSide, row: number): Uint8Array {
  const { fragmentBits, contentNumbers, contents, fragSessions } = side.multicast;
  const s = fragSessions.column;
  const [bitsAt, contentAt] = [s.bitsAt[row], s.contentAt[row]];
  const block = contents.rebuild(
    s.nbFrag[row],
    s.fragSize[row],
    s.highest[row],
    (number) =>
      ((fragmentBits.words[bitsAt + ((number - 1) >> 5)] >>> ((number - 1) & 31)) & 1) === 1,
    (number) => contentNumbers.words[contentAt + number - 1],
  );
  assert(block !== undefined, 'a block of full rank is rebuilt');
  return block.subarray(0, block.length - s.padding[row]);
}

/** Whether the block has the MIC that the session was set up with. */
function isIntact(side: DeviceSide, device: number, row: number, block: Uint8Array): boolean {
  const s = side.multicast.fragSessions.column;
  const mic = side.security.blockMic(side.devices.rootKeys.genApp.copyOf(device), {
    sessionCnt: s.sessionCnt[row],
    fragIndex: s.fragIndex[row],
    descriptor: s.descriptor[row],
    block,
  });
  return mic === s.mic[row];
}

// ── memory ───────────────────────────────────────────────────────────────────────────────────────

/** Grows the bit set when a fragment number lies beyond it. */
function growFragmentBits(side: DeviceSide, row: number, number: number): void {
  const { fragmentBits: bits, fragSessions } = side.multicast;
  const s = fragSessions.column;
  const needed = ((number - 1) >> 5) + 2;
  if (needed <= s.bitWords[row]) return;
  const length = 2 * needed;
  const at = bits.take(length);
  bits.words.copyWithin(at, s.bitsAt[row], s.bitsAt[row] + s.bitWords[row]);
  bits.give(s.bitsAt[row], s.bitWords[row]);
  s.bitsAt[row] = at;
  s.bitWords[row] = length;
}

/** Forgets a fragmentation session and its fragments. */
export function dropFragSession(side: DeviceSide, device: number, row: number): void {
  const { multicast, devices } = side;
  const s = multicast.fragSessions.column;
  traceFragSessionEnds(side, device, row);
  removeRow(devices.column.fragSessions, device, s.next, row);
  multicast.fragmentBits.give(s.bitsAt[row], s.bitWords[row]);
  if (s.contentCount[row] > 0) multicast.contentNumbers.give(s.contentAt[row], s.contentCount[row]);
  multicast.keptFragments.delete(row);
  multicast.fragSessions.give(row);
}
