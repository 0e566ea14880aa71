/** The disk of this machine, as a journal asks it. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FolderDisk } from '../../../api/host/journal/disk.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetwave-disk-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HALF_A_MIB = Buffer.alloc(524_288, 7);

describe('a file that is put in the place of another one', () => {
  it('is the later one as a whole, and nothing is left beside it', async () => {
    const disk = new FolderDisk(join(folder, 'whole'));
    await disk.put('latest', HALF_A_MIB);
    await disk.put('latest', Buffer.from('2'));
    expect(await disk.list()).toEqual(['latest']);
    expect(readFileSync(join(folder, 'whole', 'latest'), 'utf8')).toBe('2');
  });

  it('takes no room where it could not be put', async () => {
    mkdirSync(join(folder, 'taken', 'latest'), { recursive: true });
    const put = new FolderDisk(join(folder, 'taken')).put('latest', HALF_A_MIB);
    await expect(put).rejects.toMatchObject({ code: 'EISDIR' });
    expect(readdirSync(join(folder, 'taken'))).toEqual(['latest']);
  });
});
