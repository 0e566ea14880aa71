/** Journals on disks that fail: what was appended, what was acknowledged, what is there after. */
import { setImmediate } from 'node:timers/promises';
import { type Fate, Journal, type JournalOptions } from '../../api/host/journal/journal.ts';
import { type ScannedEntry, scan } from '../../api/host/journal/scan.ts';
import { type Draw, PowerLossDisk } from './power-loss-disk.ts';

export const KEY = Uint8Array.from({ length: 32 }, (_, i) => 7 * i);
export const WORLD = 'a world';

/** Numbers that only the seed decides (Marsaglia’s xorshift32). */
export function drawsOf(seed: number): Draw {
  let word = Math.imul(seed + 1, 0x9e3779b1) | 0 || 1;
  const next = () => {
    word ^= word << 13;
    word ^= word >>> 17;
    word ^= word << 5;
    return word >>> 0;
  };
  for (let i = 0; i < 8; i++) next();
  return (below) => next() % below;
}

/** Seals come when they are asked for, and no wall clock has a say. */
export class JournalTime {
  nowMs = 0;
  #later: (() => void)[] = [];

  wallMs = () => this.nowMs;
  elapsedMs = () => this.nowMs;
  soon = (act: () => void) => this.later(act);

  later = (act: () => void) => {
    this.#later.push(act);
    return { cancel: () => void (this.#later = this.#later.filter((each) => each !== act)) };
  };

  /** All that waits for later comes now. */
  passes(ms: number): void {
    this.nowMs += ms;
    for (const act of this.#later.splice(0)) act();
  }
}

export interface Bench {
  readonly journal: Journal;
  readonly time: JournalTime;
  /** Entries that were there when it was opened. */
  readonly found: readonly number[];
  readonly torn: boolean;
  /** Entries that were acknowledged, and those that were refused. */
  readonly acknowledged: number[];
  readonly refused: Map<number, Fate>;
  readonly broken: unknown[];
  append(entry: number, bytes?: number): void;
}

const payloadOf = (entry: number, bytes: number): Uint8Array => {
  const payload = Buffer.alloc(Math.max(4, bytes), entry & 0xff);
  payload.writeUInt32LE(entry, 0);
  return payload;
};
const entryOf = ({ payload }: ScannedEntry): number => payload.readUInt32LE(0);

export type OpenOptions = Partial<JournalOptions>;

/** Throws what is wrong with it. */
export async function opened(disk: PowerLossDisk, options: OpenOptions = {}): Promise<Bench> {
  const time = new JournalTime();
  const found: number[] = [];
  const broken: unknown[] = [];
  const all = {
    key: KEY,
    world: WORLD,
    build: 'test',
    time,
    segmentBytes: 4_096,
    onBroken: (error: unknown) => void broken.push(error),
    ...options,
  };
  const open = await Journal.open(disk, all, (each) => void found.push(entryOf(each)));
  if (!open.ok) throw new Error(`${open.failure.code}: ${open.failure.message}`);
  const { journal, torn } = open.value;
  const acknowledged: number[] = [];
  const refused = new Map<number, Fate>();
  return {
    journal,
    time,
    found,
    torn: torn !== undefined,
    acknowledged,
    refused,
    broken,
    append: (entry, bytes = 40) =>
      journal.append(payloadOf(entry, bytes), (fate) => {
        if (fate === 'durable') acknowledged.push(entry);
        else refused.set(entry, fate);
      }),
  };
}

/** Entries of a disk, or what is wrong. */
export async function scanned(disk: PowerLossDisk, key = KEY, world?: string) {
  const entries: number[] = [];
  const options = world === undefined ? { key } : { key, world };
  const result = await scan(disk, options, (each) => void entries.push(entryOf(each)));
  return { entries, result };
}

/** All promises that can be settled are. */
export const settled = async (): Promise<void> => {
  for (let i = 0; i < 3; i++) await setImmediate();
};

/** A round of random work, a power loss in its middle, and what is there afterwards. */
export interface Round {
  readonly acknowledged: readonly number[];
  readonly appended: number;
  readonly found: readonly number[] | undefined;
  /** What the restart said where it was refused. */
  readonly refusal: string | undefined;
}

type Wrap = (disk: PowerLossDisk) => PowerLossDisk;

/** `wrap` plants a fault between the journal and the disk. */
export async function roundOf(
  seed: number,
  wrap: Wrap = (disk) => disk,
  options: OpenOptions = {},
): Promise<Round> {
  const draw = drawsOf(seed);
  let disk = new PowerLossDisk(draw);
  let next = 1;
  const acknowledged: number[] = [];
  for (let life = 0; ; life++) {
    const isLast = life === 2;
    disk.powerEndsIn = 2 + draw(24);
    const bench = await opened(wrap(disk), options).catch((error: Error) => error);
    if (bench instanceof Error) {
      if (!disk.isDead) {
        return { acknowledged, appended: next - 1, found: undefined, refusal: bench.message };
      }
    } else {
      for (let burst = 0; burst < 8 && !disk.isDead; burst++) {
        for (let i = draw(6); i >= 0; i--) bench.append(next++, 4 + draw(900));
        if (draw(3) > 0) await settled();
        if (draw(4) === 0) bench.time.passes(60);
      }
      await settled();
      acknowledged.push(...bench.acknowledged);
    }
    disk = disk.restart();
    if (!isLast) continue;
    const { entries, result } = await scanned(disk);
    const refusal = result.ok ? undefined : result.failure.message;
    return { acknowledged, appended: next - 1, found: entries, refusal };
  }
}

/** What is wrong with a round: acknowledged entries that are lost, or others than were appended. */
export function faultOf({ acknowledged, appended, found, refusal }: Round): string | undefined {
  if (refusal !== undefined) return `refused: ${refusal}`;
  const there = new Set(found);
  const lost = acknowledged.filter((entry) => !there.has(entry));
  if (lost.length > 0) return `lost ${lost.join()}`;
  const isRising = found!.every((entry, at) => at === 0 || entry > found![at - 1]!);
  if (!isRising) return `out of order: ${found!.join()}`;
  return found!.some((entry) => entry > appended) ? 'never appended' : undefined;
}
