/** Receiver at an address. Derived from the receivers, and cached until they change. */

interface Named {
  readonly name: string;
  /** An address, in which * is any text. */
  readonly at: string;
}

/** Those of one subscriber. */
interface Found {
  readonly exact: ReadonlyMap<string, string>;
  readonly patterns: readonly Named[];
  /** By address, since somebody asked; '' where there is none. */
  readonly known: Map<string, string>;
}

/** Addresses whose receiver is stored. */
const MOST_KNOWN = 20_000;

export class Addresses {
  readonly #listOf: (owner: string) => readonly Named[];
  readonly #byOwner = new Map<string, Found>();

  /** `listOf`: a subscriber's receivers, in the order of their names. */
  constructor(listOf: (owner: string) => readonly Named[]) {
    this.#listOf = listOf;
  }

  /** A subscriber's receivers are others. */
  changed(owner: string): void {
    this.#byOwner.delete(owner);
  }

  /** All of them are. */
  forget(): void {
    this.#byOwner.clear();
  }

  /** The name of the receiver; undefined: there is none. */
  find(owner: string, address: string): string | undefined {
    const found = this.#byOwner.get(owner) ?? this.#foundOf(owner);
    const known = found.known.get(address);
    if (known !== undefined) return known || undefined;
    const fits = found.patterns.find(({ at }) => isFit(at, address));
    const name = found.exact.get(address) ?? fits?.name;
    if (found.known.size >= MOST_KNOWN) found.known.clear();
    found.known.set(address, name ?? '');
    return name;
  }

  #foundOf(owner: string): Found {
    const all = this.#listOf(owner);
    const exact = new Map<string, string>();
    for (const { at, name } of all) if (!at.includes('*') && !exact.has(at)) exact.set(at, name);
    const patterns = all
      .filter(({ at }) => at.includes('*'))
      .sort((a, b) => b.at.length - a.at.length);
    const found = { exact, patterns, known: new Map<string, string>() };
    this.#byOwner.set(owner, found);
    return found;
  }
}

/** Whether an address is of a pattern; it takes time that is linear in both. */
function isFit(pattern: string, address: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return pattern === address;
  if (!address.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const next = address.indexOf(part, at);
    if (next < 0) return false;
    at = next + part.length;
  }
  return address.length - last.length >= at && address.endsWith(last);
}
