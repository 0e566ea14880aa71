/**
 * What a journal says about its world: the commands so far, its instant, and what states of it are
 * called. A world that was restored has left commands behind that are no part of it any more; what
 * was named among them is still there.
 */
import { type Admitted, refusedAt } from '../../../core/world/log.ts';
import { assert } from '../../../sim/base/assert.ts';
import { ok } from '../../../sim/base/result.ts';
import { BEGINNING, type PastState } from '../replay/saved-states.ts';
import type { JournalEntry, StoredCommand } from './entries-msgpack.ts';
import { type KeyEntry, RecordedKeys } from './recorded-keys.ts';

export class History {
  #life = 0;
  #commands: Admitted[] = [];
  /** Stamp of the last mark: one before it may have leased time that was never reached. */
  #markUs = 0;
  readonly named = new Map<string, PastState>();
  /** Idempotency keys of the world as it is. */
  readonly keys = new RecordedKeys();

  add(entry: JournalEntry): void {
    switch (entry.kind) {
      case 'command':
        return this.#addCommand(entry);
      case 'refused':
        if (entry.life === this.#life) this.#refuse(entry.place);
        return;
      case 'answered':
      case 'resulted':
        return this.#addKey(entry);
      case 'clockReached':
        if (entry.life === this.#life) this.#markUs = entry.atUs;
        return;
      case 'steppedOver':
        return this.stepOver();
      case 'named':
        if (entry.claim !== undefined) this.keys.resulted(entry.claim, ok(undefined));
        return void this.named.set(entry.name, { ...this.state(), standsAtUs: entry.atUs });
      case 'forgotten':
        return void this.named.delete(entry.name);
      case 'restored':
        return this.#restore(entry.name);
    }
  }

  /** History up to now; later commands do not change the returned value. */
  state(): PastState {
    const lastUs = this.#commands.at(-1)?.atUs ?? 0;
    const standsAtUs = Math.max(0, this.#markUs, lastUs);
    return { commands: [...this.#commands], standsAtUs, life: this.#life };
  }

  /** The last command had ended its process. */
  stepOver(): void {
    const last = this.#commands.pop();
    assert(last !== undefined, 'a command is stepped over after it was given');
    this.#commands.push({ ...last, steppedOver: true });
    this.keys.steppedOver(this.#commands.length - 1);
  }

  #refuse(place: number): void {
    const refused = this.#commands[place];
    assert(refused !== undefined, 'a command is refused after it was given');
    // Its request has no answer yet, which follows from the whole command.
    if (this.keys.open.some(({ command }) => command === place)) return;
    this.#commands[place] = refusedAt(refused);
  }

  #addCommand({ claim, ...command }: StoredCommand): void {
    if (claim !== undefined) this.keys.began(claim, this.#commands.length);
    this.#commands.push(command);
  }

  /** An entry that comes late is of a world that is no more. */
  #addKey(entry: KeyEntry): void {
    if (entry.life !== this.#life) return;
    if (entry.kind === 'resulted') this.keys.resulted(entry.claim, JSON.parse(entry.result));
    else this.keys.answered(entry.claim, entry.givenAtMs, entry.answer);
  }

  #restore(name: string | undefined): void {
    const to = name === undefined ? BEGINNING : this.named.get(name);
    assert(to !== undefined, 'a journal restores what it has named');
    this.#life++;
    this.keys.clear();
    this.#commands = [...to.commands];
    this.#markUs = to.standsAtUs;
  }
}
