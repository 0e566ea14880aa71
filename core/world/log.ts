/** What a world writes to its log: with plan and seed, all that a restart needs. */
import type { Command } from '../command.ts';

export type LogEntry =
  | Admitted
  /** The world was seen at this instant: it never goes back behind it. */
  | { readonly kind: 'clockReached'; readonly atUs: number };

/** A command that may be applied, with the instant in which it was admitted and has to be. */
export interface Admitted<Given extends Command = Command> {
  readonly kind: 'command';
  /** Virtual time, whole µs. */
  readonly atUs: number;
  readonly command: Given;
  /**
   * The host's mark on a command that had ended its process: it is stepped over instead of applied.
   */
  readonly steppedOver?: true;
}
