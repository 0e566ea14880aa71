/** Generated worlds and those of the library keep every law, judged from their traces alone. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { worlds } from '../../scenarios/testing/generators/arbitraries.ts';
import { listeners } from '../../scenarios/testing/generators/arbitrary-listeners.ts';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import { watchWorld } from '../../scenarios/trace.ts';
import type { TraceRow } from '../../sim/observation/observer.ts';
import type { DeviceTypePlan, NetworkPlan } from '../../sim/plan/network-plan.ts';
import { PATH_LOSSES, SIR_MATRICES } from '../../sim/radio/tables.ts';
import { libraryWorld } from '../support/library.ts';
import { IS_LONG, missing, quickly, sampled, someRuns } from '../support/long.ts';
import { SCENE_PLAN } from '../support/scene.ts';
import { networkOf } from '../support/small-network.ts';

/** How often each kind of row and each fate occurs. */
function census(rows: readonly TraceRow[]): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  const onAirUntilUs = new Map<string, number>();
  for (const row of rows) {
    count(row.kind);
    if (row.kind === 'uplinkBegins') onAirUntilUs.set(row.device, row.atUs + row.airtimeUs);
    if (row.kind === 'deviceRemoved' && (onAirUntilUs.get(row.device) ?? 0) > row.atUs) {
      count('removed on the air');
    }
    if (row.kind === 'uplinkEnds') for (const { fate } of row.gateways) count(`up ${fate}`);
    if (row.kind === 'downlinkEnds') for (const { fate } of row.devices) count(`down ${fate}`);
  }
  return counts;
}

/** What the generated worlds must have shown for their verdict to mean something. */
const SHOWN: Readonly<Record<string, number>> = {
  deviceStarts: 500,
  uplinkBegins: 5000,
  downlinkBegins: 500,
  downlinkRefused: 50,
  deviceReceives: 300,
  deviceRemoved: 50,
  'removed on the air': 2,
  deviceSwitchesClass: 8,
  deviceBehaves: 15,
  settingsTaken: 20,
  settingsIgnored: 10,
  gatewayStarts: 150,
  gatewayRemoved: 20,
  gatewayFault: 20,
  deviceFault: 15,
  deviceReboots: 5,
  'up received': 2000,
  'up tooWeak': 500,
  'up noPath': 100,
  'up halfDuplex': 100,
  'up interfered': 100,
  'up frameLoss': 100,
  'up offChannel': 100,
  'up radioFault': 20,
  'down received': 300,
  'down frameLoss': 20,
  'down notForMe': 5,
};

describe('every generated world', () => {
  it('keeps every law of the air, of regulation and of the standard', () => {
    const shown = new Map<string, number>();
    fc.assert(
      fc.property(worlds(), ({ plan, seed, commands }) => {
        const { rows, network } = watchWorld(plan, seed, commands).trace;
        for (const [what, count] of census(rows)) shown.set(what, (shown.get(what) ?? 0) + count);
        expect(judge(rows, network)).toEqual({});
      }),
      { numRuns: someRuns(100, 4) },
    );
    expect(missing(shown, SHOWN)).toEqual([]);
  });
});

/** What the worlds of listeners must have shown besides. */
const LISTENED: Readonly<Record<string, number>> = {
  beaconDecided: 1000,
  energyDrawn: 1000,
  deviceDies: 20,
  'to beacon': 50,
  'to classC': 10,
  'in slots': 50,
};

describe('every world of those who listen', () => {
  it('keeps every law, while gateways with GPS time are away for hours', () => {
    const shown = new Map<string, number>();
    const show = (what: string) => shown.set(what, (shown.get(what) ?? 0) + 1);
    fc.assert(
      fc.property(listeners(), ({ plan, seed, commands }) => {
        const { rows, network } = watchWorld(plan, seed, commands).trace;
        for (const row of rows) {
          show(row.kind);
          if (row.kind !== 'deviceListens') continue;
          show(`to ${row.to}`);
          if (row.slotPpb > 0) show('in slots');
        }
        expect(judge(rows, network)).toEqual({});
      }),
      { numRuns: someRuns(60, 4), endOnFailure: true },
    );
    expect(missing(shown, LISTENED)).toEqual([]);
  });
});

/** 60 busy devices around three gateways of 1, 4 and 7 paths, which talk across each other. */
function crowdedPlan(model: 'energy' | 'aloha'): NetworkPlan {
  const [otaa, abp] = SCENE_PLAN.deviceTypes as [DeviceTypePlan, DeviceTypePlan];
  const busy = { ...otaa.traffic, meanUs: 25_000_000, jitterPpm: 500_000 };
  const deviceTypes: DeviceTypePlan[] = [
    { ...otaa, adr: true, dataRate: { from: 'join' }, traffic: { ...busy, confirmedPpm: 300_000 } },
    { ...abp, nbTrans: 3, frameLossPpm: 20_000, traffic: { ...busy, process: 'exponential' } },
    { ...otaa, confirmedTries: 4, traffic: { ...busy, confirmedPpm: 1_000_000, payloadBytes: 40 } },
  ];
  const gateways = [0, 1, 2].map((i) => ({
    ...SCENE_PLAN.gateways[0]!,
    name: `gateway-${i}`,
    eui: `AA0000000000000${i}`,
    xMeters: 3000 * i,
    receptionPaths: 1 + 3 * i,
    antennaGainCentiDb: 200 * i,
  }));
  const devices = Array.from({ length: 60 }, (_, i) => ({
    name: `device-${i}`,
    devEui: `BB000000000000${i.toString(16).toUpperCase().padStart(2, '0')}`,
    xMeters: (i * 977) % 9000,
    yMeters: (i * 331) % 2500,
    type: i % 3,
  }));
  const interference = { model, sirCentiDb: SIR_MATRICES.goursaud, window: 'afterLock' } as const;
  const pathLoss = PATH_LOSSES.ns3LogDistance;
  const radio = { ...SCENE_PLAN.radio, pathLoss, shadowingSigmaDb: 4, interference };
  const server = { ...SCENE_PLAN.server, adr: true, rx1DelayS: 2, rx1DrOffset: 1, rx2DataRate: 3 };
  return { ...SCENE_PLAN, radio, gateways, deviceTypes, devices, server };
}

describe('a crowded network', () => {
  it.each(sampled(['energy', 'aloha'] as const, (model) => model === 'energy'))(
    'keeps every law, interference by %s',
    (model) => {
      const network = crowdedPlan(model);
      const durationUs = IS_LONG ? 3_600_000_000 : 1_200_000_000;
      const plan = { name: '', description: '', durationUs, network, timeline: [] };
      const { rows } = watchWorld(plan, 'crowd').trace;
      const seen = census(rows);
      for (const fate of ['up interfered', 'up noPath', 'up halfDuplex', 'down interfered']) {
        expect([fate, seen.get(fate) ?? 0]).toEqual([
          fate,
          expect.toSatisfy((n) => n > (IS_LONG ? 20 : 2)),
        ]);
      }
      expect(judge(rows, network)).toEqual({});
    },
  );
});

describe('a crowded place where who talks has listened', () => {
  it('keeps every law, the silence before each frame among them', () => {
    const type = { maxEirpCentiDbm: 1400 };
    const traffic = { meanUs: 5_000_000, process: 'exponential' } as const;
    const network = { ...networkOf({ devices: 40, type, traffic }), region: 'KR920' as const };
    const plan = { name: '', description: '', durationUs: 200_000_000, network, timeline: [] };
    const { rows } = watchWorld(plan, 'crowd').trace;
    expect(judge(rows, network)).toEqual({});
    expect(census(rows).get('uplinkBegins')).toBeGreaterThan(1000);
  });

  it('has a gateway refuse what it would send on a busy channel, and answer later', () => {
    const type = { maxEirpCentiDbm: 1400 };
    const traffic = { meanUs: 5_000_000, process: 'exponential', confirmedPpm: 1e6 } as const;
    const crowd = networkOf({ devices: 40, gatewaysAt: [10], type, traffic });
    const network = { ...crowd, region: 'KR920' as const };
    const plan = { name: '', description: '', durationUs: 200_000_000, network, timeline: [] };
    const { trace, result } = watchWorld(plan, 'crowd');
    expect(judge(trace.rows, network)).toEqual({});
    const { sent, refused, retried } = result.downlinks;
    expect(sent).toBeGreaterThan(100);
    expect((refused.channelBusy ?? 0) + (retried.channelBusy ?? 0)).toBeGreaterThan(5);
    // Nothing that was refused goes on the air, and the queue goes on.
    const nameOf = (row: { gateway: string; downlink: number }) => `${row.gateway} ${row.downlink}`;
    const busy = trace.rows.flatMap((row) =>
      row.kind === 'downlinkRefused' && row.reason === 'channelBusy' ? [nameOf(row)] : [],
    );
    const begun = new Set(
      trace.rows.flatMap((row) => (row.kind === 'downlinkBegins' ? [nameOf(row)] : [])),
    );
    expect(busy.filter((name) => begun.has(name))).toEqual([]);
  });
});

describe('the library', () => {
  const SHORTENED = [
    ['quickstart.yaml', 'duration=6 h'],
    ['campaigns/class-b.yaml', 'frames=counted'],
    ['campaigns/drifted-clocks.yaml', 'frames=counted'],
    ['campaigns/too-little-redundancy.yaml', 'devices.meter.count=40'],
    ['campaigns/five-thousand.yaml', 'devices.meter.count=100'],
    ['regions/us915.yaml', 'duration=4 h'],
    ['regions/as923-dwell.yaml', 'duration=6 h'],
    ['regions/kr920.yaml', 'duration=30 min'],
    ['validation/w1.yaml', 'duration=1 h'],
    ['validation/aloha-1000.yaml', 'duration=1 h'],
  ] as const;

  const tried = sampled(SHORTENED, ([file]) => /class-b|us915|as923/.test(file));

  it.each(quickly(tried, ([file]) => file.includes('us915')))(
    '%s keeps every law',
    (file, setting) => {
      const { plan, seed } = libraryWorld(file, [setting]);
      const { rows } = watchWorld(plan, seed).trace;
      expect(census(rows).get('uplinkEnds')).toBeGreaterThan(500);
      expect(judge(rows, plan.network)).toEqual({});
    },
  );
});
