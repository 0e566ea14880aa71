/**
 * Folder of a stored world: its identity, the key that encrypts its secrets, and its journal. START
 * HERE of what is in the folder:
 *
 *     world.json    the instant of virtual time zero, and a digest of plan and seed
 *     key           32 bytes, which only their owner reads
 *     lock          the process that uses the folder
 *     segment-…     the journal
 *     contents      bytes that its entries name, such as those of images, by their SHA-256
 *     snapshots     states that the journal leads to: caches
 */
import { hkdfSync, randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok, type Result } from '../../../sim/base/result.ts';
import { KEY_BYTES } from './cipher.ts';
import { StoredContents } from './contents.ts';
import { FolderDisk } from './disk.ts';
import { decodeEntry } from './entries-msgpack.ts';
import { EntryJournal } from './entry-journal.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { History } from './history.ts';
import { Journal } from './journal.ts';
import type { ScanFailure, ScannedEntry, TornTail } from './scan.ts';
import { SealedFiles } from './sealed-files.ts';
import { StoredStates } from './states-msgpack.ts';

export type FolderFailure =
  | ScanFailure
  | 'journal.locked'
  | 'journal.folder'
  /** Bytes that an entry names are missing or damaged. */
  | 'journal.contents';

export const WORLD_FILE = 'world.json';
export const KEY_FILE = 'key';

export interface DurableWorld {
  /** What happened to the world so far. */
  readonly history: History;
  /** What a crash had left behind the last entry, and was cut. */
  readonly torn: TornTail | undefined;
  /** 0 of a folder that is new, and another number after each start that wrote something. */
  readonly start: number;
  readonly journal: EntryJournal;
  /** Caches of states that the journal leads to. */
  readonly states: StoredStates;
  /**
   * The command in this place of the past ends whatever process carries it out: it is stepped over
   * from now on. False: others came after it, so it did not.
   */
  stepOver(at: number): Promise<boolean>;
  /** A key of its own for each use, the same at every start. */
  keyFor(use: string): Uint8Array;
  /** All that was appended is on the disk, and the folder is another's to use. */
  close(): Promise<void>;
}

export interface FolderOptions {
  readonly folder: string;
  /** Which program writes. */
  readonly build: string;
  /** A digest of plan and seed of the world that begins at an instant, ms since 1970. */
  readonly worldAt: (startUnixMs: number) => string;
  /** Virtual time zero of a world that is new here. */
  readonly startUnixMs: number;
  /** The disk has failed. */
  readonly onBroken: (error: unknown) => void;
}

export interface OpenedWorld {
  readonly startUnixMs: number;
  readonly stored: DurableWorld;
}

/** The folder is used by this process until it is closed. */
export async function openWorld(
  options: FolderOptions,
): Promise<Result<OpenedWorld, FolderFailure>> {
  const locked = await lockFolder(options.folder);
  if (!locked.ok) return locked;
  const opened = await openLocked(options, locked.value);
  if (!opened.ok) await locked.value.release();
  return opened;
}

async function openLocked(
  options: FolderOptions,
  lock: FolderLock,
): Promise<Result<OpenedWorld, FolderFailure>> {
  const { folder, worldAt, startUnixMs } = options;
  const disk = new FolderDisk(folder);
  const fresh = () => ({ startUnixMs, world: worldAt(startUnixMs) });
  const known = await worldIn(disk, folder, fresh);
  if (!known.ok) return known;
  const { world, startUnixMs: begins } = known.value;
  if (worldAt(begins) !== world) return fail('journal.world', otherWorld(folder));
  const key = await keyIn(disk, folder);
  if (!key.ok) return key;
  const storedValue = await openDurable(options, world, key.value, lock);
  return storedValue.ok ? ok({ startUnixMs: begins, stored: storedValue.value }) : storedValue;
}

/** What an entry names is not there. */
class MissingContents extends Error {}

async function openDurable(
  { folder, build, onBroken }: FolderOptions,
  world: string,
  key: Uint8Array,
  lock: FolderLock,
): Promise<Result<DurableWorld, FolderFailure>> {
  const keyFor = (use: string) => new Uint8Array(hkdfSync('sha256', key, '', use, KEY_BYTES));
  const filesIn = (name: string) =>
    new SealedFiles(new FolderDisk(join(folder, name)), keyFor(name));
  const contents = await StoredContents.open(filesIn(CONTENTS_FOLDER));
  const history = new History();
  const options = { key, world, build, onBroken };
  try {
    const opened = await Journal.open(new FolderDisk(folder), options, (scanned) =>
      addTo(history, scanned, contents),
    );
    if (!opened.ok) return opened;
    const journal = new EntryJournal(opened.value.journal, contents, onBroken);
    const states = new StoredStates(filesIn(STATES_FOLDER), contents, build);
    return ok({
      history,
      torn: opened.value.torn,
      start: opened.value.journal.segment,
      journal,
      states,
      stepOver: async (at) => {
        const { commands, standsAtUs: atUs } = history.state();
        if (at !== commands.length - 1) return false;
        history.stepOver();
        return (await journal.appended({ kind: 'steppedOver', atUs })) === 'durable';
      },
      keyFor,
      close: async () => {
        await journal.close();
        await lock.release();
      },
    });
  } catch (error) {
    if (error instanceof MissingContents) return fail('journal.contents', error.message);
    throw error;
  }
}

const CONTENTS_FOLDER = 'contents';
const STATES_FOLDER = 'snapshots';

async function addTo(
  history: History,
  { payload, segment, offset }: ScannedEntry,
  contents: StoredContents,
): Promise<void> {
  const { entry, missing } = decodeEntry(payload, contents.get);
  if (missing.length === 0) return history.add(entry);
  const [lost] = await contents.read(missing);
  if (lost !== undefined) {
    throw new MissingContents(
      `The entry at byte ${offset} of ${segment} names contents that are missing or damaged: ` +
        `${CONTENTS_FOLDER}/${lost}.`,
    );
  }
  history.add(decodeEntry(payload, contents.get).entry);
}

interface KnownWorld {
  readonly startUnixMs: number;
  readonly world: string;
}

/** The world that the folder has; this one where it has none. */
export async function worldIn(
  disk: FolderDisk,
  folder: string,
  fresh: () => KnownWorld,
): Promise<Result<KnownWorld, 'journal.folder'>> {
  const names = await disk.list();
  if (!names.includes(WORLD_FILE)) {
    const known = fresh();
    await disk.put(WORLD_FILE, Buffer.from(`${JSON.stringify(known)}\n`));
    return ok(known);
  }
  const text = await disk.read(WORLD_FILE, 0, await disk.size(WORLD_FILE));
  const known = knownIn(text.toString('utf8'));
  const path = join(folder, WORLD_FILE);
  return known === undefined ? fail('journal.folder', `${path} is damaged.`) : ok(known);
}

function knownIn(text: string): KnownWorld | undefined {
  try {
    const known = JSON.parse(text) as Partial<KnownWorld>;
    const isKnown = Number.isSafeInteger(known.startUnixMs) && typeof known.world === 'string';
    return isKnown ? (known as KnownWorld) : undefined;
  } catch {
    return undefined;
  }
}

/** The key of the folder, which is made once and never replaced. */
export async function keyIn(
  disk: FolderDisk,
  folder: string,
): Promise<Result<Uint8Array, 'journal.folder'>> {
  const path = join(folder, KEY_FILE);
  const names = await disk.list();
  if (!names.includes(KEY_FILE)) {
    if (names.some((name) => name.startsWith('segment-'))) {
      return fail('journal.folder', `${path} is missing, and the journal is encrypted by it.`);
    }
    await disk.put(KEY_FILE, randomBytes(KEY_BYTES));
  }
  const { mode } = await stat(path);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    return fail('journal.folder', `${path} is open to other users (chmod 600).`);
  }
  const key = await disk.read(KEY_FILE, 0, KEY_BYTES + 1);
  const isKey = key.length === KEY_BYTES;
  return isKey ? ok(key) : fail('journal.folder', `${path} has to have ${KEY_BYTES} bytes.`);
}

const otherWorld = (folder: string): string =>
  `${folder} has a world of another scenario, seed or start: name another folder ` +
  '(--data), serve that scenario, or remove the folder for a new world.';
