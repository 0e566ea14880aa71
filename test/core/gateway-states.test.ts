/** Connection and health of a gateway, as functions of its handle and an instant. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  connectionOf,
  healthOf,
  LOOK_AHEAD_US,
  nextChangeUs,
} from '../../core/simulator/gateway-states.ts';
import type { GatewayView } from '../../sim/contract/view.ts';
import { Bench } from './bench.ts';

const S = 1_000_000;
const { hardware } = new Bench().view.gateways()[0]!;

interface Wanted {
  readonly statuses: readonly number[];
  readonly backhaulUp?: boolean;
  readonly radioUp?: boolean;
  readonly lossPpm?: number;
}

/** A handle of a gateway whose statuses get through at these instants, ascending. */
const gateway = ({ statuses, backhaulUp = true, radioUp = true, lossPpm = 1 }: Wanted) => ({
  backhaulUp,
  radioUp,
  hardware: { ...hardware, backhaul: { ...hardware.backhaul, lossPpm } },
  lastStatusAtUs: (nowUs: number) => statuses.findLast((at) => at <= nowUs) ?? null,
  nextStatusAtUs: (afterUs: number, untilUs: number) =>
    statuses.find((at) => at > afterUs && at <= untilUs) ?? null,
});

const report = (one: Parameters<typeof healthOf>[0], nowUs: number) => [
  connectionOf(one, nowUs),
  healthOf(one, nowUs),
];

describe('a gateway', () => {
  it('is INIT and never connected until its first status', () => {
    const one = gateway({ statuses: [7 * S], radioUp: false });
    expect(report(one, 7 * S - 1)).toEqual(['NEVERCNX', 'INIT']);
    expect(report(gateway({ statuses: [], backhaulUp: false }), 999 * S)).toEqual([
      'NEVERCNX',
      'INIT',
    ]);
  });

  it('is ACTIVE and connected while its last status is at most 90 s old', () => {
    const one = gateway({ statuses: [7 * S] });
    for (const atUs of [7 * S, 97 * S]) expect(report(one, atUs)).toEqual(['CNX', 'ACTIVE']);
  });

  it('is disconnected after 90 s, by its backhaul or for reasons that nobody knows', () => {
    const statuses = [7 * S];
    const atUs = 97 * S + 1;
    expect(report(gateway({ statuses, backhaulUp: false }), atUs)).toEqual([
      'DISC',
      'BACKHAUL_CNX_ERROR',
    ]);
    expect(report(gateway({ statuses }), atUs)).toEqual(['DISC', 'HEALTH_UNKNOWN']);
  });

  it('has an RF_ERROR while its radio has failed and statuses come', () => {
    const one = gateway({ statuses: [7 * S], radioUp: false });
    expect(report(one, 97 * S)).toEqual(['CNX', 'RF_ERROR']);
    expect(report({ ...one, backhaulUp: false }, 98 * S)).toEqual(['DISC', 'BACKHAUL_CNX_ERROR']);
  });
});

describe('the next change', () => {
  const handle = fc
    .record({
      gaps: fc.array(fc.oneof(fc.constant(30 * S), fc.integer({ min: 1, max: 400 * S })), {
        maxLength: 20,
      }),
      backhaulUp: fc.boolean(),
      radioUp: fc.boolean(),
      nowUs: fc.nat(600 * S),
    })
    .map(({ gaps, nowUs, ...rest }) => {
      let atUs = 0;
      const ascending = gaps.map((gap) => (atUs += gap));
      // A backhaul that is down lets none through from now on.
      const statuses = ascending.filter((at) => rest.backhaulUp || at <= nowUs);
      return { one: gateway({ ...rest, statuses }), nowUs, statuses };
    });

  it('is when connection or health first is another, as a look at each instant finds', () => {
    fc.assert(
      fc.property(handle, ({ one, nowUs, statuses }) => {
        const endUs = nowUs + LOOK_AHEAD_US;
        const now = report(one, nowUs).join();
        // It can change with a status, or 90 s and a microsecond after one.
        const instants = statuses.flatMap((at) => [at, at + 90 * S + 1]).sort((a, b) => a - b);
        const change = instants.find((at) => at > nowUs && report(one, at).join() !== now);
        const found = nextChangeUs(one, nowUs);
        if (found === null) expect([one.backhaulUp, change]).toEqual([false, undefined]);
        else expect(found).toBe(Math.min(change ?? endUs, endUs));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is none for a gateway that is active and loses nothing, however long one looks', () => {
    const lossless: Pick<GatewayView, 'lastStatusAtUs' | 'nextStatusAtUs'> = {
      lastStatusAtUs: (nowUs) => nowUs - (nowUs % (30 * S)),
      nextStatusAtUs: (afterUs, untilUs) => {
        if (untilUs - afterUs > 100 * S) throw new Error('nobody looks further ahead');
        return afterUs - (afterUs % (30 * S)) + 30 * S;
      },
    };
    expect(nextChangeUs({ ...gateway({ statuses: [], lossPpm: 0 }), ...lossless }, 95 * S)).toBe(
      null,
    );
  });

  it('is looked for a day ahead at most', () => {
    let looks = 0;
    const steady = {
      ...gateway({ statuses: [] }),
      lastStatusAtUs: (nowUs: number) => nowUs - (nowUs % (30 * S)),
      nextStatusAtUs: (afterUs: number) => {
        looks++;
        return afterUs - (afterUs % (30 * S)) + 30 * S;
      },
    };
    expect(nextChangeUs(steady, 95 * S)).toBe(95 * S + LOOK_AHEAD_US);
    expect(looks).toBeLessThanOrEqual(2_881);
  });
});
