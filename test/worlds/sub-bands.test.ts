/**
 * Duty cycles by sub-band, in every region that has some (ETSI EN 300 220-2; RP002-1.0.4): the
 * laws' own table of sub-bands judges busy devices in each of them.
 */
import { describe, expect, it } from 'vitest';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import { REGULATIONS } from '../../scenarios/testing/laws/regions.ts';
import {
  defaultUplinkChannels,
  REGION_NAMES,
  type RegionName,
  region,
} from '../../sim/lorawan/region.ts';
import { HOUR_US, networkOf, SECOND_US, type Trace, watch } from '../support/small-network.ts';

const MILLION = 1_000_000;

/** A channel in each sub-band, where the default channels are in one of several. */
const CHANNELS_HZ: Partial<Record<RegionName, readonly number[]>> = {
  EU868: [868_100_000, 864_100_000, 866_100_000, 868_900_000, 869_525_000, 869_850_000],
};

const LIMITED = REGION_NAMES.filter((name) =>
  REGULATIONS[name].bands.some(({ permille }) => permille < 1000),
);

/** A device that always has something to say, 0.4 s of air time at a time. */
function busyIn(name: RegionName): Trace {
  const type = { dutyCycle: true, dataRate: { from: 'fixed', dataRate: 2 } } as const;
  const network = networkOf({ type, traffic: { meanUs: SECOND_US, payloadBytes: 10 } });
  const uplinkChannelsHz = CHANNELS_HZ[name] ?? [];
  const rx2DataRate = region(name).rx2.dataRate;
  const server = { ...network.server, rx2DataRate };
  const trace = watch({ ...network, region: name, server, uplinkChannelsHz }, 3 * HOUR_US);
  expect(judge(trace.rows, { ...network, region: name, server, uplinkChannelsHz })).toEqual({});
  return trace;
}

describe.each(LIMITED)('a busy device in %s', (name) => {
  const { bands } = REGULATIONS[name];
  const trace = busyIn(name);

  it.each(bands.filter(({ permille }) => permille < 1000))(
    'uses its share of $fromHz … $toHz Hz, and no more of it',
    ({ fromHz, toHz, permille }) => {
      const sent = trace
        .of('uplinkBegins')
        .filter(({ frequencyHz }) => fromHz <= frequencyHz && frequencyHz < toHz)
        .filter(({ atUs }) => atUs >= HOUR_US && atUs < 2 * HOUR_US);
      const usedUs = sent.reduce((sum, { airtimeUs }) => sum + airtimeUs, 0);
      const share = usedUs / ((HOUR_US * permille) / 1000);
      expect(share).toBeGreaterThan(0.85);
      // A frame that reaches into the next hour counts in this one here.
      expect(share).toBeLessThan(1 + SECOND_US / ((HOUR_US * permille) / 1000));
    },
  );
});

describe.each(REGION_NAMES)('the default channels of %s', (name) => {
  it('are those of the standard, with their data rates', () => {
    const own = defaultUplinkChannels(region(name)).map((one) => [
      one.frequencyHz,
      one.minDataRate,
      one.maxDataRate,
    ]);
    const expected = REGULATIONS[name].channels.flatMap(([hz, stepHz, count, lowest, highest]) =>
      Array.from({ length: count }, (_, i) => [hz + i * stepHz, lowest, highest]),
    );
    expect(own).toEqual(expected);
  });
});

describe.each(REGION_NAMES)('the sub-bands of %s', (name) => {
  it('have the limits of regulation, each of them', () => {
    const { subBands } = region(name);
    const { bands } = REGULATIONS[name];
    expect(subBands.length).toBe(bands.length);
    subBands.forEach(({ minHz, maxHz, dutyCyclePpm, maxEirpCentiDbm }, i) => {
      const { fromHz, toHz, permille, maxEirpCentiDbm: most } = bands[i];
      expect([dutyCyclePpm, fromHz <= minHz, maxHz <= toHz]).toEqual([
        (permille / 1000) * MILLION,
        true,
        true,
      ]);
      expect(maxEirpCentiDbm).toBeLessThanOrEqual(most);
    });
  });
});
