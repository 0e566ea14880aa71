/** What a downlink carries to a class A or C device: acknowledgement, MAC commands, payload. */
import { assert } from '../base/assert.ts';
import { SECOND_US } from '../base/units.ts';
import { FCtrl, MType, NO_PORT, putMic, writeDataFrame } from '../lorawan/frame.ts';
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
  /** Writes the whole PHYPayload and returns its length. */
  encode(out: Uint8Array): number;
  /** No gateway can send it: an unconfirmed payload waits for the next frame. */
  takeBack?(): void;
}

/** FHDR without FOpts, and FPort. */
const HEADER_BYTES = 8;
/** FOpts hold at most this many bytes. */
const FOPTS_BYTES = 15;

/** Most times that a confirmed downlink is sent. */
const CONFIRMED_TRIES = 8;

const empty = new Uint8Array(0);

/** In place of an uplink's data rate: the frame goes out on RX2's, there is no RX1. */
export const NO_RX1 = -1;

/** Most bytes of a MACPayload that one of the two windows carries; the other is passed over. */
function mostBytes({ registrations, plan }: ServerSide, row: number, uplinkDataRate: number) {
  const { rx1DrOffset, rx2DataRate, downlinkDwell } = registrations.column;
  const dwell = downlinkDwell[row] === 1;
  const rx1DataRate = plan.rx1DataRate(uplinkDataRate, rx1DrOffset[row], dwell);
  return Math.max(plan.mostBytes(rx1DataRate, dwell), plan.mostBytes(rx2DataRate[row], dwell));
}

/** Drops payloads at the head of the queue that fit in no frame of their own. */
export function dropTooLong(side: ServerSide, row: number, uplinkDataRate: number): void {
  const most = mostBytes(side, row, uplinkDataRate);
  const { queue } = side;
  for (let head = queue.head(row); head !== undefined; head = queue.head(row)) {
    if (HEADER_BYTES + head.payload.length <= most) return;
    side.tally.refuse('tooLong');
    queue.drop(row);
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
  uplinkDataRate: number,
  ack: boolean,
): DownlinkFrame {
  const { registrations, queue, requests } = side;
  const r = registrations.column;
  dropTooLong(side, row, uplinkDataRate);
  const most = mostBytes(side, row, uplinkDataRate) - HEADER_BYTES;
  const onPort = requests.bytesDue(row) > Math.min(FOPTS_BYTES, most);
  const commandBytes = Math.max(0, onPort ? most : FOPTS_BYTES);
  const commands = new Uint8Array(commandBytes);
  const written = requests.write(row, commands, commandBytes);
  const head = onPort ? undefined : queue.head(row);
  const queued = head !== undefined && head.payload.length <= most - written ? head : undefined;
  const counter = takeFCntDown(side, row, queued !== undefined);
  const devAddr = r.devAddr[row];
  const confirmed = queued?.confirmed === true;
  if (confirmed) r.confFCntDown[row] = counter;
  const more = queue.count(row) > (queued === undefined ? 0 : 1);
  if (queued !== undefined) afterQueued(side, row, confirmed);
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
    takeBack() {
      if (queued !== undefined && !confirmed) queue.putBack(row, queued);
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
 * The head of a device's queue for a ping slot or class C: no MAC commands and no acknowledgement,
 * which belong in class A windows (docs/standard.md, Class B).
 */
export function queuedFrame(
  side: ServerSide,
  row: number,
): Pick<DownlinkFrame, 'counter' | 'encode'> {
  const { queue, registrations } = side;
  const r = registrations.column;
  const queued = queue.head(row);
  assert(queued !== undefined, 'a frame outside the windows carries a payload');
  const { payload, fPort, confirmed } = queued;
  const counter = takeFCntDown(side, row, true);
  if (confirmed) r.confFCntDown[row] = counter;
  const more = queue.count(row) > 1;
  afterQueued(side, row, confirmed);
  return {
    counter,
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
function afterQueued(side: ServerSide, row: number, confirmed: boolean): void {
  const r = side.registrations.column;
  if (!confirmed) {
    side.queue.drop(row);
    return;
  }
  r.downlinkTries[row]++;
  r.awaitsAck[row] = 1;
  if (r.downlinkTries[row] < CONFIRMED_TRIES) return;
  r.downlinkTries[row] = 0;
  r.awaitsAck[row] = 0;
  side.queue.drop(row);
}

/**
 * The latest frame was a queued one and never goes on the air: its payload is the first of the
 * queue again. False when a confirmed one has left the queue with its last try.
 */
export function takeBackQueued(side: ServerSide, row: number): boolean {
  const { registrations, queue } = side;
  const { awaitsAck, downlinkTries } = registrations.column;
  const kept = queue.takeKept(row);
  if (kept !== undefined) queue.putBack(row, kept);
  else if (awaitsAck[row] === 0) return false;
  else {
    awaitsAck[row] = 0;
    downlinkTries[row]--;
  }
  return true;
}
