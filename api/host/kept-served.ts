/** A served world whose commands are kept: as the door and the host's operations ask it. */
import type { Command } from '../../core/command.ts';
import type { Query } from '../../core/query.ts';
import type { Claim } from './answer-store.ts';
import type { DurableCommands } from './durable-commands.ts';
import type { ServedWorld } from './served-world.ts';
import type { NewsListener } from './watching/event-streams.ts';

export class KeptServed {
  readonly #served: ServedWorld;
  readonly #commands: DurableCommands;

  constructor(served: ServedWorld, commands: DurableCommands) {
    this.#served = served;
    this.#commands = commands;
  }

  submit<Given extends Command>(command: Given, claim?: Claim) {
    return this.#commands.submit(command, claim);
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
