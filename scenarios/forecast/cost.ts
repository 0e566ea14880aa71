/**
 * About what a run will cost, said before it: frames, CPU time and memory of one process. The
 * constants were measured on the library (docs/scenario-file.md, Before the run); a machine may be
 * twice as fast or as slow.
 */
import type { WorldPlan } from '../../core/world/plan.ts';
import { HOUR_US, SECOND_US } from '../../sim/base/units.ts';
import type { DeviceTypePlan } from '../../sim/plan/network-plan.ts';
import type { SessionForecast } from './set-up.ts';

export interface CostForecast {
  readonly uplinks: number;
  readonly cpuSeconds: number;
  /** Of these the world's own: all but the start of the program. */
  readonly worldSeconds: number;
  readonly bytes: number;
}

/** Seconds of CPU: the start, a device, an uplink and one more gateway of it, a member. */
const START_S = 0.4;
const DEVICE_S = 6e-5;
const UPLINK_S = 9e-6;
const GATEWAY_S = 0.35e-6;
const MEMBER_S = 1.2e-3;
/** Gateways that hear one device, at most as many as count. */
const HEARD_BY = 12;

/** Bytes: the program, a device, a link of one, a member of a campaign. */
const PROGRAM_BYTES = 90e6;
const DEVICE_BYTES = 2_000;
const LINK_BYTES = 8;
const MEMBER_BYTES = 1_500;

/** A frame of a list with its windows, before which a device does not send the next. */
const LISTED_US = 2 * SECOND_US;

/** Frames of a join, retries included. */
const JOIN_FRAMES = 1.5;

export function costOf(
  { network, durationUs = HOUR_US }: WorldPlan & { readonly durationUs?: number },
  sessions: readonly SessionForecast[],
): CostForecast {
  const { devices, deviceTypes, gateways } = network;
  const perType = deviceTypes.map((type, i) =>
    uplinksOf(type, durationUs, devices.filter((one) => one.type === i).length),
  );
  const uplinks = devices.reduce((sum, { type }) => sum + perType[type]!, 0);
  const members = sessions
    .filter(({ beginsAtUs }) => beginsAtUs < durationUs)
    .reduce((sum, one) => sum + one.members, 0);
  const hearing = Math.min(HEARD_BY, gateways.length);
  const ofUplinks = uplinks * (UPLINK_S + hearing * GATEWAY_S);
  const worldSeconds = devices.length * DEVICE_S + ofUplinks + members * MEMBER_S;
  const links = devices.length * hearing;
  const ofDevices = devices.length * DEVICE_BYTES + links * LINK_BYTES;
  return {
    uplinks: Math.round(uplinks),
    cpuSeconds: START_S + worldSeconds,
    worldSeconds,
    bytes: PROGRAM_BYTES + ofDevices + members * MEMBER_BYTES,
  };
}

/** Uplinks of one device of a type; of lists, on average. */
function uplinksOf(
  { traffic, activation, nbTrans }: DeviceTypePlan,
  durationUs: number,
  devices: number,
): number {
  const joins = activation === 'otaa' ? JOIN_FRAMES : 0;
  if (traffic.process === 'none') return joins;
  if (traffic.listed !== undefined) {
    const most = durationUs / LISTED_US;
    const sent = Object.values(traffic.listed).map(({ atUs }) =>
      Math.min(most, nbTrans * atUs.filter((at) => at < durationUs).length),
    );
    return joins + sent.reduce((sum, each) => sum + each, 0) / Math.max(1, devices);
  }
  return joins + (nbTrans * durationUs) / Math.max(SECOND_US, traffic.meanUs);
}
