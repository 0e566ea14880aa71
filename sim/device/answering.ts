/**
 * What a device does with an application downlink that none of its packages takes: the first rule
 * that fits answers (docs/decisions/0048). An answer without a delay waits for the next message of
 * the device's own traffic and takes its port and payload; one with a delay is a message by itself.
 */
import { fromHex } from '../base/bytes.ts';
import { isApplicationFPort } from '../contract/downlinks.ts';
import { NONE } from '../kernel/columns.ts';
import { answersOf, ruleFor } from '../plan/answer-rules.ts';
import { worldAfter } from './clock.ts';
import type { DeviceSide } from './device-side.ts';
import { isAnswer, MessageKind } from './outgoing.ts';

/**
 * Answers of a device that may wait: 16 of 242 bytes are a memory of 4 KiB, which class 1 devices
 * (RFC 7228: 10 KiB) can spare. A class A device hears one downlink an uplink and needs one.
 */
const MOST_ANSWERS = 16;

/** The rules that a device answers by. */
export const rulesOf = ({ behaviours, devices, types }: DeviceSide, device: number) =>
  behaviours.of(device) ?? answersOf(types[devices.column.type[device]]!);

/** Answers an application downlink, as the rules have it. */
export function answerDownlink(
  side: DeviceSide,
  device: number,
  fPort: number,
  payload: Uint8Array,
  nowUs: number,
): void {
  if (!isApplicationFPort(fPort)) return;
  const rule = ruleFor(rulesOf(side, device), fPort, payload);
  if (rule === undefined) return;
  const c = side.column;
  const { sendFPort = fPort, sendHex, delayUs } = rule;
  const answer = sendHex === undefined ? payload : fromHex(sendHex);
  const { process } = side.types[c.type[device]]!.traffic;
  if (delayUs === undefined && process !== 'none') {
    return rideLater(side, device, sendFPort, answer, nowUs);
  }
  if (isFull(side, device)) return;
  const dueAtUs = worldAfter(side, device, nowUs, delayUs ?? 0);
  side.outgoing.add(c.outgoing, device, dueAtUs, sendFPort, answer, MessageKind.answer);
}

/** An answer takes the place of port and payload in the next message of the device's own. */
export function rideLater(
  side: DeviceSide,
  device: number,
  fPort: number,
  answer: Uint8Array,
  nowUs: number,
): void {
  if (isFull(side, device)) return;
  const { riding } = side.column;
  side.outgoing.add(riding, device, nowUs, fPort, answer, MessageKind.ridingAnswer);
}

/** Whether no more answers can wait: one more is dropped. */
function isFull(side: DeviceSide, device: number): boolean {
  if (waitingAnswers(side, device) < MOST_ANSWERS) return false;
  side.column.messagesDropped[device]++;
  return true;
}

function waitingAnswers({ devices, outgoing }: DeviceSide, device: number): number {
  const { riding, outgoing: messages } = devices.column;
  const { next, kind } = outgoing.pool.column;
  let count = 0;
  for (const heads of [riding, messages]) {
    for (let row = heads[device]; row !== NONE; row = next[row]) if (isAnswer(kind[row])) count++;
  }
  return count;
}

/** Every answer that waits is gone; returns how many there were. */
export function forgetAnswers({ devices, outgoing }: DeviceSide, device: number): number {
  const c = devices.column;
  const { kind } = outgoing.pool.column;
  return (
    outgoing.drop(c.riding, device, () => true) +
    outgoing.drop(c.outgoing, device, (row) => isAnswer(kind[row]))
  );
}
