/** LinkADRReq and what a device answers (LoRaWAN 1.0.4 §5.2). */
import {
  Cid,
  DOWNLINK_COMMAND_BYTES,
  LinkAdrStatus,
  writeLinkAdrReq,
} from '../../lorawan/mac-commands.ts';
import type { ServerRoom } from '../server-room.ts';
import type { UplinkCommand } from './handler.ts';

const COMMAND_BYTES = DOWNLINK_COMMAND_BYTES[Cid.linkAdr]!;

/** The request, all channels on. */
export function linkAdrReq(
  dataRate: number,
  txPowerIndex: number,
  channelMask: number,
  nbTrans: number,
): Uint8Array {
  const command = new Uint8Array(COMMAND_BYTES);
  writeLinkAdrReq(command, 0, dataRate, txPowerIndex, channelMask, 0, nbTrans);
  return command;
}

/** The device did all of what was asked, or nothing; the last request of a block counts. */
export function takeLinkAdrAns(room: ServerRoom, row: number, command: UplinkCommand): void {
  const { request, bytes, at } = command;
  if (request === undefined) return;
  if ((bytes[at + 1] & LinkAdrStatus.all) !== LinkAdrStatus.all) return;
  const r = room.registrations.column;
  const last = request.length - COMMAND_BYTES;
  r.dataRate[row] = request[last + 1] >> 4;
  r.txPowerIndex[row] = request[last + 1] & 15;
  r.nbTrans[row] = request[last + 4] & 15;
  r.historyCount[row] = 0;
}
