/**
 * Writer of the journal: an appended entry is acknowledged once it is on disk. START HERE; scan.ts
 * reads journals, frame.ts has the format of a frame.
 *
 * Problem: a client relies on an answered command. The process may be killed at any instruction,
 * and the power may fail. A sync of the disk takes milliseconds, so one per command would limit the
 * service.
 *
 * Approach: group commit. Entries that wait during a write are written and synced together, so a
 * slow disk makes larger groups and not a longer queue. Frames are chained by checksums. Each frame
 * states the latest synced entry, so the reader distinguishes a torn tail from damage. An empty
 * frame seals the last entry after 50 ms. A full disk is retried after a second. Any other disk
 * error ends the journal for good, since the contents of the disk are unknown then.
 *
 * Payloads are encrypted with a key for each segment. The nonce is the sequence number, so each
 * start begins a new segment.
 *
 * Rejected: SQLite. Its synchronous commit blocks the event loop, and its format is no smaller.
 * Preallocated files: they bring no gain (docs/decisions/0065).
 */
import { assert } from '../../../sim/base/assert.ts';
import { ok, type Result } from '../../../sim/base/result.ts';
import { HOST_TIME, type HostTime } from '../clock/host-time.ts';
import { isSystemError } from '../process/system-error.ts';
import { newSegmentKey, seal } from './cipher.ts';
import type { AppendFile, Disk } from './disk.ts';
import { authenticated, encodeFrame } from './frame.ts';
import { type ScanFailure, type ScannedEntry, scan, type TornTail } from './scan.ts';
import { encodeHeader, FORMAT, LATEST_FILE, segmentName } from './segment-header-msgpack.ts';

/** What becomes of an entry that is appended. */
export type Fate =
  /** It is on the disk. */
  | 'durable'
  /** The disk is full: it is not in the journal. */
  | 'full'
  /** The journal has ended: nobody knows whether it is in it. */
  | 'broken';

export interface JournalOptions {
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** Which world it is of, and which program writes it. */
  readonly world: string;
  readonly build: string;
  /** `os`: entries are acknowledged once the operating system has them (survives kill −9). */
  readonly durability?: 'sync' | 'os';
  /** The disk has failed: no entry is acknowledged any more. */
  readonly onBroken: (error: unknown) => void;
  readonly time?: HostTime;
  /** Segment size in bytes from which the next segment starts. */
  readonly segmentBytes?: number;
}

export interface Opened {
  readonly journal: Journal;
  /** What a crash had left behind the last whole entry, and was cut. */
  readonly torn: TornTail | undefined;
}

const SEGMENT_BYTES = 64 * 1_048_576;
/** Entries and bytes that are written together at most. */
const MOST_IN_GROUP = 4_096;
const MOST_GROUP_BYTES = 8 * 1_048_576;
/** So long after the last entry the end of it is sealed, ms. */
const SEALS_AFTER_MS = 50;
/** A full disk is looked at again after so long, ms. */
const LOOKS_AGAIN_MS = 1_000;

interface Waiting {
  readonly payload: Uint8Array;
  readonly done: (fate: Fate) => void;
}

interface Segment {
  readonly file: AppendFile;
  readonly name: string;
  readonly key: Uint8Array;
  bytes: number;
}

export class Journal {
  readonly #disk: Disk;
  readonly #options: JournalOptions;
  readonly #time: HostTime;
  #waiting: Waiting[] = [];
  #segment: Segment | undefined;
  #number: number;
  #sequence: number;
  #crc: number;
  /** The latest sequence number that is acknowledged. */
  #acknowledged: number;
  /** The latest that was synced: the same, unless the operating system's word is enough. */
  #durable: number;
  #state: 'open' | 'full' | 'broken' | 'closed' = 'open';
  #fullSinceMs = 0;
  /** The last frame is a seal, or there is none. */
  #isSealed = true;
  #working: Promise<void> | undefined;
  #sealing: { cancel(): void } | undefined;

  private constructor(disk: Disk, options: JournalOptions, last: Position) {
    this.#disk = disk;
    this.#options = options;
    this.#time = options.time ?? HOST_TIME;
    this.#number = last.segment;
    this.#sequence = last.sequence;
    this.#crc = last.crc;
    this.#acknowledged = last.sequence;
    this.#durable = last.sequence;
  }

  /**
   * Reads what is there, cuts a torn tail, and goes on in a segment of its own: no key of a segment
   * is used for two frames of one sequence number.
   */
  static async open(
    disk: Disk,
    options: JournalOptions,
    onEntry: (entry: ScannedEntry) => void | Promise<void>,
  ): Promise<Result<Opened, ScanFailure>> {
    const scanned = await scan(disk, options, onEntry);
    if (!scanned.ok) return scanned;
    const { torn, ...last } = scanned.value;
    if (torn !== undefined) await cut(disk, torn);
    // A segment without a header never had an entry.
    const segment = torn?.offset === 0 ? last.segment - 1 : last.segment;
    return ok({ journal: new Journal(disk, options, { ...last, segment }), torn });
  }

  /** The latest sequence number that is acknowledged. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  get state() {
    return this.#state;
  }

  /** Number of the segment that is written to, or was last before this start; 0: there is none. */
  get segment(): number {
    return this.#number;
  }

  /** `done` is called once, in the order of the entries, never within this call. */
  append(payload: Uint8Array, done: (fate: Fate) => void): void {
    assert(this.#state !== 'closed', 'nothing is appended to a journal that is closed');
    assert(payload.length > 0, 'an entry has a byte at least');
    this.#sealing?.cancel();
    this.#sealing = undefined;
    this.#waiting.push({ payload, done });
    this.#working ??= this.#work();
  }

  /** What was appended is acknowledged, the end is sealed, and the files are closed. */
  async close(): Promise<void> {
    this.#sealing?.cancel();
    this.#state = this.#state === 'open' ? 'closed' : this.#state;
    // What waited while a seal was written begins a turn of its own.
    while (this.#working !== undefined) await this.#working;
    if (this.#state !== 'closed') return;
    await this.#guarded(async () => {
      await this.#seal();
      await this.#segment?.file.sync();
      await this.#segment?.file.close();
    });
  }

  // ── groups ─────────────────────────────────────────────────────────────────────────────────────

  async #work(): Promise<void> {
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const group = this.#takeGroup();
      const fate = await this.#commit(group);
      for (const { done } of group) done(fate);
    }
    this.#working = undefined;
    if (this.#state === 'open' && !this.#isSealed) this.#sealSoon();
  }

  #takeGroup(): readonly Waiting[] {
    let bytes = 0;
    const end = this.#waiting.findIndex(({ payload }, at) => {
      bytes += payload.length;
      return at === MOST_IN_GROUP || (at > 0 && bytes > MOST_GROUP_BYTES);
    });
    const group = this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
    assert(group.length > 0 && group.length <= MOST_IN_GROUP, 'a group of entries is bounded');
    return group;
  }

  async #commit(group: readonly Waiting[]): Promise<Fate> {
    if (this.#state === 'broken') return 'broken';
    if (this.#state === 'full' && !this.#mayTryAgain()) return 'full';
    return this.#guarded(() => this.#write(group.map(({ payload }) => payload)));
  }

  /** A full disk is reported as a refusal; any other failure ends the journal. */
  async #guarded(act: () => Promise<void>): Promise<Fate> {
    try {
      await act();
      if (this.#state === 'full') this.#state = 'open';
      return 'durable';
    } catch (error) {
      const isFull = isSystemError(error) && error.code === 'ENOSPC';
      if (isFull && (await this.#retreat())) return 'full';
      this.#break(error);
      return 'broken';
    }
  }

  /** Frames are counted once they are on the disk: what fails before has not been. */
  async #write(payloads: readonly Uint8Array[]): Promise<void> {
    const segment = await this.#capacity();
    let { crc, sequence } = { crc: this.#crc, sequence: this.#sequence };
    const frames = payloads.map((open) => {
      sequence++;
      const about = { sequence, durable: this.#durable, previous: crc };
      const payload = seal(segment.key, sequence, authenticated(about), open);
      const frame = encodeFrame({ ...about, payload });
      crc = frame.crc;
      return frame.bytes;
    });
    const bytes = Buffer.concat(frames);
    await segment.file.append(bytes);
    const syncs = this.#options.durability !== 'os';
    if (syncs) await segment.file.sync();
    segment.bytes += bytes.length;
    assert(sequence === this.#sequence + payloads.length, 'frames are numbered one by one');
    this.#crc = crc;
    this.#sequence = sequence;
    this.#acknowledged = sequence;
    if (syncs) this.#durable = sequence;
    assert(this.#durable <= this.#acknowledged, 'what is durable is acknowledged');
    this.#isSealed = payloads.at(-1)!.length === 0;
  }

  // ── segments ───────────────────────────────────────────────────────────────────────────────────

  /** The segment that is written to; a new one where it is full. */
  async #capacity(): Promise<Segment> {
    const known = this.#segment;
    const { segmentBytes = SEGMENT_BYTES } = this.#options;
    if (known !== undefined && known.bytes < segmentBytes) return known;
    if (known !== undefined) {
      await known.file.sync();
      await known.file.close();
      this.#durable = this.#sequence;
      this.#segment = undefined;
    }
    this.#segment = await this.#begin(this.#number + 1);
    this.#number++;
    return this.#segment;
  }

  async #begin(number: number): Promise<Segment> {
    const { key: folderKey, world, build } = this.#options;
    const name = segmentName(number);
    const { key, wrapped } = newSegmentKey(folderKey);
    const payload = encodeHeader({ format: FORMAT, number, build, world, wrappedKey: wrapped });
    const { bytes, crc } = encodeFrame({
      sequence: this.#sequence,
      durable: this.#durable,
      previous: this.#crc,
      payload,
    });
    // A segment whose beginning failed for want of space may have left its name.
    await this.#disk.remove(name);
    const file = await this.#disk.create(name);
    try {
      await file.append(bytes);
      await file.sync();
      await this.#disk.syncNames();
      await this.#disk.put(LATEST_FILE, Buffer.from(`${number}\n`));
    } catch (error) {
      await file.close();
      throw error;
    }
    this.#crc = crc;
    return { file, name, key, bytes: bytes.length };
  }

  // ── ends ───────────────────────────────────────────────────────────────────────────────────────

  #sealSoon(): void {
    const seals = () => {
      this.#sealing = undefined;
      if (this.#working === undefined && this.#state === 'open') {
        this.#working = this.#guarded(() => this.#seal()).then(() => {
          this.#working = undefined;
          if (this.#waiting.length > 0) this.#working = this.#work();
        });
      }
    };
    this.#sealing = this.#time.later(seals, SEALS_AFTER_MS);
  }

  /** A frame without an entry, whose `durable` covers the last one. */
  async #seal(): Promise<void> {
    if (!this.#isSealed) await this.#write([NOTHING]);
  }

  #mayTryAgain(): boolean {
    return this.#time.elapsedMs() - this.#fullSinceMs >= LOOKS_AGAIN_MS;
  }

  /** Cuts what was half written; false: it cannot. The next entry begins a segment. */
  async #retreat(): Promise<boolean> {
    this.#state = 'full';
    this.#fullSinceMs = this.#time.elapsedMs();
    const segment = this.#segment;
    this.#segment = undefined;
    try {
      await segment?.file.close();
      if (segment !== undefined) await this.#disk.truncate(segment.name, segment.bytes);
      return true;
    } catch {
      return false;
    }
  }

  #break(error: unknown): void {
    if (this.#state === 'broken') return;
    this.#state = 'broken';
    this.#options.onBroken(error);
  }
}

const NOTHING = new Uint8Array(0);

interface Position {
  readonly segment: number;
  readonly sequence: number;
  readonly crc: number;
}

/** A torn tail goes; a segment that is nothing else goes as a whole. */
async function cut(disk: Disk, { segment, offset }: TornTail): Promise<void> {
  if (offset > 0) return disk.truncate(segment, offset);
  await disk.remove(segment);
  await disk.syncNames();
}
