/** Fragmented data block transport on the device (TS004-1.0.0): sessions, fragments, status. */
import { draw, Purpose as Luck, toUnit } from '../../base/random.ts';
import { NONE } from '../../kernel/columns.ts';
import { MAX_FRAGMENT_NUMBER } from '../../lorawan/fragmentation-code.ts';
import { readCommands } from '../../lorawan/message.ts';
import { PACKAGES, PackageVersionAns } from '../../lorawan/packages/package-version.ts';
import {
  FragSessionDeleteAns,
  FragSessionSetupAnsV1,
  type FragSessionSetupReqV1,
  FragSessionStatusAnsV1,
  fragmentation,
} from '../../lorawan/packages/ts004-fragmentation.ts';
import { dropSession, takeFragment } from '../block.ts';
import type { DeviceRoom } from '../device-room.ts';
import { reviewSessions, settle } from '../multicast-settling.ts';
import { traceBegins } from '../session-trace.ts';
import { Answers } from './answers.ts';

/** Most that MissingFrag can tell. */
const MANY_MISSING = 255;
/** Words of a bit set with room for half as many coded fragments; it grows at need. */
const wordsFor = (nbFrag: number): number => ((nbFrag + (nbFrag >> 1)) >> 5) + 2;
/** Expected size of the sample whose blocks are rebuilt, and worlds in which all are. */
const SAMPLE = 32;
const SMALL_WORLD = 200;

/** Carries out the commands of a downlink; returns the answers. */
export function takeFragmentation(
  room: DeviceRoom,
  device: number,
  payload: Uint8Array,
  nowUs: number,
): Uint8Array {
  const answers = new Answers();
  for (const command of readCommands(fragmentation[1].downlink, payload).commands) {
    switch (command.name) {
      case 'PackageVersionReq': {
        const { packageIdentifier } = PACKAGES.fragmentation;
        answers.add(PackageVersionAns.encode({ packageIdentifier, packageVersion: 1 }));
        break;
      }
      case 'FragSessionSetupReq':
        answers.add(setUp(room, device, command.payload, nowUs));
        break;
      case 'FragSessionStatusReq': {
        const { fragIndex, participants } = command.payload;
        const answer = status(room, device, fragIndex, participants, nowUs);
        if (answer !== undefined) answers.add(answer);
        break;
      }
      case 'FragSessionDeleteReq':
        answers.add(remove(room, device, command.payload.fragIndex, nowUs));
        break;
      case 'DataFragment':
        takeUnicastFragment(room, device, command.payload, nowUs);
        break;
    }
  }
  return answers.payload();
}

/** A fresh session, in place of an earlier one with this index. */
function setUp(
  room: DeviceRoom,
  device: number,
  request: FragSessionSetupReqV1,
  nowUs: number,
): Uint8Array {
  const { groups, devices } = room;
  const { fragIndex, nbFrag, fragAlgo, fragSize, descriptor } = request;
  const refused = {
    fragIndex,
    wrongDescriptor: false,
    indexNotSupported: false,
    notEnoughMemory: nbFrag > MAX_FRAGMENT_NUMBER,
    encodingUnsupported: fragAlgo !== 0 || nbFrag === 0 || fragSize === 0,
  };
  if (refused.notEnoughMemory || refused.encodingUnsupported) {
    return FragSessionSetupAnsV1.encode(refused);
  }
  settle(room, device, nowUs);
  const { fragSessions } = devices.column;
  const earlier = groups.session(fragSessions, device, fragIndex);
  if (earlier !== NONE) dropSession(room, device, earlier);
  const row = groups.sessions.take();
  const s = groups.sessions.column;
  s.next[row] = fragSessions[device];
  fragSessions[device] = row;
  s.device[row] = device;
  s.fragIndex[row] = fragIndex;
  s.mcGroupBitMask[row] = request.mcGroupBitMask;
  s.nbFrag[row] = nbFrag;
  s.fragSize[row] = fragSize;
  s.padding[row] = request.padding;
  s.descriptor[row] =
    ((descriptor[0] << 24) | (descriptor[1] << 16) | (descriptor[2] << 8) | descriptor[3]) >>> 0;
  s.blockAckDelay[row] = request.blockAckDelay;
  s.bitWords[row] = wordsFor(nbFrag);
  s.bitsAt[row] = groups.bits.take(s.bitWords[row]);
  for (const count of [s.highest, s.received, s.distinct, s.complete]) count[row] = 0;
  s.completedAtUs[row] = -1;
  s.sampled[row] = isSampled(room, device) ? 1 : 0;
  if (s.sampled[row] === 1) groups.kept.set(row, new Map());
  traceBegins(room, device, row);
  reviewSessions(room, device);
  return FragSessionSetupAnsV1.encode(refused);
}

/** All devices of a small world, about 32 of a large one; drawn by key. */
function isSampled(room: DeviceRoom, device: number): boolean {
  const { key0, key1 } = room.devices.column;
  const count = room.devices.byEui.size;
  if (count <= SMALL_WORLD || room.verifyAllImages) return true;
  return toUnit(draw(key0[device], key1[device], Luck.imageSample, 0)) * count < SAMPLE;
}

/** What the device has, settled to the present; undefined when a complete one need not answer. */
function status(
  room: DeviceRoom,
  device: number,
  fragIndex: number,
  participants: boolean,
  nowUs: number,
): Uint8Array | undefined {
  const { groups } = room;
  settle(room, device, nowUs);
  const row = groups.session(room.devices.column.fragSessions, device, fragIndex);
  if (row === NONE) return undefined;
  const s = groups.sessions.column;
  if (s.complete[row] === 1 && !participants) return undefined;
  const model = groups.model(s.nbFrag[row]);
  const missing =
    s.complete[row] === 1
      ? 0
      : model.missingAfter(groups.bits.words, s.bitsAt[row], s.highest[row]);
  return FragSessionStatusAnsV1.encode({
    fragIndex,
    nbFragReceived: s.received[row],
    missingFrag: Math.min(MANY_MISSING, missing),
    notEnoughMatrixMemory: false,
  });
}

function remove(room: DeviceRoom, device: number, fragIndex: number, nowUs: number): Uint8Array {
  settle(room, device, nowUs);
  const row = room.groups.session(room.devices.column.fragSessions, device, fragIndex);
  if (row !== NONE) dropSession(room, device, row);
  return FragSessionDeleteAns.encode({ fragIndex, sessionDoesNotExist: row === NONE });
}

/** Unicast fragments always count (TS004). */
function takeUnicastFragment(
  room: DeviceRoom,
  device: number,
  data: { fragIndex: number; fragmentNumber: number; fragment: Uint8Array },
  nowUs: number,
): void {
  settle(room, device, nowUs);
  const row = room.groups.session(room.devices.column.fragSessions, device, data.fragIndex);
  if (row === NONE) return;
  takeFragment(room, device, row, data.fragmentNumber, data.fragment, nowUs);
  reviewSessions(room, device);
}
