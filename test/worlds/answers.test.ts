/** What devices answer to application downlinks (docs/model.md; docs/decisions/0048). */

import { describe, expect, it } from 'vitest';
import type { TimedCommand } from '../../core/command.ts';
import { World } from '../../core/world/world.ts';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import { toHex } from '../../sim/base/bytes.ts';
import { AppTimeAns } from '../../sim/lorawan/packages/ts003-clock-sync.ts';
import {
  McClassCSessionReq,
  McGroupSetupReq,
} from '../../sim/lorawan/packages/ts005-multicast-setup.ts';
import { DevRebootCountdownReq } from '../../sim/lorawan/packages/ts006-firmware.ts';
import type { AnswerRule } from '../../sim/plan/answer-rules.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { USUAL_PACKAGES } from '../../sim/plan/packages-plan.ts';
import { BENCH_START_UNIX_MS, Bench } from '../support/bench.ts';
import { classBNetwork } from '../support/class-b-world.ts';
import { type HeardRun, hearNetwork } from '../support/news-listener.ts';
import { savedColumn } from '../support/saved-columns.ts';
import {
  eui,
  HOUR_US,
  MINUTE_US,
  networkOf,
  SECOND_US,
  type Trace,
  type Wanted,
} from '../support/small-network.ts';

/** FPort of a device's own messages here. */
const OWN = 7;

const [HALF_US, LONG_US] = [MINUTE_US / 2, 15 * MINUTE_US];

const command = (atUs: number, command: Omit<TimedCommand['command'], 'by'>): TimedCommand =>
  ({ atUs, command: { ...command, by: 'default' } }) as TimedCommand;

/** An application downlink, written as its FPort and payload. */
const send = (atUs: number, what: string, device = 1, confirmed = false): TimedCommand => {
  const [fPort, payloadHex] = what.split(':');
  const devEui = eui('02', device);
  const kind = 'downlink.enqueue';
  return command(atUs, { kind, devEui, fPort: Number(fPort), payloadHex, confirmed } as never);
};

const behaves = (atUs: number, answers: object[] | null, device = 1): TimedCommand =>
  command(atUs, { kind: 'device.behaviour', devEui: eui('02', device), answers } as never);

/** Runs a network and listens to it; it keeps every law. */
function run(
  network: NetworkPlan,
  timeline: readonly TimedCommand[],
  durationUs = LONG_US,
): HeardRun {
  const sorted = [...timeline].sort((a, b) => a.atUs - b.atUs);
  const heard = hearNetwork(network, durationUs, sorted);
  expect(judge(heard.trace.rows, network)).toEqual({});
  return heard;
}

interface Said {
  readonly what: string;
  readonly ack: boolean;
  readonly confirmed: boolean;
  readonly endedAtUs: number;
}

/** The data frames of a device that the server accepted, in clear: `what` as `send` has it. */
const saidBy = ({ listener }: HeardRun, device = 1): Said[] =>
  listener.ups.flatMap(({ devEui, data, endedAtUs, verdict, type }) =>
    data === null || devEui !== eui('02', device) || verdict !== 'accepted'
      ? []
      : {
          what: `${data.fPort}:${toHex(data.payload)}`,
          ack: data.ack,
          confirmed: type === 'confirmedDataUp',
          endedAtUs,
        },
  );

/** What a device said that is not its own: neither on its own port nor empty, nor MAC commands. */
const answersOf = (heard: HeardRun, device = 1): string[] =>
  saidBy(heard, device)
    .map(({ what }) => what)
    .filter((what) => ![`${OWN}:`, 'null:', '0:'].some((port) => what.startsWith(port)));

const receivedAt = (trace: Trace): number[] =>
  trace.of('deviceReceives').flatMap(({ purpose, atUs }) => (purpose === 'data' ? [atUs] : []));

/** Messages that devices have dropped. */
const droppedBy = ({ world }: HeardRun): number[] =>
  savedColumn((world as World).snapshot().network.sides.devices.table, 'messagesDropped');

const ruled = (answers: readonly AnswerRule[], wanted: Wanted = {}): NetworkPlan =>
  networkOf({ ...wanted, type: { ...wanted.type, answers } });

describe('a device whose type says nothing', () => {
  const variants = (['A', 'B', 'C'] as const).flatMap((deviceClass) =>
    (['otaa', 'abp'] as const).flatMap((activation) =>
      (['1.0.2', '1.0.3', '1.0.4', '1.1'] as const).map((lorawan) => ({
        deviceClass,
        activation,
        lorawan,
      })),
    ),
  );
  const downlinks = ['5:0102', '5:0102', '223:', `1:${'a5'.repeat(51)}`, '225:00'];

  it.each(variants)(
    'sends each downlink back: class $deviceClass, $activation, $lorawan',
    (type) => {
      const make = type.deviceClass === 'B' ? classBNetwork : networkOf;
      const traffic = { meanUs: MINUTE_US };
      const outcomes = (['counted', 'real'] as const).map((frames) => {
        const network = make({ frames, devices: 2, type, traffic });
        // A ping slot may be missed: a confirmed one is sent, and answered, until its answer came.
        const timeline = downlinks.map((what, i) =>
          send((4 + 2 * i) * MINUTE_US, what, 1 + (i & 1), type.deviceClass === 'B'),
        );
        const heard = run(network, timeline);
        for (const device of [1, 2]) {
          const once = [...new Set(answersOf(heard, device))];
          expect(once).toEqual(downlinks.filter((_, i) => 1 + (i & 1) === device));
          if (type.deviceClass !== 'B') expect(answersOf(heard, device)).toEqual(once);
        }
        return (heard.world as World).digest().outcome;
      });
      expect(outcomes[1]).toBe(outcomes[0]);
    },
  );

  it('answers in its very next message, which is as it would have been but for its content', () => {
    // As long as its own payload.
    const echoed = send(3 * MINUTE_US, `9:${'ab'.repeat(10)}`);
    const [loud, silent] = [networkOf({}), ruled([])].map((network) => run(network, [echoed]));
    const shapeOf = ({ trace }: HeardRun) =>
      trace.of('uplinkBegins').map(({ phyPayload: _, ...row }) => row);
    expect(shapeOf(loud!)).toEqual(shapeOf(silent!));
    expect((loud!.world as World).events).toBe((silent!.world as World).events);
    const [heardAtUs] = receivedAt(loud!.trace);
    const next = saidBy(loud!).findIndex(({ endedAtUs }) => endedAtUs > heardAtUs!);
    expect(saidBy(loud!)[next]!.what).toBe(`9:${'ab'.repeat(10)}`);
    expect(answersOf(loud!)).toHaveLength(1);
    expect(answersOf(silent!)).toEqual([]);
  });

  it('acknowledges a confirmed downlink and answers it in one uplink', () => {
    const said = saidBy(run(networkOf({}), [send(3 * MINUTE_US, '9:01', 1, true)]));
    expect(said.filter(({ ack }) => ack).map(({ what }) => what)).toEqual(['9:01']);
  });

  it('sends an answer confirmed exactly where it would have sent its message so', () => {
    const traffic = { confirmedPpm: 500_000 };
    const sent = (answers: readonly AnswerRule[]) =>
      saidBy(
        run(
          ruled(answers, { traffic }),
          [3, 4, 5, 6, 7, 8, 9].map((minute) => send(minute * MINUTE_US, `9:${'ab'.repeat(10)}`)),
        ),
      );
    expect(sent([{}]).map(({ confirmed }) => confirmed)).toEqual(
      sent([]).map(({ confirmed }) => confirmed),
    );
  });

  it('answers what came while its message waited for the duty cycle', () => {
    // 51 bytes at DR0 take 2.8 s: after twelve of them the hour’s 36 s are used.
    const network = networkOf({
      type: { deviceClass: 'C', dutyCycle: true, dataRate: { from: 'fixed', dataRate: 0 } },
      traffic: { payloadBytes: 51, meanUs: MINUTE_US },
      gateway: { dutyCycle: false },
    });
    const quiet = { ...network, uplinkChannelsHz: [868_100_000] };
    const { trace } = run(quiet, [], 2 * HOUR_US);
    const begins = trace.of('uplinkBegins').map(({ atUs }) => atUs);
    const pauseAt = begins.findIndex((atUs, i) => begins[i + 1]! - atUs > 4 * MINUTE_US);
    const middleUs = Math.round((begins[pauseAt]! + begins[pauseAt + 1]!) / 2);
    const heard = run(quiet, [send(middleUs, '9:01')], 2 * HOUR_US);
    expect(saidBy(heard)[pauseAt + 1]!.what).toBe('9:01');
  });
});

describe('a rule', () => {
  const answersTo = (rules: readonly AnswerRule[], ...downlinks: string[]) =>
    answersOf(
      run(
        ruled(rules),
        downlinks.map((what, i) => send((i + 1) * MINUTE_US + HALF_US, what)),
      ),
    );

  it('that fits first answers, by FPort and by the whole payload', () => {
    const rules = [
      { onFPort: 5, onHex: '01AB', sendFPort: 9, sendHex: 'AA' },
      { onFPort: 5, onHex: '', sendHex: 'BB' },
      { onFPort: 5, sendHex: '' },
      { onHex: '03', sendFPort: 12 },
      { onFPort: 6, onHex: '03', sendFPort: 13 },
      { onFPort: 225, sendFPort: 223, sendHex: 'CD'.repeat(3) },
    ];
    expect(answersTo(rules, '5:01ab', '5:', '5:01', '6:03', '225:04', '6:04')).toEqual([
      '9:aa',
      '5:bb',
      '5:',
      '12:03',
      '223:cdcdcd',
    ]);
  });

  it('that does not fit answers nothing, and without rules nothing is answered', () => {
    expect(answersTo([{ onFPort: 5, sendHex: '01' }], '6:01', '5:ff')).toEqual(['5:01']);
    expect(answersTo([], '6:01', '5:ff')).toEqual([]);
  });

  it('never answers for a package, on whatever port that is, nor for MAC commands', () => {
    const { clockSync } = USUAL_PACKAGES;
    const packages = { ...USUAL_PACKAGES, clockSync: { ...clockSync, fPort: 50 } };
    const network = ruled([{ sendFPort: 99 }], { type: { packages } });
    const ports = [50, 200, 201, 203];
    const timeline = [
      ...ports.map((port, i) => send((i + 1) * MINUTE_US + HALF_US, `${port}:00`)),
      // What packages do not know they leave unanswered.
      ...ports.map((port, i) => send((i + 8) * MINUTE_US + HALF_US, `${port}:ff`)),
      command(7 * MINUTE_US, {
        kind: 'mac.request',
        devEui: eui('02', 1),
        commandsHex: '06'.repeat(16),
      } as never),
    ];
    const heard = run(network, timeline);
    expect(answersOf(heard).filter((what) => what.startsWith('99:'))).toEqual([]);
    // Each has an answer of its package.
    expect(new Set(answersOf(heard).map((what) => Number(what.split(':')[0])))).toEqual(
      new Set(ports),
    );
    const usual = run(network, [send(3 * MINUTE_US, '202:00')]);
    expect(answersOf(usual)).toEqual(['99:00']);
  });

  it('is of its own type, and of one device when that was given others', () => {
    const one = networkOf({ devices: 3, type: { answers: [{ sendHex: 'AA' }] } });
    const [type] = one.deviceTypes;
    const network = {
      ...one,
      deviceTypes: [type!, { ...type!, name: 'other', answers: [{ sendHex: 'BB' }] }],
      devices: one.devices.map((device, i) => ({ ...device, type: i === 1 ? 1 : 0 })),
    };
    const timeline = [1, 2, 3].flatMap((device) =>
      [2, 4, 6].map((minute) => send(minute * MINUTE_US, `5:0${minute}`, device)),
    );
    timeline.push(behaves(3 * MINUTE_US, [{ sendHex: 'cc' }], 3));
    timeline.push(behaves(5 * MINUTE_US, null, 3));
    const heard = run(network, timeline);
    expect(answersOf(heard, 1)).toEqual(['5:aa', '5:aa', '5:aa']);
    expect(answersOf(heard, 2)).toEqual(['5:bb', '5:bb', '5:bb']);
    expect(answersOf(heard, 3)).toEqual(['5:aa', '5:cc', '5:aa']);
  });
});

describe('an answer with a delay', () => {
  const DELAY_US = 10 * SECOND_US;
  const delayed = (wanted: Wanted = {}) => ruled([{ sendFPort: 9, delayUs: DELAY_US }], wanted);

  it.each([0, 20_000, 5_000_000])(
    'is an uplink of its own, so long after the downlink by a clock that errs by up to %d ppb',
    (driftPpb) => {
      const { trace } = run(delayed({ type: { driftPpb } }), [send(3 * MINUTE_US, '5:0102')]);
      const { driftPpb: drawn } = trace.of('deviceStarts')[0]!;
      expect(drawn === 0).toBe(driftPpb === 0);
      const [heardAtUs] = receivedAt(trace);
      const begins = trace.of('uplinkBegins').map(({ atUs }) => atUs);
      expect(begins).toContain(heardAtUs! + Math.round(DELAY_US / (1 + drawn / 1e9)));
    },
  );

  it('comes beside the device’s own messages, unconfirmed', () => {
    const wanted = { traffic: { confirmedPpm: 1_000_000 } };
    const [without, heard] = [ruled([], wanted), delayed(wanted)].map((network) =>
      run(network, [send(3 * MINUTE_US, '5:0102')]),
    );
    expect(saidBy(heard!).filter(({ what }) => what === '9:0102')).toMatchObject([
      { confirmed: false },
    ]);
    expect(saidBy(heard!)).toHaveLength(saidBy(without!).length + 1);
    const own = saidBy(heard!).filter(({ what }) => what !== '9:0102');
    expect(own.map(({ endedAtUs }) => endedAtUs)).toEqual(
      saidBy(without!).map(({ endedAtUs }) => endedAtUs),
    );
  });

  it.each([
    ['of 0 s, class A', networkOf({ type: { answers: [{ delayUs: 0 }] } })],
    ['of 0 s, class C', networkOf({ type: { answers: [{ delayUs: 0 }], deviceClass: 'C' } })],
    // It speaks of its ping slots, and is heard.
    ['that it lacks, without traffic', classBNetwork({ traffic: { process: 'none' } })],
  ])('begins as the downlink ends: %s', (_, network) => {
    const heard = run(network, [send(10 * MINUTE_US, '5:01')]);
    const heardAtUs = receivedAt(heard.trace).at(-1);
    const begins = heard.trace.of('uplinkBegins').map(({ atUs }) => atUs);
    expect(begins).toContain(heardAtUs);
    expect(answersOf(heard)).toEqual(['5:01']);
  });

  it('keeps the duty cycle', () => {
    const network = ruled([{ delayUs: 0, sendHex: 'A5'.repeat(51) }], {
      type: { deviceClass: 'C', dutyCycle: true, dataRate: { from: 'fixed', dataRate: 0 } },
      traffic: { meanUs: 12 * HOUR_US },
      gateway: { dutyCycle: false },
    });
    const one = { ...network, uplinkChannelsHz: [868_100_000] };
    const [first] = run(one, [], 24 * HOUR_US).trace.of('uplinkBegins');
    const at = (i: number) => first!.atUs + (20 + 20 * i) * SECOND_US;
    const count = Array.from({ length: 14 }, (_, i) => i);
    const timeline = count.map((i) => send(at(i), '5:01'));
    const heard = run(one, timeline, first!.atUs + 2 * HOUR_US);
    const answers = saidBy(heard).filter(({ what }) => what.startsWith('5:'));
    expect(answers).toHaveLength(14);
    // The law of budgets holds: after twelve of 2.8 s the hour’s 36 s are used.
    expect(answers[11]!.endedAtUs - at(11)).toBeLessThan(10 * SECOND_US);
    expect(answers[12]!.endedAtUs - at(12)).toBeGreaterThan(50 * MINUTE_US);
  });
});

describe('answers that wait', () => {
  /** Class C, which hears many downlinks between two of its messages. */
  const often = (rules: readonly AnswerRule[], periodUs = 10 * MINUTE_US) =>
    ruled(rules, {
      type: { deviceClass: 'C' },
      traffic: { meanUs: periodUs },
      gateway: { dutyCycle: false },
    });
  const numbered = (count: number, fromUs: number) =>
    Array.from({ length: count }, (_, i) =>
      send(fromUs + i * 6 * SECOND_US, `5:${i.toString(16).padStart(2, '0')}`),
    );
  const firstUs = run(often([]), []).trace.of('uplinkBegins')[0]!.atUs;

  it('ride one a message, in the order of their downlinks', () => {
    const heard = run(often([{}]), numbered(5, firstUs + MINUTE_US), 2 * HOUR_US);
    expect(answersOf(heard)).toEqual(['5:00', '5:01', '5:02', '5:03', '5:04']);
    expect(
      saidBy(heard)
        .map(({ what }) => what)
        .slice(1, 6),
    ).toEqual(answersOf(heard));
  });

  it('are 16 at most, riding or with a delay; what is beyond is dropped and counted', () => {
    const delayUs = HOUR_US;
    const rules = [{ onHex: '00', delayUs }, { onHex: '01', delayUs }, {}];
    const network = often(rules, 10 * MINUTE_US);
    const heard = run(network, numbered(20, firstUs + MINUTE_US), 4 * HOUR_US);
    const expected = Array.from({ length: 16 }, (_, i) => `5:${i.toString(16).padStart(2, '0')}`);
    expect(answersOf(heard).sort()).toEqual(expected);
    expect(droppedBy(heard)).toEqual([4]);
  });

  it('and do not fit the data rate are dropped, and an empty frame goes in their place', () => {
    const wanted = { type: { dataRate: { from: 'fixed' as const, dataRate: 0 } } };
    for (const [delayUs, more] of [
      [undefined, 0],
      [0, 1],
    ] as const) {
      const rule = { sendHex: 'A5'.repeat(52), ...(delayUs === undefined ? {} : { delayUs }) };
      const silent = run(ruled([], wanted), [send(3 * MINUTE_US, '5:01')]);
      const heard = run(ruled([rule], wanted), [send(3 * MINUTE_US, '5:01')]);
      expect(droppedBy(heard)).toEqual([1]);
      const empty = saidBy(heard).filter(({ what }) => what === 'null:');
      expect(empty).toHaveLength(1);
      expect(saidBy(heard)).toHaveLength(saidBy(silent).length + more);
    }
  });

  it('of 242 bytes go out whole at a data rate that carries them', () => {
    const long = 'C3'.repeat(242);
    const rules = [{ sendHex: long }];
    for (const frames of ['counted', 'real'] as const) {
      const heard = run({ ...ruled(rules), frames }, [send(3 * MINUTE_US, '5:01')]);
      expect(answersOf(heard)).toEqual([`5:${long.toLowerCase()}`]);
    }
  });

  it('stay when the device becomes class A, and go with a commanded reboot, counted', () => {
    const devEui = eui('02', 1);
    const toA = command(firstUs + 3 * MINUTE_US, {
      kind: 'device.class',
      devEui,
      deviceClass: 'A',
    } as never);
    const three = numbered(3, firstUs + MINUTE_US);
    const network = often([{ onHex: '01', delayUs: HOUR_US }, {}]);
    const switched = run(network, [...three, toA], 3 * HOUR_US);
    expect(answersOf(switched).sort()).toEqual(['5:00', '5:01', '5:02']);
    const countdown = toHex(DevRebootCountdownReq.encode({ countdown: 5 }));
    const reboots = send(firstUs + 3 * MINUTE_US, `203:${countdown}`);
    const rebooted = run(network, [...three, reboots], 3 * HOUR_US);
    expect(answersOf(rebooted).filter((what) => what.startsWith('5:'))).toEqual([]);
    expect(droppedBy(rebooted)).toEqual([3]);
  });

  it('go with the device: one created again says nothing of them', () => {
    const [device] = networkOf({}).devices;
    const { devEui } = device!;
    const atUs = firstUs + 2 * MINUTE_US;
    const timeline = [
      behaves(0, [{ onHex: '00', delay: 600 }, { sendHex: 'aa' }]),
      ...numbered(3, firstUs + MINUTE_US),
      command(atUs, { kind: 'device.remove', devEui } as never),
      command(atUs, { kind: 'device.create', device } as never),
      send(atUs + 30 * MINUTE_US, '5:77'),
    ];
    const heard = run(often([{}]), timeline, 2 * HOUR_US);
    expect(answersOf(heard)).toEqual(['5:77']);
    const { outgoing, behaviours } = (heard.world as World).snapshot().network.sides;
    expect([outgoing.pool.live, outgoing.slots.live, behaviours]).toEqual([0, 0, []]);
  });

  it('go with the session that has no counters left', () => {
    const network = often([{ onHex: '01', delayUs: HOUR_US }, {}]);
    const joins = { ...network.deviceTypes[0]!, activation: 'otaa' as const };
    const otaa = { ...network, deviceTypes: [joins] };
    const plan = { name: 'end', description: '', durationUs: 4 * HOUR_US, network: otaa };
    const firstUs = run(otaa, [], HOUR_US)
      .trace.of('uplinkBegins')
      .find(({ purpose }) => purpose === 'data')!.atUs;
    const timeline = numbered(3, firstUs + MINUTE_US);
    const world = World.create({ ...plan, timeline }, 'small');
    world.runUntil(firstUs + 2 * MINUTE_US);
    const { pool } = world.snapshot().network.sides.outgoing;
    expect(pool.live).toBe(3);
    const snapshot = structuredClone(world.snapshot());
    const { devices, registrations } = snapshot.network.sides;
    devices.table.columns.fCntUp![0] = 0xffff_ffff;
    registrations.table.columns.fCntUp![0] = 0xffff_fffe;
    const ended = World.restore({ ...plan, timeline }, 'small', snapshot);
    // Its last message carries the first of them.
    ended.runUntil(firstUs + 12 * MINUTE_US);
    expect(ended.snapshot().network.sides.outgoing.pool.live).toBe(0);
    ended.runUntil(4 * HOUR_US);
    expect(ended.result().devices.joinRequests).toBeGreaterThan(1);
  });
});

describe('a multicast frame', () => {
  it('is not answered, whatever its port', () => {
    const bench = new Bench({ ...networkOf({ devices: 2 }), startUnixMs: BENCH_START_UNIX_MS });
    const group = { mcAddr: 0x0100_0000, mcKey: new Uint8Array(16) };
    const channel = { frequencyHz: 869_525_000, dataRate: 5 };
    const sessionS = 400;
    bench.runUntil(100 * SECOND_US);
    bench.request({ kind: 'multicast.open', group: { ...group, ...channel } });
    const timeCorrection = bench.view.gpsSeconds(0) | 0;
    for (const { devEui } of bench.network.plan.devices) {
      bench.sendCommands(devEui, 202, AppTimeAns.encode({ timeCorrection, tokenAns: 0 }));
      const { mcAddr, mcKey } = group;
      const mcKeyEncrypted = bench.view.device(devEui)!.wrapMcKey(mcKey);
      const counters = { minMcFCount: 0, maxMcFCount: 0xffff_ffff };
      const setup = { mcGroupId: 0, mcAddr, mcKeyEncrypted, ...counters };
      bench.sendCommands(devEui, 200, McGroupSetupReq.encode(setup));
      const sessionTime = bench.view.gpsSeconds(sessionS * SECOND_US);
      const { frequencyHz: dlFrequencyHz, dataRate: dr } = channel;
      const session = { mcGroupId: 0, sessionTime, timeOut: 8, dlFrequencyHz, dr };
      bench.sendCommands(devEui, 200, McClassCSessionReq.encode(session));
    }
    [9, 225, 201].forEach((fPort, fCnt) => {
      const startsAtUs = (sessionS + 20 + 3 * fCnt) * SECOND_US;
      bench.runUntil(startsAtUs - SECOND_US);
      const { gateways } = bench.network.plan;
      const sent = { mcAddr: group.mcAddr, gatewayEui: gateways[0]!.eui, fCnt, fPort };
      const payload = Uint8Array.of(fCnt);
      bench.request({ kind: 'multicast.send', ...sent, payload, startsAtUs });
    });
    bench.runUntil(700 * SECOND_US);
    bench.network.settle(bench.nowUs);
    const fates = bench.trace.of('multicastDecided').map(({ fate }) => fate);
    expect(fates).toEqual(Array(6).fill('heard'));
    for (const { devEui } of bench.network.plan.devices) {
      expect(bench.from(devEui, 200)).toHaveLength(2);
      const since = bench.heard.filter((one) => one.devEui === devEui);
      expect(since.filter(({ fPort }) => ![-1, OWN, 200].includes(fPort))).toEqual([]);
      expect(since.at(-1)!.endedAtUs).toBeGreaterThan((sessionS + 60) * SECOND_US);
    }
  });
});

describe('what waits to be answered', () => {
  const network = (sendHex: string) =>
    ruled([{ sendHex }, {}], { type: { deviceClass: 'C' }, traffic: { meanUs: 10 * MINUTE_US } });
  const plan = (sendHex: string) => ({
    name: 'waits',
    description: '',
    durationUs: HOUR_US,
    network: network(sendHex),
    timeline: [],
  });
  const waiting = (sendHex: string): World => {
    const world = World.create(plan(sendHex), 'waits');
    world.runUntil(10 * MINUTE_US);
    const answer = world.submit(send(0, '5:01').command);
    expect(answer.ok).toBe(true);
    world.runUntil(10 * MINUTE_US + 5 * SECOND_US);
    expect(world.snapshot().network.sides.outgoing.slots.live).toBe(1);
    return world;
  };

  it('stands in the digest, byte for byte', () => {
    const [one, same, other] = ['AA'.repeat(242), 'AA'.repeat(242), `${'AA'.repeat(241)}AB`].map(
      (sendHex) => waiting(sendHex).digest().outcome,
    );
    expect(same).toBe(one);
    expect(other).not.toBe(one);
  });

  it('goes on from a snapshot and in a fork, and asking changes nothing', () => {
    const [world, asked] = [waiting('AB'), waiting('AB')];
    const ways = [World.restore(world.plan, 'waits', world.snapshot()), world.fork()];
    asked.ask({ kind: 'device.answers', by: 'default', devEui: eui('02', 1) });
    asked.digest();
    for (const each of [world, asked, ...ways]) each.runUntil(HOUR_US);
    for (const each of [asked, ...ways]) expect(each.digest()).toEqual(world.digest());
  });
});
