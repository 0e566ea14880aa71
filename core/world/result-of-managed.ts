/** The part of a result on managed campaigns: what the platform knows of them, and the truth. */
import type { NetworkSummary } from '../../sim/contract/summary.ts';
import { versionHex } from '../base/firmware-versions.ts';
import type { Resources } from '../operations.ts';
import type { WorldResult } from '../result/result.ts';
import { gatewayNames } from './gateway-names.ts';

/** In the order of their creation; nothing where there were none. */
export function managedResults(
  known: Resources['managedCampaign'],
  { gateways, devices }: NetworkSummary,
): Pick<WorldResult, 'managedCampaigns'> {
  if (known.isEmpty) return {};
  const running = new Map<string, string>();
  for (const { devEui, fwVersion, hwVersion } of devices) {
    running.set(devEui, versionHex(fwVersion, hwVersion));
  }
  const nameOf = gatewayNames({ gateways });
  const results = known.results((devEui) => running.get(devEui));
  return { managedCampaigns: results.map((each) => ({ ...each, gateway: nameOf(each.gateway) })) };
}
