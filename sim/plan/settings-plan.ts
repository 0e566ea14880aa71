/** What a device type must be like to be set over the air: its traffic is what settings can say. */

import {
  type DeviceSettings,
  SETTINGS_NAMES,
  SETTINGS_PARAMETERS,
  type SettingsPlan,
} from '../base/device-settings.ts';
import { isWholeWithin } from '../base/rows/range.ts';
import { MILLION, SECOND_US } from '../base/units.ts';
import type { TrafficPlan } from './network-plan.ts';
import { type PackagesPlan, packagesOf } from './packages-plan.ts';

/** What of a device type has to do with settings. */
interface Settable {
  readonly traffic: TrafficPlan;
  readonly packages?: PackagesPlan | undefined;
  readonly settings?: SettingsPlan | undefined;
}

/** Ports that no message of the device's own may have: those of its settings and packages. */
export function reservedPorts({ packages, settings }: Omit<Settable, 'traffic'>): number[] {
  const { clockSync, multicastSetup, fragmentation, firmwareManagement } = packagesOf({ packages });
  const ofPackages = [clockSync, multicastSetup, fragmentation, firmwareManagement];
  return [...ofPackages.map(({ fPort }) => fPort), ...(settings ? [settings.fPort] : [])];
}

/** What a device is set to before anybody sets it: the traffic of its type. */
export const settingsOf = ({ traffic }: Pick<Settable, 'traffic'>): DeviceSettings => ({
  uplinkPeriod: traffic.meanUs / SECOND_US,
  payloadBytes: traffic.payloadBytes,
  confirmedUplinks: traffic.confirmedPpm > 0,
  uplinkPort: traffic.fPort,
});

/** The traffic of a device that is set so. */
export const trafficBy = (
  traffic: TrafficPlan,
  { uplinkPeriod, payloadBytes, confirmedUplinks, uplinkPort }: DeviceSettings,
): TrafficPlan => ({
  ...traffic,
  meanUs: uplinkPeriod * SECOND_US,
  payloadBytes,
  fPort: uplinkPort,
  confirmedPpm: confirmedUplinks ? MILLION : 0,
});

/** Whether a period, or a mean pause, says when its messages come. */
const hasPeriod = ({ process }: TrafficPlan): boolean =>
  process !== 'none' && process !== 'burst' && process !== 'listed';

/** Whether devices of a type can be set over the air, and tell exactly what they are set to. */
export function isSettable(type: Settable): boolean {
  const { traffic, settings } = type;
  if (settings === undefined || !hasPeriod(traffic)) return false;
  if (traffic.confirmedPpm !== 0 && traffic.confirmedPpm !== MILLION) return false;
  const { fPort } = settings;
  const ofPackages = reservedPorts({ packages: type.packages });
  if (!isWholeWithin(fPort, SETTINGS_PARAMETERS.uplinkPort)) return false;
  if (ofPackages.includes(fPort)) return false;
  if (reservedPorts(type).includes(traffic.fPort)) return false;
  const values = settingsOf(type);
  return SETTINGS_NAMES.every((name) =>
    isWholeWithin(Number(values[name]), SETTINGS_PARAMETERS[name]),
  );
}
