/**
 * Whether a device in a multicast session of a group heard one row of the air log: a pure function
 * of the row and of the device's columns as they stood when the row ended.
 *
 * Causes have one precedence: no beacon > not listening > own transmission or window > locked on
 * another frame > too weak. After those come lost on the link > lost to noise > interfered.
 */
import type { MulticastFate } from '../base/counts.ts';
import { DrawPurpose, mix } from '../base/random.ts';
import {
  DOWNLINK,
  fullFCnt,
  MIC_BYTES,
  MType,
  ParsedFrame,
  parseDataFrame,
} from '../lorawan/frame.ts';
import { KEY_BYTES } from '../lorawan/frame-security.ts';
import { DataFragment } from '../lorawan/packages/ts004-fragmentation.ts';
import { type AirCopy, type AirRow, lowerFCnt } from '../radio/air-row.ts';
import { gatewayOf } from '../radio/links.ts';
import { lossWord } from '../radio/loss-words.ts';
import { isInGroupPingSlot, lacksBeacon } from './class-b/group-ping-slots.ts';
import {
  arrivingLevel,
  exceedsCopies,
  isLostToNoise,
  levelOf,
  receivedBy,
  strongest,
} from './copy-reception.ts';
import type { DeviceSide } from './device-side.ts';
import { type GroupReceiver, NO_TIMES } from './group-receiver.ts';
import type { DrawnLosses, GroupFrame } from './multicast-memos.ts';
import { isTuned, RADIO_MEMORY_US } from './multicast-radio.ts';
import { type BusyTime, McSessionState } from './multicast-state.ts';

/**
 * What became of a row of the air log at a device in the open session of a group. The device is
 * settled up to the row's start; asking changes nothing.
 */
export function multicastFate(
  side: DeviceSide,
  listener: GroupReceiver,
  air: AirRow,
): MulticastFate {
  const { device, group } = listener;
  const copy = strongest(side, device, air.copies);
  const { deviceFaults } = side.links;
  // A radio that failed or came back while the frame was on the air has missed a part of it.
  if (copy === undefined || deviceFaults.wasMuteWithin(device, copy.startUs, copy.endUs)) {
    return 'outOfReach';
  }
  if (!isListening(side, listener, copy)) {
    return lacksBeacon(side, device, group, copy) ? 'noBeacon' : 'notListening';
  }
  if (isBusyElsewhere(side, listener, copy.startUs, copy.endUs)) return 'ownUplink';
  for (const other of air.others) {
    if (isLockedOn(side, listener, other, copy)) return 'lockedOnOther';
  }
  const level = arrivingLevel(side, device, air.copies, copy);
  if (level < listener.noticesCentiDbm) {
    // A copy of a farther gateway was never meant for this device.
    const nearest = gatewayOf(side.links.all[side.links.starts[device]]);
    return copy.gateway === nearest ? 'tooWeak' : 'outOfReach';
  }
  const fCnt = lowerFCnt(air);
  const losses = linkLosses(side, listener, copy.gateway, fCnt >>> 5);
  if (((losses >>> (fCnt & 31)) & 1) === 1) return 'frameLoss';
  if (isLostToNoise(side, device, copy, level)) return 'noise';
  return survives(side, device, air, copy, level) ? 'heard' : 'interfered';
}

// ── the radio ────────────────────────────────────────────────────────────────────────────────────

/**
 * From the locking point of the preamble to the end of the frame the session must be open and have
 * the radio.
 */
function isListening(side: DeviceSide, listener: GroupReceiver, copy: AirCopy): boolean {
  // A standing group's channel may have been another when the frame began.
  if (copy.frequencyHz !== listener.frequencyHz) return false;
  if (copy.spreadingFactor !== listener.spreadingFactor) return false;
  const { sessionState } = side.multicast.mcGroups.column;
  if (sessionState[listener.group] !== McSessionState.open) return false;
  if (listener.hasPingSlots) return isInGroupPingSlot(side, listener.device, listener.group, copy);
  const lockUs = copy.startUs + listener.lockingUs;
  if (listener.opensAtUs > lockUs || copy.endUs > listener.closesAtUs) return false;
  return isTuned(side, listener, lockUs, copy.endUs);
}

/** Whether an uplink, or a window of one on another channel, shares time with an interval. */
function isBusyElsewhere(
  side: DeviceSide,
  listener: GroupReceiver,
  fromUs: number,
  untilUs: number,
): boolean {
  const { device, busy } = listener;
  if (fromUs >= busy.untilUs || untilUs <= busy.fromUs) return false;
  const flights = side.uplinkAir.flights.column;
  const listeners = side.downlinkAir.listeners.column;
  if (touches(flights.startsAtUs[device], flights.endsAtUs[device], fromUs, untilUs)) return true;
  const rx1Elsewhere =
    listeners.rx1FrequencyHz[device] !== listener.frequencyHz ||
    listeners.rx1DataRate[device] !== listener.dataRate;
  const { rx1OpensAtUs, rx1ClosesAtUs, rx2OpensAtUs, rx2ClosesAtUs } = listeners;
  if (rx1Elsewhere && touches(rx1OpensAtUs[device], rx1ClosesAtUs[device], fromUs, untilUs)) {
    return true;
  }
  const rx2Elsewhere =
    listeners.rx2FrequencyHz[device] !== listener.frequencyHz ||
    listeners.rx2DataRate[device] !== listener.dataRate;
  if (rx2Elsewhere && touches(rx2OpensAtUs[device], rx2ClosesAtUs[device], fromUs, untilUs)) {
    return true;
  }
  for (const time of side.multicast.busyTimes.get(device) ?? NO_TIMES) {
    const isElsewhere =
      time.frequencyHz !== listener.frequencyHz || time.dataRate !== listener.dataRate;
    if (isElsewhere && touches(time.fromUs, time.untilUs, fromUs, untilUs)) return true;
  }
  return false;
}

/**
 * The next uplink is about to replace the latest one and its windows: keeps when those made the
 * radio busy, for frames whose copies have not all ended.
 */
export function rememberBusyTimes(side: DeviceSide, device: number, nowUs: number): void {
  const flights = side.uplinkAir.flights.column;
  const listeners = side.downlinkAir.listeners.column;
  const latest: BusyTime[] = [
    {
      fromUs: flights.startsAtUs[device],
      untilUs: flights.endsAtUs[device],
      frequencyHz: 0,
      dataRate: 0,
    },
    {
      fromUs: listeners.rx1OpensAtUs[device],
      untilUs: listeners.rx1ClosesAtUs[device],
      frequencyHz: listeners.rx1FrequencyHz[device],
      dataRate: listeners.rx1DataRate[device],
    },
    {
      fromUs: listeners.rx2OpensAtUs[device],
      untilUs: Math.min(nowUs, listeners.rx2ClosesAtUs[device]),
      frequencyHz: listeners.rx2FrequencyHz[device],
      dataRate: listeners.rx2DataRate[device],
    },
  ];
  const all = [...(side.multicast.busyTimes.get(device) ?? []), ...latest];
  const isRecent = ({ untilUs }: BusyTime) => untilUs > nowUs - RADIO_MEMORY_US;
  side.multicast.busyTimes.set(device, all.filter(isRecent));
}

/** Whether a window or transmission shares time with an interval; a shut window has none. */
const touches = (aFrom: number, aUntil: number, bFrom: number, bUntil: number): boolean =>
  aFrom < aUntil && aFrom < bUntil && bFrom < aUntil;

/**
 * Whether another frame of the same kind has the radio: one that began before the copy, or one
 * stronger that begins before the copy's locking point. Before the other's locking point a stronger
 * copy takes its place (docs/decisions/0108).
 */
function isLockedOn(
  side: DeviceSide,
  listener: GroupReceiver,
  other: AirCopy,
  copy: AirCopy,
): boolean {
  if (other.spreadingFactor !== listener.spreadingFactor) return false;
  if (other.frequencyHz !== copy.frequencyHz) return false;
  if (other.startUs >= copy.startUs + listener.lockingUs || other.endUs <= copy.startUs)
    return false;
  const { device, group } = listener;
  const listens = listener.hasPingSlots
    ? isInGroupPingSlot(side, device, group, other)
    : isTuned(side, listener, other.startUs + listener.lockingUs, copy.startUs);
  if (!listens) return false;
  if (isBusyElsewhere(side, listener, other.startUs, copy.startUs)) return false;
  const level = levelOf(side, device, other);
  if (!(level >= listener.noticesCentiDbm)) return false;
  const isWithinLocking = copy.startUs < other.startUs + listener.lockingUs;
  if (!isWithinLocking) return true;
  const own = levelOf(side, device, copy);
  return other.startUs < copy.startUs ? level >= own : level > own;
}

/**
 * Constant loss of a link: which of 32 frames of a group it loses. Bit i is that of the frame whose
 * counter's lower bits are 32 · `word` + i.
 */
export function linkLosses(
  side: DeviceSide,
  listener: GroupReceiver,
  gateway: number,
  word: number,
): number {
  const { device, mcAddr, lossPpm: ppm } = listener;
  if (ppm === 0) return 0;
  const drawn = side.multicastMemos.losses(gateway);
  if (!isDrawOf(drawn, device, mcAddr, word, ppm)) {
    const { key0, key1 } = linkKey(side, device, gateway, mcAddr);
    const losses = lossWord(key0, key1, DrawPurpose.frameLossDown, word, ppm);
    Object.assign(drawn, { device, mcAddr, word, ppm, losses });
  }
  return drawn.losses;
}

/** Whether 32 losses are those of a link for the same frames of a group. */
const isDrawOf = (
  drawn: DrawnLosses,
  device: number,
  mcAddr: number,
  word: number,
  ppm: number,
): boolean =>
  drawn.device === device && drawn.word === word && drawn.mcAddr === mcAddr && drawn.ppm === ppm;

/** Two words that name a device's link to a gateway, and a group. */
function linkKey(side: DeviceSide, device: number, gateway: number, mcAddr: number) {
  const c = side.column;
  const other = side.gatewayKey(gateway);
  const key0 = mix(c.key0[device] ^ other.key0);
  return { key0, key1: mix(c.key1[device] + other.key1) ^ mcAddr };
}

/** Interference by other frames (SIR matrix) and by copies that do not add up. */
function survives(
  side: DeviceSide,
  device: number,
  air: AirRow,
  copy: AirCopy,
  level: number,
): boolean {
  const { interference } = side;
  if (!interference.active || (air.others.length === 0 && air.copies.length === 1)) return true;
  const wanted = receivedBy(side, device, copy, level);
  const others = air.others.map((other) => receivedBy(side, device, other));
  if (!interference.survivesAll(wanted, others)) return false;
  return exceedsCopies(side, device, air.copies, copy, wanted);
}

// ── the frame ────────────────────────────────────────────────────────────────────────────────────

/**
 * A row that was heard, as this group's keys open it; undefined when it is not for the group, or
 * its counter is out of range or not above the last. An accepted counter is the last from then on.
 */
export function openGroupFrame(
  side: DeviceSide,
  listener: GroupReceiver,
  air: AirRow,
): GroupFrame | undefined {
  const { device, group } = listener;
  const g = side.multicast.mcGroups.column;
  const counter = fullFCnt(highestFCnt(side, group), lowerFCnt(air));
  const inRange = counter >= g.minFCount[group] && counter <= lastFCnt(side, listener);
  if (!inRange || counter <= g.fCnt[group]) return undefined;
  const frame = openAs(side, group, air, counter);
  if (frame === undefined) return undefined;
  g.fCnt[group] = counter;
  side.column.heardAtUs[device] = air.endUs;
  return frame;
}

/** Counters up to this one are refused: the last accepted, or the one before the first in range. */
export function highestFCnt({ multicast }: DeviceSide, group: number): number {
  const { fCnt, minFCount } = multicast.mcGroups.column;
  return Math.max(fCnt[group], minFCount[group] - 1);
}

/** The last counter in a group's range. */
export const lastFCnt = ({ multicast }: DeviceSide, { group, packages }: GroupReceiver): number =>
  multicast.mcGroups.column.maxFCount[group] - (packages.stack === 'LoRaMac-node' ? 0 : 1);

/** A row as a group's keys open it with this counter; undefined: they do not. */
export function openAs(
  side: DeviceSide,
  group: number,
  air: AirRow,
  counter: number,
): GroupFrame | undefined {
  const key = side.multicast.mcGroups.column.keyFold[group];
  const { openedRows } = side.multicastMemos;
  let opened = openedRows.get(air);
  if (opened === undefined || opened.key !== key || opened.counter !== counter) {
    opened = { key, counter, frame: open(side, group, air, counter) };
    openedRows.set(air, opened);
  }
  return opened.frame;
}

/** Checks the MIC of a row with the group's keys, as this counter, and decrypts it. */
function open(
  side: DeviceSide,
  group: number,
  air: AirRow,
  counter: number,
): GroupFrame | undefined {
  const { security } = side;
  const { mcAppSKey, mcNwkSKey } = side.multicast.mcGroups.column;
  const bytes = air.bytes.slice();
  const { length } = bytes;
  const parsed = new ParsedFrame();
  if (!parseDataFrame(bytes, length, parsed)) return undefined;
  const { devAddr, fCtrl, fPort, payloadOffset, payloadLength } = parsed;
  // Multicast frames carry no FOpts, no flags, no FPort 0 (docs/standard.md, Multicast frames).
  if (parsed.mType !== MType.unconfirmedDataDown || (fCtrl & 0xef) !== 0 || fPort <= 0) {
    return undefined;
  }
  const at = group * KEY_BYTES;
  const text = length - MIC_BYTES;
  const mic = security.dataMic(mcNwkSKey, at, DOWNLINK, devAddr, counter, bytes, text);
  if (mic !== parsed.mic) return undefined;
  security.crypt(mcAppSKey, at, DOWNLINK, devAddr, counter, bytes, payloadOffset, payloadLength);
  const payload = bytes.slice(payloadOffset, text);
  return {
    counter,
    fPort,
    payload,
    data: DataFragment.readAt(payload, 0, payload.length)?.payload,
  };
}
