/**
 * The device's own part of ADR: when it hears nothing it asks for an answer (ADRACKReq), then takes
 * more power and slower data rates (LoRaWAN §4.3.1.1; `VersionRules.adrBackOff` has the versions).
 *
 * ADR_ACK_CNT counts uplinks with a new counter since the last class A downlink; the uplink being
 * made is not among them. With the usual limits the 65th carries ADRACKReq. From 1.0.4 on the 97th
 * goes out at full power, the 129th and every 32nd after it one data rate slower; up to 1.0.3 the
 * 97th and every 32nd after it go out at full power and one data rate slower.
 */
import { versionRules } from '../lorawan/versions.ts';
import { enableChannelsForBackOff, isUsable, wouldEnableChannels } from './channels.ts';
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
export function asksForAnswer(side: DeviceSide, device: number): boolean {
  const { adrAckCnt, adrAckLimitExp } = side.column;
  if (adrAckCnt[device] < 1 << adrAckLimitExp[device]) return false;
  const rule = backOffRule(side, device);
  if (rule === 'powerFirst' || hasPowerOrDataRateLeft(side, device)) return true;
  return rule === 'untilNothingLeft' && wouldEnableChannels(side, device);
}

/** Takes the step that is due before a new uplink, once. */
export function backOffAdr(side: DeviceSide, device: number): void {
  const c = side.column;
  const count = c.adrAckCnt[device];
  const delay = 1 << c.adrAckDelayExp[device];
  const over = count - (1 << c.adrAckLimitExp[device]);
  if (over < delay || over % delay !== 0 || c.adrSteppedAt[device] === count) return;
  c.adrSteppedAt[device] = count;
  if (backOffRule(side, device) === 'dataRate') return lowerUntilSlowest(side, device);
  if (over === delay) c.txPowerIndex[device] = 0;
  else if (isAboveSlowest(side, device)) lowerDataRate(side, device);
  else {
    c.nbTrans[device] = 1;
    enableChannelsForBackOff(side, device);
  }
}

/** A step up to 1.0.3. Default channels come back at the slowest data rate (LoRaMac-node). */
function lowerUntilSlowest(side: DeviceSide, device: number): void {
  side.column.txPowerIndex[device] = 0;
  if (!isAboveSlowest(side, device)) return;
  lowerDataRate(side, device);
  if (!isAboveSlowest(side, device)) enableChannelsForBackOff(side, device);
}

function lowerDataRate(side: DeviceSide, device: number): void {
  const { dataRate } = side.column;
  dataRate[device]--;
  if (!isUsable(side, device, dataRate[device])) enableChannelsForBackOff(side, device);
}

const backOffRule = ({ devices, types }: DeviceSide, device: number) =>
  versionRules(types[devices.column.type[device]]!.lorawan).adrBackOff;

function isAboveSlowest({ devices, plan }: DeviceSide, device: number): boolean {
  const { dataRate, uplinkDwell } = devices.column;
  return dataRate[device] > plan.slowest(uplinkDwell[device] === 1);
}

const hasPowerOrDataRateLeft = (side: DeviceSide, device: number): boolean =>
  side.column.txPowerIndex[device] > 0 || isAboveSlowest(side, device);
