/** Remote multicast set-up on the device (TS005-1.0.0, TS005-2.0.0): groups, class C sessions. */
import { unreachable } from '../../base/assert.ts';
import { writeLe } from '../../base/bytes.ts';
import { NONE } from '../../kernel/columns.ts';
import { readCommands } from '../../lorawan/message.ts';
import { PACKAGES, PackageVersionAns } from '../../lorawan/packages/package-version.ts';
import {
  classBTimeOutS,
  classCTimeOutS,
  MC_GROUPS,
  McClassBSessionAnsV1,
  McClassBSessionAnsV2,
  McClassCSessionAnsV1,
  McClassCSessionAnsV2,
  type McClassCSessionReq,
  McGroupDeleteAns,
  McGroupSetupAns,
  type McGroupSetupReq,
  McGroupStatusAns,
  multicastSetup,
} from '../../lorawan/packages/ts005-multicast-setup.ts';
import { subBandOf } from '../../lorawan/region.ts';
import { versionRules } from '../../lorawan/versions.ts';
import type { DeviceSide } from '../device-side.ts';
import { DeviceClass, NO_COUNTER } from '../device-table.ts';
import { deviceGpsSeconds } from '../gps-clock.ts';
import { deleteMcGroup, planMulticastSession } from '../multicast-session.ts';
import { foldKeys, McSessionState, NO_PING_SLOTS } from '../multicast-state.ts';
import { Answers, packagesFor } from './answers.ts';

/** McGroupStatusAns: CID and status, then McGroupID and McAddr of each group. */
const STATUS_BYTES = 2;
const GROUP_BYTES = 5;

/** Largest TimeToStart, s: 24 bits. */
const LATEST_START_S = 0xff_ffff;

/** Answers to session requests by class and version. */
const ANSWERS = {
  B: { 1: McClassBSessionAnsV1, 2: McClassBSessionAnsV2 },
  C: { 1: McClassCSessionAnsV1, 2: McClassCSessionAnsV2 },
} as const;

/** Carries out the commands of a downlink; returns the answers. */
export function takeMulticastSetup(
  side: DeviceSide,
  device: number,
  payload: Uint8Array,
  nowUs: number,
): Uint8Array {
  const answers = new Answers(side, device);
  const { version } = packagesFor(side, device).multicastSetup;
  // Both versions have the same downlinks.
  for (const command of readCommands(multicastSetup[1].downlink, payload).commands) {
    switch (command.name) {
      case 'PackageVersionReq': {
        const { packageIdentifier } = PACKAGES.multicastSetup;
        answers.add(PackageVersionAns.encode({ packageIdentifier, packageVersion: version }));
        break;
      }
      case 'McGroupStatusReq':
        answers.add(groupStatus(side, device, command.payload.reqGroupMask, answers.left));
        break;
      case 'McGroupSetupReq':
        answers.add(setUpMcGroup(side, device, command.payload));
        break;
      case 'McGroupDeleteReq':
        answers.add(answerMcGroupDelete(side, device, command.payload.mcGroupId, nowUs));
        break;
      case 'McClassCSessionReq':
        answers.add(setUpMulticastSession(side, device, command.payload, nowUs));
        break;
      case 'McClassBSessionReq':
        // A class C device cannot serve ping slots (TS005-2.0.0 §4.6): it ends there.
        if (side.column.deviceClass[device] === DeviceClass.c) return answers.payload();
        answers.add(setUpMulticastSession(side, device, command.payload, nowUs));
        break;
      default:
        unreachable(command);
    }
  }
  return answers.payload();
}

/** Defined groups among those asked for; the highest ids are left out when not all fit. */
function groupStatus(
  side: DeviceSide,
  device: number,
  reqGroupMask: number,
  bytes: number,
): Uint8Array {
  const { multicast } = side;
  const { mcGroups } = side.column;
  const { mcAddr } = multicast.mcGroups.column;
  const defined = Array.from({ length: MC_GROUPS }, (_, id) =>
    multicast.findMcGroup(mcGroups, device, id),
  );
  const most = Math.floor((bytes - STATUS_BYTES) / GROUP_BYTES);
  let listed = 0;
  const asked = defined.map(
    (row, id) => row !== NONE && (reqGroupMask & (1 << id)) !== 0 && listed++ < most,
  );
  return McGroupStatusAns.encode({
    nbTotalGroups: defined.filter((row) => row !== NONE).length,
    ansGroupMask: asked.reduce((mask, is, id) => (is ? mask | (1 << id) : mask), 0),
    groups: defined.flatMap((row, mcGroupId) =>
      asked[mcGroupId] ? [{ mcGroupId, mcAddr: mcAddr[row] }] : [],
    ),
  });
}

/** Defines a group, in place of an earlier one with this id. */
function setUpMcGroup(side: DeviceSide, device: number, request: McGroupSetupReq): Uint8Array {
  const { multicast, security, devices, types } = side;
  const { mcGroupId, mcAddr } = request;
  const { minor } = versionRules(types[devices.column.type[device]]!.lorawan);
  if (mcGroupId >= packagesFor(side, device).mcGroups) {
    return McGroupSetupAns.encode({ mcGroupId, idError: true });
  }
  const { mcGroups } = devices.column;
  let row = multicast.findMcGroup(mcGroups, device, mcGroupId);
  if (row !== NONE) deleteMcGroup(side, device, row, side.agenda.nowUs);
  row = multicast.mcGroups.take();
  const g = multicast.mcGroups.column;
  g.next[row] = mcGroups[device];
  mcGroups[device] = row;
  g.device[row] = device;
  g.mcGroupId[row] = mcGroupId;
  g.mcAddr[row] = mcAddr;
  const rootKey = devices.rootKeys.genApp.copyOf(device);
  const mcKey = security.unwrapMcKey(rootKey, request.mcKeyEncrypted, minor);
  security.multicastKey(mcKey, 0, 1, mcAddr, g.mcAppSKey, row * 16);
  security.multicastKey(mcKey, 0, 2, mcAddr, g.mcNwkSKey, row * 16);
  g.keyFold[row] = foldKeys(g.mcNwkSKey, g.mcAppSKey, row);
  g.minFCount[row] = request.minMcFCount;
  g.maxFCount[row] = request.maxMcFCount;
  g.fCnt[row] = NO_COUNTER;
  for (const state of [g.sessionState, g.timeOut, g.frequencyHz, g.dataRate]) state[row] = 0;
  for (const state of [g.sessionTimeS, g.opensAtUs, g.closesAtUs, g.cursor]) state[row] = 0;
  g.periodicity[row] = NO_PING_SLOTS;
  g.checkAtFCnt[row] = NONE;
  return McGroupSetupAns.encode({ mcGroupId, idError: false });
}

function answerMcGroupDelete(
  side: DeviceSide,
  device: number,
  mcGroupId: number,
  nowUs: number,
): Uint8Array {
  const row = side.multicast.findMcGroup(side.column.mcGroups, device, mcGroupId);
  if (row !== NONE) deleteMcGroup(side, device, row, nowUs);
  return McGroupDeleteAns.encode({ mcGroupId, mcGroupUndefined: row === NONE });
}

/**
 * A session of class C, or of class B: refused with the error bits, or appointed by the device's
 * own clock.
 */
function setUpMulticastSession(
  side: DeviceSide,
  device: number,
  request: McClassCSessionReq & { readonly periodicity?: number },
  nowUs: number,
): Uint8Array {
  const { mcGroupId, sessionTime, timeOut, dlFrequencyHz, dr } = request;
  const { multicastSetup, stack } = packagesFor(side, device);
  const row = side.multicast.findMcGroup(side.column.mcGroups, device, mcGroupId);
  const timeToStart = (sessionTime - deviceGpsSeconds(side, device, nowUs)) | 0;
  const { periodicity } = request;
  const lastsS = periodicity === undefined ? classCTimeOutS(timeOut) : classBTimeOutS(timeOut);
  const missed = isMissed(side, device, timeToStart, lastsS);
  // LoRaMac-node leaves the group's id out of its answers.
  const answeredId = stack === 'LoRaMac-node' ? 0 : mcGroupId;
  const errors = {
    mcGroupId: answeredId,
    drError: !side.plan.isDownlinkDataRate(dr),
    freqError: subBandOf(side.plan.region, dlFrequencyHz) < 0,
    // Version 1 has no bit for a start that was missed (TS005-1.0.0 §4.5).
    mcGroupUndefined: row === NONE || (multicastSetup.version === 1 && missed),
    startMissed: multicastSetup.version === 2 && row !== NONE && missed,
  };
  const refused =
    errors.drError || errors.freqError || errors.mcGroupUndefined || errors.startMissed;
  const start = Math.max(0, Math.min(LATEST_START_S, timeToStart));
  const answer = refused ? errors : { ...errors, timeToStart: start };
  if (!refused) {
    const channel = { frequencyHz: dlFrequencyHz, dataRate: dr };
    const ofClassB = periodicity === undefined ? {} : { periodicity };
    planMulticastSession(side, row, { sessionTime, timeOut, ...ofClassB, ...channel }, nowUs);
  }
  const ofClass = ANSWERS[periodicity === undefined ? 'C' : 'B'];
  return multicastSetup.version === 1 ? ofClass[1].encode(answer) : ofClass[2].encode(answer);
}

/**
 * Whether a session is refused because its start lies in the past. In the standard's version 1,
 * which has no error bit for that, a device enters a session that has begun.
 */
function isMissed(side: DeviceSide, device: number, timeToStart: number, lastsS: number): boolean {
  const { multicastSetup, stack } = packagesFor(side, device);
  const isStrict = multicastSetup.version === 2 || stack === 'LoRaMac-node';
  return isStrict ? timeToStart < 0 : timeToStart + lastsS <= 0;
}

/**
 * Puts TimeToStart in answers of this package as their frame is made: it counts from their sending
 * (TS005-1.0.0 §4.5).
 */
export function stampTimeToStart(
  side: DeviceSide,
  device: number,
  out: Uint8Array,
  nowUs: number,
): void {
  const { version } = packagesFor(side, device).multicastSetup;
  const g = side.multicast.mcGroups.column;
  const set = version === 1 ? multicastSetup[1].uplink : multicastSetup[2].uplink;
  let at = 0;
  for (const { name, payload } of readCommands(set, out).commands) {
    const whole = set[name].encode(payload as never);
    const isSession = name === 'McClassCSessionAns' || name === 'McClassBSessionAns';
    if (isSession && payload.timeToStart !== undefined) {
      const row = answeredGroup(side, device, payload.mcGroupId);
      if (row !== NONE) {
        const leftS = (g.sessionTimeS[row] - deviceGpsSeconds(side, device, nowUs)) | 0;
        writeLe(out, at + 2, 3, Math.max(0, Math.min(LATEST_START_S, leftS)));
      }
    }
    at += whole.length;
  }
}

/**
 * Row of the group whose session an answer is about, or NONE. LoRaMac-node's answers name no group:
 * it is the latest.
 */
function answeredGroup(side: DeviceSide, device: number, mcGroupId: number): number {
  const { mcGroups } = side.column;
  const named = side.multicast.findMcGroup(mcGroups, device, mcGroupId);
  const row = packagesFor(side, device).stack === 'LoRaMac-node' ? mcGroups[device] : named;
  return row !== NONE && side.multicast.mcGroups.column.sessionState[row] !== McSessionState.none
    ? row
    : NONE;
}
