/**
 * What a journal tells of its world: the commands that have led to it, where it stands, and what
 * states of it are called. A world that was restored has left commands behind that are no part of
 * it any more; what was named among them is still there.
 */
import type { Admitted } from '../../../core/world/log.ts';
import { assert } from '../../../sim/base/assert.ts';
import { BEGINNING, type PastState } from '../states.ts';
import type { JournalEntry } from './entries-msgpack.ts';

export class History {
  #life = 0;
  #commands: Admitted[] = [];
  /** Stamp of the last mark: one before it may have leased time that was never reached. */
  #markUs = 0;
  readonly named = new Map<string, PastState>();

  add(entry: JournalEntry): void {
    switch (entry.kind) {
      case 'command':
        return void this.#commands.push(entry);
      case 'clockReached':
        if (entry.life === this.#life) this.#markUs = entry.atUs;
        return;
      case 'steppedOver':
        return this.stepOver();
      case 'named':
        return void this.named.set(entry.name, { ...this.state(), standsAtUs: entry.atUs });
      case 'forgotten':
        return void this.named.delete(entry.name);
      case 'restored':
        return this.#restore(entry.name);
    }
  }

  /** The world as it is; later commands do not change what is told. */
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
  }

  #restore(name: string | undefined): void {
    const to = name === undefined ? BEGINNING : this.named.get(name);
    assert(to !== undefined, 'a journal restores what it has named');
    this.#life++;
    this.#commands = [...to.commands];
    this.#markUs = to.standsAtUs;
  }
}
