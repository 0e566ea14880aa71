/** Reads a whole journal; reports its contents, and where it is torn or damaged. */

import type { DurableFolder } from './durable-folder.ts';
import { decodeFields, type EntryFields } from './fields-msgpack.ts';
import { frameAt, nextMagic } from './frame.ts';
import { type ScanFailure, type ScannedEntry, scan, type TornTail } from './scan.ts';
import { segmentName, segmentsIn } from './segment-header-msgpack.ts';

/** A byte of a segment. */
export interface Place {
  readonly segment: string;
  readonly offset: number;
}

export interface Verdict {
  readonly segments: number;
  /** Of all segments. */
  readonly bytes: number;
  /** Entries that are whole, up to any damage. */
  readonly entries: number;
  /** The same by kind, in the order in which the kinds came. */
  readonly byKind: ReadonlyMap<string, number>;
  /** Virtual times of the first and the last entry, µs; absent: there is none. */
  readonly span: readonly [number, number] | undefined;
  /** What a crash has left; the next start cuts it. */
  readonly torn: TornTail | undefined;
  readonly fault: Fault | undefined;
}

/** Why the journal is not read further. */
export interface Fault {
  readonly code: ScanFailure;
  readonly message: string;
  /** Where the journal is whole until; absent: what is wrong is not a place. */
  readonly at: Place | undefined;
}

/** What a journal is read with. */
export type Readable = Pick<DurableFolder, 'disk' | 'key' | 'world'>;

/** `onEntry` receives each entry that is whole, once, in their order. */
export async function verify(
  { disk, key, world }: Readable,
  onEntry: (entry: ScannedEntry, fields: EntryFields) => void | Promise<void> = () => undefined,
): Promise<Verdict> {
  const names = segmentsIn(await disk.list()).map(segmentName);
  const sizes = await Promise.all(names.map((name) => disk.size(name)));
  const byKind = new Map<string, number>();
  let entries = 0;
  let span: readonly [number, number] | undefined;
  const scanned = await scan(disk, { key, world }, async (entry) => {
    const fields = decodeFields(entry.payload);
    byKind.set(fields.kind, (byKind.get(fields.kind) ?? 0) + 1);
    entries++;
    span = [span?.[0] ?? fields.atUs, fields.atUs];
    await onEntry(entry, fields);
  });
  return {
    segments: names.length,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    entries,
    byKind,
    span,
    torn: scanned.ok ? scanned.value.torn : undefined,
    fault: scanned.ok ? undefined : faultOf(scanned.failure),
  };
}

/** A failure’s path is `/segment/byte`. */
function faultOf({ code, message, path }: { code: ScanFailure; message: string; path?: string }) {
  const [, segment, offset] = path?.split('/') ?? [];
  const at = segment === undefined ? undefined : { segment, offset: Number(offset) };
  return { code, message, at };
}

/** Frames with a right checksum from a place on, whatever stands between them. */
export async function framesFrom(disk: Readable['disk'], { segment, offset }: Place) {
  const names = segmentsIn(await disk.list()).map(segmentName);
  let frames = 0;
  let bytes = 0;
  for (const name of names.filter((each) => each >= segment)) {
    const from = name === segment ? offset : 0;
    const all = await disk.read(name, 0, await disk.size(name));
    bytes += all.length - from;
    frames += framesIn(all, from);
  }
  return { frames, bytes };
}

/** The first frame of a segment is its header, which has nothing of the world. */
function framesIn(bytes: Buffer, from: number): number {
  let count = 0;
  for (let at = nextMagic(bytes, from); at >= 0; ) {
    const frame = frameAt(bytes, at);
    const isFrame = typeof frame !== 'string';
    if (isFrame && at > 0) count++;
    at = nextMagic(bytes, isFrame ? at + frame.bytes : at + 1);
  }
  return count;
}
