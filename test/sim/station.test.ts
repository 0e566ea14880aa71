/** Gateways that keep their duty cycle as LoRa Basics Station does (docs/decisions/0109). */
import { describe, expect, it } from 'vitest';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import { stationBand } from '../../sim/gateway/station-budget.ts';
import { runCampaign, type WantedCampaign } from '../campaigns/notation.ts';
import { MINUTE_US, networkOf, SECOND_US, type Trace, watch } from '../support/small-network.ts';

const STATION = { refusesOverBudget: true } as const;

/** What begins, with its latest plan. */
function begun(trace: Trace) {
  const plans = new Map(trace.of('downlinkPlanned').map((row) => [row.downlink, row]));
  return trace.of('downlinkBegins').map(({ downlink, atUs }) => {
    return { ...plans.get(downlink)!, beganAtUs: atUs };
  });
}

describe('the bands of a Station', () => {
  it.each([
    [869_525_000, 10],
    [868_100_000, 100],
    [868_500_000, 100],
    [869_850_000, 100],
    [867_100_000, 1000],
    [868_800_000, 1000],
    [863_500_000, 1000],
  ])('close %i Hz for %i times the time on air', (hz, closed) => {
    const share = { band: 1, dutyCyclePpm: 10_000 };
    expect(stationBand('EU868', hz, share)?.closedAirtimes).toBe(closed);
  });

  it('are those of the region outside EU868', () => {
    const tenth = stationBand('EU433', 433_175_000, { band: 2, dutyCyclePpm: 100_000 });
    expect(tenth).toEqual({ index: 2, closedAirtimes: 10 });
    for (const region of ['IN865', 'RU864', 'CN470']) {
      expect(stationBand(region, 868_900_000, { band: 2, dutyCyclePpm: 100_000 })).toBe(undefined);
    }
    expect(stationBand('US915', 903_900_000, { band: 0, dutyCyclePpm: 1_000_000 })).toBe(undefined);
  });
});

describe('multicast frames a second apart at a Station', () => {
  const burst = (campaign: WantedCampaign['campaign']) =>
    runCampaign({
      devices: 1,
      minutes: 90,
      type: { deviceClass: 'C' },
      server: { rx2DataRate: 3 },
      gateway: STATION,
      imageBytes: 12_000,
      campaign: {
        multicast_setup_time: 3600,
        frag_size: 200,
        frag_send_delay: 1,
        ...campaign,
      },
    });
  const multicast = (trace: Trace) =>
    begun(trace).filter(({ purpose, phyBytes }) => purpose === 'multicast' && phyBytes > 200);

  it('go out every 3.4 s on 869.525 MHz: the band is closed for ten times 338 ms', () => {
    const trace = burst({});
    const starts = multicast(trace).map(({ beganAtUs }) => beganAtUs);
    const gaps = starts.slice(1).map((us, i) => us - starts[i]!);
    // 60 fragments in a minute; the last of them may be put off by a second.
    expect([17, 18]).toContain(gaps.length);
    expect(new Set(gaps)).toEqual(new Set([3_400_000]));
    expect(judge(trace.rows, trace.world.plan.network)).toEqual({});
  });
});

describe('a server whose downlinks a Station drops', () => {
  /** Frames to one class C device, twenty a minute in a band that is closed most of the time. */
  function requested(queueWords: 'station' | undefined) {
    const network = networkOf({
      gateway: { ...STATION, ...(queueWords && { queueWords }) },
      type: { deviceClass: 'C', dataRate: { from: 'fixed', dataRate: 0 } },
      traffic: { meanUs: 30 * MINUTE_US },
    });
    const { devEui } = network.devices[0]!;
    const trace = watch(
      network,
      40 * MINUTE_US,
      Array.from({ length: 20 }, (_, i) => ({
        atUs: 32 * MINUTE_US + 3 * i * SECOND_US,
        command: {
          kind: 'downlink.enqueue',
          by: 'default',
          devEui,
          fPort: 9,
          payloadHex: 'a5',
          confirmed: false,
        } as const,
      })),
    );
    expect(judge(trace.rows, network)).toEqual({});
    const received = trace.of('deviceReceives').length;
    return { received, refused: trace.of('downlinkRefused').length };
  }

  it('hears nothing of that: they are lost, where one that hears of it sends them again', () => {
    const hearing = requested(undefined);
    const silent = requested('station');
    expect(silent.refused).toBeGreaterThan(5);
    expect(hearing.received).toBeGreaterThan(silent.received);
    expect(silent.received).toBeGreaterThan(0);
  });
});

describe('two devices that are due at once at a gateway without a queue', () => {
  const network = networkOf({
    gateway: { ...STATION, queueWords: 'none' },
    devices: 40,
    type: { dutyCycle: false, confirmedTries: 1 },
    traffic: { meanUs: 60 * SECOND_US, payloadBytes: 4, confirmedPpm: 1_000_000 },
  });
  const trace = watch(network, 30 * MINUTE_US);

  it('tries what is due while it sends in RX2, or it collides: it sends one at a time', () => {
    const reasons = new Set(trace.of('downlinkRefused').map(({ reason }) => reason));
    expect(reasons).toEqual(new Set(['collision', 'dutyCycle']));
    const sent = begun(trace).map(({ beganAtUs, airtimeUs }) => [beganAtUs, airtimeUs] as const);
    for (const [i, [beganAtUs]] of sent.entries()) {
      const [before, airtimeUs] = sent[i - 1] ?? [-1, 0];
      expect(beganAtUs).toBeGreaterThanOrEqual(before + airtimeUs);
    }
    expect(judge(trace.rows, network)).toEqual({});
  });

  it('closes a band for one time on air less than a Station', () => {
    const inRx2 = begun(trace).filter(({ frequencyHz }) => frequencyHz === 869_525_000);
    const gaps = inRx2.slice(1).map(({ beganAtUs }, i) => {
      const before = inRx2[i]!;
      return (beganAtUs - before.beganAtUs) / before.airtimeUs;
    });
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(9);
    expect(Math.min(...gaps)).toBeLessThan(10);
  });
});

describe('confirmed uplinks every three seconds at a Station', () => {
  const network = networkOf({
    gateway: STATION,
    type: { dutyCycle: false, confirmedTries: 1 },
    traffic: { meanUs: 3 * SECOND_US, payloadBytes: 4, confirmedPpm: 1_000_000 },
  });
  const trace = watch(network, 10 * MINUTE_US);

  it('are acknowledged in RX1 every other time, as the 1 % band opens again', () => {
    const windows = begun(trace).map(({ window }) => window);
    const first = windows.filter((window) => window === 1).length;
    const share = first / trace.of('uplinkBegins').length;
    expect(share).toBeGreaterThan(0.4);
    expect(share).toBeLessThan(0.55);
  });

  it('are tried in RX2 a second later where that band is open, and refused where it is not', () => {
    const frames = begun(trace);
    expect(frames.filter(({ window }) => window === 2).length).toBeGreaterThan(20);
    for (const { window, atUs, beganAtUs } of frames) {
      if (window === 2) expect(beganAtUs - atUs).toBe(SECOND_US);
    }
    expect(trace.of('downlinkRefused').every(({ reason }) => reason === 'dutyCycle')).toBe(true);
    expect(judge(trace.rows, network)).toEqual({});
  });

  it('are all acknowledged by a packet forwarder, whose server has the whole hour', () => {
    const plain = watch(
      {
        ...network,
        gateways: network.gateways.map((one) => ({ ...one, refusesOverBudget: false })),
      },
      10 * MINUTE_US,
    );
    expect(plain.of('downlinkRefused')).toEqual([]);
    expect(begun(plain).every(({ window }) => window === 1)).toBe(true);
  });
});
