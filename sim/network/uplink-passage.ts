/**
 * An uplink from end to end: a device's frame leaves the air, copies go from gateways over their
 * backhauls to the server, which takes them in and answers. Each function that the network calls is
 * what one event of `events.ts` means.
 */
import { TRANSMISSION_FATES, type TransmissionFate, type UplinkFate } from '../base/counts.ts';
import { type DeviceSide, frameLossPpm, observerOf } from '../device/device-side.ts';
import { UplinkPurpose } from '../device/device-table.ts';
import { onUplinkEnds } from '../device/mac.ts';
import { afterFrame } from '../device/power.ts';
import { EventKind } from '../events.ts';
import { LOST, uplinkDelayUs } from '../gateway/backhaul.ts';
import { NEVER_US } from '../gateway/downlinks.ts';
import { NONE } from '../kernel/columns.ts';
import { Answer, answerCollection, takeUplink } from '../network-server/uplink.ts';
import type { UplinkEnds } from '../observation/observer.ts';
import type { StoryLog } from '../observation/stories/story-log.ts';
import { gainOf, gatewayOf } from '../radio/links.ts';
import { Fate, fateName } from '../radio/uplink-air.ts';
import { forwardCopy, noteForwarded } from './outside-server.ts';
import type { Sides } from './sides.ts';

/** A receiver does not report more than this, 1/100 dB. */
const HIGHEST_SNR_CENTI_DB = 1_000;

/**
 * A device's frame has left the air: a fate at every gateway, copies to the server, windows at the
 * device.
 */
export function uplinkEnds(sides: Sides, device: number, nowUs: number): void {
  const { devices, uplinkAir } = sides.device;
  const c = devices.column;
  uplinkAir.end(device, c.key0[device], c.key1[device], frameLossPpm(sides.device, device));
  observerOf(sides.device, device)?.trace(traceUplinkEnds(sides, device, nowUs));
  if (sides.device.stories !== undefined) storeReceptions(sides, sides.device.stories, device);
  countUplink(sides, device, sendCopies(sides, device, nowUs), nowUs);
  uplinkAir.close(device);
  onUplinkEnds(sides.device, device, nowUs);
  afterFrame(sides.device, device, nowUs);
}

/** Lost on a channel of no gateway that the device's ADR back-off has turned on. */
const AFTER_BACK_OFF = 'offChannelAfterBackOff';

/**
 * `forwarded`: rows of the gateways that have sent a copy on its way, in the order of receptions.
 */
function countUplink(
  sides: Sides,
  device: number,
  forwarded: readonly number[],
  nowUs: number,
): void {
  const { uplinkAir } = sides.device;
  const { tally } = sides.server;
  const outcome = uplinkAir.outcome(device);
  const isStuck = outcome === Fate.received && forwarded.length === 0;
  const { type, uplinkDataRate } = sides.device.column;
  const whole = isStuck ? 'backhaulLoss' : fateOf(sides, device, outcome);
  tally.countUplink(whole, type[device]!, uplinkDataRate[device]!, nowUs);
  noteMessage(sides, device, whole);
  sides.device.recorder?.uplinkEnds(device, nowUs, whole);
  tally.mark('uplinks', nowUs);
  if (outcome === Fate.received && !isStuck) tally.mark('received', nowUs);
  if (outcome === Fate.interfered) tally.mark('interfered', nowUs);
  const { next, gateway, fate } = uplinkAir.receptions.column;
  const { firstReception, tooWeak } = uplinkAir.flights.column;
  let copies = 0;
  for (let row = firstReception[device]; row !== NONE; row = next[row]) {
    const isForwarded = copies < forwarded.length && forwarded[copies] === gateway[row];
    if (isForwarded) copies++;
    if (fate[row] === Fate.received && !isForwarded) tally.countNotForwarded(gateway[row]);
    else tally.countReception(gateway[row], fate[row]);
  }
  tally.countTooWeak(tooWeak[device]);
}

/** Once received, a message stays so, whatever becomes of its repetitions. */
function noteMessage(sides: Sides, device: number, fate: TransmissionFate): void {
  const { purpose, attempts, messageFate } = sides.device.column;
  if (purpose[device] !== UplinkPurpose.data) return;
  if (attempts[device] === 1) concludeMessage(sides, device);
  else if (openMessage(sides.device, device) === 'received') return;
  messageFate[device] = 1 + TRANSMISSION_FATES.indexOf(fate);
}

/** No transmission of a device's latest message is to come any more. */
export function concludeMessage({ device: side, server }: Sides, device: number): void {
  const fate = openMessage(side, device);
  if (fate === undefined) return;
  const { type, messageFate } = side.column;
  server.tally.countMessage(fate, type[device]!);
  messageFate[device] = 0;
}

/** What became of a device's latest message so far; undefined: none is open. */
export const openMessage = ({ devices }: DeviceSide, device: number) =>
  TRANSMISSION_FATES[devices.column.messageFate[device]! - 1];

/** The fate of the whole transmission, with what the air does not know of its device. */
function fateOf(
  { device: { devices, uplinkAir, links } }: Sides,
  device: number,
  outcome: Fate,
): TransmissionFate {
  if (outcome === Fate.offChannel && devices.column.hasLeftChannels[device] === 1) {
    return AFTER_BACK_OFF;
  }
  const beganAtUs = uplinkAir.flights.column.startsAtUs[device];
  const isMute = outcome === Fate.tooWeak && links.deviceFaults.wasMuteAt(device, beganAtUs);
  return isMute ? 'deviceFault' : fateName(outcome);
}

/** Holds the gateways of one call of `sendCopies`. */
const forwardedBy: number[] = [];

/**
 * Every received copy goes over its gateway's backhaul; the server will gather them. Returns the
 * gateways whose copies are on their way, until the next call.
 */
function sendCopies(sides: Sides, device: number, nowUs: number): readonly number[] {
  const { devices, uplinkAir, slots, agenda } = sides.device;
  const { gatewayFaults } = sides.device.links;
  const { collector, gateways } = sides.server;
  const c = devices.column;
  const { next, gateway, fate, rssiCentiDbm } = uplinkAir.receptions.column;
  const flights = uplinkAir.flights.column;
  const frame = flights.frame[device];
  const noise = sides.noiseCentiDbm[c.uplinkDataRate[device]]!;
  let chain = NONE;
  forwardedBy.length = 0;
  for (let row = uplinkAir.flights.column.firstReception[device]; row !== NONE; row = next[row]) {
    if (fate[row] !== Fate.received) continue;
    if (!gateways.faults.isUp(gateway[row], 'backhaul')) continue;
    const station = gateways.stations[gateway[row]]!;
    const delayUs = uplinkDelayUs(station, c.key0[device], c.key1[device], frame);
    if (delayUs === LOST) continue;
    const rise = gatewayFaults.noiseCentiDb(gateway[row], flights.frequencyHz[device]);
    const snr = Math.min(HIGHEST_SNR_CENTI_DB, rssiCentiDbm[row] - noise - rise);
    const atUs = nowUs + delayUs + gateways.faults.delayUs(gateway[row]);
    if (sides.server.settings.outside === true) {
      const copy = { gateway: gateway[row], rssiCentiDbm: rssiCentiDbm[row], snrCentiDb: snr };
      forwardCopy(sides, device, { ...copy, arrivesAtUs: atUs }, nowUs);
    } else chain = collector.copy(chain, gateway[row], rssiCentiDbm[row], snr, atUs);
    forwardedBy.push(gateway[row]);
  }
  if (sides.server.settings.outside === true && forwardedBy.length > 0) {
    noteForwarded(sides, device, nowUs);
  }
  const frameSlot = c.frameSlot[device];
  c.frameSlot[device] = NONE;
  if (chain === NONE) {
    slots.give(frameSlot);
    return forwardedBy;
  }
  const frequencyHz = c.uplinkHz[device];
  const dataRate = c.uplinkDataRate[device];
  const gathered = { frame, frameSlot, firstCopy: chain, endedAtUs: nowUs, frequencyHz, dataRate };
  const dueAtUs = collector.gather(device, gathered);
  agenda.appoint(EventKind.uplinkCollected, device, Math.max(nowUs + 1, dueAtUs));
  return forwardedBy;
}

/** The server has waited long enough for copies of a transmitter's uplinks. */
export function uplinkCollected(sides: Sides, transmitter: number, nowUs: number): void {
  const { collector, slots, agenda } = sides.server;
  const observer = observerOf(sides.device, transmitter);
  for (;;) {
    const collection = collector.takeDue(transmitter, nowUs);
    if (collection === NONE) break;
    const verdict = takeUplink(sides.server, collection, nowUs);
    const frame = collector.collections.column.frame[collection];
    sides.server.stories?.uplinks.collected(transmitter, frame);
    observer?.trace({
      kind: 'uplinkCollected',
      atUs: nowUs,
      device: sides.device.devices.identities.of(transmitter).name,
      frame,
      copies: collector.copyCount(collection),
      verdict,
    });
    slots.give(collector.collections.column.frameSlot[collection]);
    if (collector.collections.column.answer[collection] === Answer.none) {
      collector.close(collection);
    } else {
      collector.keepForAnswer(transmitter, collection);
      agenda.appoint(EventKind.answerDue, transmitter, nowUs);
    }
  }
  const nextUs = collector.nextUs(transmitter);
  if (nextUs !== NEVER_US) agenda.appoint(EventKind.uplinkCollected, transmitter, nextUs);
}

/** The platform has made its requests: what the uplinks just taken in call for is sent. */
export function answerDue(sides: Sides, transmitter: number, nowUs: number): void {
  const { collector } = sides.server;
  for (;;) {
    const collection = collector.takeForAnswer(transmitter);
    if (collection === NONE) return;
    answerCollection(sides.server, collection, nowUs);
    collector.close(collection);
  }
}

/** By row of the gateway: the fate of the transmission that ends, 0 where there is none. */
let fateAt = new Uint8Array(64);

/** The same for stories: its fate at each gateway in reach. */
function storeReceptions(sides: Sides, stories: StoryLog, device: number): void {
  const { uplinkAir, links } = sides.device;
  const { gateways } = sides.server;
  const { next, gateway, fate } = uplinkAir.receptions.column;
  const rows = gateways.stations.length;
  if (rows > fateAt.length) fateAt = new Uint8Array(2 * rows);
  const { hasOutage } = stories;
  for (let row = uplinkAir.flights.column.firstReception[device]; row !== NONE; row = next[row]) {
    const at = gateway[row];
    fateAt[at] = fate[row];
    if (hasOutage && fate[row] === Fate.received) stories.received(gateways.stations[at]!.name);
  }
  const { start, count: linkCount } = uplinkAir.linksOf(device);
  for (let i = start; i < start + linkCount; i++) {
    const at = gatewayOf(links.all[i]);
    const known = fateAt[at]!;
    fateAt[at] = 0;
    if (known !== 0) stories.uplinks.reception(at, known);
    else if (gateways.isInService(at)) stories.uplinks.reception(at, Fate.tooWeak);
  }
  stories.uplinks.ends(device);
}

function traceUplinkEnds(sides: Sides, device: number, nowUs: number): UplinkEnds {
  const { devices, uplinkAir, links } = sides.device;
  const { gateways } = sides.server;
  const { next, gateway, fate, rssiCentiDbm } = uplinkAir.receptions.column;
  const fates = new Map<number, { gateway: string; rssiCentiDbm: number; fate: UplinkFate }>();
  const { start, count: linkCount, eirpCentiDbm } = uplinkAir.linksOf(device);
  for (const link of links.all.subarray(start, start + linkCount)) {
    const other = gatewayOf(link);
    if (!gateways.isInService(other)) continue;
    const { name } = gateways.stations[other]!;
    const level = eirpCentiDbm + gainOf(link) + uplinkAir.fadeCentiDb(device, other);
    fates.set(other, { gateway: name, rssiCentiDbm: level, fate: 'tooWeak' });
  }
  for (let row = uplinkAir.flights.column.firstReception[device]; row !== NONE; row = next[row]) {
    const name = gateways.stations[gateway[row]]!.name;
    const word = fateName(fate[row]);
    fates.set(gateway[row], { gateway: name, rssiCentiDbm: rssiCentiDbm[row], fate: word });
  }
  return {
    kind: 'uplinkEnds',
    atUs: nowUs,
    device: devices.identities.of(device).name,
    frame: uplinkAir.flights.column.frame[device],
    gateways: [...fates.values()],
  };
}
