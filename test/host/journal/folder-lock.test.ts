/** One process a folder: locks of the living hold, locks of the dead do not. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { holderOfLock, lockFolder } from '../../../api/host/journal/folder-lock.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleetwave-lock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** What this process would write, with some of it changed. */
async function lockOf(change: Readonly<Record<string, unknown>>): Promise<void> {
  const own = await lockFolder(folder);
  if (!own.ok) throw new Error(own.failure.message);
  const text = await readFile(join(folder, 'lock'), 'utf8');
  await own.value.release();
  await writeFile(join(folder, 'lock'), JSON.stringify({ ...JSON.parse(text), ...change }));
}

it('a lock of a living process holds, and is named', async () => {
  await lockOf({});
  const name = `the process ${process.pid} on ${hostname()}`;
  expect(await holderOfLock(folder)).toBe(name);
  expect(await lockFolder(folder)).toMatchObject({
    ok: false,
    failure: { code: 'journal.locked', message: `${folder} is used by ${name}.` },
  });
});

it.runIf(process.platform === 'linux')(
  'a lock is free whose process number another process has by now',
  async () => {
    await lockOf({ began: 'another-boot 12345' });
    expect(await holderOfLock(folder)).toBeUndefined();
    expect((await lockFolder(folder)).ok).toBe(true);
  },
);

it('a lock of a process that is gone is free', async () => {
  await lockOf({ pid: 2 ** 22 + 1 });
  expect((await lockFolder(folder)).ok).toBe(true);
});

it('a lock of another machine holds, and says which file to remove', async () => {
  await lockOf({ host: 'elsewhere', pid: 2 ** 22 + 1 });
  const locked = await lockFolder(folder);
  expect(locked.ok ? '' : locked.failure.message).toMatch(/on elsewhere\. If it is gone, remove /);
});
