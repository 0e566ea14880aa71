/**
 * Rules of new passwords. A command has no password but what is to be known of it: how long it is,
 * which classes of characters it has, and what it is verified by (docs/decisions/0052).
 */
import { andThen, fail, ok } from '../../../sim/base/result.ts';
import type { Fields, Given } from '../../../sim/base/rows/fields.ts';
import type { Verifier } from './principal.ts';
import { OF_HOST, SALT, VERIFIER, VERIFIERS } from './secret-fields.ts';

/** Code points that a password has at least, and classes of characters. */
const LEAST_LENGTH = 12;
const LEAST_CLASSES = 3;

/** Most earlier passwords stored of a user: a new one is compared with all of them. */
const MOST_PASSWORDS = 100;

export const CHARACTER_CLASSES = ['lower', 'upper', 'digit', 'special'] as const;

const source = 'device and gateway management, passwordReset';
const failure = 'account.verifier';

/** What a command holds of the current password and of the new one. */
export const PASSWORD_CHANGE = {
  length: {
    type: 'whole',
    least: 0,
    most: 1_000,
    required: true,
    only: 'scenario',
    is: 'Code points of the new password in NFC.',
    source,
  },
  classes: {
    type: 'list',
    of: { type: 'choice', words: CHARACTER_CLASSES },
    most: CHARACTER_CLASSES.length,
    distinct: true,
    required: true,
    only: 'scenario',
    is: 'Classes of characters that it has.',
    source,
  },
  current: {
    ...VERIFIER,
    failure,
    required: true,
    is: 'Verifier of what is given as the present password, by its salt.',
  },
  earlier: {
    ...VERIFIERS,
    failure,
    most: MOST_PASSWORDS,
    required: true,
    is: 'Verifiers of the new password, by the salts of all that there were, the present one last.',
  },
  first: {
    ...VERIFIER,
    failure,
    is: 'Of the password that the user began with, while the world knows none.',
  },
  salt: { ...SALT, ...OF_HOST, failure, required: true, is: 'Salt of the new password.' },
  verifier: { ...VERIFIER, failure, required: true, is: 'Verifier of the new password.' },
} as const satisfies Fields;

export type PasswordChange = Given<typeof PASSWORD_CHANGE>;

/** What a command holds of the new password itself. */
type Shape = Pick<PasswordChange, 'length' | 'classes'>;

/**
 * Which rule a new password breaks by its length or its classes. These rules come before all that
 * compares verifiers: a host derives none for what they refuse.
 */
export function ofAllowedShape({ length, classes }: Shape) {
  if (length < LEAST_LENGTH) {
    const message = `The new password has ${length} characters; it needs ${LEAST_LENGTH}.`;
    return wrong('account.password-short', message);
  }
  if (classes.length < LEAST_CLASSES) {
    const message = `The new password has characters of ${classes.length} of the classes ${WORDS}.`;
    return wrong('account.password-classes', `${message} It needs ${LEAST_CLASSES}.`);
  }
  return ok(true as const);
}

/**
 * The verifiers of a user who changes his password, or which rule forbids it. Who does not know the
 * present one learns nothing of earlier ones.
 */
export const changedPasswords = (stored: readonly Verifier[], change: PasswordChange) =>
  andThen(ofAllowedShape(change), () => {
    const { current, earlier, first, salt, verifier } = change;
    const begun = first === undefined ? [] : [{ salt: '', verifier: first }];
    const before = stored.length > 0 ? stored : begun;
    const isMeanwhile = earlier.length !== before.length;
    if (before.at(-1)?.verifier !== current || isMeanwhile) {
      const message = 'The present password is another one.';
      return fail('account.wrong-password', message, '/CurrentPassword');
    }
    if (before.some((each, i) => each.verifier === earlier[i])) {
      return wrong('account.password-used', 'The new password was used before.');
    }
    if (before.length >= MOST_PASSWORDS) {
      const message = `The user has had ${MOST_PASSWORDS} passwords, the most.`;
      return fail('account.passwords-full', message);
    }
    return ok([...before, { salt, verifier }]);
  });

const wrong = <Code extends string>(code: Code, message: string) =>
  fail(code, message, '/NewPassword');

const WORDS = 'lower case, upper case, digits, others';
