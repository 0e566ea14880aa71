/** What a downlink carries to a class A or C device: acknowledgement, MAC commands, payload. */
import { assert } from '../base/assert.ts';
import type { PlanRefusal } from '../base/counts.ts';
import { SECOND_US } from '../base/units.ts';
import { FCtrl, MType, NO_PORT, putMic, writeDataFrame } from '../lorawan/frame.ts';
import { RX2_AFTER_RX1_US } from '../lorawan/region.ts';
import { dropWaiting, loseTry, NO_DOWNLINK } from './downlink-fates.ts';
import type { AppDownlink } from './downlink-queue.ts';
import type { ServerSide } from './server-side.ts';
import { protectDownlink, takeFCntDown } from './session-security.ts';

/** A frame that can be made once its window is known to take it. */
export interface DownlinkFrame {
  readonly purpose: 'join' | 'data';
  readonly counter: number;
  readonly rx1DelayUs: number;
  readonly rx1DrOffset: number;
  readonly rx2DataRate: number;
  readonly rx2FrequencyHz: number;
  readonly dwell: boolean;
  /** Id of the application downlink that it carries, else `NO_DOWNLINK`. */
  readonly downlinkId: number;
  /** A window that opens before is passed over, µs. */
  readonly notBeforeUs: number;
  /** Writes the whole PHYPayload and returns its length. */
  encode(out: Uint8Array): number;
  /** No gateway can send it: an unconfirmed payload waits for the next frame. */
  takeBack?(refusal: PlanRefusal): void;
}

/** FHDR without FOpts, and FPort. */
const HEADER_BYTES = 8;
/** FOpts hold at most this many bytes. */
const FOPTS_BYTES = 15;

const empty = new Uint8Array(0);

/** The uplink that opens the windows. */
interface UplinkEnd {
  readonly endedAtUs: number;
  readonly dataRate: number;
}

/** When the second window after an uplink opens, µs: who is not due by then waits. */
function lastWindowUs(side: ServerSide, row: number, { endedAtUs }: UplinkEnd): number {
  return endedAtUs + side.registrations.column.rx1DelayS[row] * SECOND_US + RX2_AFTER_RX1_US;
}

/** The downlink that goes in the windows after an uplink: who is due by the first comes first. */
export function nextInWindows(side: ServerSide, row: number, uplink: UplinkEnd) {
  const rx2AtUs = lastWindowUs(side, row, uplink);
  return side.queue.next(row, rx2AtUs - RX2_AFTER_RX1_US) ?? side.queue.next(row, rx2AtUs);
}

/** In place of an uplink's data rate: the frame goes out on RX2's, there is no RX1. */
export const NO_RX1 = -1;

/** Most bytes of a MACPayload that one of the two windows carries; the other is passed over. */
function mostBytes({ registrations, plan }: ServerSide, row: number, uplinkDataRate: number) {
  const { rx1DrOffset, rx2DataRate, downlinkDwell } = registrations.column;
  const dwell = downlinkDwell[row] === 1;
  const rx1DataRate = plan.rx1DataRate(uplinkDataRate, rx1DrOffset[row], dwell);
  return Math.max(plan.mostBytes(rx1DataRate, dwell), plan.mostBytes(rx2DataRate[row], dwell));
}

/** Drops payloads whose turn it is and that fit in no frame of their own. */
export function dropTooLong(
  side: ServerSide,
  row: number,
  uplinkDataRate: number,
  nextOne: () => AppDownlink | undefined,
): void {
  const most = mostBytes(side, row, uplinkDataRate);
  for (let next = nextOne(); next !== undefined; next = nextOne()) {
    if (HEADER_BYTES + next.payload.length <= most) return;
    side.tally.refuse('tooLong');
    dropWaiting(side, row, next, 'tooLong');
  }
}

/**
 * A data frame with what fits one of the two windows. MAC commands go first: in FOpts, or alone on
 * FPort 0 when they are too long for that. A payload that does not fit beside them waits for
 * the next frame.
 */
export function dataFrame(
  side: ServerSide,
  row: number,
  uplink: UplinkEnd,
  ack: boolean,
): DownlinkFrame {
  const { registrations, queue, requests } = side;
  const r = registrations.column;
  const most = mostBytes(side, row, uplink.dataRate) - HEADER_BYTES;
  const onPort = requests.bytesDue(row) > Math.min(FOPTS_BYTES, most);
  const commandBytes = Math.max(0, onPort ? most : FOPTS_BYTES);
  const commands = new Uint8Array(commandBytes);
  const written = requests.write(row, commands, commandBytes);
  assert(written <= commandBytes, 'commands fit where they are written');
  const next = onPort ? undefined : nextInWindows(side, row, uplink);
  const queued = next !== undefined && next.payload.length <= most - written ? next : undefined;
  const counter = takeFCntDown(side, row, queued !== undefined);
  const devAddr = r.devAddr[row];
  const confirmed = queued?.confirmed === true;
  if (confirmed) r.confFCntDown[row] = counter;
  const more = queue.hasMore(row, queued, lastWindowUs(side, row, uplink));
  if (queued !== undefined) afterQueued(side, row, queued);
  const fPort = onPort ? 0 : (queued?.fPort ?? NO_PORT);
  const fOptsLength = onPort ? 0 : written;
  return {
    purpose: 'data',
    counter,
    rx1DelayUs: r.rx1DelayS[row] * SECOND_US,
    rx1DrOffset: r.rx1DrOffset[row],
    rx2DataRate: r.rx2DataRate[row],
    rx2FrequencyHz: r.rx2FrequencyHz[row],
    dwell: r.downlinkDwell[row] === 1,
    downlinkId: queued?.id ?? NO_DOWNLINK,
    notBeforeUs: queued?.notBeforeUs ?? 0,
    takeBack(refusal) {
      if (queued === undefined) return;
      if (confirmed) loseTry(side, row, queued, refusal);
      else queue.putBack(row, queued);
    },
    encode(out) {
      const payload = onPort ? commands.subarray(0, written) : (queued?.payload ?? empty);
      const length = writeDataFrame(out, {
        mType: confirmed ? MType.confirmedDataDown : MType.unconfirmedDataDown,
        devAddr,
        fCtrl: FCtrl.adr | (ack ? FCtrl.ack : 0) | (more ? FCtrl.fPending : 0),
        fCnt: counter,
        fOpts: commands,
        fOptsLength,
        fPort,
        payload,
        payloadLength: payload.length,
      });
      const mic = protectDownlink(side, row, out, length, {
        fPort,
        fOptsLength,
        payloadLength: payload.length,
        ack,
        counter,
      });
      return putMic(out, length, mic);
    },
  };
}

/**
 * The downlink whose turn it is, for a ping slot or class C: no MAC commands and no
 * acknowledgement, which belong in class A windows (docs/standard.md, Class B).
 */
export function queuedFrame(
  side: ServerSide,
  row: number,
  nowUs: number,
): Pick<DownlinkFrame, 'counter' | 'downlinkId' | 'encode'> {
  const { queue, registrations } = side;
  const r = registrations.column;
  const queued = queue.next(row, nowUs);
  assert(queued !== undefined, 'a frame outside the windows carries a payload');
  const { payload, fPort, confirmed } = queued;
  const counter = takeFCntDown(side, row, true);
  if (confirmed) r.confFCntDown[row] = counter;
  const more = queue.hasMore(row, queued, nowUs);
  afterQueued(side, row, queued);
  return {
    counter,
    downlinkId: queued.id,
    encode(out) {
      const devAddr = r.devAddr[row];
      const length = writeDataFrame(out, {
        mType: confirmed ? MType.confirmedDataDown : MType.unconfirmedDataDown,
        devAddr,
        fCtrl: FCtrl.adr | (more ? FCtrl.fPending : 0),
        fCnt: counter,
        fOpts: empty,
        fOptsLength: 0,
        fPort,
        payload,
        payloadLength: payload.length,
      });
      const mic = protectDownlink(side, row, out, length, {
        fPort,
        fOptsLength: 0,
        payloadLength: payload.length,
        ack: false,
        counter,
      });
      return putMic(out, length, mic);
    },
  };
}

/**
 * An unconfirmed payload leaves the queue; a confirmed one stays until acknowledged or tried
 * enough.
 */
function afterQueued({ queue, registrations }: ServerSide, row: number, queued: AppDownlink): void {
  const { awaitsAck } = registrations.column;
  const isLast = queued.tries + 1 === queued.mostTries;
  if (!queued.confirmed) return queue.leave(row, queued);
  awaitsAck[row] = isLast ? 0 : 1;
  if (isLast) queue.leave(row, queued);
  else queue.hold(row, queued);
}

/**
 * The latest frame carried this downlink and never goes on the air: it waits at its place again.
 * False when it does not: its sender has cleared it, or that was the last try of a confirmed one.
 */
export function takeBackQueued(side: ServerSide, row: number, queued: AppDownlink): boolean {
  const { registrations, queue } = side;
  const { awaitsAck } = registrations.column;
  if (!queued.confirmed) return queue.putBack(row, queued);
  if (queue.tried(row) !== queued || awaitsAck[row] === 0) return false;
  awaitsAck[row] = 0;
  queue.takeTryBack(row);
  return true;
}
