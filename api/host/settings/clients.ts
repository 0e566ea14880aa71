/** Limits of single clients: a list of maps, which a file of settings alone has. */
import * as z from 'zod';
import { complain, list, maybe, needed, record } from '../../../scenarios/language/knob.ts';
import { type Kind, limit, line } from './kinds.ts';

/** A client is known by its id, or by the name of an application or a user. */
export interface ClientLimit {
  readonly client_id?: string | undefined;
  readonly name?: string | undefined;
  /** Requests in a second; 0: as many as come. */
  readonly requests_per_second: number;
}

const MOST_CLIENTS = 1_000;

const ENTRY = record({
  client_id: maybe(line(200).schema, { is: 'Id of the client.' }),
  name: maybe(line(200).schema, { is: 'Name of an application or a user.' }),
  requests_per_second: needed(limit(1_000_000).schema, { is: 'Requests in a second.' }),
}).transform((entry, context) => {
  const named = [entry.client_id, entry.name].filter((each) => each !== undefined);
  if (named.length === 1) return entry as ClientLimit;
  const what = named.length === 0 ? 'names no client' : 'names a client twice';
  complain(context, entry, what, 'client_id, or name');
  return z.NEVER;
});

export const clients: Kind<readonly ClientLimit[]> = {
  schema: list(ENTRY, 0, MOST_CLIENTS, 'clients'),
  allowed: 'a list of maps with `client_id` or `name`, and `requests_per_second`',
  takes: 'file',
  ofWord: (word) => word,
};
