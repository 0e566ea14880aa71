/**
 * Frames in ping slots or of class C that a gateway refused or the backhaul lost. Their payload
 * waits again, so that the next best gateway gets it, or the same one later.
 *
 * The frame is made anew then: one that waited for its turn would keep all answers with later
 * counters from the air until it is sent.
 */
import type { GatewayRefusal } from '../base/counts.ts';
import { carriedBy } from './downlink-fates.ts';
import { takeBackQueued } from './downlink-frame.ts';
import { reportFrameDown } from './frame-news.ts';
import type { ServerSide } from './server-side.ts';

/**
 * Takes a frame back whose air time is given up already; false where its payload does not wait
 * again: the device has gone or has another session, a later frame was made, or it was refused more
 * than `mostRefusals` times in a row. The frame is then still to be given up.
 */
export function takeBackRefused(
  side: ServerSide,
  downlink: number,
  reason: GatewayRefusal,
  mostRefusals: number,
): boolean {
  const { downlinks, registrations, gateways, slots, tally } = side;
  const d = downlinks.column;
  const row = d.registration[downlink];
  const r = registrations.column;
  if (r.alive[row] === 0 || r.active[row] === 0) return false;
  // After a frame with a later counter the next one of the queue may have been sent already.
  const counters = r.minor[row] === 1 ? r.aFCntDown : r.fCntDown;
  if (counters[row] !== d.counter[downlink] + 1) return false;
  const queued = carriedBy(side, downlink);
  if (queued === undefined || ++queued.refusals > mostRefusals) return false;
  if (!takeBackQueued(side, row, queued)) return false;
  queued.refusedBy = d.gateway[downlink];
  queued.lateUs = reason === 'tooLate' ? gateways.faults.delayUs(queued.refusedBy) : 0;
  tally.putOff(reason);
  reportFrameDown(side, downlink, { kind: 'refused', reason });
  slots.give(d.frameSlot[downlink]);
  downlinks.give(downlink);
  return true;
}
