/**
 * The folder of a world that is kept: which world it is, the key of all that is secret in it, and
 * its journal. START HERE of what is in the folder:
 *
 *     world.json    the instant of virtual time zero, and a digest of plan and seed
 *     key           32 bytes, which only their owner reads
 *     lock          the process that uses the folder
 *     segment-…     the journal
 */
import { hkdfSync, randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Admitted, LogEntry } from '../../../core/world/log.ts';
import { andThen, fail, ok, type Result } from '../../../sim/base/result.ts';
import { KEY_BYTES } from './cipher.ts';
import { FolderDisk } from './disk.ts';
import { decodeEntry, encodeEntry, type JournalEntry } from './entries-msgpack.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { type Fate, Journal } from './journal.ts';
import type { ScanFailure, TornTail } from './scan.ts';

export type FolderFailure = ScanFailure | 'journal.locked' | 'journal.folder';

const WORLD_FILE = 'world.json';
const KEY_FILE = 'key';

export interface KeptWorld {
  /** What happened to the world so far. */
  readonly past: readonly LogEntry[];
  /** What a crash had left behind the last entry, and was cut. */
  readonly torn: TornTail | undefined;
  append(entry: LogEntry, done: (fate: Fate) => void): void;
  /**
   * The command in this place of `past` ends whatever process carries it out: it is stepped over
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
  readonly kept: KeptWorld;
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
  { folder, build, worldAt, startUnixMs, onBroken }: FolderOptions,
  lock: FolderLock,
): Promise<Result<OpenedWorld, FolderFailure>> {
  const disk = new FolderDisk(folder);
  const known = await worldIn(disk, folder, { startUnixMs, world: worldAt(startUnixMs) });
  if (!known.ok) return known;
  const { world, startUnixMs: begins } = known.value;
  if (worldAt(begins) !== world) return fail('journal.world', otherWorld(folder));
  const key = await keyIn(disk, folder);
  if (!key.ok) return key;
  const past: LogEntry[] = [];
  const opened = await Journal.open(
    disk,
    { key: key.value, world, build, onBroken },
    ({ payload }) => addTo(past, decodeEntry(payload)),
  );
  return andThen(opened, ({ journal, torn }) =>
    ok({
      startUnixMs: begins,
      kept: {
        past,
        torn,
        append: (entry, done) => journal.append(encodeEntry(entry), done),
        stepOver: async (at) => {
          if (past.findLastIndex(({ kind }) => kind === 'command') !== at) return false;
          const mark = { kind: 'steppedOver', atUs: past[at]!.atUs } as const;
          const fate = await new Promise<Fate>((done) => journal.append(encodeEntry(mark), done));
          addTo(past, mark);
          return fate === 'durable';
        },
        keyFor: (use) => new Uint8Array(hkdfSync('sha256', key.value, '', use, KEY_BYTES)),
        close: async () => {
          await journal.close();
          await lock.release();
        },
      },
    }),
  );
}

/** A mark is at the command that it is about. */
function addTo(past: LogEntry[], entry: JournalEntry): void {
  if (entry.kind !== 'steppedOver') return void past.push(entry);
  const at = past.findLastIndex(({ kind }) => kind === 'command');
  past[at] = { ...(past[at] as Admitted), steppedOver: true };
}

interface KnownWorld {
  readonly startUnixMs: number;
  readonly world: string;
}

/** The world that the folder has; this one where it has none. */
async function worldIn(
  disk: FolderDisk,
  folder: string,
  fresh: KnownWorld,
): Promise<Result<KnownWorld, 'journal.folder'>> {
  const names = await disk.list();
  if (!names.includes(WORLD_FILE)) {
    await disk.put(WORLD_FILE, Buffer.from(`${JSON.stringify(fresh)}\n`));
    return ok(fresh);
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
async function keyIn(
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
