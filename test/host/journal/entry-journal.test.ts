/** Entries on their way to a journal: what they name is on the disk before them. */
import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../../api/host/journal/entries-msgpack.ts';
import { EntryJournal } from '../../../api/host/journal/entry-journal.ts';
import type { Fate } from '../../../api/host/journal/journal.ts';
import { settled } from '../../support/journals.ts';

const upload = (name: string, length: number): JournalEntry => ({
  kind: 'command',
  atUs: 0,
  command: { kind: 'image.create', by: 'ann', name, bytes: new Uint8Array(length) },
});
const mark: JournalEntry = { kind: 'clockReached', atUs: 7, life: 0 };

/** A journal that acknowledges at once, and contents that are put when the test says so. */
function bench() {
  const appended: Uint8Array[] = [];
  const puts: { readonly done: () => void; readonly fails: (error: Error) => void }[] = [];
  const broken: unknown[] = [];
  const journal = {
    append: (payload: Uint8Array, done: (fate: Fate) => void) => {
      appended.push(payload);
      queueMicrotask(() => done('durable'));
    },
    close: async () => undefined,
  };
  const put = () => new Promise<void>((done, fails) => void puts.push({ done, fails }));
  const entries = new EntryJournal(journal, { put }, (error) => void broken.push(error));
  return { entries, appended, puts, broken };
}

const failure = (code: string) => Object.assign(new Error(code), { code, errno: -1, syscall: '' });

describe('an entry that names contents', () => {
  it('amounts to the journal once they are on the disk, and what came later waits', async () => {
    const { entries, appended, puts } = bench();
    const fates: string[] = [];
    entries.append(upload('a.bin', 2_000), (fate) => void fates.push(`image ${fate}`));
    entries.append(mark, (fate) => void fates.push(`mark ${fate}`));
    await settled();
    expect([appended.length, fates]).toEqual([0, []]);
    puts[0]!.done();
    await settled();
    puts[1]!.done();
    await settled();
    expect([appended.length, fates]).toEqual([2, ['image durable', 'mark durable']]);
  });

  it('is in no journal where the disk is full, and the next one is', async () => {
    const { entries, appended, puts, broken } = bench();
    const image = entries.appended(upload('a.bin', 2_000));
    const later = entries.appended(mark);
    await settled();
    puts[0]!.fails(failure('ENOSPC'));
    await settled();
    puts[1]!.done();
    expect([await image, await later]).toEqual(['full', 'durable']);
    expect([appended.length, broken]).toEqual([1, []]);
  });

  it('ends the journal where the disk fails', async () => {
    const { entries, appended, puts, broken } = bench();
    const image = entries.appended(upload('a.bin', 2_000));
    await settled();
    puts[0]!.fails(failure('EIO'));
    expect(await image).toBe('broken');
    expect([appended.length, broken.length]).toEqual([0, 1]);
  });

  it('has few bytes in itself', async () => {
    const { entries, appended, puts } = bench();
    expect(await entries.appended(upload('a.bin', 100))).toBe('durable');
    expect([appended.length, puts.length]).toEqual([1, 0]);
  });
});
