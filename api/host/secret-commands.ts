/** What the host adds to commands that tell of secrets. */
import type { FailureClasses } from '../../core/kit/failures.ts';
import type { Permission } from '../../core/kit/permissions.ts';
import type { HostAsking } from './host-operation.ts';
import type { ServedWorld } from './served-world.ts';

/** The world, at the instant where its clock is. */
export type AskedWorld = Pick<ServedWorld, 'catchUp' | 'submit' | 'facts'>;

/** Who asks, and what his token permits: nobody gives more. */
export const askerOf = ({ by, as, permissions }: HostAsking) => ({
  by,
  ...(as === undefined ? {} : { as }),
  ...(permissions === undefined ? {} : { permitted: permissions as readonly Permission[] }),
});

/** Failures of a command, but for those about what the host itself adds. */
export const withoutVerifiers = (all: FailureClasses, own: readonly string[]): FailureClasses =>
  Object.fromEntries(Object.entries(all).filter(([code]) => !own.includes(code)));
