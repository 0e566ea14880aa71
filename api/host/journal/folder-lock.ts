/**
 * One process a data folder: a file that says which one it is. A lock whose process is gone is
 * taken over; the start time distinguishes another process that has got its number since.
 */

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fail, ok, type Result } from '../../../sim/base/result.ts';
import { isSystemError } from '../process/system-error.ts';

const FILE = 'lock';

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When it began, in the machine's own count; '' where the machine does not tell. */
  readonly began: string;
}

export interface FolderLock {
  release(): Promise<void>;
}

/** The lock, or who has it. */
export async function lockFolder(folder: string): Promise<Result<FolderLock, 'journal.locked'>> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, FILE);
  const own = JSON.stringify(holderOf(process.pid));
  for (;;) {
    if (await take(path, own)) return ok({ release: () => release(path, own) });
    const text = await textOf(path);
    // It was released meanwhile.
    if (text === undefined) continue;
    const holder = holderIn(text);
    if (holder !== undefined && isThere(holder)) {
      const advice = holder.host === hostname() ? '' : ` If it is gone, remove ${path}.`;
      const message = `${folder} is used by ${nameOf(holder)}.`;
      return fail('journal.locked', message + advice);
    }
    await drop(path, text, own);
  }
}

const nameOf = ({ pid, host }: Holder): string => `the process ${pid} on ${host}`;

/** Who has the lock, for those who do without it; undefined: nobody. */
export async function holderOfLock(folder: string): Promise<string | undefined> {
  const text = await textOf(join(folder, FILE));
  const holder = text === undefined ? undefined : holderIn(text);
  return holder !== undefined && isThere(holder) ? nameOf(holder) : undefined;
}

/** A file comes into being whole: it is linked to its name once it is written. */
async function take(path: string, own: string): Promise<boolean> {
  const beside = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(beside, own, { mode: 0o600, flag: 'wx' });
    await link(beside, path);
    return true;
  } catch (error) {
    if (isSystemError(error) && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(beside, { force: true });
  }
}

/**
 * Takes away a lock that nobody holds. One process does so at a time, by a lock of its own, and
 * looks once more: another may have taken the folder over since.
 */
async function drop(path: string, text: string, own: string): Promise<void> {
  const gate = `${path}.takeover`;
  if (!(await take(gate, own))) {
    const holder = holderIn((await textOf(gate)) ?? '');
    if (holder !== undefined && !isThere(holder)) await rm(gate, { force: true });
    return setTimeout(GATE_MS);
  }
  if ((await textOf(path)) === text) await rm(path, { force: true });
  await rm(gate, { force: true });
}

/** So long one waits for another who takes a lock away, ms. */
const GATE_MS = 20;

async function release(path: string, own: string): Promise<void> {
  if ((await textOf(path)) === own) await rm(path, { force: true });
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

const holderOf = (pid: number): Holder => ({ pid, host: hostname(), began: beganAt(pid) });

function holderIn(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Partial<Holder>;
    return typeof holder.pid === 'number' ? (holder as Holder) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the process is there still; one of another machine may be. */
function isThere({ pid, host, began }: Holder): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (isSystemError(error) && error.code === 'ESRCH') return false;
  }
  // Some machines do not tell of other users’ processes.
  const known = beganAt(pid);
  return known === '' || known === began;
}

/** Boot id of the machine and start time in ticks, where /proc has them. */
function beganAt(pid: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program may have blanks and brackets in it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return `${boot} ${fields[19]}`;
  } catch {
    return '';
  }
}
