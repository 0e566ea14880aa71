/**
 * Applications: programs that ask for tokens, each with a client id and a secret of its own
 * (docs/decisions/0052). Each subscriber has one from the start, which may do all that it may.
 */
import { andThen, fail, found, ok } from '../../../sim/base/result.ts';
import type { Fields, Of } from '../../../sim/base/rows/fields.ts';
import { MEDIUM_ID, MEDIUM_ID_GIVEN, UUID } from '../../base/ids.ts';
import type { Asking } from '../../base/subscribers.ts';
import {
  declareResource,
  handlers,
  type Operations,
  type Surroundings,
} from '../../kit/resource.ts';
import { listOf, record, responseField } from '../../rows/answers.ts';
import { body, changes, id } from '../../rows/fields.ts';
import { PERMISSIONS, type Permission } from '../../rows/permissions.ts';
import { RESPONSE, responded } from '../response.ts';
import { type Application, ApplicationRecords } from './application-records.ts';
import type { Principal } from './principal.ts';
import { READ_ONLY, type Roles } from './roles.ts';
import { PERMITTED, VERIFIER } from './secret-fields.ts';
import type { Subscribers } from './subscribers.ts';

const source = 'device and gateway management, application';

/** What is given for one. */
export const APPLICATION = {
  Name: {
    type: 'text',
    required: true,
    failure: 'application.name',
    is: 'Its name.',
    source,
  },
  Roles: {
    type: 'list',
    of: { type: 'text', least: 0 },
    most: 100,
    distinct: true,
    null: 'absent',
    failure: 'application.roles',
    is: 'Ids of roles; the read-only one when absent.',
    source,
  },
} as const satisfies Fields;

const NAMES = {
  Id: responseField({ ...MEDIUM_ID, is: 'Its id.', source }),
  Name: responseField(APPLICATION.Name),
  UUID: responseField({ ...UUID, is: 'Its client id, which never changes.', source }),
} as const;

/** What its creation answers, but for the secret. */
export const CREATED = record(NAMES);

const RESPONSE_FIELDS = record({
  ...NAMES,
  Roles: responseField({ ...APPLICATION.Roles, is: 'Ids of its roles.' }),
  SubscriberId: responseField({ type: 'text', is: 'Whose it is.', source }),
});

export const APPLICATION_ID = id('The application, by its id.');
const one = { Id: APPLICATION_ID } as const;
const GIVING = ['application.unknown-role', 'application.forbidden'] as const;

const OPERATIONS = {
  'application.create': {
    verb: 'create',
    takes: {
      application: body(APPLICATION),
      id: MEDIUM_ID_GIVEN,
      permitted: PERMITTED,
      verifier: { ...VERIFIER, failure: 'application.verifier' },
    },
    answers: CREATED,
    fails: [...GIVING, 'application.exists', 'application.full'],
    is: 'Makes an application.',
  },
  'application.list': {
    verb: 'list',
    takes: {},
    answers: record({
      Applications: responseField({
        ...listOf(RESPONSE_FIELDS),
        is: 'All of one’s, in the order of their ids.',
      }),
    }),
    fails: [],
    is: 'One’s applications.',
  },
  'application.get': {
    verb: 'get',
    takes: one,
    answers: RESPONSE_FIELDS,
    fails: ['application.unknown'],
    is: 'One application.',
  },
  'application.replace': {
    verb: 'change',
    takes: { ...one, application: body(APPLICATION), permitted: PERMITTED },
    answers: RESPONSE,
    fails: ['application.unknown', ...GIVING],
    is: 'Replaces name and roles; without roles it has the read-only one.',
  },
  'application.update': {
    verb: 'change',
    takes: { ...one, application: changes(APPLICATION), permitted: PERMITTED },
    answers: RESPONSE,
    fails: ['application.unknown', ...GIVING],
    is: 'Changes what is given of it; the rest stays.',
  },
  'application.delete': {
    verb: 'delete',
    takes: one,
    answers: RESPONSE,
    fails: ['application.unknown'],
    is: 'Deletes it for good; its tokens are void.',
  },
  'application.refreshToken': {
    verb: 'change',
    takes: {
      ...one,
      permitted: PERMITTED,
      verifier: { ...VERIFIER, required: true, failure: 'application.verifier' },
    },
    answers: RESPONSE,
    fails: ['application.unknown', 'application.forbidden'],
    is: 'Gives it another secret; the old one and its tokens are void.',
  },
} as const satisfies Operations;

/** What applications offer to other resources. */
export type Applications = ReturnType<(typeof applicationResource)['make']>;

export interface ApplicationNeeds extends Pick<Surroundings, 'ids' | 'world'> {
  readonly subscriber: Subscribers;
  readonly role: Roles;
  /** It is made of this resource; its type would go round in a circle. */
  readonly account: {
    permissionsOf(asking: Pick<Asking, 'by' | 'as'>): readonly Permission[];
  };
}

export const applicationResource = declareResource({
  name: 'application',
  is: 'Applications: clients with an id and a secret.',
  permission: 'SubscriberAdmin',
  failures: {
    'application.name': 'malformed',
    'application.roles': 'malformed',
    'application.verifier': 'malformed',
    'application.unknown-role': 'malformed',
    'application.unknown': 'unknown',
    'application.exists': 'conflict',
    'application.forbidden': 'forbidden',
    'application.full': 'full',
  },
  operations: OPERATIONS,
  make: (needs: ApplicationNeeds) => {
    const { role } = needs;
    const records = new ApplicationRecords(needs);
    const rights = rightsOf(needs);
    const principalOf = principalsOf(role);

    const known = (by: string, which: string) =>
      found(records.get(by, which), 'application.unknown', `No application is ${which}.`);

    const usualRoles = (by: string) => [role.idOf(by, READ_ONLY)];

    const changed = (
      old: Application,
      to: { readonly Name?: string; readonly Roles?: readonly string[] },
      asking: Asking,
      permitted: readonly Permission[] | undefined,
    ) => {
      const { Name = old.name, Roles = old.roles } = to;
      const mayGive = rights.give(Roles, old.roles, asking, permitted);
      return andThen(mayGive, () => responded(records.put({ ...old, name: Name, roles: Roles })));
    };

    return {
      ...records.saving,
      handle: handlers(OPERATIONS, {
        'application.create': (asked, asking) => {
          const { by } = asking;
          const { application, permitted, verifier = '' } = asked;
          const { Name, Roles = usualRoles(by) } = application;
          const mayGive = rights.give(Roles, [], asking, permitted);
          if (!mayGive.ok) return mayGive;
          const created = records.add({ owner: by, name: Name, roles: Roles, verifier }, asked.id);
          return andThen(created, ({ id: Id, uuid: UUID }) => ok({ Id, Name, UUID }));
        },
        'application.list': (_, { by }) => ok({ Applications: records.list(by).map(answerOf) }),
        'application.get': ({ Id }, { by }) => andThen(known(by, Id), (each) => ok(answerOf(each))),
        'application.replace': ({ Id, application, permitted }, asking) =>
          andThen(known(asking.by, Id), (old) => {
            const whole = { Roles: usualRoles(asking.by), ...application };
            return changed(old, whole, asking, permitted);
          }),
        'application.update': ({ Id, application, permitted }, asking) =>
          andThen(known(asking.by, Id), (old) => changed(old, application, asking, permitted)),
        'application.delete': ({ Id }, { by }) =>
          andThen(known(by, Id), (old) => responded(records.remove(old))),
        'application.refreshToken': ({ Id, permitted, verifier }, asking) =>
          andThen(known(asking.by, Id), (old) => {
            const mayLearn = rights.learn(old, asking, permitted);
            const secretsBefore = old.secretsBefore + 1;
            const next = { ...old, verifier, secretsBefore };
            return andThen(mayLearn, () => responded(records.put(next)));
          }),
      }),

      /** Undefined: it is none of theirs. */
      get: (by: string, which: string): Application | undefined => records.get(by, which),

      /** All of a subscriber's. */
      list: (by: string): readonly Application[] => records.list(by),

      /** The client id of its first application; '' once it is deleted. */
      clientIdOf: (by: string): string => records.first(by)?.uuid ?? '',

      /** The application with this client id, and its permissions. */
      client(uuid: string): Principal | undefined {
        const application = records.byUuid(uuid);
        return application && principalOf(application);
      },
    };
  },
});

/** Callers may grant roles, and see secrets, only with permissions that they have themselves. */
function rightsOf(needs: ApplicationNeeds) {
  const { role } = needs;

  /** What of some permissions the caller lacks, by his roles or by his token. */
  const lackedBy = (asking: Asking, permitted: readonly Permission[] = PERMISSIONS) => {
    const held = needs.account.permissionsOf(asking);
    return (wanted: readonly Permission[]): Permission | undefined =>
      wanted.find((each) => !held.includes(each) || !permitted.includes(each));
  };

  return {
    /** Roles that are known; who has one already is given nothing by it. */
    give(
      roles: readonly string[],
      had: readonly string[],
      asking: Asking,
      permitted: readonly Permission[] | undefined,
    ) {
      const lacked = lackedBy(asking, permitted);
      for (const [i, each] of roles.entries()) {
        if (had.includes(each)) continue;
        const at = `/Roles/${i}`;
        if (!role.isKnown(asking.by, each)) {
          return fail('application.unknown-role', `No role is ${each}.`, at);
        }
        const lacks = lacked(role.permissionsOf(asking.by, [each]));
        if (lacks === undefined) continue;
        const message = `Nobody gives the permission ${lacks} who does not have it.`;
        return fail('application.forbidden', message, at);
      }
      return ok(roles);
    },

    /** A caller with its secret has its permissions. */
    learn({ roles }: Application, asking: Asking, permitted: readonly Permission[] | undefined) {
      const lacks = lackedBy(asking, permitted)(role.permissionsOf(asking.by, roles));
      if (lacks === undefined) return ok(undefined);
      const message = `It has the permission ${lacks}, which who asks does not have.`;
      return fail('application.forbidden', message);
    },
  };
}

/** An application as anyone who shows its token; another one once it has changed. */
function principalsOf(role: Roles) {
  const principals = new WeakMap<Application, Principal>();
  return (application: Application): Principal => {
    const known = principals.get(application);
    if (known !== undefined) return known;
    const { owner, id: own, uuid, name, roles, verifier } = application;
    const principal: Principal = {
      kind: 'application',
      subscriber: owner,
      id: own,
      name: uuid,
      title: name,
      permissions: role.permissionsOf(owner, roles),
      verifiers: verifier === '' ? [] : [{ salt: '', verifier }],
    };
    principals.set(application, principal);
    return principal;
  };
}

const answerOf = ({
  owner,
  id: Id,
  name,
  uuid,
  roles,
}: Application): Of<typeof RESPONSE_FIELDS> => ({
  Id,
  Name: name,
  UUID: uuid,
  Roles: roles,
  SubscriberId: owner,
});
