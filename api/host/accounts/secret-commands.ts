/** What the host adds to commands that tell of secrets. */
import type { Command } from '../../../core/command.ts';
import type { FailureClasses } from '../../../core/kit/failures.ts';
import { PERMISSIONS } from '../../../core/rows/permissions.ts';
import type { HostAsking } from '../requests/host-operation.ts';
import type { Claim } from '../requests/response-store.ts';
import type { Submitted } from '../world/durable-commands.ts';
import type { ServedWorld } from '../world/served-world.ts';

/** The world, at the instant where its clock is. */
export interface AskedWorld extends Pick<ServedWorld, 'catchUp' | 'facts'> {
  submit<Given extends Command>(
    command: Given,
    claim?: Claim,
  ): Submitted<Given> | Promise<Submitted<Given>>;
}

/** Who asks, and what his token permits where that is less than he may: nobody gives more. */
export function callerOf(world: AskedWorld, { by, as, permissions = PERMISSIONS }: HostAsking) {
  const who = { by, ...(as === undefined ? {} : { as }) };
  const held = world.facts.accounts.account.permissionsOf(who);
  const isNarrowed = held.some((each) => !permissions.includes(each));
  return { ...who, ...(isNarrowed ? { permitted: permissions } : {}) };
}

/** Failures of a command, but for those about what the host itself adds. */
export const withoutVerifiers = (all: FailureClasses, own: readonly string[]): FailureClasses =>
  Object.fromEntries(Object.entries(all).filter(([code]) => !own.includes(code)));
