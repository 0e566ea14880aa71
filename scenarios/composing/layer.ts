/**
 * A value that is made of several texts, and where each of its parts stands: maps laid over maps,
 * values put in the place of others. Nothing here changes a value that it was given.
 */
import { isMap } from '../../sim/base/plain-data.ts';
import type { Path, Place, Source } from '../language/problem.ts';

/** A value and its places. */
export interface Layer {
  readonly value: unknown;
  readonly source: Source;
}

/** What comes from another text than the value around it. */
interface Mark {
  /** The text and the path in it; absent: as what is around it. */
  readonly origin?: { readonly source: Source; readonly path: Path };
  readonly children: Map<string, Mark>;
}

/** Places of a value by the texts that its parts come from. */
export class Marks implements Source {
  #root: Mark;

  /** All is of this text until something is put into it. */
  constructor(source: Source) {
    this.#root = { origin: { source, path: [] }, children: new Map() };
  }

  /** What stands at `path` is what stands at `from` in another text. */
  put(path: Path, source: Source, from: Path): void {
    const mark: Mark = { origin: { source, path: from }, children: new Map() };
    const last = path.at(-1);
    if (last === undefined) this.#root = mark;
    else this.#at(path.slice(0, -1)).children.set(String(last), mark);
  }

  /** An entry of the list at `path`, which had `length` entries, is gone. */
  takeEntry(path: Path, index: number, length: number): void {
    const next = Array.from({ length: length - index - 1 }, (_, i) => {
      const place = [...path, index + 1 + i];
      const children = this.#find(place)?.children ?? new Map<string, Mark>();
      return { origin: this.originOf(place), children };
    });
    const { children } = this.#at(path);
    for (const [i, mark] of next.entries()) children.set(String(index + i), mark);
    children.delete(String(length - 1));
  }

  locate(path: Path, key?: boolean): Place {
    const { source, path: from } = this.originOf(path);
    return source.locate(from, key);
  }

  /** The mark at a path, made on the way. */
  #at(path: Path): Mark {
    let mark = this.#root;
    for (const key of path) {
      const child = mark.children.get(String(key)) ?? { children: new Map() };
      mark.children.set(String(key), child);
      mark = child;
    }
    return mark;
  }

  #find(path: Path): Mark | undefined {
    let mark: Mark | undefined = this.#root;
    for (const key of path) mark = mark?.children.get(String(key));
    return mark;
  }

  /** The text that a path is of, and its path there: by the deepest mark on the way. */
  originOf(path: Path): NonNullable<Mark['origin']> {
    let mark: Mark | undefined = this.#root;
    let { origin } = this.#root;
    let depth = 0;
    for (const [index, key] of path.entries()) {
      mark = mark.children.get(String(key));
      if (mark === undefined) break;
      if (mark.origin === undefined) continue;
      origin = mark.origin;
      depth = index + 1;
    }
    const { source, path: from } = origin!;
    return { source, path: [...from, ...path.slice(depth)] };
  }
}

/**
 * The one rule of merging: maps are laid over maps key by key, `null` takes a key away, and
 * everything else takes the place of what was there, lists too. `from` is the path of `over` in its
 * text; what of it is in the result is marked at `at`.
 */
export function laidOver(
  base: unknown,
  over: Layer & { readonly from: Path },
  at: Path,
  marks: Marks,
): unknown {
  const { value, source, from } = over;
  if (!isMap(value) || !isMap(base)) {
    marks.put(at, source, from);
    return isMap(value) ? withoutNulls(value) : value;
  }
  const keys = new Map(Object.entries(base));
  for (const [key, each] of Object.entries(value)) {
    if (each === null) {
      keys.delete(key);
      continue;
    }
    const below = { value: each, source, from: [...from, key] };
    keys.set(key, laidOver(keys.get(key), below, [...at, key], marks));
  }
  return Object.fromEntries(keys);
}

/** A map that is laid over nothing has nothing to take away. */
function withoutNulls(value: unknown): unknown {
  if (!isMap(value)) return value;
  const stored = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(stored.map(([key, each]) => [key, withoutNulls(each)]));
}
