/**
 * Responses computed in steps: a long list is filtered, sorted and written a slice at a time, so
 * that no request blocks the process for long (docs/decisions/0055). The data is copied at the
 * request: later steps read nothing that changes.
 */

/** Work in steps of some milliseconds at most. Each `next` does one. */
export type Steps<Value> = Generator<undefined, Value, undefined>;

/** A list whose entries are made slice by slice; each pass over it makes them anew. */
export class Slices<Each> implements Iterable<readonly Each[]> {
  readonly #make: () => Iterable<readonly Each[]>;

  /** An empty slice is a step of work before the next entries. */
  constructor(make: () => Iterable<readonly Each[]>) {
    this.#make = make;
  }

  [Symbol.iterator](): Iterator<readonly Each[]> {
    return this.#make()[Symbol.iterator]();
  }

  /** All entries at once. */
  whole(): Each[] {
    const all: Each[] = [];
    for (const slice of this) for (const each of slice) all.push(each);
    return all;
  }
}

/** An answer whose lists, however deep, may be made slice by slice. */
export type Sliced<Answer> = Answer extends readonly (infer Each)[]
  ? readonly Sliced<Each>[] | Slices<Each>
  : Answer extends object
    ? { readonly [Name in keyof Answer]: Sliced<Answer[Name]> }
    : Answer;

/** The same with its lists in their response form. */
type Joined<Answer> =
  Answer extends Slices<infer Each>
    ? readonly Each[]
    : Answer extends readonly (infer Each)[]
      ? readonly Joined<Each>[]
      : Answer extends object
        ? { readonly [Name in keyof Answer]: Joined<Answer[Name]> }
        : Answer;

/** What is given for an answer, whose row may say that it is made in steps. */
export type InSteps<Row, Answer> = Row extends { inSteps: true } ? Steps<Sliced<Answer>> : Answer;

/** Result of steps: lists in their response form, all else unchanged. */
export type ResultOf<Value> = Value extends Steps<infer Created> ? Joined<Created> : Value;

/** What there is already. */
// biome-ignore lint/correctness/useYield: it has nothing left to do.
export function* oneStep<Value>(value: Value): Steps<Value> {
  return value;
}

/** Does all the work at once. */
export function finish<Value>(steps: Steps<Value>): Value {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** A copy with all slices joined. */
export function joined(value: unknown): unknown {
  if (value instanceof Slices) return value.whole().map(joined);
  if (Array.isArray(value)) return value.map(joined);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, joined(each)]));
}

/** Entries of a list, built by index, a slice at a time. */
export const slicesOf = <Each>(
  count: number,
  perSlice: number,
  make: (at: number) => Each,
): Slices<Each> =>
  new Slices(function* () {
    for (let from = 0; from < count; from += perSlice) {
      const slice: Each[] = [];
      for (let at = from; at < Math.min(count, from + perSlice); at++) slice.push(make(at));
      yield slice;
    }
  });
