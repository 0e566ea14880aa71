/** Principal of a token: a user, or an application. */
import type { Permission } from '../../rows/permissions.ts';

export interface Principal {
  readonly kind: 'user' | 'application';
  readonly subscriber: string;
  /** Commands carry it as `as`. */
  readonly id: string;
  /** A user's name, or an application's client id. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  readonly permissions: readonly Permission[];
  /**
   * What its secrets were verified by, the present one last; none: a host has the one that it began
   * with. Another principal stands in its place once they or its permissions have changed.
   */
  readonly verifiers: readonly Verifier[];
}

/** What a secret is verified by. */
export interface Verifier {
  /** 32 upper-case hexadecimal digits of what somebody chose; '' of what was drawn. */
  readonly salt: string;
  /** 64 upper-case hexadecimal digits. */
  readonly verifier: string;
}
