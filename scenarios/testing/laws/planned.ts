/** What a plan says of a thing in the trace, found without a walk through the plan. */
import type {
  DevicePlan,
  DeviceTypePlan,
  GatewayPlan,
  NetworkPlan,
} from '../../../sim/plan/network-plan.ts';
import { plannedName } from './gateway-incarnations.ts';

interface Tables {
  readonly devices: ReadonlyMap<string, DevicePlan>;
  readonly devicesByEui: ReadonlyMap<string, DevicePlan>;
  readonly gateways: ReadonlyMap<string, GatewayPlan>;
}

/** Plans do not change. */
const known = new WeakMap<NetworkPlan, Tables>();

function tablesOf(plan: NetworkPlan): Tables {
  let tables = known.get(plan);
  if (tables === undefined) {
    tables = {
      devices: new Map(plan.devices.map((one) => [one.name, one])),
      devicesByEui: new Map(plan.devices.map((one) => [one.devEui, one])),
      gateways: new Map(plan.gateways.map((one) => [one.name, one])),
    };
    known.set(plan, tables);
  }
  return tables;
}

export const deviceOf = (plan: NetworkPlan, name: string): DevicePlan | undefined =>
  tablesOf(plan).devices.get(name);

export const deviceOfEui = (plan: NetworkPlan, devEui: string): DevicePlan | undefined =>
  tablesOf(plan).devicesByEui.get(devEui);

/** A gateway by the name of one of its lives. */
export const gatewayOf = (plan: NetworkPlan, life: string): GatewayPlan | undefined =>
  tablesOf(plan).gateways.get(plannedName(life));

/** Where a gateway stood; unknown once it came back, since its plan has the first place only. */
export const placeOf = (plan: NetworkPlan, life: string): GatewayPlan | undefined =>
  plannedName(life) === life ? gatewayOf(plan, life) : undefined;

/** What the plan says of a device; one that a command brought is as the first type. */
export const typeOf = (plan: NetworkPlan, name: string): DeviceTypePlan =>
  plan.deviceTypes[deviceOf(plan, name)?.type ?? 0]!;
