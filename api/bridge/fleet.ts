/** A scenario's fleet as network servers import it: gateways, profiles, devices with keys. */
import { coordinatesOf, USUAL_ORIGIN } from '../../core/base/geography.ts';
import { World } from '../../core/world/world.ts';
import type { Scenario } from '../../scenarios/schema/schema.ts';
import type { RegionName } from '../../sim/lorawan/region.ts';
import type { DeviceKeys } from '../../sim/network/device-keys.ts';
import type { DeviceTypePlan } from '../../sim/plan/network-plan.ts';
import { packagesOf } from '../../sim/plan/packages-plan.ts';
import { ChannelPlan } from '../../sim/spectrum/channel-plan.ts';
import { codecEngine } from '../host/codecs/codec-engine.ts';
import { bridgedPlan } from './bridged-plan.ts';

export interface FleetGateway {
  /** 16 lower-case hexadecimal digits. */
  readonly eui: string;
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** What devices of one type have in common. */
export interface FleetProfile {
  readonly name: string;
  readonly lorawan: DeviceTypePlan['lorawan'];
  readonly deviceClass: DeviceTypePlan['deviceClass'];
  readonly otaa: boolean;
  readonly pingSlotPeriodicity: number;
  readonly uplinkIntervalS: number;
  /** Versions and FPorts of the packages. */
  readonly packages: ReturnType<typeof packagesOf>;
}

export interface Fleet {
  readonly scenario: string;
  readonly region: RegionName;
  /** Where its devices send and its gateways listen, Hz. */
  readonly uplinkHz: readonly number[];
  readonly gateways: readonly FleetGateway[];
  readonly profiles: readonly FleetProfile[];
  /** `type` is the place of its profile. */
  readonly devices: readonly DeviceKeys[];
}

const SECOND_US = 1_000_000;
/** A server's idea of the uplinks of devices that send none by themselves, s. */
const SILENT_INTERVAL_S = 86_400;

/** The same for the same scenario and seed, whenever it is asked for. */
export function fleetOf(scenario: Scenario, seed: string): Fleet {
  const { plan, gateways } = bridgedPlan(scenario, seed, scenario.start);
  const world = World.create(plan, seed, { records: false, codecs: codecEngine() });
  const keys = world.deviceKeys();
  const used = [...new Set(keys.map(({ type }) => type))].sort((a, b) => a - b);
  const origin = plan.origin ?? USUAL_ORIGIN;
  return {
    scenario: plan.name,
    region: plan.network.region,
    uplinkHz: new ChannelPlan(plan.network).heardHz,
    gateways: gateways.map((gateway) => ({
      eui: gateway.eui.toLowerCase(),
      name: gateway.name,
      ...coordinatesOf(gateway, origin),
    })),
    profiles: used.map((type) => profileOf(plan.network.deviceTypes[type]!)),
    devices: keys.map((device) => ({ ...device, type: used.indexOf(device.type) })),
  };
}

function profileOf(type: DeviceTypePlan): FleetProfile {
  const { process, meanUs } = type.traffic;
  const isSilent = process === 'none' || process === 'listed';
  return {
    name: type.name,
    lorawan: type.lorawan,
    deviceClass: type.deviceClass,
    otaa: type.activation === 'otaa',
    pingSlotPeriodicity: type.pingSlotPeriodicity,
    uplinkIntervalS: isSilent ? SILENT_INTERVAL_S : Math.max(1, Math.round(meanUs / SECOND_US)),
    packages: packagesOf(type),
  };
}
