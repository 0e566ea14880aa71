/** When the next message of a device's own traffic comes, in world time. */
import { assert } from '../base/assert.ts';
import { DAY_US, MILLISECOND_US } from '../base/units.ts';
import type { TrafficPlan } from '../plan/network-plan.ts';
import { worldAfter } from './clock.ts';
import type { DeviceSide } from './device-side.ts';
import { NEVER } from './device-table.ts';
import { nextListedUs } from './listed-traffic.ts';
import {
  beginOfBurst,
  burstPauseUs,
  diurnalPauseUs,
  firstPauseUs,
  nextOfBurstsUs,
  pauseUs,
} from './traffic.ts';

/** A session begins now: when its first message comes; NEVER: none does. */
export function firstMessageUs(
  side: DeviceSide,
  device: number,
  traffic: TrafficPlan,
  nowUs: number,
): number {
  const c = side.column;
  const { process, burst } = traffic;
  if (process === 'periodic' || process === 'exponential') {
    const pause = traffic.firstUs ?? firstPauseUs(traffic, c.key0[device], c.key1[device]);
    return Math.max(nowUs + 1, worldAfter(side, device, nowUs, pause));
  }
  if (burst !== undefined) c.messages[device] = beginOfBurst(burst, c.messages[device]);
  const nextUs = nextMessageUs(side, device, traffic, nowUs);
  // A list may have messages from before the session: they come with its beginning.
  return nextUs === NEVER ? NEVER : Math.max(nowUs + 1, nextUs);
}

/** When the next one comes if the pause before it began at `fromUs`; NEVER: none does. */
export function nextMessageUs(
  side: DeviceSide,
  device: number,
  traffic: TrafficPlan,
  fromUs: number,
): number {
  const { key0, key1, messages } = side.column;
  const [a, b, message] = [key0[device], key1[device], messages[device]];
  switch (traffic.process) {
    case 'none':
      return NEVER;
    case 'periodic':
    case 'exponential':
      return worldAfter(side, device, fromUs, pauseUs(traffic, a, b, message));
    case 'diurnal': {
      const dayUs = (side.startUnixMs * MILLISECOND_US + fromUs) % DAY_US;
      return fromUs + diurnalPauseUs(traffic, a, b, message, dayUs);
    }
    case 'listed':
      return nextListedUs(side, device);
    case 'burst': {
      const { burst } = traffic;
      assert(burst !== undefined, 'traffic in bursts says what a burst is');
      if (burst.atUs.length > 0) return nextOfBurstsUs(burst, a, b, fromUs) ?? NEVER;
      return fromUs + burstPauseUs(traffic, burst, a, b, message);
    }
  }
}
