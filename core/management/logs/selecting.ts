/**
 * Entries of a log that somebody asks for, the latest first. Chunks are passed over by their counts
 * as far as those say how many entries fit; all else is looked at in steps.
 */
import type { Steps } from '../../base/in-steps.ts';
import { type Chunk, type EuiWords, firstWhere, numberOf, type Postings } from './chunk.ts';
import type { LogCopy } from './log-store.ts';

/** What is asked for; what is absent fits any. */
export interface Wanted {
  /** 1 for each class that fits (`classesWhere`). */
  readonly classes?: Uint8Array | undefined;
  readonly device?: EuiWords | undefined;
  /** One of the subscriber's own at that time, which heard or sends it. */
  readonly gateway?: EuiWords | undefined;
  /** Virtual time, µs, both included. */
  readonly fromUs: number;
  readonly untilUs: number;
}

/** Where an entry stands. */
export interface Found {
  readonly chunk: Chunk;
  readonly place: number;
}

/** Entries that a step looks at: less than a millisecond. */
const PER_STEP = 1 << 16;

/** Matching entries after an offset, up to a limit, the latest first. */
export function* selecting(
  log: LogCopy,
  wanted: Wanted,
  skip: number,
  take: number,
): Steps<readonly Found[]> {
  const found: Found[] = [];
  let [left, looked] = [skip, 0];
  for (const part of partsOf(log, wanted)) {
    looked += part.work;
    if (looked >= PER_STEP) {
      looked = 0;
      yield;
    }
    const count = part.count();
    if (left >= count) {
      left -= count;
      continue;
    }
    for (const place of part.latestFirst()) {
      if (left > 0) {
        left--;
        continue;
      }
      found.push({ chunk: part.chunk, place });
      if (found.length === take) return found;
    }
  }
  return found;
}

/** All that fit, the latest first, each when it is asked for. */
export function* allOf(log: LogCopy, wanted: Wanted): Iterable<Found> {
  for (const { chunk, latestFirst } of partsOf(log, wanted)) {
    for (const place of latestFirst()) yield { chunk, place };
  }
}

/** The entries of a chunk that may fit. */
interface Part {
  readonly chunk: Chunk;
  /** Entries that are looked at to know how many fit. */
  readonly work: number;
  readonly count: () => number;
  readonly latestFirst: () => Iterable<number>;
}

/** Of the latest chunk first; chunks in which nothing can fit are left out. */
function* partsOf({ chunks, past }: LogCopy, wanted: Wanted): Iterable<Part> {
  for (let at = chunks.length - 1; at >= 0; at--) {
    const chunk = chunks[at]!;
    const { atUs } = chunk.entries;
    const count = at === 0 ? past : 0;
    const { fromUs, untilUs } = wanted;
    const [firstUs, lastUs] = [atUs[count]!, atUs[chunk.size - 1]!];
    if (lastUs < fromUs || firstUs > untilUs) continue;
    // Most chunks are within the time as a whole.
    const from = firstUs >= fromUs ? count : firstWhere(chunk.size, (at) => atUs[at]! >= fromUs);
    const until =
      lastUs <= untilUs ? chunk.size : firstWhere(chunk.size, (at) => atUs[at]! > untilUs);
    const part = from < until ? partOf(chunk, from, until, wanted) : undefined;
    if (part !== undefined) yield part;
  }
}

/** Entries `from` to `until` of a chunk; undefined: none can fit. */
function partOf(chunk: Chunk, from: number, until: number, wanted: Wanted): Part | undefined {
  const { classes, device, gateway } = wanted;
  const { class: classAt } = chunk.entries;
  const isOfGateway = gateway && gatewayTest(chunk, gateway);
  if (gateway !== undefined && isOfGateway === undefined) return undefined;
  const run =
    device !== undefined
      ? runOf(chunk.devices, device)
      : gateway !== undefined
        ? runOf(chunk.gateways, gateway)
        : undefined;
  if (run?.length === 0) return undefined;
  const first = run === undefined ? from : firstWhere(run.length, (i) => run[i]! >= from);
  const end = run === undefined ? until : firstWhere(run.length, (i) => run[i]! >= until);
  const isJoint = device !== undefined && isOfGateway !== undefined;
  const fits = (place: number): boolean =>
    (classes === undefined || classes[classAt[place]!] === 1) && (!isJoint || isOfGateway!(place));
  const isWhole = end - first === chunk.size;
  const isCounted = !isJoint && (classes === undefined || isWhole);
  return {
    chunk,
    work: isCounted ? 256 : end - first,
    count: () => {
      if (isCounted) return classes === undefined ? end - first : countOf(chunk, classes);
      let count = 0;
      for (let i = first; i < end; i++) if (fits(run === undefined ? i : run[i]!)) count++;
      return count;
    },
    latestFirst: function* () {
      for (let i = end - 1; i >= first; i--) {
        const place = run === undefined ? i : run[i]!;
        if (fits(place)) yield place;
      }
    },
  };
}

/** Entries of these classes in a whole chunk. */
function countOf({ classes: counts }: Chunk, classes: Uint8Array): number {
  let count = 0;
  for (let each = 0; each < 256; each++) if (classes[each] === 1) count += counts[each]!;
  return count;
}

const NO_PLACES = new Uint16Array(0);

/** Places of an EUI's entries, in their order. */
function runOf(postings: Postings, eui: EuiWords): Uint16Array {
  const number = numberOf(postings, eui);
  if (number < 0) return NO_PLACES;
  return placesOf(postings, number);
}

/** The same of one by its number. */
export const placesOf = ({ from, places }: Postings, number: number): Uint16Array =>
  places.subarray(from[number]!, from[number + 1]!);

/** Whether an entry has a reception of this gateway; undefined: none of the chunk has. */
function gatewayTest(
  { gateways, entries, receptions }: Chunk,
  gateway: EuiWords,
): ((place: number) => boolean) | undefined {
  const number = numberOf(gateways, gateway);
  if (number < 0) return undefined;
  return (place) => {
    const from = entries.receptionsFrom[place]!;
    for (let i = from; i < from + entries.receptions[place]!; i++) {
      if (receptions.gateway[i] === number) return true;
    }
    return false;
  };
}
