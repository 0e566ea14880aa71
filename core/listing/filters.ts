/**
 * Filters of lists: JSON whose keys are fields or `$and` and `$or`, and whose values map operators
 * to operands (docs/rest.md, Filters). A filter is read by the rows of the answer that it filters,
 * wholly and before anything is looked at; what is wrong with it has a pointer into it.
 *
 * Logic has two values: a cell that is null equals null and nothing else, so it is unlike any text
 * or number. All keys of a map have to hold.
 */

import { pointerTo } from '../../sim/base/json-pointer.ts';
import { isMap } from '../../sim/base/plain-data.ts';
import { fail, ok, type Result } from '../../sim/base/result.ts';
import { ANY_NUMBER, type Field, type Fields, type Kind } from '../../sim/base/rows/fields.ts';
import { instantOf } from '../base/instant.ts';
import { fieldsReader } from '../base/reading.ts';
import {
  type Cell,
  type ColumnsBy,
  type Named,
  namesOf,
  orMeant,
  quoted,
  type Sort,
  sortOf,
} from './cells.ts';
import { matcherOf } from './wildcards.ts';

/** What a filter may have at most. */
export const FILTER_LIMITS = {
  /** `$and` and `$or` within each other. */
  levels: 8,
  /** Operators with an operand. */
  conditions: 256,
  /** Operands of one list, and entries of one `$and` or `$or`. */
  entries: 1_000,
  /** Of all patterns together. */
  patternCharacters: 1_000,
} as const;

/** Whether a row is wanted. */
export type Test = (row: number) => boolean;

export interface Filter {
  /** A measure of the work for one row; 1 is a comparison. */
  readonly cost: number;
  over(columns: ColumnsBy): Test;
}

/** What everything is of. */
export const NO_FILTER: Filter = { cost: 1, over: () => () => true };

/** Reads filters of what these rows answer; `at`: where the filter stands, as `/filter`. */
export const filterReader =
  <const Code extends string>(fields: Fields, code: Code, at: string) =>
  (text: string): Result<Filter, Code> => {
    const json = parsed(text);
    const read =
      json === undefined ? new Fault('The filter is no JSON', []) : new Reader(fields).read(json);
    if (!(read instanceof Fault)) return ok(read);
    const sentence = read.says.endsWith('?') ? read.says : `${read.says}.`;
    return fail(code, sentence, at + pointerTo(read.at));
  };

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What is wrong with a filter, and the way to it. */
class Fault {
  readonly says: string;
  readonly at: Way;

  constructor(says: string, at: Way) {
    this.says = says;
    this.at = at;
  }
}

type Way = readonly (string | number)[];

/** Whether a cell is wanted. */
type CellTest = (cell: Cell) => boolean;

const LOGICAL = ['$and', '$or'] as const;
type Logical = (typeof LOGICAL)[number];
const isLogical = (key: string): key is Logical => (LOGICAL as readonly string[]).includes(key);

const EQUAL = ['=', '!='] as const;
const LIKE = ['$like', '$ilike'] as const;
const IN = ['$in', '$nin'] as const;

/** The operators of each sort of field, beside `$and` and `$or`. */
export const OPERATORS: Readonly<Record<Sort, readonly string[]>> = {
  text: [...EQUAL, ...LIKE, ...IN],
  hex: [...EQUAL, ...LIKE, ...IN],
  choice: [...EQUAL, ...LIKE, ...IN],
  flag: [...EQUAL, ...IN],
  number: [...EQUAL, ...IN],
  instant: [...EQUAL, ...IN],
  groups: ['$intersects'],
};

const TEXT = { type: 'text', least: 0, raw: true } as const satisfies Kind;

/** Operands that a field may be compared with: of its type, whatever limits its values have. */
function operandOf(row: Field): Kind {
  switch (row.type) {
    case 'hex':
    case 'choice':
    case 'flag':
    case 'instant':
      return row;
    case 'number':
    case 'whole':
      return { type: 'number', least: -ANY_NUMBER, most: ANY_NUMBER, allowed: 'a number' };
    default:
      return TEXT;
  }
}

/** Of one filter: it counts what there is of it. */
class Reader {
  readonly #fields: Fields;
  readonly #names: readonly string[];
  #conditions = 0;
  #patternCharacters = 0;
  #cost = 0;

  constructor(fields: Fields) {
    this.#fields = fields;
    this.#names = namesOf(fields);
  }

  read(json: unknown): Filter | Fault {
    const over = this.#filter(json, [], 0);
    if (over instanceof Fault) return over;
    return { cost: Math.max(1, this.#cost), over };
  }

  /** A map of fields, `$and` and `$or`. */
  #filter(given: unknown, at: Way, level: number): Filter['over'] | Fault {
    if (!isMap(given)) return new Fault(`${nameOf(at)} has to be a map of fields`, at);
    const all = each(Object.entries(given), ([key, operand]): Filter['over'] | Fault => {
      const way = [...at, shown(key)];
      if (!isLogical(key)) return this.#field(key, operand, way, level);
      const read = this.#entries(key, operand, way, level + 1, (entry, to) =>
        this.#filter(entry, to, level + 1),
      );
      if (read instanceof Fault) return read;
      const join = key === '$and' ? every : some;
      return (columns) => join(read.map((one) => one(columns)));
    });
    if (all instanceof Fault) return all;
    return (columns) => every(all.map((one) => one(columns)));
  }

  #field(name: string, operand: unknown, at: Way, level: number): Filter['over'] | Fault {
    const row = Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
    if (row === undefined) {
      const words = [...this.#names, ...LOGICAL];
      const says = `There is no field ${quoted(name)}; allowed: ${words.join(', ')}`;
      return new Fault(says + orMeant(name, words), at);
    }
    const test = this.#operators(row, operand, at, level);
    if (test instanceof Fault) return test;
    return (columns) => {
      const column = columns(name);
      return (place) => test(column(place));
    };
  }

  /** A map of operators that must all hold for one field. */
  #operators(row: Field, given: unknown, at: Way, level: number): CellTest | Fault {
    if (!isMap(given) || Object.keys(given).length === 0) {
      const such = '{"=": "a value"}';
      return new Fault(`${nameOf(at)} has to be a map of operators, such as ${such}`, at);
    }
    const all = each(Object.entries(given), ([key, operand]): CellTest | Fault => {
      const way = [...at, shown(key)];
      if (!isLogical(key)) return this.#condition(row, key, operand, way);
      const read = this.#entries(key, operand, way, level + 1, (entry, to) =>
        this.#operators(row, entry, to, level + 1),
      );
      if (read instanceof Fault) return read;
      return (key === '$and' ? every : some)(read);
    });
    return all instanceof Fault ? all : every(all);
  }

  /** The entries of an `$and` or `$or`. */
  #entries<Created>(
    key: Logical,
    operand: unknown,
    at: Way,
    level: number,
    read: (entry: unknown, at: Way) => Created | Fault,
  ): readonly Created[] | Fault {
    const { levels, entries } = FILTER_LIMITS;
    if (level > levels) return new Fault(`$and and $or stand at most ${levels} levels deep`, at);
    if (!Array.isArray(operand) || operand.length === 0 || operand.length > entries) {
      return new Fault(`${key} has to be a list of 1 to ${entries} entries`, at);
    }
    return each([...operand.entries()], ([i, entry]) => read(entry, [...at, i]));
  }

  #condition(row: Field, key: string, operand: unknown, at: Way): CellTest | Fault {
    const sort = sortOf(row);
    if (!OPERATORS[sort].includes(key)) {
      const words = [...OPERATORS[sort], ...LOGICAL];
      const says = `${nameOf(at.slice(0, -1))} has no operator ${quoted(key)}`;
      return new Fault(`${says}; allowed: ${words.join(', ')}${orMeant(key, words)}`, at);
    }
    this.#conditions++;
    this.#cost++;
    if (this.#conditions > FILTER_LIMITS.conditions) {
      return new Fault(`A filter has at most ${FILTER_LIMITS.conditions} conditions`, at);
    }
    switch (key) {
      case '=':
      case '!=': {
        const value = comparisonWith(row, operand, at);
        if (value instanceof Fault) return value;
        return key === '=' ? (cell) => cell === value : (cell) => cell !== value;
      }
      case '$like':
      case '$ilike':
        return this.#pattern(row, operand, at, key === '$ilike');
      default: {
        const values = listOf(operand, at, (one, to) =>
          key === '$intersects' ? leafOf(TEXT, one, to) : comparisonWith(row, one, to),
        );
        if (values instanceof Fault) return values;
        const set = new Set<unknown>(values);
        if (key === '$in') return (cell) => set.has(cell);
        if (key === '$nin') return (cell) => !set.has(cell);
        return (cell) => (cell as readonly Named[]).some(({ id }) => set.has(id));
      }
    }
  }

  /** Digits of hexadecimal numbers have no case. */
  #pattern(row: Field, operand: unknown, at: Way, inAnyCase: boolean): CellTest | Fault {
    const pattern = leafOf(TEXT, operand, at);
    if (pattern instanceof Fault) return pattern;
    const text = pattern as string;
    this.#patternCharacters += text.length;
    this.#cost += 1 + text.length / 4;
    const { patternCharacters } = FILTER_LIMITS;
    if (this.#patternCharacters > patternCharacters) {
      const says = `The patterns of a filter have at most ${patternCharacters} characters together`;
      return new Fault(says, at);
    }
    if (inAnyCase) {
      const matches = matcherOf(text.toLowerCase());
      return (cell) => matches((cell as string).toLowerCase());
    }
    const matches = matcherOf(row.type === 'hex' ? text.toUpperCase() : text);
    return (cell) => matches(cell as string);
  }
}

// ── operands ─────────────────────────────────────────────────────────────────────────────────────

/** What a cell of this field is compared with; null where it may hold null. */
function comparisonWith(row: Field, operand: unknown, at: Way): Cell | Fault {
  if (operand === null && row.null !== undefined) return null;
  const value = leafOf(operandOf(row), operand, at);
  return row.type === 'instant' && typeof value === 'string' ? instantOf(value) : value;
}

/** A value of this kind, as it is stored. */
function leafOf(kind: Kind, operand: unknown, at: Way): Exclude<Cell, null> | Fault {
  const name = nameOf(at);
  const fields = { [name]: { ...kind, required: true, is: '' } } as const;
  const reading = fieldsReader(fields, { path: '', name, failure: '' });
  const read = reading({ [name]: operand });
  if (!read.ok) return new Fault(read.failure.message.replace(/\.$/, ''), at);
  return read.value[name] as Exclude<Cell, null>;
}

function listOf<Created>(
  operand: unknown,
  at: Way,
  read: (one: unknown, at: Way) => Created | Fault,
): readonly Created[] | Fault {
  const { entries } = FILTER_LIMITS;
  if (!Array.isArray(operand) || operand.length > entries) {
    return new Fault(`${nameOf(at)} has to be a list of at most ${entries} values`, at);
  }
  return each([...operand.entries()], ([i, one]) => read(one, [...at, i]));
}

// ── helpers ──────────────────────────────────────────────────────────────────────────────────────

/** What each of these makes, or the first fault. */
function each<From, Created>(
  all: readonly From[],
  make: (one: From) => Created | Fault,
): readonly Created[] | Fault {
  const created: Created[] = [];
  for (const one of all) {
    const read = make(one);
    if (read instanceof Fault) return read;
    created.push(read);
  }
  return created;
}

const every =
  <What>(tests: readonly ((what: What) => boolean)[]) =>
  (what: What): boolean =>
    tests.every((test) => test(what));

const some =
  <What>(tests: readonly ((what: What) => boolean)[]) =>
  (what: What): boolean =>
    tests.some((test) => test(what));

/** Characters of a key that a pointer repeats. */
const SHOWN = 60;
const shown = (key: string): string => key.slice(0, SHOWN);

/** `$or[0].name`. */
const nameOf = (at: Way): string =>
  at.length === 0
    ? 'The filter'
    : at
        .map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i > 0 ? '.' : ''}${key}`))
        .join('');
