/**
 * Roles: what users and applications may do. Some are everybody's; a plan gives a subscriber more
 * of its own.
 */
import { andThen, found, ok } from '../../../sim/base/result.ts';
import type { Of } from '../../../sim/base/rows/fields.ts';
import { MEDIUM_ID } from '../../base/ids.ts';
import {
  declareResource,
  handlers,
  type Operations,
  type Surroundings,
  WITHOUT_RECORDS,
} from '../../kit/resource.ts';
import { listOf, record, responseField } from '../../rows/answers.ts';
import { id } from '../../rows/fields.ts';
import { PERMISSIONS, type Permission, type PermissionObject } from '../../rows/permissions.ts';
import { ALL_PERMISSIONS, commonOf, objectsOf } from './permission-objects.ts';
import type { Subscriber, Subscribers } from './subscribers.ts';

const allOf = (object: PermissionObject): readonly Permission[] =>
  PERMISSIONS.filter((each) => each.startsWith(`${object}.`));

/** Names of roles that others name. */
export const ADMINISTRATOR = 'Administrator';
export const READ_ONLY = 'Read-only';

/** The roles that every subscriber has. */
export const ROLES: readonly RoleRow[] = [
  {
    name: ADMINISTRATOR,
    description: 'All that the subscriber may do.',
    permissions: PERMISSIONS,
  },
  {
    name: READ_ONLY,
    description: 'Looks at all, and changes nothing.',
    permissions: PERMISSIONS.filter(
      (each) => each.endsWith('.Read') && !each.startsWith('Simulator.'),
    ),
  },
  {
    name: 'Device operator',
    description: 'Devices, their groups, profiles and messages.',
    permissions: allOf('Device'),
  },
  {
    name: 'Gateway operator',
    description: 'Gateways and their groups; looks at devices.',
    permissions: ['Device.Read', ...allOf('Gateway')],
  },
  {
    name: 'Firmware operator',
    description: 'Firmware updates over the air; looks at gateways.',
    permissions: [...allOf('Device'), 'Gateway.Read'],
  },
];

interface RoleRow {
  readonly name: string;
  readonly description: string;
  readonly permissions: readonly Permission[];
}

/** A role as a subscriber has it. */
export interface Role extends RoleRow {
  readonly id: string;
}

const source = 'device and gateway management, application';

const ROLE = record({
  Id: responseField({ ...MEDIUM_ID, is: 'Its id.', source }),
  Name: responseField({ type: 'text', is: 'Its name.' }),
  Description: responseField({ type: 'text', least: 0, is: 'What it is for.' }),
  Permissions: responseField({
    ...record(ALL_PERMISSIONS),
    is: 'What it permits, as far as the subscriber may.',
  }),
});

const OPERATIONS = {
  'role.list': {
    verb: 'list',
    takes: {},
    answers: record({ Roles: responseField({ ...listOf(ROLE), is: 'All roles.' }) }),
    fails: [],
    is: 'The roles that applications may have.',
  },
  'role.get': {
    verb: 'get',
    takes: { Id: id('The role, by its id.') },
    answers: ROLE,
    fails: ['role.unknown'],
    is: 'One role.',
  },
} as const satisfies Operations;

/** What roles offer to other resources. */
export type Roles = ReturnType<(typeof roleResource)['make']>;

export const roleResource = declareResource({
  name: 'role',
  is: 'Roles: named sets of permissions.',
  permission: 'SubscriberAdmin',
  failures: { 'role.unknown': 'unknown' },
  operations: OPERATIONS,
  make: ({ world, subscriber }: Pick<Surroundings, 'world'> & { subscriber: Subscribers }) => {
    const created = new WeakMap<Subscriber, readonly Role[]>();

    /** All of a subscriber's; those of its own have ids that nobody else's have. */
    const rolesOf = (by: string): readonly Role[] => {
      const owner = subscriber.of(by);
      const known = created.get(owner);
      if (known !== undefined) return known;
      const roles: Role[] = [];
      const isTaken = (taken: string) => roles.some((each) => each.id === taken);
      for (const row of ROLES) {
        roles.push({ ...row, id: world.namedId('medium', 'role', row.name, isTaken) });
      }
      for (const { name, permissions } of owner.planned.roles ?? []) {
        const own = world.namedId('medium', 'role', `${by}/${name}`, isTaken);
        roles.push({ name, description: '', permissions, id: own });
      }
      created.set(owner, roles);
      return roles;
    };

    const find = (by: string, role: string) => rolesOf(by).find((each) => each.id === role);

    return {
      ...WITHOUT_RECORDS,
      handle: handlers(OPERATIONS, {
        'role.list': (_, { by }) =>
          ok({ Roles: rolesOf(by).map((each) => answerOf(each, subscriber.of(by))) }),
        'role.get': ({ Id }, { by }) =>
          andThen(found(find(by, Id), 'role.unknown', `No role is ${Id}.`), (role) =>
            ok(answerOf(role, subscriber.of(by))),
          ),
      }),

      isKnown: (by: string, role: string): boolean => find(by, role) !== undefined,

      /** The id of a role, by a name that it has. */
      idOf: (by: string, name: string): string =>
        rolesOf(by).find((each) => each.name === name)?.id ?? '',

      /** What somebody with these roles may do, as far as the subscriber may. */
      permissionsOf(by: string, roles: readonly string[]): readonly Permission[] {
        const all = new Set(roles.flatMap((each) => find(by, each)?.permissions ?? []));
        return commonOf(subscriber.of(by).permissions, [...all]);
      },
    };
  },
});

const answerOf = (
  { id: Id, name, description, permissions }: Role,
  { permissions: own }: Subscriber,
): Of<typeof ROLE> => ({
  Id,
  Name: name,
  Description: description,
  Permissions: objectsOf(commonOf(permissions, own)),
});
