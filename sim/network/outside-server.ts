/**
 * The radio side of a network server outside the simulator. Gateways forward uplinks to a port, and
 * its transmissions go over the scenario's backhaul into their transmit queues.
 *
 * The gateway decides as a packet forwarder does when a datagram arrives, and answers at once
 * (docs/standard.md, Transmit queue of a packet forwarder). What devices hear is decided as ever.
 */
import { assert } from '../base/assert.ts';
import { MILLISECOND_US } from '../base/units.ts';
import type { Departure, OpenedFrame, Transmission } from '../contract/forwarding.ts';
import type { DeviceSide } from '../device/device-side.ts';
import { Activation } from '../device/device-table.ts';
import { lastFCntDown } from '../device/session-security.ts';
import { EventKind } from '../events.ts';
import { answerDelayUs, downlinkDelayUs, LOST } from '../gateway/backhaul.ts';
import { DepartureKind, NEVER_US, Refusal, refusalName } from '../gateway/downlinks.ts';
import type { GatewayStation } from '../gateway/gateway.ts';
import { insertByRank } from '../kernel/chain.ts';
import { NONE } from '../kernel/columns.ts';
import {
  DOWNLINK,
  fullFCnt,
  LONGEST_PHY_PAYLOAD,
  MType,
  ParsedFrame,
  parseDataFrame,
  UPLINK,
} from '../lorawan/frame.ts';
import { KEY_BYTES } from '../lorawan/frame-security.ts';
import { DataFragment } from '../lorawan/packages/ts004-fragmentation.ts';
import { earliestStartUs } from '../network-server/budget.ts';
import { fillDownlink, giveUp, traceDownlink } from '../network-server/dispatch.ts';
import { NO_DOWNLINK } from '../network-server/downlink-fates.ts';
import type { ServerSide } from '../network-server/server-side.ts';
import { TX_MARGIN_DELAY_US } from '../spectrum/queue-times.ts';
import type { Sides } from './sides.ts';

/** The forwarder's counter has 32 bits. */
const COUNTER_US = 0x1_0000_0000;

/** `imme` waits for twice the look-ahead of the queue, which the lead time holds. */
const LOOK_AHEADS = 2;

// ── up ───────────────────────────────────────────────────────────────────────────────────────────

/** The forwarder's counter at an instant; it began before the world, at a value of its own. */
const counterAt = ({ key0 }: GatewayStation, atUs: number): number =>
  (atUs + (key0 >>> 0)) % COUNTER_US;

const bytes = new Uint8Array(LONGEST_PHY_PAYLOAD + 1);
const parsed = new ParsedFrame();

/** A copy of the uplink that a device has just sent leaves its gateway. */
export function forwardCopy(
  { device: side, server }: Sides,
  device: number,
  copy: {
    readonly gateway: number;
    readonly rssiCentiDbm: number;
    readonly snrCentiDb: number;
    readonly arrivesAtUs: number;
  },
  nowUs: number,
): void {
  const { devices, slots } = side;
  const { frameSlot, uplinkHz, uplinkDataRate } = devices.column;
  const station = server.gateways.stations[copy.gateway]!;
  const length = slots.copyOut(frameSlot[device], bytes);
  const gpsUs = server.gpsStartUs + nowUs;
  server.listener.forwarder?.forwarded({
    gatewayEui: station.eui,
    endedAtUs: nowUs,
    arrivesAtUs: copy.arrivesAtUs,
    tmst: counterAt(station, nowUs),
    ...(station.plan.gps && { tmms: Math.floor(gpsUs / MILLISECOND_US) }),
    frequencyHz: uplinkHz[device],
    dataRate: uplinkDataRate[device],
    rssiCentiDbm: copy.rssiCentiDbm,
    snrCentiDb: copy.snrCentiDb,
    phyPayload: bytes.slice(0, length),
  });
}

/** The server must have this uplink of a device by now: some gateway has sent it a copy. */
export function noteForwarded({ device: side, server }: Sides, device: number, nowUs: number) {
  const { devices, slots } = side;
  const length = slots.copyOut(devices.column.frameSlot[device], bytes);
  const { devEui } = devices.identities.of(device);
  const { registrations } = server;
  const r = registrations.column;
  const row = registrations.byEui(devEui);
  assert(row !== NONE, 'a device of the network is registered with the server');
  r.lastUplinkAtUs[row] = nowUs;
  if (!parseDataFrame(bytes, length, parsed)) {
    r.fCntUp[row] = NONE;
    return;
  }
  const fCnt = fullFCnt(r.fCntUp[row], parsed.fCnt);
  if (fCnt !== r.fCntUp[row]) r.delivered[row]++;
  r.fCntUp[row] = fCnt;
  if (server.listener.forwarder?.opened === undefined || parsed.fPort <= 0) return;
  const { devAddr, fPort, payloadOffset, payloadLength } = parsed;
  decrypt(side, device, UPLINK, fullFCnt(devices.column.fCntUp[device] - 1, parsed.fCnt));
  const payload = bytes.slice(payloadOffset, payloadOffset + payloadLength);
  const frame = { direction: 'up', devEui, devAddr, fCnt, fPort, payload } as const;
  server.listener.forwarder.opened({ ...frame, atUs: nowUs });
}

/** Decrypts the frame in `bytes` by the session of a device. */
function decrypt(side: DeviceSide, device: number, direction: 0 | 1, counter: number): void {
  const { devAddr, payloadOffset, payloadLength } = parsed;
  const { keys, at } = side.devices.appSKeys.of(device);
  const { security } = side;
  security.crypt(keys, at, direction, devAddr, counter, bytes, payloadOffset, payloadLength);
}

// ── down ─────────────────────────────────────────────────────────────────────────────────────────

/** Who a frame of the server is for, as the keys of devices show. */
interface Addressee {
  /** Device row; NONE of join accepts, groups, and of an address that nobody has. */
  readonly device: number;
  readonly purpose: 'join' | 'data' | 'ping' | 'multicast';
  readonly mcAddr: number;
  readonly counter: number;
  /** A multicast frame that is no fragment. */
  readonly asks: boolean;
  readonly opened: Pick<OpenedFrame, 'fPort' | 'payload'> | undefined;
}

/** The server requests a transmission: it goes over the backhaul, or is refused at its end. */
export function transmit(sides: Sides, transmission: Transmission, nowUs: number): void {
  const { server } = sides;
  const { gateways, plan } = server;
  const { gatewayEui, frequencyHz, phyPayload, departure } = transmission;
  const gateway = gateways.rowByEui(gatewayEui);
  if (gateway === NONE) return server.tally.refuse('gatewayGone');
  const station = gateways.stations[gateway]!;
  bytes.set(phyPayload);
  const length = phyPayload.length;
  const to = addresseeOf(sides, length, departure);
  reportOpened(sides, transmission, to, nowUs);
  if (!plan.isDownlinkFrequency(frequencyHz)) {
    return refuseAtSight(sides, station, transmission, Refusal.frequency, nowUs);
  }
  if (departure.by === 'gps' && !station.plan.gps) {
    return refuseAtSight(sides, station, transmission, Refusal.gpsUnlocked, nowUs);
  }
  const downlink = fillDownlink(server, gateway, phyPayload, length, {
    registration: to.device,
    window: 0,
    startsAtUs: startOf(server, station, departure, nowUs),
    frequencyHz,
    dataRate: transmission.dataRate,
    purpose: to.purpose,
    counter: to.counter,
    mcAddr: to.mcAddr,
    rx2StartsAtUs: NEVER_US,
    downlinkId: NO_DOWNLINK,
  });
  const d = server.downlinks.column;
  d.eirpCentiDbm[downlink] = Math.min(station.plan.maxEirpCentiDbm, transmission.eirpCentiDbm);
  d.asks[downlink] = to.asks ? 1 : 0;
  d.transmissionId[downlink] = transmission.id;
  d.departure[downlink] = DepartureKind[departure.by];
  server.tally.add('downlinksRequested');
  handOver(sides, downlink, nowUs);
}

function handOver({ server }: Sides, downlink: number, nowUs: number): void {
  const { downlinks, gateways, agenda } = server;
  const d = downlinks.column;
  const gateway = d.gateway[downlink];
  traceDownlink(server, downlink, nowUs);
  const delayUs = downlinkDelayUs(gateways.stations[gateway]!, d.number[downlink]);
  if (delayUs === LOST) return giveUp(server, downlink, 'backhaulLoss');
  d.arrivesAtUs[downlink] = nowUs + Math.max(1, delayUs) + gateways.faults.delayUs(gateway);
  const heads = gateways.table.column.arriving;
  insertByRank(heads, gateway, d.next, d.arrivesAtUs, downlink);
  agenda.appoint(EventKind.downlinkArrives, gateway, d.arrivesAtUs[heads[gateway]]);
}

/** Whether a downlink is one of an outside server. */
export const isOutside = ({ downlinks }: ServerSide, downlink: number): boolean =>
  downlinks.column.transmissionId[downlink] > 0;

/** A transmission has crossed the backhaul: into the queue or refused, and answered. */
export function transmissionArrives(sides: Sides, downlink: number, nowUs: number): void {
  const { server } = sides;
  const refusal = takeOrRefuse(server, downlink, nowUs);
  answer(sides, downlink, refusal, nowUs);
  if (refusal !== Refusal.none) refuseOutside(sides, downlink, refusal, nowUs);
}

/** One that is refused, whether or not it was answered before, is gone. */
export function refuseOutside(
  { server }: Sides,
  downlink: number,
  refusal: Refusal,
  nowUs: number,
): void {
  const { gateways, downlinks, observer } = server;
  const { gateway, number } = downlinks.column;
  observer?.trace({
    kind: 'downlinkRefused',
    atUs: nowUs,
    gateway: gateways.stations[gateway[downlink]]!.name,
    downlink: number[downlink],
    reason: refusalName(refusal),
  });
  giveUp(server, downlink, refusalName(refusal));
}

function takeOrRefuse(server: ServerSide, downlink: number, nowUs: number): Refusal {
  const { gateways, downlinks, plan, dutyCycle } = server;
  const d = downlinks.column;
  const [gateway, hz, airtimeUs] = [
    d.gateway[downlink],
    d.frequencyHz[downlink],
    d.airtimeUs[downlink],
  ];
  const { leadTimeUs } = gateways.stations[gateway]!;
  if (d.departure[downlink] === DepartureKind.now) {
    const fromUs = nowUs + LOOK_AHEADS * (leadTimeUs - TX_MARGIN_DELAY_US);
    d.startsAtUs[downlink] = gateways.firstGapUs(downlink, fromUs);
  } else if (d.departure[downlink] === DepartureKind.counter && d.startsAtUs[downlink] < nowUs) {
    // The counter's difference is unsigned: what is past seems to be an hour ahead.
    return Refusal.tooEarly;
  }
  const startsAtUs = d.startsAtUs[downlink];
  const refusal = gateways.refusal(downlink, nowUs);
  if (refusal !== Refusal.none) return refusal;
  const isClosed = earliestStartUs(server, gateway, hz, startsAtUs, airtimeUs, nowUs) > startsAtUs;
  if (isClosed) return Refusal.dutyCycle;
  if (gateways.stations[gateway]!.plan.dutyCycle) {
    dutyCycle.book(gateway * plan.bands.length + plan.bandOf(hz), startsAtUs, airtimeUs);
  }
  return gateways.enqueue(downlink, nowUs);
}

function answer({ server }: Sides, downlink: number, refusal: Refusal, nowUs: number): void {
  const { gateways, downlinks, listener } = server;
  const d = downlinks.column;
  const station = gateways.stations[d.gateway[downlink]]!;
  const delayUs = answerDelayUs(station, d.number[downlink]);
  if (delayUs === LOST || listener.forwarder === undefined) return;
  listener.forwarder.answered({
    id: d.transmissionId[downlink],
    gatewayEui: station.eui,
    atUs: nowUs,
    arrivesAtUs: nowUs + delayUs + gateways.faults.delayUs(station.row),
    ...(refusal !== Refusal.none && { refusal: refusalName(refusal) }),
    startsAtUs: d.startsAtUs[downlink],
    shortOfUs: nowUs + station.leadTimeUs - d.startsAtUs[downlink],
    sendsAtCentiDbm: d.eirpCentiDbm[downlink],
  });
}

/** A request that no queue of this gateway takes, whatever the time. */
function refuseAtSight(
  { server }: Sides,
  station: GatewayStation,
  { id, eirpCentiDbm }: Transmission,
  refusal: Refusal,
  nowUs: number,
): void {
  const { gateways, tally, listener } = server;
  const number = gateways.table.column.downlinkNumber[station.row]++;
  tally.add('downlinksRequested');
  tally.refuse(refusalName(refusal));
  const [downUs, upUs] = [downlinkDelayUs(station, number), answerDelayUs(station, number)];
  if (downUs === LOST || upUs === LOST || !gateways.faults.isUp(station.row, 'backhaul')) return;
  const addedUs = gateways.faults.delayUs(station.row);
  listener.forwarder?.answered({
    id,
    gatewayEui: station.eui,
    atUs: nowUs + downUs + addedUs,
    arrivesAtUs: nowUs + downUs + upUs + 2 * addedUs,
    refusal: refusalName(refusal),
    startsAtUs: nowUs,
    shortOfUs: 0,
    sendsAtCentiDbm: eirpCentiDbm,
  });
}

/** µs of the world; the counter's are within half a turn, and those of `now` are set on arrival. */
function startOf(
  { gpsStartUs }: ServerSide,
  station: GatewayStation,
  departure: Departure,
  nowUs: number,
): number {
  switch (departure.by) {
    case 'now':
      return nowUs;
    case 'gps':
      return departure.tmms * MILLISECOND_US - gpsStartUs - station.clockErrorUs;
    case 'counter': {
      const ahead = (departure.tmst - counterAt(station, nowUs) + COUNTER_US) % COUNTER_US;
      return nowUs + (ahead >= COUNTER_US / 2 ? ahead - COUNTER_US : ahead);
    }
  }
}

// ── who it is for ────────────────────────────────────────────────────────────────────────────────

const NOBODY = { device: NONE, mcAddr: 0, counter: 0, asks: false, opened: undefined } as const;

/** Of the frame in `bytes`, which is decrypted there. */
function addresseeOf({ device: side }: Sides, length: number, departure: Departure): Addressee {
  if (bytes[0]! >> 5 === MType.joinAccept) return { ...NOBODY, purpose: 'join' };
  if (!parseDataFrame(bytes, length, parsed) || parsed.direction !== DOWNLINK) {
    return { ...NOBODY, purpose: 'data' };
  }
  const group = groupOf(side, parsed.devAddr);
  if (group !== NONE) return multicastAddressee(side, group);
  const { activation } = side.column;
  const rows = side.devices.withDevAddr(parsed.devAddr) ?? [];
  const device = rows.find((row) => activation[row] === Activation.active) ?? NONE;
  const purpose = departure.by === 'gps' ? 'ping' : 'data';
  if (device === NONE) return { ...NOBODY, purpose: 'data', counter: parsed.fCnt };
  const counter = fullFCnt(lastFCntDown(side, device, parsed.fPort), parsed.fCnt);
  if (parsed.fPort <= 0) return { ...NOBODY, device, purpose, counter };
  decrypt(side, device, DOWNLINK, counter);
  return { ...NOBODY, device, purpose, counter, opened: openedPart() };
}

function multicastAddressee(side: DeviceSide, group: number): Addressee {
  const { mcAddr, mcAppSKey, fCnt, minFCount } = side.multicast.mcGroups.column;
  const counter = fullFCnt(Math.max(fCnt[group], minFCount[group] - 1), parsed.fCnt);
  const { payloadOffset: from, payloadLength } = parsed;
  const at = group * KEY_BYTES;
  side.security.crypt(mcAppSKey, at, DOWNLINK, mcAddr[group], counter, bytes, from, payloadLength);
  const opened = openedPart();
  const asks = opened.payload[0] !== DataFragment.cid;
  const address = { device: NONE, purpose: 'multicast', mcAddr: mcAddr[group] } as const;
  return { ...address, counter, asks, opened };
}

const openedPart = () => {
  const { fPort, payloadOffset, payloadLength } = parsed;
  return { fPort, payload: bytes.slice(payloadOffset, payloadOffset + payloadLength) };
};

/** Row of a group of this address at the first device that has it; NONE where nobody has. */
function groupOf({ devices, multicast }: DeviceSide, mcAddr: number): number {
  const { mcGroups } = devices.column;
  const g = multicast.mcGroups.column;
  for (let device = 0; device < devices.rows; device++) {
    for (let row = mcGroups[device]; row !== NONE; row = g.next[row]) {
      if (g.mcAddr[row] === mcAddr) return row;
    }
  }
  return NONE;
}

function reportOpened(
  { device: side, server }: Sides,
  { id, gatewayEui, dataRate, phyPayload, departure, frequencyHz }: Transmission,
  { device, purpose, mcAddr, counter, opened }: Addressee,
  nowUs: number,
): void {
  const { forwarder } = server.listener;
  if (forwarder?.opened === undefined) return;
  assert(phyPayload.length > 0, 'a transmission has bytes');
  forwarder.opened({
    direction: 'down',
    atUs: nowUs,
    id,
    gatewayEui,
    purpose,
    departure: departure.by,
    devEui: device === NONE ? null : side.devices.identities.of(device).devEui,
    devAddr: mcAddr,
    fCnt: counter,
    fPort: opened?.fPort ?? NONE,
    payload: opened?.payload ?? new Uint8Array(0),
    frequencyHz,
    dataRate,
    airtimeUs: server.plan.downlinkAirtimeUs(dataRate, phyPayload.length),
  });
}
