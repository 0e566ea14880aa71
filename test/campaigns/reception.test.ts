/** What a device hears of a session, and what it misses (architecture: downlink reception). */
import { describe, expect, it } from 'vitest';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { MINUTE_US, SECOND_US, type Trace } from '../support/small-network.ts';
import {
  type RowOf,
  runCampaign,
  SET_UP_S,
  STARTS_AT_US,
  takenBy,
  upTo,
  type WantedCampaign,
} from './notation.ts';

/** Speaks so seldom that no uplink falls in the session; class C, so it is set up all the same. */
const SILENT: WantedCampaign = {
  type: { deviceClass: 'C' },
  traffic: { meanUs: 400 * SECOND_US },
};

/** Multicast frames that went on air, with their places in time. */
function fragmentsSent(trace: Trace) {
  const planned = trace.of('downlinkPlanned').filter(({ purpose }) => purpose === 'multicast');
  return trace.of('downlinkBegins').flatMap((begins) => {
    const plan = planned.find(
      ({ gateway, downlink }) => gateway === begins.gateway && downlink === begins.downlink,
    );
    const span = { fromUs: begins.atUs, untilUs: begins.atUs + begins.airtimeUs };
    return plan === undefined ? [] : [{ fragmentNumber: plan.counter + 1, ...span }];
  });
}

interface Span {
  readonly fromUs: number;
  readonly untilUs: number;
}

const meets = (a: Span, b: Span): boolean => a.fromUs < b.untilUs && b.fromUs < a.untilUs;

/** When a class A device sends or has a window open; its windows are not on the group's channel. */
function deafTimes(trace: Trace, device: string): Span[] {
  const of = (row: RowOf<'uplinkBegins'> | RowOf<'receiveWindows'>) => row.device === device;
  const sent = trace.of('uplinkBegins').filter(of);
  const windows = trace.of('receiveWindows').filter(of);
  return [
    ...sent.map(({ atUs, airtimeUs }) => ({ fromUs: atUs, untilUs: atUs + airtimeUs })),
    ...windows.flatMap(({ rx1, rx2 }) =>
      [rx1, rx2].map(({ opensAtUs, closesAtUs }) => ({ fromUs: opensAtUs, untilUs: closesAtUs })),
    ),
  ];
}

describe('a device that speaks in the session', () => {
  it('loses exactly the fragments that meet its transmission or its windows', () => {
    const trace = runCampaign({ devices: 4, imageBytes: 10_000 });
    for (const device of ['meter-1', 'meter-2', 'meter-3', 'meter-4']) {
      const deaf = deafTimes(trace, device);
      const sent = fragmentsSent(trace);
      const heard = sent.filter((fragment) => !deaf.some((span) => meets(span, fragment)));
      expect(heard.length).toBeLessThan(sent.length);
      expect(heard.length).toBeGreaterThan(150);
      expect(takenBy(trace, device)).toEqual(heard.map(({ fragmentNumber }) => fragmentNumber));
    }
  });
});

/** A correction of the clock by whole seconds, to a device that received the time twice before. */
const setClock = (seconds: number) => ({
  atUs: STARTS_AT_US + (SET_UP_S - 60) * SECOND_US,
  command: {
    kind: 'downlink.enqueue' as const,
    by: 'default',
    devEui: '0200000000000001',
    fPort: 202,
    payloadHex: `01${Buffer.from(Int32Array.of(seconds).buffer).toString('hex')}02`,
    confirmed: false,
  },
});

const opens = (trace: Trace) => trace.of('multicastSessionOpens')[0];

describe('the session', () => {
  it('begins when the clock of the device shows SessionTime', () => {
    for (const driftPpb of [0, 200_000]) {
      const trace = runCampaign({ ...SILENT, type: { ...SILENT.type, driftPpb } });
      const errorUs = opens(trace).opensAtUs - (STARTS_AT_US + (SET_UP_S + 2) * SECOND_US);
      // The clock was set to the whole second below, and runs wrong by 200 ppm since.
      const most = SECOND_US + (driftPpb / 1e9) * SET_UP_S * SECOND_US;
      expect(Math.abs(errorUs)).toBeLessThanOrEqual(most);
      expect(opens(trace).atUs).toBe(opens(trace).opensAtUs);
    }
  });

  it('lasts 2^TimeOut seconds of the clock of the device', () => {
    const trace = runCampaign({
      ...SILENT,
      devices: 5,
      type: { ...SILENT.type, driftPpb: 200_000 },
      campaign: { mcast_session_timeout: 1024 },
    });
    expect(trace.of('multicastSessionOpens')).toHaveLength(5);
    for (const { device, opensAtUs, closesAtUs } of trace.of('multicastSessionOpens')) {
      const { driftPpb } = trace.of('deviceStarts').find((row) => row.device === device)!;
      const trueUs = (1024 * SECOND_US) / (1 + driftPpb / 1e9);
      expect(Math.abs(closesAtUs - opensAtUs - trueUs)).toBeLessThanOrEqual(1);
    }
  });

  it('is heard from its first fragment on by a clock that is ahead', () => {
    const trace = runCampaign({ ...SILENT, commands: [setClock(5)] });
    expect(opens(trace).opensAtUs).toBeLessThan(STARTS_AT_US + (SET_UP_S - 2) * SECOND_US);
    expect(takenBy(trace, 'meter-1')).toEqual(upTo(20));
  });

  it('is missed in its first fragments by a clock that is late', () => {
    const trace = runCampaign({ ...SILENT, commands: [setClock(-21)] });
    const { opensAtUs } = opens(trace);
    const sent = fragmentsSent(trace);
    const later = sent.filter(({ fromUs }) => fromUs >= opensAtUs);
    expect(later.length).toBeLessThan(sent.length);
    expect(later.length).toBeGreaterThan(5);
    expect(takenBy(trace, 'meter-1')).toEqual(later.map(({ fragmentNumber }) => fragmentNumber));
    const missed = sent.length - later.length;
    expect(trace.world.result().campaigns[0].fragmentLosses).toEqual({ notListening: missed });
  });

  it('is not heard after 2^TimeOut seconds', () => {
    // A clock that is 40 s ahead begins early and leaves while the server still sends.
    const trace = runCampaign({
      ...SILENT,
      imageBytes: 3000,
      campaign: { mcast_session_timeout: 128, frag_send_delay: 2 },
      commands: [setClock(40)],
    });
    const { opensAtUs, closesAtUs } = opens(trace);
    expect(closesAtUs - opensAtUs).toBe(128 * SECOND_US);
    const sent = fragmentsSent(trace);
    const heard = sent.filter(({ fromUs, untilUs }) => fromUs > opensAtUs && untilUs <= closesAtUs);
    expect(heard.length).toBeLessThan(sent.length);
    expect(takenBy(trace, 'meter-1')).toEqual(heard.map(({ fragmentNumber }) => fragmentNumber));
  });
});

/** Gateways with these radiated powers, 1/100 dBm, all at the same distance. */
const powers =
  (...eirps: readonly number[]) =>
  (network: NetworkPlan): NetworkPlan => ({
    ...network,
    radio: { ...network.radio, pathLoss: { model: 'constant', lossDb: 100 } },
    gateways: network.gateways.map((one, i) => ({ ...one, maxEirpCentiDbm: eirps[i] })),
  });

const EUIS = ['06000000000001', '06000000000002', '06000000000003'].map(
  (eui) => eui.slice(0, 2) + '00' + eui.slice(2),
);

describe('two gateways that send a fragment at the same instant', () => {
  const campaign = { gateway_timing: 'simultaneous' as const };
  const two = { ...SILENT, campaign, gatewaysAt: [0, 0], group: { gateways: EUIS.slice(0, 2) } };
  const change =
    (simultaneousCopies: 'multipath' | 'capture', ...eirps: readonly number[]) =>
    (network: NetworkPlan): NetworkPlan => {
      const { radio, ...rest } = powers(...eirps)(network);
      const interference = { ...radio.interference, simultaneousCopies };
      return { ...rest, radio: { ...radio, interference } };
    };
  const fates = (trace: ReturnType<typeof runCampaign>): string[] =>
    trace.of('multicastDecided').map(({ fate }) => fate);

  it('are heard, where the strongest is captured, when one comes in 3 dB above the other', () => {
    const trace = runCampaign({ ...two, change: change('capture', 1600, 1300) });
    expect(fragmentsSent(trace)).toHaveLength(40);
    expect(takenBy(trace, 'meter-1')).toEqual(upTo(20));
  });

  it('are not, where the strongest is captured, when the difference is less', () => {
    const trace = runCampaign({ ...two, change: change('capture', 1600, 1301) });
    expect(takenBy(trace, 'meter-1')).toEqual([]);
    expect(trace.world.result().campaigns[0].fragmentLosses).toEqual({ interfered: 20 });
  });

  it('are heard as one signal far above the noise where they are echoes', () => {
    const trace = runCampaign({ ...two, change: change('multipath', 1600, 1600) });
    expect(fragmentsSent(trace)).toHaveLength(40);
    expect(takenBy(trace, 'meter-1')).toEqual(upTo(20));
  });

  it('fade, where they are echoes: each frame is heard or too weak by a draw of its own', () => {
    // Each alone is 3 dB below the sensitivity at DR5 (-124.5 dBm), both in phase 3 dB above.
    const faint = runCampaign({ ...two, change: change('multipath', -2750, -2750) });
    const heard = fates(faint).filter((fate) => fate === 'heard').length;
    expect(new Set(fates(faint))).toEqual(new Set(['heard', 'tooWeak']));
    // The sum is above it in half of all phases.
    expect(heard).toBeGreaterThan(4);
    expect(heard).toBeLessThan(16);
  });

  it('are one gateway, in every row, when only one is in reach', () => {
    const quick = { ...campaign, min_downlink_delay: 1 };
    const alone = (gateways: readonly string[], gatewaysAt: readonly number[]) =>
      runCampaign({ ...SILENT, campaign: quick, gatewaysAt, group: { gateways }, type: LOSSY });
    const [one, other] = [alone(EUIS.slice(0, 1), [0]), alone(EUIS.slice(0, 2), [0, 900_000])];
    expect(other.of('multicastDecided')).toEqual(one.of('multicastDecided'));
    expect(fates(one)).toHaveLength(20);
  });

  it('disturb each other, where they are echoes, once one is later than a part of a symbol', () => {
    // Clocks without GPS are off by a millisecond and more, a symbol at DR5.
    const trace = runCampaign({
      ...two,
      gateway: { clockErrorUs: 5000 },
      change: change('multipath', 1600, 1600),
    });
    const starts = fragmentsSent(trace).map(({ fromUs }) => fromUs);
    expect(new Set(starts).size).toBe(40);
    expect(new Set(fates(trace))).toEqual(new Set(['interfered']));
  });
});

const LOSSY = { frameLossPpm: 50_000 };

describe('gateways that send a fragment one after the other', () => {
  it('are heard once, each copy but the first is a repetition', () => {
    const trace = runCampaign({
      ...SILENT,
      gatewaysAt: [0, 0, 0],
      group: { gateways: EUIS },
      change: powers(1600, 1600, 1600),
    });
    expect(fragmentsSent(trace)).toHaveLength(60);
    const heard = trace.of('multicastDecided').filter(({ fate }) => fate === 'heard');
    expect(heard.length).toBeGreaterThan(20);
    expect(takenBy(trace, 'meter-1')).toEqual(upTo(20));
  });

  it('are heard by each its own when copies overlap', () => {
    // Three copies of 0.37 s, begun 0.33 s apart: the first meets the second, not the third.
    const trace = runCampaign({
      ...SILENT,
      traffic: { meanUs: 390 * SECOND_US },
      gatewaysAt: [0, 60_000, 120_000],
      group: { gateways: EUIS },
      imageBytes: 4200,
      campaign: { frag_size: 210, frag_send_delay: 1 },
      change: (network) => ({
        ...network,
        devices: [...network.devices, { ...network.devices[0], ...FAR[0] }],
        gateways: network.gateways.map((one) => ({ ...one, dutyCycle: false })),
      }),
    });
    expect(fragmentsSent(trace)).toHaveLength(60);
    expect(takenBy(trace, 'meter-1')).toEqual(upTo(20));
    expect(takenBy(trace, 'far')).toEqual(upTo(20));
  });
});

const FAR = [{ name: 'far', devEui: '02000000000000F1', xMeters: 119_900, yMeters: 0 }];

describe('a campaign with too little redundancy', () => {
  it('leaves devices behind for want of fragments, when nothing is repaired', () => {
    const trace = runCampaign({
      devices: 10,
      type: { frameLossPpm: 100_000 },
      campaign: { redundancy: 0.1 },
      minutes: 60,
    });
    const [{ failures, success, stage }] = trace.world.result().campaigns;
    expect(stage).toBe('FINISHED');
    const lacking = failures['missing fragments'] ?? 0;
    expect(lacking).toBeGreaterThan(2);
    expect(success + lacking).toBe(10);
  });

  it('is completed by repair', () => {
    const trace = runCampaign({
      devices: 10,
      type: { frameLossPpm: 100_000 },
      campaign: { redundancy: 0.1, individual_fragment_retransmit: 40 },
      minutes: 90,
    });
    const [{ success, repairs }] = trace.world.result().campaigns;
    expect(success).toBe(10);
    expect(repairs).toBeGreaterThan(10);
  });

  it('names those that heard nothing by the session that they missed', () => {
    const trace = runCampaign({
      ...SILENT,
      commands: [setClock(-600)],
      minutes: 60,
    });
    expect(takenBy(trace, 'meter-1')).toEqual([]);
    const [{ failures, fragmentLosses }] = trace.world.result().campaigns;
    expect(failures).toEqual({ 'session missed': 1 });
    expect(fragmentLosses).toEqual({ notListening: 20 });
    expect(opens(trace).opensAtUs).toBeGreaterThan(STARTS_AT_US + (SET_UP_S + 590) * SECOND_US);
    expect(trace.world.nowUs).toBe(60 * MINUTE_US);
  });

  it('counts of a second round what was missed in it, and nothing of the first', () => {
    const trace = runCampaign({
      devices: 6,
      type: { deviceClass: 'C', frameLossPpm: 100_000 },
      campaign: { automatic_retry_count: 1, automatic_retry_interval: 600 },
      minutes: 120,
    });
    const [{ rounds, fragmentLosses }] = trace.world.result().campaigns;
    expect(rounds).toBe(2);
    const sent = fragmentsSent(trace);
    const secondUs = sent[20]!.fromUs;
    const opened = trace.of('multicastSessionOpens').map(({ opensAtUs }) => opensAtUs);
    expect(opened.filter((atUs) => atUs > sent[19]!.fromUs && atUs < secondUs)).toHaveLength(5);
    const losses: Record<string, number> = {};
    for (const { fate } of trace.of('multicastDecided')) {
      if (fate !== 'heard') losses[fate] = (losses[fate] ?? 0) + 1;
    }
    expect(Object.keys(losses).sort()).toEqual(['frameLoss', 'ownUplink']);
    expect(fragmentLosses).toEqual(losses);
  });
});
