/**
 * Secrets of clients and users: drawn with 256 random bits, shown once, and stored as keyed
 * digests.
 *
 * A verifier is the HMAC-SHA256 of a secret under a key of the server. A slow hash such as scrypt
 * protects what people choose; nobody guesses 256 bits, and a slow answer to each guess would only
 * let a guesser keep the server busy (docs/decisions/0045).
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { inspect } from 'node:util';
import { assert } from '../../../sim/base/assert.ts';

/** Bytes of a server key, and of what is random in a secret. */
export const KEY_BYTES = 32;

/** Random bytes; `drawBytes` but in tests. */
export type DrawBytes = (count: number) => Uint8Array;

export const drawBytes: DrawBytes = (count) => randomBytes(count);

/** What secrets begin with, so that scanners of files and logs find them. */
const SECRET_PREFIX = 'fw_';

const REDACTED = '[redacted]';

/** A text that is shown only where `reveal` stands: logs, errors and JSON have `[redacted]`. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}

/** `fw_` and 43 characters of base64url: 256 random bits. */
export const drawSecret = (draw: DrawBytes): Secret =>
  new Secret(SECRET_PREFIX + Buffer.from(draw(KEY_BYTES)).toString('base64url'));

/** Makes and checks verifiers, 32 bytes each. */
export class Verifiers {
  readonly #key: Uint8Array;
  /** What the secret of nobody is compared with; no secret has it but by chance in 2^256. */
  readonly #nobody: Uint8Array;

  constructor(key: Uint8Array, draw: DrawBytes) {
    assert(key.length === KEY_BYTES, 'a server key has 32 bytes');
    this.#key = Uint8Array.from(key);
    this.#nobody = draw(KEY_BYTES);
  }

  of(secret: string): Uint8Array {
    return createHmac('sha256', this.#key).update('secret\0').update(secret).digest();
  }

  /** `undefined`: nobody has the id that it was given for; that takes as long, and is wrong. */
  isRight(presented: string, verifier: Uint8Array | undefined): boolean {
    const isEqual = timingSafeEqual(this.of(presented), verifier ?? this.#nobody);
    return isEqual && verifier !== undefined;
  }
}
