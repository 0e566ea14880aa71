/** The gateway's transmit queue (packet forwarder, protocol reference §6.2) and its backhaul. */
import { describe, expect, it } from 'vitest';
import { entityKey, expandSeed } from '../../sim/base/random.ts';
import { Beacons } from '../../sim/beacons.ts';
import { answerDelayUs, downlinkDelayUs, LOST, uplinkDelayUs } from '../../sim/gateway/backhaul.ts';
import { newDownlinks, REFUSAL_NAMES, Refusal } from '../../sim/gateway/downlinks.ts';
import { Gateways } from '../../sim/gateway/gateway.ts';
import { LEAD_TIME_US } from '../../sim/gateway/queue-times.ts';
import { region } from '../../sim/lorawan/region.ts';
import { Fate } from '../../sim/radio/uplink-air.ts';
import { SCENE_PLAN } from '../support/scene.ts';

const key = entityKey(expandSeed('gateway'), 'north');

/** A gateway with two reception paths, and its queue in words. */
class Bench {
  readonly downlinks = newDownlinks();
  readonly gateways = new Gateways(this.downlinks, new Beacons(region('EU868'), 0));

  constructor() {
    this.gateways.add({ ...SCENE_PLAN.gateways[0], receptionPaths: 2 }, key);
  }

  /** Hands over a frame that is to start at `startsAtUs`; tells what becomes of it. */
  enqueue(startsAtUs: number, airtimeUs: number, nowUs = 0): string {
    const row = this.downlinks.take();
    const column = this.downlinks.column;
    column.gateway[row] = 0;
    column.startsAtUs[row] = startsAtUs;
    column.airtimeUs[row] = airtimeUs;
    return REFUSAL_NAMES[this.gateways.enqueue(row, nowUs)];
  }

  /** Sends the head of the queue at its time; tells when that is. */
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
    expect(LEAD_TIME_US).toBe(32_500);
    expect(new Bench().enqueue(1_032_501, 50_000, 1_000_000)).toBe('none');
    expect(new Bench().enqueue(1_032_500, 50_000, 1_000_000)).toBe('tooLate');
    expect(new Bench().enqueue(900_000, 50_000, 1_000_000)).toBe('tooLate');
  });

  it('refuses a frame for a time beyond the beacons that it has planned', () => {
    expect(new Bench().enqueue(512_000_000, 50_000)).toBe('none');
    expect(new Bench().enqueue(512_000_001, 50_000)).toBe('tooEarly');
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
    expect([gateways.takePath(0), gateways.takePath(0), gateways.takePath(0)]).toEqual([
      Fate.pending,
      Fate.pending,
      Fate.noPath,
    ]);
    expect(gateways.releasePath(0, gateways.generation(0))).toBe(true);
    expect(gateways.takePath(0)).toBe(Fate.pending);
  });

  it('are all free again after the gateway has cut its receptions to send', () => {
    const bench = new Bench();
    const { gateways } = bench;
    const generation = gateways.generation(0);
    gateways.takePath(0);
    bench.enqueue(1_000_000, 50_000);
    bench.send();
    expect(gateways.takePath(0)).toBe(Fate.halfDuplex);
    gateways.endSending(0);
    expect(gateways.releasePath(0, generation)).toBe(false);
    expect([gateways.takePath(0), gateways.takePath(0)]).toEqual([Fate.pending, Fate.pending]);
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
