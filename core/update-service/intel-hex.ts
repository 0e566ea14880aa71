/**
 * Intel HEX files (Intel, “Hexadecimal Object File Format Specification”, revision A, 1988): the
 * memory that one describes. Records are read in all six types; gaps are filled with 0xFF, the
 * value of erased flash, unless a far record makes them too long: then they are left out. A file
 * may end in Ctrl-Z (0x1A), as files of CP/M and DOS do.
 */
import { fail, ok, type Result } from '../../sim/base/result.ts';

export interface MemoryImage {
  /** Address of the first byte. */
  readonly startAddress: number;
  /** From the lowest to the highest byte that the file gives; maybe without its gaps. */
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

/** A colon, then pairs of digits: 5 bytes of length, address, type and checksum beside the data. */
const COLON = 0x3a;
const FRAME_BYTES = 5;
const MOST_BYTES_OF_RECORD = 260;

/** Data of a record: `size` bytes of those that were read, from `at` on. Views would take long. */
interface Piece {
  readonly address: number;
  readonly at: number;
  readonly size: number;
  readonly line: number;
}

/** Where data records lie: in a segment, whose offsets wrap around, or in the linear space. */
interface Base {
  readonly address: number;
  readonly isSegment: boolean;
}

/**
 * The memory that a file describes, whose bytes are characters of ASCII; `mostBytes` is how long
 * it may be with its gaps filled. Failures name line and column, both from 1.
 */
export function readIntelHex(
  file: Uint8Array,
  mostBytes: number,
): Result<MemoryImage, 'image.intel-hex'> {
  const pieces: Piece[] = [];
  const lines = new Lines(file);
  const { bytes } = lines;
  let base: Base = { address: 0, isSegment: false };
  let isEnded = false;
  while (lines.next()) {
    const { line } = lines;
    if (lines.isBlank) continue;
    if (isEnded) return wrong({ line, column: 1, what: 'this stands after the end of the file' });
    const begin = lines.readBytes();
    const end = lines.used;
    const fault = begin === NO_RECORD ? lines.fault : faultOfRecord(bytes, begin, end);
    if (fault !== undefined) return wrong({ line, ...fault });
    const type = bytes[begin + TYPE]!;
    const data = begin + DATA;
    if (type === RecordType.endOfFile) isEnded = true;
    else if (type === RecordType.extendedSegmentAddress) {
      base = { address: 16 * number16(bytes, data), isSegment: true };
    } else if (type === RecordType.extendedLinearAddress) {
      base = { address: SEGMENT_BYTES * number16(bytes, data), isSegment: false };
    } else if (type === RecordType.data) {
      const offset = number16(bytes, begin + OFFSET);
      place(offset, { at: data, size: bytes[begin]!, line }, base, pieces);
    }
  }
  if (!isEnded) return wrong({ ...lines.end, what: 'the file ends without an end-of-file record' });
  return joined(pieces, bytes, mostBytes);
}

// ── lines ────────────────────────────────────────────────────────────────────────────────────────

const [TAB, LINE_FEED, CARRIAGE_RETURN, CTRL_Z, SPACE] = [0x09, 0x0a, 0x0d, 0x1a, 0x20];

/** What may stand behind the last record. */
const isPadding = (code: number | undefined): boolean =>
  code === CTRL_Z || code === LINE_FEED || code === CARRIAGE_RETURN || isBlank(code);

const isBlank = (code: number | undefined): boolean => code === SPACE || code === TAB;

/** No digit: a byte with one is negative. */
const NONE = -256;
/** Values of hexadecimal digits by their characters. */
const DIGITS = Int16Array.from({ length: 256 }, (_, code) => {
  const digit = String.fromCharCode(code);
  return /[0-9A-Fa-f]/.test(digit) ? Number.parseInt(digit, 16) : NONE;
});

/** The line is no colon with pairs of digits behind it. */
const NO_RECORD = -1;

/** A file's lines one after the other, and the bytes that they write. */
class Lines {
  /** From 1. */
  line = 0;
  readonly #file: Uint8Array;
  /** Where what is behind the last record begins. */
  readonly #length: number;
  /** The bytes of all records so far, and how many they are. */
  readonly bytes: Uint8Array;
  used = 0;
  #from = 0;
  #end = 0;
  #next = 0;

  constructor(file: Uint8Array) {
    let length = file.length;
    while (isPadding(file[length - 1])) length--;
    this.#file = file;
    this.#length = length;
    this.bytes = new Uint8Array(file.length >> 1);
  }

  /** Goes to the next line; false when there is none. */
  next(): boolean {
    const file = this.#file;
    const length = this.#length;
    if (this.#next > length) return false;
    this.line++;
    this.#from = this.#next;
    let at = this.#from;
    while (at < length && file[at] !== LINE_FEED && file[at] !== CARRIAGE_RETURN) at++;
    const isPair = file[at] === CARRIAGE_RETURN && file[at + 1] === LINE_FEED;
    this.#next = at + (isPair ? 2 : 1);
    while (at > this.#from && isBlank(file[at - 1])) at--;
    this.#end = at;
    return true;
  }

  get isBlank(): boolean {
    return this.#end === this.#from;
  }

  /** Behind the last character of the line. */
  get end(): { readonly line: number; readonly column: number } {
    return { line: this.line, column: this.#columnOf(this.#end) };
  }

  /** Why the line is no record: a colon, then pairs of hexadecimal digits. */
  get fault(): Fault {
    const file = this.#file;
    const [from, end] = [this.#from, this.#end];
    const isWrong = (at: number) => (at === from ? file[at] !== COLON : DIGITS[file[at]!]! < 0);
    let at = from;
    while (at < end && !isWrong(at)) at++;
    const column = this.#columnOf(at);
    if (at < end && file[at] === CTRL_Z) {
      return { column, what: 'a Ctrl-Z stands before the end of the file' };
    }
    if (at === from) return { column, what: 'a record begins with a colon' };
    if (at < end) return { column, what: 'this is no hexadecimal digit' };
    const digits = end - from - 1;
    const [fewest, most] = [2 * FRAME_BYTES, 2 * MOST_BYTES_OF_RECORD];
    return {
      column,
      what: `a record has ${fewest} to ${most} digits in pairs, this one ${digits}`,
    };
  }

  #columnOf(at: number): number {
    return at - this.#from + 1;
  }

  /** Reads the bytes behind the line's colon; where they begin, or `NO_RECORD`. */
  readBytes(): number {
    const file = this.#file;
    const digits = this.#end - this.#from - 1;
    const isRecord = file[this.#from] === COLON && digits % 2 === 0;
    if (!isRecord || digits < 2 * FRAME_BYTES || digits > 2 * MOST_BYTES_OF_RECORD) {
      return NO_RECORD;
    }
    const { bytes, used: begin } = this;
    let used = begin;
    for (let at = this.#from + 1; at < this.#end; at += 2) {
      const byte = 16 * DIGITS[file[at]!]! + DIGITS[file[at + 1]!]!;
      if (byte < 0) return NO_RECORD;
      bytes[used++] = byte;
    }
    this.used = used;
    return begin;
  }
}

// ── records ──────────────────────────────────────────────────────────────────────────────────────

/** Places in a record: its length, then these, then a checksum. */
const [OFFSET, TYPE, DATA] = [1, 3, 4];

/** What is wrong, and in which column of its line. */
interface Fault {
  readonly column: number;
  readonly what: string;
}

/** Columns of a record's parts; two digits a byte stand behind the colon. */
const columnOf = (byte: number): number => 2 + 2 * byte;

/** What is wrong with the record in `bytes` from `begin` to `end`; undefined: nothing. */
function faultOfRecord(bytes: Uint8Array, begin: number, end: number): Fault | undefined {
  const length = bytes[begin]!;
  const type = bytes[begin + TYPE]!;
  const size = end - begin;
  if (size !== length + FRAME_BYTES) {
    const what = `the length says ${length} bytes of data, and there are ${size - FRAME_BYTES}`;
    return { column: columnOf(0), what };
  }
  let sum = 0;
  for (let i = begin; i < end; i++) sum += bytes[i]!;
  if ((sum & 0xff) !== 0) {
    const checksum = bytes[end - 1]!;
    const right = (checksum - sum) & 0xff;
    const what = `the checksum is ${hex(checksum)}; the bytes have ${hex(right)}`;
    return { column: columnOf(size - 1), what };
  }
  if (!(type in DATA_BYTES)) {
    return { column: columnOf(TYPE), what: `the type is ${hex(type)}; there are 00 to 05` };
  }
  const wanted = DATA_BYTES[type];
  if (wanted === undefined || length === wanted) return undefined;
  const what = `type ${hex(type)} has ${wanted} bytes of data, and there are ${length}`;
  return { column: columnOf(0), what };
}

/** Puts data at its addresses: two pieces where it wraps around in its segment. */
function place(
  offset: number,
  { at, size, line }: Omit<Piece, 'address'>,
  base: Base,
  pieces: Piece[],
): void {
  const address = base.address + offset;
  const untilEnd = SEGMENT_BYTES - offset;
  if (size === 0) return;
  if (!base.isSegment || size <= untilEnd) {
    pieces.push({ address, at, size, line });
    return;
  }
  pieces.push({ address, at, size: untilEnd, line });
  pieces.push({ address: base.address, at: at + untilEnd, size: size - untilEnd, line });
}

/** One memory of all pieces, which must not overlap. */
function joined(
  pieces: readonly Piece[],
  read: Uint8Array,
  mostBytes: number,
): Result<MemoryImage, 'image.intel-hex'> {
  // Files are in order as a rule, and a large one takes long to sort.
  const isSorted = pieces.every(({ address }, i) => i === 0 || pieces[i - 1]!.address <= address);
  const sorted = isSorted ? pieces : pieces.toSorted((a, b) => a.address - b.address);
  const [first] = sorted;
  if (first === undefined) return fail('image.intel-hex', 'The file has no data.');
  let endAddress = first.address;
  let lineBefore = 0;
  for (const { address, size, line } of sorted) {
    if (address < endAddress) {
      return wrongAddress(Math.max(line, lineBefore), `this writes to ${hex(address)} again`);
    }
    endAddress = address + size;
    lineBefore = line;
    if (endAddress > ADDRESS_SPACE) return wrongAddress(line, 'this ends above FFFFFFFF');
  }
  const span = endAddress - first.address;
  const isFilled = span <= mostBytes;
  const length = isFilled ? span : sorted.reduce((sum, { size }) => sum + size, 0);
  const bytes = new Uint8Array(length).fill(ERASED);
  let end = 0;
  for (const { address, at, size } of sorted) {
    const to = isFilled ? address - first.address : end;
    for (let i = 0; i < size; i++) bytes[to + i] = read[at + i]!;
    end = to + size;
  }
  return ok({ startAddress: first.address, bytes });
}

const wrong = ({ line, column, what }: Fault & { readonly line: number }) =>
  fail('image.intel-hex', `Line ${line}, column ${column}: ${what}.`);

const wrongAddress = (line: number, what: string) =>
  wrong({ line, column: columnOf(OFFSET), what });

const number16 = (bytes: Uint8Array, at: number): number => bytes[at]! * 256 + bytes[at + 1]!;

const hex = (value: number): string => value.toString(16).toUpperCase().padStart(2, '0');
