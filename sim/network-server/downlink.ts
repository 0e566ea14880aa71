/**
 * Sending to a class A device: which gateway and which window carry a frame.
 *
 * RX1 is tried before RX2, in each the gateway that heard the device best before the others; a
 * gateway is passed over when the frame would come too late for its queue or its sub-band has no
 * air time left. What a gateway refuses in RX1 is tried once more in RX2.
 *
 * A device drops a counter below one that it has heard (LoRaWAN 1.0.4 §4.3.1.5). So its frames go
 * on the air in the order in which they were made. A window before a frame that is planned already
 * is passed over. Class C waits until an answer can no longer be on the air.
 */

import type { PlanRefusal } from '../base/counts.ts';
import { plannedDelayUs } from '../gateway/backhaul.ts';
import { DownlinkPurpose, NEVER_US, refusalName } from '../gateway/downlinks.ts';
import { NONE } from '../kernel/columns.ts';
import { LONGEST_PHY_PAYLOAD, MIC_BYTES } from '../lorawan/frame.ts';
import { RX2_AFTER_RX1_US } from '../lorawan/region.ts';
import { earliestStartUs } from './budget.ts';
import { onPingRefused } from './class-b.ts';
import { isClassC, onClassCRefused } from './class-c.ts';
import { dispatch, fillDownlink, giveUp, setChannel, unbook } from './dispatch.ts';
import { type DownlinkFrame, dataFrame, dropTooLong, nextInWindows } from './downlink-frame.ts';
import { reportUnplanned } from './frame-news.ts';
import type { ServerSide } from './server-side.ts';
import { storeUnplanned } from './story-frames.ts';

/** The uplink that opens the windows. */
export interface UplinkContext {
  readonly endedAtUs: number;
  readonly frequencyHz: number;
  readonly dataRate: number;
  /** Copies, best first. */
  readonly firstCopy: number;
}

const bytes = new Uint8Array(LONGEST_PHY_PAYLOAD + 1);

/**
 * Sends what an uplink calls for: acknowledgement, MAC commands, a queued payload; nothing when
 * nothing is due.
 */
export function answerUplink(
  side: ServerSide,
  row: number,
  uplink: UplinkContext,
  why: { readonly ack: boolean; readonly mustAnswer: boolean },
  nowUs: number,
): void {
  dropTooLong(side, row, uplink.dataRate, () => nextInWindows(side, row, uplink));
  const waiting = nextInWindows(side, row, uplink) !== undefined;
  const due = side.requests.bytesDue(row) > 0;
  if (!why.ack && !why.mustAnswer && !waiting && !due) return;
  planDownlink(side, row, uplink, dataFrame(side, row, uplink, why.ack), nowUs);
}

export interface Window {
  readonly number: 1 | 2;
  readonly startsAtUs: number;
  readonly frequencyHz: number;
  readonly dataRate: number;
}

/** Finds a window and a gateway, books the air time and sends the frame over the backhaul. */
export function planDownlink(
  side: ServerSide,
  row: number,
  uplink: UplinkContext,
  frame: DownlinkFrame,
  nowUs: number,
): void {
  side.tally.add('downlinksRequested');
  const length = frame.encode(bytes);
  const { plan } = side;
  const rx1AtUs = uplink.endedAtUs + frame.rx1DelayUs;
  const rx1: Window = {
    number: 1,
    startsAtUs: rx1AtUs,
    frequencyHz: rx1FrequencyHz(side, row, frame, uplink.frequencyHz),
    dataRate: plan.rx1DataRate(uplink.dataRate, frame.rx1DrOffset, frame.dwell),
  };
  const rx2: Window = {
    number: 2,
    startsAtUs: rx1AtUs + RX2_AFTER_RX1_US,
    frequencyHz: frame.rx2FrequencyHz,
    dataRate: frame.rx2DataRate,
  };
  let refusal: PlanRefusal = 'tooLateForWindows';
  const { downlinkAtUs, answerUntilUs } = side.registrations.column;
  for (const window of [rx1, rx2]) {
    if (!fits(side, frame, window, length) || window.startsAtUs <= downlinkAtUs[row]) continue;
    if (window.startsAtUs < frame.notBeforeUs) continue;
    for (
      let copy = uplink.firstCopy;
      copy !== NONE;
      copy = side.collector.copies.column.next[copy]
    ) {
      const gateway = side.collector.copies.column.gateway[copy];
      const obstacle = obstacleTo(side, gateway, window, length, nowUs);
      if (obstacle === undefined) {
        const rx2StartsAtUs = window.number === 1 ? rx2.startsAtUs : NEVER_US;
        const { startsAtUs, frequencyHz, dataRate } = window;
        const { purpose, counter } = frame;
        const last = fits(side, frame, rx2, length) ? rx2 : window;
        answerUntilUs[row] = last.startsAtUs + side.plan.downlinkAirtimeUs(last.dataRate, length);
        const downlink = fillDownlink(side, gateway, bytes, length, {
          registration: row,
          window: window.number,
          startsAtUs,
          frequencyHz,
          dataRate,
          purpose,
          counter,
          mcAddr: 0,
          rx2StartsAtUs,
          downlinkId: frame.downlinkId,
        });
        return dispatch(side, downlink, nowUs);
      }
      refusal = obstacle;
    }
  }
  side.tally.refuse(refusal);
  if (side.stories !== undefined) {
    storeUnplanned(side, side.stories, row, bytes, length, refusal);
  }
  if (side.listener.onFrameDown !== undefined) {
    reportUnplanned(side, row, bytes, length, frame.counter, refusal);
  }
  frame.takeBack?.(refusal);
}

/** Where RX1 is: as the region has it or, for data, where a DlChannelReq has moved it. */
function rx1FrequencyHz(
  { plan, registrations, channelSets }: ServerSide,
  row: number,
  { purpose }: DownlinkFrame,
  uplinkHz: number,
): number {
  const known = channelSets.get(registrations.column.channelSet[row]);
  const moved = known.find((one) => one?.frequencyHz === uplinkHz)?.rx1Hz ?? 0;
  return purpose === 'join' || moved === 0 ? plan.rx1FrequencyHz(uplinkHz) : moved;
}

/** Whether a window takes a frame; limits of payloads are for data, a dwell time limit for all. */
function fits({ plan }: ServerSide, frame: DownlinkFrame, window: Window, length: number): boolean {
  const { dataRate } = window;
  if (frame.purpose === 'join') {
    return dataRate >= 0 && plan.isWithinDwell(dataRate, length, frame.dwell);
  }
  return length - MIC_BYTES - 1 <= plan.mostBytes(dataRate, frame.dwell);
}

/** Why a gateway cannot send a frame of this length in this window; undefined when it can. */
function obstacleTo(
  side: ServerSide,
  gateway: number,
  window: Window,
  length: number,
  nowUs: number,
): PlanRefusal | undefined {
  const station = side.gateways.stations[gateway]!;
  const arrivesAtUs = nowUs + plannedDelayUs(station.backhaul);
  if (side.gateways.table.column.alive[gateway] === 0) return 'tooLateForWindows';
  if (arrivesAtUs + station.leadTimeUs >= window.startsAtUs) return 'tooLateForWindows';
  const { startsAtUs, frequencyHz, dataRate } = window;
  const airtimeUs = side.plan.downlinkAirtimeUs(dataRate, length);
  const earliestUs = earliestStartUs(side, gateway, frequencyHz, startsAtUs, airtimeUs, nowUs);
  return earliestUs === startsAtUs ? undefined : 'noBudget';
}

/**
 * A gateway has refused a downlink: the same frame goes into RX2 of the same gateway, or is given
 * up. No later frame of the device is before it: those wait until RX2 is over as well.
 */
export function onRefused(side: ServerSide, downlink: number, nowUs: number): void {
  const { downlinks, slots } = side;
  const d = downlinks.column;
  const reason = refusalName(d.refusal[downlink]);
  if (d.purpose[downlink] === DownlinkPurpose.ping) {
    return onPingRefused(side, downlink, reason, nowUs);
  }
  if (isClassC(side, downlink)) return onClassCRefused(side, downlink, reason, nowUs);
  unbook(side, downlink);
  const length = slots.length(d.frameSlot[downlink]);
  const window = secondWindow(side, downlink);
  const gateway = d.gateway[downlink];
  if (window === undefined || obstacleTo(side, gateway, window, length, nowUs) !== undefined) {
    return giveUp(side, downlink, refusalName(d.refusal[downlink]));
  }
  takeSecondWindow(side, downlink, window);
  dispatch(side, downlink, nowUs);
}

/** RX2 of a frame that was refused in RX1; undefined when there is none that carries it. */
export function secondWindow(side: ServerSide, downlink: number): Window | undefined {
  const { downlinks, slots, plan, registrations } = side;
  const d = downlinks.column;
  const length = slots.length(d.frameSlot[downlink]);
  const row = d.registration[downlink];
  const joining = d.purpose[downlink] === DownlinkPurpose.join;
  const r = registrations.column;
  const isPreset = row === NONE || joining;
  const dataRate = isPreset ? plan.rx2DataRate : r.rx2DataRate[row];
  const frequencyHz = isPreset ? plan.rx2FrequencyHz : r.rx2FrequencyHz[row];
  const startsAtUs = d.rx2StartsAtUs[downlink];
  const isKnown = row === NONE || r.alive[row] === 1;
  const dwell = isPreset ? plan.region.dwellAtStart.downlink : r.downlinkDwell[row] === 1;
  const isShort = joining
    ? plan.isWithinDwell(dataRate, length, dwell)
    : length <= plan.mostBytes(dataRate, dwell) + MIC_BYTES + 1;
  if (!isKnown || startsAtUs === NEVER_US || !isShort) return undefined;
  return { number: 2, startsAtUs, frequencyHz, dataRate };
}

/** A frame that was refused in RX1 is planned for RX2, under a new number. */
export function takeSecondWindow(side: ServerSide, downlink: number, window: Window): void {
  const { downlinks, gateways, tally } = side;
  const d = downlinks.column;
  tally.retry(refusalName(d.refusal[downlink]));
  d.firstRefusal[downlink] = d.refusal[downlink];
  d.number[downlink] = gateways.table.column.downlinkNumber[d.gateway[downlink]]++;
  d.window[downlink] = 2;
  d.rx2StartsAtUs[downlink] = NEVER_US;
  setChannel(side, downlink, window.startsAtUs, window.frequencyHz, window.dataRate);
}
