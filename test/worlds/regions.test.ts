/** A small world in each of the twelve regions (RP002-1.0.4), and updates by multicast in two. */
import { describe, expect, it } from 'vitest';
import type { TimedCommand } from '../../core/command.ts';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import { runScenario } from '../../scenarios/testing/testing.ts';
import { REGION_NAMES, type RegionName, region } from '../../sim/lorawan/region.ts';
import { HOUR_US, MINUTE_US, networkOf, watch } from '../support/small-network.ts';

/** Devices that join, speak every minute, want acknowledgements now and then, and obey ADR. */
function networkIn(name: RegionName, latencyUs: number) {
  const plan = region(name);
  const slow = plan.dwellAtStart.uplink && plan.join.kind === 'anyChannel' ? 2 : 1;
  const network = networkOf({
    devices: 6,
    gatewaysAt: [300],
    gateway: { dutyCycle: false },
    backhaul: { latencyUs },
    type: {
      activation: 'otaa',
      adr: true,
      dutyCycle: false,
      dataRate: { from: 'fixed', dataRate: name === 'AU915' ? 2 : slow },
      maxEirpCentiDbm: Math.min(1600, plan.maxEirpCentiDbm),
      startSpreadUs: 20 * MINUTE_US,
    },
    traffic: { payloadBytes: 8, jitterPpm: 200_000, confirmedPpm: 100_000, meanUs: 2 * MINUTE_US },
    server: { adr: true, rx2DataRate: plan.rx2.dataRate },
  });
  return { ...network, region: name };
}

/** A payload for the first device, which fits even the slowest RX2. */
const downlink: TimedCommand = {
  atUs: HOUR_US,
  command: {
    kind: 'downlink.enqueue',
    by: 'default',
    devEui: networkOf({}).devices[0]!.devEui,
    fPort: 5,
    payloadHex: '0102',
    confirmed: false,
  },
};

describe.each(REGION_NAMES)('%s', (name) => {
  it('lets devices join, speak, hear RX1 and be asked for a faster data rate', () => {
    const network = networkIn(name, 20_000);
    const seen = watch(network, 3 * HOUR_US, [downlink]);
    const uplinks = seen.of('uplinkBegins').filter(({ purpose }) => purpose === 'data');
    const joined = seen.of('deviceReceives').filter(({ purpose }) => purpose === 'join');
    expect(new Set(joined.map(({ device }) => device)).size).toBe(6);
    const planned = seen.of('downlinkPlanned');
    expect(new Set(planned.map(({ window }) => window))).toEqual(new Set([1]));
    const heard = seen.of('deviceReceives').filter(({ purpose }) => purpose === 'data');
    expect(heard.length).toBeGreaterThan(20);
    const first = uplinks.find(({ device }) => device === 'meter-1')!;
    const last = uplinks.findLast(({ device }) => device === 'meter-1')!;
    expect(last.spreadingFactor).toBeLessThan(first.spreadingFactor);
    expect(last.spreadingFactor).toBe(7);
    expect(judge(seen.rows, network)).toEqual({});
  });

  it('is answered in RX2 when RX1 cannot be met', () => {
    // Join accepts have 5 s and 6 s, so they still come in RX1.
    const network = networkIn(name, 500_000);
    const slowest = region(name).rx2.dataRate;
    const seen = watch(network, 3 * HOUR_US, [downlink]);
    const planned = seen.of('downlinkPlanned').filter(({ purpose }) => purpose === 'data');
    const carries = (region(name).dataRates[slowest]?.maxMacPayload ?? 0) > 0;
    expect(new Set(planned.map(({ window }) => window))).toEqual(new Set(carries ? [2] : []));
    const heard = seen.of('deviceReceives').filter(({ purpose }) => purpose === 'data');
    if (carries) expect(heard.length).toBeGreaterThan(10);
    else expect(heard).toEqual([]);
    expect(judge(seen.rows, network)).toEqual({});
  });
});

describe('a device that is never answered', () => {
  it.each(REGION_NAMES)('slows down to the slowest data rate that carries data in %s', (name) => {
    const { dataRates, dwellAtStart, join } = region(name);
    const most = (index: number): number => {
      const { maxMacPayload = 0, maxMacPayloadDwell = 0 } = dataRates[index] ?? {};
      return dwellAtStart.uplink ? maxMacPayloadDwell : maxMacPayload;
    };
    const slowest = [0, 1, 2, 3].find((index) => most(index) > 0)!;
    const fastest = join.kind === 'anyChannel' ? 5 : 3;
    const network = networkOf({
      backhaul: { lossPpm: 1_000_000 },
      type: { adr: true, dataRate: { from: 'fixed', dataRate: fastest } },
      traffic: { payloadBytes: 1 },
      server: { rx2DataRate: region(name).rx2.dataRate },
    });
    const seen = watch({ ...network, region: name }, 8 * HOUR_US);
    const { spreadingFactor } = seen.of('uplinkBegins').at(-1)!;
    expect(spreadingFactor).toBe(
      dataRates[slowest]?.modulation === 'lora' ? dataRates[slowest].spreadingFactor : Number.NaN,
    );
    expect(judge(seen.rows, { ...network, region: name })).toEqual({});
  });
});

describe('an update by multicast', () => {
  it.each([
    ['US915', '[{ subBand: 1 }]', 923_300_000],
    ['AS923-1', '[]', 923_200_000],
  ])('reaches all devices in %s', (name, channels, frequencyHz) => {
    const { result, trace } = runScenario(`
      scenario: update
      region: ${name}
      channels: ${channels}
      duration: 12 h
      area: { radius: 500 m }
      server: { rx2DataRate: ${name === 'US915' ? 'DR10' : 'DR4'} }
      devices: [{ name: meter, count: 10, traffic: { every: 5 min, payload: 10 B } }]
      images: [{ name: meter-1.2.0.bin, bytes: 3 kB }]
      groups: [{ name: all, devices: [meter] }]
      campaigns: [{ name: one, image: meter-1.2.0.bin, group: all, at: 1 h }]
    `);
    expect(result.campaigns[0]).toMatchObject({ frequencyHz, success: 10 });
    expect(judge(trace.rows, trace.network)).toEqual({});
  });
});
