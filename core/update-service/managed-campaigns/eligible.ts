/** Which devices a managed campaign updates next. */

import { matchesPattern, matching } from '../../base/firmware-versions.ts';
import type { OwnView } from '../../base/subscribers.ts';
import type { Keys } from '../keys.ts';
import type { ReportedVersion } from '../reported-versions.ts';
import type { ManagedCampaign } from './state.ts';

/** What is looked at: all of it is the owner's. */
export interface Surroundings {
  /** The latest version of each device that reported one, in the order of their DevEUIs. */
  readonly versions: readonly ReportedVersion[];
  readonly view: OwnView;
  readonly key: Pick<Keys, 'rootOf'>;
  /** Who is left out: problematic, or in a child that runs. */
  readonly isLeftOut: (devEui: string) => boolean;
}

/**
 * A device is eligible whose latest report is of a version that is included, not excluded, and not
 * the one that is expected; that the gateway has heard lately; and whose key is known. One pass
 * over the owner's devices.
 */
export function eligible(
  { owner, input, expectedVersion }: ManagedCampaign,
  { versions, view, key, isLeftOut }: Surroundings,
): readonly ReportedVersion[] {
  const [gateway] = input.gateways;
  if (gateway === undefined || view.gateway(gateway) === undefined) return [];
  const isIncluded = matchingAny(input.include_versions);
  const isExcluded = matchingAny(input.exclude_versions ?? []);
  return versions.filter(({ devEui, hex }) => {
    if (!isIncluded(hex) || isExcluded(hex) || matchesPattern(expectedVersion, hex)) return false;
    if (isLeftOut(devEui)) return false;
    const heardBy = view.device(devEui)?.heardBy ?? [];
    if (!heardBy.some(({ gatewayEui }) => gatewayEui === gateway)) return false;
    return key.rootOf(owner, devEui, view).kind !== 'none';
  });
}

function matchingAny(patterns: readonly string[]): (hex: string) => boolean {
  const find = matching(patterns.map((pattern) => [pattern, true] as const));
  return (hex) => find(hex).length > 0;
}
