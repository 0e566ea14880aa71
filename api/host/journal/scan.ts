/**
 * Reads a journal from its first frame to its last. A tail that is torn is what a crash leaves: it
 * was never acknowledged, and is cut. Damage before the end is something else: a later frame whose
 * `durable` lies behind the damage proves that acknowledged entries are lost, and nobody guesses
 * what they were.
 */
import { fail, ok, type Result } from '../../../sim/base/result.ts';
import { unseal, unwrapped } from './cipher.ts';
import type { Disk } from './disk.ts';
import { authenticated, frameAt, nextMagic, type ReadFrame } from './frame.ts';
import {
  decodeHeader,
  FORMAT,
  LATEST_FILE,
  type SegmentHeader,
  segmentName,
  segmentsIn,
} from './segment-header-msgpack.ts';

export type ScanFailure =
  /** Acknowledged entries are damaged, missing or moved. */
  | 'journal.damaged'
  /** It is of another version of the format. */
  | 'journal.format'
  /** It is of another world. */
  | 'journal.world'
  /** The key is another one. */
  | 'journal.key';

/** An entry where it stands. */
export interface ScannedEntry {
  readonly sequence: number;
  readonly segment: string;
  /** Bytes from the segment's start. */
  readonly offset: number;
  readonly payload: Buffer;
}

/** Where a torn tail begins, and how many bytes it has. */
export interface TornTail {
  readonly segment: string;
  readonly offset: number;
  readonly bytes: number;
}

export interface Scanned {
  /** The last frame that is whole; 0: there is none. */
  readonly sequence: number;
  readonly crc: number;
  /** The number of the latest segment; 0: there is none. */
  readonly segment: number;
  readonly torn: TornTail | undefined;
}

export interface ScanOptions {
  readonly key: Uint8Array;
  /** Which world it has to be of; any when absent. */
  readonly world?: string;
}

/** `onEntry` receives each entry once, in their order; a failure may come after some of them. */
export async function scan(
  disk: Disk,
  options: ScanOptions,
  onEntry: (entry: ScannedEntry) => void | Promise<void>,
): Promise<Result<Scanned, ScanFailure>> {
  // Before the segments: another process may begin one meanwhile.
  const latest = (await disk.list()).includes(LATEST_FILE) ? await latestIn(disk) : 0;
  const numbers = segmentsIn(await disk.list());
  if ((numbers.at(-1) ?? 0) < latest) return missing(latest);
  let last: Scanned = { sequence: 0, crc: 0, segment: 0, torn: undefined };
  for (const number of numbers) {
    const before = last.torn;
    if (number !== last.segment + 1 && last.segment !== 0) return missing(last.segment + 1);
    const began = { ...last, isBegun: number <= latest };
    const read = await scanSegment(disk, number, began, options, onEntry);
    if (!read.ok) return read;
    // A tail that was torn before this segment began was never acknowledged, as its header says.
    if (before !== undefined && read.value.torn?.offset === 0) return damaged(before, last);
    last = read.value;
  }
  return ok(last);
}

async function scanSegment(
  disk: Disk,
  number: number,
  { isBegun, ...before }: Scanned & { readonly isBegun: boolean },
  { key, world }: ScanOptions,
  onEntry: (entry: ScannedEntry) => void | Promise<void>,
): Promise<Result<Scanned, ScanFailure>> {
  const segment = segmentName(number);
  const bytes = await disk.read(segment, 0, await disk.size(segment));
  const header = frameAt(bytes, 0);
  const place = { segment, offset: 0, bytes: bytes.length };
  // A header that was on the disk is not torn by a crash.
  if (typeof header === 'string' && isBegun) return damaged(place, before);
  if (typeof header === 'string') return torn(bytes, { ...before, segment: number }, place);
  const said = decodeHeader(header.payload);
  const wrong = wrongHeader(said, header, number, before, world);
  if (wrong !== undefined) return wrong;
  const open = unwrapped(key, said!.wrappedKey);
  if (open === undefined) return fail('journal.key', `${segment} is encrypted by another key.`);

  let last = { ...before, crc: header.crc, segment: number, torn: undefined };
  for (let at = header.bytes; at < bytes.length; ) {
    const frame = frameAt(bytes, at);
    const here = { segment, offset: at, bytes: bytes.length - at };
    if (typeof frame === 'string') return torn(bytes, last, here);
    if (!follows(frame, last)) return torn(bytes, last, here);
    const payload = unseal(open, frame.sequence, authenticated(frame), frame.payload);
    if (payload === undefined) return damaged(here, last);
    const { sequence } = frame;
    if (payload.length > 0) await onEntry({ sequence, segment, offset: at, payload });
    last = { ...last, sequence, crc: frame.crc };
    at += frame.bytes;
  }
  return ok(last);
}

const follows = (frame: ReadFrame, last: Scanned): boolean =>
  frame.sequence === last.sequence + 1 && frame.previous === last.crc;

/** What is wrong with a header that is whole; undefined: nothing. */
function wrongHeader(
  said: SegmentHeader | undefined,
  header: ReadFrame,
  number: number,
  before: Scanned,
  world: string | undefined,
) {
  const segment = segmentName(number);
  if (said === undefined || said.number !== number) {
    const message = `${segment} begins with the header of another segment.`;
    return fail('journal.damaged', message, pathOf(segment, 0));
  }
  if (said.format !== FORMAT) {
    const message = `${segment} has the format ${said.format}; this program reads ${FORMAT}.`;
    return fail('journal.format', message);
  }
  if (world !== undefined && said.world !== world) {
    return fail('journal.world', `${segment} is of another world: its scenario or seed differ.`);
  }
  const isFirst = before.segment === 0;
  if (isFirst && header.sequence === 0 && header.previous === 0) return undefined;
  const isNext = header.sequence === before.sequence && header.previous === before.crc;
  if (isNext && !isFirst) return undefined;
  // What the header follows stood where the segment before it ends.
  if (before.torn !== undefined) return damaged(before.torn, before);
  const message =
    `${segment} follows sequence number ${header.sequence}, ` +
    `and the last one before it is ${before.sequence}.`;
  return fail('journal.damaged', message, pathOf(segment, 0));
}

/** A torn tail was never acknowledged as durable; damage affects acknowledged entries. */
function torn(bytes: Buffer, last: Scanned, place: TornTail): Result<Scanned, 'journal.damaged'> {
  for (let at = nextMagic(bytes, place.offset + 1); at >= 0; at = nextMagic(bytes, at + 1)) {
    const frame = frameAt(bytes, at);
    if (typeof frame === 'string') continue;
    // A header is synced before its segment has an entry: what follows proves that it was whole.
    if (place.offset === 0 || frame.durable > last.sequence) return damaged(place, last);
  }
  return ok({ ...last, torn: place });
}

function damaged({ segment, offset }: TornTail, { sequence }: Scanned) {
  const message =
    `${segment} is damaged at byte ${offset}: the entry with sequence number ${sequence + 1} ` +
    'was acknowledged, and is not there.';
  return fail('journal.damaged', message, pathOf(segment, offset));
}

function missing(number: number) {
  const segment = segmentName(number);
  const message = `${segment} is missing, which had been written.`;
  return fail('journal.damaged', message, pathOf(segment, 0));
}

/** Until where a damaged journal is whole: a segment, and bytes from its start. */
const pathOf = (segment: string, offset: number): string => `/${segment}/${offset}`;

const latestIn = async (disk: Disk): Promise<number> =>
  Number((await disk.read(LATEST_FILE, 0, await disk.size(LATEST_FILE))).toString('utf8'));
