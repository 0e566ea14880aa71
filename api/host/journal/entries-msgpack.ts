/**
 * Entries of a world's log as they stand in a journal, and what the host notes between them. Bytes
 * of images and the like are named by their SHA-256 alone: they stand once, in a folder of their
 * own (contents.ts).
 */
import { createHash } from 'node:crypto';
import { decode, ExtensionCodec, encode } from '@msgpack/msgpack';
import type { Content } from '../../../core/base/contents.ts';
import type { Admitted } from '../../../core/world/log.ts';
import { assert } from '../../../sim/base/assert.ts';
import type { KeyEntry, RecordedClaim } from './recorded-keys.ts';

/** A stored command. */
export interface StoredCommand extends Admitted {
  /** The idempotency key of the request that it belongs to. */
  readonly claim?: RecordedClaim;
}

/** The command in this place of the life's commands was refused. */
export interface RefusedEntry {
  readonly kind: 'refused';
  readonly atUs: number;
  readonly life: number;
  readonly place: number;
}

export type JournalEntry =
  | StoredCommand
  | RefusedEntry
  | KeyEntry
  /**
   * Lease: the world may run to this instant. `life` counts restores before it: a late mark belongs
   * to a world that has ended.
   */
  | { readonly kind: 'clockReached'; readonly atUs: number; readonly life: number }
  /** The last command before it had ended its process: it is stepped over. */
  | { readonly kind: 'steppedOver'; readonly atUs: number }
  /** The world as it is here is called so. */
  | {
      readonly kind: 'named';
      readonly atUs: number;
      readonly name: string;
      readonly claim?: RecordedClaim;
    }
  /** Nothing is called so any more. */
  | { readonly kind: 'forgotten'; readonly atUs: number; readonly name: string }
  /** It goes on from what is called so, at that instant; without a name, from its beginning. */
  | { readonly kind: 'restored'; readonly atUs: number; readonly name?: string };

const KINDS: readonly string[] = [
  'command',
  'refused',
  'answered',
  'resulted',
  'clockReached',
  'steppedOver',
  'named',
  'forgotten',
  'restored',
] satisfies JournalEntry['kind'][];

export interface EncodedEntry {
  readonly payload: Uint8Array;
  /** What it names, in its order. */
  readonly contents: readonly Content[];
}

/** Bytes stand in the entry itself where they are fewer. */
const LEAST_CONTENT_BYTES = 1_024;
/** Extension type of contents. */
const CONTENT = 1;

export function encodeEntry(entry: JournalEntry): EncodedEntry {
  const contents: Content[] = [];
  const extensionCodec = new ExtensionCodec<undefined>();
  extensionCodec.register({
    type: CONTENT,
    encode: (value) => {
      if (!(value instanceof Uint8Array) || value.length < LEAST_CONTENT_BYTES) return null;
      const hash = createHash('sha256').update(value).digest();
      contents.push({ sha256: hash.toString('hex'), bytes: value });
      return hash;
    },
    decode: () => null,
  });
  const payload = encode(entry, { ignoreUndefined: true, extensionCodec });
  return { payload, contents };
}

export interface DecodedEntry {
  readonly entry: JournalEntry;
  /** SHA-256 of contents that the port does not have: the entry has none in their place. */
  readonly missing: readonly string[];
}

/** Of what `encodeEntry` made: its checksum and its seal say that nobody else did. */
export function decodeEntry(
  payload: Uint8Array,
  contents: (sha256: string) => Uint8Array | undefined = () => undefined,
): DecodedEntry {
  const missing: string[] = [];
  const extensionCodec = contentCodec((sha256) => {
    const bytes = contents(sha256);
    if (bytes === undefined) missing.push(sha256);
    return bytes ?? null;
  });
  const entry = decode(payload, { extensionCodec }) as JournalEntry;
  const isKnown = KINDS.includes(entry.kind);
  assert(isKnown && Number.isSafeInteger(entry.atUs), 'a journal has entries of a log');
  return { entry, missing };
}

/** Reads what an entry names in its own way. */
export function contentCodec(read: (sha256: string) => unknown): ExtensionCodec<undefined> {
  const extensionCodec = new ExtensionCodec<undefined>();
  extensionCodec.register({
    type: CONTENT,
    encode: () => null,
    decode: (hash) => read(Buffer.from(hash).toString('hex')),
  });
  return extensionCodec;
}
