/** Limits of single clients: a list of maps, which a file of settings alone has. */
import * as z from 'zod';
import type { Reading } from '../../../scenarios/language/complaint.ts';
import { complain, leaf, list, maybe, needed, record } from '../../../scenarios/language/knob.ts';
import type { Kind, Of } from '../../../sim/base/rows/fields.ts';
import { limit, line, readSetting } from './kinds.ts';

/** A client is known by its id, or by the name of an application or a user. */
export interface ClientLimit {
  readonly client_id?: string | undefined;
  readonly name?: string | undefined;
  /** Requests in a second; 0: as many as come. */
  readonly requests_per_second: number;
}

const MOST_CLIENTS = 1_000;

const FIELDS = {
  client_id: { ...line(200), is: 'Id of the client.' },
  name: { ...line(200), is: 'Name of an application or a user.' },
  requests_per_second: { ...limit(1_000_000), required: true, is: 'Requests in a second.' },
} as const;

const knob = <Row extends Kind>(row: Row) =>
  leaf((given) => readSetting(row, given) as Reading<Of<Row>>, {});

const ENTRY = record({
  client_id: maybe(knob(FIELDS.client_id), FIELDS.client_id),
  name: maybe(knob(FIELDS.name), FIELDS.name),
  requests_per_second: needed(knob(FIELDS.requests_per_second), FIELDS.requests_per_second),
}).transform((entry, context) => {
  const named = [entry.client_id, entry.name].filter((each) => each !== undefined);
  if (named.length === 1) return entry as ClientLimit;
  const what = named.length === 0 ? 'names no client' : 'names a client twice';
  complain(context, entry, what, 'client_id, or name');
  return z.NEVER;
});

/** The reader of files, which reports every fault of every map. */
export const CLIENTS_IN_FILE = list(ENTRY, 0, MOST_CLIENTS, 'clients');

export const CLIENTS = {
  type: 'list',
  of: { type: 'record', fields: FIELDS },
  most: MOST_CLIENTS,
  allowed: 'a list of maps with `client_id` or `name`, and `requests_per_second`',
} as const;
