/**
 * Upgrade delegation: a subscriber lets another one see some of its devices until an instant
 * (docs/operations.md, Upgrade delegation).
 *
 * The creator and the other party read a record; only its creator changes it. To anybody else it is
 * as unknown as one that never was.
 */
import { andThen, fail, found, ok } from '../../sim/base/result.ts';
import { UUID } from '../base/ids.ts';
import { formatInstant, instantOf } from '../base/instant.ts';
import { Store } from '../base/store.ts';
import { INSTANT, listOf, record, told } from '../kit/answers.ts';
import {
  body,
  changes,
  type Effective,
  effective,
  type Fields,
  type Input,
  type Of,
  uuid,
} from '../kit/fields.ts';
import {
  declareResource,
  done,
  handlers,
  type Operations,
  type Surroundings,
} from '../kit/resource.ts';
import type { NetworkView } from '../network-face.ts';
import { matching, PATTERN } from './versions.ts';

const source = 'firmware update service, upgrade delegation';
const list = { type: 'list', most: 10_000, source } as const;
const patterns = { ...list, of: PATTERN, failure: 'delegation.pattern' } as const;
const unused = { ...list, of: { type: 'text' }, default: [], is: 'Kept, without effect.' } as const;
const instant = { type: 'instant', failure: 'delegation.expires-at', source } as const;

const CHANGEABLE = {
  expires_at: {
    ...instant,
    required: true,
    null: 'absent',
    is: 'The last instant at which it holds.',
  },
  include_devices: {
    ...patterns,
    least: 1,
    required: true,
    is: 'Patterns of the DevEUIs that it covers.',
  },
  exclude_devices: {
    ...patterns,
    default: [],
    is: 'Patterns of those among them that it does not cover.',
  },
  include_gateways: unused,
  exclude_gateways: unused,
} as const satisfies Fields;

const DELEGATION = {
  delegate_to: {
    type: 'text',
    required: true,
    failure: 'delegation.delegate-to',
    is: 'The subscriber that is permitted, not oneself.',
    source,
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

const delegation_id = uuid('The delegation, by its id.');
const one = { delegation_id } as const;
const change = { ...one, delegation: changes(CHANGEABLE) } as const;

/** Field names of the firmware update service. */
const TOLD = record({
  delegation_id: told({ ...UUID, is: 'Its id.', source }),
  delegate_from: told({ type: 'text', is: 'The subscriber that created it.', source }),
  delegate_to: told({ ...DELEGATION.delegate_to, is: 'The subscriber that is permitted.' }),
  expires_at: told(CHANGEABLE.expires_at),
  include_devices: told(CHANGEABLE.include_devices),
  exclude_devices: told(CHANGEABLE.exclude_devices),
  include_gateways: told(CHANGEABLE.include_gateways),
  exclude_gateways: told(CHANGEABLE.exclude_gateways),
  created_at: told({ ...INSTANT, is: 'When it was created.', source }),
});

const BOTH_WAYS = record({
  delegated_to: told({ ...listOf(TOLD), is: 'Records that one created.', source }),
  delegated_from: told({ ...listOf(TOLD), is: 'Records that name one.', source }),
});

const OPERATIONS = {
  'delegation.create': {
    verb: 'create',
    takes: { delegation: body(DELEGATION) },
    answers: TOLD,
    fails: ['delegation.delegate-to', 'delegation.expires-at'],
    is: 'Permits another subscriber to see some of one’s devices.',
  },
  'delegation.list': {
    verb: 'list',
    takes: {},
    answers: BOTH_WAYS,
    fails: [],
    is: 'Records that one created or that name one.',
  },
  'delegation.get': {
    verb: 'get',
    takes: one,
    answers: TOLD,
    fails: ['delegation.unknown'],
    is: 'A record, for its two parties.',
  },
  'delegation.update': {
    verb: 'change',
    takes: change,
    answers: TOLD,
    fails: ['delegation.unknown', 'delegation.not-creator'],
    is: 'Changes what is given of a record; the rest stays.',
  },
  'delegation.delete': {
    verb: 'delete',
    takes: one,
    answers: null,
    fails: ['delegation.unknown', 'delegation.not-creator'],
    is: 'Ends a delegation.',
  },
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
    const delegations = new Store('delegations', ({ id }: Delegation) => id, FOUND_BY);

    /** A record of which the asker is a party. */
    const known = (id: string, by: string) => {
      const record = delegations.ofAnybody(id);
      const isParty = record?.owner === by || record?.delegate_to === by;
      return found(isParty ? record : undefined, 'delegation.unknown', `No delegation is ${id}.`);
    };

    /** A record that the asker may change. */
    const own = (id: string, by: string) =>
      andThen(known(id, by), (record) => {
        const message = `The delegation ${id} was created by ${record.owner}.`;
        return record.owner === by ? ok(record) : fail('delegation.not-creator', message);
      });

    const keep = (delegation: Delegation, view: NetworkView) => {
      delegations.put(delegation);
      return ok(answerOf(delegation, view));
    };

    return {
      ...delegations.saving,
      handle: handlers(OPERATIONS, {
        'delegation.create': ({ delegation }, { by, nowUs, view }) => {
          const { delegate_to, expires_at } = delegation;
          if (delegate_to === by) {
            return fail('delegation.delegate-to', 'Nobody delegates to oneself.', '/delegate_to');
          }
          if (instantOf(expires_at) <= view.unixMs(nowUs)) {
            return fail('delegation.expires-at', `${expires_at} is in the past.`, '/expires_at');
          }
          const fields = effective(DELEGATION, delegation);
          return keep({ ...fields, owner: by, id: ids.uuid(), createdAtUs: nowUs }, view);
        },
        'delegation.list': (_, { by, view }) =>
          ok({
            delegated_to: delegations.list(by).map((each) => answerOf(each, view)),
            delegated_from: delegations.by('delegatedTo', by).map((each) => answerOf(each, view)),
          }),
        'delegation.get': ({ delegation_id }, { by, view }) =>
          andThen(known(delegation_id, by), (record) => ok(answerOf(record, view))),
        'delegation.update': ({ delegation_id, delegation }, { by, view }) =>
          andThen(own(delegation_id, by), (old) => keep({ ...old, ...delegation }, view)),
        'delegation.delete': ({ delegation_id }, { by }) =>
          andThen(own(delegation_id, by), () => done(delegations.remove(by, delegation_id))),
      }),

      /** Which devices one subscriber delegates to another at an instant. */
      between(from: string, to: string, unixMs: number): (devEui: string) => boolean {
        const valid = delegations
          .by('parties', partiesOf(from, to))
          .filter((each) => unixMs <= instantOf(each.expires_at));
        type Patterns = 'include_devices' | 'exclude_devices';
        const having = (patterns: Patterns) =>
          matching(valid.flatMap((each) => each[patterns].map((one) => [one, each] as const)));
        const [including, excluding] = [having('include_devices'), having('exclude_devices')];
        // Exclusion comes before inclusion.
        return (devEui) => {
          const excluded = new Set(excluding(devEui));
          return including(devEui).some((each) => !excluded.has(each));
        };
      },
    };
  },
});

/** What records are found by, beside their id. */
const FOUND_BY = {
  delegatedTo: ({ delegate_to }: Delegation) => [delegate_to],
  parties: ({ owner, delegate_to }: Delegation) => [partiesOf(owner, delegate_to)],
};

/** No id of a subscriber has a control character. */
const partiesOf = (from: string, to: string): string => `${from}\n${to}`;

function answerOf(
  { owner, id, createdAtUs, ...fields }: Delegation,
  view: NetworkView,
): Of<typeof TOLD> {
  return {
    delegation_id: id,
    delegate_from: owner,
    ...fields,
    expires_at: formatInstant(instantOf(fields.expires_at)),
    created_at: formatInstant(view.unixMs(createdAtUs)),
  };
}
