/**
 * Traffic from a list: a device sends exactly these messages, in their order, each at its time or
 * as soon as it may (docs/model.md; docs/decisions/0076). The list is of the plan.
 */
import { assert } from '../base/assert.ts';
import { fromHex } from '../base/bytes.ts';
import type { ListedCounts } from '../base/counts.ts';
import { DrawPurpose, draw, happens } from '../base/random.ts';
import type { ListedMessages } from '../plan/network-plan.ts';
import type { DeviceSide, MessageShape } from './device-side.ts';
import { Activation, NEVER, UplinkPurpose } from './device-table.ts';

const NO_MESSAGES: ListedMessages = { atUs: [], fPorts: [], lengths: [], confirmed: [] };

/** The messages of a device; undefined: its traffic is of no list. */
function listOf(side: DeviceSide, device: number): ListedMessages | undefined {
  const { listed } = side.types[side.column.type[device]]!.traffic;
  if (listed === undefined) return undefined;
  const { name } = side.devices.identities.of(device);
  return Object.hasOwn(listed, name) ? listed[name] : NO_MESSAGES;
}

/** Own messages that wait at most: others stay in their list, those of no list are dropped. */
export const MOST_WAITING = 4;

/** When the next message comes up that neither was taken nor waits; NEVER: none does for now. */
export function nextListedUs(side: DeviceSide, device: number): number {
  const waiting = side.column.waiting[device];
  if (waiting >= MOST_WAITING) return NEVER;
  const at = side.listed.taken(device) + waiting;
  return listOf(side, device)?.atUs[at] ?? NEVER;
}

/** The number, from 0, of the own message in hand, or of the next one when none is. */
function numberOf(side: DeviceSide, device: number): number {
  const isInHand = side.column.purpose[device] === UplinkPurpose.data;
  return side.listed.taken(device) - (isInHand ? 1 : 0);
}

/** Port and length of that message; undefined: not of a list. */
export function listedMessage(side: DeviceSide, device: number): MessageShape | undefined {
  const list = listOf(side, device);
  if (list === undefined) return undefined;
  const number = numberOf(side, device);
  const [fPort, length] = [list.fPorts[number], list.lengths[number]];
  return fPort === undefined || length === undefined ? undefined : { fPort, length };
}

/** Whether that message is confirmed; undefined: its list does not say. */
export function isListedConfirmed(side: DeviceSide, device: number): boolean | undefined {
  const list = listOf(side, device);
  if (list === undefined) return undefined;
  const number = numberOf(side, device);
  const said = list.confirmed[number];
  if (said !== undefined && said !== null) return said;
  const { key0, key1, type } = side.column;
  const { confirmedPpm } = side.types[type[device]]!.traffic;
  if (confirmedPpm === 0) return false;
  return happens(draw(key0[device], key1[device], DrawPurpose.confirmed, number), confirmedPpm);
}

/** Writes the payload of the own message in hand, where its list says it; whether it does. */
export function fillListed(side: DeviceSide, device: number, out: Uint8Array): boolean {
  const payload = listOf(side, device)?.payloads?.[numberOf(side, device)];
  if (payload === undefined || payload === null) return false;
  out.set(fromHex(payload));
  return true;
}

/** An own message is taken in hand: the next of its list may come up. */
export function takeListed(side: DeviceSide, device: number, nowUs: number): void {
  if (listOf(side, device) === undefined) return;
  side.listed.setTaken(device, side.listed.taken(device) + 1);
  const nextUs = nextListedUs(side, device);
  const { trafficDueAtUs } = side.column;
  trafficDueAtUs[device] = nextUs === NEVER ? NEVER : Math.max(nowUs + 1, nextUs);
}

/** The own message in hand waits again. */
export function putBackListed(side: DeviceSide, device: number): void {
  if (listOf(side, device) === undefined) return;
  side.listed.setTaken(device, side.listed.taken(device) - 1);
}

/** The own message in hand, or the one that is taken next, is never sent. */
export function loseListedInHand(side: DeviceSide, device: number): void {
  if (listOf(side, device) !== undefined) side.listed.addLost(device, 1);
}

/**
 * A device loses its memory, or has its power back: what has come up until now and is not in hand
 * is lost, and the next of the list may come up. How many are; undefined: it has no list.
 */
export function loseListed(side: DeviceSide, device: number, nowUs: number): number | undefined {
  const list = listOf(side, device);
  if (list === undefined) return undefined;
  const before = side.listed.taken(device);
  // What comes before the first power-on waits for it.
  if (side.column.startsAtUs[device] > nowUs) return 0;
  let taken = before;
  while (taken < list.atUs.length && list.atUs[taken]! <= nowUs) taken++;
  if (taken === before) return 0;
  side.listed.setTaken(device, taken);
  side.listed.addLost(device, taken - before);
  const { activation, trafficDueAtUs } = side.column;
  const speaks = activation[device] === Activation.active;
  if (speaks) trafficDueAtUs[device] = list.atUs[taken] ?? NEVER;
  return taken - before;
}

/** What became of a device's list; undefined: it has none. The sum is all of its messages. */
export function listedCounts(side: DeviceSide, device: number): ListedCounts | undefined {
  const list = listOf(side, device);
  if (list === undefined) return undefined;
  const lost = side.listed.lost(device);
  const sent = side.listed.taken(device) - lost - (hasUntriedInHand(side, device) ? 1 : 0);
  const left = list.atUs.length - sent - lost;
  assert(sent >= 0 && lost >= 0 && left >= 0, 'each message of a list has one fate');
  return { sent, lost, left };
}

/** Whether the message in hand is one of the device's own that was never on the air. */
export function hasUntriedInHand(side: DeviceSide, device: number): boolean {
  const { purpose, attempts, outgoingInHand } = side.column;
  const isUntried = purpose[device] === UplinkPurpose.data && attempts[device] === 0;
  return isUntried && side.outgoing.isOwn(outgoingInHand[device]);
}
