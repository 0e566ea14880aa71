/** State of a watched route, and the log entry of its requests. */
import type { Tally } from '../../host/watching/coverage.ts';
import type { Family } from '../families.ts';
import type { Binding, Route, ServedOperation } from '../route.ts';
import { type Secrets, secretsOf } from './redaction.ts';

export interface WatchedRoute {
  readonly kind: string;
  readonly method: string;
  /** Where it is asked for, with `{name}`; a family may have two prefixes. */
  readonly paths: readonly string[];
  /** Of success. */
  readonly success: number;
  readonly given: Secrets;
  readonly answered: Secrets;
  /** Of a documented operation. */
  readonly tally: Tally | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined where its path has no operation. */
    watched: WatchedRoute | undefined;
    /** The bytes of a body of JSON, as they were sent. */
    sent: Buffer | undefined;
  }
}

/** Paths of a route, with the prefixes of its family. */
const pathsOf = ({ url }: Route, { prefix, alias }: Family): readonly string[] =>
  [prefix, alias].flatMap((at) => (at === undefined ? [] : [at + url]));

export function watchedRoute(
  route: Route,
  family: Family,
  { answers, takes }: ServedOperation,
  { body }: Binding,
  of: Pick<WatchedRoute, 'success' | 'tally'>,
): WatchedRoute {
  const { kind, method } = route;
  return {
    kind,
    method,
    paths: pathsOf(route, family),
    // Fields of the path are in no body, and no name of a secret among them would show one.
    given: secretsOf(body?.whole === undefined ? { type: 'record', fields: takes } : body.row),
    answered: secretsOf(answers),
    ...of,
  };
}
