/** A journal: groups, segments, seals, full and failing disks, damage (docs/decisions/0065). */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FolderDisk } from '../../../api/host/journal/disk.ts';
import { drawsOf, KEY, opened, scanned, settled, WORLD } from '../../support/journals.ts';
import { PowerLossDisk } from '../../support/power-loss-disk.ts';

const newDisk = (seed = 1) => new PowerLossDisk(drawsOf(seed));

/** A disk with entries 1 to `count`, closed. */
async function written(count: number, bytes = 40): Promise<PowerLossDisk> {
  const disk = newDisk();
  const bench = await opened(disk);
  for (let entry = 1; entry <= count; entry++) {
    bench.append(entry, bytes);
    if (entry % 7 === 0) await settled();
  }
  await bench.journal.close();
  return disk;
}

const segmentsOf = async (disk: Pick<PowerLossDisk, 'list'>) =>
  (await disk.list()).filter((name) => name.startsWith('segment'));

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

describe('a journal', () => {
  it('acknowledges in the order of the entries, and has them when it is opened again', async () => {
    const disk = newDisk();
    const bench = await opened(disk);
    for (const entry of upTo(50)) bench.append(entry);
    expect(bench.acknowledged).toEqual([]);
    await bench.journal.close();
    expect(bench.acknowledged).toEqual(upTo(50));
    const again = await opened(disk.restart());
    expect(again.found).toEqual(upTo(50));
    expect(again.torn).toBe(false);
  });

  it('writes and syncs what waits meanwhile as one group', async () => {
    const disk = newDisk();
    const bench = await opened(disk);
    bench.append(1);
    await settled();
    const before = disk.operations;
    for (const entry of upTo(1_000)) bench.append(entry + 1, 8);
    await settled();
    expect(disk.operations - before).toBeLessThanOrEqual(2 * 2 + 5);
    expect(bench.acknowledged).toHaveLength(1_001);
  });

  it('goes on in further segments, and after each start in one of its own', async () => {
    const disk = await written(100, 200);
    const names = await segmentsOf(disk);
    expect(names.length).toBeGreaterThan(4);
    const bench = await opened(disk.reopen());
    expect(bench.found).toEqual(upTo(100));
  });

  it('seals its end after a pause, so that damage to the last entry is seen, too', async () => {
    const disk = newDisk();
    const bench = await opened(disk);
    bench.append(1);
    await settled();
    const [name = ''] = await segmentsOf(disk);
    const unsealed = disk.bytesOf(name).length;
    bench.time.passes(60);
    await settled();
    expect(disk.bytesOf(name).length).toBeGreaterThan(unsealed);
    const bytes = Buffer.from(disk.bytesOf(name));
    bytes[unsealed - 1]! ^= 1;
    disk.setBytes(name, bytes);
    const { result } = await scanned(disk);
    expect(result).toMatchObject({ ok: false, failure: { code: 'journal.damaged' } });
  });

  it('acknowledges what was appended while its end was sealed, and is closed then', async () => {
    const disk = newDisk();
    const bench = await opened(disk);
    bench.append(1);
    await settled();
    bench.time.passes(60);
    bench.append(2);
    await bench.journal.close();
    expect(bench.acknowledged).toEqual([1, 2]);
    expect([bench.broken, bench.journal.state]).toEqual([[], 'closed']);
    expect((await scanned(disk.restart())).entries).toEqual([1, 2]);
  });

  it('is not opened with another key, for another world, or in another format', async () => {
    const disk = await written(3);
    const other = KEY.map((byte) => byte ^ 1);
    await expect(opened(disk, { key: other })).rejects.toThrow('journal.key');
    await expect(opened(disk, { world: 'another' })).rejects.toThrow('journal.world');
    expect((await scanned(disk, KEY, WORLD)).entries).toEqual(upTo(3));
  });

  it('shows nobody who has no key what stands in it', async () => {
    const disk = newDisk();
    const bench = await opened(disk);
    const secret = Buffer.from('a secret that stands in an entry');
    bench.journal.append(secret, () => undefined);
    await bench.journal.close();
    const names = await segmentsOf(disk);
    const all = Buffer.concat(names.map((name) => disk.bytesOf(name)));
    expect(all.includes(secret)).toBe(false);
  });
});

describe('a journal that is damaged', () => {
  it('is cut at any byte to the entries before it, each of them whole', async () => {
    const disk = await written(12, 60);
    const names = await segmentsOf(disk);
    const last = names.at(-1)!;
    const whole = Buffer.from(disk.bytesOf(last));
    const header = 32 + whole.readUInt32LE(4);
    for (let length = header; length < whole.length; length++) {
      const damaged = disk.reopen();
      damaged.setBytes(last, whole.subarray(0, length));
      const { entries, result } = await scanned(damaged);
      expect(result.ok).toBe(true);
      expect(entries).toEqual(upTo(entries.length));
      const again = await opened(damaged);
      expect(again.found).toEqual(entries);
      again.append(99);
      await again.journal.close();
      expect((await scanned(damaged)).entries).toEqual([...entries, 99]);
    }
  });

  it('is refused where the header of a segment that was begun is cut', async () => {
    const disk = await written(12, 60);
    const last = (await segmentsOf(disk)).at(-1)!;
    const whole = Buffer.from(disk.bytesOf(last));
    for (let length = 0; length < 32 + whole.readUInt32LE(4); length++) {
      disk.setBytes(last, whole.subarray(0, length));
      expect((await scanned(disk)).result.ok, `${length} bytes`).toBe(false);
    }
  });

  it('is refused for any bit that is another, unless it is in the tail', async () => {
    const disk = await written(40, 100);
    const names = await segmentsOf(disk);
    const draw = drawsOf(5);
    for (let flip = 0; flip < 800; flip++) {
      const damaged = disk.reopen();
      const name = names[draw(names.length)]!;
      const bytes = Buffer.from(damaged.bytesOf(name));
      bytes[draw(bytes.length)]! ^= 1 << draw(8);
      damaged.setBytes(name, bytes);
      const { entries, result } = await scanned(damaged);
      expect(entries).toEqual(upTo(entries.length));
      if (result.ok) expect(entries).toHaveLength(40);
      else expect(result.failure.code).toMatch(/^journal\.(damaged|key|format|world)$/);
    }
  });

  it('is refused where the header of its latest segment is another, sealed or not', async () => {
    const disk = newDisk();
    const bench = await opened(disk);
    bench.append(1);
    await settled();
    const [name = ''] = await segmentsOf(disk);
    const whole = Buffer.from(disk.bytesOf(name));
    const header = 32 + whole.readUInt32LE(4);
    for (let bit = 0; bit < 8 * header; bit++) {
      const bytes = Buffer.from(whole);
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      disk.setBytes(name, bytes);
      expect((await scanned(disk)).result.ok, `bit ${bit}`).toBe(false);
    }
  });

  it('says where it is damaged, and which entry is lost', async () => {
    const disk = await written(40, 100);
    const [name = ''] = await segmentsOf(disk);
    const bytes = Buffer.from(disk.bytesOf(name));
    bytes[bytes.length >> 1]! ^= 255;
    disk.setBytes(name, bytes);
    const { entries, result } = await scanned(disk);
    const message = result.ok ? '' : result.failure.message;
    expect(message).toMatch(/^segment-00000001 is damaged at byte \d+: the entry with sequence/);
    expect(message).toContain(`number ${entries.length + 1} was acknowledged`);
  });

  it('is refused when segments are missing, doubled or exchanged', async () => {
    const disk = await written(100, 200);
    const [first = '', second = '', third = ''] = await segmentsOf(disk);
    const without = disk.reopen();
    await without.remove(second);
    expect((await scanned(without)).result.ok).toBe(false);
    const short = disk.reopen();
    await short.remove((await segmentsOf(disk)).at(-1)!);
    expect((await scanned(short)).result.ok).toBe(false);
    const empty = disk.reopen();
    for (const name of await disk.list()) if (name !== 'latest') await empty.remove(name);
    expect((await scanned(empty)).result.ok).toBe(false);
    const beheaded = disk.reopen();
    await beheaded.remove(first);
    expect((await scanned(beheaded)).result.ok).toBe(false);
    const exchanged = disk.reopen();
    exchanged.setBytes(second, Buffer.from(disk.bytesOf(third)));
    exchanged.setBytes(third, Buffer.from(disk.bytesOf(second)));
    expect((await scanned(exchanged)).result.ok).toBe(false);
    const doubled = disk.reopen();
    doubled.setBytes(third, Buffer.from(disk.bytesOf(second)));
    expect((await scanned(doubled)).result.ok).toBe(false);
  });
});

describe('a disk that is full', () => {
  it('refuses entries, keeps those before, and goes on when there is room', async () => {
    const disk = newDisk();
    const bench = await opened(disk);
    for (const entry of upTo(10)) bench.append(entry);
    await settled();
    disk.capacity = 1_500;
    for (const entry of upTo(60)) {
      bench.append(100 + entry, 100);
      await settled();
    }
    expect(bench.journal.state).toBe('full');
    expect([...bench.refused.values()].every((fate) => fate === 'full')).toBe(true);
    expect(bench.broken).toEqual([]);
    disk.capacity = Number.POSITIVE_INFINITY;
    bench.append(500);
    await settled();
    expect(bench.refused.get(500)).toBe('full');
    bench.time.passes(2_000);
    bench.append(501);
    await bench.journal.close();
    expect(bench.acknowledged.at(-1)).toBe(501);
    expect((await scanned(disk.restart())).entries).toEqual(bench.acknowledged);
  });

  it('at any byte loses nothing that was acknowledged', async () => {
    for (let capacity = 0; capacity < 2_600; capacity += 13) {
      const disk = newDisk(capacity);
      disk.capacity = capacity;
      const bench = await opened(disk);
      for (const entry of upTo(20)) {
        bench.append(entry, 60);
        if (entry % 3 === 0) await settled();
      }
      await settled();
      const { entries, result } = await scanned(disk.restart());
      expect(result.ok).toBe(true);
      expect(entries).toEqual(bench.acknowledged);
    }
  });
});

describe('a disk that fails', () => {
  it('ends the journal at once: nothing is acknowledged any more', async () => {
    for (let failsIn = 1; failsIn < 12; failsIn++) {
      const disk = newDisk(failsIn);
      const bench = await opened(disk);
      disk.failsIn = failsIn;
      for (const entry of upTo(12)) {
        bench.append(entry);
        await settled();
      }
      expect(bench.broken).toHaveLength(1);
      expect(bench.journal.state).toBe('broken');
      const first = Math.min(...bench.refused.keys());
      expect(bench.acknowledged).toEqual(upTo(first - 1));
      expect([...bench.refused.values()].every((fate) => fate === 'broken')).toBe(true);
      const { entries } = await scanned(disk.restart());
      expect(entries.slice(0, first - 1)).toEqual(bench.acknowledged);
    }
  });
});

describe('a folder of this machine', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwave-journal-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('has a journal that only its owner reads, and that is there again', async () => {
    const disk = new FolderDisk(join(folder, 'data', 'journal'));
    const bench = await opened(disk as unknown as PowerLossDisk);
    for (const entry of upTo(500)) bench.append(entry);
    await bench.journal.close();
    const [name = ''] = await segmentsOf(disk);
    expect(statSync(join(folder, 'data', 'journal', name)).mode & 0o777).toBe(0o600);
    expect((await scanned(disk as unknown as PowerLossDisk)).entries).toEqual(upTo(500));
  });
});
