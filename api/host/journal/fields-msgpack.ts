/** Entries of a journal as plain fields: those of kinds that this program does not know, too. */
import { decode } from '@msgpack/msgpack';
import { assert } from '../../../sim/base/assert.ts';
import { contentCodec } from './entries-msgpack.ts';

export interface EntryFields {
  readonly kind: string;
  /** Virtual time, whole µs. */
  readonly atUs: number;
  readonly [field: string]: unknown;
}

/**
 * Of what a journal sealed: its checksum and its seal say that nobody else made it. Contents are
 * named by their SHA-256.
 */
export function decodeFields(payload: Uint8Array): EntryFields {
  const extensionCodec = contentCodec((sha256) => ({ sha256 }));
  const fields = decode(payload, { extensionCodec }) as EntryFields;
  const isEntry = typeof fields.kind === 'string' && Number.isSafeInteger(fields.atUs);
  assert(isEntry, 'an entry has a kind and an instant');
  return fields;
}
