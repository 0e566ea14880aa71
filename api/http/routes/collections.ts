/**
 * Routes of the simulator's own resources, by convention. A resource that declares its `collection`
 * has a route below `/sim/v1` for each of its operations that has a conventional name.
 */
import type { Method, Rows } from '../route.ts';

/** What a collection takes of a resource's declaration. */
interface Declared {
  readonly collection?: string;
  readonly operations: { readonly [kind: string]: { readonly takes: object } };
}

interface Convention {
  readonly method: Method;
  /** The path names one of the collection, by the first field of the operation. */
  readonly one?: true;
  readonly status?: number;
}

/** By the last part of an operation's kind. */
const CONVENTIONS: Readonly<Record<string, Convention>> = {
  list: { method: 'GET' },
  create: { method: 'POST', status: 201 },
  get: { method: 'GET', one: true },
  replace: { method: 'PUT', one: true },
  update: { method: 'PATCH', one: true },
  delete: { method: 'DELETE', one: true },
};

/** Throws where an operation of a collection has no conventional name: it would have no route. */
export function collectionRows(resources: readonly Declared[]): Rows<string> {
  return Object.fromEntries(
    resources.flatMap(({ collection, operations }) =>
      collection === undefined ? [] : rowsOf(collection, operations),
    ),
  );
}

/** In the order of the conventions. */
function rowsOf(collection: string, operations: Declared['operations']) {
  const named = new Map(Object.keys(operations).map((kind) => [kind.split('.')[1]!, kind]));
  for (const [name, kind] of named) {
    if (CONVENTIONS[name] === undefined) throw new Error(`${kind} has no place in /${collection}`);
  }
  return Object.entries(CONVENTIONS).flatMap(([name, { method, one, status }]) => {
    const kind = named.get(name);
    if (kind === undefined) return [];
    const [id] = Object.keys(operations[kind]!.takes);
    const path = one ? `/${collection}/{${id}}` : `/${collection}`;
    const row = status === undefined ? kind : ([kind, { status }] as const);
    return [[`${method} ${path}`, row] as const];
  });
}
