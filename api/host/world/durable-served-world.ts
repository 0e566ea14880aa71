/**
 * A served world whose commands may wait for the disk: the interface for HTTP and for host
 * operations.
 */
import type { Command } from '../../../core/command.ts';
import type { Query } from '../../../core/query.ts';
import type { Claim } from '../requests/response-store.ts';
import type { NewsListener } from '../watching/event-streams.ts';
import type { Submitted } from './durable-commands.ts';
import type { ServedWorld } from './served-world.ts';

/** Where commands go. */
export interface Commands {
  submit<Given extends Command>(
    command: Given,
    claim?: Claim,
  ): Submitted<Given> | Promise<Submitted<Given>>;
  /** How long a subscriber waits whose refused commands fill the journal, whole s. */
  waitS(subscriber: string): number;
}

export class DurableServed {
  readonly #served: ServedWorld;
  readonly #commands: Commands;

  constructor(served: ServedWorld, commands: Commands) {
    this.#served = served;
    this.#commands = commands;
  }

  submit<Given extends Command>(command: Given, claim?: Claim) {
    return this.#commands.submit(command, claim);
  }

  /** As `Commands.waitS`. */
  waitS(subscriber: string): number {
    return this.#commands.waitS(subscriber);
  }

  catchUp(): void {
    this.#served.catchUp();
  }

  ask<Asked extends Query>(query: Asked) {
    return this.#served.ask(query);
  }

  open(query: Query) {
    return this.#served.open(query);
  }

  listen(listener: NewsListener): () => void {
    return this.#served.listen(listener);
  }

  get facts() {
    return this.#served.facts;
  }

  get simTime(): string {
    return this.#served.simTime;
  }

  get nowUs(): number {
    return this.#served.nowUs;
  }

  get seed(): string {
    return this.#served.seed;
  }

  get unixMs(): number {
    return this.#served.unixMs;
  }
}
