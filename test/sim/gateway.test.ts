/** The gateway's backhaul, and docs/standard.md, Transmit queue of a packet forwarder. */
import { describe, expect, it } from 'vitest';
import { CONCENTRATORS } from '../../core/management/gateways/models.ts';
import { GATEWAY_REFUSALS, UPLINK_FATES } from '../../sim/base/counts.ts';
import { entityKey, expandSeed } from '../../sim/base/random.ts';
import {
  answerDelayUs,
  downlinkDelayUs,
  LOST,
  plannedDelayUs,
  spreadUs,
  uplinkDelayUs,
} from '../../sim/gateway/backhaul.ts';
import { newDownlinks, REFUSAL_NAMES, Refusal, refusalName } from '../../sim/gateway/downlinks.ts';
import { Gateways } from '../../sim/gateway/gateway.ts';
import { NONE } from '../../sim/kernel/columns.ts';
import { region } from '../../sim/lorawan/region.ts';
import type { GatewayPlan } from '../../sim/plan/network-plan.ts';
import { FATE_NAMES, Fate, fateName } from '../../sim/radio/uplink-air.ts';
import { Beacons } from '../../sim/spectrum/beacons.ts';
import { SCENE_PLAN } from '../support/scene.ts';
import { HOUR_US, networkOf, watch } from '../support/small-network.ts';

const key = entityKey(expandSeed('gateway'), 'north');

/** A gateway with two reception paths, and its queue in words. */
class Bench {
  readonly downlinks = newDownlinks();
  readonly gateways = new Gateways(this.downlinks, new Beacons(region('EU868'), 0));

  constructor(plan: Partial<GatewayPlan> = {}) {
    this.gateways.add({ ...SCENE_PLAN.gateways[0]!, receptionPaths: 2, ...plan }, key);
  }

  /** Hands over a frame that is to start at `startsAtUs`; returns what becomes of it. */
  enqueue(startsAtUs: number, airtimeUs: number, nowUs = 0): string {
    const row = this.downlinks.take();
    const column = this.downlinks.column;
    column.gateway[row] = 0;
    column.startsAtUs[row] = startsAtUs;
    column.airtimeUs[row] = airtimeUs;
    return REFUSAL_NAMES[this.gateways.enqueue(row, nowUs)];
  }

  /** Sends the head of the queue at its time; returns when that is. */
  send(): number {
    const atUs = this.gateways.nextStartUs(0);
    this.gateways.beginSending(0, () => 0, atUs);
    return atUs;
  }
}

/** Room that a frame needs before it, and after the one before. */
const GAP_US = 1_500 + 30_000 + 1_000;

describe('the transmit queue', () => {
  it('takes a frame that comes more than 32.5 ms before its start', () => {
    expect(new Bench().gateways.stations[0]!.leadTimeUs).toBe(32_500);
    expect(new Bench().enqueue(1_032_501, 50_000, 1_000_000)).toBe('none');
    expect(new Bench().enqueue(1_032_500, 50_000, 1_000_000)).toBe('tooLate');
    expect(new Bench().enqueue(900_000, 50_000, 1_000_000)).toBe('tooLate');
  });

  it('answers as a packet forwarder: the past is early, a full queue collides', () => {
    const bench = () => new Bench({ queueWords: 'packetForwarder' });
    expect(bench().enqueue(999_999, 50_000, 1_000_000)).toBe('tooEarly');
    expect(bench().enqueue(1_000_000, 50_000, 1_000_000)).toBe('tooLate');
    const full = bench();
    for (let i = 1; i <= 32; i++) expect(full.enqueue(i * 1_000_000, 50_000)).toBe('none');
    expect(full.enqueue(33_000_000, 50_000)).toBe('collision');
  });

  it('has a queue of 128 frames where it is a Station', () => {
    const full = new Bench({ queueWords: 'station' });
    for (let i = 1; i <= 128; i++) expect(full.enqueue(i * 1_000_000, 50_000)).toBe('none');
    expect(full.enqueue(129_000_000, 50_000)).toBe('queueFull');
  });

  it('refuses a frame for a time beyond the beacons that it has planned', () => {
    expect(new Bench().enqueue(512_000_000, 50_000)).toBe('none');
    expect(new Bench().enqueue(512_000_001, 50_000)).toBe('tooEarly');
  });

  it('is of a Station open for 600 s', () => {
    const station = () => new Bench({ queueWords: 'station' });
    expect(station().enqueue(600_000_000, 50_000)).toBe('none');
    expect(station().enqueue(600_000_001, 50_000)).toBe('tooEarly');
  });

  it('refuses a frame that comes too near after another', () => {
    const behind = (gapUs: number) => {
      const bench = new Bench();
      bench.enqueue(1_000_000, 50_000);
      return bench.enqueue(1_050_000 + gapUs, 50_000);
    };
    expect(behind(GAP_US)).toBe('none');
    expect(behind(GAP_US - 1)).toBe('collision');
    expect(behind(-10_000)).toBe('collision');
  });

  it('refuses a frame that comes too near before another', () => {
    const ahead = (gapUs: number) => {
      const bench = new Bench();
      bench.enqueue(2_000_000, 50_000);
      return bench.enqueue(2_000_000 - 50_000 - gapUs, 50_000);
    };
    expect(ahead(GAP_US)).toBe('none');
    expect(ahead(GAP_US - 1)).toBe('collision');
  });

  it('refuses a frame that starts while one is on the air, or right after it', () => {
    const bench = new Bench();
    bench.enqueue(1_000_000, 500_000);
    bench.send();
    expect(bench.enqueue(1_500_000 + GAP_US - 1, 50_000, 1_100_000)).toBe('collision');
    expect(bench.enqueue(1_500_000 + GAP_US, 50_000, 1_100_000)).toBe('none');
  });

  it('sends in the order of the starts, not of the arrivals', () => {
    const bench = new Bench();
    for (const startsAtUs of [3_000_000, 1_000_000, 2_000_000]) bench.enqueue(startsAtUs, 50_000);
    const sent = [1, 2, 3].map(() => {
      const atUs = bench.send();
      bench.gateways.endSending(0);
      return atUs;
    });
    expect(sent).toEqual([1_000_000, 2_000_000, 3_000_000]);
    expect(bench.gateways.nextStartUs(0)).toBe(-1);
  });

  it('holds 32 frames', () => {
    const bench = new Bench();
    const answers = Array.from({ length: 33 }, (_, i) => bench.enqueue(1e6 * (i + 1), 50_000));
    expect(answers.slice(0, 32).every((answer) => answer === 'none')).toBe(true);
    expect(answers[32]).toBe('queueFull');
  });

  it('is closed when the gateway is out of service, and gives back what it held', () => {
    const bench = new Bench();
    bench.enqueue(1_000_000, 50_000);
    bench.enqueue(2_000_000, 50_000);
    expect(bench.gateways.retire(0)).toHaveLength(2);
    expect(bench.enqueue(3_000_000, 50_000)).toBe('gatewayGone');
    expect(bench.gateways.rowByEui('AA00000000000001')).toBe(-1);
    expect(Refusal.none).toBe(0);
  });
});

describe('reception paths', () => {
  it('are given while there are some, and taken back', () => {
    const { gateways } = new Bench();
    expect([
      gateways.takePath(0, 7, 125_000),
      gateways.takePath(0, 7, 125_000),
      gateways.takePath(0, 7, 125_000),
    ]).toEqual([0, 0, NONE]);
    expect(gateways.releasePath(0, gateways.generation(0), 0)).toBe(true);
    expect(gateways.takePath(0, 7, 125_000)).toBe(0);
  });

  it('are all free again after the gateway has cut its receptions to send', () => {
    const bench = new Bench();
    const { gateways } = bench;
    const generation = gateways.generation(0);
    gateways.takePath(0, 7, 125_000);
    bench.enqueue(1_000_000, 50_000);
    bench.send();
    expect([gateways.isSending(0), gateways.takePath(0, 7, 125_000)]).toEqual([true, NONE]);
    gateways.endSending(0);
    expect(gateways.releasePath(0, generation, 0)).toBe(false);
    expect([gateways.takePath(0, 7, 125_000), gateways.takePath(0, 7, 125_000)]).toEqual([0, 0]);
  });
});

describe('the backhaul', () => {
  const endpoint = (latencyUs: number, jitterUs: number, lossPpm: number) => ({
    ...key,
    backhaul: { latencyUs, jitterUs, lossPpm },
  });
  const numbers = Array.from({ length: 4_000 }, (_, i) => i);
  const ways = {
    'an uplink': (of: ReturnType<typeof endpoint>, n: number) => uplinkDelayUs(of, 3, 4, n),
    'a downlink': downlinkDelayUs,
    'an answer': answerDelayUs,
  };

  it.each(Object.entries(ways))('delays %s by latency and jitter', (_, delay) => {
    const delays = numbers.map((n) => delay(endpoint(40_000, 10_000, 0), n));
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(40_000);
    expect(Math.max(...delays)).toBeLessThanOrEqual(50_000);
    const mean = delays.reduce((sum, us) => sum + us, 0) / delays.length;
    expect(Math.abs(mean - 45_000)).toBeLessThan(200);
    expect(new Set(numbers.map((n) => delay(endpoint(7, 0, 0), n)))).toEqual(new Set([7]));
  });

  it.each(Object.entries(ways))('loses its share of messages: %s', (_, delay) => {
    const lost = numbers.filter((n) => delay(endpoint(0, 0, 200_000), n) === LOST).length;
    expect(Math.abs(lost / numbers.length - 0.2)).toBeLessThan(0.025);
    expect(numbers.every((n) => delay(endpoint(0, 0, 1_000_000), n) === LOST)).toBe(true);
  });

  it('delays an answer that is not lost by the whole of its jitter too', () => {
    const of = endpoint(0, 1_000_000, 500_000);
    const delays = numbers.map((n) => answerDelayUs(of, n)).filter((us) => us !== LOST);
    const mean = delays.reduce((sum, us) => sum + us, 0) / delays.length;
    expect(Math.abs(mean - 500_000)).toBeLessThan(25_000);
  });
});

/** Fates of frames that come one after the other and stay. */
const fatesOf = (chip: 'SX1301' | 'SX1302', frames: readonly (readonly [number, number])[]) => {
  const gateways = new Gateways(newDownlinks(), new Beacons(region('EU868'), 0));
  gateways.add({ ...SCENE_PLAN.gateways[0]!, ...CONCENTRATORS[chip] }, key);
  return frames.map(([factor, kHz]) =>
    gateways.takePath(0, factor, kHz * 1000) === NONE ? 'noPath' : 'pending',
  );
};

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe('the paths of a concentrator', () => {
  it('SX1301: eight for SF7 to SF12 at 125 kHz, whatever the factor', () => {
    const fates = fatesOf('SX1301', [
      ...times(4, [7, 125] as const),
      ...times(5, [12, 125] as const),
    ]);
    expect(fates).toEqual([...times(8, 'pending'), 'noPath']);
  });

  it('SX1301: none for SF6, one for 250 kHz beside the eight', () => {
    expect(
      fatesOf('SX1301', [
        [6, 125],
        [7, 250],
        [7, 250],
      ]),
    ).toEqual(['noPath', 'pending', 'noPath']);
    const busy = [...times(8, [9, 125] as const), [7, 250] as const];
    expect(fatesOf('SX1301', busy).at(-1)).toBe('pending');
  });

  it('SX1302: sixteen for SF5 to SF10, eight of them for SF11 and SF12', () => {
    expect(fatesOf('SX1302', times(17, [7, 125]))).toEqual([...times(16, 'pending'), 'noPath']);
    expect(fatesOf('SX1302', times(9, [12, 125]))).toEqual([...times(8, 'pending'), 'noPath']);
  });

  it('SX1302: fast frames leave the paths for slow ones free while they can', () => {
    const frames = [...times(8, [5, 125] as const), ...times(8, [12, 125] as const)];
    expect(fatesOf('SX1302', frames)).toEqual(times(16, 'pending'));
  });

  it('want a downlink 32.5 ms before its start, and the SX1302 42.5 ms', () => {
    const leadOf = (chip: 'SX1301' | 'SX1302') => {
      const gateways = new Gateways(newDownlinks(), new Beacons(region('EU868'), 0));
      return gateways.add({ ...SCENE_PLAN.gateways[0]!, ...CONCENTRATORS[chip] }, key).leadTimeUs;
    };
    expect([leadOf('SX1301'), leadOf('SX1302')]).toEqual([32_500, 42_500]);
  });
});

describe('the spread of a backhaul', () => {
  it('exponential has its median at ln 2 of the mean', () => {
    expect(spreadUs({ kind: 'exponential', meanUs: 100_000 }, 0.5)).toBe(69_315);
  });

  it('log-normal has its median, and e^sigma times it one deviation above', () => {
    const spread = { kind: 'logNormal', medianUs: 100_000, sigma: 0.5 } as const;
    expect(spreadUs(spread, 0.5)).toBe(100_000);
    expect(spreadUs(spread, 0.841345) / 164_872).toBeCloseTo(1, 4);
  });

  it('of quantiles goes straight from one to the next', () => {
    const spread = { kind: 'quantiles', us: [0, 100, 1000] } as const;
    expect([0, 0.25, 0.5, 0.75, 0.999].map((p) => spreadUs(spread, p))).toEqual([
      0, 50, 100, 550, 998,
    ]);
  });

  it('is planned for 99 % of messages, a jitter for all', () => {
    const plan = { latencyUs: 1_000, jitterUs: 500, lossPpm: 0 };
    expect(plannedDelayUs(plan)).toBe(1_500);
    const spread = { kind: 'exponential', meanUs: 100_000 } as const;
    expect(plannedDelayUs({ ...plan, spread })).toBe(461_517);
  });

  it('is met by the messages that are drawn', () => {
    const spread = { kind: 'exponential', meanUs: 100_000 } as const;
    const at = { ...key, backhaul: { latencyUs: 1_000, jitterUs: 0, lossPpm: 0, spread } };
    const delays = Array.from({ length: 4_000 }, (_, number) => downlinkDelayUs(at, number));
    const mean = delays.reduce((sum, us) => sum + us, 0) / delays.length;
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(1_000);
    expect(Math.abs(mean - 101_000)).toBeLessThan(5_000);
  });
});

describe('the clock of a gateway', () => {
  const errorOf = (name: string, clockErrorUs?: number) => {
    const gateways = new Gateways(newDownlinks(), new Beacons(region('EU868'), 0));
    const more = clockErrorUs === undefined ? {} : { clockErrorUs };
    const plan = { ...SCENE_PLAN.gateways[0]!, ...more };
    return gateways.add(plan, entityKey(expandSeed('clock'), name)).clockErrorUs;
  };

  it('is right with GPS, and wrong by 1 to 50 ms either way without', () => {
    expect(errorOf('a')).toBe(0);
    const errors = Array.from({ length: 200 }, (_, i) => errorOf(`gateway-${i}`, 50_000));
    for (const us of errors) {
      expect(Math.abs(us)).toBeGreaterThanOrEqual(1_000);
      expect(Math.abs(us)).toBeLessThanOrEqual(50_000);
    }
    expect(errors.filter((us) => us > 0).length).toBeGreaterThan(60);
    expect(errors.filter((us) => us < 0).length).toBeGreaterThan(60);
  });
});

describe('LoRa Basics Station', () => {
  it('refuses what its duty cycle has no room for, where a server would have planned less', () => {
    const traffic = { confirmedPpm: 1_000_000, payloadBytes: 10, meanUs: 30_000_000 };
    const type = { confirmedTries: 1, dataRate: { from: 'fixed', dataRate: 0 } } as const;
    const refusals = (gateway: Partial<GatewayPlan>) => {
      const trace = watch(networkOf({ devices: 20, type, traffic, gateway }), HOUR_US);
      return trace.of('downlinkRefused').filter(({ reason }) => reason === 'dutyCycle').length;
    };
    expect(refusals({ refusesOverBudget: true })).toBeGreaterThan(20);
    expect(refusals({})).toBe(0);
  });
});

describe('a reception path', () => {
  it('is free again when the device that it heard is removed', () => {
    const network = networkOf({ devices: 2, gateway: { receptionPaths: 1 } });
    const [first] = watch(network, HOUR_US).of('uplinkBegins');
    const { devEui, name } = network.devices.find((device) => device.name === first.device)!;
    const removed = {
      atUs: first.atUs + first.airtimeUs / 2,
      command: { kind: 'device.remove', by: 'default', devEui } as const,
    };
    const ends = watch(network, HOUR_US, [removed]).of('uplinkEnds');
    const fates = ends.flatMap(({ gateways }) => gateways.map(({ fate }) => fate));
    expect(ends.map(({ device }) => device)).not.toContain(name);
    expect(new Set(fates)).toEqual(new Set(['received']));
    expect(fates.length).toBeGreaterThan(50);
  });
});

describe('names of fates and refusals', () => {
  it('stand at the numbers that columns hold', () => {
    for (const [name, number] of Object.entries(Fate)) expect(FATE_NAMES[number]).toBe(name);
    for (const [name, number] of Object.entries(Refusal)) expect(REFUSAL_NAMES[number]).toBe(name);
  });

  it('are those that counts have', () => {
    for (const name of UPLINK_FATES) expect(fateName(Fate[name])).toBe(name);
    for (const name of GATEWAY_REFUSALS) expect(refusalName(Refusal[name])).toBe(name);
  });

  it('are asked only of what has ended, and of what was refused', () => {
    expect(() => fateName(Fate.pending)).toThrow(/a reception that ended has a fate/);
    expect(() => refusalName(Refusal.none)).toThrow(/a refusal has a reason/);
  });
});
