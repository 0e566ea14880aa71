/** Tables of rows that are put together: rows of one name agree, or one row spans them all. */
import { assert } from '../assert.ts';
import type { Fields, Kind } from './fields.ts';

/** The rows of both tables; a name that both have is one row. */
export function joinTables<A extends Fields, B extends Fields>(a: A, b: B): A & B {
  for (const name of Object.keys(a)) {
    const isOne = !Object.hasOwn(b, name) || a[name] === b[name];
    assert(isOne, `two tables that are joined have one row of the name ${name}`);
  }
  return { ...a, ...b };
}

/**
 * What several rows of one name take together: the widest range, or all their words. They are of
 * one type and unit, and else alike. Each table still reads its values by its own row.
 */
export function spanOf(name: string, kinds: readonly Kind[]): Kind {
  const [first] = kinds;
  assert(first !== undefined, `${name} has a row`);
  const { type } = first;
  const unit = unitOf(first);
  const isShared = kinds.every((kind) => kind.type === type && unitOf(kind) === unit);
  assert(isShared, `rows of the name ${name} have one type and one unit`);
  if (first.type === 'choice') {
    const words = kinds.flatMap((kind) => (kind.type === 'choice' ? kind.words : []));
    return { ...first, words: [...new Set(words)] };
  }
  const numbers = kinds.filter(isNumber);
  if (numbers.length === 0) {
    assert(
      kinds.every((kind) => kind === first),
      `there is one row of the name ${name}`,
    );
    return first;
  }
  const least = Math.min(...numbers.map((kind) => kind.least));
  const most = Math.max(...numbers.map((kind) => kind.most));
  return { ...numbers[0]!, least, most };
}

const isNumber = (kind: Kind): kind is Kind & { readonly type: 'number' | 'whole' } =>
  kind.type === 'number' || kind.type === 'whole';

const unitOf = (kind: Kind): string | undefined => (isNumber(kind) ? kind.unit : undefined);
