/** MAC commands of class B on the server's side (LoRaWAN 1.0.4 §14). */
import { Cid } from '../../lorawan/mac-commands.ts';
import type { ServerRoom } from '../server-room.ts';
import type { UplinkCommand } from './handler.ts';

/** PingSlotInfoReq: the device tells its ping slots, and may use them once it hears the answer. */
export function takePingSlotInfoReq(
  room: ServerRoom,
  row: number,
  { bytes, at }: UplinkCommand,
): void {
  const { told, periodicity } = room.classB.column;
  told[row] = 1;
  periodicity[row] = bytes[at + 1] & 7;
  room.requests.tell(row, Uint8Array.of(Cid.pingSlotInfo));
}
