/**
 * What a journal asks of a disk, and the disk of this machine. A file that is appended to has what
 * was synced, whatever happens; of the rest it may have any part. Names hold once their folder is
 * synced.
 */
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isSystemError } from '../process/system-error.ts';

/** A file that grows at its end. What fails throws the system's error. */
export interface AppendFile {
  /** All of the bytes, or it throws; then the file may have some of them. */
  append(bytes: Uint8Array): Promise<void>;
  /** What was appended is on the disk, whatever happens. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The files of one folder, by their names; nobody but their owner reads them. */
export interface Disk {
  /** In the order of their names; a folder that is not there has none. */
  list(): Promise<readonly string[]>;
  /** A new file; its name holds once `syncNames` is done. It throws where there is one. */
  create(name: string): Promise<AppendFile>;
  /** Bytes of a file, fewer at its end. */
  read(name: string, from: number, length: number): Promise<Buffer>;
  size(name: string): Promise<number>;
  /** Cuts a file, and syncs that. */
  truncate(name: string, length: number): Promise<void>;
  remove(name: string): Promise<void>;
  /** A whole file in the place of another one, or none: whatever happens, it is one of both. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  syncNames(): Promise<void>;
}

const PRIVATE = 0o600;

export class FolderDisk implements Disk {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async list(): Promise<readonly string[]> {
    try {
      return (await readdir(this.#folder)).sort();
    } catch (error) {
      if (isSystemError(error) && error.code === 'ENOENT') return [];
      throw error;
    }
  }

  async create(name: string): Promise<AppendFile> {
    await this.#make();
    return new Handle(await open(join(this.#folder, name), 'ax', PRIVATE));
  }

  async read(name: string, from: number, length: number): Promise<Buffer> {
    return this.#with(name, 'r', async (file) => {
      const bytes = Buffer.allocUnsafe(length);
      let have = 0;
      while (have < length) {
        const { bytesRead } = await file.read(bytes, have, length - have, from + have);
        if (bytesRead === 0) break;
        have += bytesRead;
      }
      return bytes.subarray(0, have);
    });
  }

  async size(name: string): Promise<number> {
    return (await stat(join(this.#folder, name))).size;
  }

  async truncate(name: string, length: number): Promise<void> {
    await this.#with(name, 'r+', async (file) => {
      await file.truncate(length);
      await file.sync();
    });
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#folder, name), { force: true });
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    await this.#make();
    const beside = join(this.#folder, `${name}.tmp`);
    await rm(beside, { force: true });
    try {
      await writeNew(beside, bytes);
      await rename(beside, join(this.#folder, name));
    } catch (error) {
      // On a full disk it would take the room that smaller files may have.
      await rm(beside, { force: true });
      throw error;
    }
    await this.syncNames();
  }

  async syncNames(): Promise<void> {
    // Windows syncs no folders: names hold there with the files.
    if (process.platform === 'win32') return;
    const folder = await open(this.#folder, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  /** The folder, whose own name holds then. */
  async #make(): Promise<void> {
    const created = await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    if (created === undefined || process.platform === 'win32') return;
    const parent = await open(dirname(created), 'r');
    try {
      await parent.sync();
    } finally {
      await parent.close();
    }
  }

  async #with<Value>(name: string, flags: string, use: (file: FileHandle) => Promise<Value>) {
    const file = await open(join(this.#folder, name), flags);
    try {
      return await use(file);
    } finally {
      await file.close();
    }
  }
}

/** What was written is on the disk; it throws where there is a file. */
async function writeNew(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', PRIVATE);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

class Handle implements AppendFile {
  readonly #file: FileHandle;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async append(bytes: Uint8Array): Promise<void> {
    let written = 0;
    while (written < bytes.length) {
      const { bytesWritten } = await this.#file.write(bytes, written, bytes.length - written);
      written += bytesWritten;
    }
  }

  sync(): Promise<void> {
    return this.#file.datasync();
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
