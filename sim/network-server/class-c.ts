/** Sending to class C devices: at once on the RX2 parameters, one after the other. */

import { MILLISECOND_US, SECOND_US } from '../base/units.ts';
import { EventKind } from '../events.ts';
import { plannedDelayUs } from '../gateway/backhaul.ts';
import { serverKeepsBudget } from '../gateway/station-budget.ts';
import { NONE } from '../kernel/columns.ts';
import { LONGEST_PHY_PAYLOAD } from '../lorawan/frame.ts';
import { gatewayBudgetUs } from './budget.ts';
import { dispatch, fillDownlink } from './dispatch.ts';
import { dropTooLong, NO_RX1, queuedFrame } from './downlink-frame.ts';
import { HEARD_BY } from './registrations.ts';
import type { ServerRoom } from './server-room.ts';

/** Pause between two downlinks to one device, so that it can answer. */
const PAUSE_US = 5 * SECOND_US;
/** The same after a confirmed one: CLASS_C_RESP_TIMEOUT (protocol reference §2.1). */
const CONFIRMED_PAUSE_US = 8 * SECOND_US;
const SLACK_US = 10 * MILLISECOND_US;

const bytes = new Uint8Array(LONGEST_PHY_PAYLOAD + 1);

/** Something is in a device's queue: a class C device gets it without waiting for an uplink. */
export function wakeClassC(room: ServerRoom, row: number, nowUs: number): void {
  const { registrations, agenda, queue } = room;
  if (registrations.column.classC[row] === 0 || queue.count(row) === 0) return;
  if (agenda.dueUs(EventKind.classCDue, row) >= 0) return;
  agenda.schedule(EventKind.classCDue, row, nowUs + 1);
}

/** Sends the head of a class C device's queue, or tries again when the sub-band has room. */
export function onClassCDue(room: ServerRoom, row: number, nowUs: number): void {
  const { registrations, queue, plan, gateways, dutyCycle, agenda } = room;
  const r = registrations.column;
  dropTooLong(room, row, NO_RX1);
  const gateway = bestGateway(room, row);
  if (r.active[row] === 0 || r.classC[row] === 0 || queue.count(row) === 0 || gateway === NONE)
    return;
  const station = gateways.stations[gateway]!;
  const { leadTimeUs, backhaul } = station;
  const { classCUntilUs } = gateways.table.column;
  const soonestUs = nowUs + plannedDelayUs(backhaul) + leadTimeUs + SLACK_US;
  const startsAtUs = Math.max(soonestUs, classCUntilUs[gateway] + leadTimeUs + SLACK_US);
  const dataRate = r.rx2DataRate[row];
  const frequencyHz = r.rx2FrequencyHz[row];
  const band = plan.bandOf(frequencyHz);
  const longestUs = plan.downlinkAirtimeUs(dataRate, LONGEST_FRAME_BYTES);
  if (serverKeepsBudget(station)) {
    const account = gateway * plan.bands.length + band;
    const budgetUs = gatewayBudgetUs(room, gateway, band);
    const earliestUs = dutyCycle.earliestUs(account, nowUs, startsAtUs, longestUs, budgetUs);
    if (earliestUs > startsAtUs) {
      agenda.schedule(EventKind.classCDue, row, nowUs + (earliestUs - startsAtUs));
      return;
    }
  }
  const frame = queuedFrame(room, row);
  const length = frame.encode(bytes);
  room.tally.downlinksRequested++;
  const downlink = fillDownlink(room, gateway, bytes, length, {
    registration: row,
    window: 0,
    startsAtUs,
    frequencyHz,
    dataRate,
    purpose: 'data',
    counter: frame.counter,
    mcAddr: 0,
    rx2StartsAtUs: -1,
  });
  const airtimeUs = room.downlinks.column.airtimeUs[downlink];
  classCUntilUs[gateway] = startsAtUs + airtimeUs;
  dispatch(room, downlink, nowUs);
  if (queue.count(row) > 0) {
    const pauseUs = r.awaitsAck[row] === 1 ? CONFIRMED_PAUSE_US : PAUSE_US;
    agenda.schedule(EventKind.classCDue, row, startsAtUs + airtimeUs + pauseUs);
  }
}

/** A full frame at RX2's slowest data rates. */
const LONGEST_FRAME_BYTES = 64;

/** The gateway that heard the device best lately and is in service. */
function bestGateway(room: ServerRoom, row: number): number {
  const { heardBy, heardCentiDbm } = room.registrations.column;
  const { alive } = room.gateways.table.column;
  let best: number = NONE;
  let bestLevel = Number.NEGATIVE_INFINITY;
  for (let at = row * HEARD_BY; at < (row + 1) * HEARD_BY; at++) {
    const gateway = heardBy[at] - 1;
    if (gateway < 0 || alive[gateway] === 0 || heardCentiDbm[at] <= bestLevel) continue;
    best = gateway;
    bestLevel = heardCentiDbm[at];
  }
  return best;
}
