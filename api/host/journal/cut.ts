/**
 * Cuts a journal: what stands from a place on is lost to the world, which goes on from what stands
 * before. The bytes are stored in files beside. Copies come first, then later segments go, the last
 * one first: a cut that ends halfway can be begun again.
 */
import { fail, ok, type Result } from '../../../sim/base/result.ts';
import type { Disk } from './disk.ts';
import { LATEST_FILE, segmentName, segmentsIn } from './segment-header-msgpack.ts';
import { framesFrom, type Place, type Readable, type Verdict, verify } from './verify.ts';

export interface Cutting {
  readonly at: Place;
  /** Frames with a right checksum that go. */
  readonly frames: number;
  readonly bytes: number;
}

/** Where to cut; what is absent: at the damage, or from the segment's start. */
export interface Wanted {
  readonly segment?: number | undefined;
  readonly at?: number | undefined;
}

export type CutFailure =
  /** There is no damage, and no place was named. */
  | 'cut.nothing'
  /** No entry begins there, or what stands before is not whole. */
  | 'cut.place'
  /** The journal cannot be read for a reason that cutting does not help. */
  | 'cut.unreadable';

/** What a cut would take away; nothing changes. */
export async function cutting(
  stored: Readable,
  wanted: Wanted,
): Promise<Result<Cutting, CutFailure>> {
  const begins: Place[] = [];
  const verdict = await verify(stored, ({ segment, offset }) => {
    if (begins.at(-1)?.segment !== segment) begins.push({ segment, offset: 0 });
    begins.push({ segment, offset });
  });
  const place = placeOf(wanted, begins, verdict);
  if (!place.ok) return place;
  return ok({ at: place.value, ...(await framesFrom(stored.disk, place.value)) });
}

function placeOf(
  { segment, at }: Wanted,
  begins: readonly Place[],
  { fault, torn }: Verdict,
): Result<Place, CutFailure> {
  if (fault !== undefined && fault.at === undefined) return fail('cut.unreadable', fault.message);
  const ends = fault?.at ?? torn;
  if (segment === undefined && at === undefined) {
    if (fault?.at !== undefined) return ok(fault.at);
    return fail('cut.nothing', 'The journal is whole: there is nothing to cut.');
  }
  const last = ends ?? begins.at(-1);
  const wanted = {
    segment: segment === undefined ? (last?.segment ?? '') : segmentName(segment),
    offset: at ?? 0,
  };
  const places = ends === undefined ? begins : [...begins, ends];
  const isPlace = places.some((each) => isSame(each, wanted));
  return isPlace ? ok(wanted) : fail('cut.place', noPlace(wanted, places));
}

const isSame = (a: Place, b: Place): boolean => a.segment === b.segment && a.offset === b.offset;

function noPlace({ segment, offset }: Place, places: readonly Place[]): string {
  const inIt = places.filter((each) => each.segment === segment).map((each) => each.offset);
  if (inIt.length === 0) return `${segment} has no entry that is whole.`;
  const before = inIt.filter((each) => each < offset).at(-1) ?? inIt[0];
  const next = inIt.find((each) => each > offset);
  const after = next === undefined ? '' : `, the next one at byte ${next}`;
  return `No entry of ${segment} begins at byte ${offset}; one does at byte ${before}${after}.`;
}

/** Names of the files that have what was cut, in the order of the segments. */
export async function cut(disk: Disk, { segment, offset }: Place): Promise<readonly string[]> {
  const numbers = segmentsIn(await disk.list());
  const cutNumbers = numbers.filter((number) => segmentName(number) >= segment);
  const copies: string[] = [];
  for (const number of cutNumbers) {
    const name = segmentName(number);
    copies.push(await keepBytes(disk, name, name === segment ? offset : 0));
  }
  const staying = numbers.filter((number) => segmentName(number) < segment).at(-1) ?? 0;
  const last = offset > 0 ? Number(segment.slice(-8)) : staying;
  await disk.put(LATEST_FILE, Buffer.from(`${last}\n`));
  for (const number of cutNumbers.toReversed()) {
    const name = segmentName(number);
    if (name === segment && offset > 0) await disk.truncate(name, offset);
    else await disk.remove(name);
    await disk.syncNames();
  }
  return copies;
}

/** A new file: copies of earlier cuts stay. */
async function keepBytes(disk: Disk, segment: string, offset: number): Promise<string> {
  const names = await disk.list();
  const name = `${segment}.cut-${offset}`;
  let copy = name;
  for (let next = 2; names.includes(copy); next++) copy = `${name}.${next}`;
  await disk.put(copy, await disk.read(segment, offset, await disk.size(segment)));
  return copy;
}
