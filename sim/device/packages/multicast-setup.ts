/** Remote multicast set-up on the device (TS005-1.0.0): groups, and class C sessions. */
import { NONE } from '../../kernel/columns.ts';
import { readCommands } from '../../lorawan/message.ts';
import { PACKAGES, PackageVersionAns } from '../../lorawan/packages/package-version.ts';
import {
  classCTimeOutS,
  MC_GROUPS,
  McClassCSessionAnsV1,
  type McClassCSessionReq,
  McGroupDeleteAns,
  McGroupSetupAns,
  type McGroupSetupReq,
  McGroupStatusAns,
  multicastSetup,
} from '../../lorawan/packages/ts005-multicast-setup.ts';
import { subBandOf } from '../../lorawan/region.ts';
import type { DeviceRoom } from '../device-room.ts';
import { deviceGpsSeconds } from '../gps-clock.ts';
import { foldKeys, rootKey } from '../groups.ts';
import { dropGroup, planSession } from '../multicast-session.ts';
import { Answers } from './answers.ts';

/** TimeToStart that says "later than can be told". */
const LATEST_START_S = 0xff_ffff;

/** Carries out the commands of a downlink; returns the answers. */
export function takeMulticastSetup(
  room: DeviceRoom,
  device: number,
  payload: Uint8Array,
  nowUs: number,
): Uint8Array {
  const answers = new Answers();
  for (const command of readCommands(multicastSetup[1].downlink, payload).commands) {
    switch (command.name) {
      case 'PackageVersionReq': {
        const { packageIdentifier } = PACKAGES.multicastSetup;
        answers.add(PackageVersionAns.encode({ packageIdentifier, packageVersion: 1 }));
        break;
      }
      case 'McGroupStatusReq':
        answers.add(groupStatus(room, device, command.payload.reqGroupMask));
        break;
      case 'McGroupSetupReq':
        answers.add(setUpGroup(room, device, command.payload));
        break;
      case 'McGroupDeleteReq':
        answers.add(deleteGroup(room, device, command.payload.mcGroupId, nowUs));
        break;
      case 'McClassCSessionReq':
        answers.add(setUpSession(room, device, command.payload, nowUs));
        break;
      default:
        // Class B sessions are not offered by this version of the device.
        break;
    }
  }
  return answers.payload();
}

function groupStatus(room: DeviceRoom, device: number, reqGroupMask: number): Uint8Array {
  const { groups } = room;
  const { mcGroups } = room.devices.column;
  const { mcAddr } = groups.groups.column;
  const defined = Array.from({ length: MC_GROUPS }, (_, id) => groups.group(mcGroups, device, id));
  const asked = defined.map((row, id) => row !== NONE && (reqGroupMask & (1 << id)) !== 0);
  return McGroupStatusAns.encode({
    nbTotalGroups: defined.filter((row) => row !== NONE).length,
    ansGroupMask: asked.reduce((mask, is, id) => (is ? mask | (1 << id) : mask), 0),
    groups: defined.flatMap((row, mcGroupId) =>
      asked[mcGroupId] ? [{ mcGroupId, mcAddr: mcAddr[row] }] : [],
    ),
  });
}

/** Defines a group, in place of an earlier one with this id. */
function setUpGroup(room: DeviceRoom, device: number, request: McGroupSetupReq): Uint8Array {
  const { groups, security, devices } = room;
  const { mcGroupId, mcAddr } = request;
  const { mcGroups, genAppKey } = devices.column;
  let row = groups.group(mcGroups, device, mcGroupId);
  if (row !== NONE) dropGroup(room, device, row, room.agenda.nowUs);
  row = groups.groups.take();
  const g = groups.groups.column;
  g.next[row] = mcGroups[device];
  mcGroups[device] = row;
  g.device[row] = device;
  g.mcGroupId[row] = mcGroupId;
  g.mcAddr[row] = mcAddr;
  const mcKey = security.unwrapMcKey(rootKey(genAppKey, device), request.mcKeyEncrypted);
  security.multicastKey(mcKey, 0, 1, mcAddr, g.mcAppSKey, row * 16);
  security.multicastKey(mcKey, 0, 2, mcAddr, g.mcNwkSKey, row * 16);
  g.keyFold[row] = foldKeys(g.mcNwkSKey, g.mcAppSKey, row);
  g.minFCount[row] = request.minMcFCount;
  g.maxFCount[row] = request.maxMcFCount;
  g.fCnt[row] = -1;
  g.session[row] = 0;
  g.cursor[row] = 0;
  g.checkAtFCnt[row] = NONE;
  return McGroupSetupAns.encode({ mcGroupId, idError: false });
}

function deleteGroup(
  room: DeviceRoom,
  device: number,
  mcGroupId: number,
  nowUs: number,
): Uint8Array {
  const row = room.groups.group(room.devices.column.mcGroups, device, mcGroupId);
  if (row !== NONE) dropGroup(room, device, row, nowUs);
  return McGroupDeleteAns.encode({ mcGroupId, mcGroupUndefined: row === NONE });
}

/** A class C session: refused with the error bits, or appointed by the device's own clock. */
function setUpSession(
  room: DeviceRoom,
  device: number,
  request: McClassCSessionReq,
  nowUs: number,
): Uint8Array {
  const { mcGroupId, sessionTime, timeOut, dlFrequencyHz, dr } = request;
  const row = room.groups.group(room.devices.column.mcGroups, device, mcGroupId);
  const timeToStart = (sessionTime - deviceGpsSeconds(room, device, nowUs)) | 0;
  const ended = timeToStart + classCTimeOutS(timeOut) <= 0;
  const errors = {
    mcGroupId,
    drError: (room.plan.spreadingFactor[dr] ?? 0) === 0,
    freqError: subBandOf(room.plan.region, dlFrequencyHz) < 0,
    // Version 1 has no bit for a start that was missed (protocol reference §4.2).
    mcGroupUndefined: row === NONE || ended,
  };
  if (errors.drError || errors.freqError || errors.mcGroupUndefined) {
    return McClassCSessionAnsV1.encode(errors);
  }
  planSession(room, row, { sessionTime, timeOut, frequencyHz: dlFrequencyHz, dataRate: dr }, nowUs);
  const told = Math.max(0, Math.min(LATEST_START_S, timeToStart));
  return McClassCSessionAnsV1.encode({ ...errors, timeToStart: told });
}
