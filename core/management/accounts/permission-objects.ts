/**
 * Permissions as device and gateway management reports them: an object a subject, with a flag an
 * action.
 */

import type { Of } from '../../../sim/base/rows/fields.ts';
import { record, responseField } from '../../rows/answers.ts';
import {
  ACTION_NAMES,
  type Action,
  OBJECTS,
  PERMISSIONS,
  type Permission,
  type PermissionObject,
} from '../../rows/permissions.ts';

const flag = (action: Action) =>
  responseField({ type: 'flag', is: `Whether it permits to ${WORDS[action]}.` });

const WORDS: Readonly<Record<Action, string>> = {
  Create: 'make',
  Read: 'look',
  Update: 'change',
  Delete: 'remove',
};

const actions = responseField({
  ...record({
    Create: flag('Create'),
    Read: flag('Read'),
    Update: flag('Update'),
    Delete: flag('Delete'),
  }),
  is: 'What of it is permitted.',
});

/** The six objects that are documented. */
export const DOCUMENTED_PERMISSIONS = {
  Device: actions,
  Gateway: actions,
  User: actions,
  SubscriberAdmin: actions,
  NetworkOperator: actions,
  SysAdmin: actions,
} as const;

/** With that of the simulator. */
export const ALL_PERMISSIONS = { ...DOCUMENTED_PERMISSIONS, Simulator: actions } as const;

type Response = Of<{ type: 'record'; fields: typeof ALL_PERMISSIONS }>;

/** A flag for every permission there is. */
export function objectsOf(permissions: readonly Permission[]): Response {
  const flags = (object: PermissionObject) =>
    Object.fromEntries(
      ACTION_NAMES.map((action) => [action, permissions.includes(`${object}.${action}`)]),
    );
  return Object.fromEntries(
    OBJECTS.map((object) => [object, flags(object)]),
  ) as unknown as Response;
}

/** The same without the simulator’s. */
export function documentedOf(permissions: readonly Permission[]): Omit<Response, 'Simulator'> {
  const { Simulator: _, ...documented } = objectsOf(permissions);
  return documented;
}

/** Those of both lists, in the order of all. */
export const commonOf = (
  one: readonly Permission[],
  other: readonly Permission[],
): readonly Permission[] =>
  PERMISSIONS.filter((each) => one.includes(each) && other.includes(each));
