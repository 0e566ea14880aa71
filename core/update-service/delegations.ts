/**
 * Upgrade delegation: a subscriber lets another one see some of its devices until an instant
 * (docs/operations.md, Upgrade delegation).
 *
 * The creator and the other party read a record; only its creator changes it. To anybody else it is
 * as unknown as one that never was.
 */
import { fail, ok } from '../../sim/base/result.ts';
import {
  body,
  changes,
  type Effective,
  effective,
  type Fields,
  type Input,
  id,
  type Kind,
} from '../kit/fields.ts';
import { formatInstant, instantOf } from '../kit/instant.ts';
import { declareResource, handlers, type Operations, type Surroundings } from '../kit/resource.ts';
import { Store } from '../kit/store.ts';
import type { NetworkView } from '../network-face.ts';
import { matchesPattern } from './versions.ts';

const PATTERNS = {
  type: 'list',
  of: {
    type: 'text',
    upper: true,
    rule: (pattern) => /^[0-9A-Fa-f.]{16}$/.test(pattern),
    allowed: '16 hexadecimal digits, . for any digit',
    failure: 'delegation.pattern',
  },
  most: 10_000,
} as const satisfies Kind;

const GATEWAYS = { type: 'list', of: { type: 'text' }, most: 10_000, default: [] } as const;

const CHANGEABLE = {
  expires_at: {
    type: 'instant',
    required: true,
    null: 'absent',
    failure: 'delegation.expires-at',
    is: 'Until when it holds.',
  },
  include_devices: { ...PATTERNS, required: true, is: 'Patterns of the DevEUIs that it covers.' },
  exclude_devices: { ...PATTERNS, default: [], is: 'Patterns of those that it does not.' },
  include_gateways: { ...GATEWAYS, is: 'Kept and shown, without effect.' },
  exclude_gateways: { ...GATEWAYS, is: 'Kept and shown, without effect.' },
} as const satisfies Fields;

const DELEGATION = {
  delegate_to: {
    type: 'text',
    required: true,
    failure: 'delegation.delegate-to',
    is: 'The subscriber that is permitted.',
  },
  ...CHANGEABLE,
} as const satisfies Fields;

export type DelegationInput = Input<typeof DELEGATION>;
/** What a change gives; the rest stays. */
export type DelegationChange = Partial<Input<typeof CHANGEABLE>>;

/** `owner` created it, and the devices are its. */
export interface Delegation extends Effective<typeof DELEGATION> {
  readonly owner: string;
  readonly id: string;
  readonly createdAtUs: number;
}

const delegation_id = id('The delegation.');

const OPERATIONS = {
  'delegation.create': {
    verb: 'create',
    takes: { delegation: body(DELEGATION) },
    is: 'Lets another subscriber see devices.',
  },
  'delegation.list': { verb: 'list', takes: {}, is: 'Records that one created or that name one.' },
  'delegation.get': { verb: 'get', takes: { delegation_id }, is: 'One record.' },
  'delegation.update': {
    verb: 'change',
    takes: { delegation_id, delegation: changes(CHANGEABLE) },
    is: 'Changes what is given.',
  },
  'delegation.delete': { verb: 'delete', takes: { delegation_id }, is: 'Ends a delegation.' },
} as const satisfies Operations;

export const delegationResource = declareResource({
  name: 'delegation',
  permission: 'Device',
  failures: {
    'delegation.delegate-to': 'malformed',
    'delegation.expires-at': 'malformed',
    'delegation.pattern': 'malformed',
    'delegation.unknown': 'unknown',
    'delegation.not-creator': 'forbidden',
  },
  operations: OPERATIONS,
  make: ({ ids }: Pick<Surroundings, 'ids'>) => {
    const delegations = new Store<Delegation>('delegations', ({ id }) => id);
    const naming = (subscriber: string) =>
      delegations.all().filter(({ delegate_to }) => delegate_to === subscriber);

    /** A record of which the asker is a party; ids in any case. */
    const known = (given: string, by: string) => {
      const id = given.toLowerCase();
      const found = delegations.get(by, id) ?? naming(by).find((each) => each.id === id);
      if (found !== undefined) return ok(found);
      return fail('delegation.unknown', `There is no delegation ${given}.`);
    };

    /** A record that the asker may change. */
    const own = (id: string, by: string) => {
      const found = known(id, by);
      if (!found.ok || found.value.owner === by) return found;
      const message = `The delegation ${id} was created by ${found.value.owner}.`;
      return fail('delegation.not-creator', message);
    };

    const keep = (delegation: Delegation, view: NetworkView) => {
      delegations.put(delegation);
      return ok(answerOf(delegation, view));
    };

    return {
      ...delegations.saving,
      handle: handlers(OPERATIONS, {
        'delegation.create': ({ delegation }, { by, nowUs, view }) => {
          const fields = effective(DELEGATION, delegation);
          return keep({ ...fields, owner: by, id: ids.uuid(), createdAtUs: nowUs }, view);
        },
        'delegation.list': (_, { by, view }) =>
          ok({
            delegated_to: delegations.list(by).map((each) => answerOf(each, view)),
            delegated_from: naming(by).map((each) => answerOf(each, view)),
          }),
        'delegation.get': ({ delegation_id }, { by, view }) => {
          const found = known(delegation_id, by);
          return found.ok ? ok(answerOf(found.value, view)) : found;
        },
        'delegation.update': ({ delegation_id, delegation }, { by, view }) => {
          const old = own(delegation_id, by);
          return old.ok ? keep({ ...old.value, ...delegation }, view) : old;
        },
        'delegation.delete': ({ delegation_id }, { by }) => {
          const old = own(delegation_id, by);
          if (old.ok) delegations.remove(by, old.value.id);
          return old.ok ? ok(undefined) : old;
        },
      }),

      /** Which devices one subscriber delegates to another at an instant; undefined: none. */
      between(from: string, to: string, unixMs: number): ((devEui: string) => boolean) | undefined {
        const valid = delegations
          .list(from)
          .filter((each) => each.delegate_to === to && unixMs <= instantOf(each.expires_at));
        if (valid.length === 0) return undefined;
        return (devEui) => {
          const isOf = (pattern: string) => matchesPattern(pattern, devEui);
          // Exclusion comes before inclusion.
          return valid.some(
            ({ include_devices, exclude_devices }) =>
              include_devices.some(isOf) && !exclude_devices.some(isOf),
          );
        };
      },
    };
  },
});

function answerOf({ owner, id, createdAtUs, ...fields }: Delegation, view: NetworkView) {
  return {
    delegation_id: id,
    delegate_from: owner,
    ...fields,
    expires_at: formatInstant(instantOf(fields.expires_at)),
    created_at: formatInstant(view.unixMs(createdAtUs)),
  };
}
