/**
 * Frames that are kept of one subscriber's devices, in the order in which they were taken in, in
 * chunks of typed columns: what else is kept of a frame is a column more. Each knows which of the
 * same device came before it, so those of a device are found from the latest one on, without a look
 * at the others. The oldest go, a chunk at a time, when there are more than `MOST_FRAMES` or they
 * are older than `MOST_DAYS`; what is past either limit is not told, whether it is gone or not.
 */
import { DAY_US } from '../../../sim/base/units.ts';

/** Of one subscriber. */
export const MOST_FRAMES = 100_000;
export const MOST_DAYS = 30;

const CHUNK = 1024;
const FIRST_BYTES = 4096;
const NONE = -1;

/** A frame as it is kept. */
export interface KeptFrame {
  /** End of its transmission, µs. */
  readonly atUs: number;
  readonly fPort: number;
  readonly fCnt: number;
  /** FRMPayload in clear; undefined: the device's data are private. */
  readonly payload: Uint8Array | undefined;
}

interface Columns {
  readonly atUs: Float64Array;
  readonly fCnt: Uint32Array;
  readonly fPort: Uint8Array;
  readonly isPrivate: Uint8Array;
  /** So many frames before it is the device's frame before; 0: there is none. */
  readonly back: Uint32Array;
  /** Where its payload ends among the chunk's bytes: that of the next one begins there. */
  readonly end: Uint32Array;
}

/** Plain data. */
interface Chunk {
  readonly columns: Columns;
  bytes: Uint8Array;
  frames: number;
}

/** Plain data. */
export interface SavedFrames {
  readonly first: number;
  readonly chunks: readonly Chunk[];
  readonly devEuis: readonly string[];
  readonly latest: readonly number[];
}

const columnsOf = (frames: number): Columns => ({
  atUs: new Float64Array(frames),
  fCnt: new Uint32Array(frames),
  fPort: new Uint8Array(frames),
  isPrivate: new Uint8Array(frames),
  back: new Uint32Array(frames),
  end: new Uint32Array(frames),
});

export class KeptFrames {
  /** Frames are numbered as they come; that of the first one in the first chunk. */
  #first = 0;
  #chunks: Chunk[] = [];
  /** Number of each device's latest frame. */
  #latest = new Map<string, number>();

  /** Keeps a frame, and drops what is past a limit. */
  add(devEui: string, { atUs, fPort, fCnt, payload }: KeptFrame): void {
    const chunk = this.#openChunk(atUs);
    const number = this.#next;
    const at = chunk.frames++;
    const { columns } = chunk;
    const before = this.#latest.get(devEui);
    columns.atUs[at] = atUs;
    columns.fPort[at] = fPort;
    columns.fCnt[at] = fCnt;
    columns.isPrivate[at] = payload === undefined ? 1 : 0;
    columns.back[at] = before === undefined || before < this.#first ? 0 : number - before;
    const from = at === 0 ? 0 : columns.end[at - 1]!;
    const end = from + (payload?.length ?? 0);
    if (end > chunk.bytes.length) chunk.bytes = longer(chunk.bytes, end);
    if (payload !== undefined) chunk.bytes.set(payload, from);
    columns.end[at] = end;
    this.#latest.set(devEui, number);
  }

  /** A device that is gone is known no more; a later one of its name is another. */
  forget(devEui: string): void {
    this.#latest.delete(devEui);
  }

  /** Those of a device that are kept at an instant, the latest first, each when it is asked for. */
  *of(devEui: string, nowUs: number): Iterable<KeptFrame> {
    const oldestUs = nowUs - MOST_DAYS * DAY_US;
    const least = Math.max(this.#first, this.#next - MOST_FRAMES);
    for (let number = this.#latest.get(devEui) ?? NONE; number >= least; ) {
      const place = number - this.#first;
      const { columns, bytes } = this.#chunks[Math.floor(place / CHUNK)]!;
      const at = place % CHUNK;
      const atUs = columns.atUs[at]!;
      if (atUs < oldestUs) return;
      const from = at === 0 ? 0 : columns.end[at - 1]!;
      const payload =
        columns.isPrivate[at] === 1 ? undefined : bytes.subarray(from, columns.end[at]);
      yield { atUs, fPort: columns.fPort[at]!, fCnt: columns.fCnt[at]!, payload };
      const back = columns.back[at]!;
      if (back === 0) return;
      number -= back;
    }
  }

  /** Shares nothing with these. */
  save(): SavedFrames {
    return {
      first: this.#first,
      chunks: this.#chunks.map(({ columns, bytes, frames }) => ({
        columns: mapped(columns, (column) => column.slice(0, frames)),
        bytes: bytes.slice(0, frames === 0 ? 0 : columns.end[frames - 1]),
        frames,
      })),
      devEuis: [...this.#latest.keys()],
      latest: [...this.#latest.values()],
    };
  }

  load({ first, chunks, devEuis, latest }: SavedFrames): void {
    this.#first = first;
    this.#chunks = chunks.map(({ columns, bytes, frames }) => {
      const whole = columnsOf(CHUNK);
      mapped(whole, (column, name) => column.set(columns[name]));
      return { columns: whole, bytes: bytes.slice(), frames };
    });
    this.#latest = new Map(devEuis.map((devEui, i) => [devEui, latest[i]!]));
  }

  /** Number of the next frame. */
  get #next(): number {
    const last = this.#chunks.length - 1;
    return last < 0 ? this.#first : this.#first + last * CHUNK + this.#chunks[last]!.frames;
  }

  /** The chunk for a frame of this instant. */
  #openChunk(atUs: number): Chunk {
    const last = this.#chunks.at(-1);
    if (last !== undefined && last.frames < CHUNK) return last;
    const next = this.#next;
    const opened: Chunk = {
      columns: columnsOf(CHUNK),
      bytes: new Uint8Array(FIRST_BYTES),
      frames: 0,
    };
    const isPast = ({ columns }: Chunk): boolean =>
      this.#first + CHUNK <= next - MOST_FRAMES ||
      columns.atUs[CHUNK - 1]! < atUs - (MOST_DAYS + 1) * DAY_US;
    while (this.#chunks.length > 0 && isPast(this.#chunks[0]!)) {
      this.#chunks.shift();
      this.#first += CHUNK;
    }
    this.#chunks.push(opened);
    return opened;
  }
}

function longer(bytes: Uint8Array, atLeast: number): Uint8Array {
  const more = new Uint8Array(Math.max(2 * bytes.length, atLeast));
  more.set(bytes);
  return more;
}

type ColumnOf = Columns[keyof Columns];

function mapped(
  columns: Columns,
  each: (column: ColumnOf, name: keyof Columns) => unknown,
): Columns {
  const entries = Object.entries(columns) as [keyof Columns, ColumnOf][];
  return Object.fromEntries(
    entries.map(([name, column]) => [name, each(column, name)]),
  ) as unknown as Columns;
}
