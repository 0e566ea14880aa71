/**
 * How a device puts the message in hand on the air: bytes, data rate, channel, duty cycle, power.
 */
import { assert } from '../base/assert.ts';
import { toHex } from '../base/bytes.ts';
import { DrawPurpose, draw } from '../base/random.ts';
import { EventKind } from '../events.ts';
import { NONE } from '../kernel/columns.ts';
import type { KeyColumn } from '../kernel/key-column.ts';
import {
  FCtrl,
  LONGEST_PHY_PAYLOAD,
  MIC_BYTES,
  MType,
  putMic,
  writeDataFrame,
} from '../lorawan/frame.ts';
import { KEY_BYTES } from '../lorawan/frame-security.ts';
import { JOIN_REQUEST_BYTES } from '../lorawan/join.ts';
import { versionRules } from '../lorawan/versions.ts';
import type { UplinkBegins } from '../observation/observer.ts';
import { channelOf, chooseChannel, isUsable, keepAggregate, maxEirp } from './channels.ts';
import { clearOfBeaconsUs } from './class-b/beacon-reservation.ts';
import { classBBit } from './class-b/mode.ts';
import { type DeviceSide, type MessageShape, observerOf } from './device-side.ts';
import { Activation, MAC_QUEUE_BYTES, NEVER, Radio, UplinkPurpose } from './device-table.ts';
import { accountForUplink } from './energy.ts';
import { backOffBudgetUs, backOffPeriod, encodeJoinRequest, joinDataRate } from './join.ts';
import { fillListed, listedMessage } from './listed-traffic.ts';
import { beforeTransmission } from './multicast-settling.ts';
import { isTimeRequest, MessageKind, NO_PORT, OUTGOING_BYTES } from './outgoing.ts';
import { stampTime } from './packages/clock-sync.ts';
import { stampVersion } from './packages/firmware.ts';
import { stampTimeToStart } from './packages/multicast-setup.ts';
import { encodeRejoin, rejoinBytes } from './rejoin.ts';
import { protectUplink } from './session-security.ts';
import { settingsPlan, stampSettings, trafficOf } from './settings.ts';
import { fillPayload } from './traffic.ts';

/** Hold the frame of one call of `transmit`, and its payload. */
const frameCapacity = new Uint8Array(LONGEST_PHY_PAYLOAD);
const payloadCapacity = new Uint8Array(LONGEST_PHY_PAYLOAD);
const NO_COMMANDS = new Uint8Array(0);

const LAST_DEV_NONCE = 0xffff;

/** Names in the trace, by `UplinkPurpose`. */
const PURPOSE_NAMES = ['data', 'join', 'data', 'rejoin'] as const;

/**
 * Sends the message in hand, or appoints the time at which the duty cycle, a beacon or the join
 * back-off allows it. True when the device is now on the air.
 */
export function transmit(side: DeviceSide, device: number, nowUs: number): boolean {
  const c = side.column;
  assert(c.radio[device] !== Radio.sending, 'a device sends one frame at a time');
  const joining = c.purpose[device] === UplinkPurpose.join;
  const carriesData = c.purpose[device] === UplinkPurpose.data;
  const dataRate = uplinkDataRate(side, device);
  const phyBytes = frameBytes(side, device);
  const airtimeUs = side.plan.uplinkAirtimeUs(dataRate, phyBytes);
  if (joining && !hasDevNonce(side, device)) {
    c.transmitDueAtUs[device] = NEVER;
    return false;
  }
  if (joining && !withinBackOff(side, device, airtimeUs, nowUs)) return false;
  const clearAtUs = clearOfBeaconsUs(side, device, airtimeUs, nowUs);
  if (clearAtUs > nowUs) {
    c.transmitDueAtUs[device] = clearAtUs;
    return false;
  }
  const channel = chooseChannel(side, device, dataRate, airtimeUs, nowUs);
  if (channel === NONE) return false;
  c.uplinkDataRate[device] = dataRate;
  c.channel[device] = channel;
  c.attempts[device]++;
  if (c.attempts[device] > 1 && carriesData) c.retransmissions[device]++;
  if (c.attempts[device] === 1 && carriesData) c.adrAckCnt[device]++;
  if (joining) c.joinAirtimeUs[device] += airtimeUs;
  if (carriesData) side.outgoing.dropEmpty(c.outgoing, device);
  const length = encode(side, device, frameCapacity);
  assert(length === phyBytes, 'a frame has the length that its air time was computed for');
  goOnAir(side, device, dataRate, channel, length, airtimeUs, nowUs);
  return true;
}

/** Data rate of the next transmission. */
function uplinkDataRate(side: DeviceSide, device: number): number {
  const c = side.column;
  if (c.purpose[device] === UplinkPurpose.data) return c.dataRate[device];
  if (c.purpose[device] === UplinkPurpose.rejoin) return c.rejoinDataRate[device];
  const dataRate = joinDataRate(side.plan.region.join, c.attempts[device]);
  return isUsable(side, device, dataRate) ? dataRate : joinDataRate(side.plan.region.join, 0);
}

/**
 * Whether the join back-off allows a request of this air time now. If not, the start of the next
 * period is appointed.
 */
function withinBackOff(
  side: DeviceSide,
  device: number,
  airtimeUs: number,
  nowUs: number,
): boolean {
  const c = side.column;
  const startUs = c.startsAtUs[device];
  const period = backOffPeriod(nowUs - startUs);
  if (period.number !== c.joinPeriod[device]) {
    c.joinPeriod[device] = period.number;
    c.joinAirtimeUs[device] = 0;
  }
  if (c.joinAirtimeUs[device] + airtimeUs <= backOffBudgetUs(period.number)) return true;
  c.transmitDueAtUs[device] = startUs + period.endsUs;
  return false;
}

/** The encoded frame begins now: budgets, air, energy and the end of the transmission. */
function goOnAir(
  side: DeviceSide,
  device: number,
  dataRate: number,
  channel: number,
  phyBytes: number,
  airtimeUs: number,
  nowUs: number,
): void {
  const { devices, plan, slots, types, uplinkAir } = side;
  const c = devices.column;
  const type = types[c.type[device]]!;
  const { band, frequencyHz } = channelOf(side, device, channel);
  c.uplinkHz[device] = frequencyHz;
  if (type.dutyCycle && plan.bands[band]!.isLimited) {
    side.dutyCycle.book(device * plan.bands.length + band, nowUs, airtimeUs);
  }
  keepAggregate(side, device, airtimeUs, nowUs);
  const frameSlot = slots.take();
  slots.copyIn(frameSlot, frameCapacity, phyBytes);
  c.frameSlot[device] = frameSlot;
  c.radio[device] = Radio.sending;
  c.transmitDueAtUs[device] = NEVER;
  beforeTransmission(side, device, nowUs);
  side.downlinkAir.deafen(device);
  const eirpCentiDbm = plan.uplinkEirp(maxEirp(side, device), c.txPowerIndex[device], band);
  const signal = plan.uplinkSignal(frequencyHz, dataRate, airtimeUs, eirpCentiDbm);
  uplinkAir.flights.column.frame[device] = c.frames[device];
  const span = { fromUs: nowUs, untilUs: nowUs + airtimeUs };
  accountForUplink(side, device, eirpCentiDbm, c.purpose[device] === UplinkPurpose.join, span);
  uplinkAir.begin(device, signal, nowUs);
  side.agenda.schedule(EventKind.uplinkEnds, device, nowUs + airtimeUs);
  side.recorder?.uplinkBegins(device, nowUs, dataRate, eirpCentiDbm);
  const { stories } = side;
  if (stories !== undefined) {
    const purpose = c.purpose[device];
    const isData = purpose === UplinkPurpose.data;
    const messageAt = isData ? stories.messageOf(frameCapacity, phyBytes) : NONE;
    stories.uplinks.begins(device, nowUs, dataRate, eirpCentiDbm, purpose, messageAt);
  }
  const observer = observerOf(side, device);
  if (observer !== undefined) {
    const frame = frameCapacity.subarray(0, phyBytes);
    observer.trace(traceBegin(side, device, dataRate, airtimeUs, eirpCentiDbm, frame));
  }
  c.frames[device]++;
}

// ── bytes ────────────────────────────────────────────────────────────────────────────────────────

/** Bytes of the frame in hand, MIC included. */
function frameBytes(side: DeviceSide, device: number): number {
  const purpose = side.column.purpose[device];
  if (purpose === UplinkPurpose.join) return JOIN_REQUEST_BYTES;
  if (purpose === UplinkPurpose.rejoin) return rejoinBytes(side, device);
  const { macInHand, macPort } = side.column;
  const { fPort, length } = messageInHand(side, device);
  const port = fPort === NO_PORT && macPort[device] === 0 ? 0 : 1;
  return 8 + macInHand[device] + port + length + MIC_BYTES;
}

/** Writes the frame in hand into `out` and returns its length, MIC included. */
function encode(side: DeviceSide, device: number, out: Uint8Array): number {
  const purpose = side.column.purpose[device];
  if (purpose === UplinkPurpose.join) {
    const c = side.column;
    c.devNonce[device] = nextDevNonce(side, device);
    c.joinRequests[device]++;
    return encodeJoinRequest(side.devices, device, side.security, out);
  }
  if (purpose === UplinkPurpose.rejoin) return encodeRejoin(side, device, out);
  return encodeData(side, device, out);
}

/** The message in hand; once it was sent it stays as it was, whatever the device is set to. */
export function messageInHand(side: DeviceSide, device: number): MessageShape {
  const { attempts, outgoingInHand } = side.column;
  const row = outgoingInHand[device];
  if (row !== NONE || attempts[device] === 0 || settingsPlan(side, device) === undefined) {
    return messageOf(side, device, row);
  }
  const { portInHand, bytesInHand } = side.settings.column;
  return { fPort: portInHand[device], length: bytesInHand[device] };
}

/** A package's message or an answer, or with NONE the device's own. */
export function messageOf(side: DeviceSide, device: number, row: number): MessageShape {
  if (row === NONE) {
    return side.ownMessages[side.column.type[device]] ?? ownMessage(side, device);
  }
  const { fPort, length } = side.outgoing.pool.column;
  return { fPort: fPort[row], length: length[row] };
}

/** A message of the device's own, by its list or as it is set. */
function ownMessage(side: DeviceSide, device: number): MessageShape {
  const listed = listedMessage(side, device);
  if (listed !== undefined) return listed;
  const { fPort, payloadBytes } = trafficOf(side, device);
  return { fPort, length: payloadBytes };
}

/** Writes the FRMPayload of the message in hand, which has this length. */
function fillMessage(side: DeviceSide, device: number, out: Uint8Array, length: number): void {
  const c = side.column;
  const row = c.outgoingInHand[device];
  if (row === NONE) {
    if (fillListed(side, device, out)) return;
    fillPayload(out, length, c.key0[device], c.key1[device], c.fCntUp[device]);
    return;
  }
  const { bytes, kind, slot } = side.outgoing.pool.column;
  if (slot[row] !== NONE) {
    side.outgoing.slots.copyOut(slot[row], out);
    return;
  }
  const at = row * OUTGOING_BYTES;
  for (let i = 0; i < length; i++) out[i] = bytes[at + i];
  if (c.attempts[device] > 1) return;
  const { nowUs } = side.agenda;
  if (isTimeRequest(kind[row])) stampTime(side, device, out, nowUs);
  else if (kind[row] === MessageKind.multicastAnswers) {
    stampTimeToStart(side, device, out.subarray(0, length), nowUs);
  } else if (kind[row] === MessageKind.versionReport) stampVersion(side, device, out);
  else if (kind[row] === MessageKind.settingsReport) stampSettings(side, device, out);
  else return;
  // A repetition has the same content.
  for (let i = 0; i < length; i++) bytes[at + i] = out[i];
}

/** Whether a DevNonce is left: where they are counted, the last one ends all joining. */
function hasDevNonce({ devices, types }: DeviceSide, device: number): boolean {
  const { devNonce } = versionRules(types[devices.column.type[device]]!.lorawan);
  return devNonce === 'drawn' || devices.joinRequests(device) <= LAST_DEV_NONCE;
}

/** DevNonce of the next join request: drawn, or one more than the last (1.0.4 §6.2.5). */
function nextDevNonce({ devices, types }: DeviceSide, device: number): number {
  const { key0, key1, type, joinRequests } = devices.column;
  const number = joinRequests[device];
  const { devNonce } = versionRules(types[type[device]]!.lorawan);
  if (devNonce === 'counted') return number;
  return draw(key0[device], key1[device], DrawPurpose.devNonce, number) & 0xffff;
}

/** Writes the data frame in hand, encrypted, with its MIC, into `out`; returns its length. */
function encodeData(side: DeviceSide, device: number, out: Uint8Array): number {
  const c = side.column;
  const type = side.types[c.type[device]]!;
  const { fPort, length: payloadLength } = messageInHand(side, device);
  const confirmed = c.confirmed[device] === 1;
  if (confirmed) c.confFCntUp[device] = c.fCntUp[device];
  fillMessage(side, device, payloadCapacity, payloadLength);
  const onPort0 = c.macPort[device] === 1;
  const commands = commandsInHand(side, device);
  const fields = {
    mType: confirmed ? MType.confirmedDataUp : MType.unconfirmedDataUp,
    devAddr: c.devAddr[device],
    fCtrl: controlBits(side, device, type.adr),
    fCnt: c.fCntUp[device],
    fOpts: commands,
    fOptsLength: onPort0 ? 0 : commands.length,
    fPort: onPort0 ? 0 : fPort,
    payload: onPort0 ? commands : payloadCapacity,
    payloadLength: onPort0 ? commands.length : payloadLength,
  };
  const length = writeDataFrame(out, fields);
  return putMic(out, length, protectUplink(side, device, out, length, fields));
}

/** MAC commands that go with the message in hand. */
function commandsInHand({ devices }: DeviceSide, device: number): Uint8Array {
  const { macInHand, macQueue } = devices.column;
  if (macInHand[device] === 0) return NO_COMMANDS;
  const from = device * MAC_QUEUE_BYTES;
  return macQueue.subarray(from, from + macInHand[device]);
}

/** The flags of FCtrl. */
function controlBits(side: DeviceSide, device: number, adr: boolean): number {
  const c = side.column;
  let bits = 0;
  if (adr) bits |= FCtrl.adr;
  if (c.adrAckReqInHand[device] === 1) bits |= FCtrl.adrAckReq;
  if (c.ackInHand[device] === 1) bits |= FCtrl.ack;
  if (classBBit(side, device, c.attempts[device], side.agenda.nowUs)) bits |= FCtrl.classB;
  return bits;
}

/** The row of the trace for a frame that begins. */
function traceBegin(
  side: DeviceSide,
  device: number,
  dataRate: number,
  airtimeUs: number,
  eirpCentiDbm: number,
  frame: Uint8Array,
): UplinkBegins {
  const { devices, plan } = side;
  const c = devices.column;
  const isData = c.purpose[device] === UplinkPurpose.data;
  const keyOf = (keys: Uint8Array) =>
    toHex(keys.subarray(device * KEY_BYTES, (device + 1) * KEY_BYTES));
  const row: UplinkBegins = {
    kind: 'uplinkBegins',
    atUs: side.agenda.nowUs,
    device: devices.identities.of(device).name,
    frame: c.frames[device],
    frequencyHz: c.uplinkHz[device],
    spreadingFactor: plan.spreadingFactor[dataRate]!,
    bandwidthHz: plan.bandwidthHz[dataRate]!,
    eirpCentiDbm,
    airtimeUs,
    phyBytes: frame.length,
    purpose: PURPOSE_NAMES[c.purpose[device]]!,
    counter: isData ? c.fCntUp[device] : c.devNonce[device],
    attempt: c.attempts[device],
    confirmed: c.confirmed[device] === 1,
    phyPayload: toHex(frame),
  };
  if (c.activation[device] !== Activation.active) return row;
  const own = (column: KeyColumn) => toHex(column.copyOf(device));
  const keys = { nwkSKey: own(devices.nwkSKeys), appSKey: own(devices.appSKeys) };
  if (c.minor[device] === 0) return { ...row, keys };
  const more = { sNwkSIntKey: keyOf(c.sNwkSIntKey), nwkSEncKey: keyOf(c.nwkSEncKey) };
  return { ...row, channel: c.channel[device], keys: { ...keys, ...more } };
}
