/**
 * Upgrade delegation: a subscriber lets another one update some of its devices until an instant
 * (docs/operations.md, Upgrade delegation; docs/decisions/0050).
 *
 * The creator and the other party read a record; only its creator changes it. To anybody else it is
 * as unknown as one that never was. What a record covered before it was changed or deleted is
 * stored: who was permitted once receives the failure that the delegation has ended, not that the
 * device is unknown.
 */
import { andThen, fail, found, ok } from '../../sim/base/result.ts';
import { effective, type Given, type Of } from '../../sim/base/rows/fields.ts';
import type { NetworkView } from '../../sim/contract/view.ts';
import type { Fold } from '../base/fold.ts';
import { UUID, UUID_GIVEN } from '../base/ids.ts';
import { formatInstant, instantOf } from '../base/instant.ts';
import type { Asking } from '../base/subscribers.ts';
import {
  declareResource,
  done,
  handlers,
  type Operations,
  type Surroundings,
} from '../kit/resource.ts';
import type { Subscribers } from '../management/accounts/subscribers.ts';
import { INSTANT, listOf, record, responseField } from '../rows/answers.ts';
import { body, changes, uuid } from '../rows/fields.ts';
import { CHANGEABLE, DELEGATION, source } from './delegation-fields.ts';
import { type Delegation, DelegationRecords, type SavedDelegations } from './delegation-records.ts';
import { standingsOf } from './delegation-standing.ts';

const delegation_id = uuid('The delegation, by its id.');
const one = { delegation_id } as const;
const change = { ...one, delegation: changes(CHANGEABLE) } as const;

/** Field names of the firmware update service. */
const RESPONSE = record({
  delegation_id: responseField({ ...UUID, is: 'Its id.', source }),
  delegate_from: responseField({ type: 'text', is: 'The subscriber that created it.', source }),
  delegate_to: responseField({
    ...DELEGATION.delegate_to,
    is: 'The subscriber that is permitted.',
  }),
  expires_at: responseField(CHANGEABLE.expires_at),
  include_devices: responseField(CHANGEABLE.include_devices),
  exclude_devices: responseField(CHANGEABLE.exclude_devices),
  include_gateways: responseField(CHANGEABLE.include_gateways),
  exclude_gateways: responseField(CHANGEABLE.exclude_gateways),
  created_at: responseField({ ...INSTANT, is: 'When it was created.', source }),
});

const BOTH_WAYS = record({
  delegated_to: responseField({ ...listOf(RESPONSE), is: 'Records that one created.', source }),
  delegated_from: responseField({ ...listOf(RESPONSE), is: 'Records that name one.', source }),
});

const OPERATIONS = {
  'delegation.create': {
    verb: 'create',
    takes: { delegation: body(DELEGATION), id: UUID_GIVEN },
    answers: RESPONSE,
    fails: ['delegation.exists', 'delegation.delegate-to', 'delegation.expires-at'],
    is: 'Permits another subscriber to see versions of some of one’s devices, and to update them.',
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
    answers: RESPONSE,
    fails: ['delegation.unknown'],
    is: 'A record, for its two parties.',
  },
  'delegation.update': {
    verb: 'change',
    takes: change,
    answers: RESPONSE,
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

export interface DelegationNeeds extends Pick<Surroundings, 'ids' | 'viewOf' | 'world'> {
  readonly subscriber: Subscribers;
}

export const delegationResource = declareResource({
  name: 'delegation',
  is: 'Rights to update devices of another subscriber.',
  permission: 'Device',
  failures: {
    'delegation.delegate-to': 'malformed',
    'delegation.expires-at': 'malformed',
    'delegation.pattern': 'malformed',
    'delegation.unknown': 'unknown',
    'delegation.exists': 'conflict',
    'delegation.not-creator': 'forbidden',
    'delegation.ended': 'forbidden',
  },
  operations: OPERATIONS,
  make: ({ ids, viewOf, world, subscriber }: DelegationNeeds) => {
    const records = new DelegationRecords();

    const isTaken = (id: string) => records.ofAnybody(id) !== undefined;

    /** A record with the caller as a party. */
    const known = (id: string, by: string) => {
      const record = records.ofAnybody(id);
      const isParty = record?.owner === by || record?.delegate_to === by;
      return found(isParty ? record : undefined, 'delegation.unknown', `No delegation is ${id}.`);
    };

    /** A record that the caller may change. */
    const own = (id: string, by: string) =>
      andThen(known(id, by), (record) => {
        const message = `The delegation ${id} was created by ${record.owner}.`;
        return record.owner === by ? ok(record) : fail('delegation.not-creator', message);
      });

    const keep = (delegation: Delegation, view: NetworkView) => {
      records.put(delegation);
      return ok(answerOf(delegation, view));
    };

    return {
      fold: (fold: Fold) => records.fold(fold),
      save: () => records.save(),
      load: (saved: SavedDelegations) => records.load(saved),
      handle: handlers(OPERATIONS, {
        'delegation.create': ({ delegation, id }, { by, nowUs, view }) => {
          if (id !== undefined && isTaken(id)) {
            return fail('delegation.exists', `There is a delegation ${id}.`, '/id');
          }
          return andThen(mayBeGiven(delegation, subscriber, { by, nowUs, view }), () => {
            const fields = effective(DELEGATION, delegation);
            const identity = { owner: by, id: id ?? ids.uuid(isTaken), createdAtUs: nowUs };
            return keep({ ...fields, ...identity }, view);
          });
        },
        'delegation.list': (_, { by, view }) =>
          ok({
            delegated_to: records.from(by).map((each) => answerOf(each, view)),
            delegated_from: records.to(by).map((each) => answerOf(each, view)),
          }),
        'delegation.get': ({ delegation_id }, { by, view }) =>
          andThen(known(delegation_id, by), (record) => ok(answerOf(record, view))),
        'delegation.update': ({ delegation_id, delegation }, { by, view }) =>
          andThen(own(delegation_id, by), (old) => keep({ ...old, ...delegation }, view)),
        'delegation.delete': ({ delegation_id }, { by }) =>
          andThen(own(delegation_id, by), (old) => done(records.remove(old))),
      }),

      /** Which devices one subscriber delegates to another at an instant. */
      between: (from: string, to: string, unixMs: number) => records.between(from, to, unixMs),

      /** How devices stand to a subscriber at an instant; made once for a whole request. */
      standings: ({ by, nowUs }: Pick<Asking, 'by' | 'nowUs'>) =>
        standingsOf(by, nowUs, { records, viewOf, world }),

      /** Whose a device is, whether it is delegated or not. */
      ownerOf: (devEui: string): string => world.ownerOf('device', devEui),
    };
  },
});

/** Whether the delegate is somebody else who is known, and the end still to come. */
function mayBeGiven(
  { delegate_to, expires_at }: Given<typeof DELEGATION>,
  subscriber: Subscribers,
  { by, nowUs, view }: Asking,
) {
  if (delegate_to === by) {
    return fail('delegation.delegate-to', 'Nobody delegates to oneself.', '/delegate_to');
  }
  if (!subscriber.isKnown(delegate_to)) {
    return fail('delegation.delegate-to', `Nobody is ${delegate_to}.`, '/delegate_to');
  }
  return instantOf(expires_at) > view.unixMs(nowUs)
    ? ok(undefined)
    : fail('delegation.expires-at', `${expires_at} is in the past.`, '/expires_at');
}

function answerOf(
  { owner, id, createdAtUs, ...fields }: Delegation,
  view: NetworkView,
): Of<typeof RESPONSE> {
  return {
    delegation_id: id,
    delegate_from: owner,
    ...fields,
    expires_at: formatInstant(instantOf(fields.expires_at)),
    created_at: formatInstant(view.unixMs(createdAtUs)),
  };
}
