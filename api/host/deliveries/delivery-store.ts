/**
 * Store of deliveries on disk: LevelDB, values encrypted with a key of the folder. Changes are
 * buffered in memory and written in one batch per turn, all or none. Readers see them at once.
 */
import { rm } from 'node:fs/promises';
import type { ClassicLevel } from 'classic-level';
import type { HostTime } from '../clock/host-time.ts';
import { sealedValue, unsealedValue } from '../journal/sealed-values-msgpack.ts';

type Level = ClassicLevel<string, Uint8Array>;

export interface StoreOptions {
  readonly folder: string;
  /** 32 bytes, for nothing else. */
  readonly key: Uint8Array;
  readonly time: HostTime;
  /** The disk takes nothing, such as a full one: it is asked again. */
  readonly onTrouble: (error: unknown) => void;
  readonly onWritten: () => void;
  /** Whether the folder goes when it is closed. */
  readonly isForNow?: boolean;
}

/** A range of keys, without its ends. */
export interface Range {
  readonly gt: string;
  readonly lt: string;
}

interface Waiting {
  readonly resolve: (isWritten: boolean) => void;
  readonly sync: boolean;
}

const AGAIN_MS = 1_000;
const SYNCED = { type: 'put', key: 'synced', value: new Uint8Array(0) } as const;

export class DeliveryStore {
  readonly #options: StoreOptions;
  #level: Level;
  /** Undefined: it is removed. */
  #changes = new Map<string, unknown>();
  #writing: ReadonlyMap<string, unknown> = new Map();
  readonly #waiting: Waiting[] = [];
  #round: Promise<void> | undefined;
  #reads = 0;
  #isInTrouble = false;
  #isClosed = false;

  private constructor(options: StoreOptions, level: Level) {
    this.#options = options;
    this.#level = level;
  }

  static async open(options: StoreOptions): Promise<DeliveryStore> {
    return new DeliveryStore(options, await openLevel(options.folder));
  }

  put(key: string, value: object): void {
    this.#changes.set(key, value);
    void this.#writeOn();
  }

  remove(key: string): void {
    this.#changes.set(key, undefined);
    void this.#writeOn();
  }

  /** Changes that are not written yet. */
  get unwritten(): number {
    return this.#changes.size + this.#writing.size;
  }

  /** Whether somebody waits for what it reads, or something is not written yet. */
  get isBusy(): boolean {
    return this.#reads > 0 || this.unwritten > 0;
  }

  /** Undefined: there is none. */
  get<Value>(key: string): Promise<Value | undefined> {
    return this.#reading(this.#get<Value>(key));
  }

  /** The first of a range; what is not written yet is waited for. */
  list<Value>(range: Range, limit: number): Promise<readonly (readonly [string, Value])[]> {
    return this.#reading(this.#list<Value>(range, limit));
  }

  async #reading<Read>(read: Promise<Read>): Promise<Read> {
    this.#reads++;
    try {
      return await read;
    } finally {
      this.#reads--;
    }
  }

  async #get<Value>(key: string): Promise<Value | undefined> {
    for (const changes of [this.#changes, this.#writing]) {
      if (changes.has(key)) return changes.get(key) as Value | undefined;
    }
    const sealed = await this.#level.get(key);
    return sealed && this.#opened<Value>(key, sealed);
  }

  async #list<Value>(range: Range, limit: number): Promise<readonly (readonly [string, Value])[]> {
    // Where the disk takes nothing, it is waited for.
    while (!this.#isClosed && !(await this.written()));
    if (this.#isClosed) return [];
    const entries = await this.#level.iterator({ ...range, limit }).all();
    return entries.map(([key, sealed]) => [key, this.#opened<Value>(key, sealed)] as const);
  }

  /** All that was changed is on the disk for good; throws where it takes nothing. */
  async flush(): Promise<void> {
    const isWritten = !this.#isInTrouble && (await this.written(true));
    if (!isWritten) throw new Error(`${this.#options.folder}: the disk takes nothing`);
  }

  /** Whether what was changed until now is written; `sync`: for good. */
  written(sync = false): Promise<boolean> {
    return new Promise((resolve) => {
      this.#waiting.push({ resolve, sync });
      void this.#writeOn();
    });
  }

  /** What was changed is written, if the disk takes it. */
  async close(): Promise<void> {
    try {
      await this.flush();
    } catch (error) {
      this.#options.onTrouble(error);
    }
    this.#isClosed = true;
    await this.#level.close();
    const { folder, isForNow = false } = this.#options;
    if (isForNow) await rm(folder, { recursive: true, force: true });
  }

  /** Writes until nothing is left, in rounds: what comes meanwhile goes with the next one. */
  #writeOn(): Promise<void> {
    this.#round ??= this.#rounds();
    return this.#round;
  }

  async #rounds(): Promise<void> {
    // What belongs together is changed within one turn.
    await undefined;
    while (!this.#isClosed && (this.#changes.size > 0 || this.#waiting.length > 0)) {
      const waiting = this.#waiting.splice(0);
      const isWritten = await this.#write(waiting.some(({ sync }) => sync));
      this.#isInTrouble = !isWritten;
      for (const { resolve } of waiting) resolve(isWritten);
      if (isWritten) this.#options.onWritten();
      else await this.#reopenLater();
    }
    for (const { resolve } of this.#waiting.splice(0)) resolve(false);
    this.#round = undefined;
  }

  async #write(sync: boolean): Promise<boolean> {
    const changes = this.#changes;
    this.#changes = new Map();
    this.#writing = changes;
    try {
      const operations = Array.from(changes, (change) => this.#operation(change));
      // A batch of nothing would reach no disk, nor what was written before it.
      await this.#level.batch(sync ? [...operations, SYNCED] : operations, { sync });
      return true;
    } catch (error) {
      this.#changes = new Map([...changes, ...this.#changes]);
      this.#options.onTrouble(error);
      return false;
    } finally {
      this.#writing = new Map();
    }
  }

  /** A database whose disk was full takes nothing any more before it is opened again. */
  async #reopenLater(): Promise<void> {
    await new Promise<void>((resolve) => this.#options.time.later(resolve, AGAIN_MS));
    if (this.#isClosed) return;
    try {
      await this.#level.close();
      this.#level = await openLevel(this.#options.folder);
    } catch (error) {
      this.#options.onTrouble(error);
    }
  }

  #operation([key, value]: readonly [string, unknown]) {
    return value === undefined
      ? ({ type: 'del', key } as const)
      : ({ type: 'put', key, value: sealedValue(this.#options.key, key, value) } as const);
  }

  #opened<Value>(key: string, bytes: Uint8Array): Value {
    const value = unsealedValue<Value>(this.#options.key, key, bytes);
    if (value === undefined) throw new DamagedStore(this.#options.folder);
    return value;
  }
}

/** What stands on the disk is not what was written, or not by this world. */
export class DamagedStore extends Error {
  constructor(folder: string) {
    super(`${folder} is damaged, or of another world: remove it, and what waits in it is lost`);
  }
}

/** Loaded where there is something to deliver. */
async function openLevel(folder: string): Promise<Level> {
  const { ClassicLevel } = await import('classic-level');
  const level = new ClassicLevel<string, Uint8Array>(folder, { valueEncoding: 'view' });
  await level.open();
  return level;
}
