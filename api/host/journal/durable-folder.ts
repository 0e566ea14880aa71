/** Folder of a stored world, for the journal tools: opens it without creating files. */
import { join } from 'node:path';
import { fail, ok, type Result } from '../../../sim/base/result.ts';
import { type Disk, FolderDisk } from './disk.ts';
import { lockFolder } from './folder-lock.ts';
import { type FolderFailure, KEY_FILE, keyIn, WORLD_FILE, worldIn } from './world-folder.ts';

/** Where a data folder has its world. */
export const WORLD_FOLDER = 'world';

export interface DurableFolder {
  readonly folder: string;
  readonly disk: Disk;
  readonly key: Uint8Array;
  /** Which world it has: a digest of its plan and seed. */
  readonly world: string;
  /** Virtual time zero, ms since 1970. */
  readonly startUnixMs: number;
}

/** The world of a data folder; fails where it has none, or its key is not as it should be. */
export async function durableFolder(
  data: string,
): Promise<Result<DurableFolder, 'journal.folder'>> {
  const folder = join(data, WORLD_FOLDER);
  const disk = new FolderDisk(folder);
  const names = await disk.list();
  const lacks = [WORLD_FILE, KEY_FILE].find((name) => !names.includes(name));
  if (lacks !== undefined) {
    return fail('journal.folder', `${data} has no stored world: ${lacks} is missing.`);
  }
  const known = await worldIn(disk, folder, () => ({ startUnixMs: 0, world: '' }));
  if (!known.ok) return known;
  const key = await keyIn(disk, folder);
  return key.ok ? ok({ folder, disk, key: key.value, ...known.value }) : key;
}

/** What is done with a world that no other process uses meanwhile. */
export async function withStored<Value>(
  data: string,
  act: (stored: DurableFolder) => Promise<Value>,
): Promise<Result<Value, FolderFailure>> {
  const stored = await durableFolder(data);
  if (!stored.ok) return stored;
  const locked = await lockFolder(stored.value.folder);
  if (!locked.ok) return locked;
  try {
    return ok(await act(stored.value));
  } finally {
    await locked.value.release();
  }
}
