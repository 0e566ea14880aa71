/**
 * Commands that nobody should send: built from the rows of the operations, then spoilt. What is
 * drawn is a pure function of the seed.
 */

import { OPERATIONS, type OperationKind } from '../../core/operations.ts';
import { DrawPurpose, draw, entityKey, expandSeed } from '../../sim/base/random.ts';
import type { Field, Fields, Kind } from '../../sim/base/rows/fields.ts';

/** What commands may name, so that some of them find something. */
export interface Known {
  readonly devices: readonly string[];
  readonly gateways: readonly string[];
  /** Who asks; Ann, Bob and the default subscriber when absent. */
  readonly subscribers?: readonly string[];
  /** By subscriber and field, as `ann campaign_id`: what answers mentioned, the latest last. */
  readonly words: ReadonlyMap<string, readonly string[]>;
  /**
   * Of commands whose fields have to fit each other, as no chance makes them: what one in two is
   * given, though who asks, and the kind, may be spoilt.
   */
  readonly fitting?: Fitting;
}

type Fitting = Readonly<
  Partial<Record<OperationKind, (by: string, below: (count: number) => number) => object>>
>;

export class Garbage {
  readonly #key: { readonly key0: number; readonly key1: number };
  readonly #known: Known;
  #drawn = 0;
  /** The subscriber whose command is made. */
  #by = '';

  constructor(seed: string, known: Known) {
    this.#key = entityKey(expandSeed(seed), 'garbage');
    this.#known = known;
  }

  /** A command: right, nearly right, or nothing of the kind. */
  command(): unknown {
    return this.#next(COMMANDS);
  }

  query(): unknown {
    return this.#next(QUERIES);
  }

  #next(kinds: readonly OperationKind[]): unknown {
    if (this.below(12) === 0) return this.#anything(2);
    let kind = this.pick(kinds);
    // More is made than taken away.
    if (OPERATIONS[kind].verb === 'delete' && this.below(4) > 0) kind = this.pick(MAKERS);
    this.#by = this.pick(this.#known.subscribers ?? ['ann', 'bob', 'default']);
    const by = this.below(20) === 0 ? this.#spoilt(this.#by) : this.#by;
    const fitting = this.#known.fitting?.[kind];
    const given =
      fitting !== undefined && this.below(2) === 0
        ? fitting(this.#by, (count) => this.below(count))
        : this.#record(OPERATIONS[kind].takes, this.pick([4, 40, 400, 4000]));
    return { kind: this.below(40) === 0 ? this.#spoilt(kind) : kind, by, ...given };
  }

  below(count: number): number {
    const { key0, key1 } = this.#key;
    return (draw(key0, key1, DrawPurpose.payload, this.#drawn++) >>> 0) % count;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** One value in `rarity` is spoilt; two in three fields that are not required are absent. */
  #record(fields: Fields, rarity: number): Record<string, unknown> {
    const given: Record<string, unknown> = {};
    for (const [name, row] of Object.entries(fields)) {
      if (row.required ? this.below(rarity) === 0 : this.below(3) > 0) continue;
      given[name] = this.#field(name, row, rarity);
    }
    if (this.below(rarity) === 0) given[this.pick(['__proto__', 'x', 'owner'])] = this.#anything(1);
    return given;
  }

  #field(name: string, row: Field, rarity: number): unknown {
    if (row.null !== undefined && this.below(8) === 0) return null;
    const known = this.#known.words.get(`${this.#by} ${name}`) ?? [];
    return known.length > 0 && this.below(4) > 0 ? this.pick(known) : this.#value(row, rarity);
  }

  #value(kind: Kind, rarity: number): unknown {
    if (this.below(rarity) === 0) return this.#anything(2);
    switch (kind.type) {
      case 'flag':
        return this.below(2) === 0;
      case 'number':
      case 'whole':
        return this.#number(kind, rarity);
      case 'choice':
        return this.pick(kind.words);
      case 'hex':
        return this.#digits(kind.digits);
      case 'hexBytes':
        return this.pick(['06', this.#digits(2 * Math.min(kind.most, this.below(20)))]);
      case 'instant':
        return this.pick(INSTANTS);
      case 'bytes':
        return Uint8Array.from({ length: this.below(200) }, () => this.below(256));
      case 'text':
        return this.#text(kind);
      case 'list':
        return Array.from({ length: this.below(8) && 1 + this.below(3) }, () =>
          this.#value(kind.of, rarity),
        );
      case 'map':
        return Object.fromEntries(
          Array.from({ length: this.below(4) }, () => [
            this.below(20) === 0 ? '' : String(this.#value(kind.keys, 1e9)),
            this.#value(kind.of, rarity),
          ]),
        );
      case 'json':
        return { [this.pick(['on', 'level', '__proto__'])]: this.#anything(2) };
      case 'record':
        return this.#record(kind.fields, rarity);
      case 'either':
        return this.#value(this.pick(kind.kinds), rarity);
    }
  }

  #number({ least, most, rule }: Kind & { type: 'number' | 'whole' }, rarity: number): number {
    if (this.below(rarity) === 0) return this.pick([-0, least - 1, most + 1, 0.5, Number.NaN]);
    const right = [least, most, 2 ** this.below(10), least + this.below(20)].filter(
      (value) => value >= least && value <= most && rule?.(value) !== false,
    );
    return this.pick(right);
  }

  #digits(count: number): string {
    const digits = Array.from({ length: count }, () => this.below(16).toString(16)).join('');
    const text = count === 16 && this.below(8) > 0 ? this.#eui() : digits;
    return this.below(2) === 0 ? text.toLowerCase() : text.toUpperCase();
  }

  /** Mostly of a device that the subscriber has. */
  #eui(): string {
    const { devices, gateways, words } = this.#known;
    const own = words.get(`${this.#by} devEui`) ?? [];
    return this.pick(own.length > 0 && this.below(4) > 0 ? own : [...devices, ...gateways]);
  }

  #text({ rule, pattern }: Kind & { type: 'text' }): string {
    const candidates = TEXTS.filter(
      (each) => rule?.(each) !== false && pattern?.test(each) !== false,
    );
    return candidates.length === 0 ? 'ABCDEF........00' : this.pick(candidates);
  }

  #spoilt(text: string): unknown {
    return this.pick([
      `${text}\u0000`,
      `${text}\ud800`,
      '',
      5,
      null,
      undefined,
      'toString',
      [text],
    ]);
  }

  #anything(depth: number): unknown {
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    const leaves = [
      undefined,
      null,
      NaN,
      Infinity,
      -0,
      1e308,
      2 ** 53,
      '',
      '\ud800',
      'x'.repeat(5000),
      10n,
      Symbol('x'),
      () => 1,
      new Date(0),
      new Map(),
      new Uint16Array(3),
      Object.create(null),
      cyclic,
      JSON.parse('{"__proto__": {"kind": "image.create"}, "constructor": 1}'),
    ];
    if (depth === 0 || this.below(3) > 0) return this.pick(leaves);
    if (this.below(2) === 0) return Array.from({ length: 3 }, () => this.#anything(depth - 1));
    return { kind: this.#anything(depth - 1), by: this.#anything(depth - 1) };
  }
}

const TEXTS = [
  'a-1.0.0.bin',
  'b-2.0.0.bin',
  'ann',
  'bob',
  '1.2.3',
  '0102030400......',
  'north',
  '22:30',
];

const INSTANTS = [
  '2026-01-01T06:00:00Z',
  '2026-01-02T00:00:00+02:00',
  '2026-01-09T00:00:00Z',
  '2020-01-01',
];

const ALL = Object.keys(OPERATIONS) as OperationKind[];
const isQuery = (kind: OperationKind) => ['list', 'get'].includes(OPERATIONS[kind].verb);
const MAKERS = ALL.filter((kind) => OPERATIONS[kind].verb === 'create');
const COMMANDS = ALL.filter((kind) => !isQuery(kind));
const QUERIES = ALL.filter(isQuery);
