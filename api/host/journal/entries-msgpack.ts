/** Entries of a world's log as they stand in a journal. */
import { decode, encode } from '@msgpack/msgpack';
import type { LogEntry } from '../../../core/world/log.ts';
import { assert } from '../../../sim/base/assert.ts';

const OPTIONS = { ignoreUndefined: true } as const;

export type JournalEntry =
  | LogEntry
  /** The last command before it had ended its process: it is stepped over. */
  | { readonly kind: 'steppedOver'; readonly atUs: number };

const KINDS: readonly string[] = ['command', 'clockReached', 'steppedOver'];

export const encodeEntry = (entry: JournalEntry): Uint8Array => encode(entry, OPTIONS);

/** Of what `encodeEntry` made: its checksum and its seal say that nobody else did. */
export function decodeEntry(payload: Uint8Array): JournalEntry {
  const entry = decode(payload) as JournalEntry;
  const isKnown = KINDS.includes(entry.kind);
  assert(isKnown && Number.isSafeInteger(entry.atUs), 'a journal has entries of a log');
  return entry;
}
