/** Values that are written over others at paths, by a file's own words or those of a command. */

import { isMap } from '../../sim/base/plain-data.ts';
import { nearest, sentence } from '../language/complaint.ts';
import type { Path } from '../language/problem.ts';
import { type Layer, laidOver, type Marks } from './layer.ts';
import type { Step } from './override-path.ts';

/** A value to write. */
export interface Override extends Layer {
  readonly steps: readonly Step[];
  /** Path of the value in its own text. */
  readonly from: Path;
  /** Whether a map is laid over the one that is there, or takes its place. */
  readonly lays: boolean;
}

/** What became of it: the new value, or why it cannot be. */
type Written = { readonly value: unknown } | { readonly refused: string };

/** The value with the override written at every place that its path names, and marked there. */
export function overridden(value: unknown, override: Override, marks: Marks): Written {
  return write(value, override.steps, [], override, marks);
}

function write(
  at: unknown,
  [step, ...rest]: readonly Step[],
  path: Path,
  override: Override,
  marks: Marks,
): Written {
  if (step === undefined) return put(at, path, override, marks);
  if (typeof at !== 'object' || at === null) {
    const what = `${path.join('.') || 'the file'} is not a map or list`;
    return { refused: sentence({ what, allowed: 'a path through maps and lists' }) };
  }
  const removes = rest.length === 0 && override.value === null;
  if (Array.isArray(at)) {
    if (step.key === '*' && !step.quoted) {
      if (removes) return { refused: 'null at * would leave nothing; allowed: one entry' };
      return writeEach(at, rest, path, override, marks);
    }
    const index = indexIn(at, step, path);
    if (typeof index === 'object') return index;
    if (removes) {
      marks.takeEntry(path, index, at.length);
      return { value: at.filter((_, i) => i !== index) };
    }
    const written = write(at[index], rest, [...path, index], override, marks);
    if ('refused' in written) return written;
    return { value: at.map((entry, i) => (i === index ? written.value : entry)) };
  }
  const keys = new Map<string, unknown>(Object.entries(at));
  const { key } = step;
  if (removes) keys.delete(key);
  else {
    // Maps on the way that are not there are made.
    const there = keys.get(key) ?? (rest.length === 0 ? undefined : {});
    const written = write(there, rest, [...path, key], override, marks);
    if ('refused' in written) return written;
    keys.set(key, written.value);
  }
  return { value: Object.fromEntries(keys) };
}

function writeEach(
  list: readonly unknown[],
  rest: readonly Step[],
  path: Path,
  override: Override,
  marks: Marks,
): Written {
  const written = list.map((entry, i) => write(entry, rest, [...path, i], override, marks));
  const refused = written.find((one) => 'refused' in one);
  return refused ?? { value: written.map((one) => 'value' in one && one.value) };
}

function put(at: unknown, path: Path, override: Override, marks: Marks): Written {
  const { value, source, from, lays } = override;
  if (lays && isMap(at)) return { value: laidOver(at, { value, source, from }, path, marks) };
  marks.put(path, source, from);
  return { value };
}

function indexIn(list: readonly unknown[], step: Step, path: Path): number | { refused: string } {
  const { key, quoted } = step;
  if (!quoted && /^\d{1,7}$/.test(key) && Number(key) < list.length) return Number(key);
  const names = list.map((entry) => String((entry as { name?: unknown } | null)?.name ?? ''));
  const index = names.indexOf(key);
  if (index >= 0 && key !== '') return index;
  const meant = nearest(key, names);
  const known = names.filter((name) => name !== '').join(', ');
  const allowed = `an index below ${list.length}${known === '' ? '' : `, or ${known}`}, or *`;
  const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
  const place = path.join('.') || 'the list';
  return { refused: `"${key}" is not in ${place}; allowed: ${allowed}${hint}` };
}
