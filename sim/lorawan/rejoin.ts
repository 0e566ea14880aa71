/**
 * Rejoin requests as bytes (LoRaWAN 1.1 §6.2.4): types 0 and 2 name the network, type 1 the join
 * server, each with a counter of its own.
 */
import { readLe, writeLe } from '../base/bytes.ts';
import { MIC_BYTES, MType } from './frame.ts';

export type RejoinType = 0 | 1 | 2;

/** MHDR, type, NetID (or JoinEUI), DevEUI, RJcount, MIC. */
export const REJOIN_BYTES: Readonly<Record<RejoinType, number>> = { 0: 19, 1: 24, 2: 19 };

/** Writes a rejoin request without MIC; `home` is NetID or JoinEUI, all in the order of the air. */
export function writeRejoinRequest(
  out: Uint8Array,
  type: RejoinType,
  home: Uint8Array,
  devEui: Uint8Array,
  rjCount: number,
): number {
  out[0] = MType.rejoinRequest << 5;
  out[1] = type;
  out.set(home, 2);
  out.set(devEui, 2 + home.length);
  writeLe(out, 2 + home.length + devEui.length, 2, rjCount);
  return REJOIN_BYTES[type] - MIC_BYTES;
}

export interface RejoinRequest {
  readonly type: RejoinType;
  /** NetID (3 bytes) or JoinEUI (8 bytes), in the order of the air. */
  readonly home: Uint8Array;
  readonly devEui: Uint8Array;
  readonly rjCount: number;
  /** Signed 32 bits. */
  readonly mic: number;
}

/** Undefined for anything but a whole rejoin request. */
export function parseRejoinRequest(bytes: Uint8Array, length: number): RejoinRequest | undefined {
  const type = bytes[1];
  if (bytes[0] !== MType.rejoinRequest << 5) return undefined;
  if (type !== 0 && type !== 1 && type !== 2) return undefined;
  if (length !== REJOIN_BYTES[type]) return undefined;
  const homeBytes = type === 1 ? 8 : 3;
  const at = 2 + homeBytes;
  return {
    type,
    home: bytes.slice(2, at),
    devEui: bytes.slice(at, at + 8),
    rjCount: readLe(bytes, at + 8, 2),
    mic: readLe(bytes, length - MIC_BYTES, MIC_BYTES) | 0,
  };
}
