/**
 * The channels of a device: which it knows, which are on, and which one carries the next uplink
 * (RP002-1.0.4; LoRaWAN 1.0.4 §4.3.1.1, §6.2.6).
 */

import { assert } from '../base/assert.ts';
import { DrawPurpose, draw, toBelow } from '../base/random.ts';
import { MILLION } from '../base/units.ts';
import { NONE } from '../kernel/columns.ts';
import { cfListFrequencies, readCfListMask } from '../lorawan/region.ts';
import { versionRules } from '../lorawan/versions.ts';
import {
  bytesOfMask,
  type Channel,
  type ChannelMask,
  type ChannelSet,
  holdsMask,
  MASK_WORDS,
  maskOf,
  maskOfBytes,
  readMask,
  writeMask,
} from '../spectrum/channel-set.ts';
import type { DeviceSide } from './device-side.ts';
import { UplinkPurpose } from './device-table.ts';

/** Pause after a busy channel, uniform between these. */
const LEAST_WAIT_US = 100_000;
const MOST_WAIT_US = 1_000_000;

export const channelsOf = ({ channelSets, devices }: DeviceSide, device: number): ChannelSet =>
  channelSets.get(devices.column.channelSet[device]);

export const channelOf = (side: DeviceSide, device: number, index: number): Channel =>
  channelsOf(side, device)[index]!;

/** As after a reset: channels, dwell times and power limit are the region's. */
export function resetRegion(side: DeviceSide, device: number): void {
  const { devices, plan, channelSets, types } = side;
  const c = devices.column;
  const { set, mask } = plan.start(types[c.type[device]]!.channels ?? 'network');
  c.channelSet[device] = channelSets.row(set);
  writeMask(c.channelMask, device, mask);
  c.hasLeftChannels[device] = 0;
  const { dwellAtStart, maxEirpCentiDbm } = plan.region;
  c.uplinkDwell[device] = dwellAtStart.uplink ? 1 : 0;
  c.downlinkDwell[device] = dwellAtStart.downlink ? 1 : 0;
  c.maxEirpCentiDbm[device] = maxEirpCentiDbm;
  c.maxDutyCycle[device] = 0;
  c.silentUntilUs[device] = 0;
}

/**
 * The network has set which channels are on. When they are all the network's own, the device has
 * ended what ADR back-off did to its channels.
 */
export function setChannelMask(side: DeviceSide, device: number, mask: ChannelMask): void {
  const { channelMask, hasLeftChannels } = side.column;
  writeMask(channelMask, device, mask);
  const isBack = mask.every((word, i) => (word & ~side.plan.channelMask[i]!) === 0);
  if (isBack) hasLeftChannels[device] = 0;
}

/** A personalised device that was set up for its network knows its channels and limits. */
export function setUpForNetwork(side: DeviceSide, device: number): void {
  const { devices, plan, channelSets, types } = side;
  const c = devices.column;
  if ((types[c.type[device]]!.channels ?? 'network') === 'region') return;
  c.channelSet[device] = channelSets.row(plan.channels);
  writeMask(c.channelMask, device, plan.channelMask);
  const { uplinkDwell, downlinkDwell, maxEirpDbm } = plan.limits;
  c.uplinkDwell[device] = uplinkDwell ? 1 : 0;
  c.downlinkDwell[device] = downlinkDwell ? 1 : 0;
  c.maxEirpCentiDbm[device] = 100 * maxEirpDbm;
}

/** Channels of a join accept: up to five more, or which of the region's are on. */
export function takeCfList(side: DeviceSide, device: number, cfList: Uint8Array | undefined): void {
  if (cfList === undefined) return;
  const { plan, devices } = side;
  const c = devices.column;
  if (plan.isFixed) {
    const enabled = new Uint8Array(plan.defaults.length);
    if (readCfListMask(cfList, enabled)) writeMask(c.channelMask, device, maskOfBytes(enabled));
    return;
  }
  const first = plan.defaults.length;
  const { minDataRate, maxDataRate } = plan.defaults[0]!;
  for (const [i, hz] of (cfListFrequencies(cfList) ?? []).entries()) {
    if (hz === 0) continue;
    const channel = plan.newChannel(hz, minDataRate, maxDataRate);
    c.channelSet[device] = side.channelSets.with(c.channelSet[device], first + i, channel);
    c.channelMask[device * MASK_WORDS] |= 1 << (first + i);
  }
}

/** Whether some channel that is on carries a data rate. */
export function isUsable(side: DeviceSide, device: number, dataRate: number): boolean {
  const channels = channelsOf(side, device);
  const { channelMask } = side.column;
  for (let i = 0; i < channels.length; i++) {
    const one = channels[i];
    if (one !== undefined && isOn(channelMask, device, i) && carries(one, dataRate)) return true;
  }
  return false;
}

/** A data rate, or the nearest slower one that a channel which is on carries; else the slowest. */
export function nearestUsable(side: DeviceSide, device: number, wanted: number): number {
  const slowest = side.plan.slowest(side.column.uplinkDwell[device] === 1);
  for (let dataRate = wanted; dataRate > slowest; dataRate--) {
    if (isUsable(side, device, dataRate)) return dataRate;
  }
  return slowest;
}

/** All channels that the device knows are on. */
function enableAllChannels(side: DeviceSide, device: number): void {
  writeMask(side.column.channelMask, device, allChannels(side, device));
}

/** Whether some channel that the device knows is off. */
export function wouldEnableChannels(side: DeviceSide, device: number): boolean {
  return !holdsMask(side.column.channelMask, device, allChannels(side, device));
}

function allChannels(side: DeviceSide, device: number) {
  const channels = channelsOf(side, device);
  return maskOf((index) => channels[index] !== undefined, channels.length);
}

/** ADR back-off turns all channels on; what that loses is counted by itself (decision 0032). */
export function enableChannelsForBackOff(side: DeviceSide, device: number): void {
  const { channelMask, hasLeftChannels } = side.column;
  const before = readMask(channelMask, device);
  enableAllChannels(side, device);
  if (!holdsMask(channelMask, device, before)) hasLeftChannels[device] = 1;
}

/** When no channel that is on carries the data rate, all are on again. */
export function ensureUsableChannel(side: DeviceSide, device: number): void {
  const dataRate = side.column.dataRate[device];
  if (!isUsable(side, device, dataRate)) enableAllChannels(side, device);
}

/** Which of a device's channels are on, a byte each. */
export function enabledChannels(side: DeviceSide, device: number): Uint8Array {
  const mask = readMask(side.column.channelMask, device);
  return bytesOfMask(mask, side.plan.region.maxUplinkChannels);
}

const isOn = (mask: Uint32Array, device: number, index: number): boolean =>
  ((mask[device * MASK_WORDS + (index >> 5)] >>> (index & 31)) & 1) === 1;

/** Whether a channel carries a data rate. */
export const carries = ({ minDataRate, maxDataRate }: Channel, dataRate: number): boolean =>
  dataRate >= minDataRate && dataRate <= maxDataRate;

/** What the device may radiate at TXPower index 0, 1/100 dBm. */
export function maxEirp({ devices, types }: DeviceSide, device: number): number {
  const c = devices.column;
  return Math.min(types[c.type[device]]!.maxEirpCentiDbm, c.maxEirpCentiDbm[device]);
}

/** Frequency of RX1 after the latest uplink. */
export function rx1Frequency(side: DeviceSide, device: number): number {
  const { channel, uplinkHz } = side.column;
  const moved = channelOf(side, device, channel[device])?.rx1Hz ?? 0;
  return moved === 0 ? side.plan.rx1FrequencyHz(uplinkHz[device]) : moved;
}

// ── the next uplink ──────────────────────────────────────────────────────────────────────────────

/** Channels that could carry the frame: holds those of one call of `chooseChannel`. */
const free: number[] = [];

/**
 * A random channel among those that are on, carry the data rate and whose sub-band lets the device
 * send now. NONE when there is none; then the earliest time at which there is one is appointed.
 */
export function chooseChannel(
  side: DeviceSide,
  device: number,
  dataRate: number,
  airtimeUs: number,
  nowUs: number,
): number {
  const c = side.column;
  const { listenBeforeTalk, channelSets } = side;
  const channels = channelSets.carrying(c.channelSet[device], dataRate);
  const isListening = listenBeforeTalk.active;
  free.length = 0;
  let busy = 0;
  let earliestUs = Number.POSITIVE_INFINITY;
  // Channels of one sub-band follow each other, and are free at the same time.
  let bandBefore = NONE;
  let atUs = nowUs;
  for (let i = 0; i < channels.length; i++) {
    const { index, band, frequencyHz } = channels[i]!;
    if (!isOn(c.channelMask, device, index)) continue;
    if (band !== bandBefore) atUs = freeAtUs(side, device, band, airtimeUs, nowUs);
    bandBefore = band;
    if (atUs < earliestUs) earliestUs = atUs;
    if (atUs > nowUs) continue;
    if (isListening && !listenBeforeTalk.isFreeForDevice(device, frequencyHz, nowUs)) busy++;
    else free.push(index);
  }
  if (free.length === 0 && busy > 0) return waitForSilence(side, device, nowUs);
  if (free.length === 0) {
    assert(earliestUs < Number.POSITIVE_INFINITY, 'some channel carries the data rate');
    c.transmitDueAtUs[device] = earliestUs;
    c.dutyCycleWaits[device]++;
    return NONE;
  }
  const drawn = draw(c.key0[device], c.key1[device], DrawPurpose.channel, c.frames[device]);
  const last = isRepetition(side, device) ? free.indexOf(c.channel[device]) : NONE;
  if (last !== NONE && free.length > 1) free.splice(last, 1);
  return free[toBelow(drawn, free.length)]!;
}

/** Whether the frame is sent again and has to go to another channel (LoRaWAN 1.0.4 §4.3.1.3). */
function isRepetition({ devices, types }: DeviceSide, device: number): boolean {
  const c = devices.column;
  if (c.purpose[device] !== UplinkPurpose.data || c.attempts[device] === 0) return false;
  return versionRules(types[c.type[device]]!.lorawan).otherChannel;
}

/** Every channel that could carry the frame is busy: the device listens again a little later. */
function waitForSilence({ devices }: DeviceSide, device: number, nowUs: number): typeof NONE {
  const c = devices.column;
  const drawn = draw(c.key0[device], c.key1[device], DrawPurpose.busyChannel, c.busyWaits[device]);
  c.busyWaits[device]++;
  c.transmitDueAtUs[device] = nowUs + LEAST_WAIT_US + toBelow(drawn, MOST_WAIT_US - LEAST_WAIT_US);
  return NONE;
}

/** After a transmission of T at a limit of 1/2^n the device is silent until 2^n·T have passed. */
export function keepAggregate(
  { devices }: DeviceSide,
  device: number,
  airtimeUs: number,
  nowUs: number,
): void {
  const { maxDutyCycle, silentUntilUs } = devices.column;
  if (maxDutyCycle[device] === 0) return;
  silentUntilUs[device] = nowUs + airtimeUs * (1 << maxDutyCycle[device]);
}

/** When a sub-band, and all of them together, let the device send for this long. */
function freeAtUs(
  side: DeviceSide,
  device: number,
  band: number,
  airtimeUs: number,
  nowUs: number,
): number {
  const { plan, dutyCycle, types, devices } = side;
  const { type, silentUntilUs } = devices.column;
  const soonestUs = Math.max(nowUs, silentUntilUs[device]);
  const { budgetUs, isLimited } = plan.bands[band]!;
  if (!isLimited || !types[type[device]]!.dutyCycle) return soonestUs;
  const account = device * plan.bands.length + band;
  if (types[type[device]]!.dutyCycleBy === 'frame') {
    const { dutyCyclePpm } = plan.region.subBands[band]!;
    return Math.max(soonestUs, dutyCycle.opensAtUs(account, nowUs, MILLION / dutyCyclePpm));
  }
  return dutyCycle.earliestUs(account, nowUs, soonestUs, airtimeUs, budgetUs);
}
