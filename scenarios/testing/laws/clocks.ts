/** A device's clock by its plan, and how long what it waits for lasts in world time. */
import { cos } from '../../../sim/base/math.ts';
import { typeOf } from './planned.ts';
import type { DeviceStory, Story } from './story.ts';

const HOUR_US = 3_600_000_000;
const HOURS_A_DAY = 24;
const HOURS_A_YEAR = 8_766;

/** Rate error of a device's clock at an instant, ppb: constant, by temperature and by age. */
function ratePpb({ starts }: DeviceStory, { plan }: Story, atUs: number): number {
  const start = starts[0];
  if (start === undefined) return 0;
  const { clock } = typeOf(plan, start.device);
  if (clock === undefined) return start.driftPpb;
  const hour = Math.floor((plan.startUnixMs * 1000) / HOUR_US) + Math.floor(atUs / HOUR_US);
  // Temperature at an hour since 1970, °C: warmest at 15:00 UTC and on 20 July.
  const turn = (hours: number, period: number) => cos((2 * Math.PI * (hours % period)) / period);
  const { meanCentiC, dailyCentiC, seasonalCentiC } = clock.temperature;
  const daily = dailyCentiC * turn(hour + 0.5 - 15, HOURS_A_DAY);
  const seasonal = seasonalCentiC * turn(hour + 0.5 - 200 * HOURS_A_DAY, HOURS_A_YEAR);
  const off = (meanCentiC + daily + seasonal) / 100 - 25;
  const aged = ((start.ageingPpb ?? 0) * atUs) / (HOURS_A_YEAR * HOUR_US);
  return start.driftPpb - clock.curvaturePpb * off * off + aged;
}

/** World time of a wait that a device measures with its own clock from an instant on, µs. */
export const waitUs = (device: DeviceStory, story: Story, fromUs: number, localUs: number) =>
  localUs / (1 + ratePpb(device, story, fromUs) * 1e-9);
