/**
 * Destinations: where events of alerts go. START HERE for their operations; their fields stand in
 * rows.ts, how their data is read in data.ts.
 */
import { andThen, fail, found, ok, type Result } from '../../../sim/base/result.ts';
import { effective, type Of } from '../../../sim/base/rows/fields.ts';
import { Pages } from '../../base/pages.ts';
import { type Owned, Store } from '../../base/store.ts';
import { declareResource, done, handlers, type Surroundings } from '../../kit/resource.ts';
import type { CredentialType } from '../credentials/rows.ts';
import type { Target } from '../deliveries/target.ts';
import { redactedHeaders } from '../headers.ts';
import { MOST_OF_EACH, PAGE_SIZES } from '../page-sizes.ts';
import { type Data, redacted } from '../secrets.ts';
import type { KnownCredentials } from '../targets/kind.ts';
import { type DestinationType, KINDS, kindOf, type Route } from '../targets/kinds.ts';
import { destinationData, FITTING, hasHeaders, headersIn } from './data.ts';
import { DESTINATION_DATA } from './data-rows.ts';
import { DESTINATION, type DestinationAnswer, FAILURES, OPERATIONS } from './rows.ts';

/** Plain data. */
export interface Destination extends Owned {
  readonly id: string;
  readonly name: string;
  readonly type: DestinationType;
  readonly enabled: boolean;
  /** '': none. */
  readonly credentials: string;
  /** By the rows of its type, secrets in clear. */
  readonly data: Data;
}

/** What destinations use of the platform and of other resources. */
export interface DestinationNeeds extends Pick<Surroundings, 'ids' | 'world'> {
  readonly credentials: {
    typeOf(owner: string, id: string): CredentialType | undefined;
    /** With their secrets; undefined: there are none. */
    known(owner: string, id: string): KnownCredentials | undefined;
  };
  readonly alert: {
    /** The destination is gone: no alert names it. */
    forgetDestination(owner: string, id: string): void;
  };
  readonly delivery: {
    changed(target: Target, nowUs: number): void;
    removed(owner: string, targetId: string, nowUs: number): void;
  };
}

type Given = Of<{ readonly type: 'record'; readonly fields: typeof DESTINATION }>;

export class Destinations {
  readonly #needs: DestinationNeeds;
  readonly #pages: Pages;
  readonly #all = new Store('destinations', ({ id }: Destination) => id, {
    credentials: ({ credentials }: Destination) => (credentials === '' ? [] : [credentials]),
  });

  readonly handle = handlers(OPERATIONS, {
    'destination.list': (asked, { by }) => {
      const list = { by, name: 'destinations', entries: this.#all.list(by), keyOf: idOf };
      const page = this.#pages.page(list, asked, PAGE_SIZES, 'destination.page');
      return andThen(page, ({ data, meta }) => ok({ data: data.map(answerOf), meta }));
    },
    'destination.create': ({ destination, id }, { by }) =>
      andThen(this.#newId(id, by), () =>
        andThen(this.#read(destination, by), (read) => {
          const isTaken = (each: string) => this.#all.ofAnybody(each) !== undefined;
          const created = { ...read, owner: by, id: id ?? this.#needs.ids.uuid(isTaken) };
          this.#all.put(created);
          return ok(answerOf(created));
        }),
      ),
    'destination.get': ({ destination_id }, { by }) =>
      andThen(this.#known(by, destination_id), (each) => ok(answerOf(each))),
    'destination.replace': ({ destination_id, destination }, { by, nowUs }) =>
      andThen(this.#known(by, destination_id), (old) =>
        andThen(this.#read(destination, by, old), (read) => {
          const replaced = { ...read, owner: by, id: old.id };
          this.#change(replaced, nowUs);
          return ok(answerOf(replaced));
        }),
      ),
    'destination.delete': ({ destination_id }, { by, nowUs }) =>
      andThen(this.#known(by, destination_id), ({ id }) => {
        this.#all.remove(by, id);
        this.#needs.alert.forgetDestination(by, id);
        return done(this.#needs.delivery.removed(by, id, nowUs));
      }),
  });

  constructor(needs: DestinationNeeds) {
    this.#needs = needs;
    this.#pages = new Pages(needs.world);
  }

  // ── what others ask ────────────────────────────────────────────────────────────────────────────

  /** Whether an owner has a destination with this id. */
  has(owner: string, id: string): boolean {
    return this.#all.get(owner, id) !== undefined;
  }

  /** Where what is delivered to a destination goes; an owner has it. */
  targetOf(owner: string, id: string): Target {
    return targetOf(this.#all.get(owner, id)!);
  }

  /** How one is reached; undefined: nobody has it. */
  routeOf(owner: string, id: string): Route | undefined {
    const known = this.#all.get(owner, id);
    if (known === undefined) return undefined;
    return routeOf(known, this.#needs.credentials.known(owner, known.credentials));
  }

  /** It is not delivered to any more: it has answered that it is gone, or was dead for too long. */
  disable(owner: string, id: string): void {
    const old = this.#all.get(owner, id);
    if (old !== undefined) this.#all.put({ ...old, enabled: false });
  }

  unfitFor(owner: string, credentialsId: string, type: CredentialType): readonly string[] {
    return this.#having(owner, credentialsId)
      .filter((each) => !FITTING[each.type].includes(type))
      .map(({ name }) => name);
  }

  forgetCredentials(owner: string, credentialsId: string): void {
    for (const each of this.#having(owner, credentialsId)) {
      this.#all.put({ ...each, credentials: '' });
    }
  }

  // ── saving ─────────────────────────────────────────────────────────────────────────────────────

  get saving() {
    return this.#all.saving;
  }

  // ── inside ─────────────────────────────────────────────────────────────────────────────────────

  #known(by: string, id: string) {
    const message = `There is no destination ${id}.`;
    return found(this.#all.get(by, id), 'destination.unknown', message);
  }

  /** An owner's destinations that have the credentials. */
  #having(owner: string, credentialsId: string): readonly Destination[] {
    return this.#all.by('credentials', credentialsId).filter((each) => each.owner === owner);
  }

  #newId(given: string | undefined, by: string) {
    if (given !== undefined && this.#all.ofAnybody(given) !== undefined) {
      return fail('destination.exists', `There is a destination ${given}.`, '/id');
    }
    if (this.#all.count(by) < MOST_OF_EACH) return ok(undefined);
    const message = `There are ${MOST_OF_EACH} destinations, the most that there may be.`;
    return fail('destination.too-many', message);
  }

  /** What is given, by the rows of its type; secrets are stored of data of the same type alone. */
  #read(given: Given, by: string, old?: Destination) {
    const { name, type, enabled, credentials_id: credentials = '' } = effective(DESTINATION, given);
    const stored = old?.type === type ? old.data : undefined;
    return andThen(this.#credentials(type, credentials, by), () =>
      andThen(destinationData(type, given.data, credentials !== '', stored), (data) =>
        ok({ name, type, enabled, credentials, data }),
      ),
    );
  }

  #credentials(
    type: DestinationType,
    id: string,
    by: string,
  ): Result<undefined, 'destination.credentials'> {
    if (id === '') return ok(undefined);
    const known = this.#needs.credentials.typeOf(by, id);
    const wrong = (message: string) => fail('destination.credentials', message, '/credentials_id');
    if (known === undefined) return wrong(`There are no credentials ${id}.`);
    if (FITTING[type].includes(known)) return ok(undefined);
    const fitting = FITTING[type].join(' or ');
    return wrong(`Credentials of ${type} have to be ${fitting}; these are ${known}.`);
  }

  #change(destination: Destination, nowUs: number): void {
    this.#all.put(destination);
    this.#needs.delivery.changed(targetOf(destination), nowUs);
  }
}

const idOf = ({ id }: Destination): string => id;

function targetOf({ owner, id, type, enabled, data }: Destination): Target {
  const kind = kindOf(type);
  const texts = data as Readonly<Record<string, string | undefined>>;
  const place = texts[KINDS[kind].destination.place]!;
  const address = texts.topic === undefined ? place : `${place}/${texts.topic}`;
  return { owner, id, kind, address, enabled };
}

/** How a destination is reached, as its data and its credentials say. */
function routeOf({ type, data }: Destination, credentials: KnownCredentials | undefined): Route {
  return KINDS[kindOf(type)].destination.route(data as never, credentials);
}

function answerOf({ owner, id, credentials, data, ...rest }: Destination): DestinationAnswer {
  const { name, type, enabled } = rest;
  const response = redacted(DESTINATION_DATA[type], data);
  const headers = hasHeaders(type) ? { headers: redactedHeaders(headersIn(data)) } : {};
  return {
    id,
    owner_id: owner,
    name,
    type,
    enabled,
    credentials_id: credentials === '' ? null : credentials,
    data: { ...response, ...headers } as DestinationAnswer['data'],
  };
}

export const destinationResource = declareResource({
  name: 'destination',
  is: 'Destinations of data, version 2.',
  permission: 'SubscriberAdmin',
  failures: FAILURES,
  operations: OPERATIONS,
  make: (needs: DestinationNeeds) => {
    const destinations = new Destinations(needs);
    return Object.assign(destinations, destinations.saving);
  },
});
