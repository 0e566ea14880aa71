/**
 * Entries to a journal, in their order: contents that an entry names are on the disk before it.
 * What comes after such an entry waits for it.
 */
import { isSystemError } from '../process/system-error.ts';
import type { StoredContents } from './contents.ts';
import { type EncodedEntry, encodeEntry, type JournalEntry } from './entries-msgpack.ts';
import type { Fate, Journal } from './journal.ts';

type Done = (fate: Fate) => void;

export class EntryJournal {
  readonly #journal: Pick<Journal, 'append' | 'close'>;
  readonly #contents: Pick<StoredContents, 'put'>;
  readonly #onBroken: (error: unknown) => void;
  /** Contents that are written, and what waits behind them. */
  #underway: Promise<void> | undefined;

  constructor(
    journal: Pick<Journal, 'append' | 'close'>,
    contents: Pick<StoredContents, 'put'>,
    onBroken: (error: unknown) => void,
  ) {
    this.#journal = journal;
    this.#contents = contents;
    this.#onBroken = onBroken;
  }

  /** Returns how many bytes it takes, with its contents. */
  append(entry: JournalEntry, done: Done): number {
    const encoded = encodeEntry(entry);
    const bytes = encoded.contents.reduce(
      (sum, each) => sum + each.bytes.length,
      encoded.payload.length,
    );
    if (this.#underway === undefined && encoded.contents.length === 0) {
      this.#journal.append(encoded.payload, done);
      return bytes;
    }
    const before = this.#underway ?? Promise.resolve();
    const own = before.then(() => this.#appendAfterContents(encoded, done));
    this.#underway = own;
    own.then(() => {
      if (this.#underway === own) this.#underway = undefined;
    });
    return bytes;
  }

  /** As `append`; what becomes of it. */
  appended(entry: JournalEntry): Promise<Fate> {
    return new Promise((done) => this.append(entry, done));
  }

  /** All that was appended is on the disk. */
  async close(): Promise<void> {
    while (this.#underway !== undefined) await this.#underway;
    await this.#journal.close();
  }

  async #appendAfterContents({ payload, contents }: EncodedEntry, done: Done): Promise<void> {
    try {
      await this.#contents.put(contents);
    } catch (error) {
      if (isSystemError(error) && error.code === 'ENOSPC') return done('full');
      this.#onBroken(error);
      return done('broken');
    }
    this.#journal.append(payload, done);
  }
}
