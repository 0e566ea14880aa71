/** MAC commands on the device's side: what the network orders and what the next uplink answers. */
import type { ChannelPlan } from '../channel-plan.ts';
import {
  Cid,
  DOWNLINK_COMMAND_BYTES,
  endOfCommand,
  LinkAdrStatus,
} from '../lorawan/mac-commands.ts';
import { type DeviceTable, FOPTS_BYTES } from './device-table.ts';

/** DataRate or TXPower that leaves things as they are. */
const KEEP = 15;
const ALL_CHANNELS = 6;
/** Battery level: not able to measure. */
const BATTERY_UNKNOWN = 255;

/** A run of commands that a frame carries. */
interface Run {
  readonly bytes: Uint8Array;
  /** One past the last byte. */
  readonly end: number;
}

/**
 * Carries out a run of commands in order; an unknown identifier or a truncated command ends it
 * (LoRaWAN 1.0.4 §5).
 */
export function obey(
  devices: DeviceTable,
  device: number,
  plan: ChannelPlan,
  adr: boolean,
  bytes: Uint8Array,
  from: number,
  length: number,
): void {
  const run = { bytes, end: from + length };
  for (let at = from; at < run.end; ) {
    const next = endOfCommand(DOWNLINK_COMMAND_BYTES, bytes, at, run.end);
    if (next < 0) return;
    const cid = bytes[at];
    if (cid === Cid.linkAdr) {
      at = obeyLinkAdr(devices, device, plan, adr, run, at);
      continue;
    }
    if (cid === Cid.devStatus) answerDevStatus(devices, device);
    if (cid === Cid.rxTimingSetup) {
      devices.column.rx1DelayS[device] = Math.max(1, bytes[at + 1] & 15);
      answer(devices, device, cid, []);
    }
    at = next;
  }
}

/**
 * Consecutive LinkADRReqs are one block, all or nothing; each gets the same answer. Tells where it
 * ends.
 */
function obeyLinkAdr(
  devices: DeviceTable,
  device: number,
  plan: ChannelPlan,
  adr: boolean,
  run: Run,
  from: number,
): number {
  const c = devices.column;
  const { bytes } = run;
  let mask = c.channelMask[device];
  let verdict: number = LinkAdrStatus.all;
  let count = 0;
  let last = from;
  for (let at = from; at >= 0 && at < run.end && bytes[at] === Cid.linkAdr; count++) {
    const control = (bytes[at + 4] >> 4) & 7;
    if (control === ALL_CHANNELS) mask = plan.allChannels;
    else if (control === 0) mask = bytes[at + 2] | (bytes[at + 3] << 8);
    else verdict &= ~LinkAdrStatus.channelMaskAck;
    last = at;
    at = endOfCommand(DOWNLINK_COMMAND_BYTES, bytes, at, run.end);
  }
  const dataRate = bytes[last + 1] >> 4;
  const power = bytes[last + 1] & 15;
  const wanted = dataRate === KEEP ? c.dataRate[device] : dataRate;
  if (mask === 0 || (mask & ~plan.allChannels) !== 0) verdict &= ~LinkAdrStatus.channelMaskAck;
  if (!plan.isUplinkDataRate(wanted)) verdict &= ~LinkAdrStatus.dataRateAck;
  if (power !== KEEP && power > plan.maxTxPowerIndex) verdict &= ~LinkAdrStatus.powerAck;
  if (verdict === LinkAdrStatus.all) {
    c.channelMask[device] = mask;
    c.nbTrans[device] = Math.max(1, bytes[last + 4] & 15);
    if (adr) c.dataRate[device] = wanted;
    if (adr && power !== KEEP) c.txPowerIndex[device] = power;
  }
  for (let i = 0; i < count; i++) answer(devices, device, Cid.linkAdr, [verdict]);
  return last + DOWNLINK_COMMAND_BYTES[Cid.linkAdr];
}

function answerDevStatus(devices: DeviceTable, device: number): void {
  const margin = Math.max(-32, Math.min(31, devices.column.downlinkMarginDb[device]));
  answer(devices, device, Cid.devStatus, [BATTERY_UNKNOWN, margin & 63]);
}

/**
 * Queues an answer for the next uplink's FOpts; what does not fit is left out, as the standard
 * allows.
 */
function answer(
  devices: DeviceTable,
  device: number,
  cid: number,
  payload: readonly number[],
): void {
  const { fOpts, fOptsLength } = devices.column;
  const used = fOptsLength[device];
  if (used + 1 + payload.length > FOPTS_BYTES) return;
  const at = device * FOPTS_BYTES + used;
  fOpts[at] = cid;
  for (let i = 0; i < payload.length; i++) fOpts[at + 1 + i] = payload[i]!;
  fOptsLength[device] = used + 1 + payload.length;
}
