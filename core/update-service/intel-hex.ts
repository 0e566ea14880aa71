/**
 * Intel HEX files (Intel, “Hexadecimal Object File Format Specification”, revision A, 1988): the
 * memory that one describes. Records are read in all six types; gaps are filled with 0xFF, the
 * value of erased flash.
 */
import { fail, ok, type Result } from '../../sim/base/result.ts';

export interface MemoryImage {
  /** Address of the first byte. */
  readonly startAddress: number;
  /** From the lowest to the highest byte that the file gives. */
  readonly bytes: Uint8Array;
}

const ERASED = 0xff;
const SEGMENT_BYTES = 0x1_0000;
const ADDRESS_SPACE = 0x1_0000_0000;

const RecordType = {
  data: 0,
  endOfFile: 1,
  extendedSegmentAddress: 2,
  startSegmentAddress: 3,
  extendedLinearAddress: 4,
  startLinearAddress: 5,
} as const;

/** Bytes of data by record type; undefined: any number. */
const DATA_BYTES: Readonly<Record<number, number | undefined>> = {
  [RecordType.data]: undefined,
  [RecordType.endOfFile]: 0,
  [RecordType.extendedSegmentAddress]: 2,
  [RecordType.startSegmentAddress]: 4,
  [RecordType.extendedLinearAddress]: 2,
  [RecordType.startLinearAddress]: 4,
};

const RECORD = /^:([0-9A-Fa-f]{2}){5,260}$/;

interface Piece {
  readonly address: number;
  readonly data: Uint8Array;
  readonly line: number;
}

/** Where data records lie: in a segment, whose offsets wrap around, or in the linear space. */
interface Base {
  readonly address: number;
  readonly isSegment: boolean;
}

/** Bytes that are turned into characters at a time: a call takes no more arguments. */
const PIECE = 0x2000;

/** The memory that a file's bytes describe; each is a character of ASCII. */
export function readIntelHex(
  bytes: Uint8Array,
  mostBytes: number,
): Result<MemoryImage, 'image.intel-hex'> {
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE) {
    text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  }
  return parseIntelHex(text, mostBytes);
}

/**
 * The memory that a file describes; `mostBytes` bounds its span. Failures name the line, from 1.
 */
export function parseIntelHex(
  text: string,
  mostBytes: number,
): Result<MemoryImage, 'image.intel-hex'> {
  const pieces: Piece[] = [];
  let base: Base = { address: 0, isSegment: false };
  let isEnded = false;
  const lines = text.split(/\r\n|\n|\r/);
  for (let line = 1; line <= lines.length; line++) {
    const content = lines[line - 1]!.trimEnd();
    if (content === '') continue;
    if (isEnded) return wrong(line, 'stands after the end of the file');
    const record = readRecord(content);
    if (typeof record === 'string') return wrong(line, record);
    const { type, data } = record;
    if (type === RecordType.endOfFile) isEnded = true;
    else if (type === RecordType.extendedSegmentAddress) {
      base = { address: 16 * number16(data), isSegment: true };
    } else if (type === RecordType.extendedLinearAddress) {
      base = { address: SEGMENT_BYTES * number16(data), isSegment: false };
    } else if (type === RecordType.data) pieces.push(...place(record, base, line));
  }
  if (!isEnded) return wrong(lines.length, 'is the last, but no end-of-file record');
  return joined(pieces, mostBytes);
}

interface HexRecord {
  readonly type: number;
  readonly offset: number;
  readonly data: Uint8Array;
}

/** A record, or what is wrong with its line. */
function readRecord(content: string): HexRecord | string {
  if (!RECORD.test(content)) return 'is no record: a colon and pairs of hexadecimal digits';
  const bytes = Uint8Array.from({ length: (content.length - 1) / 2 }, (_, i) =>
    Number.parseInt(content.slice(1 + 2 * i, 3 + 2 * i), 16),
  );
  const [length, high, low, type] = bytes as unknown as [number, number, number, number];
  if (bytes.length !== length + 5) {
    return `says that it has ${length} bytes of data, and has ${bytes.length - 5}`;
  }
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  if ((sum & 0xff) !== 0) {
    const right = (bytes.at(-1)! - sum) & 0xff;
    return `has the checksum ${hex(bytes.at(-1)!)}; its bytes have ${hex(right)}`;
  }
  if (!(type in DATA_BYTES)) return `has the type ${hex(type)}; there are 00 to 05`;
  const wanted = DATA_BYTES[type];
  if (wanted !== undefined && length !== wanted) {
    return `has ${length} bytes of data; type ${hex(type)} has ${wanted}`;
  }
  return { type, offset: high * 256 + low, data: bytes.subarray(4, -1) };
}

/** The data of a record at its addresses: two pieces where it wraps around in its segment. */
function place({ offset, data }: HexRecord, base: Base, line: number): Piece[] {
  const address = base.address + offset;
  const untilEnd = SEGMENT_BYTES - offset;
  if (!base.isSegment || data.length <= untilEnd) return [{ address, data, line }];
  return [
    { address, data: data.subarray(0, untilEnd), line },
    { address: base.address, data: data.subarray(untilEnd), line },
  ];
}

/** One memory of all pieces, which must not overlap. */
function joined(
  pieces: readonly Piece[],
  mostBytes: number,
): Result<MemoryImage, 'image.intel-hex'> {
  const sorted = pieces
    .filter(({ data }) => data.length > 0)
    .sort((a, b) => a.address - b.address || a.line - b.line);
  const [first] = sorted;
  if (first === undefined) return fail('image.intel-hex', 'The file has no data.');
  let endAddress = first.address;
  let lineBefore = 0;
  for (const { address, data, line } of sorted) {
    if (address < endAddress) {
      return wrong(Math.max(line, lineBefore), `writes to ${hex(address)} again`);
    }
    endAddress = address + data.length;
    lineBefore = line;
    if (endAddress > ADDRESS_SPACE) return wrong(line, 'ends above the address FFFFFFFF');
    const span = endAddress - first.address;
    if (span > mostBytes) {
      return wrong(line, `makes the image ${span} bytes long; at most ${mostBytes} are taken`);
    }
  }
  const bytes = new Uint8Array(endAddress - first.address).fill(ERASED);
  for (const { address, data } of sorted) bytes.set(data, address - first.address);
  return ok({ startAddress: first.address, bytes });
}

const wrong = (line: number, what: string) => fail('image.intel-hex', `Line ${line} ${what}.`);

const number16 = (data: Uint8Array): number => data[0]! * 256 + data[1]!;

const hex = (value: number): string => value.toString(16).toUpperCase().padStart(2, '0');
