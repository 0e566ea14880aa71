/**
 * What clients have asked of the documented operations, and what they were answered. Counts do not
 * end with the log of requests.
 */

/** A documented operation, where it is asked for, and what the documents have it answer. */
export interface DocumentedOperation {
  /** Its kind. */
  readonly operation: string;
  readonly method: string;
  /** With its prefix and `{name}`, as documented. */
  readonly path: string;
  /** Rising. */
  readonly statuses: readonly number[];
}

/** How often one operation was asked for. */
export class Tally {
  readonly of: DocumentedOperation;
  #asked = 0;
  readonly #statuses = new Map<number, number>();

  constructor(of: DocumentedOperation) {
    this.of = of;
  }

  /** `status`: undefined where the connection was closed without an answer. */
  count(status: number | undefined): void {
    this.#asked++;
    if (status !== undefined) this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
  }

  get asked(): number {
    return this.#asked;
  }

  /** Statuses in rising order, with how often each was answered. */
  get statuses(): readonly { readonly status: number; readonly count: number }[] {
    const seen = [...this.#statuses].sort(([a], [b]) => a - b);
    return seen.map(([status, count]) => ({ status, count }));
  }

  /** What is documented, and nobody was answered. */
  get neverSeen(): readonly number[] {
    return this.of.statuses.filter((status) => !this.#statuses.has(status));
  }

  clear(): void {
    this.#asked = 0;
    this.#statuses.clear();
  }
}

export class Coverage {
  /** By method and path, in the order in which they came. */
  readonly #tallies = new Map<string, Tally>();

  /** The counter of an operation; one that is known already has its own. */
  add(operation: DocumentedOperation): Tally {
    const key = `${operation.method} ${operation.path}`;
    const tally = this.#tallies.get(key) ?? new Tally(operation);
    this.#tallies.set(key, tally);
    return tally;
  }

  get tallies(): readonly Tally[] {
    return [...this.#tallies.values()];
  }

  /** Begins anew. */
  clear(): void {
    for (const tally of this.tallies) tally.clear();
  }
}
