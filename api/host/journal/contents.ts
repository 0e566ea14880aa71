/**
 * Contents of a stored world, such as image bytes: each is one file, under its SHA-256, and is on
 * the disk before an entry that names it. None is removed while the journal is there.
 */
import { createHash } from 'node:crypto';
import type { Content } from '../../../core/base/contents.ts';
import type { SealedFiles } from './sealed-files.ts';

export class StoredContents {
  readonly #files: SealedFiles;
  readonly #names: Set<string>;
  readonly #read = new Map<string, Uint8Array>();

  private constructor(files: SealedFiles, names: readonly string[]) {
    this.#files = files;
    this.#names = new Set(names);
  }

  static async open(files: SealedFiles): Promise<StoredContents> {
    return new StoredContents(files, await files.list());
  }

  /** They are on the disk then. */
  async put(contents: readonly Content[]): Promise<void> {
    for (const { sha256, bytes } of contents) {
      if (this.#names.has(sha256)) continue;
      await this.#files.put(sha256, bytes);
      this.#names.add(sha256);
    }
  }

  /** Loads contents for `get`; returns those that are missing or damaged. */
  async read(hashes: readonly string[]): Promise<readonly string[]> {
    const missing: string[] = [];
    for (const sha256 of hashes) {
      const bytes = this.#names.has(sha256) ? await this.#files.get(sha256) : undefined;
      if (bytes !== undefined && isOf(bytes, sha256)) this.#read.set(sha256, bytes);
      else missing.push(sha256);
    }
    return missing;
  }

  /** Undefined: they have not been read. */
  readonly get = (sha256: string): Uint8Array | undefined => this.#read.get(sha256);

  /** All that the folder has, brought to where `get` finds them. */
  async readAll(): Promise<void> {
    await this.read([...this.#names].filter((name) => !this.#read.has(name)));
  }
}

const isOf = (bytes: Uint8Array, sha256: string): boolean =>
  createHash('sha256').update(bytes).digest('hex') === sha256;
