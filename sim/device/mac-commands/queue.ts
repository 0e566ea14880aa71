/**
 * MAC commands that a device has to send: answers, requests and indications, oldest first, until
 * the frames that carry them have gone out (LoRaWAN 1.0.4 §5).
 *
 * The queue is a run of whole commands. The message being sent carries its first `macInHand` bytes.
 * What a finished message has carried is dropped, but for commands that are repeated: they stay at
 * the head, the first `macRepeated` bytes, until a class A downlink (*sticky* answers) or the
 * network's confirmation (indications) takes them away.
 */
import {
  endOfCommand,
  INDICATIONS,
  STICKY_ANSWERS,
  UPLINK_COMMAND_BYTES,
} from '../../lorawan/mac-commands.ts';
import { type DeviceTable, FOPTS_BYTES, MAC_QUEUE_BYTES } from '../device-table.ts';

/** Queues a command for the next uplink; what does not fit is left out, as the standard allows. */
export function queueCommand(devices: DeviceTable, device: number, command: Uint8Array): void {
  devices.table.need('macQueue');
  const { macQueue, macLength, macConfirmed } = devices.column;
  const used = macLength[device];
  if (used + command.length > MAC_QUEUE_BYTES) return;
  macQueue.set(command, device * MAC_QUEUE_BYTES + used);
  macLength[device] = used + command.length;
  macConfirmed[device] &= ~bitOf(command[0]!);
}

/** Whether a command with this identifier is in the queue, being sent or not. */
export function isCommandQueued(devices: DeviceTable, device: number, cid: number): boolean {
  const { macQueue, macLength } = devices.column;
  const start = device * MAC_QUEUE_BYTES;
  const end = start + macLength[device];
  for (let at = start; at < end; at = after(macQueue, at, end)) {
    if (macQueue[at] === cid) return true;
  }
  return false;
}

/** Bytes of the whole commands at the head of the queue that fit in `most` bytes. */
export function commandsWithin(devices: DeviceTable, device: number, most: number): number {
  const { macQueue, macLength } = devices.column;
  const start = device * MAC_QUEUE_BYTES;
  const end = start + macLength[device];
  let at = start;
  while (at < end) {
    const next = after(macQueue, at, end);
    if (next - start > most) break;
    at = next;
  }
  return at - start;
}

/**
 * Whether commands that were in no frame yet call for a frame of their own (FPort 0): they are too
 * long for FOpts, or for the `spareBytes` that the next message leaves.
 */
export function callsForFrame(devices: DeviceTable, device: number, spareBytes: number): boolean {
  const { macLength, macRepeated } = devices.column;
  const length = macLength[device];
  return length > macRepeated[device] && length > Math.min(FOPTS_BYTES, spareBytes);
}

/** The message being sent is finished: what it carried is dropped, unless it is repeated. */
export function dropSentCommands(devices: DeviceTable, device: number): void {
  const { macInHand, macHeard, macRepeated, macConfirmed } = devices.column;
  if (macInHand[device] > 0) {
    const heard = macHeard[device] === 1;
    macRepeated[device] = keep(devices, device, macInHand[device], (cid) =>
      STICKY_ANSWERS.has(cid) ? !heard : (bitOf(cid) & ~macConfirmed[device]) !== 0,
    );
  }
  macInHand[device] = 0;
  macHeard[device] = 0;
}

/** A class A downlink has come: sticky answers that were sent have been heard. */
export function onClassADownlink(devices: DeviceTable, device: number): void {
  const { macInHand, macHeard, macRepeated } = devices.column;
  if (macInHand[device] > 0) {
    macHeard[device] = 1;
  } else if (macRepeated[device] > 0) {
    const most = macRepeated[device];
    macRepeated[device] = keep(devices, device, most, (cid) => INDICATIONS.has(cid));
  }
}

/** The network has confirmed an indication: it is repeated no more. */
export function confirmIndication(devices: DeviceTable, device: number, cid: number): void {
  const { macConfirmed, macInHand, macLength, macRepeated } = devices.column;
  macConfirmed[device] |= bitOf(cid);
  if (macInHand[device] > 0) return;
  const before = macLength[device];
  keep(devices, device, before, (other) => other !== cid);
  macRepeated[device] = Math.max(0, macRepeated[device] - (before - macLength[device]));
}

/** Forgets everything: a new session begins. */
export function forgetCommands(devices: DeviceTable, device: number): void {
  const { macInHand, macHeard, macRepeated, macLength } = devices.column;
  for (const column of [macInHand, macHeard, macRepeated, macLength]) column[device] = 0;
}

/** 0 for what is no indication; the identifiers of the three differ in their low five bits. */
const bitOf = (cid: number): number => (INDICATIONS.has(cid) ? 1 << (cid & 31) : 0);

const after = (queue: Uint8Array, at: number, end: number): number =>
  endOfCommand(UPLINK_COMMAND_BYTES, queue, at, end);

/**
 * Drops from the first `most` bytes every command that is not wanted; what lies behind moves up.
 * Returns how many of those bytes are left.
 */
function keep(
  devices: DeviceTable,
  device: number,
  most: number,
  wanted: (cid: number) => boolean,
): number {
  const { macQueue, macLength } = devices.column;
  const start = device * MAC_QUEUE_BYTES;
  const end = start + macLength[device];
  let to = start;
  let at = start;
  while (at < start + most) {
    const next = after(macQueue, at, end);
    if (wanted(macQueue[at])) {
      macQueue.copyWithin(to, at, next);
      to += next - at;
    }
    at = next;
  }
  macQueue.copyWithin(to, at, end);
  macLength[device] -= at - to;
  return to - start;
}
