/**
 * A downlink at a gateway that runs LoRa Basics Station, which keeps its duty cycle itself: where
 * the band is closed, a class A frame is tried in RX2, a class C or multicast frame every 100 ms,
 * ten times (docs/decisions/0109).
 */
import { MILLISECOND_US } from '../base/units.ts';
import { DownlinkPurpose, NEVER_US, Refusal, refusalName } from '../gateway/downlinks.ts';
import {
  airtimesClosed,
  bandAt,
  type StationBand,
  stationBand,
  stationKeepsBands,
} from '../gateway/station-budget.ts';
import { NONE } from '../kernel/columns.ts';
import { book, plannedAgain, setChannel, unbook } from '../network-server/dispatch.ts';
import { secondWindow, takeSecondWindow } from '../network-server/downlink.ts';
import type { ServerSide } from '../network-server/server-side.ts';

const RETRY_EVERY_US = 100 * MILLISECOND_US;
const MOST_RETRIES = 10;

function bandOf({ plan }: ServerSide, frequencyHz: number): StationBand | undefined {
  const band = plan.bandOf(frequencyHz);
  const { dutyCyclePpm } = plan.region.subBands[band]!;
  return stationBand(plan.region.name, frequencyHz, { band, dutyCyclePpm });
}

/** A frame goes on the air: its band is closed for a multiple of its time on air. */
export function closeBand(server: ServerSide, downlink: number, nowUs: number): void {
  const { gateways, downlinks } = server;
  const { gateway, frequencyHz, airtimeUs } = downlinks.column;
  const station = gateways.stations[gateway[downlink]]!;
  if (!stationKeepsBands(station)) return;
  const band = bandOf(server, frequencyHz[downlink]);
  if (band === undefined) return;
  const { bandOpensAtUs } = gateways.table.column;
  const opensAtUs = nowUs + airtimesClosed(station, band) * airtimeUs[downlink];
  bandOpensAtUs[bandAt(station.row, band)] = opensAtUs;
}

/** When the band of a downlink is open again; 0 where nothing closes it. */
function bandOpensAt(server: ServerSide, downlink: number): number {
  const { gateways, downlinks } = server;
  const { gateway, frequencyHz } = downlinks.column;
  const band = bandOf(server, frequencyHz[downlink]);
  if (band === undefined) return 0;
  return gateways.table.column.bandOpensAtUs[bandAt(gateway[downlink], band)];
}

/**
 * Takes the head of a gateway's queue out where its band is closed, or the gateway sends another.
 * Undefined: it may be sent. Otherwise it waits in the queue again, or has to be refused.
 */
export function holdBack(
  server: ServerSide,
  gateway: number,
  nowUs: number,
): { readonly refused: number | undefined; readonly reason: Refusal } | undefined {
  const { gateways, downlinks } = server;
  const { queue } = gateways.table.column;
  const head = queue[gateway];
  const d = downlinks.column;
  const held = whyHeld(server, gateway, head, nowUs);
  if (held === undefined) return undefined;
  const { reason, untilUs } = held;
  gateways.unqueue(head);
  // What is booked for it moves with its start.
  unbook(server, head);
  const waits =
    isPlannedInRx2(server, head, reason, nowUs) || isRetried(server, head, untilUs, reason, nowUs);
  book(server, head);
  d.rx2StartsAtUs[head] = NEVER_US;
  return { refused: waits ? undefined : head, reason };
}

/** Why a frame may not be sent now, and until when; undefined: it may. */
function whyHeld(
  server: ServerSide,
  gateway: number,
  downlink: number,
  nowUs: number,
): { readonly reason: Refusal; readonly untilUs: number } | undefined {
  const { gateways, downlinks } = server;
  if (downlinks.column.purpose[downlink] === DownlinkPurpose.beacon) return undefined;
  const { sending, sendingUntilUs } = gateways.table.column;
  if (sending[gateway] !== NONE) {
    return { reason: Refusal.collision, untilUs: sendingUntilUs[gateway] };
  }
  if (!stationKeepsBands(gateways.stations[gateway]!)) return undefined;
  const untilUs = bandOpensAt(server, downlink);
  return untilUs <= nowUs ? undefined : { reason: Refusal.dutyCycle, untilUs };
}

/** A class C or multicast frame that another one in the queue is in the way of is put off too. */
export function isPutOff(
  server: ServerSide,
  downlink: number,
  refusal: Refusal,
  nowUs: number,
): boolean {
  const { gateways, downlinks } = server;
  const { gateway } = downlinks.column;
  if (refusal !== Refusal.collision || !stationKeepsBands(gateways.stations[gateway[downlink]]!)) {
    return false;
  }
  return isRetried(server, downlink, bandOpensAt(server, downlink), refusal, nowUs);
}

/** A class A frame whose RX1 finds the band closed is put in the queue for RX2. */
function isPlannedInRx2(
  server: ServerSide,
  downlink: number,
  reason: Refusal,
  nowUs: number,
): boolean {
  const { gateways, downlinks } = server;
  const d = downlinks.column;
  if (d.window[downlink] !== 1) return false;
  const window = secondWindow(server, downlink);
  if (window === undefined) return false;
  traceRefusal(server, downlink, reason, nowUs);
  d.refusal[downlink] = reason;
  takeSecondWindow(server, downlink, window);
  plannedAgain(server, downlink, nowUs);
  if (gateways.enqueue(downlink, nowUs) === Refusal.none) return true;
  return false;
}

/** A class C or multicast frame is put in the queue for the first retry that finds it open. */
function isRetried(
  server: ServerSide,
  downlink: number,
  opensAtUs: number,
  reason: Refusal,
  nowUs: number,
): boolean {
  const { gateways, downlinks } = server;
  const d = downlinks.column;
  if (d.window[downlink] !== 0 || d.purpose[downlink] === DownlinkPurpose.ping) return false;
  const [hz, dataRate] = [d.frequencyHz[downlink], d.dataRate[downlink]];
  const plannedUs = d.startsAtUs[downlink];
  const firstUs = plannedUs - d.retries[downlink] * RETRY_EVERY_US;
  for (let retry = d.retries[downlink] + 1; retry <= MOST_RETRIES; retry++) {
    const startsAtUs = firstUs + retry * RETRY_EVERY_US;
    if (startsAtUs < opensAtUs) continue;
    setChannel(server, downlink, startsAtUs, hz, dataRate);
    if (gateways.refusal(downlink, nowUs) !== Refusal.none) continue;
    traceRefusal(server, downlink, reason, nowUs);
    d.retries[downlink] = retry;
    d.number[downlink] = gateways.table.column.downlinkNumber[d.gateway[downlink]]++;
    plannedAgain(server, downlink, nowUs);
    return gateways.enqueue(downlink, nowUs) === Refusal.none;
  }
  setChannel(server, downlink, plannedUs, hz, dataRate);
  return false;
}

function traceRefusal(
  { observer, stories, gateways, downlinks }: ServerSide,
  row: number,
  reason: Refusal,
  nowUs: number,
): void {
  const { gateway, number } = downlinks.column;
  const { name } = gateways.stations[gateway[row]]!;
  stories?.refused(name, refusalName(reason));
  observer?.trace({
    kind: 'downlinkRefused',
    atUs: nowUs,
    gateway: name,
    downlink: number[row],
    reason: refusalName(reason),
  });
}
