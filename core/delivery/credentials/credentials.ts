/**
 * Credentials that a destination requires for deliveries. Destinations refer to them; responses
 * never contain their secrets.
 */
import { andThen, fail, found, ok, type Result } from '../../../sim/base/result.ts';
import type { Of } from '../../../sim/base/rows/fields.ts';
import { Pages } from '../../base/pages.ts';
import { copyPlain } from '../../base/plain.ts';
import { type Owned, Store } from '../../base/store.ts';
import { declareResource, done, handlers, type Surroundings } from '../../kit/resource.ts';
import { MOST_OF_EACH, PAGE_SIZES } from '../page-sizes.ts';
import { type Data, redacted } from '../secrets.ts';
import { credentialData } from './data.ts';
import {
  CREDENTIAL_DATA,
  type CREDENTIALS,
  type CredentialsAnswer,
  type CredentialType,
  FAILURES,
  OPERATIONS,
} from './rows.ts';

/** Plain data. */
export interface Credentials extends Owned {
  readonly id: string;
  readonly name: string;
  readonly type: CredentialType;
  /** By the rows of its type, secrets in clear. */
  readonly data: Data;
}

/** What credentials use of the platform and of other resources. */
export interface CredentialsNeeds extends Pick<Surroundings, 'ids' | 'world'> {
  readonly destination: {
    /** Names of an owner's destinations that have the credentials and may not have such a type. */
    unfitFor(owner: string, credentialsId: string, type: CredentialType): readonly string[];
    /** The credentials are gone: no destination has them. */
    forgetCredentials(owner: string, credentialsId: string): void;
  };
}

type Given = Of<{ readonly type: 'record'; readonly fields: typeof CREDENTIALS }>;

/** Names that a message has. */
const MOST_NAMED = 3;

export const credentialsResource = declareResource({
  name: 'credentials',
  is: 'Credentials that destinations use.',
  permission: 'SubscriberAdmin',
  failures: FAILURES,
  operations: OPERATIONS,
  make: (needs: CredentialsNeeds) => {
    const all = new Store('credentials', ({ id }: Credentials) => id);
    const pages = new Pages(needs.world);

    const known = (by: string, id: string) =>
      found(all.get(by, id), 'credentials.unknown', `There are no credentials ${id}.`);

    /** Stored secrets carry over to credentials of the same type only. */
    const dataOf = ({ type, data }: Given, stored?: Credentials) =>
      credentialData(type, data, stored?.type === type ? stored.data : undefined);

    const isTaken = (id: string) => all.ofAnybody(id) !== undefined;

    return {
      ...all.saving,
      handle: handlers(OPERATIONS, {
        'credentials.list': (asked, { by }) => {
          const list = { by, name: 'credentials', entries: all.list(by), keyOf: idOf };
          return andThen(
            pages.page(list, asked, PAGE_SIZES, 'credentials.page'),
            ({ data, meta }) => ok({ data: data.map(answerOf), meta }),
          );
        },
        'credentials.create': ({ credentials, id: given }, { by }) => {
          if (given !== undefined && isTaken(given)) {
            return fail('credentials.exists', `There are credentials ${given}.`, '/id');
          }
          if (all.count(by) >= MOST_OF_EACH) {
            const message = `There are ${MOST_OF_EACH} credentials, the most that there may be.`;
            return fail('credentials.too-many', message);
          }
          return andThen(dataOf(credentials), (data) => {
            const { name, type } = credentials;
            const id = given ?? needs.ids.uuid(isTaken);
            all.put({ owner: by, id, name, type, data });
            return ok({ id, name, type });
          });
        },
        'credentials.get': ({ credentials_id }, { by }) =>
          andThen(known(by, credentials_id), (each) => ok(answerOf(each))),
        'credentials.replace': ({ credentials_id, credentials }, { by }) =>
          andThen(known(by, credentials_id), (old) =>
            andThen(dataOf(credentials, old), (data) =>
              andThen(fits(needs, old, credentials.type), () => {
                const { name, type } = credentials;
                const replaced = { ...old, name, type, data };
                all.put(replaced);
                return ok(answerOf(replaced));
              }),
            ),
          ),
        'credentials.delete': ({ credentials_id }, { by }) =>
          andThen(known(by, credentials_id), ({ id }) => {
            all.remove(by, id);
            return done(needs.destination.forgetCredentials(by, id));
          }),
      }),

      /** What credentials of an owner are. */
      typeOf: (owner: string, id: string): CredentialType | undefined => all.get(owner, id)?.type,

      /** With their secrets, for the sender of deliveries; undefined: there are none. */
      known: (owner: string, id: string): Pick<Credentials, 'type' | 'data'> | undefined =>
        all.get(owner, id),
    };
  },
});

const idOf = ({ id }: Credentials): string => id;

/** Whether the destinations that have credentials may have them once they are of a type. */
function fits(
  { destination }: CredentialsNeeds,
  { owner, id, type: oldType }: Credentials,
  type: CredentialType,
): Result<undefined, 'credentials.in-use'> {
  const unfit = type === oldType ? [] : destination.unfitFor(owner, id, type);
  if (unfit.length === 0) return ok(undefined);
  const more = unfit.length > MOST_NAMED ? ` and ${unfit.length - MOST_NAMED} more` : '';
  const names = `${unfit.slice(0, MOST_NAMED).join(', ')}${more}`;
  const message = `Destinations that may not have credentials of the type ${type}: ${names}.`;
  return fail('credentials.in-use', message, '/type');
}

const answerOf = ({ owner, id, name, type, data }: Credentials): CredentialsAnswer => ({
  id,
  owner_id: owner,
  name,
  type,
  data: copyPlain(redacted(CREDENTIAL_DATA[type], data)) as CredentialsAnswer['data'],
});
