/**
 * The device's own part of ADR: when it hears nothing it asks for an answer, then takes more power,
 * then slower data rates (LoRaWAN 1.0.4 §4.3.1.1).
 *
 * ADR_ACK_CNT counts uplinks with a new counter since the last class A downlink; the uplink being
 * made is not among them. With the usual limits the 65th carries ADRACKReq, the 97th goes out at
 * full power, the 129th and every 32nd after it one data rate slower.
 */
import { enableChannelsForBackOff, isUsable } from './channels.ts';
import type { DeviceSide } from './device-side.ts';

/** ADR_ACK_LIMIT 64 and ADR_ACK_DELAY 32 (RP002-1.0.4), as exponents of 2. */
const LIMIT_EXP = 6;
const DELAY_EXP = 5;

/** The limits of a fresh session. */
export function resetAdr({ devices }: DeviceSide, device: number): void {
  const c = devices.column;
  c.adrAckCnt[device] = 0;
  c.adrSteppedAt[device] = 0;
  c.adrAckLimitExp[device] = LIMIT_EXP;
  c.adrAckDelayExp[device] = DELAY_EXP;
}

/** A class A downlink has come. */
export function onHeard({ devices }: DeviceSide, device: number): void {
  devices.column.adrAckCnt[device] = 0;
  devices.column.adrSteppedAt[device] = 0;
}

/** Whether the uplink that is being made asks for a downlink. */
export function asksForAnswer({ devices }: DeviceSide, device: number): boolean {
  const { adrAckCnt, adrAckLimitExp } = devices.column;
  return adrAckCnt[device] >= 1 << adrAckLimitExp[device];
}

/** Takes the step that is due before a new uplink, once. */
export function backOffAdr(side: DeviceSide, device: number): void {
  const c = side.devices.column;
  const count = c.adrAckCnt[device];
  const delay = 1 << c.adrAckDelayExp[device];
  const over = count - (1 << c.adrAckLimitExp[device]);
  if (over < delay || over % delay !== 0 || c.adrSteppedAt[device] === count) return;
  c.adrSteppedAt[device] = count;
  if (over === delay) c.txPowerIndex[device] = 0;
  else if (c.dataRate[device] > side.plan.slowest(c.uplinkDwell[device] === 1)) {
    c.dataRate[device]--;
    if (!isUsable(side, device, c.dataRate[device])) enableChannelsForBackOff(side, device);
  } else {
    c.nbTrans[device] = 1;
    enableChannelsForBackOff(side, device);
  }
}
