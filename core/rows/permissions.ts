/**
 * Who may do what. An operation needs one permission: the object of its resource, and what its verb
 * does to it. This is decided here, once, before a command is logged or a query answered.
 */

/** What permissions are about. */
export const OBJECTS = [
  'Device',
  'Gateway',
  'User',
  'SubscriberAdmin',
  'NetworkOperator',
  'SysAdmin',
  /** The simulator itself: what no hardware has a command for. */
  'Simulator',
] as const;
export type PermissionObject = (typeof OBJECTS)[number];

export const ACTION_NAMES = ['Create', 'Read', 'Update', 'Delete'] as const;
export type Action = (typeof ACTION_NAMES)[number];

export type Permission = `${PermissionObject}.${Action}`;

/** Every permission there is. */
export const PERMISSIONS: readonly Permission[] = OBJECTS.flatMap((object) =>
  ACTION_NAMES.map((action) => `${object}.${action}` as const),
);

/**
 * What an operation does. `list` answers with what the caller has; `get`, `change` and `delete`
 * name one thing, which is unknown when it is another subscriber's; `own…` acts on the caller's
 * things only, and is never refused because another has some.
 */
export type Verb =
  | 'create'
  | 'list'
  | 'get'
  | 'change'
  | 'delete'
  | 'ownCreate'
  | 'ownChange'
  | 'ownDelete';

/** Whether an operation with this verb asks only: it changes nothing. */
export const isQuery = (verb: Verb): boolean => verb === 'list' || verb === 'get';

const ACTIONS = {
  create: 'Create',
  list: 'Read',
  get: 'Read',
  change: 'Update',
  delete: 'Delete',
  ownCreate: 'Create',
  ownChange: 'Update',
  ownDelete: 'Delete',
} as const satisfies Record<Verb, Action>;

/** The permission that an operation needs. */
export const permissionFor = (object: PermissionObject, verb: Verb): Permission =>
  `${object}.${ACTIONS[verb]}`;

/** Whether a caller is permitted; a caller without a list of permissions may do all. */
export const isPermitted = (
  permissions: readonly Permission[] | undefined,
  needed: Permission,
): boolean => permissions === undefined || permissions.includes(needed);
