/**
 * Files that are encrypted each by itself, and whole or not there: AES-256-GCM with a nonce that is
 * drawn, and the file's name authenticated, so that none is taken for another.
 */
import { randomBytes } from 'node:crypto';
import { assert } from '../../../sim/base/assert.ts';
import { KEY_BYTES, NONCE_BYTES, sealWith, unsealWith } from './cipher.ts';
import type { Disk } from './disk.ts';

export class SealedFiles {
  readonly #disk: Disk;
  readonly #key: Uint8Array;

  /** `key` has 32 bytes and is for nothing else. */
  constructor(disk: Disk, key: Uint8Array) {
    assert(key.length === KEY_BYTES, 'files are sealed by a key of 32 bytes');
    this.#disk = disk;
    this.#key = key;
  }

  list(): Promise<readonly string[]> {
    return this.#disk.list();
  }

  /** It is on the disk then. */
  async put(name: string, bytes: Uint8Array): Promise<void> {
    const nonce = randomBytes(NONCE_BYTES);
    const sealed = sealWith(this.#key, nonce, Buffer.from(name), bytes);
    await this.#disk.put(name, Buffer.concat([nonce, sealed]));
  }

  /** Undefined: it is not what was put there. */
  async get(name: string): Promise<Buffer | undefined> {
    const file = await this.#disk.read(name, 0, await this.#disk.size(name));
    const [nonce, sealed] = [file.subarray(0, NONCE_BYTES), file.subarray(NONCE_BYTES)];
    if (nonce.length < NONCE_BYTES) return undefined;
    return unsealWith(this.#key, nonce, Buffer.from(name), sealed);
  }

  remove(name: string): Promise<void> {
    return this.#disk.remove(name);
  }
}
