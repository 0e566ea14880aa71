/**
 * What a route is: a row that joins a documented method and path to an operation. Which fields come
 * from where follows from the operation's own rows; what the operation does is not decided here.
 */

import type { FailureClasses } from '../../core/kit/failures.ts';
import type { PermissionObject, Verb } from '../../core/rows/permissions.ts';
import type { Field, Fields, Kind } from '../../sim/base/rows/fields.ts';
import type { BULK_BODIES } from './limits.ts';

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** What a route says beside its operation. */
export interface RouteOptions {
  /** Of success; 200 when absent, 204 where nothing is answered. */
  readonly status?: number;
  /** Names of the path that the operation's fields do not have. */
  readonly path?: { readonly [documented: string]: string };
  /** Part of a multipart body with a file: its name and its content are fields. */
  readonly upload?: { readonly part: string; readonly name: string; readonly bytes: string };
  /** Media type of an answer that is no JSON. */
  readonly media?: string;
  /** The list of the answer whose entries may be had as lines of JSON. */
  readonly lines?: string;
  /** What its body has many of: more than bodies of other routes may have. */
  readonly bulk?: keyof typeof BULK_BODIES;
  /** Another route takes its place: since when (Unix seconds), and its path. */
  readonly deprecated?: { readonly since: number; readonly successor: string };
  /** The documents of the services do not have it. */
  readonly beyond?: true;
  /** Keys of query and body are taken in any case; answers have them as they are documented. */
  readonly anyCase?: true;
}

/** `METHOD /path` to an operation's kind: paths are relative to the family's prefix. */
export type Rows<Operations extends string> = {
  readonly [Route in `${Method} /${string}`]?: Operations | readonly [Operations, RouteOptions];
};

/** An operation for HTTP, of the platform or of the host. */
export interface ServedOperation {
  /** Tag of the documentation. */
  readonly resource: string;
  readonly is: string;
  readonly takes: Fields;
  readonly answers: Kind | null;
  /** Its answer is made in steps, and written as they are done. */
  readonly inSteps?: true;
  /** Answered instead, with 202, while a thing is still being made. */
  readonly meanwhile?: Kind;
  /** All that it may refuse with, and the classes of that. */
  readonly fails: FailureClasses;
  /** What a token has to permit; null: no token is needed. */
  readonly needs: Needs | null;
}

/** `open`: whatever it permits, any token does. */
export interface Needs {
  readonly object: PermissionObject;
  readonly verb: Verb;
  readonly open?: boolean;
}

/** A row, in its parts. */
export interface Route extends RouteOptions {
  readonly method: Method;
  /** With `{name}`, as documented. */
  readonly url: string;
  readonly kind: string;
}

/** The rows as routes, in their order; `all` is said of each. */
export const routesOf = (rows: Rows<string>, all: RouteOptions = {}): readonly Route[] =>
  Object.entries(rows).map(([route, row]) => {
    const [method, url] = route.split(' ') as [Method, string];
    const [kind, options] = typeof row === 'string' ? [row, {}] : row!;
    return { method, url, kind, ...all, ...options };
  });

/** What may be sent again with the same Idempotency-Key (idempotency.ts). */
export const isCreation = ({ method }: Route, { needs }: ServedOperation): boolean =>
  method === 'POST' && (needs?.verb === 'create' || needs?.verb === 'ownCreate');

/** Where a route's fields come from. */
export interface Binding {
  /** Fields by the names that the path documents. */
  readonly params: ReadonlyMap<string, string>;
  readonly query: Fields;
  readonly body: BodyBinding | undefined;
  /** Part of a multipart body by the field that it gives. */
  readonly parts: ReadonlyMap<string, string>;
  /** How the keys of query and body are found. */
  readonly keys: KeyFinder;
}

/** The value of a key in what was given; undefined: it is not there. */
export type KeyFinder = (given: object, key: string) => unknown;

export type BodyBinding =
  /** The body is this field. */
  | { readonly whole: string; readonly row: Field }
  /** The body is a map of these fields. */
  | { readonly whole: undefined; readonly fields: Fields };

/**
 * What the path names comes from it; what a row says is the body, is the body. The rest are keys of
 * the query in a GET, and keys of the body otherwise.
 */
export function bindingOf(route: Route, takes: Fields): Binding {
  const { method, url, path = {}, upload, anyCase } = route;
  const keys = anyCase ? inAnyCase : asWritten;
  const params = new Map(
    [...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name!, path[name!] ?? name!]),
  );
  const parts = new Map(upload && [upload.name, upload.bytes].map((name) => [name, upload.part]));
  const inPath = new Set(params.values());
  const rest = Object.entries(takes).filter(
    ([name, { only }]) => !inPath.has(name) && only !== 'scenario',
  );
  const [name, row] = rest.find(([, { body }]) => body) ?? [];
  const fields = Object.fromEntries(rest);
  if (row !== undefined) return { params, query: {}, body: { whole: name!, row }, parts, keys };
  if (method === 'GET') return { params, query: fields, body: undefined, parts, keys };
  const body = rest.length === 0 ? undefined : { whole: undefined, fields };
  return { params, query: {}, body, parts, keys };
}

const asWritten: KeyFinder = (given, key) =>
  Object.hasOwn(given, key) ? (given as Record<string, unknown>)[key] : undefined;

/** As it is documented, else the first key that is the same but for its case. */
const inAnyCase: KeyFinder = (given, key) => {
  const exact = asWritten(given, key);
  if (exact !== undefined) return exact;
  const lower = key.toLowerCase();
  const other = Object.keys(given).find((each) => each.toLowerCase() === lower);
  return other === undefined ? undefined : asWritten(given, other);
};
