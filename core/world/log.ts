/** What a world writes to its log: with plan and seed, all that a restart needs. */
import { assert } from '../../sim/base/assert.ts';
import type { Transmission } from '../../sim/contract/forwarding.ts';
import type { AdmittedCommand } from '../command.ts';

export type LogEntry =
  | Admitted
  | RequestedTransmission
  /** The world was seen at this instant: it never goes back behind it. */
  | { readonly kind: 'clockReached'; readonly atUs: number };

/** An outside network server has requested a transmission of a gateway (docs/decisions/0122). */
export interface RequestedTransmission {
  readonly kind: 'transmission';
  /** Virtual time, whole µs. */
  readonly atUs: number;
  readonly transmission: Transmission;
}

/** A command that may be applied, with the instant in which it was admitted and has to be. */
export interface Admitted<Given extends AdmittedCommand = AdmittedCommand> {
  readonly kind: 'command';
  /** Virtual time, whole µs. */
  readonly atUs: number;
  readonly command: Given;
  /**
   * The host's mark on a command that had ended its process: it is stepped over instead of applied.
   */
  readonly steppedOver?: true;
  /** The host's mark on a command that was refused: it keeps its place, and has no fields. */
  readonly refused?: true;
}

/** The place of a command that was refused, and so has changed nothing. */
export const refusedAt = ({ kind, atUs, command }: Admitted): Admitted => ({
  kind,
  atUs,
  command: { kind: command.kind, by: command.by } as AdmittedCommand,
  refused: true,
});

/** Of what is written, a world keeps the stamp only. */
export class Log {
  readonly #port: (entry: LogEntry) => void;
  /** Stamp of the latest entry, µs. */
  #writtenUs = 0;

  constructor(port: (entry: LogEntry) => void = () => undefined) {
    this.#port = port;
  }

  write(entry: LogEntry): void {
    assert(this.#writtenUs <= entry.atUs, 'the log is in the order of time');
    this.#writtenUs = entry.atUs;
    this.#port(entry);
  }
}
