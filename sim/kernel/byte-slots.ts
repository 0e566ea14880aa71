/**
 * Frames in flight, and payloads that wait: fixed slots of 256 bytes in one growing array, handed
 * out and given back.
 */
import { assert } from '../base/assert.ts';
import { i32, NONE, opaque, Pool, type SavedPool, u8, u16, wide } from './columns.ts';
import type { Digest } from './digest.ts';

/** A PHYPayload has at most 255 bytes. */
const SLOT_BYTES = 256;

export class ByteSlots {
  readonly #pool = new Pool({
    bytes: opaque(wide(u8, SLOT_BYTES)),
    length: u16,
    next: opaque(i32),
  });

  take(): number {
    return this.#pool.take();
  }

  give(slot: number): void {
    if (slot !== NONE) this.#pool.give(slot);
  }

  length(slot: number): number {
    return this.#pool.column.length[slot];
  }

  /** Puts the first `length` bytes of a frame, 255 at most, in a slot. */
  copyIn(slot: number, frame: Uint8Array, length: number): void {
    assert(length >= 0 && length < SLOT_BYTES, 'a frame fits its slot');
    const { bytes, length: lengths } = this.#pool.column;
    const at = slot * SLOT_BYTES;
    for (let i = 0; i < length; i++) bytes[at + i] = frame[i];
    lengths[slot] = length;
  }

  /** Copies a frame out and returns its length. */
  copyOut(slot: number, frame: Uint8Array): number {
    const { bytes, length: lengths } = this.#pool.column;
    const at = slot * SLOT_BYTES;
    const length = lengths[slot];
    for (let i = 0; i < length; i++) frame[i] = bytes[at + i];
    return length;
  }

  /** Folds what stands in a slot; nothing for NONE. */
  digest(slot: number, digest: Digest): void {
    if (slot === NONE) return;
    const { bytes, length } = this.#pool.column;
    const at = slot * SLOT_BYTES;
    for (let i = 0; i < length[slot]; i++) digest.addWord(bytes[at + i]);
  }

  /** Slots handed out and not given back. */
  get live(): number {
    return this.#pool.live;
  }

  save(): SavedPool {
    return this.#pool.save();
  }

  load(saved: SavedPool): void {
    this.#pool.load(saved);
  }
}
