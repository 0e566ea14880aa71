/** What a downlink carries to a class A or C device: acknowledgement, MAC commands, payload. */
import { SECOND_US } from '../base/units.ts';
import { DOWNLINK, FCtrl, MType, putMic, writeDataFrame } from '../lorawan/frame.ts';
import { KEY_BYTES } from '../lorawan/frame-security.ts';
import { Cid, DOWNLINK_COMMAND_BYTES } from '../lorawan/mac-commands.ts';
import { writeAdrRequest } from './adr.ts';
import type { ServerRoom } from './server-room.ts';

/** A frame that can be made once its window is known to take it. */
export interface DownlinkFrame {
  readonly purpose: 'join' | 'data';
  readonly counter: number;
  readonly rx1DelayUs: number;
  readonly rx1DrOffset: number;
  readonly rx2DataRate: number;
  /** Writes the whole PHYPayload and tells its length. */
  encode(out: Uint8Array): number;
}

/** FHDR without FOpts, and FPort. */
const HEADER_BYTES = 8;

/** Most times that a confirmed downlink is sent. */
const CONFIRMED_TRIES = 8;

const empty = new Uint8Array(0);
const fOpts = new Uint8Array(15);

/** Most bytes of a MACPayload that one of the two windows carries; the other is passed over. */
function mostBytes({ registrations, plan }: ServerRoom, row: number, uplinkDataRate: number) {
  const { rx1DrOffset, rx2DataRate } = registrations.column;
  const rx1DataRate = plan.rx1DataRate(uplinkDataRate, rx1DrOffset[row]);
  return Math.max(plan.maxMacPayload[rx1DataRate]!, plan.maxMacPayload[rx2DataRate[row]]!);
}

/** Drops payloads at the head of the queue that fit in no frame of their own. */
export function dropTooLong(room: ServerRoom, row: number, uplinkDataRate: number): void {
  const most = mostBytes(room, row, uplinkDataRate);
  const { queue } = room;
  for (let head = queue.head(row); head !== undefined; head = queue.head(row)) {
    if (HEADER_BYTES + head.payload.length <= most) return;
    room.tally.refuse('tooLong');
    queue.drop(row);
  }
}

/**
 * A data frame with what fits one of the two windows. MAC commands go first; a payload that has no
 * room beside them waits for the next frame.
 */
export function dataFrame(
  room: ServerRoom,
  row: number,
  uplinkDataRate: number,
  ack: boolean,
): DownlinkFrame {
  const { registrations, plan, queue } = room;
  const r = registrations.column;
  const adr = r.adrPending[row] === 1;
  dropTooLong(room, row, uplinkDataRate);
  const fOptsLength = adr ? DOWNLINK_COMMAND_BYTES[Cid.linkAdr] : 0;
  const head = queue.head(row);
  const bytesLeft = mostBytes(room, row, uplinkDataRate) - HEADER_BYTES - fOptsLength;
  const queued = head !== undefined && head.payload.length <= bytesLeft ? head : undefined;
  const counter = r.fCntDown[row]++;
  const devAddr = r.devAddr[row];
  const confirmed = queued?.confirmed === true;
  const more = queue.count(row) > (queued === undefined ? 0 : 1);
  if (queued !== undefined) afterQueued(room, row, confirmed);
  return {
    purpose: 'data',
    counter,
    rx1DelayUs: r.rx1DelayS[row] * SECOND_US,
    rx1DrOffset: r.rx1DrOffset[row],
    rx2DataRate: r.rx2DataRate[row],
    encode(out) {
      if (adr) writeAdrRequest(registrations, row, plan.allChannels, fOpts);
      const payload = queued?.payload ?? empty;
      const length = writeDataFrame(out, {
        mType: confirmed ? MType.confirmedDataDown : MType.unconfirmedDataDown,
        devAddr,
        fCtrl: FCtrl.adr | (ack ? FCtrl.ack : 0) | (more ? FCtrl.fPending : 0),
        fCnt: counter,
        fOpts,
        fOptsLength,
        fPort: queued?.fPort ?? -1,
        payload,
        payloadLength: payload.length,
      });
      const { security } = room;
      const keyAt = row * KEY_BYTES;
      const payloadAt = length - payload.length;
      security.crypt(r.appSKey, keyAt, DOWNLINK, devAddr, counter, out, payloadAt, payload.length);
      const mic = security.dataMic(r.nwkSKey, keyAt, DOWNLINK, devAddr, counter, out, length);
      return putMic(out, length, mic);
    },
  };
}

/**
 * An unconfirmed payload leaves the queue; a confirmed one stays until acknowledged or tried
 * enough.
 */
function afterQueued(room: ServerRoom, row: number, confirmed: boolean): void {
  const r = room.registrations.column;
  if (!confirmed) {
    room.queue.drop(row);
    return;
  }
  r.downlinkTries[row]++;
  r.awaitsAck[row] = 1;
  if (r.downlinkTries[row] < CONFIRMED_TRIES) return;
  r.downlinkTries[row] = 0;
  r.awaitsAck[row] = 0;
  room.queue.drop(row);
}
