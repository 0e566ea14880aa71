/**
 * Request log of an HTTP server for the operator. Bounded by number and by size: the oldest entries
 * are dropped first. Entries contain no secrets (http/watching/ redacts them).
 */

export interface LogBounds {
  readonly entries: number;
  /** Of all entries, as `bytesOf` counts. */
  readonly bytes: number;
}

export const LOG_BOUNDS: LogBounds = { entries: 1_000, bytes: 8 * 1024 * 1024 };

/** Most bytes stored of a body, UTF-8. */
export const BODY_BYTES = 4 * 1024;

/** A body as it is stored. */
export interface StoredBody {
  /** Of the whole body. */
  bytes: number;
  /** First bytes; null: only the size is stored. */
  readonly text: string | null;
  /** Whether there is more than `text`. */
  readonly cut: boolean;
}

/**
 * Log entry of a request, with the field names of the response. `wall_ms` and bytes of streams
 * grow.
 */
export interface RequestEntry {
  /** Counted from 1. */
  readonly id: number;
  /** Virtual time, RFC 3339. */
  readonly at: string;
  wall_ms: number;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Kind of the operation; null: the path has none. */
  readonly operation: string | null;
  /** Who asked; null: nobody who is known. */
  readonly subscriber: string | null;
  readonly client_id: string | null;
  /** Null: the connection was closed without an answer. */
  readonly status: number | null;
  readonly request: StoredBody;
  readonly answer: StoredBody;
}

/** Which entries are wanted; all when nothing is said. */
export interface RequestFilter {
  readonly method?: string | undefined;
  /** Beginning of the path. */
  readonly path?: string | undefined;
  /** A status, or a class of them such as `4xx`. */
  readonly status?: string | undefined;
  readonly operation?: string | undefined;
  /** Those that came later than this one. */
  readonly since?: number | undefined;
  readonly limit: number;
}

export class RequestLog {
  readonly #bounds: LogBounds;
  /** A ring: an entry stands at its id modulo the most entries. */
  readonly #ring: (RequestEntry | undefined)[] = [];
  /** Range of stored entry ids; empty where the oldest is beyond the latest. */
  #oldest = 1;
  #latest = 0;
  #bytes = 0;

  constructor(bounds: LogBounds = LOG_BOUNDS) {
    this.#bounds = bounds;
  }

  /** Of the entry that is added next. */
  get nextId(): number {
    return this.#latest + 1;
  }

  add(entry: RequestEntry): void {
    const { entries, bytes } = this.#bounds;
    if (this.nextId - this.#oldest >= entries) this.#forgetOldest();
    this.#latest = entry.id;
    this.#ring[entry.id % entries] = entry;
    this.#bytes += bytesOf(entry);
    while (this.#bytes > bytes) this.#forgetOldest();
  }

  /** The latest first. */
  list({ limit, ...filter }: RequestFilter): readonly RequestEntry[] {
    const found: RequestEntry[] = [];
    for (let id = this.#latest; id >= this.#oldest && found.length < limit; id--) {
      const entry = this.#ring[id % this.#bounds.entries]!;
      if (fits(entry, filter)) found.push(entry);
    }
    return found;
  }

  /** Ids go on. */
  clear(): void {
    while (this.#oldest <= this.#latest) this.#forgetOldest();
  }

  #forgetOldest(): void {
    const place = this.#oldest++ % this.#bounds.entries;
    this.#bytes -= bytesOf(this.#ring[place]!);
    this.#ring[place] = undefined;
  }
}

function fits(entry: RequestEntry, filter: Omit<RequestFilter, 'limit'>): boolean {
  const { method, path, status, operation, since = 0 } = filter;
  return (
    entry.id > since &&
    (method === undefined || entry.method === method) &&
    (path === undefined || entry.path.startsWith(path)) &&
    (operation === undefined || entry.operation === operation) &&
    (status === undefined || hasStatus(entry.status, status))
  );
}

/** `4xx` has the first digit of its class. */
const hasStatus = (status: number | null, wanted: string): boolean =>
  wanted.endsWith('xx') ? String(status)[0] === wanted[0] : String(status) === wanted;

/** Of the maps and objects around the texts of an entry, about. */
const OVERHEAD_BYTES = 512;

/** What keeping an entry takes, about; texts have two bytes a character at most. */
const bytesOf = ({ path, request, answer }: RequestEntry): number =>
  OVERHEAD_BYTES + 2 * (path.length + (request.text?.length ?? 0) + (answer.text?.length ?? 0));
