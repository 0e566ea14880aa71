import type { DelegationChange } from '../../core/update-service/delegation-fields.ts';
import { instantAt } from '../language/service-input.ts';

/** What a verb of the timeline changes, as the service takes it. */
export const changeOfDelegation = (
  given: {
    readonly expires?: number | undefined;
    readonly devices?: readonly string[] | undefined;
    readonly exclude?: readonly string[] | undefined;
  },
  patterns: (words: readonly string[]) => readonly string[],
  startUnixMs: number,
): DelegationChange => ({
  ...(given.expires === undefined ? {} : { expires_at: instantAt(given.expires, startUnixMs) }),
  ...(given.devices === undefined ? {} : { include_devices: patterns(given.devices) }),
  ...(given.exclude === undefined ? {} : { exclude_devices: patterns(given.exclude) }),
});
