/** One request and its response, both shortened: lists have few entries. */
export interface Example {
  /** Parameters of path and query by name. */
  readonly params?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** Absent where the response has no body. */
  readonly answer?: unknown;
}
