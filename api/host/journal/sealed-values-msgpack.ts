/** Values as they stand on the disk: sealed, each with the name under which it stands. */
import { randomBytes } from 'node:crypto';
import { decode, encode } from '@msgpack/msgpack';
import { NONCE_BYTES, sealWith, unsealWith } from './cipher.ts';

/** `key`: 32 bytes. The nonce stands before it. */
export function sealedValue(key: Uint8Array, name: string, value: unknown): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  return Buffer.concat([nonce, sealWith(key, nonce, Buffer.from(name), encode(value))]);
}

/** Undefined: it is damaged, was sealed with another key, or stands under another name. */
export function unsealedValue<Value>(
  key: Uint8Array,
  name: string,
  bytes: Uint8Array,
): Value | undefined {
  const [nonce, sealed] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES)];
  const value = unsealWith(key, nonce, Buffer.from(name), sealed);
  return value === undefined ? undefined : (decode(value) as Value);
}
