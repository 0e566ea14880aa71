/**
 * A frame of a journal: one entry, or the end of a burst of them, as it stands in a file.
 *
 *     magic 4 | length 4 | crc32 4 | sequence 8 | durable 8 | previous crc32 4 | payload
 *
 * Numbers are little-endian. The checksum covers all that follows it; the checksum of the frame
 * before chains frames, so that none is lost, doubled or moved unseen. `durable` is the latest
 * sequence number that was on the disk when the frame was made: it is proof that what is damaged up
 * to there had been acknowledged (docs/decisions/0065).
 */
import { crc32 } from 'node:zlib';
import { assert } from '../../../sim/base/assert.ts';

export const FRAME_HEADER_BYTES = 32;
/** A payload has no more bytes: 16 MiB of a body, with what stands around it. */
const MOST_PAYLOAD_BYTES = 32 * 1_048_576;

/** `FWJ1`. */
const MAGIC = 0x314a5746;
const [LENGTH, CRC, SEQUENCE, DURABLE, PREVIOUS] = [4, 8, 12, 20, 28] as const;

export interface Frame {
  /** From 1, without gaps over all segments. */
  readonly sequence: number;
  readonly durable: number;
  /** Checksum of the frame before; 0: there is none. */
  readonly previous: number;
  readonly payload: Uint8Array;
}

/** A frame as it was read, and its own checksum. */
export interface ReadFrame extends Frame {
  readonly crc: number;
  readonly bytes: number;
}

/** What the cipher authenticates beside the payload: all of the header but what it cannot know. */
export function authenticated({ sequence, durable, previous }: Omit<Frame, 'payload'>): Buffer {
  const header = Buffer.alloc(20);
  header.writeBigUInt64LE(BigInt(sequence), 0);
  header.writeBigUInt64LE(BigInt(durable), 8);
  header.writeUInt32LE(previous, 16);
  return header;
}

/** Its bytes and its checksum. */
export function encodeFrame(frame: Frame): { readonly bytes: Buffer; readonly crc: number } {
  const { payload } = frame;
  assert(payload.length <= MOST_PAYLOAD_BYTES, 'a payload of a frame has at most 32 MiB');
  const bytes = Buffer.allocUnsafe(FRAME_HEADER_BYTES + payload.length);
  bytes.writeUInt32LE(MAGIC, 0);
  bytes.writeUInt32LE(payload.length, LENGTH);
  authenticated(frame).copy(bytes, SEQUENCE);
  bytes.set(payload, FRAME_HEADER_BYTES);
  const crc = checksum(bytes);
  bytes.writeUInt32LE(crc, CRC);
  return { bytes, crc };
}

/** The length counts too: a frame that says another one than it has is no frame. */
const checksum = (bytes: Buffer): number =>
  crc32(bytes.subarray(SEQUENCE), bytes.readUInt32LE(LENGTH));

/**
 * The frame that begins in this place, or why there is none: `end` where too few bytes are left for
 * it, `damaged` where they are none of ours.
 */
export function frameAt(bytes: Buffer, at: number): ReadFrame | 'end' | 'damaged' {
  if (bytes.length - at < FRAME_HEADER_BYTES) return 'end';
  if (bytes.readUInt32LE(at) !== MAGIC) return 'damaged';
  const length = bytes.readUInt32LE(at + LENGTH);
  if (length > MOST_PAYLOAD_BYTES) return 'damaged';
  const end = at + FRAME_HEADER_BYTES + length;
  if (end > bytes.length) return 'end';
  const whole = bytes.subarray(at, end);
  const crc = whole.readUInt32LE(CRC);
  if (checksum(whole) !== crc) return 'damaged';
  return {
    sequence: Number(whole.readBigUInt64LE(SEQUENCE)),
    durable: Number(whole.readBigUInt64LE(DURABLE)),
    previous: whole.readUInt32LE(PREVIOUS),
    payload: whole.subarray(FRAME_HEADER_BYTES),
    crc,
    bytes: whole.length,
  };
}

/** The next place from which a frame may begin; −1: there is none. */
export function nextMagic(bytes: Buffer, from: number): number {
  return bytes.indexOf(MAGIC_BYTES, from);
}

const MAGIC_BYTES = Buffer.from([0x46, 0x57, 0x4a, 0x31]);
