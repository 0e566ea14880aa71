/** How a gateway stands as it begins to be followed: from its statuses that got through. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { begun, type Standing, statusOf } from '../../../core/delivery/alerts/connection.ts';

const S = 1_000_000;
/** A status is fresh for 90 s; what has lasted for 15 minutes is settled. */
const FRESH_US = 90 * S;
const PERSISTS_US = 900 * S;

/** A gateway whose statuses got through at these instants, s; the backhaul has never turned. */
function gatewayOf(statusesS: readonly number[], isPlanned = false): Standing {
  const sentUs = statusesS.map((second) => second * S);
  return {
    isPlanned,
    gateway: {
      backhaulUp: true,
      radioUp: true,
      backhaulSinceUs: 0,
      putUpAtUs: 0,
      hardware: {} as never,
      lastStatusAtUs: (atUs) => sentUs.findLast((each) => each <= atUs) ?? null,
      nextStatusAtUs: () => null,
    },
  };
}

const every30S = (fromS: number, untilS: number): number[] =>
  Array.from({ length: Math.floor((untilS - fromS) / 30) + 1 }, (_, i) => fromS + 30 * i);

describe('a gateway', () => {
  it('is online up to 90 s after its latest status, and offline a microsecond later', () => {
    const gateway = gatewayOf([100]);
    expect(statusOf(gateway, 100 * S - 1)).toBe('offline');
    expect(statusOf(gateway, 100 * S)).toBe('online');
    expect(statusOf(gateway, 100 * S + FRESH_US)).toBe('online');
    expect(statusOf(gateway, 100 * S + FRESH_US + 1)).toBe('offline');
  });

  it('that was there from the start was online at the start', () => {
    expect(statusOf(gatewayOf([], true), FRESH_US)).toBe('online');
    expect(statusOf(gatewayOf([], true), FRESH_US + 1)).toBe('offline');
    expect(statusOf(gatewayOf([]), 0)).toBe('offline');
  });
});

describe('a gateway that begins to be followed', () => {
  it('and has been silent for less than 15 minutes was online before', () => {
    const gateway = gatewayOf(every30S(0, 3_000));
    const sinceUs = 3_000 * S + FRESH_US + 1;
    const short = { settled: 'online', status: 'offline', sinceUs };
    expect(begun(gateway, sinceUs)).toEqual(short);
    expect(begun(gateway, sinceUs + PERSISTS_US - 1)).toEqual(short);
    const nowUs = sinceUs + PERSISTS_US;
    expect(begun(gateway, nowUs)).toEqual({
      settled: 'offline',
      status: 'offline',
      sinceUs: nowUs,
    });
  });

  it('and was never heard is offline', () => {
    const offline = { settled: 'offline', status: 'offline', sinceUs: 500 * S };
    expect(begun(gatewayOf([]), 500 * S)).toEqual(offline);
  });

  it('and was first heard less than 15 minutes ago was offline before', () => {
    const gateway = gatewayOf(every30S(2_000, 9_000));
    const short = { settled: 'offline', status: 'online', sinceUs: 2_000 * S };
    expect(begun(gateway, 2_000 * S)).toEqual(short);
    expect(begun(gateway, 2_000 * S + PERSISTS_US - 1)).toEqual(short);
    const nowUs = 2_000 * S + PERSISTS_US;
    expect(begun(gateway, nowUs)).toEqual({ settled: 'online', status: 'online', sinceUs: nowUs });
  });

  it('and came back was offline before if it had been silent for 15 minutes, else online', () => {
    const cameBackAt = (secondsS: number) => {
      const backS = 1_000 + secondsS;
      const gateway = gatewayOf([...every30S(0, 990), ...every30S(backS, backS + 300)]);
      return begun(gateway, (backS + 200) * S).settled;
    };
    // Its last status before is at 990 s: it is offline from 1 080 s on.
    expect(cameBackAt(80)).toBe('online');
    expect(cameBackAt(80 + 899)).toBe('online');
    expect(cameBackAt(80 + 901)).toBe('offline');
  });

  it('has the status of its latest statuses, whatever they were', () => {
    const instants = fc.array(fc.nat(4_000), { maxLength: 30 });
    fc.assert(
      fc.property(instants, fc.nat(5_000), fc.boolean(), (seconds, nowS, isPlanned) => {
        const gateway = gatewayOf(
          [...seconds].sort((a, b) => a - b),
          isPlanned,
        );
        const { settled, status, sinceUs } = begun(gateway, nowS * S);
        expect(status).toBe(statusOf(gateway, nowS * S));
        expect(sinceUs).toBeLessThanOrEqual(nowS * S);
        // What has lasted for so long is settled; what is not settled has begun meanwhile.
        if (settled !== status) {
          expect(nowS * S - sinceUs).toBeLessThan(PERSISTS_US);
          expect(statusOf(gateway, sinceUs)).toBe(status);
          expect(statusOf(gateway, sinceUs - 1)).not.toBe(status);
        }
      }),
    );
  });
});
