/**
 * What the first frame of a segment says: which format and world it is of, and the key of its
 * frames, wrapped. It is not encrypted; nothing in it is secret.
 */
import { decode, encode } from '@msgpack/msgpack';

/** Another format is another number. */
export const FORMAT = 1;

export interface SegmentHeader {
  readonly format: number;
  /** From 1, without gaps. */
  readonly number: number;
  /** Which program wrote it. */
  readonly build: string;
  /** Which world it is of: a digest of its plan and seed. */
  readonly world: string;
  readonly wrappedKey: Uint8Array;
}

export const encodeHeader = (header: SegmentHeader): Uint8Array => encode(header);

/** Undefined: it is none. */
export function decodeHeader(payload: Uint8Array): SegmentHeader | undefined {
  try {
    const header = decode(payload) as Partial<SegmentHeader> | null;
    return isHeader(header) ? header : undefined;
  } catch {
    return undefined;
  }
}

const isHeader = (given: Partial<SegmentHeader> | null): given is SegmentHeader =>
  typeof given?.format === 'number' &&
  typeof given.number === 'number' &&
  typeof given.build === 'string' &&
  typeof given.world === 'string' &&
  given.wrappedKey instanceof Uint8Array;

/** A file with the number of the latest segment whose header is on the disk. */
export const LATEST_FILE = 'latest';

const NAME = /^segment-(\d{8})$/;

export const segmentName = (number: number): string => `segment-${String(number).padStart(8, '0')}`;

/** Numbers of the segments in a folder, the first one first. */
export const segmentsIn = (names: readonly string[]): readonly number[] =>
  names.flatMap((name) => NAME.exec(name)?.[1] ?? []).map(Number);
