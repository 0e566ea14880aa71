/**
 * Schedule of snapshots of a stored world, from time to time and at the end. So the next start does
 * not simulate all of it again.
 */
import type { Appointment, HostTime } from '../clock/host-time.ts';
import type { Worlds } from './worlds.ts';

const LOOKS_EVERY_MS = 2_000;
/** What a start may simulate again: some seconds of work. */
const MOST_EVENTS = 4_000_000;
const MOST_COMMANDS = 20_000;

export class Savings {
  readonly #worlds: Worlds;
  readonly #time: HostTime;
  #next: Appointment | undefined;
  /** What the latest state has. */
  #saved: Work;
  #saving: Promise<void> | undefined;

  constructor(worlds: Worlds, time: HostTime) {
    this.#worlds = worlds;
    this.#time = time;
    this.#saved = workOf(worlds);
    this.#lookLater();
  }

  /** The world stands still: its last state is saved. */
  async end(): Promise<void> {
    this.#next?.cancel();
    this.#next = undefined;
    await this.#saving;
    await this.#worlds.saveMain();
  }

  #lookLater(): void {
    this.#next = this.#time.later(() => this.#look(), LOOKS_EVERY_MS);
  }

  #look(): void {
    const now = workOf(this.#worlds);
    const isOther = now.id !== this.#saved.id;
    const events = now.events - this.#saved.events;
    const isDue = events >= MOST_EVENTS || now.commands - this.#saved.commands >= MOST_COMMANDS;
    // The restore itself saves the restored world.
    if (isOther || isDue) this.#saved = now;
    if (isOther || !isDue) return this.#lookLater();
    this.#saving = this.#worlds.saveMain().finally(() => {
      this.#saving = undefined;
      if (this.#next !== undefined) this.#lookLater();
    });
  }
}

interface Work {
  readonly id: string;
  readonly events: number;
  readonly commands: number;
}

const workOf = ({ main: { id, served } }: Worlds): Work => ({
  id,
  events: served.events,
  commands: served.log.length,
});
