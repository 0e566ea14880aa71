/**
 * Presets of a file in the place of their words: their knobs are laid below what the file says. A
 * knob beside a preset wins, and a warning says so (docs/decisions/0127).
 */
import { isMap } from '../../sim/base/plain-data.ts';
import { type Layer, Marks } from '../composing/layer.ts';
import { quote } from '../language/complaint.ts';
import type { Fault, Path, Source } from '../language/problem.ts';
import { BOARDS } from './boards.ts';
import { FORWARDERS } from './forwarders.ts';
import type { Preset, PresetRow, Presets } from './preset.ts';
import { SERVERS } from './servers.ts';
import { STACKS } from './stacks.ts';

interface Applied extends Layer {
  /** Of knobs that win over a preset. */
  readonly warnings: readonly Fault[];
}

type Entry = Readonly<Record<string, unknown>>;

/** The preset of a word; undefined: it is none, which the schema reports. */
const named = (presets: Presets, word: unknown): Preset | undefined =>
  typeof word === 'string' && Object.hasOwn(presets, word) ? presets[word] : undefined;

/** The document with the knobs of its presets; the same document where it has none. */
export function applyPresets({ value, source }: Layer): Applied {
  if (!isMap(value)) return { value, source, warnings: [] };
  const work = new Application(source);
  const whole = work.whole(value);
  return { value: whole, source: work.marks, warnings: work.warnings };
}

/** Where a preset stands and what it is called. */
interface Named {
  readonly preset: Preset;
  readonly label: string;
  readonly at: Path;
}

class Application {
  readonly marks: Marks;
  readonly warnings: Fault[] = [];
  readonly #source: Source;

  constructor(source: Source) {
    this.#source = source;
    this.marks = new Marks(source);
  }

  whole(document: Entry): Entry {
    const server = this.#server(document.server);
    const changed: Record<string, unknown> = {};
    this.#list(changed, document, 'devices', (entry, path) => this.#device(entry, path));
    this.#list(changed, document, 'gateways', (entry, path) => this.#gateway(entry, path));
    if (server !== undefined) {
      const { named: found, entry } = server;
      changed.server = this.#filled(entry, ['server'], found.preset.rows, found);
      this.#list(changed, document, 'campaigns', (one, path) =>
        this.#filled(one, path, found.preset.campaign ?? [], found),
      );
    }
    return Object.keys(changed).length === 0 ? document : { ...document, ...changed };
  }

  /** Puts a list into `changed` where one of its entries has changed. */
  #list(
    changed: Record<string, unknown>,
    document: Entry,
    key: string,
    change: (entry: Entry, path: Path) => Entry,
  ): void {
    const list = document[key];
    if (!Array.isArray(list)) return;
    let isChanged = false;
    const whole = list.map((entry: unknown, index) => {
      const next = isMap(entry) ? change(entry, [key, index]) : entry;
      isChanged ||= next !== entry;
      return next;
    });
    if (isChanged) changed[key] = whole;
  }

  /** Rows of the board may ask for what the stack has. */
  #device(entry: Entry, path: Path): Entry {
    const stack = this.#named(STACKS, entry, 'stack', path);
    const board = this.#named(BOARDS, entry, 'board', path);
    const withStack = stack ? this.#filled(entry, path, stack.preset.rows, stack) : entry;
    return board ? this.#filled(withStack, path, board.preset.rows, board) : withStack;
  }

  #gateway(entry: Entry, path: Path): Entry {
    const found = this.#named(FORWARDERS, entry, 'preset', path);
    return found === undefined ? entry : this.#filled(entry, path, found.preset.rows, found);
  }

  /** A word alone stands for a map with it. */
  #server(server: unknown): { readonly named: Named; readonly entry: Entry } | undefined {
    const entry = isMap(server) ? server : { preset: server };
    const preset = named(SERVERS, entry.preset);
    if (preset === undefined) return undefined;
    const at = isMap(server) ? ['server', 'preset'] : ['server'];
    return { named: { preset, label: `server ${String(entry.preset)}`, at }, entry };
  }

  #named(presets: Presets, entry: Entry, key: string, path: Path): Named | undefined {
    const preset = named(presets, entry[key]);
    if (preset === undefined) return undefined;
    return { preset, label: `${key} ${String(entry[key])}`, at: [...path, key] };
  }

  #filled(entry: Entry, path: Path, rows: readonly PresetRow[], by: Named): Entry {
    return rows.reduce((whole, row) => this.#withRow(whole, path, row, by), entry);
  }

  /** The entry with the knob of a row, unless it says something of it itself. */
  #withRow(entry: Entry, path: Path, row: PresetRow, by: Named): Entry {
    if (row.where !== undefined && !has(entry, row.where)) return entry;
    const instead = row.unless?.find((knob) => Object.hasOwn(entry, knob));
    if (instead !== undefined) {
      this.#warn([...path, instead], row, by);
      return entry;
    }
    const [key = '', ...rest] = row.knob.split('.');
    const next = this.#put(entry, [key, ...rest], path, row, by);
    return next ?? entry;
  }

  /** Undefined: the entry has its own. */
  #put(
    at: Entry,
    [key = '', ...rest]: readonly string[],
    path: Path,
    row: PresetRow,
    by: Named,
  ): Entry | undefined {
    const place = [...path, key];
    const own = at[key];
    if (own === undefined) {
      this.marks.put(place, this.#source, by.at);
      return { ...at, [key]: rest.reduceRight<unknown>((inner, k) => ({ [k]: inner }), row.value) };
    }
    if (rest.length > 0 && isMap(own)) {
      const below = this.#put(own, rest, place, row, by);
      return below === undefined ? undefined : { ...at, [key]: below };
    }
    const isEqual = rest.length === 0 && JSON.stringify(own) === JSON.stringify(row.value);
    if (!isEqual) this.#warn(place, row, by);
    return undefined;
  }

  #warn(path: Path, { knob, value }: PresetRow, { label }: Named): void {
    const complaint = `wins over ${label}, which has ${knob}: ${shown(value)}`;
    this.warnings.push({ path, complaint });
  }
}

/** Whether a knob has this value, or nobody says anything of it. */
function has(entry: Entry, [knob, wanted]: readonly [string, unknown]): boolean {
  let at: unknown = entry;
  for (const key of knob.split('.')) at = isMap(at) ? at[key] : undefined;
  return at === undefined || at === wanted;
}

const shown = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'object'
      ? JSON.stringify(value)
      : quote(value);
