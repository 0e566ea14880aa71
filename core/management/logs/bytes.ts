/** The bytes of an entry as they are stored. */
import type { Chunk } from './chunk.ts';
import { Flag } from './entries.ts';

const NO_BYTES = new Uint8Array(0);

/** What a frame carries; on FPort 0 the payload is the commands. */
export function bytesOf({ entries, bytes }: Chunk, place: number, isData: boolean) {
  const from = entries.bytesFrom[place]!;
  const middle = from + entries.fOptsLength[place]!;
  const rest = bytes.subarray(middle, middle + entries.payloadLength[place]!);
  if (!isData) return { commands: NO_BYTES, payload: NO_BYTES, joinEui: rest };
  const isOnPort0 = (entries.flags[place]! & Flag.hasPort) !== 0 && entries.fPort[place] === 0;
  const commands = isOnPort0 ? rest : bytes.subarray(from, middle);
  return { commands, payload: rest, joinEui: NO_BYTES };
}

/** FRMPayload of an entry as it is stored. */
export const payloadAt = (chunk: Chunk, place: number): Uint8Array =>
  bytesOf(chunk, place, true).payload;
