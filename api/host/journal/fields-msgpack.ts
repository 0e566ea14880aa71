/** Entries of a journal as plain fields: those of kinds that this program does not know, too. */
import { decode } from '@msgpack/msgpack';
import { assert } from '../../../sim/base/assert.ts';

export interface EntryFields {
  readonly kind: string;
  /** Virtual time, whole µs. */
  readonly atUs: number;
  readonly [field: string]: unknown;
}

/** Of what a journal sealed: its checksum and its seal say that nobody else made it. */
export function decodeFields(payload: Uint8Array): EntryFields {
  const fields = decode(payload) as EntryFields;
  const isEntry = typeof fields.kind === 'string' && Number.isSafeInteger(fields.atUs);
  assert(isEntry, 'an entry has a kind and an instant');
  return fields;
}
