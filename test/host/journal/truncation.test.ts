/**
 * A journal that is cut at every byte, with several segments, contents, names and a restore: what
 * is left is exactly the entries that are whole, or is refused with the place where acknowledged
 * entries are missing.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { StoredContents } from '../../../api/host/journal/contents.ts';
import { decodeEntry, type JournalEntry } from '../../../api/host/journal/entries-msgpack.ts';
import { EntryJournal } from '../../../api/host/journal/entry-journal.ts';
import { FRAME_HEADER_BYTES } from '../../../api/host/journal/frame.ts';
import { History } from '../../../api/host/journal/history.ts';
import { type ScannedEntry, scan } from '../../../api/host/journal/scan.ts';
import { SealedFiles } from '../../../api/host/journal/sealed-files.ts';
import { LATEST_FILE, segmentName } from '../../../api/host/journal/segment-header-msgpack.ts';
import { drawsOf, KEY, opened, settled, WORLD } from '../../support/journals.ts';
import { PowerLossDisk } from '../../support/power-loss-disk.ts';

const ENTRIES: readonly JournalEntry[] = [
  { kind: 'clockReached', atUs: 1_000, life: 0 },
  group('before', 1_000),
  { kind: 'named', atUs: 1_000, name: 'morning' },
  upload('meter.bin', 2_000, 1_100),
  { kind: 'clockReached', atUs: 3_000, life: 0 },
  group('taken back', 3_000),
  { kind: 'restored', atUs: 1_000, name: 'morning' },
  { kind: 'clockReached', atUs: 9_000, life: 0 },
  { kind: 'clockReached', atUs: 4_000, life: 1 },
  upload('valve.bin', 4_000, 1_200),
  { kind: 'steppedOver', atUs: 4_000 },
  { kind: 'named', atUs: 4_000, name: 'noon' },
  { kind: 'forgotten', atUs: 4_000, name: 'morning' },
  group('last', 4_000),
];

function group(Name: string, atUs: number): JournalEntry {
  return {
    kind: 'command',
    atUs,
    command: { kind: 'endDeviceGroup.create', by: 'ann', group: { Name } },
  };
}

function upload(name: string, atUs: number, length: number): JournalEntry {
  const bytes = new Uint8Array(length).fill(name.charCodeAt(0));
  return { kind: 'command', atUs, command: { kind: 'image.create', by: 'ann', name, bytes } };
}

/** Where a frame ends, in bytes from the start of its segment. */
interface Whole {
  readonly segment: number;
  readonly from: number;
  readonly end: number;
}

let disk: PowerLossDisk;
let contents: PowerLossDisk;
/** Entries in their places, and the bytes of each segment. */
let places: readonly Whole[] = [];
let segments: readonly Buffer[] = [];

const filesOf = (of: PowerLossDisk) => new SealedFiles(of, KEY);

beforeAll(async () => {
  disk = new PowerLossDisk(drawsOf(1));
  contents = new PowerLossDisk(drawsOf(2));
  const { journal, time } = await opened(disk, { segmentBytes: 400 });
  const stored = await StoredContents.open(filesOf(contents));
  const entries = new EntryJournal(journal, stored, (error) => expect(error).toBeUndefined());
  for (const [at, entry] of ENTRIES.entries()) {
    expect(await entries.appended(entry)).toBe('durable');
    if (at % 4 === 3) time.passes(60);
    await settled();
  }
  await entries.close();
  const names = (await disk.list()).filter((name) => name !== LATEST_FILE);
  segments = names.map((name) => Buffer.from(disk.bytesOf(name)));
  const found: Whole[] = [];
  await scan(disk, { key: KEY, world: WORLD }, ({ segment, offset }) => {
    const number = Number(segment.slice(-8));
    const length = segments[number - 1]!.readUInt32LE(offset + 4);
    found.push({ segment: number, from: offset, end: offset + FRAME_HEADER_BYTES + length });
  });
  places = found;
});

/** The segments up to a damaged one, cut to a length, and those after it from a given one on. */
function cutDisk(segment: number, length: number, latest: number, after: boolean): PowerLossDisk {
  const cut = disk.reopen();
  for (let number = segment; number <= segments.length; number++) {
    if (number === segment)
      cut.setBytes(segmentName(number), segments[number - 1]!.subarray(0, length));
    else if (!after) void cut.remove(segmentName(number));
  }
  cut.setBytes(LATEST_FILE, Buffer.from(`${latest}\n`));
  return cut;
}

/** What a start makes of it, or where it is refused. */
async function read(cut: PowerLossDisk, from = contents) {
  const stored = await StoredContents.open(filesOf(from));
  const history = new History();
  let count = 0;
  const add = async ({ payload }: ScannedEntry) => {
    const missing = await stored.read(decodeEntry(payload).missing);
    if (missing.length > 0) throw new Error(`missing ${missing.join()}`);
    history.add(decodeEntry(payload, (sha256) => plain(stored.get(sha256))).entry);
    count++;
  };
  const scanned = await scan(cut, { key: KEY, world: WORLD }, add);
  const failure = scanned.ok ? undefined : scanned.failure;
  return { count, refused: failure && { code: failure.code, path: failure.path }, history };
}

/** Not a buffer of Node.js, which no comparison takes for the same. */
const plain = (bytes: Uint8Array | undefined) => bytes && new Uint8Array(bytes);

const report = (history: History) => JSON.stringify([history.state(), ...history.named]);

/** Of the first entries, by their count. */
const HISTORIES = Array.from({ length: ENTRIES.length + 1 }, (_, count) =>
  report(historyOf(count)),
);

function historyOf(count: number): History {
  const history = new History();
  for (const entry of ENTRIES.slice(0, count)) history.add(entry);
  return history;
}

const headerBytes = (segment: number): number =>
  FRAME_HEADER_BYTES + segments[segment - 1]!.readUInt32LE(4);

/** Entries that are whole in that many bytes of a segment, and all before it. */
const wholeIn = (segment: number, length: number): number =>
  places.filter(
    (each) => each.segment < segment || (each.segment === segment && each.end <= length),
  ).length;

describe('a journal that is cut at any byte', () => {
  it('has several segments, contents, names and a restore', async () => {
    expect(segments.length).toBeGreaterThan(3);
    expect(places.length).toBe(ENTRIES.length);
    expect(await contents.list()).toHaveLength(2);
    const { count, history } = await read(disk);
    expect([count, history.state().life]).toEqual([ENTRIES.length, 1]);
    expect([...history.named.keys()]).toEqual(['noon']);
  });

  it('is exactly the entries that are whole, as a crash may leave it', async () => {
    for (let segment = 1; segment <= segments.length; segment++) {
      for (let length = 0; length <= segments[segment - 1]!.length; length++) {
        // `latest` is put once the header is on the disk.
        const latest = length < headerBytes(segment) ? segment - 1 : segment;
        const { count, refused, history } = await read(cutDisk(segment, length, latest, false));
        const place = `${length} bytes of segment ${segment}`;
        expect([refused, count], place).toEqual([undefined, wholeIn(segment, length)]);
        expect(report(history) === HISTORIES[count], place).toBe(true);
      }
    }
  });

  it('is refused where a segment is missing that was begun, or its header', async () => {
    const latest = segments.length;
    for (let segment = 1; segment < latest; segment++) {
      for (let length = 0; length <= segments[segment - 1]!.length; length += 7) {
        const { refused } = await read(cutDisk(segment, length, latest, false));
        const path = `/${segmentName(latest)}/0`;
        expect(refused).toEqual({ code: 'journal.damaged', path });
      }
    }
  });

  it('is refused where segments behind it stay, with the place of what is missing', async () => {
    const latest = segments.length;
    for (let segment = 1; segment < latest; segment++) {
      const whole = segments[segment - 1]!;
      for (let length = 0; length < whole.length; length++) {
        const { count, refused } = await read(cutDisk(segment, length, latest, true));
        const place = `${length} bytes of segment ${segment}`;
        expect(refused, place).toEqual({ code: 'journal.damaged', path: expect.any(String) });
        expect([refused!.path, count], place).toEqual([
          pathAt(segment, length),
          wholeIn(segment, length),
        ]);
      }
    }
  });

  it('is refused where contents are cut that an entry names', async () => {
    for (const name of await contents.list()) {
      const whole = Buffer.from(contents.bytesOf(name));
      for (let length = 0; length < whole.length; length++) {
        const cut = contents.reopen();
        cut.setBytes(name, whole.subarray(0, length));
        await expect(read(disk, cut), `${length} bytes`).rejects.toThrow(`missing ${name}`);
      }
    }
  });
});

/** Where the first frame stands that is not whole; behind the last whole one where none is cut. */
function pathAt(segment: number, length: number): string {
  const bytes = segments[segment - 1]!;
  let at = 0;
  for (let next = 0; next <= length && next < bytes.length; ) {
    at = next;
    next += FRAME_HEADER_BYTES + bytes.readUInt32LE(at + 4);
    if (next > length) break;
    at = next;
  }
  return at === length && at > 0
    ? `/${segmentName(segment + 1)}/0`
    : `/${segmentName(segment)}/${at}`;
}
