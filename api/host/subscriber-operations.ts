/** Operations of the host on subscribers. */
import { record } from '../../core/kit/answers.ts';
import { body, type Fields } from '../../core/kit/fields.ts';
import { isPermitted, PERMISSIONS, type Permission } from '../../core/kit/permissions.ts';
import { fail, ok } from '../../sim/base/result.ts';
import { type Account, type Accounts, MOST_SUBSCRIBERS, USUAL_PERMISSIONS } from './accounts.ts';
import { type HostAsking, hostOperation } from './host-operation.ts';

const permission = { type: 'choice', words: PERMISSIONS } as const;

const GIVEN = {
  name: { type: 'text', failure: 'subscriber.name', is: 'Its name; its id when absent.' },
  permissions: {
    type: 'list',
    of: permission,
    most: PERMISSIONS.length,
    distinct: true,
    failure: 'subscriber.permissions',
    is: 'What its application and its user may do; all but `Simulator` when absent.',
  },
} as const satisfies Fields;

const TOLD = {
  id: { type: 'text', required: true, is: 'The subscriber.' },
  name: { type: 'text', required: true, is: 'Its name.' },
  client_id: { type: 'text', required: true, is: 'Its application, in the form of a UUID.' },
  username: { type: 'text', required: true, is: 'Its user.' },
  permissions: {
    type: 'list',
    of: permission,
    most: PERMISSIONS.length,
    required: true,
    is: 'What application and user may do.',
  },
} as const satisfies Fields;

const secret = { type: 'text', required: true, secret: true } as const;

const TOLD_ONCE = {
  ...TOLD,
  client_secret: { ...secret, is: 'The secret of the application, told this once.' },
  password: { ...secret, is: 'The password of the user, told this once.' },
} as const satisfies Fields;

const LIST = {
  subscribers: {
    type: 'list',
    of: record(TOLD),
    most: MOST_SUBSCRIBERS,
    required: true,
    is: 'All subscribers, in the order in which they came.',
  },
} as const satisfies Fields;

const told = ({ subscriber, name, clientId, username, permissions = PERMISSIONS }: Account) => ({
  id: subscriber,
  name,
  client_id: clientId,
  username,
  permissions,
});

/** `subscriber.create` and `subscriber.list`, by kind. */
export function subscriberOperations(accounts: Accounts) {
  /** What the asker may not do, neither by account nor by token, and so gives nobody. */
  const lacking = ({ by, permissions }: HostAsking, wanted: readonly Permission[]) => {
    const own = accounts.ofSubscriber(by)?.permissions;
    return wanted.find((each) => !isPermitted(own, each) || !isPermitted(permissions, each));
  };

  return {
    'subscriber.create': hostOperation({
      is: 'Makes a subscriber with an application and a user; their secrets are told this once.',
      takes: { subscriber: body(GIVEN) },
      answers: record(TOLD_ONCE),
      fails: {
        'subscriber.name': 'malformed',
        'subscriber.permissions': 'malformed',
        'subscriber.forbidden': 'forbidden',
        'subscriber.full': 'full',
      },
      needs: { object: 'Simulator', verb: 'create' },
      handle: ({ subscriber }, asking) => {
        const lacks = lacking(asking, subscriber.permissions ?? USUAL_PERMISSIONS);
        if (lacks !== undefined) {
          const message = `Nobody gives the permission ${lacks} who does not have it.`;
          return fail('subscriber.forbidden', message, '/permissions');
        }
        const added = accounts.addSubscriber(subscriber);
        if (!added.ok) return added;
        const { clientSecret, password } = added.value;
        return ok({
          ...told(added.value),
          client_secret: clientSecret.reveal(),
          password: password.reveal(),
        });
      },
    }),
    'subscriber.list': hostOperation({
      is: 'All subscribers, without secrets.',
      takes: {},
      answers: record(LIST),
      fails: {},
      needs: { object: 'Simulator', verb: 'list' },
      handle: () => ok({ subscribers: accounts.list().map(told) }),
    }),
  };
}
