/** The operation of the host on passwords: none of them goes further than this. */
import { RESPONSE } from '../../../core/management/response.ts';
import { failuresOf } from '../../../core/operations.ts';
import type { Result } from '../../../sim/base/result.ts';
import { hostOperation } from '../requests/host-operation.ts';
import { type Accounts, changeOfNobody } from './accounts.ts';
import { type AskedWorld, withoutVerifiers } from './secret-commands.ts';

/**
 * Makes a try of somebody's password unless too many have failed; `isWrong` says whether this one
 * has. Tries of one name come one after the other.
 */
export type Guarded = <T>(
  username: string,
  tried: () => Promise<T>,
  isWrong: (outcome: T) => boolean,
) => Promise<T>;

const password = {
  type: 'text',
  least: 0,
  most: 1_000,
  raw: true,
  secret: true,
  required: true,
  failure: 'account.password',
  source: 'device and gateway management, passwordReset',
} as const;

/** `account.resetPassword`, by kind. */
export const accountOperations = (world: AskedWorld, accounts: Accounts, guarded: Guarded) => ({
  'account.resetPassword': hostOperation({
    is: 'Changes the password of the user who asks; tokens that the old one gave are void.',
    takes: {
      CurrentPassword: { ...password, is: 'The present password.' },
      NewPassword: {
        ...password,
        is: 'The new one: 12 characters, of 3 of 4 classes, and none that was used before.',
      },
    },
    answers: RESPONSE,
    fails: {
      'account.password': 'malformed',
      ...withoutVerifiers(failuresOf('account.changePassword'), ['account.verifier']),
    },
    needs: { object: 'User', verb: 'change' },
    handle: async ({ CurrentPassword, NewPassword }, { by, as }) => {
      const who = { by, ...(as === undefined ? {} : { as }) };
      const known = () => world.facts.accounts.account;
      const user = () => known().userOf(by);
      const tried = async (): Promise<Result<unknown>> => {
        const change = known().isUser(who)
          ? await accounts.changeOf(user(), CurrentPassword, NewPassword)
          : changeOfNobody(NewPassword);
        world.catchUp();
        return world.submit({ kind: 'account.changePassword', ...who, ...change });
      };
      return await guarded(user().name, tried, isWrong);
    },
  }),
});

const isWrong = (outcome: Result<unknown>): boolean =>
  !outcome.ok && outcome.failure.code === 'account.wrong-password';
