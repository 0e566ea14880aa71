/** What a device does with a downlink that its radio received whole. */

import { assert } from '../base/assert.ts';
import {
  DOWNLINK,
  FCtrl,
  FOPTS_OFFSET,
  fullFCnt,
  MType,
  ParsedFrame,
  parseDataFrame,
} from '../lorawan/frame.ts';
import { DeviceModeInd, RekeyInd } from '../lorawan/mac-commands.ts';
import { MAX_FCNT_GAP } from '../lorawan/region.ts';
import { versionRules } from '../lorawan/versions.ts';
import { onHeard, resetAdr } from './adr-back-off.ts';
import { resetRegion, takeCfList } from './channels.ts';
import type { DeviceSide } from './device-side.ts';
import { Activation, DeviceClass, NEVER, NO_COUNTER, UplinkPurpose } from './device-table.ts';
import { acceptJoin, JOIN_REQ_TYPE, REJOIN_KEEPS_RADIO } from './join.ts';
import { handleMacCommands } from './mac-commands/handlers.ts';
import { forgetCommands, onClassADownlink, queueCommand } from './mac-commands/queue.ts';
import { askForMore, takeAppDownlink } from './packages/packages.ts';
import { appointType1, countRejoins } from './rejoin.ts';
import { isAuthentic, lastFCntDown, noteFCntDown, openDownlink } from './session-security.ts';
import { assertSettled } from './settling-progress.ts';
import { reviewStandingGroups } from './standing-groups.ts';
import { startDataRate } from './start-data-rate.ts';

/** Minor version that a 1.1 device indicates. */
const MINOR = 1;

/**
 * Takes a frame of `length` bytes that the device's radio received whole, `marginDb` above its
 * sensitivity; `inWindow`: in RX1 or RX2 of its latest uplink. `bytes` may be changed. Returns
 * whether the frame was for this device: address (or join), MIC and counter are good. The device is
 * settled.
 */
export function receive(
  side: DeviceSide,
  device: number,
  bytes: Uint8Array,
  length: number,
  marginDb: number,
  inWindow: boolean,
): boolean {
  assertSettled(side, device);
  assert(length > 0 && length <= bytes.length, 'a frame that was received has bytes');
  const c = side.column;
  const mType = bytes[0] >> 5;
  const good =
    mType === MType.joinAccept
      ? receiveJoinAccept(side, device, bytes, length)
      : receiveData(side, device, bytes, length, marginDb, inWindow);
  if (!good) return false;
  c.downlinkMarginDb[device] = marginDb;
  c.heardAtUs[device] = side.agenda.nowUs;
  if (!inWindow) return true;
  c.answered[device] = 1;
  onHeard(side, device);
  return true;
}

function receiveJoinAccept(
  side: DeviceSide,
  device: number,
  bytes: Uint8Array,
  length: number,
): boolean {
  const { devices, security, observer, stories, agenda } = side;
  const c = devices.column;
  const rejoining = c.purpose[device] === UplinkPurpose.rejoin;
  if (c.purpose[device] !== UplinkPurpose.join && !rejoining) return false;
  const { joinNonceGrows, minor } = versionRules(side.types[c.type[device]]!.lorawan);
  const joinReqType = rejoining ? c.rejoinType[device] : JOIN_REQ_TYPE;
  const expected = { joinReqType, mustGrow: joinNonceGrows, modern: minor === 1 };
  const accept = acceptJoin(devices, device, bytes, length, security, expected);
  if (accept === undefined) return false;
  beginLorawanSession(side, device, accept.cfList, joinReqType !== REJOIN_KEEPS_RADIO);
  reviewStandingGroups(side, device, agenda.nowUs);
  if (c.joinedAtUs[device] === NEVER) c.joinedAtUs[device] = agenda.nowUs;
  stories?.joined(device, agenda.nowUs);
  observer?.trace({
    kind: 'deviceReceives',
    atUs: agenda.nowUs,
    device: devices.identities.of(device).name,
    purpose: 'join',
    counter: accept.joinNonce,
    acknowledges: false,
  });
  return true;
}

/**
 * A LoRaWAN session begins: counters and settings are as after a join, and a 1.1 device indicates
 * its version and class. `resetsRadio`: the accept also set the radio, with its CFList.
 */
function beginLorawanSession(
  side: DeviceSide,
  device: number,
  cfList: Uint8Array | undefined,
  resetsRadio: boolean,
): void {
  const { devices, plan } = side;
  const c = devices.column;
  c.activation[device] = Activation.active;
  c.fCntUp[device] = 0;
  c.fCntDown[device] = NO_COUNTER;
  if (devices.table.has('keys11')) {
    c.aFCntDown[device] = NO_COUNTER;
    c.rekeyWaits[device] = 0;
  }
  countRejoins(side, device);
  appointType1(side, device, side.agenda.nowUs);
  if (resetsRadio) {
    c.rx2FrequencyHz[device] = plan.rx2FrequencyHz;
    resetRegion(side, device);
    takeCfList(side, device, cfList);
    c.dataRate[device] = startDataRate(side, device);
    c.txPowerIndex[device] = 0;
    c.nbTrans[device] = side.types[c.type[device]]!.nbTrans;
  }
  forgetCommands(devices, device);
  resetAdr(side, device);
  if (c.minor[device] === 0) return;
  queueCommand(devices, device, RekeyInd.encode({ minor: MINOR }));
  const deviceClass = c.deviceClass[device];
  if (deviceClass === DeviceClass.c)
    queueCommand(devices, device, DeviceModeInd.encode({ deviceClass }));
}

/**
 * Judges a data frame by address, counter and MIC. If it is good, acts on it: acknowledgement, MAC
 * commands, payload. A confirmed frame that came outside the windows is acknowledged soon, within
 * CLASS_C_RESP_TIMEOUT of 8 s (LoRaWAN 1.0.4 §15).
 */
function receiveData(
  side: DeviceSide,
  device: number,
  bytes: Uint8Array,
  length: number,
  marginDb: number,
  inWindow: boolean,
): boolean {
  const { devices, types, observer, agenda } = side;
  const c = devices.column;
  if (c.activation[device] !== Activation.active) return false;
  const parsed = new ParsedFrame();
  if (!parseDataFrame(bytes, length, parsed) || parsed.direction !== DOWNLINK) return false;
  const { fPort, fCtrl, payloadOffset, payloadLength } = parsed;
  if (parsed.devAddr !== c.devAddr[device]) return false;
  const last = lastFCntDown(side, device, fPort);
  const counter = fullFCnt(last, parsed.fCnt);
  const isGap = counter - last > MAX_FCNT_GAP;
  if (counter <= last || (isGap && versionRules(types[c.type[device]]!.lorawan).fCntGap)) {
    return false;
  }
  if (!isAuthentic(side, device, bytes, length, parsed, counter)) return false;
  noteFCntDown(side, device, fPort, counter);
  c.downlinkMarginDb[device] = marginDb;
  if (inWindow) onClassADownlink(devices, device);

  const acknowledges = (fCtrl & FCtrl.ack) !== 0;
  if (acknowledges) c.acknowledged[device] = 1;
  const confirmed = parsed.mType === MType.confirmedDataDown;
  if (confirmed) {
    c.ackDue[device] = 1;
    c.confFCntDown[device] = counter;
  }
  openDownlink(side, device, bytes, parsed, counter);
  handleMacCommands(side, device, bytes, FOPTS_OFFSET, parsed.fOptsLength);
  if (fPort === 0) handleMacCommands(side, device, bytes, payloadOffset, payloadLength);
  else if (fPort > 0) {
    c.downlinks[device]++;
    const payload = bytes.slice(payloadOffset, payloadOffset + payloadLength);
    takeAppDownlink(side, device, { fPort, payload }, agenda.nowUs);
  }
  // After the payload: an answer that goes out soon opens windows too.
  const isPending = (fCtrl & FCtrl.fPending) !== 0;
  if (isPending || (confirmed && !inWindow)) askForMore(side, device, agenda.nowUs);
  observer?.trace({
    kind: 'deviceReceives',
    atUs: agenda.nowUs,
    device: devices.identities.of(device).name,
    purpose: 'data',
    counter,
    ...(c.minor[device] === 1 && fPort > 0 && { ofApplication: true }),
    acknowledges,
  });
  return true;
}
