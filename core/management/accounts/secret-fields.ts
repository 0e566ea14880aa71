/**
 * Rows of what a host adds to commands about secrets: no caller of a service gives them. Secrets
 * themselves are in no command; verifiers are, and stand in logs and snapshots, but in no digest
 * and no answer (docs/decisions/0052).
 */
import type { Field, Kind } from '../../../sim/base/rows/fields.ts';
import { PERMISSIONS } from '../../rows/permissions.ts';

export const OF_HOST = { only: 'scenario', drawn: true, secret: true } as const;

/** Verifier of a secret, 256 bits. */
const DIGEST = { type: 'hex', digits: 64, secret: true } as const satisfies Kind;

export const VERIFIER = {
  ...DIGEST,
  ...OF_HOST,
  failure: 'subscriber.verifier',
  is: 'What the secret is verified by.',
} as const satisfies Field;

export const VERIFIERS = {
  type: 'list',
  of: DIGEST,
  ...OF_HOST,
} as const;

/** Of a password that somebody chose; what was drawn has none. */
export const SALT = { type: 'hex', digits: 32 } as const satisfies Kind;

/** A scope narrows what a token permits; what it leaves out cannot be given by its bearer. */
export const PERMITTED = {
  type: 'list',
  of: { type: 'choice', words: PERMISSIONS },
  most: PERMISSIONS.length,
  only: 'scenario',
  is: 'Permissions of the caller’s token; all when absent.',
} as const satisfies Field;
