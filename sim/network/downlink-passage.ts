/**
 * A downlink from end to end: it reaches a gateway, which sends or refuses it, and the devices that
 * locked on it decide. Each function that the network calls is what one event of `events.ts` means.
 */
import { DOWNLINK_FATES, type DownlinkFate, type DownlinkLoss } from '../base/counts.ts';
import { onPingReceived } from '../device/class-b/mode.ts';
import { openPingSlot } from '../device/class-b/ping-slots.ts';
import { cameInWindow } from '../device/class-c.ts';
import { frameLossPpm } from '../device/device-side.ts';
import { receive } from '../device/downlink.ts';
import { accountForPingFrame } from '../device/energy.ts';
import { onAnswered, onHeardOutsideWindows } from '../device/mac.ts';
import { settle } from '../device/multicast-settling.ts';
import { EventKind } from '../events.ts';
import { answerDelayUs, LOST } from '../gateway/backhaul.ts';
import {
  DOWNLINK_PURPOSES,
  DownlinkPurpose,
  NEVER_US,
  Refusal,
  refusalName,
} from '../gateway/downlinks.ts';
import { insertByRank, takeFirst } from '../kernel/chain.ts';
import { NONE } from '../kernel/columns.ts';
import { LONGEST_PHY_PAYLOAD, ParsedFrame, parseDataFrame } from '../lorawan/frame.ts';
import { airPurpose } from '../network-server/air-purpose.ts';
import { budgetUsed } from '../network-server/budget.ts';
import { onPingRefused } from '../network-server/class-b.ts';
import { isClassC, onClassCRefused } from '../network-server/class-c.ts';
import { giveUp } from '../network-server/dispatch.ts';
import { onRefused } from '../network-server/downlink.ts';
import { carriedBy, noteSent } from '../network-server/downlink-fates.ts';
import { reportFrameDown } from '../network-server/frame-news.ts';
import type { DownlinkEnds } from '../observation/observer.ts';
import { type DownlinkSignal, Heard } from '../radio/downlink-air.ts';
import { BEACON_PREAMBLE_SYMBOLS } from '../spectrum/beacons.ts';
import { logBeacon, planBeacon } from './beacon-passage.ts';
import { logDownlink } from './multicast-passage.ts';
import { isOutside, refuseOutside, transmissionArrives } from './outside-server.ts';
import type { Sides } from './sides.ts';
import { closeBand, holdBack, isPutOff } from './station-passage.ts';

const bytes = new Uint8Array(LONGEST_PHY_PAYLOAD + 1);
const parsed = new ParsedFrame();

/** Downlinks have reached a gateway: into its queue, or a refusal on the way back. */
export function downlinkArrives(sides: Sides, gateway: number, nowUs: number): void {
  const { gateways, downlinks, agenda } = sides.server;
  const d = downlinks.column;
  const { arriving } = gateways.table.column;
  while (arriving[gateway] !== NONE && d.arrivesAtUs[arriving[gateway]] <= nowUs) {
    const downlink = takeFirst(arriving, gateway, d.next);
    if (!gateways.faults.isUp(gateway, 'backhaul')) {
      loseOnTheWay(sides, downlink, nowUs);
      continue;
    }
    if (isOutside(sides.server, downlink)) {
      transmissionArrives(sides, downlink, nowUs);
      continue;
    }
    const refusal = gateways.enqueue(downlink, nowUs);
    if (refusal === Refusal.none || isPutOff(sides.server, downlink, refusal, nowUs)) continue;
    refuse(sides, downlink, refusal, nowUs);
  }
  if (arriving[gateway] !== NONE) {
    agenda.appoint(EventKind.downlinkArrives, gateway, d.arrivesAtUs[arriving[gateway]]);
  }
  const startsAtUs = gateways.nextStartUs(gateway);
  if (startsAtUs !== NEVER_US) agenda.appoint(EventKind.downlinkBegins, gateway, startsAtUs);
}

/** The backhaul is down: what would have reached the gateway is lost, and may go by another. */
function loseOnTheWay({ server }: Sides, downlink: number, nowUs: number): void {
  const reason = 'backhaulLoss';
  const isPing = server.downlinks.column.purpose[downlink] === DownlinkPurpose.ping;
  if (isOutside(server, downlink)) giveUp(server, downlink, reason);
  else if (isPing) onPingRefused(server, downlink, reason, nowUs);
  else if (isClassC(server, downlink)) onClassCRefused(server, downlink, reason, nowUs);
  else giveUp(server, downlink, reason);
}

function refuse(sides: Sides, downlink: number, refusal: Refusal, nowUs: number): void {
  if (isOutside(sides.server, downlink)) return refuseOutside(sides, downlink, refusal, nowUs);
  const { gateways, downlinks, agenda, observer } = sides.server;
  const d = downlinks.column;
  const gateway = d.gateway[downlink];
  const station = gateways.stations[gateway]!;
  d.refusal[downlink] = refusal;
  sides.server.stories?.refused(station.name, refusalName(refusal));
  observer?.trace({
    kind: 'downlinkRefused',
    atUs: nowUs,
    gateway: station.name,
    downlink: d.number[downlink],
    reason: refusalName(refusal),
  });
  // LoRa Basics Station reports what it has sent, and nothing else.
  const isSilent = station.plan.queueWords === 'station';
  const isUp = gateways.faults.isUp(gateway, 'backhaul');
  const delayUs = isUp && !isSilent ? answerDelayUs(station, d.number[downlink]) : LOST;
  if (delayUs === LOST) return giveUp(sides.server, downlink, refusalName(refusal));
  const { refused } = gateways.table.column;
  d.arrivesAtUs[downlink] = nowUs + Math.max(1, delayUs) + gateways.faults.delayUs(gateway);
  insertByRank(refused, gateway, d.next, d.arrivesAtUs, downlink);
  agenda.appoint(EventKind.refusalArrives, gateway, d.arrivesAtUs[refused[gateway]]);
}

/** The server learns what a gateway refused. */
export function refusalArrives(sides: Sides, gateway: number, nowUs: number): void {
  const { gateways, downlinks, agenda } = sides.server;
  const d = downlinks.column;
  const { refused } = gateways.table.column;
  while (refused[gateway] !== NONE && d.arrivesAtUs[refused[gateway]] <= nowUs) {
    onRefused(sides.server, takeFirst(refused, gateway, d.next), nowUs);
  }
  if (refused[gateway] !== NONE) {
    agenda.appoint(EventKind.refusalArrives, gateway, d.arrivesAtUs[refused[gateway]]);
  }
}

/** The head of a gateway's queue is not sent on a busy channel (listen before talk). */
function yieldsTo(sides: Sides, gateway: number, nowUs: number): boolean {
  const { listenBeforeTalk } = sides.device;
  if (!listenBeforeTalk.active) return false;
  const { gateways, downlinks } = sides.server;
  const head = gateways.table.column.queue[gateway];
  const { purpose, frequencyHz } = downlinks.column;
  // A beacon keeps its time.
  if (purpose[head] === DownlinkPurpose.beacon) return false;
  if (listenBeforeTalk.isFreeForGateway(gateway, frequencyHz[head], nowUs)) return false;
  gateways.unqueue(head);
  refuse(sides, head, Refusal.channelBusy, nowUs);
  beginNext(sides, gateway, nowUs);
  return true;
}

/** The head of the queue waits, or is refused, where its gateway is busy or has closed the band. */
function isHeldBack(sides: Sides, gateway: number, nowUs: number): boolean {
  const held = holdBack(sides.server, gateway, nowUs);
  if (held === undefined) return false;
  if (held.refused !== undefined) refuse(sides, held.refused, held.reason, nowUs);
  beginNext(sides, gateway, nowUs);
  return true;
}

/** A radio that has failed sends nothing: the head of the queue is refused, a beacon left out. */
function failsToSend(sides: Sides, gateway: number, nowUs: number): boolean {
  const { gateways, downlinks, observer } = sides.server;
  if (gateways.hasRadio(gateway)) return false;
  const head = gateways.table.column.queue[gateway];
  const { purpose, number } = downlinks.column;
  gateways.unqueue(head);
  if (purpose[head] === DownlinkPurpose.beacon) {
    const { name } = gateways.stations[gateway]!;
    const reason = 'radioFault';
    sides.server.stories?.refused(name, reason);
    observer?.trace({
      kind: 'downlinkRefused',
      atUs: nowUs,
      gateway: name,
      downlink: number[head],
      reason,
    });
    giveUp(sides.server, head, reason);
    planBeacon(sides, gateway, nowUs);
    return true;
  }
  refuse(sides, head, Refusal.radioFault, nowUs);
  beginNext(sides, gateway, nowUs);
  return true;
}

/**
 * What the queue has at its head now is due later, or at once: a gateway that does not look at what
 * it has been given before may have several frames of one instant.
 */
function beginNext(sides: Sides, gateway: number, nowUs: number): void {
  const { gateways, agenda } = sides.server;
  const startsAtUs = gateways.nextStartUs(gateway);
  if (startsAtUs === nowUs) downlinkBegins(sides, gateway, nowUs);
  else if (startsAtUs !== NEVER_US) agenda.appoint(EventKind.downlinkBegins, gateway, startsAtUs);
}

/** A gateway goes on air: its receptions are cut, devices with an open window lock on. */
export function downlinkBegins(sides: Sides, gateway: number, nowUs: number): void {
  if (failsToSend(sides, gateway, nowUs) || isHeldBack(sides, gateway, nowUs)) return;
  if (yieldsTo(sides, gateway, nowUs)) return;
  const { gateways, downlinks, agenda, plan, slots, observer } = sides.server;
  const downlink = gateways.beginSending(gateway, (hz) => plan.bandOf(hz), nowUs);
  closeBand(sides.server, downlink, nowUs);
  const d = downlinks.column;
  const frequencyHz = d.frequencyHz[downlink];
  const airtimeUs = d.airtimeUs[downlink];
  const eirpCentiDbm = d.eirpCentiDbm[downlink];
  const isBeacon = d.purpose[downlink] === DownlinkPurpose.beacon;
  const shape = plan.downlinkSignal(frequencyHz, d.dataRate[downlink], airtimeUs, eirpCentiDbm);
  const signal = isBeacon ? { ...shape, preambleSymbols: BEACON_PREAMBLE_SYMBOLS } : shape;
  countBegun(sides, downlink, nowUs);
  reportFrameDown(sides.server, downlink, { kind: 'sent' });
  const purpose = DOWNLINK_PURPOSES[d.purpose[downlink]]!;
  sides.server.stories?.sent(gateways.stations[gateway]!.name, purpose);
  observer?.trace({
    kind: 'downlinkBegins',
    atUs: nowUs,
    gateway: gateways.stations[gateway]!.name,
    downlink: d.number[downlink],
    frequencyHz,
    spreadingFactor: signal.spreadingFactor,
    bandwidthHz: plan.bandwidthHz[d.dataRate[downlink]]!,
    eirpCentiDbm,
    airtimeUs,
    phyBytes: slots.length(d.frameSlot[downlink]),
  });
  sides.device.downlinkAir.begin(gateway, signal, nowUs, isBeacon ? 'beacon' : 'downlink');
  if (d.purpose[downlink] === DownlinkPurpose.ping) openSlot(sides, gateway, downlink, signal);
  if (isBeacon) planBeacon(sides, gateway, nowUs);
  agenda.schedule(EventKind.downlinkEnds, gateway, nowUs + airtimeUs);
  beginNext(sides, gateway, nowUs);
}

function countBegun(sides: Sides, downlink: number, nowUs: number): void {
  const { downlinks, tally } = sides.server;
  const { purpose, airtimeUs, gateway, frequencyHz } = downlinks.column;
  const endsAtUs = nowUs + airtimeUs[downlink];
  const account = budgetUsed(sides.server, gateway[downlink], frequencyHz[downlink], endsAtUs);
  tally.countAir(airPurpose(sides.server, downlink), airtimeUs[downlink], nowUs, account);
  if (purpose[downlink] === DownlinkPurpose.beacon) return;
  if (purpose[downlink] === DownlinkPurpose.multicast) {
    tally.add('multicastSent');
    const { mcAddr, counter } = downlinks.column;
    sides.device.recorder?.groupBegins(mcAddr[downlink], counter[downlink] & 0xffff);
    reportSent(sides, downlink);
  } else {
    tally.add('downlinksSent');
    noteSent(sides.server, downlink, nowUs);
  }
  tally.mark('downlinks', nowUs);
}

/** A frame in a ping slot: its device, if it listens there, locks on it. */
function openSlot(sides: Sides, gateway: number, downlink: number, signal: DownlinkSignal): void {
  const { registrations, downlinks, agenda } = sides.server;
  const { devEui } = registrations.identities.of(downlinks.column.registration[downlink]);
  const device = sides.device.devices.byEui(devEui);
  if (device === NONE) return;
  settle(sides.device, device, agenda.nowUs);
  openPingSlot(sides.device, device, gateway, signal, agenda.nowUs);
}

function reportSent(sides: Sides, downlink: number): void {
  if (isOutside(sides.server, downlink)) return;
  const { gateways, downlinks, listener } = sides.server;
  const { gateway, counter, mcAddr } = downlinks.column;
  listener.onMulticast({
    mcAddr: mcAddr[downlink],
    gatewayEui: gateways.stations[gateway[downlink]]!.eui,
    fCnt: counter[downlink],
    outcome: { kind: 'sent' },
  });
}

/** A gateway's frame has left the air: every device that locked on it decides. */
export function downlinkEnds(sides: Sides, gateway: number, nowUs: number): void {
  const { gateways, downlinks, slots, tally, registrations, observer } = sides.server;
  const { downlinkAir, devices } = sides.device;
  const d = downlinks.column;
  const downlink = gateways.endSending(gateway);
  const row = d.registration[downlink];
  const target = row < 0 ? NONE : devices.byEui(registrations.identities.of(row).devEui);
  let reached: 'received' | DownlinkLoss = 'notHeard';
  const rows: DownlinkEnds['devices'][number][] = [];
  // Who a join accept of an outside server is for shows when a device takes it.
  const isOfNobody = target === NONE && isOutside(sides.server, downlink);
  const isBeacon = d.purpose[downlink] === DownlinkPurpose.beacon;
  const address = d.purpose[downlink] === DownlinkPurpose.ping ? NONE : addressOf(sides, downlink);
  // What a device makes of a frame to another shows to an observer only.
  const isForAnyone = observer !== undefined || address === NONE;
  const concerned = isForAnyone ? undefined : devices.withDevAddr(address);
  // Nobody locks on a beacon: what is heard of it is derived from its log.
  for (const device of isBeacon ? [] : downlinkAir.locked(gateway, nowUs, concerned)) {
    settle(sides.device, device, nowUs);
    const rssiCentiDbm = downlinkAir.listeners.column.lockedCentiDbm[device];
    const fate = decide(sides, device, gateway, downlink, nowUs);
    if (device === target || (isOfNobody && fate === 'received')) reached = fate;
    if (device === target) {
      sides.device.stories?.downlinkEnds(device, nowUs, DOWNLINK_FATES.indexOf(fate));
    }
    if (observer !== undefined) {
      rows.push({ device: devices.identities.of(device).name, rssiCentiDbm, fate });
    }
  }
  if (reached === 'received') {
    tally.add('downlinksReceived');
    reportReceived(sides.server, downlink);
  } else if (row >= 0) tally.loseDownlink(reached);
  if (target !== NONE) {
    const isReceived = reached === 'received';
    sides.device.recorder?.downlinkEnds(target, d.window[downlink], isReceived);
  }
  if (isBeacon) logBeacon(sides, gateway, downlink);
  else logDownlink(sides, gateway, downlink, nowUs);
  const number = d.number[downlink];
  const name = gateways.stations[gateway]!.name;
  observer?.trace({
    kind: 'downlinkEnds',
    atUs: nowUs,
    gateway: name,
    downlink: number,
    devices: rows,
  });
  slots.give(d.frameSlot[downlink]);
  downlinks.give(downlink);
}

/** DevAddr of a data frame; NONE for a join accept. */
function addressOf({ server }: Sides, downlink: number): number {
  const length = server.slots.copyOut(server.downlinks.column.frameSlot[downlink], bytes);
  return parseDataFrame(bytes, length, parsed) ? parsed.devAddr : NONE;
}

function reportReceived(server: Sides['server'], downlink: number): void {
  const carried = carriedBy(server, downlink);
  if (carried === undefined) return;
  const { sender } = carried;
  const { devEui } = server.registrations.identities.of(
    server.downlinks.column.registration[downlink],
  );
  server.listener.onReceived?.({ devEui, sender });
}

/** What one locked device makes of the frame. */
function decide(
  sides: Sides,
  device: number,
  gateway: number,
  downlink: number,
  nowUs: number,
): DownlinkFate {
  const { downlinkAir, devices, slots, plan } = sides.device;
  const c = devices.column;
  const d = sides.server.downlinks.column;
  const isPing = d.purpose[downlink] === DownlinkPurpose.ping;
  const lossPpm = frameLossPpm(sides.device, device);
  const level = downlinkAir.listeners.column.lockedCentiDbm[device];
  const heard = downlinkAir.decide(device, gateway, c.key0[device], c.key1[device], lossPpm);
  if (isPing) accountForPingFrame(sides.device, device, d.startsAtUs[downlink], nowUs);
  if (heard === Heard.interfered) return 'interfered';
  if (heard === Heard.frameLoss) return 'frameLoss';
  if (heard === Heard.noise) return 'noise';
  const length = slots.copyOut(d.frameSlot[downlink], bytes);
  const floor = plan.deviceSensitivityCentiDbm[d.dataRate[downlink]]!;
  const marginDb = Math.round((level - floor) / 100);
  const frame = { frequencyHz: d.frequencyHz[downlink], dataRate: d.dataRate[downlink] };
  const inWindow = !isPing && cameInWindow(sides.device, device, frame, d.startsAtUs[downlink]);
  if (!receive(sides.device, device, bytes, length, marginDb, inWindow)) return 'notForMe';
  if (devices.joinedAtUs(device) === nowUs) sides.server.tally.mark('joined', nowUs);
  if (isPing) onPingReceived(sides.device, device, nowUs);
  if (inWindow) onAnswered(sides.device, device, nowUs);
  else onHeardOutsideWindows(sides.device, device, nowUs);
  return 'received';
}
