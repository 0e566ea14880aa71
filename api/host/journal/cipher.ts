/**
 * What stands in a journal is encrypted: AES-256-GCM with a key for each segment, which stands in
 * the segment's header, wrapped by the key of the folder. A nonce is the sequence number, which no
 * segment has twice.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { assert } from '../../../sim/base/assert.ts';

export const KEY_BYTES = 32;
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ALGORITHM = 'aes-256-gcm';

/** A key of a segment as its header has it. */
const WRAPPED_BYTES = NONCE_BYTES + KEY_BYTES + TAG_BYTES;

export function seal(
  key: Uint8Array,
  sequence: number,
  about: Uint8Array,
  open: Uint8Array,
): Buffer {
  return sealWith(key, nonceOf(sequence), about, open);
}

/** Undefined: it was sealed by another key, or is not what was sealed. */
export function unseal(
  key: Uint8Array,
  sequence: number,
  about: Uint8Array,
  sealed: Uint8Array,
): Buffer | undefined {
  return unsealWith(key, nonceOf(sequence), about, sealed);
}

/** A new key of a segment, and the same wrapped. */
export function newSegmentKey(folderKey: Uint8Array) {
  const key = randomBytes(KEY_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const wrapped = Buffer.concat([nonce, sealWith(folderKey, nonce, NOTHING, key)]);
  return { key, wrapped };
}

/** Undefined: the folder has another key. */
export function unwrapped(folderKey: Uint8Array, wrapped: Uint8Array): Buffer | undefined {
  if (wrapped.length !== WRAPPED_BYTES) return undefined;
  const nonce = wrapped.subarray(0, NONCE_BYTES);
  return unsealWith(folderKey, nonce, NOTHING, wrapped.subarray(NONCE_BYTES));
}

const NOTHING = new Uint8Array(0);

function nonceOf(sequence: number): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeBigUInt64LE(BigInt(sequence), NONCE_BYTES - 8);
  return nonce;
}

/** With a nonce that the key has for nothing else. */
export function sealWith(
  key: Uint8Array,
  nonce: Uint8Array,
  about: Uint8Array,
  open: Uint8Array,
): Buffer {
  assert(key.length === KEY_BYTES, 'a key of a journal has 32 bytes');
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  cipher.setAAD(about);
  return Buffer.concat([cipher.update(open), cipher.final(), cipher.getAuthTag()]);
}

/** Undefined: it was sealed otherwise, or is not what was sealed. */
export function unsealWith(
  key: Uint8Array,
  nonce: Uint8Array,
  about: Uint8Array,
  sealed: Uint8Array,
): Buffer | undefined {
  if (sealed.length < TAG_BYTES) return undefined;
  const end = sealed.length - TAG_BYTES;
  const decipher = createDecipheriv(ALGORITHM, key, nonce);
  decipher.setAAD(about);
  decipher.setAuthTag(sealed.subarray(end));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()]);
  } catch {
    return undefined;
  }
}
