/** What a device makes of a downlink that its radio caught whole. */
import {
  DOWNLINK,
  FCtrl,
  FOPTS_OFFSET,
  fullFCnt,
  MIC_BYTES,
  MType,
  ParsedFrame,
  parseDataFrame,
} from '../lorawan/frame.ts';
import { KEY_BYTES } from '../lorawan/frame-security.ts';
import { MAX_FCNT_GAP } from '../lorawan/region.ts';
import { versionRules } from '../lorawan/versions.ts';
import { onHeard, resetAdr } from './adr-back-off.ts';
import { nearestUsable, resetRegion, takeCfList } from './channels.ts';
import type { DeviceRoom } from './device-room.ts';
import { Activation, Purpose } from './device-table.ts';
import { acceptedCfList, acceptJoin } from './join.ts';
import { obey } from './mac-commands/obey.ts';
import { forgetCommands, onClassADownlink } from './mac-commands/queue.ts';
import { askForMore, takeAppDownlink } from './packages/packages.ts';

const parsed = new ParsedFrame();

/**
 * Takes in a frame of `length` bytes received at `levelCentiDbm`; `bytes` may be changed. True when
 * the frame was for this device: address (or join), MIC and counter are good.
 */
export function receive(
  room: DeviceRoom,
  device: number,
  bytes: Uint8Array,
  length: number,
  marginDb: number,
  inWindow: boolean,
): boolean {
  const c = room.devices.column;
  const mType = bytes[0] >> 5;
  const good =
    mType === MType.joinAccept
      ? receiveJoinAccept(room, device, bytes, length)
      : receiveData(room, device, bytes, length, marginDb, inWindow);
  if (!good) return false;
  c.downlinkMarginDb[device] = marginDb;
  if (!inWindow) return true;
  c.answered[device] = 1;
  onHeard(room, device);
  return true;
}

function receiveJoinAccept(
  room: DeviceRoom,
  device: number,
  bytes: Uint8Array,
  length: number,
): boolean {
  const { devices, security, observer, agenda } = room;
  const c = devices.column;
  if (c.purpose[device] !== Purpose.join) return false;
  const { joinNonceGrows } = versionRules(room.types[c.type[device]]!.lorawan);
  const joinNonce = acceptJoin(devices, device, bytes, length, security, joinNonceGrows);
  if (joinNonce < 0) return false;
  c.activation[device] = Activation.active;
  c.fCntUp[device] = 0;
  c.fCntDown[device] = -1;
  c.rx2FrequencyHz[device] = room.plan.rx2FrequencyHz;
  resetRegion(room, device);
  takeCfList(room, device, acceptedCfList());
  c.dataRate[device] = startDataRate(room, device);
  forgetCommands(devices, device);
  resetAdr(room, device);
  c.joinedAtUs[device] = agenda.nowUs;
  observer?.trace({
    kind: 'deviceReceives',
    atUs: agenda.nowUs,
    device: devices.identities[device]!.name,
    purpose: 'join',
    counter: joinNonce,
    acknowledges: false,
  });
  return true;
}

/** Data rate of a fresh session. */
export function startDataRate(room: DeviceRoom, device: number): number {
  const { devices, types, plan, links } = room;
  const c = devices.column;
  const type = types[c.type[device]]!;
  const dwell = c.uplinkDwell[device] === 1;
  if (type.dataRate.from === 'fixed') return nearestUsable(room, device, type.dataRate.dataRate);
  if (type.dataRate.from === 'join') {
    return type.activation === 'otaa' ? c.uplinkDataRate[device] : plan.slowest(dwell);
  }
  const best = links.counts[device] === 0 ? -Infinity : links.gains[links.starts[device]];
  return plan.fastestAbove(type.maxEirpCentiDbm + best - type.dataRate.marginCentiDb, dwell);
}

function receiveData(
  room: DeviceRoom,
  device: number,
  bytes: Uint8Array,
  length: number,
  marginDb: number,
  inWindow: boolean,
): boolean {
  const { devices, security, observer, agenda } = room;
  const c = devices.column;
  if (c.activation[device] !== Activation.active) return false;
  if (!parseDataFrame(bytes, length, parsed) || parsed.direction !== DOWNLINK) return false;
  const devAddr = c.devAddr[device];
  if (parsed.devAddr !== devAddr) return false;
  const last = c.fCntDown[device];
  const counter = fullFCnt(last, parsed.fCnt);
  if (counter <= last || isGap(room, device, counter - last)) return false;
  const keyAt = device * KEY_BYTES;
  const text = length - MIC_BYTES;
  const mic = security.dataMic(c.nwkSKey, keyAt, DOWNLINK, devAddr, counter, bytes, text);
  if (mic !== parsed.mic) return false;
  c.fCntDown[device] = counter;
  c.downlinkMarginDb[device] = marginDb;
  if (inWindow) onClassADownlink(devices, device);
  carryOut(room, device, bytes, counter);
  observer?.trace({
    kind: 'deviceReceives',
    atUs: agenda.nowUs,
    device: devices.identities[device]!.name,
    purpose: 'data',
    counter,
    acknowledges: (parsed.fCtrl & FCtrl.ack) !== 0,
  });
  return true;
}

/** Whether a counter jumps too far for the device's version. */
function isGap({ devices, types }: DeviceRoom, device: number, by: number): boolean {
  const { lorawan } = types[devices.column.type[device]]!;
  return by > MAX_FCNT_GAP && versionRules(lorawan).fCntGap;
}

/** Acts on an accepted data frame: acknowledgement, MAC commands, payload. */
function carryOut(room: DeviceRoom, device: number, bytes: Uint8Array, counter: number): void {
  const { devices, security } = room;
  const c = devices.column;
  const { payloadOffset, payloadLength, fPort } = parsed;
  if ((parsed.fCtrl & FCtrl.ack) !== 0) c.acknowledged[device] = 1;
  c.ackDue[device] = parsed.mType === MType.confirmedDataDown ? 1 : 0;
  obey(room, device, bytes, FOPTS_OFFSET, parsed.fOptsLength);
  if ((parsed.fCtrl & FCtrl.fPending) !== 0) askForMore(room, device, room.agenda.nowUs);
  if (fPort < 0) return;
  const keys = fPort === 0 ? c.nwkSKey : c.appSKey;
  const keyAt = device * KEY_BYTES;
  security.crypt(
    keys,
    keyAt,
    DOWNLINK,
    c.devAddr[device],
    counter,
    bytes,
    payloadOffset,
    payloadLength,
  );
  if (fPort === 0) obey(room, device, bytes, payloadOffset, payloadLength);
  else takeApp(room, device, bytes.slice(payloadOffset, payloadOffset + payloadLength));
}

function takeApp(room: DeviceRoom, device: number, payload: Uint8Array): void {
  const { nowUs } = room.agenda;
  room.devices.column.downlinks[device]++;
  takeAppDownlink(room, device, { fPort: parsed.fPort, payload }, nowUs);
}
