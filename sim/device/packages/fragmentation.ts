/** Fragmented data block transport on the device (TS004-1.0.0, TS004-2.0.0). */
import { unreachable } from '../../base/assert.ts';
import { DrawPurpose, draw, toUnit } from '../../base/random.ts';
import { NONE } from '../../kernel/columns.ts';
import { readCommands } from '../../lorawan/message.ts';
import { PACKAGES, PackageVersionAns } from '../../lorawan/packages/package-version.ts';
import {
  FRAG_INDICES,
  FragSessionDeleteAns,
  FragSessionSetupAnsV1,
  FragSessionSetupAnsV2,
  type FragSessionSetupReqV1,
  type FragSessionSetupReqV2,
  fragmentation,
} from '../../lorawan/packages/ts004-fragmentation.ts';
import { dropFragSession, takeFragment } from '../block.ts';
import type { DeviceSide } from '../device-side.ts';
import { NEVER } from '../device-table.ts';
import { fails } from '../failures.ts';
import { reviewMulticastSessions } from '../multicast-settling.ts';
import { traceFragSessionBegins } from '../multicast-trace.ts';
import { assertSettled } from '../settling-progress.ts';
import { Answers, packagesFor } from './answers.ts';
import { dropBlockReceivedReq, statusAnswer, takeBlockReceivedAns } from './fragment-status.ts';

/** Expected size of the sample whose blocks are rebuilt, and worlds in which all are. */
const SAMPLE = 32;
const SMALL_WORLD = 200;

type SetupReq = FragSessionSetupReqV1 | FragSessionSetupReqV2;

/** Carries out the commands of a unicast downlink; returns the answers. */
export function takeFragmentation(
  side: DeviceSide,
  device: number,
  payload: Uint8Array,
  nowUs: number,
): Uint8Array {
  assertSettled(side, device);
  const answers = new Answers(side, device);
  const { version } = packagesFor(side, device).fragmentation;
  const commands =
    version === 1
      ? readCommands(fragmentation[1].downlink, payload).commands
      : readCommands(fragmentation[2].downlink, payload).commands;
  for (const command of commands) {
    switch (command.name) {
      case 'PackageVersionReq': {
        const { packageIdentifier } = PACKAGES.fragmentation;
        answers.add(PackageVersionAns.encode({ packageIdentifier, packageVersion: version }));
        break;
      }
      case 'FragSessionSetupReq':
        answers.add(setUpFragSession(side, device, command.payload, nowUs));
        break;
      case 'FragSessionStatusReq': {
        const { fragIndex, participants } = command.payload;
        answers.add(statusAnswer(side, device, fragIndex, participants));
        break;
      }
      case 'FragSessionDeleteReq':
        answers.add(answerFragSessionDelete(side, device, command.payload.fragIndex));
        break;
      case 'FragDataBlockReceivedAns':
        takeBlockReceivedAns(side, device, command.payload.fragIndex);
        break;
      case 'DataFragment':
        // It must be the only command of its message.
        if (commands.length === 1) takeUnicastFragment(side, device, command.payload, nowUs);
        break;
      default:
        unreachable(command);
    }
  }
  return answers.payload();
}

/** Begins a session, in place of an earlier one with its FragIndex, or answers why not. */
function setUpFragSession(
  side: DeviceSide,
  device: number,
  request: SetupReq,
  nowUs: number,
): Uint8Array {
  const { version } = packagesFor(side, device).fragmentation;
  const errors = errorsOf(side, device, request);
  const isRefused = Object.values(errors).includes(true);
  const isFull = !isRefused && fails(side, device, 'noMemory', nowUs);
  if (isFull) errors.notEnoughMemory = true;
  const answer = { fragIndex: request.fragIndex, ...errors };
  if (!isRefused && !isFull) {
    beginFragSession(side, device, request);
    reviewMulticastSessions(side, device);
  }
  if (version === 1) return FragSessionSetupAnsV1.encode(answer);
  return FragSessionSetupAnsV2.encode(answer);
}

function errorsOf(side: DeviceSide, device: number, request: SetupReq) {
  const { decoder, fragIndices, descriptors, fragAlgo: known = 0 } = packagesFor(side, device);
  const { fragIndex, nbFrag, fragAlgo, fragSize } = request;
  side.devices.table.need('fragmentation');
  const { fragSessions, sessionCnt } = side.column;
  const { next, fragIndex: indices } = side.multicast.fragSessions.column;
  let others = 0;
  for (let row = fragSessions[device]; row !== NONE; row = next[row]) {
    if (indices[row] !== fragIndex) others++;
  }
  return {
    wrongDescriptor:
      descriptors !== null && !descriptors.includes(descriptorOf(request.descriptor)),
    indexNotSupported: fragIndex >= fragIndices,
    notEnoughMemory:
      nbFrag > decoder.maxNbFrag ||
      fragSize > decoder.maxFragSize ||
      nbFrag * fragSize > decoder.maxBlockBytes ||
      others >= decoder.blocks,
    encodingUnsupported: fragAlgo !== known || nbFrag === 0 || fragSize === 0,
    sessionCntReplay:
      'sessionCnt' in request &&
      request.sessionCnt <= sessionCnt[device * FRAG_INDICES + fragIndex],
  };
}

/** Four bytes in the order of the air as a number, the first one most significant. */
const descriptorOf = (bytes: Uint8Array): number =>
  ((bytes[0]! << 24) | (bytes[1]! << 16) | (bytes[2]! << 8) | bytes[3]!) >>> 0;

/** Begins the fragmentation session that a request describes, in place of an earlier one. */
function beginFragSession(side: DeviceSide, device: number, request: SetupReq): void {
  const { multicast, devices } = side;
  devices.table.need('fragmentation');
  const { fragSessions, sessionCnt } = devices.column;
  const { fragIndex, nbFrag } = request;
  const earlier = multicast.findFragSession(fragSessions, device, fragIndex);
  if (earlier !== NONE) deleteFragSession(side, device, earlier);
  const row = multicast.fragSessions.take();
  const s = multicast.fragSessions.column;
  s.next[row] = fragSessions[device];
  fragSessions[device] = row;
  s.device[row] = device;
  s.fragIndex[row] = fragIndex;
  s.mcGroupBitMask[row] = request.mcGroupBitMask;
  s.nbFrag[row] = nbFrag;
  s.fragSize[row] = request.fragSize;
  s.padding[row] = request.padding;
  s.descriptor[row] = descriptorOf(request.descriptor);
  s.blockAckDelay[row] = request.blockAckDelay;
  // For the block and half as many coded fragments; it grows when it must.
  s.bitWords[row] = ((nbFrag + (nbFrag >> 1)) >> 5) + 2;
  s.bitsAt[row] = multicast.fragmentBits.take(s.bitWords[row]);
  for (const state of [s.highest, s.received, s.distinct, s.usesCoded]) state[row] = 0;
  for (const state of [s.complete, s.memoryError, s.unwritable, s.micError]) state[row] = 0;
  s.awaitsAck[row] = 0;
  for (const state of [s.sessionCnt, s.mic, s.contentAt, s.contentCount]) state[row] = 0;
  s.completedAtUs[row] = NEVER;
  s.sampled[row] = isSampled(side, device) ? 1 : 0;
  if ('sessionCnt' in request) {
    s.sessionCnt[row] = request.sessionCnt;
    s.mic[row] = request.mic;
    s.awaitsAck[row] = request.ackReception ? 1 : 0;
    sessionCnt[device * FRAG_INDICES + fragIndex] = request.sessionCnt;
  } else if (s.sampled[row] === 1) multicast.keptFragments.set(row, new Map());
  traceFragSessionBegins(side, device, row);
}

/** All devices of a small world, about 32 of a large one; drawn by key. */
function isSampled(side: DeviceSide, device: number): boolean {
  const { key0, key1 } = side.column;
  const count = side.devices.inService;
  if (count <= SMALL_WORLD || side.verifyAllImages) return true;
  return toUnit(draw(key0[device], key1[device], DrawPurpose.imageSample, 0)) * count < SAMPLE;
}

/** Drops a session and what was still to be sent about its block. */
function deleteFragSession(side: DeviceSide, device: number, row: number): void {
  dropBlockReceivedReq(side, device, side.multicast.fragSessions.column.fragIndex[row]);
  dropFragSession(side, device, row);
}

function answerFragSessionDelete(side: DeviceSide, device: number, fragIndex: number): Uint8Array {
  const row = side.multicast.findFragSession(side.column.fragSessions, device, fragIndex);
  if (row !== NONE) {
    deleteFragSession(side, device, row);
    reviewMulticastSessions(side, device);
  }
  return FragSessionDeleteAns.encode({ fragIndex, sessionDoesNotExist: row === NONE });
}

/** Unicast fragments always count (TS004). */
function takeUnicastFragment(
  side: DeviceSide,
  device: number,
  data: { fragIndex: number; fragmentNumber: number; fragment: Uint8Array },
  nowUs: number,
): void {
  const row = side.multicast.findFragSession(side.column.fragSessions, device, data.fragIndex);
  if (row === NONE) return;
  takeFragment(side, device, row, data.fragmentNumber, data.fragment, nowUs);
  reviewMulticastSessions(side, device);
}
