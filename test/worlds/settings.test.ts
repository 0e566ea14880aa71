/** Devices that are set over the air (docs/model.md, Settings; docs/decisions/0064). */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TimedCommand } from '../../core/command.ts';
import { type Run, World } from '../../core/world/world.ts';
import { toHex } from '../../sim/base/bytes.ts';
import { SETTINGS_PROTOCOLS } from '../../sim/base/device-settings.ts';
import type { Column } from '../../sim/kernel/columns.ts';
import { DevRebootCountdownReq } from '../../sim/lorawan/packages/ts006-firmware.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { Bench } from '../support/bench.ts';
import { classBNetwork } from '../support/class-b-world.ts';
import { someRuns } from '../support/long.ts';
import { Listener } from '../support/news-listener.ts';
import {
  beginsOf,
  groundTruthOf,
  heardAt,
  OWN,
  PORT,
  run,
  type Said,
  saidBy,
  set,
  settable,
  settingsSaid,
} from '../support/settings-world.ts';
import { HOUR_US, MINUTE_US, networkOf, SECOND_US } from '../support/small-network.ts';
import { throughBytes } from '../support/worlds.ts';

const DAY_US = 24 * HOUR_US;
const [AT_US, TWICE_US] = [5.5 * MINUTE_US, 10.5 * MINUTE_US];

/** As settings were before anybody set any. */
const AS_CREATED = { uplinkPeriod: 60, payloadBytes: 10, confirmedUplinks: false, uplinkPort: OWN };

const pauses = (times: readonly number[]): number[] =>
  times.slice(1).map((atUs, i) => atUs - times[i]!);

/** What a device says of its own accord once it heard the first downlink. */
const laterOwn = (heard: ReturnType<typeof run>): Said[] => {
  const [firstUs] = heardAt(heard);
  return saidBy(heard).filter(
    ({ fPort, endedAtUs }) => fPort !== null && fPort !== PORT && endedAtUs > firstUs!,
  );
};

const command = (atUs: number, command: object): TimedCommand =>
  ({ atUs, command: { ...command, by: 'default' } }) as TimedCommand;

describe('a parameter', () => {
  it('uplinkPeriod is the pause from then on, counted from the latest uplink', () => {
    const heard = run(settable('silent'), [set(AT_US, '01000078')]);
    const begins = beginsOf(heard);
    const latest = begins.filter((atUs) => atUs < heardAt(heard)[0]!);
    expect(new Set(pauses(latest))).toEqual(new Set([MINUTE_US]));
    const from = begins.slice(latest.length - 1);
    expect(from.length).toBeGreaterThan(20);
    expect(new Set(pauses(from))).toEqual(new Set([2 * MINUTE_US]));
    expect(groundTruthOf(heard)).toEqual({
      settings: { ...AS_CREATED, uplinkPeriod: 120 },
      taken: 1,
      ignored: 0,
    });
  });

  it('uplinkPeriod that is over already makes the device speak at once', () => {
    const wanted = { type: { deviceClass: 'C' as const }, traffic: { meanUs: 2 * HOUR_US } };
    const [firstUs] = beginsOf(run(settable('silent', wanted), [], 2 * HOUR_US));
    const heard = run(
      settable('silent', wanted),
      [set(firstUs! + 20 * MINUTE_US, '0100000a')],
      firstUs! + 30 * MINUTE_US,
    );
    const [heardUs] = heardAt(heard);
    const [, second, third] = beginsOf(heard);
    expect(second! - heardUs!).toBeLessThan(SECOND_US);
    expect(third! - second!).toBe(10 * SECOND_US);
  });

  it('payloadBytes is the length of its messages, 0 and 222 among them', () => {
    for (const [hex, bytes] of [
      ['0200', 0],
      ['02de', 222],
    ] as const) {
      const heard = run(settable('silent'), [set(AT_US, hex)]);
      expect(new Set(laterOwn(heard).map((said) => said.bytes))).toEqual(new Set([bytes]));
      expect(groundTruthOf(heard).settings).toEqual({ ...AS_CREATED, payloadBytes: bytes });
    }
  });

  it('confirmedUplinks makes them ask for an acknowledgement, and no longer', () => {
    const heard = run(settable('silent'), [set(AT_US, '0301'), set(30 * MINUTE_US, '0300')]);
    const [onUs, offUs] = heardAt(heard).filter((_, i, all) => i === 0 || i === all.length - 1);
    const between = laterOwn(heard).filter(({ endedAtUs }) => endedAtUs < 30 * MINUTE_US);
    expect(between.length).toBeGreaterThan(15);
    expect(between.every(({ confirmed }) => confirmed)).toBe(true);
    const after = laterOwn(heard).filter(({ endedAtUs }) => endedAtUs > 35 * MINUTE_US);
    expect(after.some(({ confirmed }) => confirmed)).toBe(false);
    expect(onUs).toBeLessThan(offUs!);
    expect(groundTruthOf(heard).settings).toEqual(AS_CREATED);
  });

  it('uplinkPort is their FPort', () => {
    const heard = run(settable('silent'), [set(AT_US, '0463')]);
    expect(new Set(laterOwn(heard).map(({ fPort }) => fPort))).toEqual(new Set([99]));
  });

  it('sets the mean pause of exponential traffic', () => {
    const traffic = { process: 'exponential' as const, meanUs: 10 * MINUTE_US };
    const heard = run(settable('silent', { traffic }), [set(HOUR_US, '01000014')], 24 * HOUR_US);
    const [heardUs] = heardAt(heard);
    const after = pauses(beginsOf(heard).filter((atUs) => atUs > heardUs!));
    const mean = after.reduce((sum, pause) => sum + pause, 0) / after.length;
    expect(after.length).toBeGreaterThan(3_000);
    // A pause begins when the message before it is over, and 4 000 of them err by 1.6 % each way.
    expect(mean).toBeGreaterThan(19.2 * SECOND_US);
    expect(mean).toBeLessThan(21.2 * SECOND_US);
  });

  it('keeps its jitter, and the device’s clock measures it', () => {
    const wanted = { type: { driftPpb: 5_000_000 }, traffic: { jitterPpm: 200_000 } };
    const heard = run(settable('silent', wanted), [set(AT_US, '01000078')], 10 * HOUR_US);
    const { driftPpb } = heard.trace.of('deviceStarts')[0]!;
    const [heardUs] = heardAt(heard);
    const after = pauses(beginsOf(heard).filter((atUs) => atUs > heardUs!));
    const local = after.map((pause) => (pause * (1 + driftPpb / 1e9)) / MINUTE_US);
    expect(Math.min(...local)).toBeGreaterThan(1.599);
    expect(Math.max(...local)).toBeLessThan(2.401);
    expect(Math.max(...local) - Math.min(...local)).toBeGreaterThan(0.7);
  });
});

describe('a downlink on the port of settings', () => {
  const wrong = [
    ['nothing', ''],
    ['an unknown tag', '0500'],
    ['a value cut short', '010000'],
    ['a tag without a value', '02'],
    ['a byte too many', '021800'],
    ['a period below 10 s', '01000009'],
    ['223 bytes', '02df'],
    ['neither yes nor no', '0302'],
    ['FPort 0', '0400'],
    ['FPort 224', '04e0'],
    ['the port of settings itself', '0455'],
    ['the port of a package', '04c9'],
  ] as const;

  it.each(wrong)('with %s is ignored whole, counted, and nothing is said of it', (_, hex) => {
    for (const protocol of SETTINGS_PROTOCOLS) {
      const timeline = [set(AT_US, hex)];
      const [without, heard] = [
        run(settable(protocol), [], HOUR_US / 2),
        run(settable(protocol), timeline, HOUR_US / 2),
      ];
      expect(heardAt(heard)).toHaveLength(1);
      expect(saidBy(heard)).toEqual(saidBy(without));
      expect(groundTruthOf(heard)).toEqual({ settings: AS_CREATED, taken: 0, ignored: 1 });
    }
  });

  it('with a good parameter before a bad one is ignored whole', () => {
    const heard = run(settable('report'), [set(AT_US, '02180302')]);
    expect(groundTruthOf(heard)).toEqual({ settings: AS_CREATED, taken: 0, ignored: 1 });
  });

  it('with the same parameter twice is ignored, even with one value', () => {
    const heard = run(settable('report'), [set(AT_US, '02180218')]);
    expect(groundTruthOf(heard)).toMatchObject({ taken: 0, ignored: 1 });
  });

  it('with several parameters is taken by devices that report, and ignored by others', () => {
    const all = '010000780218030104' + '63';
    for (const protocol of SETTINGS_PROTOCOLS) {
      const heard = run(settable(protocol), [set(AT_US, all)]);
      const takes = protocol === 'report';
      expect(groundTruthOf(heard)).toEqual({
        settings: takes
          ? { uplinkPeriod: 120, payloadBytes: 24, confirmedUplinks: true, uplinkPort: 99 }
          : AS_CREATED,
        taken: takes ? 1 : 0,
        ignored: takes ? 0 : 1,
      });
    }
  });

  it('is an application’s for a device that is not set over the air: it echoes it', () => {
    const heard = run(networkOf({}), [set(AT_US, '0218')]);
    expect(settingsSaid(heard)).toEqual(['0218']);
    expect(groundTruthOf(heard)).toEqual({ settings: null, taken: 0, ignored: 0 });
  });

  it('is never answered by rules, and rules answer on other ports as before', () => {
    const plan = settable('silent', { type: { answers: [{ sendFPort: 50 }] } });
    const other = set(TWICE_US, '0218');
    const onFive = { ...other, command: { ...other.command, fPort: 5 } } as TimedCommand;
    const heard = run(plan, [set(AT_US, '0218'), onFive]);
    expect(saidBy(heard).filter(({ fPort }) => fPort === 50)).toHaveLength(1);
  });

  it('in a multicast frame sets nobody', () => {
    const network = settable('echo', { type: { deviceClass: 'C' } });
    const bench = new Bench(network);
    const { devEui } = network.devices[0]!;
    const [mcAddr, key] = [0x0100_0000, new Uint8Array(16)];
    const channel = { frequencyHz: 869_525_000, dataRate: 5 };
    const group = { mcAddr, mcNwkSKey: key, mcAppSKey: key, ...channel };
    bench.request({ kind: 'group.open', group });
    bench.request({ kind: 'group.join', mcAddr, devEui, fCnt: 0 });
    bench.runUntil(90 * SECOND_US);
    const { eui: gatewayEui } = network.gateways[0]!;
    const payload = Uint8Array.of(2, 24);
    const startsAtUs = 91 * SECOND_US;
    const copy = { mcAddr, gatewayEui, fCnt: 0, fPort: PORT, payload, startsAtUs };
    bench.request({ kind: 'multicast.send', ...copy });
    bench.runUntil(10 * MINUTE_US);
    bench.network.settle(bench.nowUs);
    expect(bench.trace.of('multicastDecided').map(({ fate }) => fate)).toEqual(['heard']);
    expect(bench.view.device(devEui)).toMatchObject({
      settings: AS_CREATED,
      settingsDownlinks: { taken: 0, ignored: 0 },
    });
  });
});

describe('a device that is silent', () => {
  it('says nothing of settings, and keeps its messages as they would have been', () => {
    const [without, heard] = [[], [set(AT_US, '0463')]].map((each) =>
      run(settable('silent'), each),
    );
    expect(settingsSaid(heard!)).toEqual([]);
    expect(beginsOf(heard!)).toEqual(beginsOf(without!));
  });
});

describe('a device that echoes', () => {
  it('sends the payload back on the same FPort in place of its next message', () => {
    const heard = run(settable('echo'), [set(AT_US, '01000078')]);
    const [heardUs] = heardAt(heard);
    const next = saidBy(heard).find(({ endedAtUs }) => endedAtUs > heardUs! + SECOND_US);
    expect(next!.what).toBe(`${PORT}:01000078`);
    expect(settingsSaid(heard)).toEqual(['01000078']);
  });

  it('echoes two downlinks that it hears before it speaks, in their order', () => {
    const wanted = { type: { deviceClass: 'C' as const }, traffic: { meanUs: 10 * MINUTE_US } };
    const [firstUs] = beginsOf(run(settable('echo', wanted)));
    const at = (seconds: number) => firstUs! + seconds * SECOND_US;
    const timeline = [set(at(60), '0218'), set(at(70), '0301'), set(at(80), '02ff')];
    const heard = run(settable('echo', wanted), timeline, 2 * HOUR_US);
    expect(settingsSaid(heard)).toEqual(['0218', '0301']);
    expect(
      saidBy(heard)
        .map(({ fPort }) => fPort)
        .slice(0, 4),
    ).toEqual([OWN, PORT, PORT, OWN]);
    expect(groundTruthOf(heard)).toMatchObject({ taken: 2, ignored: 1 });
  });
});

describe('a device that echoes what it hears twice', () => {
  it('echoes it once while that waits, and again when it hears it later', () => {
    const wanted = { type: { deviceClass: 'C' as const }, traffic: { meanUs: 10 * MINUTE_US } };
    const [firstUs] = beginsOf(run(settable('echo', wanted)));
    const at = (seconds: number) => firstUs! + seconds * SECOND_US;
    const payloads = ['0218', '0301', '0218', '0218', '0301'];
    const timeline = payloads.map((hex, i) => set(at(60 + 10 * i), hex));
    const heard = run(settable('echo', wanted), [...timeline, set(at(1_300), '0218')], 2 * HOUR_US);
    expect(settingsSaid(heard)).toEqual(['0218', '0301', '0218']);
    expect(groundTruthOf(heard)).toMatchObject({ taken: 6, ignored: 0 });
  });
});

describe('a device that reports', () => {
  const REPORT = '0100003c020a03000407';
  const otaa = { type: { activation: 'otaa' as const } };

  it.each([
    ['a start', {}],
    ['a join', otaa],
  ] as const)('reports all in its first message after %s', (_, wanted) => {
    const heard = run(settable('report', wanted));
    expect(saidBy(heard)[0]!.what).toBe(`${PORT}:${REPORT}`);
    expect(settingsSaid(heard)).toEqual([REPORT]);
  });

  it('reports all after each change, as it is when the message goes out', () => {
    const heard = run(settable('report'), [set(AT_US, '021803010463'), set(TWICE_US, '020c')]);
    expect(settingsSaid(heard)).toEqual([REPORT, '0100003c021803010463', '0100003c020c03010463']);
  });

  it('reports it once where two changes come before it speaks', () => {
    const wanted = { type: { deviceClass: 'C' as const }, traffic: { meanUs: 10 * MINUTE_US } };
    const [firstUs] = beginsOf(run(settable('report', wanted)));
    const timeline = [60, 70].map((seconds, i) =>
      set(firstUs! + seconds * SECOND_US, ['0218', '0463'][i]!),
    );
    const heard = run(settable('report', wanted), timeline, 2 * HOUR_US);
    expect(settingsSaid(heard).slice(1)).toEqual(['01000258021803000463']);
  });

  it('reports it again when it is sent what it is set to already: its report may be lost', () => {
    const heard = run(settable('report'), [set(AT_US, '020a')]);
    expect(settingsSaid(heard)).toEqual([REPORT, REPORT]);
    expect(groundTruthOf(heard)).toEqual({ settings: AS_CREATED, taken: 1, ignored: 0 });
  });

  it('reports it once a day besides', () => {
    const heard = run(settable('report', { traffic: { meanUs: HOUR_US } }), [], 5 * DAY_US);
    const reports = saidBy(heard).filter(({ fPort }) => fPort === PORT);
    expect(reports).toHaveLength(5);
    expect(
      new Set(pauses(reports.map(({ endedAtUs }) => Math.round(endedAtUs / HOUR_US)))),
    ).toEqual(new Set([24]));
  });

  it('confirms a report as it would have its message', () => {
    const heard = run(settable('report', { traffic: { confirmedPpm: 1_000_000 } }));
    expect(saidBy(heard)[0]).toMatchObject({ fPort: PORT, confirmed: true });
  });
});

describe('settings', () => {
  it('are in flash: a commanded reboot keeps them, and a device that reports reports so', () => {
    const countdown = toHex(DevRebootCountdownReq.encode({ countdown: 5 }));
    const reboots = set(TWICE_US, countdown);
    const at203 = { ...reboots, command: { ...reboots.command, fPort: 203 } } as TimedCommand;
    const heard = run(settable('report'), [set(AT_US, '0218'), at203]);
    expect(settingsSaid(heard).slice(1)).toEqual(['0100003c021803000407', '0100003c021803000407']);
    expect(groundTruthOf(heard).settings).toEqual({ ...AS_CREATED, payloadBytes: 24 });
  });

  it('stay over a join anew, and a device that reports reports them', () => {
    const network = settable('report', { type: { activation: 'otaa' } });
    const plan = { name: 'end', description: '', durationUs: 2 * HOUR_US, network };
    const timeline = [set(AT_US, '0218')];
    const world = World.create({ ...plan, timeline }, 'small');
    world.runUntil(20 * MINUTE_US);
    const snapshot = structuredClone(world.snapshot());
    const { devices, registrations } = snapshot.network.sides;
    // The session has no counters left.
    devices.table.columns.fCntUp![0] = 0xffff_ffff;
    registrations.table.columns.fCntUp![0] = 0xffff_fffe;
    const listener = new Listener();
    const { news } = listener;
    const ended = World.restore({ ...plan, timeline }, 'small', snapshot, { news });
    ended.runUntil(2 * HOUR_US);
    const lines = listener.ups.flatMap(({ data }) =>
      data?.fPort === PORT ? toHex(data.payload) : [],
    );
    expect(lines).toEqual(['0100003c021803000407']);
    expect(ended.result().devices.joinRequests).toBe(2);
    expect(groundTruthOf({ world: ended }).settings).toEqual({ ...AS_CREATED, payloadBytes: 24 });
  });

  it('stay over a rejoin request, which is no start: nothing is reported anew', () => {
    const type = { activation: 'otaa' as const, lorawan: '1.1' as const };
    const [device] = networkOf({}).devices;
    const { devEui } = device!;
    // ForceRejoinReq of type 0.
    const asks = command(TWICE_US, { kind: 'mac.request', devEui, commandsHex: '0e0301' });
    const heard = run(settable('report', { type }), [set(AT_US, '0218'), asks]);
    const accepts = heard.trace.of('deviceReceives').filter(({ purpose }) => purpose === 'join');
    expect(accepts).toHaveLength(2);
    expect(settingsSaid(heard)).toHaveLength(2);
    expect(groundTruthOf(heard).settings).toEqual({ ...AS_CREATED, payloadBytes: 24 });
  });

  it('begin anew with a device that was removed and is created again', () => {
    const [device] = networkOf({}).devices;
    const { devEui } = device!;
    const heard = run(settable('silent'), [
      set(AT_US, '0218'),
      command(20 * MINUTE_US, { kind: 'device.remove', devEui }),
      command(20 * MINUTE_US, { kind: 'device.create', device }),
    ]);
    expect(groundTruthOf(heard)).toEqual({ settings: AS_CREATED, taken: 0, ignored: 0 });
  });

  it('are of one device alone, by the protocol of its type', () => {
    const one = settable('silent', { devices: 3 });
    const [type] = one.deviceTypes;
    const other = { fPort: 86, protocol: 'report' as const };
    const network: NetworkPlan = {
      ...one,
      deviceTypes: [type!, { ...type!, name: 'other', settings: other }],
      devices: one.devices.map((device, i) => ({ ...device, type: i === 1 ? 1 : 0 })),
    };
    const [first, second] = [set(AT_US, '0218', 1), set(AT_US, '02180463', 2)];
    const on86 = { ...second!, command: { ...second!.command, fPort: 86 } } as TimedCommand;
    const heard = run(network, [first!, on86]);
    expect(groundTruthOf(heard, 1).settings).toEqual({ ...AS_CREATED, payloadBytes: 24 });
    expect(groundTruthOf(heard, 2).settings).toEqual({
      ...AS_CREATED,
      payloadBytes: 24,
      uplinkPort: 99,
    });
    expect(groundTruthOf(heard, 3).settings).toEqual(AS_CREATED);
  });

  it.each([
    ['A', settable],
    ['C', settable],
    ['B', undefined],
  ] as const)('reach devices of class %s, counted and real frames alike', (deviceClass, make) => {
    for (const protocol of SETTINGS_PROTOCOLS) {
      const outcomes = (['counted', 'real'] as const).map((frames) => {
        const wanted = { frames, type: { deviceClass, lorawan: '1.1' as const } };
        const settings = { fPort: PORT, protocol };
        const network = make?.(protocol, wanted) ?? {
          ...classBNetwork({ frames, type: { settings } }),
        };
        const heard = run(network, [set(20 * MINUTE_US, '01000078', 1, true)], HOUR_US);
        expect(groundTruthOf(heard).settings?.uplinkPeriod).toBe(120);
        return (heard.world as World).digest().outcome;
      });
      expect(outcomes[1]).toBe(outcomes[0]);
    }
  });

  it('that make messages too long for their data rate make them empty frames', () => {
    const wanted = { type: { dataRate: { from: 'fixed' as const, dataRate: 0 } } };
    const heard = run(settable('report', wanted), [
      set(AT_US, '0234'),
      set(30 * MINUTE_US, '0233'),
    ]);
    const sent = saidBy(heard).filter(({ endedAtUs }) => endedAtUs > 10 * MINUTE_US);
    const [early, late] = [29, 40].map((minute) =>
      sent.filter(({ endedAtUs }) => Math.abs(endedAtUs / MINUTE_US - minute) < 8),
    );
    expect(new Set(early!.map(({ what }) => what))).toContain('null:');
    // Its report is short, whatever its messages are.
    expect(settingsSaid(heard)).toContain('0100003c023403000407');
    expect(new Set(late!.map(({ bytes }) => bytes))).toContain(51);
  });

  it('that come between the tries of a confirmed message leave the message as it is', () => {
    // Nothing is acknowledged; class C hears the downlink between two tries.
    const network = settable('silent', {
      type: { deviceClass: 'C', confirmedTries: 8 },
      traffic: { confirmedPpm: 1_000_000, meanUs: 20 * SECOND_US },
    });
    const deaf = {
      ...network,
      deviceTypes: [{ ...network.deviceTypes[0]!, frameLossPpm: 600_000 }],
    };
    const timeline = Array.from({ length: 200 }, (_, i) =>
      set((60 + 20 * i) * SECOND_US, i % 2 === 0 ? '0218' : '0463'),
    );
    // The laws of repetitions hold: they keep their bytes.
    const { trace } = run(deaf, timeline, 2 * HOUR_US);
    const between = trace.of('settingsTaken').filter(({ atUs }) => {
      const uplinks = trace.of('uplinkBegins');
      const before = uplinks.findLast((row) => row.atUs < atUs);
      const after = uplinks.find((row) => row.atUs > atUs);
      return after?.counter === before?.counter;
    });
    expect(between.length).toBeGreaterThan(3);
  });
});

describe('a world with settings', () => {
  const network = settable('report', { devices: 4, type: { deviceClass: 'C' } });
  const timeline = [
    ...[1, 2, 3, 4].map((device) => set(AT_US, '01000014', device)),
    ...[1, 2, 3, 4].map((device) => set(AT_US + 3 * SECOND_US, '02180301', device)),
    ...[1, 2, 3, 4].map((device) => set(TWICE_US, '0463', device)),
  ];
  const plan = { name: 'set', description: '', durationUs: HOUR_US / 2, network, timeline };
  const digestOf = (world: Run) => world.digest();
  const atOnce = World.create(plan, 'a');
  atOnce.runUntil(HOUR_US / 2);
  const straight = digestOf(atOnce);

  function ended(way: (world: Run) => Run = (world) => world): Run {
    let world: Run = World.create(plan, 'a');
    for (let atUs = 7 * SECOND_US; atUs < HOUR_US / 2; atUs += 67 * SECOND_US) {
      world.runUntil(atUs);
      world = way(world);
    }
    world.runUntil(HOUR_US / 2);
    return world;
  }

  it('produces the same digest in slices, through snapshots as bytes, and by forks', () => {
    const ways: ((world: Run) => Run)[] = [
      (world) => world,
      (world) => World.restore(plan, 'a', throughBytes(world.snapshot())),
      (world) => world.fork(),
      (world) => {
        for (const device of [1, 2, 3, 4]) groundTruthOf({ world }, device);
        return world;
      },
    ];
    for (const way of ways) expect(digestOf(ended(way))).toEqual(straight);
  });

  it('has what devices are set to in its digest', () => {
    const same = structuredClone(atOnce.snapshot());
    expect(digestOf(World.restore(plan, 'a', same))).toEqual(straight);
    const columns = Object.keys(same.network.sides.settings.columns);
    expect(columns.length).toBeGreaterThan(7);
    for (const column of columns) {
      const other = structuredClone(atOnce.snapshot());
      const saved = other.network.sides.settings as {
        rows: number;
        columns: Record<string, Column>;
      };
      // Of a column whose rows are alike one is stored.
      const stored = saved.columns[column]!;
      const isWhole = stored.length === saved.rows;
      const values = isWhole ? stored : Float64Array.from({ length: saved.rows }, () => stored[0]!);
      values[2]!++;
      saved.columns[column] = values;
      expect(digestOf(World.restore(plan, 'a', other)).outcome).not.toBe(straight.outcome);
    }
  });

  it('leads a device by any settings to what the last of each parameter says', () => {
    const parameter = fc.oneof(
      fc.integer({ min: 10, max: 300 }).map((period) => ({ uplinkPeriod: period })),
      fc.integer({ min: 0, max: 222 }).map((bytes) => ({ payloadBytes: bytes })),
      fc.boolean().map((confirmed) => ({ confirmedUplinks: confirmed })),
      fc.integer({ min: 86, max: 199 }).map((port) => ({ uplinkPort: port })),
    );
    const hexOf = (given: object): string => {
      const [name, value] = Object.entries(given)[0]!;
      const tag = ['', 'uplinkPeriod', 'payloadBytes', 'confirmedUplinks', 'uplinkPort'].indexOf(
        name,
      );
      return `0${tag}${Number(value)
        .toString(16)
        .padStart(tag === 1 ? 6 : 2, '0')}`;
    };
    fc.assert(
      fc.property(
        fc.constantFrom(...SETTINGS_PROTOCOLS),
        fc.array(parameter, { minLength: 1, maxLength: 6 }),
        (protocol, given) => {
          const wanted = { type: { deviceClass: 'C' as const }, gateway: { dutyCycle: false } };
          const one = settable(protocol, wanted);
          const sent = given.map((each, i) => set((120 + 20 * i) * SECOND_US, hexOf(each)));
          const heard = run(one, sent, HOUR_US);
          const settings = Object.assign({ ...AS_CREATED }, ...given);
          expect(groundTruthOf(heard)).toEqual({ settings, taken: given.length, ignored: 0 });
          const own = beginsOf(heard).filter((atUs) => atUs > 20 * MINUTE_US);
          // Repetitions aside, the period measured on the air is the period that was set.
          expect(new Set(pauses(own).map((pause) => Math.round(pause / SECOND_US)))).toEqual(
            new Set([settings.uplinkPeriod]),
          );
        },
      ),
      { numRuns: someRuns(25) },
    );
  });
});
