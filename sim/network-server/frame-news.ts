/**
 * Single the frame events that listeners receive (`sim/contract/frames.ts`). Nothing here decides
 * or is stored; a network in which nobody listens to frames never comes here.
 */
import { assert } from '../base/assert.ts';
import { readLe, toHex } from '../base/bytes.ts';
import type { DownlinkRefusal } from '../base/counts.ts';
import { SECOND_US } from '../base/units.ts';
import type {
  DownlinkSending,
  FrameDown,
  FrameUp,
  UplinkReception,
  UplinkVerdict,
} from '../contract/frames.ts';
import { DownlinkPurpose, refusalName } from '../gateway/downlinks.ts';
import { NONE } from '../kernel/columns.ts';
import {
  DOWNLINK,
  FCtrl,
  FOPTS_OFFSET,
  fullFCnt,
  LONGEST_PHY_PAYLOAD,
  MIC_BYTES,
  MType,
  NO_PORT,
  ParsedFrame,
  parseDataFrame,
} from '../lorawan/frame.ts';
import { ParsedJoinRequest, parseJoinRequest } from '../lorawan/join.ts';
import { JOIN_ACCEPT_DELAY1_US, RX2_AFTER_RX1_US } from '../lorawan/region.ts';
import { parseRejoinRequest } from '../lorawan/rejoin.ts';
import type { ServerSide } from './server-side.ts';
import { openDownlink, openUplink } from './session-security.ts';
import { storeFrameDown, windowOf } from './story-frames.ts';

const parsed = new ParsedFrame();
const request = new ParsedJoinRequest();

// ── up ───────────────────────────────────────────────────────────────────────────────────────────

/**
 * Reports of a collected uplink once it is taken in; `bytes` are in clear when it was accepted.
 * What is malformed, or of nobody, is not reported.
 */
export function reportFrameUp(
  side: ServerSide,
  collection: number,
  bytes: Uint8Array,
  length: number,
  verdict: UplinkVerdict,
  nowUs: number,
): void {
  if (verdict === 'malformed' || verdict === 'unknownDevice') return;
  side.listener.onFrameUp?.(frameUp(side, collection, bytes, length, verdict, nowUs));
}

/** A collected uplink as it is reported; what was accepted is in clear by now. */
export function frameUp(
  side: ServerSide,
  collection: number,
  bytes: Uint8Array,
  length: number,
  verdict: FrameUp['verdict'],
  nowUs: number,
): FrameUp {
  const { collector, plan } = side;
  const c = collector.collections.column;
  const dataRate = c.dataRate[collection];
  const mType = bytes[0]! >> 5;
  const sent =
    mType === MType.joinRequest
      ? joinRequest(bytes, length)
      : mType === MType.rejoinRequest
        ? rejoinRequest(bytes, length)
        : dataUp(side, bytes, length, verdict);
  const { devEui, type, data, join, rx1DelayUs } = sent;
  const rx2AtUs = c.endedAtUs[collection] + rx1DelayUs + RX2_AFTER_RX1_US;
  // Written out: to V8 a wide object that is made by spreading is a hash table, ten times as slow.
  return {
    devEui,
    type,
    data,
    join,
    verdict,
    endedAtUs: c.endedAtUs[collection],
    takenInAtUs: nowUs,
    tooLate: nowUs >= rx2AtUs,
    mic: micOf(bytes, length),
    frequencyHz: c.frequencyHz[collection],
    dataRate,
    spreadingFactor: plan.spreadingFactor[dataRate]!,
    bandwidthHz: plan.bandwidthHz[dataRate]!,
    airtimeUs: plan.uplinkAirtimeUs(dataRate, length),
    phyBytes: length,
    receptions: receptionsOf(side, collection),
  };
}

type Sent = Pick<FrameUp, 'devEui' | 'type' | 'data' | 'join'> & { readonly rx1DelayUs: number };

const micOf = (bytes: Uint8Array, length: number): number =>
  readLe(bytes, length - MIC_BYTES, MIC_BYTES) >>> 0;

/** EUI bytes of the air as 16 upper-case digits, most significant first. */
const euiText = (bytes: Uint8Array): string => toHex(bytes.slice().reverse()).toUpperCase();

function joinRequest(bytes: Uint8Array, length: number): Sent {
  assert(parseJoinRequest(bytes, length, request), 'a join request that is judged is whole');
  const { joinEui, devNonce } = request;
  const join = { joinEui: euiText(joinEui), devNonce, rejoinType: null };
  const devEui = euiText(request.devEui);
  return { devEui, type: 'joinRequest', data: null, join, rx1DelayUs: JOIN_ACCEPT_DELAY1_US };
}

function rejoinRequest(bytes: Uint8Array, length: number): Sent {
  const rejoin = parseRejoinRequest(bytes, length);
  assert(rejoin !== undefined, 'a rejoin request that is judged is whole');
  const { type, home, devEui, rjCount } = rejoin;
  const joinEui = type === 1 ? euiText(home) : null;
  const join = { joinEui, devNonce: rjCount, rejoinType: type };
  const rx1DelayUs = JOIN_ACCEPT_DELAY1_US;
  return { devEui: euiText(devEui), type: 'rejoinRequest', data: null, join, rx1DelayUs };
}

/**
 * The verdict has changed the last counter to this frame's own at most: it reads the same. What
 * repeats an accepted frame was not opened: it is now, in place.
 */
function dataUp(side: ServerSide, bytes: Uint8Array, length: number, verdict: UplinkVerdict): Sent {
  const { registrations } = side;
  assert(parseDataFrame(bytes, length, parsed), 'a data frame that is judged is whole');
  const { devAddr, fCtrl } = parsed;
  const row = registrations.byAddr(devAddr);
  assert(row !== NONE, 'a data frame that is judged bears the address of a device');
  const last = registrations.isAvailable(row, devAddr) ? NONE : registrations.column.fCntUp[row];
  const fCnt = fullFCnt(last, parsed.fCnt);
  if (verdict === 'repeated') openUplink(side, row, bytes, parsed, fCnt);
  return {
    devEui: registrations.identities.of(row).devEui,
    type: parsed.mType === MType.confirmedDataUp ? 'confirmedDataUp' : 'unconfirmedDataUp',
    data: {
      devAddr,
      fCnt,
      fPort: portOf(),
      adr: (fCtrl & FCtrl.adr) !== 0,
      adrAckReq: (fCtrl & FCtrl.adrAckReq) !== 0,
      ack: (fCtrl & FCtrl.ack) !== 0,
      classB: (fCtrl & FCtrl.classB) !== 0,
      fOpts: fOptsIn(bytes),
      payload: payloadIn(bytes),
      inClear: verdict === 'accepted' || verdict === 'repeated',
    },
    join: null,
    rx1DelayUs: registrations.column.rx1DelayS[row]! * SECOND_US,
  };
}

// Of the frame that was parsed.
const portOf = (): number | null => (parsed.fPort === NO_PORT ? null : parsed.fPort);
const fOptsIn = (bytes: Uint8Array): Uint8Array =>
  bytes.slice(FOPTS_OFFSET, FOPTS_OFFSET + parsed.fOptsLength);
const payloadIn = (bytes: Uint8Array): Uint8Array =>
  bytes.slice(parsed.payloadOffset, parsed.payloadOffset + parsed.payloadLength);

/** Copies that came in time, and late ones among them, the best first. */
function receptionsOf({ collector, gateways }: ServerSide, collection: number): UplinkReception[] {
  const { rssiCentiDbm, snrCentiDb, gateway, arrivesAtUs } = collector.copies.column;
  return collector.allCopies(collection).map(({ copy, late }) => ({
    gatewayEui: gateways.stations[gateway[copy]]!.eui,
    rssiCentiDbm: rssiCentiDbm[copy],
    snrCentiDb: snrCentiDb[copy],
    arrivesAtUs: arrivesAtUs[copy],
    late,
  }));
}

// ── down ─────────────────────────────────────────────────────────────────────────────────────────

const bytes = new Uint8Array(LONGEST_PHY_PAYLOAD + 1);

/**
 * Reports of a downlink that goes on the air now, or that its gateway does not send. One to a
 * device that was removed meanwhile is nobody's: its DevEUI may be another subscriber's by now.
 */
export function reportFrameDown(
  side: ServerSide,
  downlink: number,
  outcome: FrameDown['outcome'],
): void {
  const { downlinks, registrations, slots, listener, stories } = side;
  if (stories !== undefined) storeFrameDown(side, stories, downlink, outcome);
  const d = downlinks.column;
  if (listener.onFrameDown === undefined || side.settings.outside === true) return;
  if (d.purpose[downlink] === DownlinkPurpose.beacon) return;
  const row = d.registration[downlink];
  if (row !== NONE && registrations.column.alive[row] === 0) return;
  const length = slots.copyOut(d.frameSlot[downlink], bytes);
  const to = row === NONE ? { mcAddr: d.mcAddr[downlink] } : { row };
  const sending = sendingOf(side, downlink, length);
  const first = d.firstRefusal[downlink];
  const tries =
    first === 0
      ? []
      : [{ gatewayEui: sending.gatewayEui, window: 1 as const, reason: refusalName(first) }];
  const response = { sending, outcome, tries };
  listener.onFrameDown(frameDown(side, to, bytes, length, d.counter[downlink], response));
}

/** Reports of a frame to a device for which there is no gateway or window. */
export function reportUnplanned(
  side: ServerSide,
  row: number,
  frame: Uint8Array,
  length: number,
  counter: number,
  reason: DownlinkRefusal,
): void {
  bytes.set(frame.subarray(0, length));
  const response = { sending: null, outcome: { kind: 'refused', reason }, tries: [] } as const;
  side.listener.onFrameDown?.(frameDown(side, { row }, bytes, length, counter, response));
}

/** A device by its row, or a group. */
type To = { readonly row: number } | { readonly mcAddr: number };

/** Opens the frame in place. */
function frameDown(
  side: ServerSide,
  to: To,
  frame: Uint8Array,
  length: number,
  counter: number,
  { sending, outcome, tries }: Pick<FrameDown, 'sending' | 'outcome' | 'tries'>,
): FrameDown {
  const mType = frame[0]! >> 5;
  const mic = micOf(frame, length);
  const data = mType === MType.joinAccept ? null : dataDown(side, to, frame, length, counter);
  return {
    devEui: 'row' in to ? side.registrations.identities.of(to.row).devEui : null,
    mcAddr: 'row' in to ? null : to.mcAddr,
    type: DOWN_TYPES[mType] ?? 'unconfirmedDataDown',
    counter,
    mic,
    phyBytes: length,
    data,
    sending,
    outcome,
    tries,
  };
}

const DOWN_TYPES: Readonly<Partial<Record<number, FrameDown['type']>>> = {
  [MType.joinAccept]: 'joinAccept',
  [MType.confirmedDataDown]: 'confirmedDataDown',
};

function dataDown(
  side: ServerSide,
  to: To,
  frame: Uint8Array,
  length: number,
  counter: number,
): FrameDown['data'] {
  assert(parseDataFrame(frame, length, parsed), 'a downlink is a join accept or a data frame');
  const inClear =
    'row' in to
      ? openDownlink(side, to.row, frame, length, parsed, counter)
      : openMulticast(side, frame, length, counter);
  const { devAddr, fCtrl } = parsed;
  return {
    devAddr,
    fCnt: counter,
    fPort: portOf(),
    adr: (fCtrl & FCtrl.adr) !== 0,
    ack: (fCtrl & FCtrl.ack) !== 0,
    fPending: (fCtrl & FCtrl.fPending) !== 0,
    fOpts: fOptsIn(frame),
    payload: payloadIn(frame),
    inClear,
  };
}

/** False when the group is gone, or another has its address. */
function openMulticast(
  { multicast, security }: ServerSide,
  frame: Uint8Array,
  length: number,
  counter: number,
): boolean {
  const { devAddr, mic, payloadOffset, payloadLength } = parsed;
  const group = multicast.get(devAddr);
  if (group === undefined) return false;
  const text = length - MIC_BYTES;
  const { mcNwkSKey, mcAppSKey } = group;
  const own = security.dataMic(mcNwkSKey, 0, DOWNLINK, devAddr, counter, frame, text);
  if (own !== mic) return false;
  security.crypt(mcAppSKey, 0, DOWNLINK, devAddr, counter, frame, payloadOffset, payloadLength);
  return true;
}

function sendingOf(side: ServerSide, downlink: number, phyBytes: number): DownlinkSending {
  const { downlinks, gateways, plan } = side;
  const d = downlinks.column;
  const dataRate = d.dataRate[downlink];
  return {
    gatewayEui: gateways.stations[d.gateway[downlink]]!.eui,
    window: windowOf(d.purpose[downlink], d.window[downlink]),
    startsAtUs: d.startsAtUs[downlink],
    eirpCentiDbm: d.eirpCentiDbm[downlink],
    frequencyHz: d.frequencyHz[downlink],
    dataRate,
    spreadingFactor: plan.spreadingFactor[dataRate]!,
    bandwidthHz: plan.bandwidthHz[dataRate]!,
    airtimeUs: d.airtimeUs[downlink],
    phyBytes,
  };
}
