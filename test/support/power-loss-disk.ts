/**
 * A disk that can lose its power. A file has what was synced; of what was written since, each
 * sector of 512 bytes is there, is not, or is garbage, in any order, and so is its length. A name
 * is there once the names were synced; else it may be. It can be full, and can fail.
 */
import type { AppendFile, Disk } from '../../api/host/journal/disk.ts';

const SECTOR = 512;

/** A whole number from 0 to one below `below`. */
export type Draw = (below: number) => number;

interface File {
  now: Buffer;
  synced: Buffer;
  /** Whether its name holds. */
  isNamed: boolean;
}

export class PowerLossDisk implements Disk {
  readonly #draw: Draw;
  readonly #files = new Map<string, File>();
  /** Bytes that there are room for. */
  capacity = Number.POSITIVE_INFINITY;
  /** Operations until one fails with this code; 0: none does. */
  failsIn = 0;
  failsWith = 'EIO';
  /** Operations until the power goes; everything fails from then on. */
  powerEndsIn = Number.POSITIVE_INFINITY;
  operations = 0;
  isDead = false;

  constructor(draw: Draw) {
    this.#draw = draw;
  }

  async list(): Promise<readonly string[]> {
    return [...this.#files.keys()].sort();
  }

  async create(name: string): Promise<AppendFile> {
    this.#operate();
    if (this.#files.has(name)) throw failure('EEXIST');
    const file = { now: Buffer.alloc(0), synced: Buffer.alloc(0), isNamed: false };
    this.#files.set(name, file);
    return {
      append: async (bytes) => this.#append(file, bytes),
      sync: async () => {
        this.#operate();
        file.synced = Buffer.from(file.now);
      },
      close: async () => undefined,
    };
  }

  async read(name: string, from: number, length: number): Promise<Buffer> {
    return Buffer.from(this.#file(name).now.subarray(from, from + length));
  }

  async size(name: string): Promise<number> {
    return this.#file(name).now.length;
  }

  async truncate(name: string, length: number): Promise<void> {
    this.#operate();
    const file = this.#file(name);
    file.now = Buffer.from(file.now.subarray(0, length));
    file.synced = Buffer.from(file.now);
  }

  async remove(name: string): Promise<void> {
    this.#operate();
    this.#files.delete(name);
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    this.#operate();
    const whole = Buffer.from(bytes);
    this.#files.set(name, { now: whole, synced: Buffer.from(whole), isNamed: true });
  }

  async syncNames(): Promise<void> {
    this.#operate();
    for (const file of this.#files.values()) file.isNamed = true;
  }

  /** The disk after the power has come back. */
  restart(): PowerLossDisk {
    const next = new PowerLossDisk(this.#draw);
    for (const [name, file] of this.#files) {
      if (!file.isNamed && this.#draw(2) === 0) continue;
      const left = this.#left(file);
      next.#files.set(name, { now: left, synced: Buffer.from(left), isNamed: true });
    }
    return next;
  }

  /** The disk after the process has gone: what the operating system has is there. */
  reopen(): PowerLossDisk {
    const next = new PowerLossDisk(this.#draw);
    for (const [name, { now }] of this.#files) {
      const left = Buffer.from(now);
      next.#files.set(name, { now: left, synced: Buffer.from(left), isNamed: true });
    }
    return next;
  }

  /** Its bytes, to be damaged. */
  bytesOf(name: string): Buffer {
    return this.#file(name).now;
  }

  setBytes(name: string, bytes: Buffer): void {
    const file = this.#file(name);
    file.now = bytes;
    file.synced = Buffer.from(bytes);
  }

  #left({ now, synced }: File): Buffer {
    if (now.equals(synced)) return Buffer.from(synced);
    const sectors = Math.ceil(now.length / SECTOR) - Math.floor(synced.length / SECTOR);
    const stored = synced.length + this.#draw(sectors + 1) * SECTOR;
    const left = Buffer.alloc(Math.min(now.length, stored));
    synced.copy(left);
    for (let at = synced.length; at < left.length; at = SECTOR * (Math.floor(at / SECTOR) + 1)) {
      const end = Math.min(left.length, SECTOR * (Math.floor(at / SECTOR) + 1));
      const fate = this.#draw(4);
      if (fate < 2) now.copy(left, at, at, end);
      else if (fate === 2) for (let i = at; i < end; i++) left[i] = this.#draw(256);
    }
    return left;
  }

  #append(file: File, bytes: Uint8Array): void {
    const used = [...this.#files.values()].reduce((sum, { now }) => sum + now.length, 0);
    const fits = Math.min(bytes.length, Math.max(0, this.capacity - used));
    let written = fits;
    try {
      this.#operate();
    } catch (error) {
      written = this.#draw(fits + 1);
      file.now = Buffer.concat([file.now, bytes.subarray(0, written)]);
      throw error;
    }
    file.now = Buffer.concat([file.now, bytes.subarray(0, written)]);
    if (fits < bytes.length) throw failure('ENOSPC');
  }

  #operate(): void {
    this.operations++;
    if (--this.powerEndsIn < 0) this.isDead = true;
    if (this.isDead) throw failure('EIO');
    if (this.failsIn > 0 && --this.failsIn === 0) throw failure(this.failsWith);
  }

  #file(name: string): File {
    const file = this.#files.get(name);
    if (file === undefined) throw failure('ENOENT');
    return file;
  }
}

const failure = (code: string): Error =>
  Object.assign(new Error(code), { code, errno: -1, syscall: 'write' });
