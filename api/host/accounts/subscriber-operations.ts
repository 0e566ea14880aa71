/** Host operations on subscribers: draws and shows the secrets of a new one. */

import {
  MOST_SUBSCRIBERS,
  NEW_SUBSCRIBER,
  SUBSCRIBER,
} from '../../../core/management/accounts/subscribers.ts';
import { failuresOf } from '../../../core/operations.ts';
import { record } from '../../../core/rows/answers.ts';
import { body } from '../../../core/rows/fields.ts';
import { ok } from '../../../sim/base/result.ts';
import type { Fields } from '../../../sim/base/rows/fields.ts';
import { inSequence } from '../process/serial-queue.ts';
import { hostOperation } from '../requests/host-operation.ts';
import type { Accounts } from './accounts.ts';
import { type AskedWorld, callerOf, withoutVerifiers } from './secret-commands.ts';

const secret = { type: 'text', required: true, secret: true } as const;

const SHOWN_ONCE = {
  ...SUBSCRIBER,
  client_secret: { ...secret, is: 'The secret of the application, shown only in this response.' },
  password: { ...secret, is: 'The password of the user, shown only in this response.' },
} as const satisfies Fields;

const LIST = {
  subscribers: {
    type: 'list',
    of: record(SUBSCRIBER),
    most: MOST_SUBSCRIBERS,
    required: true,
    is: 'All subscribers, in the order in which they came.',
  },
} as const satisfies Fields;

/** `subscriber.create` and `subscriber.list`, by kind. */
export const subscriberOperations = (
  world: AskedWorld,
  accounts: Accounts,
  // Each finds the id that the last one has left.
  inTurn = inSequence(),
) => ({
  'subscriber.create': hostOperation({
    is:
      'Creates a subscriber with an application and a user; only this response has their ' +
      'secrets.',
    takes: { subscriber: body(NEW_SUBSCRIBER) },
    answers: record(SHOWN_ONCE),
    fails: withoutVerifiers(failuresOf('subscriber.create'), [
      'subscriber.id',
      'subscriber.exists',
      'subscriber.verifier',
    ]),
    needs: { object: 'Simulator', verb: 'create' },
    handle: async ({ subscriber }, asking) => {
      const { claim } = asking;
      const client = accounts.drawSecret(claim, 'client');
      const user = accounts.drawSecret(claim, 'user');
      const created = await inTurn(() => {
        world.catchUp();
        const command = {
          kind: 'subscriber.create',
          ...callerOf(world, asking),
          subscriber,
          // A session names it: who asks later has this id.
          id: world.facts.accounts.subscriber.nextId(),
          secretVerifier: client.verifier,
          passwordVerifier: user.verifier,
        } as const;
        return world.submit(command, claim);
      });
      if (!created.ok) return created;
      const secrets = { client_secret: client.secret.reveal(), password: user.secret.reveal() };
      return ok({ ...created.value, ...secrets });
    },
  }),
  'subscriber.list': hostOperation({
    is: 'All subscribers, without secrets.',
    takes: {},
    answers: record(LIST),
    fails: {},
    needs: { object: 'Simulator', verb: 'list' },
    handle: () => {
      const { subscriber } = world.facts.accounts;
      return ok({ subscribers: subscriber.all.map(subscriber.answerOf) });
    },
  }),
});
