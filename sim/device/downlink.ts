/** What a device makes of a downlink that its radio caught whole. */
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
import { nearestUsable, resetRegion, takeCfList } from './channels.ts';
import type { DeviceSide } from './device-side.ts';
import { Activation, DeviceClass, NEVER, Purpose } from './device-table.ts';
import { acceptJoin, JOIN_REQ_TYPE, REJOIN_KEEPS_RADIO } from './join.ts';
import { handleMacCommands } from './mac-commands/handlers.ts';
import { forgetCommands, onClassADownlink, queueCommand } from './mac-commands/queue.ts';
import { askForMore, takeAppDownlink } from './packages/packages.ts';
import { appointType1 } from './rejoin.ts';
import { isAuthentic, lastFCntDown, noteFCntDown, openDownlink } from './session-security.ts';

/** Minor version that a 1.1 device tells. */
const MINOR = 1;

/**
 * Takes in a frame of `length` bytes received at `levelCentiDbm`; `bytes` may be changed. True when
 * the frame was for this device: address (or join), MIC and counter are good.
 */
export function receive(
  side: DeviceSide,
  device: number,
  bytes: Uint8Array,
  length: number,
  marginDb: number,
  inWindow: boolean,
): boolean {
  const c = side.devices.column;
  const mType = bytes[0] >> 5;
  const good =
    mType === MType.joinAccept
      ? receiveJoinAccept(side, device, bytes, length)
      : receiveData(side, device, bytes, length, marginDb, inWindow);
  if (!good) return false;
  c.downlinkMarginDb[device] = marginDb;
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
  const { devices, security, observer, agenda } = side;
  const c = devices.column;
  const rejoining = c.purpose[device] === Purpose.rejoin;
  if (c.purpose[device] !== Purpose.join && !rejoining) return false;
  const { joinNonceGrows, minor } = versionRules(side.types[c.type[device]]!.lorawan);
  const joinReqType = rejoining ? c.rejoinType[device] : JOIN_REQ_TYPE;
  const expected = { joinReqType, mustGrow: joinNonceGrows, modern: minor === 1 };
  const accept = acceptJoin(devices, device, bytes, length, security, expected);
  if (accept === undefined) return false;
  beginLorawanSession(side, device, accept.cfList, joinReqType !== REJOIN_KEEPS_RADIO);
  if (c.joinedAtUs[device] === NEVER) c.joinedAtUs[device] = agenda.nowUs;
  observer?.trace({
    kind: 'deviceReceives',
    atUs: agenda.nowUs,
    device: devices.identities[device]!.name,
    purpose: 'join',
    counter: accept.joinNonce,
    acknowledges: false,
  });
  return true;
}

/** Counters and settings of a fresh session, and what a 1.1 device indicates in it. */
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
  c.fCntDown[device] = -1;
  c.aFCntDown[device] = -1;
  c.rjCount0[device] = 0;
  c.rekeyWaits[device] = 0;
  c.rejoinTriesLeft[device] = 0;
  c.rejoinedAtFCnt[device] = 0;
  c.rejoinedAtUs[device] = side.agenda.nowUs;
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

/** Data rate of a fresh session. */
export function startDataRate(side: DeviceSide, device: number): number {
  const { devices, types, plan, links } = side;
  const c = devices.column;
  const type = types[c.type[device]]!;
  const dwell = c.uplinkDwell[device] === 1;
  if (type.dataRate.from === 'fixed') return nearestUsable(side, device, type.dataRate.dataRate);
  if (type.dataRate.from === 'join') {
    const slowest = plan.slowest(dwell);
    return type.activation === 'otaa' ? Math.max(c.uplinkDataRate[device], slowest) : slowest;
  }
  const best = links.counts[device] === 0 ? -Infinity : links.gains[links.starts[device]];
  return plan.fastestAbove(type.maxEirpCentiDbm + best - type.dataRate.marginCentiDb, dwell);
}

function receiveData(
  side: DeviceSide,
  device: number,
  bytes: Uint8Array,
  length: number,
  marginDb: number,
  inWindow: boolean,
): boolean {
  const { devices, observer, agenda } = side;
  const c = devices.column;
  if (c.activation[device] !== Activation.active) return false;
  const parsed = new ParsedFrame();
  if (!parseDataFrame(bytes, length, parsed) || parsed.direction !== DOWNLINK) return false;
  const devAddr = c.devAddr[device];
  if (parsed.devAddr !== devAddr) return false;
  const last = lastFCntDown(side, device, parsed.fPort);
  const counter = fullFCnt(last, parsed.fCnt);
  if (counter <= last || isGap(side, device, counter - last)) return false;
  if (!isAuthentic(side, device, bytes, length, parsed, counter)) return false;
  noteFCntDown(side, device, parsed.fPort, counter);
  c.downlinkMarginDb[device] = marginDb;
  if (inWindow) onClassADownlink(devices, device);
  carryOut(side, device, bytes, parsed, counter, inWindow);
  observer?.trace({
    kind: 'deviceReceives',
    atUs: agenda.nowUs,
    device: devices.identities[device]!.name,
    purpose: 'data',
    counter,
    ...(c.minor[device] === 1 && parsed.fPort > 0 && { ofApplication: true }),
    acknowledges: (parsed.fCtrl & FCtrl.ack) !== 0,
  });
  return true;
}

/** Whether a counter jumps too far for the device's version. */
function isGap({ devices, types }: DeviceSide, device: number, by: number): boolean {
  const { lorawan } = types[devices.column.type[device]]!;
  return by > MAX_FCNT_GAP && versionRules(lorawan).fCntGap;
}

/**
 * Acts on an accepted data frame: acknowledgement, MAC commands, payload. What comes confirmed
 * outside the windows is acknowledged soon, within CLASS_C_RESP_TIMEOUT of 8 s (1.0.4 §15).
 */
function carryOut(
  side: DeviceSide,
  device: number,
  bytes: Uint8Array,
  parsed: ParsedFrame,
  counter: number,
  inWindow: boolean,
): void {
  const c = side.devices.column;
  const { payloadOffset, payloadLength, fPort } = parsed;
  const { nowUs } = side.agenda;
  if ((parsed.fCtrl & FCtrl.ack) !== 0) c.acknowledged[device] = 1;
  const confirmed = parsed.mType === MType.confirmedDataDown;
  if (confirmed) {
    c.ackDue[device] = 1;
    c.confFCntDown[device] = counter;
  }
  openDownlink(side, device, bytes, parsed, counter);
  handleMacCommands(side, device, bytes, FOPTS_OFFSET, parsed.fOptsLength);
  const more = (parsed.fCtrl & FCtrl.fPending) !== 0;
  if (fPort === 0) handleMacCommands(side, device, bytes, payloadOffset, payloadLength);
  else if (fPort > 0) {
    c.downlinks[device]++;
    const payload = bytes.slice(payloadOffset, payloadOffset + payloadLength);
    takeAppDownlink(side, device, { fPort, payload }, nowUs);
  }
  // After the payload: an answer that goes out soon opens windows too.
  if (more || (confirmed && !inWindow)) askForMore(side, device, nowUs);
}
