/**
 * Sending to a class A device: what goes into the frame, which gateway and which window carry it.
 *
 * RX1 is tried before RX2, in each the gateway that heard the device best before the others; a
 * gateway is passed over when the frame would come too late for its queue or its sub-band has no
 * air time left. What a gateway refuses in RX1 is tried once more in RX2.
 */
import { toHex } from '../base/bytes.ts';
import { SECOND_US } from '../base/units.ts';
import { EventKind } from '../events.ts';
import { downlinkDelayUs, LOST } from '../gateway/backhaul.ts';
import {
  DOWNLINK_PURPOSES,
  DownlinkPurpose,
  type DownlinkPurposeName,
  REFUSAL_NAMES,
  type RefusalName,
} from '../gateway/downlinks.ts';
import { LEAD_TIME_US } from '../gateway/gateway.ts';
import { insertByRank } from '../kernel/chain.ts';
import { NONE } from '../kernel/columns.ts';
import {
  DOWNLINK,
  FCtrl,
  LONGEST_PHY_PAYLOAD,
  MIC_BYTES,
  MType,
  putMic,
  writeDataFrame,
} from '../lorawan/frame.ts';
import { KEY_BYTES } from '../lorawan/frame-security.ts';
import { Cid, DOWNLINK_COMMAND_BYTES } from '../lorawan/mac-commands.ts';
import { RX2_AFTER_RX1_US } from '../lorawan/region.ts';
import type { DownlinkPlanned } from '../observer.ts';
import type { PlanRefusal } from '../tally.ts';
import { writeAdrRequest } from './adr.ts';
import type { ServerRoom } from './server-room.ts';

/** The uplink that opens the windows. */
export interface UplinkContext {
  readonly endedAtUs: number;
  readonly channel: number;
  readonly dataRate: number;
  /** Copies, best first. */
  readonly firstCopy: number;
}

/** A frame that can be made once its window is known to take it. */
export interface DownlinkFrame {
  readonly purpose: 'join' | 'data';
  readonly counter: number;
  readonly rx1DelayUs: number;
  readonly rx1DrOffset: number;
  readonly rx2DataRate: number;
  /** Writes the whole PHYPayload and tells its length. */
  encode(out: Uint8Array): number;
}

/** FHDR without FOpts, and FPort. */
const HEADER_BYTES = 8;

/** Most times that a confirmed downlink is sent. */
const CONFIRMED_TRIES = 8;

const bytes = new Uint8Array(LONGEST_PHY_PAYLOAD + 1);
const empty = new Uint8Array(0);
const fOpts = new Uint8Array(15);

// ── what to send ─────────────────────────────────────────────────────────────────────────────────

/**
 * Sends what an uplink calls for: acknowledgement, MAC commands, a queued payload; nothing when
 * nothing is due.
 */
export function answerUplink(
  room: ServerRoom,
  row: number,
  uplink: UplinkContext,
  why: { readonly ack: boolean; readonly mustAnswer: boolean },
  nowUs: number,
): void {
  const r = room.registrations.column;
  dropTooLong(room, row, uplink.dataRate);
  const waiting = room.queue.head(row) !== undefined;
  const adr = r.adrPending[row] === 1;
  if (!why.ack && !why.mustAnswer && !waiting && !adr) return;
  planDownlink(room, row, uplink, dataFrame(room, row, uplink.dataRate, why.ack), nowUs);
}

/** Most bytes of a MACPayload that one of the two windows carries; the other is passed over. */
function mostBytes({ registrations, plan }: ServerRoom, row: number, uplinkDataRate: number) {
  const { rx1DrOffset, rx2DataRate } = registrations.column;
  const rx1DataRate = plan.rx1DataRate(uplinkDataRate, rx1DrOffset[row]);
  return Math.max(plan.maxMacPayload[rx1DataRate]!, plan.maxMacPayload[rx2DataRate[row]]!);
}

/** Drops payloads at the head of the queue that fit in no frame of their own. */
function dropTooLong(room: ServerRoom, row: number, uplinkDataRate: number): void {
  const most = mostBytes(room, row, uplinkDataRate);
  const { queue } = room;
  for (let head = queue.head(row); head !== undefined; head = queue.head(row)) {
    if (HEADER_BYTES + head.payload.length <= most) return;
    room.tally.refuse('tooLong');
    queue.drop(row);
  }
}

/**
 * A data frame with what fits one of the two windows. MAC commands go first; a payload that has no
 * room beside them waits for the next frame.
 */
export function dataFrame(
  room: ServerRoom,
  row: number,
  uplinkDataRate: number,
  ack: boolean,
): DownlinkFrame {
  const { registrations, plan, queue } = room;
  const r = registrations.column;
  const adr = r.adrPending[row] === 1;
  dropTooLong(room, row, uplinkDataRate);
  const fOptsLength = adr ? DOWNLINK_COMMAND_BYTES[Cid.linkAdr] : 0;
  const head = queue.head(row);
  const bytesLeft = mostBytes(room, row, uplinkDataRate) - HEADER_BYTES - fOptsLength;
  const queued = head !== undefined && head.payload.length <= bytesLeft ? head : undefined;
  const counter = r.fCntDown[row]++;
  const devAddr = r.devAddr[row];
  const confirmed = queued?.confirmed === true;
  const more = queue.count(row) > (queued === undefined ? 0 : 1);
  if (queued !== undefined) afterQueued(room, row, confirmed);
  return {
    purpose: 'data',
    counter,
    rx1DelayUs: r.rx1DelayS[row] * SECOND_US,
    rx1DrOffset: r.rx1DrOffset[row],
    rx2DataRate: r.rx2DataRate[row],
    encode(out) {
      if (adr) writeAdrRequest(registrations, row, plan.allChannels, fOpts);
      const payload = queued?.payload ?? empty;
      const length = writeDataFrame(out, {
        mType: confirmed ? MType.confirmedDataDown : MType.unconfirmedDataDown,
        devAddr,
        fCtrl: FCtrl.adr | (ack ? FCtrl.ack : 0) | (more ? FCtrl.fPending : 0),
        fCnt: counter,
        fOpts,
        fOptsLength,
        fPort: queued?.fPort ?? -1,
        payload,
        payloadLength: payload.length,
      });
      const { security } = room;
      const keyAt = row * KEY_BYTES;
      const payloadAt = length - payload.length;
      security.crypt(r.appSKey, keyAt, DOWNLINK, devAddr, counter, out, payloadAt, payload.length);
      const mic = security.dataMic(r.nwkSKey, keyAt, DOWNLINK, devAddr, counter, out, length);
      return putMic(out, length, mic);
    },
  };
}

/**
 * An unconfirmed payload leaves the queue; a confirmed one stays until acknowledged or tried
 * enough.
 */
function afterQueued(room: ServerRoom, row: number, confirmed: boolean): void {
  const r = room.registrations.column;
  if (!confirmed) {
    room.queue.drop(row);
    return;
  }
  r.downlinkTries[row]++;
  r.awaitsAck[row] = 1;
  if (r.downlinkTries[row] < CONFIRMED_TRIES) return;
  r.downlinkTries[row] = 0;
  r.awaitsAck[row] = 0;
  room.queue.drop(row);
}

// ── how to send it ───────────────────────────────────────────────────────────────────────────────

interface Window {
  readonly number: 1 | 2;
  readonly startsAtUs: number;
  readonly frequencyHz: number;
  readonly dataRate: number;
}

/** Finds a window and a gateway, books the air time and sends the frame over the backhaul. */
export function planDownlink(
  room: ServerRoom,
  row: number,
  uplink: UplinkContext,
  frame: DownlinkFrame,
  nowUs: number,
): void {
  room.tally.downlinksRequested++;
  const length = frame.encode(bytes);
  const { plan } = room;
  const rx1AtUs = uplink.endedAtUs + frame.rx1DelayUs;
  const rx1: Window = {
    number: 1,
    startsAtUs: rx1AtUs,
    frequencyHz: plan.rx1FrequencyHz(uplink.channel),
    dataRate: plan.rx1DataRate(uplink.dataRate, frame.rx1DrOffset),
  };
  const rx2: Window = {
    number: 2,
    startsAtUs: rx1AtUs + RX2_AFTER_RX1_US,
    frequencyHz: plan.rx2FrequencyHz,
    dataRate: frame.rx2DataRate,
  };
  let refusal: PlanRefusal = 'tooLateForWindows';
  for (const window of [rx1, rx2]) {
    if (length - MIC_BYTES - 1 > plan.maxMacPayload[window.dataRate]!) continue;
    for (
      let copy = uplink.firstCopy;
      copy !== NONE;
      copy = room.collector.copies.column.next[copy]
    ) {
      const gateway = room.collector.copies.column.gateway[copy];
      const verdict = judge(room, gateway, window, length, nowUs);
      if (verdict === 'good') {
        const rx2StartsAtUs = window.number === 1 ? rx2.startsAtUs : -1;
        const { startsAtUs, frequencyHz, dataRate } = window;
        const { purpose, counter } = frame;
        const downlink = fillDownlink(room, gateway, bytes, length, {
          registration: row,
          window: window.number,
          startsAtUs,
          frequencyHz,
          dataRate,
          purpose,
          counter,
          mcAddr: 0,
          rx2StartsAtUs,
        });
        return dispatch(room, downlink, nowUs);
      }
      refusal = verdict;
    }
  }
  room.tally.refuse(refusal);
}

/** Whether a gateway can send a frame of this length in this window. */
function judge(
  room: ServerRoom,
  gateway: number,
  window: Window,
  length: number,
  nowUs: number,
): 'good' | PlanRefusal {
  const station = room.gateways.stations[gateway]!;
  const { latencyUs, jitterUs } = station.backhaul;
  if (room.gateways.table.column.alive[gateway] === 0) return 'tooLateForWindows';
  if (nowUs + latencyUs + jitterUs + LEAD_TIME_US >= window.startsAtUs) return 'tooLateForWindows';
  if (!station.plan.dutyCycle) return 'good';
  const { plan, dutyCycle } = room;
  const band = plan.bandOf(window.frequencyHz);
  const airtimeUs = plan.downlinkAirtimeUs(window.dataRate, length);
  const account = gateway * plan.bands.length + band;
  const { startsAtUs } = window;
  const budgetUs = plan.bands[band]!.budgetUs;
  const earliestUs = dutyCycle.earliestUs(account, nowUs, startsAtUs, airtimeUs, budgetUs);
  return earliestUs === startsAtUs ? 'good' : 'noBudget';
}

/** What a planned downlink is. */
export interface DownlinkRow {
  /** The server's row of the device, −1 for multicast. */
  readonly registration: number;
  /** 1, 2, or 0 for class C and multicast. */
  readonly window: 0 | 1 | 2;
  readonly startsAtUs: number;
  readonly frequencyHz: number;
  readonly dataRate: number;
  readonly purpose: DownlinkPurposeName;
  readonly counter: number;
  readonly mcAddr: number;
  readonly rx2StartsAtUs: number;
}

/** Takes a row for a frame of `length` bytes that a gateway is to send. */
export function fillDownlink(
  room: ServerRoom,
  gateway: number,
  frame: Uint8Array,
  length: number,
  row: DownlinkRow,
): number {
  const { downlinks, gateways, slots } = room;
  const downlink = downlinks.take();
  const slot = slots.take();
  const d = downlinks.column;
  d.gateway[downlink] = gateway;
  d.number[downlink] = gateways.table.column.downlinkNumber[gateway]++;
  d.slot[downlink] = slot;
  slots.copyIn(slot, frame, length);
  d.registration[downlink] = row.registration;
  d.window[downlink] = row.window;
  d.purpose[downlink] = DownlinkPurpose[row.purpose];
  d.counter[downlink] = row.counter;
  d.mcAddr[downlink] = row.mcAddr;
  d.rx2StartsAtUs[downlink] = row.rx2StartsAtUs;
  d.refusal[downlink] = 0;
  setChannel(room, downlink, row.startsAtUs, row.frequencyHz, row.dataRate);
  return downlink;
}

/** When, where and how loud a downlink goes out. */
function setChannel(
  room: ServerRoom,
  downlink: number,
  startsAtUs: number,
  frequencyHz: number,
  dataRate: number,
): void {
  const { downlinks, gateways, plan, slots } = room;
  const d = downlinks.column;
  const station = gateways.stations[d.gateway[downlink]]!;
  const { maxEirpCentiDbm } = plan.bands[plan.bandOf(frequencyHz)]!;
  d.startsAtUs[downlink] = startsAtUs;
  d.airtimeUs[downlink] = plan.downlinkAirtimeUs(dataRate, slots.length(d.slot[downlink]));
  d.frequencyHz[downlink] = frequencyHz;
  d.dataRate[downlink] = dataRate;
  d.eirpCentiDbm[downlink] = Math.min(station.plan.maxEirpCentiDbm, maxEirpCentiDbm);
}

/** Books the air time of a planned downlink and hands it to the backhaul. */
export function dispatch(room: ServerRoom, downlink: number, nowUs: number): void {
  const { downlinks, gateways, agenda } = room;
  const d = downlinks.column;
  const gateway = d.gateway[downlink];
  const station = gateways.stations[gateway]!;
  book(room, downlink);
  trace(room, downlink, nowUs);
  const delayUs = downlinkDelayUs(station, d.number[downlink]);
  if (delayUs === LOST) return giveUp(room, downlink, 'backhaulLoss');
  d.arrivesAtUs[downlink] = nowUs + Math.max(1, delayUs);
  const heads = gateways.table.column.arriving;
  insertByRank(heads, gateway, d.next, d.arrivesAtUs, downlink);
  agenda.appoint(EventKind.downlinkArrives, gateway, d.arrivesAtUs[heads[gateway]]);
}

const account = (room: ServerRoom, downlink: number): number => {
  const { gateway, frequencyHz } = room.downlinks.column;
  return gateway[downlink] * room.plan.bands.length + room.plan.bandOf(frequencyHz[downlink]);
};

function book(room: ServerRoom, downlink: number): void {
  const { gateway, startsAtUs, airtimeUs } = room.downlinks.column;
  if (!room.gateways.stations[gateway[downlink]]!.plan.dutyCycle) return;
  room.dutyCycle.book(account(room, downlink), startsAtUs[downlink], airtimeUs[downlink]);
}

function unbook(room: ServerRoom, downlink: number): void {
  const { gateway, startsAtUs, airtimeUs } = room.downlinks.column;
  if (!room.gateways.stations[gateway[downlink]]!.plan.dutyCycle) return;
  room.dutyCycle.cancel(account(room, downlink), startsAtUs[downlink], airtimeUs[downlink]);
}

/** A downlink will not be sent: counted, told where it was multicast, and forgotten. */
export function giveUp(room: ServerRoom, downlink: number, reason: RefusalName): void {
  const { downlinks, slots, tally, gateways, listener } = room;
  const d = downlinks.column;
  if (d.purpose[downlink] !== DownlinkPurpose.multicast) {
    tally.refuse(reason);
  } else {
    listener.onMulticast({
      mcAddr: d.mcAddr[downlink],
      gatewayEui: gateways.stations[d.gateway[downlink]]!.eui,
      fCnt: d.counter[downlink],
      outcome: { kind: 'refused', reason },
    });
  }
  slots.give(d.slot[downlink]);
  downlinks.give(downlink);
}

/**
 * A gateway has refused a downlink: the same frame goes into RX2 of the same gateway, or is given
 * up.
 */
export function onRefused(room: ServerRoom, downlink: number, nowUs: number): void {
  const { downlinks, slots, plan, registrations, gateways } = room;
  const d = downlinks.column;
  unbook(room, downlink);
  const length = slots.length(d.slot[downlink]);
  const row = d.registration[downlink];
  const joining = d.purpose[downlink] === DownlinkPurpose.join;
  const dataRate = row < 0 || joining ? plan.rx2DataRate : registrations.column.rx2DataRate[row];
  const startsAtUs = d.rx2StartsAtUs[downlink];
  const window: Window = { number: 2, startsAtUs, frequencyHz: plan.rx2FrequencyHz, dataRate };
  const isKnown = row < 0 || registrations.column.alive[row] === 1;
  const possible =
    isKnown && startsAtUs >= 0 && length <= plan.maxMacPayload[dataRate]! + MIC_BYTES + 1;
  if (!possible || judge(room, d.gateway[downlink], window, length, nowUs) !== 'good') {
    giveUp(room, downlink, REFUSAL_NAMES[d.refusal[downlink]]!);
    return;
  }
  d.number[downlink] = gateways.table.column.downlinkNumber[d.gateway[downlink]]++;
  d.window[downlink] = 2;
  d.rx2StartsAtUs[downlink] = -1;
  setChannel(room, downlink, startsAtUs, window.frequencyHz, dataRate);
  dispatch(room, downlink, nowUs);
}

function trace(room: ServerRoom, downlink: number, nowUs: number): void {
  const { observer, downlinks, plan, slots, registrations, gateways } = room;
  if (observer === undefined) return;
  const d = downlinks.column;
  const row = d.registration[downlink];
  const dataRate = d.dataRate[downlink];
  const length = slots.copyOut(d.slot[downlink], bytes);
  observer.trace({
    kind: 'downlinkPlanned',
    atUs: nowUs,
    gateway: gateways.stations[d.gateway[downlink]]!.name,
    downlink: d.number[downlink],
    devEui: row < 0 ? '' : registrations.identities[row]!.devEui,
    window: d.window[downlink] as 0 | 1 | 2,
    purpose: DOWNLINK_PURPOSES[d.purpose[downlink]]!,
    startsAtUs: d.startsAtUs[downlink],
    counter: d.counter[downlink],
    frequencyHz: d.frequencyHz[downlink],
    spreadingFactor: plan.spreadingFactor[dataRate]!,
    bandwidthHz: plan.bandwidthHz[dataRate]!,
    eirpCentiDbm: d.eirpCentiDbm[downlink],
    airtimeUs: d.airtimeUs[downlink],
    phyBytes: length,
    phyPayload: toHex(bytes.subarray(0, length)),
    ...traceKeys(room, downlink),
  });
}

/** None for a join accept, which the root key protects. */
function traceKeys(room: ServerRoom, downlink: number): Pick<DownlinkPlanned, 'keys'> {
  const { downlinks, registrations, multicast } = room;
  const { purpose, registration, mcAddr } = downlinks.column;
  if (purpose[downlink] === DownlinkPurpose.join) return {};
  if (purpose[downlink] === DownlinkPurpose.multicast) {
    const group = multicast.get(mcAddr[downlink]);
    if (group === undefined) return {};
    return { keys: { nwkSKey: toHex(group.mcNwkSKey), appSKey: toHex(group.mcAppSKey) } };
  }
  const { nwkSKey, appSKey } = registrations.column;
  const at = registration[downlink] * KEY_BYTES;
  const keyOf = (keys: Uint8Array) => toHex(keys.subarray(at, at + KEY_BYTES));
  return { keys: { nwkSKey: keyOf(nwkSKey), appSKey: keyOf(appSKey) } };
}
