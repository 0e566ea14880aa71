/** Who looks after a journal: what it has is reported, damage is reported, and can be cut out. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cut, cutting } from '../../../api/host/journal/cut.ts';
import { encodeEntry } from '../../../api/host/journal/entries-msgpack.ts';
import type { EntryFields } from '../../../api/host/journal/fields-msgpack.ts';
import { framesFrom, verify } from '../../../api/host/journal/verify.ts';
import { drawsOf, KEY, opened, settled, WORLD } from '../../support/journals.ts';
import { PowerLossDisk } from '../../support/power-loss-disk.ts';

const FIRST = 'segment-00000001';
const SECOND = 'segment-00000002';

/** A command with two marks after it, at each of these seconds. */
async function written(seconds: number): Promise<PowerLossDisk> {
  const disk = new PowerLossDisk(drawsOf(1));
  const { journal } = await opened(disk);
  const append = (entry: object) =>
    journal.append(encodeEntry(entry as never).payload, () => undefined);
  for (let second = 0; second < seconds; second++) {
    const atUs = second * 1_000_000;
    append({ kind: 'command', atUs, command: { kind: 'noise', text: 'x'.repeat(300) } });
    append({ kind: 'clockReached', atUs: atUs + 1 });
    append({ kind: 'clockReached', atUs: atUs + 2 });
    await settled();
  }
  await journal.close();
  return disk;
}

const readable = (disk: PowerLossDisk) => ({ disk, key: KEY, world: WORLD });

async function looked(disk: PowerLossDisk) {
  const entries: EntryFields[] = [];
  const verdict = await verify(readable(disk), (_, fields) => void entries.push(fields));
  return { ...verdict, at: entries.map(({ atUs }) => atUs) };
}

const segmentsOf = async (disk: PowerLossDisk) =>
  (await disk.list()).filter((name) => /^segment-\d+$/.test(name));

/** All bytes of segments, those that a cut has stored in their places. */
async function bytesOf(disk: PowerLossDisk): Promise<string> {
  const parts = (await disk.list()).filter((name) => name.startsWith('segment-'));
  return Buffer.concat(parts.map((name) => disk.bytesOf(name))).toString('hex');
}

function flip(disk: PowerLossDisk, name: string, at: number, bits = 1): void {
  const bytes = Buffer.from(disk.bytesOf(name));
  bytes[at]! ^= bits;
  disk.setBytes(name, bytes);
}

/** Where a second begins, and a place that only a later entry proves to be damaged. */
async function startOf(disk: PowerLossDisk, atUs: number) {
  let place = { segment: '', offset: 0 };
  await verify(readable(disk), ({ segment, offset }, fields) => {
    if (fields.atUs === atUs) place = { segment, offset };
  });
  return place;
}

describe('a journal that is whole', () => {
  it('is reported by its entries, their kinds and their times, over all segments', async () => {
    const disk = await written(40);
    const { at: _, byKind, ...verdict } = await looked(disk);
    const names = await segmentsOf(disk);
    expect(names.length).toBeGreaterThan(3);
    expect([...byKind]).toEqual([
      ['command', 40],
      ['clockReached', 80],
    ]);
    expect(verdict).toEqual({
      segments: names.length,
      bytes: names.reduce((sum, name) => sum + disk.bytesOf(name).length, 0),
      entries: 120,
      span: [0, 39_000_002],
      torn: undefined,
      fault: undefined,
    });
  });

  it('may be empty, and may have kinds that are not known', async () => {
    expect(await looked(new PowerLossDisk(drawsOf(1)))).toMatchObject({ entries: 0, segments: 0 });
    const disk = new PowerLossDisk(drawsOf(1));
    const { journal } = await opened(disk);
    journal.append(encodeEntry({ kind: 'of tomorrow', atUs: 7 } as never).payload, () => undefined);
    await journal.close();
    expect((await looked(disk)).byKind).toEqual(new Map([['of tomorrow', 1]]));
  });

  it('is no less so while a process begins a segment of it', async () => {
    const disk = await written(5);
    const { journal } = await opened(disk);
    const begins = async () => {
      const entry = encodeEntry({ kind: 'clockReached', life: 0, atUs: 9_000_000 }).payload;
      await new Promise((done) => journal.append(entry, done));
    };
    const busy = new Proxy(disk, {
      get: (target, name) => {
        if (name !== 'read') return Reflect.get(target, name).bind(target);
        return async (...of: Parameters<typeof target.read>) => {
          if (of[0] === 'latest') await begins();
          return target.read(...of);
        };
      },
    });
    const { fault, segments } = await verify(readable(busy));
    expect([fault, segments]).toEqual([undefined, 1]);
    expect((await looked(disk)).segments).toBe(2);
  });

  it('has nothing to cut, unless a place is named', async () => {
    const disk = await written(5);
    expect(await cutting(readable(disk), {})).toMatchObject({ failure: { code: 'cut.nothing' } });
    const place = await startOf(disk, 3_000_000);
    const planned = await cutting(readable(disk), { segment: 1, at: place.offset });
    // Three entries of two seconds, and the seal.
    expect(planned).toMatchObject({ ok: true, value: { at: place, frames: 7 } });
    await cut(disk, place);
    const { at, fault, torn } = await looked(disk);
    expect([at.length, fault, torn]).toEqual([9, undefined, undefined]);
  });

  it('is cut where an entry begins only, and the nearest ones are reported', async () => {
    const disk = await written(5);
    const [{ offset }, next] = [await startOf(disk, 2_000_000), await startOf(disk, 2_000_001)];
    const planned = await cutting(readable(disk), { segment: 1, at: offset + 1 });
    expect(planned).toMatchObject({
      failure: {
        code: 'cut.place',
        message:
          `No entry of ${FIRST} begins at byte ${offset + 1}; one does at byte ${offset}, ` +
          `the next one at byte ${next.offset}.`,
      },
    });
    const none = await cutting(readable(disk), { segment: 9 });
    expect(none).toMatchObject({ failure: { code: 'cut.place' } });
  });
});

describe('a torn tail', () => {
  it('is reported as what was never acknowledged', async () => {
    const disk = await written(2);
    const bytes = disk.bytesOf(FIRST);
    disk.setBytes(FIRST, Buffer.concat([bytes, Buffer.from('FWJ1 and no more')]));
    const { torn, fault, entries } = await looked(disk);
    expect([torn, fault, entries]).toEqual([
      { segment: FIRST, offset: bytes.length, bytes: 16 },
      undefined,
      6,
    ]);
  });
});

describe('damage', () => {
  const anywhere = fc.record({
    segment: fc.nat(),
    byte: fc.nat(),
    bits: fc.integer({ min: 1, max: 255 }),
  });

  it('at any byte is reported, or is in the torn tail, and no entry is another one', async () => {
    const whole = await written(20);
    const entries = (await looked(whole)).at;
    let count = 0;
    await fc.assert(
      fc.asyncProperty(anywhere, async ({ segment, byte, bits }) => {
        const disk = whole.reopen();
        const names = await segmentsOf(disk);
        const name = names[segment % names.length]!;
        const at = byte % disk.bytesOf(name).length;
        flip(disk, name, at, bits);
        const { fault, torn, at: found } = await looked(disk);
        expect(found).toEqual(entries.slice(0, found.length));
        const place = fault?.at ?? torn;
        expect(place?.segment).toBe(name);
        expect(place?.offset).toBeLessThanOrEqual(at);
        if (fault === undefined) expect(found).toEqual(entries);
        else count++;
      }),
    );
    expect(count).toBeGreaterThan(0);
  });

  it('is cut out: what stands before is there, and all that went is beside', async () => {
    const whole = await written(20);
    const entries = (await looked(whole)).at;
    const bytes = Buffer.from(await bytesOf(whole), 'hex').length;
    await fc.assert(
      fc.asyncProperty(anywhere, async ({ segment, byte, bits }) => {
        const disk = whole.reopen();
        const names = await segmentsOf(disk);
        const name = names[segment % names.length]!;
        flip(disk, name, byte % disk.bytesOf(name).length, bits);
        const before = await looked(disk);
        const damaged = await bytesOf(disk);
        const planned = await cutting(readable(disk), {});
        expect(planned.ok).toBe(before.fault !== undefined);
        if (planned.ok) await cut(disk, planned.value.at);
        expect(await bytesOf(disk)).toBe(damaged);
        const after = await looked(disk);
        expect([after.fault, after.at]).toEqual([undefined, before.at]);
        const again = await opened(disk.reopen());
        again.append(1);
        await again.journal.close();
        expect(again.acknowledged).toEqual([1]);
      }),
    );
    expect([entries.length, bytes]).toEqual([60, expect.any(Number)]);
  });

  it('has frames behind it that can be read, and that are counted without headers', async () => {
    const disk = await written(20);
    const place = await startOf(disk, 1_000_000);
    const all = await framesFrom(disk, { segment: FIRST, offset: 0 });
    flip(disk, place.segment, place.offset + 40);
    const planned = await cutting(readable(disk), {});
    expect(planned).toMatchObject({ ok: true, value: { at: place } });
    // Three entries stand before, and one is damaged.
    expect(planned).toMatchObject({ value: { frames: all.frames - 4 } });
  });

  it('that is a segment which is missing is cut out, too', async () => {
    const disk = await written(40);
    await disk.remove(SECOND);
    const { fault } = await looked(disk);
    expect(fault).toMatchObject({
      message: `${SECOND} is missing, which had been written.`,
      at: { segment: SECOND, offset: 0 },
    });
    const planned = await cutting(readable(disk), {});
    await cut(disk, planned.ok ? planned.value.at : { segment: '', offset: 0 });
    expect(await segmentsOf(disk)).toEqual([FIRST]);
    expect((await looked(disk)).fault).toBeUndefined();
    expect((await opened(disk.reopen())).found.length).toBeGreaterThan(0);
  });

  it('is none where the key or the world is another one, and then nothing is cut', async () => {
    const disk = await written(2);
    const others = [
      { ...readable(disk), key: new Uint8Array(32) },
      { ...readable(disk), world: 'another' },
    ];
    for (const [i, other] of others.entries()) {
      const { fault } = await verify(other);
      expect(fault).toMatchObject({ code: ['journal.key', 'journal.world'][i], at: undefined });
      const planned = await cutting(other, { segment: 1 });
      expect(planned).toMatchObject({ failure: { code: 'cut.unreadable' } });
    }
  });
});

describe('a cut', () => {
  it('keeps what an earlier one has stored', async () => {
    const disk = await written(3);
    const place = await startOf(disk, 2_000_000);
    const first = await cut(disk, place);
    const { journal } = await opened(disk.reopen());
    await journal.close();
    disk.setBytes(FIRST, Buffer.concat([disk.bytesOf(FIRST), Buffer.from('more')]));
    const second = await cut(disk, place);
    expect([first, second]).toEqual([
      [`${FIRST}.cut-${place.offset}`],
      [`${FIRST}.cut-${place.offset}.2`],
    ]);
    expect(disk.bytesOf(second[0]!).toString()).toBe('more');
  });

  it('during which the power goes is done by the next one', async () => {
    const whole = await written(40);
    const place = await startOf(whole, 3_000_000);
    flip(whole, place.segment, place.offset + 40);
    const { at: stored } = await looked(whole);
    let interrupted = 0;
    for (let operations = 0; operations < 40; operations++) {
      const disk = whole.reopen();
      disk.powerEndsIn = operations;
      await cut(disk, place).catch(() => interrupted++);
      const next = disk.restart();
      const planned = await cutting(readable(next), {});
      if (planned.ok) await cut(next, planned.value.at);
      const { at, fault } = await looked(next);
      expect([at, fault]).toEqual([stored, undefined]);
    }
    expect(interrupted).toBeGreaterThan(10);
    expect(interrupted).toBeLessThan(40);
  });
});
