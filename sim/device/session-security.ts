/**
 * How a device protects its uplinks and judges its downlinks: by two keys in a 1.0 session, by four
 * in a 1.1 session (LoRaWAN 1.0.4 §4.3.3, §4.4; 1.1 §4.3.1.6, §4.4).
 */
import { assert } from '../base/assert.ts';
import {
  DOWNLINK,
  FCtrl,
  FOPTS_OFFSET,
  MIC_BYTES,
  type ParsedFrame,
  UPLINK,
} from '../lorawan/frame.ts';
import { KEY_BYTES } from '../lorawan/frame-security.ts';
import type { KeyAt, MicContext11 } from '../lorawan/frame-security-11.ts';
import type { DeviceSide } from './device-side.ts';
import type { DeviceTable } from './device-table.ts';
import { NO_PORT } from './outgoing.ts';

/** The parts of an uplink that are encrypted. */
interface Parts {
  readonly fPort: number;
  readonly fOptsLength: number;
  readonly payloadLength: number;
}

/** Encrypts an uplink of `length` bytes in place and returns its MIC. */
export function protectUplink(
  side: DeviceSide,
  device: number,
  bytes: Uint8Array,
  length: number,
  parts: Parts,
): number {
  const { devices, security } = side;
  const c = devices.column;
  const { fPort, fOptsLength, payloadLength } = parts;
  const at = device * KEY_BYTES;
  const devAddr = c.devAddr[device];
  const fCnt = c.fCntUp[device];
  const modern = c.minor[device] === 1;
  const payloadAt = length - payloadLength;
  if (security.encrypts && payloadLength > 0) {
    const { keys, at } = portKey(devices, device, fPort);
    security.crypt(keys, at, UPLINK, devAddr, fCnt, bytes, payloadAt, payloadLength);
  }
  const nwkSKey: KeyAt = devices.nwkSKeys.of(device);
  if (!modern) {
    return security.dataMic(nwkSKey.keys, nwkSKey.at, UPLINK, devAddr, fCnt, bytes, length);
  }
  const { v11 } = security;
  const encryption = { keys: c.nwkSEncKey, at };
  v11.cryptFOpts(encryption, UPLINK, devAddr, fCnt, fPort, bytes, FOPTS_OFFSET, fOptsLength);
  const context: MicContext11 = {
    devAddr,
    fCnt32: fCnt,
    confFCnt: c.ackInHand[device] === 1 ? c.confFCntDown[device] & 0xffff : 0,
    txDr: c.uplinkDataRate[device],
    txCh: c.channel[device],
  };
  return v11.uplinkMic(nwkSKey, { keys: c.sNwkSIntKey, at }, context, bytes, length);
}

/** What encrypts the payload on a port. */
function portKey(devices: DeviceTable, device: number, fPort: number): KeyAt {
  if (fPort !== 0) return devices.appSKeys.of(device);
  const { minor, nwkSEncKey } = devices.column;
  if (minor[device] === 0) return devices.nwkSKeys.of(device);
  return { keys: nwkSEncKey, at: device * KEY_BYTES };
}

/** Whether a downlink with this counter bears the MIC of the device's session. */
export function isAuthentic(
  { devices, security }: DeviceSide,
  device: number,
  bytes: Uint8Array,
  length: number,
  parsed: ParsedFrame,
  counter: number,
): boolean {
  const c = devices.column;
  const at = device * KEY_BYTES;
  const devAddr = c.devAddr[device];
  const text = length - MIC_BYTES;
  if (c.minor[device] === 0) {
    const { keys, at } = devices.nwkSKeys.of(device);
    return parsed.mic === security.dataMic(keys, at, DOWNLINK, devAddr, counter, bytes, text);
  }
  const confFCnt = (parsed.fCtrl & FCtrl.ack) === 0 ? 0 : c.confFCntUp[device] & 0xffff;
  // A downlink's MIC covers no data rate and no channel.
  const context: MicContext11 = { devAddr, fCnt32: counter, confFCnt, txDr: 0, txCh: 0 };
  return parsed.mic === security.v11.downlinkMic({ keys: c.sNwkSIntKey, at }, context, bytes, text);
}

/** Decrypts a downlink's FOpts and FRMPayload in place. */
export function openDownlink(
  { devices, security }: DeviceSide,
  device: number,
  bytes: Uint8Array,
  parsed: ParsedFrame,
  counter: number,
): void {
  const c = devices.column;
  const { fPort, fOptsLength, payloadOffset, payloadLength } = parsed;
  const devAddr = c.devAddr[device];
  const modern = c.minor[device] === 1;
  if (modern) {
    const key = { keys: c.nwkSEncKey, at: device * KEY_BYTES };
    security.v11.cryptFOpts(
      key,
      DOWNLINK,
      devAddr,
      counter,
      fPort,
      bytes,
      FOPTS_OFFSET,
      fOptsLength,
    );
  }
  if (fPort === NO_PORT || !security.encrypts) return;
  const { keys, at } = portKey(devices, device, fPort);
  security.crypt(keys, at, DOWNLINK, devAddr, counter, bytes, payloadOffset, payloadLength);
}

/**
 * Last accepted counter of a downlink's kind, NO_COUNTER before the first. LoRaWAN 1.1 counts
 * downlinks of the application apart (AFCntDown).
 */
export function lastFCntDown({ devices }: DeviceSide, device: number, fPort: number): number {
  const { minor, aFCntDown, fCntDown } = devices.column;
  return minor[device] === 1 && fPort > 0 ? aFCntDown[device] : fCntDown[device];
}

/** The downlink with this counter was accepted. */
export function noteFCntDown(
  { devices }: DeviceSide,
  device: number,
  fPort: number,
  counter: number,
): void {
  const { minor, aFCntDown, fCntDown } = devices.column;
  const last = minor[device] === 1 && fPort > 0 ? aFCntDown : fCntDown;
  assert(counter > last[device], 'the counter of accepted downlinks grows');
  last[device] = counter;
}
