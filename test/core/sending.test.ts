/** The fragments on their way: pace, queues, copies that gateways do not take. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CampaignInput } from '../../core/update-service/campaigns/commands.ts';
import {
  newSending,
  nextDepartureUs,
  onCopyStatus,
  takeDepartures,
} from '../../core/update-service/campaigns/sending.ts';
import { type Bench, type BenchOptions, GATEWAY, ready, S } from './bench.ts';

const SECOND_GATEWAY = 'AA00000000000002';
const THIRD_GATEWAY = 'AA00000000000003';
const THREE = [GATEWAY, SECOND_GATEWAY, THIRD_GATEWAY];

/** Runs a campaign of class C over listed gateways that all reach all devices. */
function sent(
  gateways: string[],
  input: Partial<CampaignInput>,
  options: BenchOptions = {},
): Bench {
  const levels = Object.fromEntries(gateways.map((eui) => [eui, -100]));
  const bench = ready(2, () => ({ deviceClass: 'C', levels }), {
    gateways,
    gatewaysListed: gateways,
    ...options,
  });
  bench.campaign({ frag_size: 100, redundancy: 0.5, ...input });
  bench.finish();
  return bench;
}

/** Starts of the copies that were requested, by gateway, s since the first of all. */
function startsBy(bench: Bench): Record<string, number[]> {
  const firstUs = bench.sends[0]!.request.startsAtUs;
  const starts: Record<string, number[]> = {};
  for (const { request } of bench.sends) {
    (starts[request.gatewayEui] ??= []).push((request.startsAtUs - firstUs) / S);
  }
  return starts;
}

/** Fragment numbers in the order in which a gateway was asked to send them. */
function numbersBy(bench: Bench, gatewayEui: string): number[] {
  return bench.sends
    .filter(({ request }) => request.gatewayEui === gatewayEui)
    .map(({ request }) => request.payload[1]! + 256 * request.payload[2]!);
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

describe('a gateway', () => {
  it('sends every fragment once, uncoded ones first, at the pace asked for', () => {
    const bench = sent([GATEWAY], { frag_send_delay: 7 });
    expect(numbersBy(bench, GATEWAY)).toEqual(upTo(15));
    expect(startsBy(bench)[GATEWAY]).toEqual(upTo(15).map((n) => 7 * (n - 1)));
    expect(bench.result).toMatchObject({ sent: 15, nbFrag: 10, redundancy: 5, success: 2 });
  });

  it('sends first when the slowest clock that is accepted is awake', () => {
    const bench = sent([GATEWAY], { acceptable_time_drift: 9 });
    const { startsAtUs } = bench.platform.save().resources.campaign.campaigns[0]!.multicast!;
    expect(bench.sends[0]!.request.startsAtUs).toBe(startsAtUs + 10 * S);
  });

  it.each([7, 60])('sends first a second after the start when no clock is waited for', (delay) => {
    const bench = sent([GATEWAY], { acceptable_time_drift: 0, frag_send_delay: delay });
    const { startsAtUs } = bench.platform.save().resources.campaign.campaigns[0]!.multicast!;
    const lateUs = bench.sends[0]!.request.startsAtUs - (startsAtUs + S);
    expect(lateUs).toBeGreaterThanOrEqual(0);
    expect(lateUs).toBeLessThan(0.1 * S);
    expect(startsBy(bench)[GATEWAY]).toEqual(upTo(15).map((n) => delay * (n - 1)));
  });

  it('keeps air time over duty cycle between fragments when no delay is given', () => {
    const bench = sent([GATEWAY], {});
    const [first, second] = startsBy(bench)[GATEWAY]!;
    const airtimeUs = bench.view.downlinkAirtimeUs(bench.result.dataRate, 116);
    expect(second! - first!).toBe(Math.ceil(airtimeUs / 0.1 / S));
  });

  it.each([0.3, 0.9, 1.5])('sends every %d s too, before a report of the frame before', (delay) => {
    const bench = sent([GATEWAY], { frag_send_delay: delay });
    expect(numbersBy(bench, GATEWAY)).toEqual(upTo(15));
    startsBy(bench)[GATEWAY]!.forEach((start, i) => {
      expect(start).toBeCloseTo(i * delay, 6);
    });
  });

  it('sends a refused copy again before it goes on', () => {
    const bench = sent(
      [GATEWAY],
      { frag_send_delay: 10 },
      {
        gatewayRule: ({ fCnt }, ordinal) =>
          fCnt === 4 && ordinal < 3 ? { kind: 'refused', reason: 'collision' } : { kind: 'sent' },
      },
    );
    expect(numbersBy(bench, GATEWAY)).toEqual([1, 2, 3, 4, 5, 5, 5, ...upTo(15).slice(4)]);
    expect(startsBy(bench)[GATEWAY]).toEqual(upTo(18).map((n) => 10 * (n - 1)));
    expect(bench.result).toMatchObject({ sent: 15, success: 2 });
  });

  it('leaves a refused copy out when later ones are on their way', () => {
    const bench = sent(
      [GATEWAY],
      { frag_send_delay: 0.3 },
      {
        gatewayRule: ({ fCnt }) =>
          fCnt === 4 ? { kind: 'refused', reason: 'collision' } : { kind: 'sent' },
      },
    );
    expect(numbersBy(bench, GATEWAY)).toEqual(upTo(15));
    expect(bench.result).toMatchObject({ sent: 14, success: 2 });
  });

  it('goes on where its budget allows, at a place of its own grid', () => {
    let until = 0;
    const bench = sent(
      [GATEWAY],
      { frag_send_delay: 10 },
      {
        gatewayRule: ({ fCnt, startsAtUs }, ordinal) => {
          if (fCnt !== 4 || ordinal > 0) return { kind: 'sent' };
          until = startsAtUs + 34 * S;
          return { kind: 'noBudget', notBeforeUs: until };
        },
      },
    );
    expect(numbersBy(bench, GATEWAY)).toEqual([1, 2, 3, 4, 5, 5, ...upTo(15).slice(5)]);
    expect(startsBy(bench)[GATEWAY]!.slice(3, 8)).toEqual([30, 40, 80, 90, 100]);
    expect(bench.result.sent).toBe(15);
  });

  it('that is gone ends the sending', () => {
    const bench = sent(
      [GATEWAY],
      { frag_send_delay: 10 },
      {
        gatewayRule: ({ fCnt }) =>
          fCnt >= 4 ? { kind: 'refused', reason: 'gatewayGone' } : { kind: 'sent' },
      },
    );
    expect(numbersBy(bench, GATEWAY)).toEqual(upTo(5));
    expect(bench.result).toMatchObject({ stage: 'FINISHED', failures: { 'missing fragments': 2 } });
  });

  it('sends nothing that would not end within the session', () => {
    const bench = sent([GATEWAY], { frag_send_delay: 10, mcast_session_timeout: 64 });
    const { startsAtUs } = bench.platform.save().resources.campaign.campaigns[0]!.multicast!;
    expect(numbersBy(bench, GATEWAY)).toEqual(upTo(6));
    for (const { request } of bench.sends)
      expect(request.startsAtUs).toBeLessThan(startsAtUs + 59 * S);
    expect(bench.result.failures).toEqual({ 'missing fragments': 2 });
  });
});

describe('staggered gateways', () => {
  it('send each fragment one after the other, evenly over the delay', () => {
    const bench = sent(THREE, { frag_send_delay: 9 });
    expect(startsBy(bench)).toEqual({
      [GATEWAY]: upTo(15).map((n) => 9 * (n - 1)),
      [SECOND_GATEWAY]: upTo(15).map((n) => 9 * (n - 1) + 3),
      [THIRD_GATEWAY]: upTo(15).map((n) => 9 * (n - 1) + 6),
    });
    for (const gateway of THREE) expect(numbersBy(bench, gateway)).toEqual(upTo(15));
    expect(bench.result.sent).toBe(45);
  });

  it('share the counter of a fragment', () => {
    const bench = sent(THREE, {});
    for (const { request } of bench.sends) {
      expect(request.fCnt).toBe(request.payload[1]! + 256 * request.payload[2]! - 1);
    }
  });

  it('have a pace each: one that waits does not hold up the others', () => {
    const bench = sent(
      THREE,
      { frag_send_delay: 9 },
      {
        gatewayRule: ({ gatewayEui, fCnt, startsAtUs }, ordinal) =>
          gatewayEui === SECOND_GATEWAY && fCnt === 2 && ordinal === 0
            ? { kind: 'noBudget', notBeforeUs: startsAtUs + 50 * S }
            : { kind: 'sent' },
      },
    );
    const starts = startsBy(bench);
    expect(starts[GATEWAY]!.at(-1)).toBe(126);
    expect(starts[SECOND_GATEWAY]!.at(-1)).toBe(129 + 54);
    for (const gateway of THREE) expect(new Set(numbersBy(bench, gateway)).size).toBe(15);
  });

  it('go on without a gateway whose budget never suffices', () => {
    const bench = sent(
      THREE,
      {},
      {
        gatewayRule: ({ gatewayEui }) =>
          gatewayEui === SECOND_GATEWAY
            ? { kind: 'refused', reason: 'neverBudget' }
            : { kind: 'sent' },
      },
    );
    const requested = bench.sends.filter(({ request }) => request.gatewayEui === SECOND_GATEWAY);
    expect(requested).toHaveLength(1);
    expect(bench.result.sent).toBe(30);
  });

  it('never send at the same time when the delay is automatic, whatever they refuse', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 9 }), { minLength: 20, maxLength: 60 }), (random) => {
        let turn = 0;
        const bench = sent(
          THREE,
          {},
          {
            gatewayRule: ({ startsAtUs }) => {
              const each = random[turn++ % random.length]!;
              if (each === 0) return { kind: 'refused', reason: 'tooLate' };
              if (each > 1) return { kind: 'sent' };
              return { kind: 'noBudget', notBeforeUs: startsAtUs + 5_123_456 };
            },
          },
        );
        const airtimeUs = bench.view.downlinkAirtimeUs(bench.result.dataRate, 116);
        const starts = bench.sends.map(({ request }) => request.startsAtUs).sort((a, b) => a - b);
        const distinct = [...new Set(starts)];
        distinct.slice(1).forEach((start, i) => {
          expect(start - distinct[i]!).toBeGreaterThan(airtimeUs);
        });
        for (const gateway of THREE) {
          const numbers = numbersBy(bench, gateway);
          expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('simultaneous gateways', () => {
  const simultaneous = { gateway_timing: 'simultaneous', frag_send_delay: 9 } as const;

  it('send each fragment at one instant', () => {
    const starts = startsBy(sent(THREE, simultaneous));
    for (const gateway of THREE) expect(starts[gateway]).toEqual(upTo(15).map((n) => 9 * (n - 1)));
  });

  it('wait for one without budget, so that different fragments never collide', () => {
    const bench = sent(THREE, simultaneous, {
      gatewayRule: ({ gatewayEui, fCnt, startsAtUs }, ordinal) =>
        gatewayEui === SECOND_GATEWAY && fCnt === 2 && ordinal === 0
          ? { kind: 'noBudget', notBeforeUs: startsAtUs + 20 * S }
          : { kind: 'sent' },
    });
    const numbers = new Map<number, Set<number>>();
    for (const { request } of bench.sends) {
      const at = numbers.get(request.startsAtUs) ?? new Set();
      numbers.set(request.startsAtUs, at.add(request.fCnt));
    }
    for (const each of numbers.values()) expect(each.size).toBe(1);
    expect(bench.result.sent).toBe(45);
  });

  it('go on without one that keeps refusing a copy', () => {
    const bench = sent(THREE, simultaneous, {
      gatewayRule: ({ gatewayEui }) =>
        gatewayEui === SECOND_GATEWAY
          ? { kind: 'refused', reason: 'backhaulLoss' }
          : { kind: 'sent' },
    });
    expect(bench.result).toMatchObject({ sent: 30, success: 2 });
    expect(numbersBy(bench, SECOND_GATEWAY)).toEqual([1, 1, 1, ...upTo(15)]);
  });

  it('go on without one that is gone', () => {
    const bench = sent(THREE, simultaneous, {
      gatewayRule: ({ gatewayEui, fCnt }) =>
        gatewayEui === SECOND_GATEWAY && fCnt >= 3
          ? { kind: 'refused', reason: 'gatewayGone' }
          : { kind: 'sent' },
    });
    expect(numbersBy(bench, SECOND_GATEWAY)).toEqual(upTo(4));
    expect(bench.result).toMatchObject({ sent: 33, success: 2 });
  });
});

describe('the stage of sending', () => {
  it('ends the pause asked for after the last frame', () => {
    const bench = sent([GATEWAY], { sleep_after_frag_sent: 45 });
    const lastUs = bench.sends.at(-1)!.request.startsAtUs;
    const airtimeUs = bench.view.downlinkAirtimeUs(bench.result.dataRate, 116);
    const verifying = bench.result.stages.find(({ stage }) => stage === 'VERIFYING')!;
    expect(verifying.atSeconds * S).toBeCloseTo(lastUs + airtimeUs + 45 * S, 0);
  });
});

describe('a retry', () => {
  it('takes up failed devices in a new session, with counters above those used', () => {
    let isDeaf = true;
    const bench = ready(3, (i) => ({ losesFragment: () => isDeaf && i < 2 }));
    bench.campaign({ frag_size: 100, automatic_retry_count: 2, automatic_retry_interval: 600 });
    while (bench.result.stage !== 'WAITING_FOR_RETRY') bench.runUntil(bench.nowUs + 10 * S);
    expect(bench.result).toMatchObject({ success: 1, failed: 2 });
    isDeaf = false;
    const waitsFromS = bench.result.stages.at(-1)!.atSeconds;
    const result = bench.finish();
    expect(result).toMatchObject({ stage: 'FINISHED', success: 3, failed: 0, sent: 26 });
    const again = result.stages.slice(4).map(({ stage, atSeconds }) => [stage, atSeconds]);
    expect(again[0]).toEqual(['WAITING_FOR_RETRY', waitsFromS]);
    expect(again[1]).toEqual(['SETTING_UP_DEVICES', waitsFromS + 600]);
    expect(bench.sends.map(({ request }) => request.fCnt)).toEqual(
      Array.from({ length: 26 }, (_, i) => i),
    );
    expect(bench.commandsTo('D000000000000003').length).toBe(6);
    expect(bench.device('D000000000000001').group!.minMcFCount).toBe(13);
  });

  it('is made as often as asked for, and no more', () => {
    const bench = ready(1, () => ({ uplinkEveryS: 0 }));
    bench.campaign({ automatic_retry_count: 2, automatic_retry_interval: 60 });
    const result = bench.finish();
    expect(result.stages.filter(({ stage }) => stage === 'SETTING_UP_DEVICES').length).toBe(3);
    expect(result).toMatchObject({ stage: 'FINISHED', failures: { 'no uplink': 1 } });
  });
});

describe('the next departure of many queues', () => {
  const plan = {
    firstAtUs: 100 * S,
    delayUs: 7 * S,
    airtimeUs: S,
    endsAtUs: 900 * S,
    fragments: 9,
  };
  const gateways = Array.from({ length: 64 }, (_, i) => `AA${String(i).padStart(14, '0')}`);
  const newOne = () => newSending({ ...plan, slots: null }, gateways, false);

  it('is looked for once, however often it is asked for, until something changes', () => {
    const sending = newOne();
    const { queues } = sending;
    let looks = 0;
    const look = () => {
      looks++;
      return queues;
    };
    const counted = Object.defineProperty(sending, 'queues', { get: look });
    const asked = Array.from({ length: 1_000 }, () => nextDepartureUs(counted));
    expect(new Set(asked).size).toBe(1);
    expect(looks).toBe(1);
  });

  it('is that of a copy that was never asked, after each change', () => {
    const sending = newOne();
    const outcomes = [
      { kind: 'sent' },
      { kind: 'noBudget', notBeforeUs: 300 * S },
      { kind: 'refused', reason: 'collision' },
      { kind: 'refused', reason: 'gatewayGone' },
    ] as const;
    for (let step = 0; step < 200; step++) {
      const atUs = nextDepartureUs(sending);
      expect(atUs).toBe(nextDepartureUs(structuredClone(sending)));
      if (atUs === Number.POSITIVE_INFINITY) break;
      const departures = takeDepartures(sending, atUs);
      expect(nextDepartureUs(sending)).toBe(nextDepartureUs(structuredClone(sending)));
      for (const [i, { fragmentNumber, gatewayEui }] of departures.entries()) {
        const outcome = outcomes[(step + i) % outcomes.length]!;
        onCopyStatus(sending, fragmentNumber, { gatewayEui, outcome }, atUs + S);
        expect(nextDepartureUs(sending)).toBe(nextDepartureUs(structuredClone(sending)));
      }
    }
  });
});
