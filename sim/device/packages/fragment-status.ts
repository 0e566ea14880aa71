/** What a device reports of a fragmentation session (TS004-1.0.0, TS004-2.0.0; CID 01 and 04). */
import { DrawPurpose, draw, toUnit } from '../../base/random.ts';
import { SECOND_US } from '../../base/units.ts';
import { NONE } from '../../kernel/columns.ts';
import { MAX_FRAGMENT_NUMBER } from '../../lorawan/fragmentation-code.ts';
import { readCommands } from '../../lorawan/message.ts';
import {
  FragDataBlockReceivedReq,
  FragSessionStatusAnsV1,
  FragSessionStatusAnsV2,
  fragmentation,
  longestAckDelayS,
} from '../../lorawan/packages/ts004-fragmentation.ts';
import type { DeviceSide } from '../device-side.ts';
import { MessageKind, OUTGOING_BYTES } from '../outgoing.ts';
import { packagesFor } from './answers.ts';

/** Largest value of MissingFrag, 8 bits. */
const MANY_MISSING = 255;

/**
 * The answer to a status request, from what is settled; undefined when the device has none to give:
 * a complete one need not answer unless all participants are asked, and version 1 has no bit for
 * a session that does not exist.
 */
export function statusAnswer(
  side: DeviceSide,
  device: number,
  fragIndex: number,
  participants: boolean,
): Uint8Array | undefined {
  const { multicast } = side;
  const { version } = packagesFor(side, device).fragmentation;
  const row = multicast.findFragSession(side.column.fragSessions, device, fragIndex);
  if (row === NONE) {
    const none = { sessionDoesNotExist: true, micError: false, memoryError: false };
    return version === 1 ? undefined : FragSessionStatusAnsV2.encode(none);
  }
  const s = multicast.fragSessions.column;
  const complete = s.complete[row] === 1;
  if (complete && !participants) return undefined;
  const report = {
    fragIndex,
    nbFragReceived: Math.min(MAX_FRAGMENT_NUMBER, s.received[row]),
    missingFrag: Math.min(MANY_MISSING, complete ? 0 : missing(side, device, row)),
  };
  const memoryError = s.memoryError[row] === 1 && !complete;
  if (version === 1) {
    return FragSessionStatusAnsV1.encode({ ...report, notEnoughMatrixMemory: memoryError });
  }
  const micError = s.micError[row] === 1;
  return FragSessionStatusAnsV2.encode({
    ...report,
    sessionDoesNotExist: false,
    micError,
    memoryError,
  });
}

/** Fragments neither received nor rebuilt; LoRaMac-node judges by the last number alone. */
function missing(side: DeviceSide, device: number, row: number): number {
  const { multicast } = side;
  const s = multicast.fragSessions.column;
  const { stack, fragmentation } = packagesFor(side, device);
  if (stack === 'LoRaMac-node') return Math.max(0, s.nbFrag[row] - s.highest[row]);
  const model = multicast.rankModel(fragmentation.version, s.nbFrag[row]);
  return model.missingAfter(multicast.fragmentBits.words, s.bitsAt[row], s.highest[row]);
}

/**
 * A command that came on a group's address: only a status request counts there, and only for
 * sessions that take the group's fragments. Answers are spread over 2^(BlockAckDelay + 4) s.
 */
export function takeGroupCommand(
  side: DeviceSide,
  device: number,
  group: number,
  payload: Uint8Array,
  nowUs: number,
): void {
  const { multicast } = side;
  const { version, fPort } = packagesFor(side, device).fragmentation;
  const set = version === 1 ? fragmentation[1].downlink : fragmentation[2].downlink;
  const bit = 1 << multicast.mcGroups.column.mcGroupId[group];
  for (const command of readCommands(set, payload).commands) {
    if (command.name !== 'FragSessionStatusReq') continue;
    const { fragIndex, participants } = command.payload;
    const row = multicast.findFragSession(side.column.fragSessions, device, fragIndex);
    if (row === NONE || (multicast.fragSessions.column.mcGroupBitMask[row] & bit) === 0) continue;
    const answer = statusAnswer(side, device, fragIndex, participants);
    if (answer === undefined) continue;
    const dueAtUs = nowUs + ackDelayUs(side, device, row, DrawPurpose.ackDelay);
    side.outgoing.add(side.column.outgoing, device, dueAtUs, fPort, answer);
  }
}

/** Uniform in 0…2^(BlockAckDelay + 4) s. */
function ackDelayUs(
  side: DeviceSide,
  device: number,
  session: number,
  purpose: typeof DrawPurpose.ackDelay | typeof DrawPurpose.blockReceived,
): number {
  const c = side.column;
  const s = side.multicast.fragSessions.column;
  const counter = 4 * c.frames[device] + s.fragIndex[session];
  const unit = toUnit(draw(c.key0[device], c.key1[device], purpose, counter));
  return Math.floor(unit * longestAckDelayS(s.blockAckDelay[session]) * SECOND_US);
}

// ── version 2: the block was received ────────────────────────────────────────────────────────────

/** A block with AckReception was rebuilt: the device reports it after a random delay. */
export function queueBlockReceivedReq(
  side: DeviceSide,
  device: number,
  row: number,
  fromUs: number,
): void {
  const s = side.multicast.fragSessions.column;
  const { fPort } = packagesFor(side, device).fragmentation;
  const payload = FragDataBlockReceivedReq.encode({
    fragIndex: s.fragIndex[row],
    micError: s.micError[row] === 1,
  });
  const dueAtUs = fromUs + ackDelayUs(side, device, row, DrawPurpose.blockReceived);
  const { outgoing } = side.column;
  side.outgoing.add(outgoing, device, dueAtUs, fPort, payload, MessageKind.blockReceived);
}

/** It was sent: until it is answered it comes again, a longest delay later or up to two. */
export function afterBlockReceivedReq(
  side: DeviceSide,
  device: number,
  fragIndex: number,
  nowUs: number,
): void {
  const s = side.multicast.fragSessions.column;
  const row = side.multicast.findFragSession(side.column.fragSessions, device, fragIndex);
  if (row === NONE || s.complete[row] === 0 || s.awaitsAck[row] === 0) return;
  queueBlockReceivedReq(
    side,
    device,
    row,
    nowUs + longestAckDelayS(s.blockAckDelay[row]) * SECOND_US,
  );
}

/** FragDataBlockReceivedAns: nothing more is said of this block. */
export function takeBlockReceivedAns(side: DeviceSide, device: number, fragIndex: number): void {
  const row = side.multicast.findFragSession(side.column.fragSessions, device, fragIndex);
  if (row === NONE) return;
  side.multicast.fragSessions.column.awaitsAck[row] = 0;
  dropBlockReceivedReq(side, device, fragIndex);
}

/** Drops what was to be said of a block. */
export function dropBlockReceivedReq(side: DeviceSide, device: number, fragIndex: number): void {
  const { kind, bytes } = side.outgoing.pool.column;
  side.outgoing.drop(
    side.column.outgoing,
    device,
    (message) =>
      kind[message] === MessageKind.blockReceived &&
      FragDataBlockReceivedReq.value.fragIndex(bytes, message * OUTGOING_BYTES) === fragIndex,
  );
}
