/** Statuses of gateways, which are derived: asking equals a list of all that were ever sent. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { STATUS_EVERY_US } from '../../sim/base/gateway-statuses.ts';
import { GatewayFaults } from '../../sim/gateway/faults.ts';
import { Digest } from '../../sim/kernel/digest.ts';
import { HOUR_US, MINUTE_US, SECOND_US } from '../support/small-network.ts';

const sender = (lossPpm: number, key0 = 1, key1 = 2) => ({
  row: 0,
  key0,
  key1,
  backhaul: { latencyUs: 0, jitterUs: 0, lossPpm },
});

type Sender = ReturnType<typeof sender>;

const put = (nowUs = 0): GatewayFaults => {
  const faults = new GatewayFaults();
  faults.add(nowUs);
  return faults;
};

/** All that would get through over a backhaul that is never down. */
function all(from: Sender, putUpAtUs: number, untilUs: number): number[] {
  const faults = put(putUpAtUs);
  const found: number[] = [];
  for (let at = faults.nextStatusAtUs(from, putUpAtUs, untilUs); at >= 0; ) {
    found.push(at);
    at = faults.nextStatusAtUs(from, at, untilUs);
  }
  return found;
}

describe('statuses', () => {
  it('come every 30 s, the first within 30 s, each gateway’s at a time of its own', () => {
    expect(STATUS_EVERY_US).toBe(30 * SECOND_US);
    const phases = new Set<number>();
    for (let key = 0; key < 200; key++) {
      const [first, ...others] = all(sender(0, key, -key), 7 * MINUTE_US, HOUR_US) as [
        number,
        ...number[],
      ];
      expect(first).toBeGreaterThan(7 * MINUTE_US);
      expect(first).toBeLessThanOrEqual(7 * MINUTE_US + STATUS_EVERY_US);
      expect(others).toEqual(others.map((_, i) => first + (i + 1) * STATUS_EVERY_US));
      phases.add(first);
    }
    expect(phases.size).toBeGreaterThan(190);
  });

  it('are lost one by one, as often as the backhaul loses messages', () => {
    const sent = all(sender(0), 0, 1_000 * HOUR_US);
    const came = all(sender(300_000), 0, 1_000 * HOUR_US);
    const known = new Set(sent);
    expect(came.every((at) => known.has(at))).toBe(true);
    expect(Math.abs(came.length / sent.length - 0.7)).toBeLessThan(0.01);
    expect(all(sender(1_000_000), 0, HOUR_US)).toEqual([]);
  });

  const story = fc.record({
    lossPpm: fc.constantFrom(0, 0, 200_000, 900_000, 1_000_000),
    putUpAtUs: fc.constantFrom(0, 5 * MINUTE_US + 1),
    key: fc.integer(),
    // Gaps between changes of the backhaul, some of a microsecond.
    // −1: until the next status, to the microsecond.
    gaps: fc.array(fc.oneof(fc.constant(-1), fc.nat(10), fc.nat(4 * MINUTE_US)), {
      maxLength: 12,
    }),
    radio: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
    asks: fc.array(fc.nat(10 * MINUTE_US), { minLength: 4, maxLength: 4 }),
  });

  it('that got through are those of all that met a backhaul that was up', () => {
    fc.assert(
      fc.property(story, ({ lossPpm, putUpAtUs, key, gaps, radio, asks }) => {
        const from = sender(lossPpm, key, ~key);
        const sent = all(from, putUpAtUs, 3 * HOUR_US);
        const faults = put(putUpAtUs);
        const through: number[] = [];
        let nowUs = putUpAtUs;
        let up = true;
        const asked = (untilUs: number) => {
          for (const ask of asks) {
            const atUs = Math.min(untilUs, nowUs + ask);
            const got = sent.filter((at) => up && at > nowUs && at <= atUs);
            expect(faults.lastStatusAtUs(from, atUs)).toBe(got.at(-1) ?? through.at(-1) ?? -1);
          }
        };
        gaps.forEach((gap, i) => {
          const nextUs = sent.find((at) => at > nowUs) ?? nowUs;
          const untilUs = gap < 0 ? nextUs : nowUs + gap;
          asked(untilUs);
          if (up) through.push(...sent.filter((at) => at > nowUs && at <= untilUs));
          nowUs = untilUs;
          if (radio[i]) faults.set(from, 'radio', !faults.isUp(0, 'radio'), nowUs);
          up = !up;
          expect(faults.set(from, 'backhaul', up, nowUs)).toBe(true);
          expect(faults.set(from, 'backhaul', up, nowUs)).toBe(false);
          expect([faults.isUp(0, 'backhaul'), faults.sinceUs(0, 'backhaul')]).toEqual([up, nowUs]);
        });
        asked(nowUs + HOUR_US);
        const next = up ? (sent.find((at) => at > nowUs) ?? -1) : -1;
        expect(faults.nextStatusAtUs(from, nowUs, 3 * HOUR_US)).toBe(next);
        const again = new GatewayFaults();
        again.load(faults.save(), 1);
        expect(again.save()).toEqual(faults.save());
      }),
      { numRuns: 500 },
    );
  });

  it('cost a digest nothing before the first fault, and are in it from then on', () => {
    const hexOf = (faults: GatewayFaults) => {
      const digest = new Digest();
      faults.digest(0, digest);
      return digest.hex();
    };
    const faults = put(5);
    expect(hexOf(faults)).toBe(new Digest().hex());
    faults.set(sender(0), 'radio', false, 10);
    const failed = hexOf(faults);
    faults.set(sender(0), 'radio', true, 20);
    expect(new Set([new Digest().hex(), failed, hexOf(faults)]).size).toBe(3);
  });
});
