/** What people call frequencies: rows of sub-bands, and numbers of channels. */
import { describe, expect, it } from 'vitest';
import type { RegionName } from '../../sim/lorawan/region.ts';
import { ChannelPlan } from '../../sim/spectrum/channel-plan.ts';
import { networkOf } from '../support/small-network.ts';

const planOf = (region: RegionName, uplinkChannelsHz: number[] = []) =>
  new ChannelPlan({ ...networkOf({}), region, uplinkChannelsHz });

describe('the number of a channel', () => {
  it('is that of the network’s uplink channels, from 1 on', () => {
    const eu868 = planOf('EU868', [868_100_000, 868_300_000, 868_500_000, 867_100_000]);
    const numbers = [868_100_000, 868_300_000, 868_500_000, 867_100_000].map((hz) =>
      eu868.channelNumber(hz),
    );
    expect(numbers).toEqual([1, 2, 3, 4]);
  });

  it('is 127 of RX2, and none of what is no channel', () => {
    const eu868 = planOf('EU868');
    expect(eu868.channelNumber(869_525_000)).toBe(127);
    expect(eu868.channelNumber(867_100_000)).toBeUndefined();
  });

  it('counts from 1 again where downlinks have channels of their own', () => {
    const us915 = planOf('US915');
    expect([902_300_000, 914_900_000, 903_000_000].map((hz) => us915.channelNumber(hz))).toEqual([
      1, 64, 65,
    ]);
    expect([923_300_000, 923_900_000, 927_500_000].map((hz) => us915.channelNumber(hz))).toEqual([
      1, 2, 8,
    ]);
    expect(us915.channelNumber(923_400_000)).toBeUndefined();
  });
});
