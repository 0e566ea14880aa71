/**
 * Subscribers: who shares the network. A plan names those of the start; the simulator makes others
 * (docs/decisions/0052).
 */

import { fail, ok } from '../../../sim/base/result.ts';
import type { Fields } from '../../../sim/base/rows/fields.ts';
import { Store } from '../../base/store.ts';
import type { Asking, PlannedSubscriber } from '../../base/subscribers.ts';
import type { WholeWorld } from '../../base/whole-world.ts';
import {
  declareResource,
  handlers,
  type Operations,
  type Surroundings,
} from '../../kit/resource.ts';
import { record } from '../../rows/answers.ts';
import { body } from '../../rows/fields.ts';
import { PERMISSIONS, type Permission } from '../../rows/permissions.ts';
import { PERMITTED, VERIFIER } from './secret-fields.ts';

/** Most subscribers of a world. */
export const MOST_SUBSCRIBERS = 10_000;

/** Permissions of subscribers other than the first, unless set otherwise. */
const USUAL_PERMISSIONS: readonly Permission[] = PERMISSIONS.filter(
  (each) => !each.startsWith('Simulator.'),
);

/** A subscriber, whether it is planned, was made, or does no more than ask. */
export interface Subscriber {
  readonly id: string;
  readonly name: string;
  /** What its users and applications may do at the most. */
  readonly permissions: readonly Permission[];
  /** Its place among all, from 0; −1: no plan and nobody made it. */
  readonly ordinal: number;
  /** What a plan says of it; a bare id when none does. */
  readonly planned: PlannedSubscriber;
  /** What its first secrets are verified by; '': the host has them. */
  readonly secretVerifier: string;
  readonly passwordVerifier: string;
}

/** One that was made since the start. */
export interface AddedSubscriber {
  /** Its own id. */
  readonly owner: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly ordinal: number;
  readonly secretVerifier: string;
  readonly passwordVerifier: string;
}

const permission = { type: 'choice', words: PERMISSIONS } as const;
const permissions = { type: 'list', of: permission, most: PERMISSIONS.length } as const;

/** What is given for a new one. */
export const NEW_SUBSCRIBER = {
  name: { type: 'text', failure: 'subscriber.name', is: 'Its name; its id when absent.' },
  permissions: {
    ...permissions,
    distinct: true,
    failure: 'subscriber.permissions',
    is: 'What its applications and its user may do; all but `Simulator` when absent.',
  },
} as const satisfies Fields;

/** Response with one. */
export const SUBSCRIBER = {
  id: { type: 'text', required: true, is: 'The subscriber.' },
  name: { type: 'text', required: true, is: 'Its name.' },
  client_id: {
    type: 'text',
    least: 0,
    required: true,
    is: 'Its first application, in the form of a UUID; empty once that is deleted.',
  },
  username: { type: 'text', required: true, is: 'Its user.' },
  permissions: { ...permissions, required: true, is: 'What application and user may do.' },
} as const satisfies Fields;

const OPERATIONS = {
  'subscriber.create': {
    verb: 'create',
    takes: {
      subscriber: body(NEW_SUBSCRIBER),
      id: {
        type: 'text',
        pattern: /^[\w-]+$/,
        allowed: 'letters, digits, - and _',
        most: 64,
        failure: 'subscriber.id',
        only: 'scenario',
        is: 'Its id.',
      },
      permitted: PERMITTED,
      secretVerifier: { ...VERIFIER, is: 'What the secret of its application is verified by.' },
      passwordVerifier: { ...VERIFIER, is: 'What the password of its user is verified by.' },
    },
    answers: record(SUBSCRIBER),
    fails: ['subscriber.forbidden', 'subscriber.exists', 'subscriber.full'],
    is: 'Makes a subscriber with an application and a user.',
  },
} as const satisfies Operations;

/** What subscribers offer to other resources. */
export type Subscribers = ReturnType<(typeof subscriberResource)['make']>;

/** Resources that are made of this one; their types would go round in a circle. */
export interface SubscriberNeeds extends Pick<Surroundings, 'world'> {
  readonly account: {
    permissionsOf(asking: Pick<Asking, 'by' | 'as'>): readonly Permission[];
    usernameOf(subscriber: string): string;
  };
  readonly application: { clientIdOf(subscriber: string): string };
}

export const subscriberResource = declareResource({
  name: 'subscriber',
  is: 'Subscribers and their credentials.',
  permission: 'Simulator',
  failures: {
    'subscriber.name': 'malformed',
    'subscriber.permissions': 'malformed',
    'subscriber.id': 'malformed',
    'subscriber.verifier': 'malformed',
    'subscriber.forbidden': 'forbidden',
    'subscriber.exists': 'conflict',
    'subscriber.full': 'full',
  },
  operations: OPERATIONS,
  make: (needs: SubscriberNeeds) => {
    const known = new KnownSubscribers(needs.world);

    /** In the simulator's form. */
    const answerOf = ({ id, name, permissions: own }: Subscriber) => ({
      id,
      name,
      client_id: needs.application.clientIdOf(id),
      username: needs.account.usernameOf(id),
      permissions: own,
    });

    return {
      ...known.saving,
      handle: handlers(OPERATIONS, {
        'subscriber.create': (given, asking) => {
          const { subscriber, permitted = PERMISSIONS } = given;
          const { permissions: own = USUAL_PERMISSIONS } = subscriber;
          const held = needs.account.permissionsOf(asking);
          const lacks = own.find((each) => !held.includes(each) || !permitted.includes(each));
          if (lacks !== undefined) {
            const message = `Nobody gives the permission ${lacks} who does not have it.`;
            return fail('subscriber.forbidden', message, '/permissions');
          }
          const ordinal = known.all.length;
          if (ordinal >= MOST_SUBSCRIBERS) {
            return fail('subscriber.full', `There are ${ordinal} subscribers, the most.`);
          }
          const id = given.id ?? known.nextId();
          if (known.find(id) !== undefined) {
            return fail('subscriber.exists', `There is a subscriber ${id}.`, '/id');
          }
          const { secretVerifier = '', passwordVerifier = '' } = given;
          const { name = id } = subscriber;
          known.add({
            owner: id,
            name,
            permissions: own,
            ordinal,
            secretVerifier,
            passwordVerifier,
          });
          return ok(answerOf(known.of(id)));
        },
      }),

      /** In the order in which they came; the list grows; another one is there after loading. */
      get all(): readonly Subscriber[] {
        return known.all;
      },

      /** Any subscriber; an unknown one is treated as one of the plan. */
      of: (id: string): Subscriber => known.of(id),

      /** Whether it is of the plan, or was made. */
      isKnown: (id: string): boolean => known.find(id) !== undefined,

      /** The id that the next one has unless it is given another. */
      nextId: (): string => known.nextId(),

      answerOf,
    };
  },
});

/** Subscribers in their order; what derives from plan and records is made once. */
class KnownSubscribers {
  readonly #world: WholeWorld;
  readonly #created = new Store<AddedSubscriber>(
    'subscribers',
    ({ owner }) => owner,
    {},
    (created) => ({
      ...created,
      secretVerifier: '',
      passwordVerifier: '',
    }),
  );
  /** What the others derive from. */
  #planned: readonly PlannedSubscriber[] | undefined;
  #all: Subscriber[] = [];
  #byId = new Map<string, Subscriber>();

  constructor(world: WholeWorld) {
    this.#world = world;
  }

  get saving() {
    const { fold, save, load } = this.#created.saving;
    return {
      fold,
      save,
      load: (saved: readonly AddedSubscriber[]) => {
        load(saved);
        this.#planned = undefined;
      },
    };
  }

  get all(): readonly Subscriber[] {
    const { subscribers } = this.#world;
    if (this.#planned !== subscribers) {
      this.#planned = subscribers;
      this.#all = [];
      this.#byId = new Map();
      for (const [ordinal, planned] of subscribers.entries())
        this.#note(plannedAs(planned, ordinal));
      const created = [...this.#created.all()].sort((a, b) => a.ordinal - b.ordinal);
      for (const each of created) this.#note(createdAs(each));
    }
    return this.#all;
  }

  find(id: string): Subscriber | undefined {
    return this.all.length === 0 ? undefined : this.#byId.get(id);
  }

  of(id: string): Subscriber {
    return this.find(id) ?? plannedAs({ id }, -1);
  }

  nextId(): string {
    const isTaken = (id: string) => this.find(id) !== undefined;
    return this.#world.namedId('uuid', 'subscriber', String(this.all.length), isTaken);
  }

  add(created: AddedSubscriber): void {
    this.#created.put(created);
    this.#note(createdAs(created));
  }

  #note(subscriber: Subscriber): void {
    this.#all.push(subscriber);
    this.#byId.set(subscriber.id, subscriber);
  }
}

const plannedAs = (planned: PlannedSubscriber, ordinal: number): Subscriber => ({
  id: planned.id,
  name: planned.name ?? planned.id,
  // The first one may simulate: it runs the simulator.
  permissions: ordinal === 0 ? PERMISSIONS : USUAL_PERMISSIONS,
  ordinal,
  planned,
  secretVerifier: '',
  passwordVerifier: '',
});

const createdAs = ({ owner: id, ...created }: AddedSubscriber): Subscriber => ({
  id,
  ...created,
  planned: { id },
});
