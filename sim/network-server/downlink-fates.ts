/** States of application downlinks, and the events that report them. */
import type { DownlinkRefusal } from '../base/counts.ts';
import type { DownlinkDrop, DownlinkFateNews, Sender } from '../contract/downlinks.ts';
import { NEVER_US } from '../gateway/downlinks.ts';
import type { AppDownlink } from './downlink-queue.ts';
import type { ServerSide } from './server-side.ts';
import { windowOf } from './story-frames.ts';

/** Row of `Downlinks` that carries no application downlink. */
export const NO_DOWNLINK = 0;

function report(
  { listener, registrations }: ServerSide,
  row: number,
  { id, sender }: AppDownlink,
  what: DownlinkFateNews,
): void {
  const { devEui } = registrations.identities.of(row);
  // Copies for the listener: it may change its argument without effect on the queue.
  listener.onDownlink({ id, sender: { ...sender }, devEui, what });
}

const reportDrop = (side: ServerSide, row: number, downlink: AppDownlink, reason: DownlinkDrop) =>
  report(side, row, downlink, { kind: 'dropped', reason });

/** The application downlink that a frame carries, unless its end was reported. */
export function carriedBy(
  { downlinks, queue }: ServerSide,
  frame: number,
): AppDownlink | undefined {
  const { registration, downlinkId } = downlinks.column;
  const id = downlinkId[frame];
  return id === NO_DOWNLINK ? undefined : queue.find(registration[frame], id);
}

// ── before it goes ───────────────────────────────────────────────────────────────────────────────

/** It waits for a device that nobody hears. */
export function reportUnheard(side: ServerSide, row: number, downlink: AppDownlink): void {
  report(side, row, downlink, { kind: 'unheard' });
}

/** One that waits fits in no frame. */
export function dropWaiting(
  side: ServerSide,
  row: number,
  downlink: AppDownlink,
  reason: DownlinkDrop,
): void {
  // What it awaited is not the next one's.
  if (side.queue.tried(row) === downlink) side.registrations.column.awaitsAck[row] = 0;
  side.queue.drop(row, downlink);
  reportDrop(side, row, downlink, reason);
}

/** A sender wants no more of what waits for it; what is on its way goes on. */
export function clearWaiting(side: ServerSide, row: number, sender: Sender): void {
  const { queue, registrations } = side;
  const tried = queue.tried(row);
  const cleared = queue.clear(row, sender);
  if (queue.tried(row) !== tried) registrations.column.awaitsAck[row] = 0;
  for (const downlink of cleared) reportDrop(side, row, downlink, 'cleared');
}

/** The device is gone: so are those that wait and those that are not on the air yet. */
export function dropAll(side: ServerSide, row: number): void {
  for (const downlink of side.queue.remove(row)) {
    const isOver = !downlink.confirmed && downlink.firstBeganUs !== NEVER_US;
    if (!isOver) reportDrop(side, row, downlink, 'deviceRemoved');
  }
}

// ── its frames ───────────────────────────────────────────────────────────────────────────────────

/** A frame goes to its gateway. */
export function notePlanned(side: ServerSide, frame: number): void {
  const downlink = carriedBy(side, frame);
  if (downlink === undefined) return;
  const { gateway, registration, window, purpose, startsAtUs } = side.downlinks.column;
  downlink.underway = true;
  report(side, registration[frame], downlink, {
    kind: 'planned',
    gatewayEui: side.gateways.stations[gateway[frame]]!.eui,
    window: windowOf(purpose[frame], window[frame]),
    startsAtUs: startsAtUs[frame],
  });
}

/** A frame is on the air from now on. */
export function noteSent(side: ServerSide, frame: number, nowUs: number): void {
  const downlink = carriedBy(side, frame);
  if (downlink === undefined) return;
  const { gateway, registration } = side.downlinks.column;
  const row = registration[frame];
  side.queue.begin(downlink, nowUs);
  const gatewayEui = side.gateways.stations[gateway[frame]]!.eui;
  report(side, row, downlink, { kind: 'sent', gatewayEui });
  const forgotten = side.queue.takeOldest(row);
  if (forgotten?.confirmed === true) reportDrop(side, row, forgotten, 'neverAcknowledged');
}

/** A frame will not go on the air: the end of what waits for no other frame. */
export function noteGivenUp(side: ServerSide, frame: number, reason: DownlinkRefusal): void {
  const downlink = carriedBy(side, frame);
  if (downlink !== undefined)
    loseTry(side, side.downlinks.column.registration[frame], downlink, reason);
}

/** A frame of it, the latest, is lost before it went on the air. */
export function loseTry(
  side: ServerSide,
  row: number,
  downlink: AppDownlink,
  reason: DownlinkRefusal,
): void {
  downlink.underway = false;
  downlink.refusals = 0;
  if (side.queue.tried(row) === downlink) return; // it is tried again
  // An earlier try may still be acknowledged by the next uplink.
  if (downlink.confirmed && downlink.firstBeganUs !== NEVER_US) return;
  side.queue.forget(row, downlink);
  reportDrop(side, row, downlink, downlink.cleared ? 'cleared' : reason);
}

// ── what the device says ─────────────────────────────────────────────────────────────────────────

/** An accepted uplink, as far as it says something of downlinks. */
export interface Answer {
  readonly beganAtUs: number;
  readonly endedAtUs: number;
  readonly fCnt: number;
  readonly fPort: number;
  /** The ACK bit. */
  readonly ack: boolean;
}

/**
 * An accepted uplink acknowledges the latest confirmed downlink that was on the air before it, and
 * answers all that were not answered before.
 */
export function noteAnswer(side: ServerSide, row: number, answer: Answer): void {
  const { queue, registrations } = side;
  const { awaitsAck } = registrations.column;
  const tried = queue.tried(row);
  const left = queue.left(row);
  if (tried === undefined && left.length === 0) return;
  const spent = left.findLast(({ confirmed }) => confirmed);
  const isAcked = (one: AppDownlink | undefined) =>
    answer.ack && one !== undefined && hasBegun(one, answer.beganAtUs);
  const triedIsAcked = awaitsAck[row] === 1 && isAcked(tried);
  const acked = triedIsAcked ? tried : isAcked(spent) ? spent : undefined;
  for (const downlink of tried === undefined ? [...left] : [...left, tried]) {
    if (!downlink.answered && hasBegun(downlink, answer.endedAtUs)) {
      downlink.answered = true;
      const { fCnt, fPort } = answer;
      report(side, row, downlink, { kind: 'answered', fCnt, fPort });
    }
    if (downlink === acked) report(side, row, downlink, { kind: 'acknowledged' });
    if (downlink === tried) continue;
    const isOver = downlink.confirmed ? isSpent(downlink, answer) : downlink.answered;
    if (downlink === acked || isOver) queue.forget(row, downlink);
    if (downlink !== acked && downlink.confirmed && isOver) {
      reportDrop(side, row, downlink, 'neverAcknowledged');
    }
  }
  if (!triedIsAcked || tried === undefined) return;
  awaitsAck[row] = 0;
  queue.drop(row, tried);
}

/** Whether its first frame began before an instant. */
const hasBegun = ({ firstBeganUs }: AppDownlink, atUs: number): boolean =>
  firstBeganUs !== NEVER_US && firstBeganUs < atUs;

/** Whether the uplink came after the last try. */
const isSpent = ({ underway, lastBeganUs }: AppDownlink, { endedAtUs }: Answer): boolean =>
  !underway && lastBeganUs < endedAtUs;
