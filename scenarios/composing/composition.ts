/**
 * Files to one document. A file that extends others is laid over them, and `include` puts a file or
 * a part of one at a place. Overrides are written at their paths (docs/decisions/0072).
 */
import { pointerTo } from '../../sim/base/json-pointer.ts';
import { isMap } from '../../sim/base/plain-data.ts';
import { type Complaint, quote, sentence, unknownKey, unknownName } from '../language/complaint.ts';
import { BELOW_FOLDER, BELOW_FOLDER_ALLOWED } from '../language/paths.ts';
import type { Path, Problem } from '../language/problem.ts';
import { VALUES_MAX } from '../language/yaml-source.ts';
import { type Layer, laidOver, Marks } from './layer.ts';
import { readSteps } from './override-path.ts';
import { overridden } from './overrides.ts';
import { type Bundle, pathFrom, yamlOf } from './texts.ts';

/** Most files of YAML that a scenario is made of. */
const FILES_MAX = 100;
/** Most files that one names in `extends`. */
const EXTENDS_MAX = 20;
const VARIANTS_MAX = 100;

const PATH_ALLOWED = 'a path such as devices.meter.count; a name with points stands in quotes';

/** A file that has no value yet, because it or one that it names is missing or wrong. */
type ComposedLayer = Layer | undefined;

/** One scenario in the making. */
export class Composition {
  /** Files that the bundle lacks. */
  readonly missing = new Set<string>();
  readonly problems: Problem[] = [];
  readonly #bundle: Bundle;
  readonly #files = new Set<string>();
  /** Entries of lists that stand in the place of an include. */
  #entries = 0;
  /** What was included, and what was extended before, by path. */
  readonly #parts = new Map<string, ComposedLayer>();
  readonly #scenarios = new Map<string, ComposedLayer>();

  constructor(bundle: Bundle) {
    this.#bundle = bundle;
  }

  /** A scenario with all that it extends, includes and overrides; `chain` led here. */
  scenario(file: string, chain: readonly string[] = []): ComposedLayer {
    if (!this.#scenarios.has(file)) this.#scenarios.set(file, this.#scenario(file, chain));
    return this.#scenarios.get(file);
  }

  #scenario(file: string, chain: readonly string[]): ComposedLayer {
    const own = this.#parsed(file, [...chain, file]);
    if (own === undefined || !isMap(own.value)) return own;
    const { extends: bases, overrides, ...keys } = own.value;
    if (bases === undefined && overrides === undefined) return own;
    const whole = this.#onBases({ value: keys, source: own.source }, bases, [...chain, file]);
    if (whole === undefined || overrides === undefined) return whole;
    return this.written(whole, { value: overrides, source: own.source }, ['overrides']);
  }

  /** The layer with a map of overrides, which stands at `from` in its text, written over it. */
  written(whole: Layer, { value, source }: Layer, from: Path): Layer {
    const marks = new Marks(whole.source);
    if (!isMap(value)) {
      const what = `${quote(value)} is not a map of paths and values`;
      this.#report({ value, source }, from, { what, allowed: PATH_ALLOWED });
      return whole;
    }
    let result = whole.value;
    for (const [path, each] of Object.entries(value)) {
      const at = [...from, path];
      const read = readSteps(path);
      if (read === undefined) {
        this.#report({ value, source }, at, { what: 'is not a path', allowed: PATH_ALLOWED }, true);
        continue;
      }
      const override = { value: each, source, from: at, lays: true, steps: read.steps };
      const written = overridden(result, override, marks);
      if ('value' in written) result = written.value;
      else this.#report({ value, source }, at, written.refused, true);
    }
    return { value: result, source: marks };
  }

  /** The variant of a scenario, or the scenario itself; `variants` is no part of either. */
  variant({ value, source }: Layer, name: string | undefined): Layer & { variants: string[] } {
    if (!isMap(value)) return { value, source, variants: [] };
    const { variants = {}, ...keys } = value;
    const layer = { value, source };
    if (!isMap(variants)) {
      const what = `${quote(variants)} is not a map of variants`;
      this.#report(layer, ['variants'], { what, allowed: 'names, each with paths and values' });
      return { value: keys, source, variants: [] };
    }
    const names = Object.keys(variants);
    this.#checkVariants(layer, names);
    const base = { value: keys, source };
    if (name === undefined) return { ...base, variants: names };
    if (!Object.hasOwn(variants, name)) {
      const message = sentence(unknownName(name, 'variant', names));
      this.problems.push({ where: `--variant ${name}`, line: 0, pointer: '', message });
      return { ...base, variants: names };
    }
    const chosen = { value: variants[name], source };
    return { ...this.written(base, chosen, ['variants', name]), variants: names };
  }

  #checkVariants(layer: Layer, names: readonly string[]): void {
    if (names.length > VARIANTS_MAX) {
      const what = `has ${names.length} variants`;
      this.#report(layer, ['variants'], { what, allowed: `at most ${VARIANTS_MAX}` });
    }
    for (const name of names) {
      if (/^[A-Za-z0-9][\w-]{0,63}$/.test(name)) continue;
      const allowed = 'up to 64 letters, digits, - and _';
      this.#report(layer, ['variants', name], { what: 'is not a name', allowed }, true);
    }
  }

  /** The file's own keys laid over what it extends, the later over the earlier. */
  #onBases(own: Layer, bases: unknown, chain: readonly string[]): ComposedLayer {
    if (bases === undefined) return own;
    const listed = Array.isArray(bases) ? (bases as unknown[]) : [bases];
    if (listed.length === 0 || listed.length > EXTENDS_MAX) {
      const allowed = `1 to ${EXTENDS_MAX} files`;
      this.#report(own, ['extends'], { what: `names ${listed.length} files`, allowed });
      return undefined;
    }
    const layers = listed.map((path, i) => {
      const at = Array.isArray(bases) ? ['extends', i] : ['extends'];
      const file = this.#named(path, own, at, chain);
      return file === undefined ? undefined : this.scenario(file, chain);
    });
    let whole: Layer | undefined;
    for (const layer of [...layers, own]) {
      if (layer === undefined) return undefined;
      whole = whole === undefined ? layer : laid(whole, layer);
    }
    return whole;
  }

  /** A file’s value with its includes in their places. */
  #parsed(file: string, chain: readonly string[]): ComposedLayer {
    const bytes = this.#bundle.get(file);
    if (bytes === undefined) {
      this.missing.add(file);
      return undefined;
    }
    const { value, source, problems } = yamlOf(file, bytes);
    this.problems.push(...problems);
    if (problems.length > 0) return undefined;
    const marks = new Marks(source);
    const including: Including = { layer: { value, source }, marks, chain, isWhole: true };
    const whole = this.#included(value, [], [], including);
    if (!including.isWhole) return undefined;
    return whole === value ? { value, source } : { value: whole, source: marks };
  }

  /** A value whose includes are done; `from` is its path in its text, `at` that in the result. */
  #included(value: unknown, from: Path, at: Path, including: Including): unknown {
    if (Array.isArray(value)) return this.#includedList(value, from, at, including);
    if (!isMap(value)) return value;
    if (Object.hasOwn(value, 'include')) return this.#include(value, from, at, including);
    let changed = false;
    const entries = Object.entries(value).map(([key, each]) => {
      const whole = this.#included(each, [...from, key], [...at, key], including);
      changed ||= whole !== each;
      return [key, whole] as const;
    });
    return changed ? Object.fromEntries(entries) : value;
  }

  /** An entry that includes a list stands for all entries of it. */
  #includedList(
    list: readonly unknown[],
    from: Path,
    at: Path,
    including: Including,
  ): readonly unknown[] {
    const whole: unknown[] = [];
    let changed = false;
    for (const [index, entry] of list.entries()) {
      const place = [...at, whole.length];
      const own = [...from, index];
      if (index !== whole.length) including.marks.put(place, including.layer.source, own);
      const done = this.#included(entry, own, place, including);
      changed ||= done !== entry;
      if (!Array.isArray(done) || !isMap(entry)) {
        whole.push(done);
        continue;
      }
      if (!this.#hasCapacityFor(done.length, including.layer, own)) return whole;
      const { source, path } = including.marks.originOf(place);
      for (const i of done.keys()) {
        including.marks.put([...at, whole.length + i], source, [...path, i]);
      }
      for (const each of done as unknown[]) whole.push(each);
    }
    return changed ? whole : list;
  }

  /** Lists that include lists can come to very many entries in few words. */
  #hasCapacityFor(entries: number, layer: Layer, at: Path): boolean {
    const had = this.#entries;
    this.#entries += entries;
    if (this.#entries <= VALUES_MAX) return true;
    const allowed = `at most ${VALUES_MAX} entries in all`;
    if (had <= VALUES_MAX) this.#report(layer, at, { what: 'includes too much', allowed });
    return false;
  }

  #include(
    value: Readonly<Record<string, unknown>>,
    from: Path,
    at: Path,
    including: Including,
  ): unknown {
    const { layer, marks, chain } = including;
    const { include, part, ...own } = value;
    const file = this.#named(include, layer, [...from, 'include'], chain);
    const created = file === undefined ? undefined : this.#part(file, chain);
    const found = created && this.#partOf(created, part, layer, from);
    if (found === undefined) {
      including.isWhole = false;
      return value;
    }
    marks.put(at, found.source, found.from);
    if (Object.keys(own).length === 0) return found.value;
    if (!isMap(found.value)) {
      const what = 'includes no map, and says more than what it includes';
      this.#report(layer, from, { what, allowed: 'include and part alone' });
      return value;
    }
    const beside = { ...including, marks: new Marks(layer.source) };
    const whole = this.#included(own, from, from, beside);
    including.isWhole &&= beside.isWhole;
    return laidOver(found.value, { value: whole, source: beside.marks, from }, at, marks);
  }

  #part(file: string, chain: readonly string[]): ComposedLayer {
    if (!this.#parts.has(file)) this.#parts.set(file, this.#parsed(file, [...chain, file]));
    return this.#parts.get(file);
  }

  /** What `part` names of an included file; all of it when it is absent. */
  #partOf(created: Layer, part: unknown, layer: Layer, from: Path) {
    if (part === undefined) return { ...created, from: [] };
    const at = [...from, 'part'];
    const read = typeof part === 'string' ? readSteps(part) : undefined;
    if (read === undefined) {
      const what = `${quote(part)} is not a path`;
      this.#report(layer, at, { what, allowed: PATH_ALLOWED });
      return undefined;
    }
    let { value } = created;
    const path: (string | number)[] = [];
    for (const { key } of read.steps) {
      const names = Array.isArray(value) ? value.map((entry) => String(entry?.name ?? '')) : [];
      const place = names.includes(key) ? names.indexOf(key) : key;
      const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, place);
      if (!isThere) {
        const known = isMap(value) ? Object.keys(value) : names.filter((name) => name !== '');
        const { meant } = unknownKey(key, known);
        const complaint = { what: `"${key}" is not in the file`, allowed: known.join(', ') };
        this.#report(layer, at, meant === undefined ? complaint : { ...complaint, meant });
        return undefined;
      }
      value = (value as Readonly<Record<string | number, unknown>>)[place];
      path.push(place);
    }
    return { value, source: created.source, from: path };
  }

  /** The file that a word names, unless it may not be read from here. */
  #named(word: unknown, layer: Layer, at: Path, chain: readonly string[]): string | undefined {
    if (typeof word !== 'string' || !BELOW_FOLDER.test(word)) {
      const what = `${quote(word)} is not right here`;
      this.#report(layer, at, { what, allowed: BELOW_FOLDER_ALLOWED });
      return undefined;
    }
    const file = pathFrom(chain.at(-1)!, word);
    if (chain.includes(file)) {
      const names = [...chain.slice(chain.indexOf(file)), file].join(' → ');
      const what = `leads back to itself: ${names}`;
      this.#report(layer, at, { what, allowed: 'files that do not name each other' });
      return undefined;
    }
    this.#files.add(file);
    if (this.#files.size < FILES_MAX) return file;
    const what = 'names one file too many';
    this.#report(layer, at, { what, allowed: `a scenario of at most ${FILES_MAX} files` });
    return undefined;
  }

  #report({ source }: Layer, at: Path, complaint: Complaint | string, ofKey = false): void {
    const { where, line } = source.locate(at, ofKey);
    const message = typeof complaint === 'string' ? complaint : sentence(complaint);
    this.problems.push({ where, line, pointer: pointerTo(at), message });
  }
}

/** What including in one file takes. */
interface Including {
  readonly layer: Layer;
  readonly marks: Marks;
  readonly chain: readonly string[];
  /** Whether every file that it names is there. */
  isWhole: boolean;
}

/** A scenario over another; variants are taken as they are, since `null` means something there. */
function laid(base: Layer, over: Layer): Layer {
  const marks = new Marks(base.source);
  const own = { ...over, from: [] };
  if (!isMap(base.value) || !isMap(over.value)) {
    return { value: laidOver(base.value, own, [], marks), source: marks };
  }
  const { variants, ...keys } = over.value;
  const value = laidOver(base.value, { ...own, value: keys }, [], marks);
  if (!isMap(variants) || !isMap(value)) {
    if (variants !== undefined) marks.put(['variants'], over.source, ['variants']);
    const said = variants === undefined ? {} : { variants };
    return { value: { ...(value as object), ...said }, source: marks };
  }
  for (const name of Object.keys(variants)) {
    marks.put(['variants', name], over.source, ['variants', name]);
  }
  const all = { ...(isMap(value.variants) ? value.variants : {}), ...variants };
  return { value: { ...value, variants: all }, source: marks };
}
