/**
 * Operations of the host itself: clock, jobs, subscribers, health. They are declared as those of
 * resources are (core/kit/resource.ts), so routes, validation and documentation treat both alike;
 * but they may take time, and what they change is not a command of the world.
 */
import type { FailureClasses } from '../../../core/kit/failures.ts';
import type { Permission, PermissionObject, Verb } from '../../../core/rows/permissions.ts';
import type { Result } from '../../../sim/base/result.ts';
import type { Fields, Given, Kind } from '../../../sim/base/rows/fields.ts';
import type { Claim } from './response-store.ts';

/** Who asks for an operation of the host, and how. */
export interface HostAsking {
  /** The subscriber; '' where no token is needed. */
  readonly by: string;
  /** Id of its user or application that asks; absent: its user. */
  readonly as?: string | undefined;
  /** What the caller may do; all when absent. */
  readonly permissions?: readonly Permission[] | undefined;
  /** Whether the caller would rather not wait (RFC 7240, `respond-async`). */
  readonly respondAsync: boolean;
  /** Aborts when the caller is gone. */
  readonly signal: AbortSignal;
  /** Of its idempotency key; goes with the command that the operation submits. */
  readonly claim?: Claim | undefined;
}

/** The request started a job; another operation returns its progress. */
export interface Underway {
  readonly lookAt: { readonly kind: string; readonly asked: Readonly<Record<string, string>> };
  /** Progress of the job. */
  readonly value: unknown;
}

export interface HostOperation<Asked = never> {
  readonly is: string;
  readonly takes: Fields;
  /** Shape of the answer; null: there is none. */
  readonly answers: Kind | null;
  /** Shape of the progress response (`Underway`); absent: the operation completes at once. */
  readonly meanwhile?: Kind;
  /** What may be refused, with its class. */
  readonly fails: FailureClasses;
  /** null: no token is needed. */
  readonly needs: { readonly object: PermissionObject; readonly verb: Verb } | null;
  /** What it makes ends with the process, and so do answers by idempotency keys. */
  readonly endsWithProcess?: true;
  readonly handle: (
    asked: Asked,
    asking: HostAsking,
  ) => Result<unknown> | Underway | Promise<Result<unknown> | Underway>;
}

/** Checks an operation against the types of its fields. */
export const hostOperation = <const Takes extends Fields>(
  operation: HostOperation<Given<Takes>> & { readonly takes: Takes },
): HostOperation => operation;
