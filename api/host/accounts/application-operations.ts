/**
 * Host operations on applications: draws and shows their secrets. A caller cannot grant permissions
 * that the own token lacks.
 */

import {
  APPLICATION,
  APPLICATION_ID,
  CREATED,
} from '../../../core/management/accounts/applications.ts';
import { RESPONSE } from '../../../core/management/response.ts';
import { failuresOf } from '../../../core/operations.ts';
import { record } from '../../../core/rows/answers.ts';
import { body, changes } from '../../../core/rows/fields.ts';
import { ok } from '../../../sim/base/result.ts';
import type { Fields } from '../../../sim/base/rows/fields.ts';
import { hostOperation } from '../requests/host-operation.ts';
import type { Accounts } from './accounts.ts';
import { type AskedWorld, callerOf, withoutVerifiers } from './secret-commands.ts';

const ClientSecret = {
  type: 'text',
  required: true,
  secret: true,
  is: 'The client’s secret, shown only in this response.',
  source: 'device and gateway management, application',
} as const;

const SHOWN_ONCE = { ...CREATED.fields, ClientSecret } as const satisfies Fields;

const OF_HOST = ['application.verifier', 'application.exists'];

/** `application.create`, `.replace`, `.update` and `.refreshToken`, by kind. */
export const applicationOperations = (world: AskedWorld, accounts: Accounts) => ({
  'application.create': hostOperation({
    is: 'Creates an application; its secret is shown only in this response.',
    takes: { application: body(APPLICATION) },
    answers: record(SHOWN_ONCE),
    fails: withoutVerifiers(failuresOf('application.create'), OF_HOST),
    needs: { object: 'SubscriberAdmin', verb: 'create' },
    handle: async ({ application }, asking) => {
      const { claim } = asking;
      const { secret, verifier } = accounts.drawSecret(claim);
      world.catchUp();
      const caller = callerOf(world, asking);
      const command = { kind: 'application.create', ...caller, application, verifier } as const;
      const created = await world.submit(command, claim);
      return created.ok ? ok({ ...created.value, ClientSecret: secret.reveal() }) : created;
    },
  }),
  'application.replace': hostOperation({
    is: 'Replaces name and roles; without roles it has the read-only one.',
    takes: { Id: APPLICATION_ID, application: body(APPLICATION) },
    answers: RESPONSE,
    fails: failuresOf('application.replace'),
    needs: { object: 'SubscriberAdmin', verb: 'change' },
    handle: (given, asking) => {
      world.catchUp();
      return world.submit({ kind: 'application.replace', ...callerOf(world, asking), ...given });
    },
  }),
  'application.update': hostOperation({
    is: 'Changes what is given of it; the rest stays.',
    takes: { Id: APPLICATION_ID, application: changes(APPLICATION) },
    answers: RESPONSE,
    fails: failuresOf('application.update'),
    needs: { object: 'SubscriberAdmin', verb: 'change' },
    handle: (given, asking) => {
      world.catchUp();
      return world.submit({ kind: 'application.update', ...callerOf(world, asking), ...given });
    },
  }),
  'application.refreshToken': hostOperation({
    is: 'Gives it another secret, shown only here; the old one and its tokens are void.',
    takes: { Id: APPLICATION_ID },
    answers: record({ ClientSecret }),
    fails: withoutVerifiers(failuresOf('application.refreshToken'), OF_HOST),
    needs: { object: 'SubscriberAdmin', verb: 'change' },
    handle: async ({ Id }, asking) => {
      const { secret, verifier } = accounts.drawSecret();
      world.catchUp();
      const caller = callerOf(world, asking);
      const done = await world.submit({
        kind: 'application.refreshToken',
        ...caller,
        Id,
        verifier,
      });
      return done.ok ? ok({ ClientSecret: secret.reveal() }) : done;
    },
  }),
});
