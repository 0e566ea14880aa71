/** Answers that are made in steps, as text: pieces of JSON, or of lines of JSON. */
import { Slices, type Steps } from '../../core/base/in-steps.ts';

/** Pieces of a text, each the work of some milliseconds; some are empty. */
export type Pieces = Generator<string, undefined, undefined>;

export const JSON_LINES = 'application/x-ndjson';

/** One JSON document. */
export function* documentOf(steps: Steps<unknown>): Pieces {
  yield* textOf(yield* worked(steps));
  return undefined;
}

/** A line with all but one list, then a line for each entry of that list. */
export function* linesOf(steps: Steps<unknown>, list: string): Pieces {
  const { [list]: entries, ...head } = (yield* worked(steps)) as Record<string, unknown>;
  yield `${JSON.stringify(head)}\n`;
  for (const slice of entries instanceof Slices ? entries : [entries as readonly unknown[]]) {
    yield slice.map((each) => `${JSON.stringify(each)}\n`).join('');
  }
  return undefined;
}

/** Nothing is written before the first steps are done. */
function* worked(steps: Steps<unknown>): Generator<string, unknown, undefined> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    yield '';
  }
}

function* textOf(value: unknown): Generator<string, void, undefined> {
  if (value instanceof Slices) return yield* listText(value);
  if (!hasSlices(value)) return yield JSON.stringify(value) ?? 'null';
  const isList = Array.isArray(value);
  let before = isList ? '[' : '{';
  for (const [key, each] of Object.entries(value as object)) {
    if (each === undefined) continue;
    yield isList ? before : `${before}${JSON.stringify(key)}:`;
    yield* textOf(each);
    before = ',';
  }
  yield isList ? ']' : '}';
}

function* listText(slices: Slices<unknown>): Generator<string, void, undefined> {
  let before = '[';
  for (const slice of slices) {
    if (slice.length === 0) yield '';
    else {
      yield before + JSON.stringify(slice).slice(1, -1);
      before = ',';
    }
  }
  yield before === '[' ? '[]' : ']';
}

const hasSlices = (value: unknown): boolean =>
  value instanceof Slices ||
  (typeof value === 'object' && value !== null && Object.values(value).some(hasSlices));
