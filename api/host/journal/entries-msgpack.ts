/** Entries of a world's log as they stand in a journal. */
import { decode, encode } from '@msgpack/msgpack';
import type { LogEntry } from '../../../core/world/log.ts';
import { assert } from '../../../sim/base/assert.ts';

const OPTIONS = { ignoreUndefined: true } as const;

export const encodeEntry = (entry: LogEntry): Uint8Array => encode(entry, OPTIONS);

/** Of what `encodeEntry` made: its checksum and its seal say that nobody else did. */
export function decodeEntry(payload: Uint8Array): LogEntry {
  const entry = decode(payload) as LogEntry;
  const isKnown = entry.kind === 'command' || entry.kind === 'clockReached';
  assert(isKnown && Number.isSafeInteger(entry.atUs), 'a journal has entries of a log');
  return entry;
}
