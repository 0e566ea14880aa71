/** Duty cycles: in no sliding hour does a transmitter use more of a sub-band than its share. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DutyCycle } from '../../sim/spectrum/duty-cycle.ts';

const HOUR_US = 3_600_000_000;
const SECOND_US = 1_000_000;
/** One per cent of an hour. */
const BUDGET_US = 36 * SECOND_US;

interface Sent {
  readonly startUs: number;
  readonly endUs: number;
}

describe('a sub-band that is closed after each transmission', () => {
  it('is open again a multiple of its air time after the latest began', () => {
    const accounts = new DutyCycle();
    accounts.open(2);
    expect(accounts.opensAtUs(0, 5, 100)).toBe(5);
    accounts.book(0, 1_000, 70);
    accounts.book(0, 9_000, 50);
    expect(accounts.opensAtUs(0, 9_050, 100)).toBe(9_000 + 100 * 50);
    expect(accounts.opensAtUs(0, 9_050, 1000)).toBe(9_000 + 1000 * 50);
    expect(accounts.opensAtUs(1, 9_050, 100)).toBe(9_050);
  });

  it('stores nothing that ended an hour ago', () => {
    const accounts = new DutyCycle();
    accounts.open(1);
    for (let hour = 0; hour < 5; hour++) {
      accounts.book(0, hour * HOUR_US, SECOND_US);
      expect(accounts.opensAtUs(0, hour * HOUR_US + SECOND_US, 100)).toBe(
        hour * HOUR_US + 100 * SECOND_US,
      );
      expect(accounts.usedUs(0, hour * HOUR_US + SECOND_US)).toBe(SECOND_US);
    }
    expect(accounts.opensAtUs(0, 5 * HOUR_US + SECOND_US, 100)).toBe(5 * HOUR_US + SECOND_US);
  });
});

describe('an hour of an account', () => {
  it('has what ends in it, to the microsecond, and nothing that is planned after it', () => {
    const accounts = new DutyCycle();
    accounts.open(2);
    for (const [startUs, airtimeUs] of [
      [0, 10],
      [1_000, 20],
      [5_000, 40],
      [HOUR_US, 80],
    ] as const) {
      accounts.book(0, startUs, airtimeUs);
    }
    const used = (untilUs: number) => accounts.usedInHourUs(0, untilUs);
    expect([used(9), used(10), used(1_020), used(5_039), used(5_040)]).toEqual([0, 10, 30, 30, 70]);
    expect([used(HOUR_US + 9), used(HOUR_US + 10)]).toEqual([70, 60]);
    expect([used(HOUR_US + 79), used(HOUR_US + 80)]).toEqual([60, 140]);
    expect([used(HOUR_US + 5_040), used(2 * HOUR_US + 80)]).toEqual([80, 0]);
    expect(accounts.usedInHourUs(1, HOUR_US)).toBe(0);
  });
});

/** Time on air in the hour that ends at `endUs`, shares of cut transmissions included. */
function usedUs(sent: readonly Sent[], endUs: number): number {
  const share = (one: Sent): number =>
    Math.max(0, Math.min(one.endUs, endUs) - Math.max(one.startUs, endUs - HOUR_US));
  return sent.reduce((sum, one) => sum + share(one), 0);
}

/** Most that is used in any hour: one that ends with a transmission, or begins with one. */
function mostUs(sent: readonly Sent[]): number {
  const ends = sent.flatMap(({ startUs, endUs }) => [endUs, startUs + HOUR_US]);
  return Math.max(0, ...ends.map((endUs) => usedUs(sent, endUs)));
}

/** The rule by trying: a frame fits when all that ends in the hour before its end leaves room. */
function earliestByTrying(sent: readonly Sent[], startUs: number, airtimeUs: number): number {
  const fits = (atUs: number): boolean => {
    const fromUs = atUs + airtimeUs - HOUR_US;
    const counted = sent.filter(({ endUs }) => endUs > fromUs);
    const booked = counted.reduce((sum, one) => sum + one.endUs - one.startUs, 0);
    return booked + airtimeUs <= BUDGET_US;
  };
  const candidates = sent.map(({ endUs }) => endUs + HOUR_US - airtimeUs);
  return [startUs, ...candidates]
    .filter((atUs) => atUs >= startUs && fits(atUs))
    .sort((a, b) => a - b)[0];
}

const wishes = fc.array(
  fc.record({
    pauseUs: fc.oneof(
      fc.integer({ min: 0, max: 100 * SECOND_US }),
      fc.integer({ min: 0, max: HOUR_US }),
    ),
    airtimeUs: fc.integer({ min: 10_000, max: 6 * SECOND_US }),
  }),
  { maxLength: 60, size: 'max' },
);

describe('a transmitter that keeps its duty cycle', () => {
  it('never exceeds its share in any hour, and waits no longer than it must', () => {
    fc.assert(
      fc.property(wishes, (some) => {
        const dutyCycle = new DutyCycle();
        dutyCycle.open(1);
        const sent: Sent[] = [];
        let nowUs = 0;
        for (const { pauseUs, airtimeUs } of some) {
          nowUs += pauseUs;
          const atUs = dutyCycle.earliestUs(0, nowUs, nowUs, airtimeUs, BUDGET_US);
          expect(atUs).toBe(earliestByTrying(sent, nowUs, airtimeUs));
          dutyCycle.book(0, atUs, airtimeUs);
          sent.push({ startUs: atUs, endUs: atUs + airtimeUs });
          nowUs = atUs + airtimeUs;
        }
        expect(mostUs(sent)).toBeLessThanOrEqual(BUDGET_US);
      }),
    );
  });

  it('uses its whole share when it has much to say', () => {
    const dutyCycle = new DutyCycle();
    dutyCycle.open(1);
    let nowUs = 0;
    let inFirstHour = 0;
    for (let i = 0; i < 100; i++) {
      nowUs = dutyCycle.earliestUs(0, nowUs, nowUs, SECOND_US, BUDGET_US);
      dutyCycle.book(0, nowUs, SECOND_US);
      nowUs += SECOND_US;
      if (nowUs <= HOUR_US) inFirstHour++;
    }
    expect(inFirstHour).toBe(36);
    // The 37th frame ends when the first one has left the hour: 36 s after an hour's start.
    expect(nowUs).toBe(2 * HOUR_US + 28 * SECOND_US);
  });

  it('may send a frame of exactly its share, and never a longer one', () => {
    const dutyCycle = new DutyCycle();
    dutyCycle.open(1);
    expect(dutyCycle.earliestUs(0, 0, 0, BUDGET_US, BUDGET_US)).toBe(0);
    expect(dutyCycle.earliestUs(0, 0, 0, BUDGET_US + 1, BUDGET_US)).toBe(Infinity);
    dutyCycle.book(0, 0, BUDGET_US);
    expect(dutyCycle.earliestUs(0, BUDGET_US, BUDGET_US, SECOND_US, BUDGET_US)).toBe(
      BUDGET_US + HOUR_US - SECOND_US,
    );
  });
});

describe('a transmitter that plans ahead', () => {
  const plans = fc.array(
    fc.record({
      pauseUs: fc.integer({ min: 0, max: 400 * SECOND_US }),
      aheadUs: fc.integer({ min: 0, max: 16 * SECOND_US }),
      airtimeUs: fc.integer({ min: 10_000, max: 5 * SECOND_US }),
      stored: fc.boolean(),
    }),
    { maxLength: 80, size: 'max' },
  );

  it('keeps its share too, whatever it plans before or after, and takes back', () => {
    fc.assert(
      fc.property(plans, (some) => {
        const dutyCycle = new DutyCycle();
        dutyCycle.open(1);
        const sent: Sent[] = [];
        let nowUs = 0;
        for (const { pauseUs, aheadUs, airtimeUs, stored: isStored } of some) {
          nowUs += pauseUs;
          const startUs = nowUs + aheadUs;
          const atUs = dutyCycle.earliestUs(0, nowUs, startUs, airtimeUs, BUDGET_US);
          if (atUs !== startUs) continue;
          dutyCycle.book(0, startUs, airtimeUs);
          if (isStored) sent.push({ startUs, endUs: startUs + airtimeUs });
          else dutyCycle.cancel(0, startUs, airtimeUs);
        }
        expect(mostUs(sent)).toBeLessThanOrEqual(BUDGET_US);
      }),
    );
  });

  it('cannot take back what it did not plan', () => {
    const dutyCycle = new DutyCycle();
    dutyCycle.open(2);
    dutyCycle.book(0, 5, 10);
    expect(() => dutyCycle.cancel(1, 5, 10)).toThrow('only what was booked is cancelled');
  });
});

describe('accounts', () => {
  it('do not know of each other', () => {
    const dutyCycle = new DutyCycle();
    dutyCycle.open(2);
    dutyCycle.book(0, 0, BUDGET_US);
    expect(dutyCycle.earliestUs(1, BUDGET_US, BUDGET_US, BUDGET_US, BUDGET_US)).toBe(BUDGET_US);
  });

  it('are the same after a save and a load', () => {
    fc.assert(
      fc.property(wishes, fc.integer({ min: 1, max: BUDGET_US }), (some, airtimeUs) => {
        const dutyCycle = new DutyCycle();
        dutyCycle.open(1);
        let nowUs = 0;
        for (const wish of some) {
          nowUs += wish.pauseUs;
          dutyCycle.book(0, nowUs, wish.airtimeUs);
        }
        const restored = new DutyCycle();
        restored.load(structuredClone(dutyCycle.save()));
        const ask = (one: DutyCycle) => one.earliestUs(0, nowUs, nowUs, airtimeUs, BUDGET_US);
        expect(ask(restored)).toBe(ask(dutyCycle));
      }),
    );
  });
});
