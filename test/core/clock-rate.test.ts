/** What a campaign knows of a clock that runs fast or slow. */
import { describe, expect, it } from 'vitest';
import { type AnswerContext, takeAnswer } from '../../core/update-service/campaigns/answers.ts';
import {
  asShown,
  clockRateOf,
  expectedBehindS,
} from '../../core/update-service/campaigns/clock-rate.ts';
import { Member } from '../../core/update-service/campaigns/member.ts';
import {
  memberColumns,
  roundColumns,
  Step,
} from '../../core/update-service/campaigns/member-columns.ts';
import { sessionTimeFor } from '../../core/update-service/campaigns/steps.ts';
import { SECOND_US } from '../support/small-network.ts';

describe('the rate of a clock', () => {
  it('is believed up to 2 % and the rounding of a second, in both directions', () => {
    for (const sign of [1, -1]) {
      expect(clockRateOf(sign * 19, 1000, 1900)).not.toBeNull();
      expect(clockRateOf(sign * 20, 1000, 1900)).toBeNull();
    }
    expect(clockRateOf(50, 1000, 1100)).toBeNull();
  });

  it('foretells the same loss in every second, across the end of the GPS counter', () => {
    const measured = clockRateOf(9, 0xffff_ff00, (0xffff_ff00 + 900) % 2 ** 32)!;
    expect(expectedBehindS(measured, 0xffff_ff00)).toBe(0);
    expect(expectedBehindS(measured, (0xffff_ff00 + 900) % 2 ** 32)).toBe(9);
    const rate = { ...measured, rightAtS: (0xffff_ff00 + 900) % 2 ** 32 };
    expect(expectedBehindS(rate, (0xffff_ff00 + 900) % 2 ** 32)).toBe(0);
    expect(expectedBehindS(rate, (0xffff_ff00 + 1800) % 2 ** 32)).toBe(9);
    expect(expectedBehindS(rate, (0xffff_ff00 + 1850) % 2 ** 32)).toBe(10);
    expect(asShown(rate, (0xffff_ff00 + 1800) % 2 ** 32)).toBe((0xffff_ff00 + 1791) % 2 ** 32);
    expect([expectedBehindS(null, 5), asShown(null, 5)]).toEqual([0, 5]);
  });
});

describe('a member whose clock loses one second in a hundred', () => {
  const settings = {
    acceptable_time_drift: 5 * SECOND_US,
    ignore_clock_rates: false,
    force_initial_version_check: false,
    is_troubleshooting: false,
  };
  const contextAt = (gpsSeconds: number, periodicity: number | null = null) =>
    ({
      settings,
      gpsSeconds,
      nowUs: gpsSeconds * SECOND_US,
      plan: { periodicity },
      multicast: { sessionTime: 20_000 },
      replyTime: () => undefined,
    }) as unknown as AnswerContext;
  const looks = (member: Member, atS: number, tokenReq: number, behindS: number, asks = false) =>
    takeAnswer(
      member,
      {
        name: 'AppTimeReq',
        payload: { deviceTime: atS - behindS, tokenReq, ansRequired: asks },
      },
      contextAt(atS),
    );
  const fresh = () => {
    const members = { ...memberColumns(1), round: roundColumns(1) };
    const member = new Member({ members, group: { devices: ['D0'] } }, 0);
    member.enter('setUp', 0);
    return member;
  };

  it('passes once its rate is known, and is given the session by its own clock', () => {
    const member = fresh();
    looks(member, 10_000, 1, 500);
    looks(member, 11_000, 2, 10); // right at 10 000 s, and 10 s behind after 1 000 s
    expect(member.passedAtUs(Step.clockSync)).toBeLessThan(0);
    expect(member.clockRate).toEqual({ lostS: 10, overS: 1000, rightAtS: 11_000 });
    expect(looks(member, 12_000, 3, 10)).toBeUndefined();
    expect(member.passedAtUs(Step.clockSync)).toBe(12_000 * SECOND_US);
    // Nothing has set it right since 11 000 s: 90 s at 20 000 s.
    expect(sessionTimeFor(member, contextAt(12_100))).toBe(19_910);
    expect(sessionTimeFor(member, contextAt(12_100, 3))).toBe(20_000); // class B: by beacons
    expect(member.clockBehindS).toBe(0);
  });

  it('counts from the correction that an AppTimeReq asked for', () => {
    const member = fresh();
    looks(member, 10_000, 1, 500);
    looks(member, 11_000, 2, 10);
    looks(member, 12_000, 3, 10, true);
    expect(sessionTimeFor(member, contextAt(12_100))).toBe(19_920);
  });

  it('has a rate from the first look after a correction when that passes, from 2 s on', () => {
    for (const [behindS, lostS] of [
      [1, undefined],
      [2, 2],
      [-5, -5],
      [5, 5],
    ] as const) {
      const member = fresh();
      looks(member, 10_000, 1, 500);
      looks(member, 11_000, 2, behindS);
      expect(member.passedAtUs(Step.clockSync)).toBe(11_000 * SECOND_US);
      expect(member.clockRate?.lostS).toBe(lostS);
      // Nothing has corrected it: it loses on from where it was right.
      const lost = lostS === undefined ? 0 : 10 * lostS;
      expect(sessionTimeFor(member, contextAt(12_100))).toBe(20_000 - lost);
    }
  });

  it('fails when it is off by more than is accepted from what its rate foretold', () => {
    for (const [behindS, fate] of [
      [15, undefined],
      [5, undefined],
      [16, { fate: 'failed', reason: 'clock drift' }],
      [4, { fate: 'failed', reason: 'clock drift' }],
    ] as const) {
      const member = fresh();
      looks(member, 10_000, 1, 500);
      looks(member, 11_000, 2, 10);
      expect(looks(member, 12_000, 3, behindS)).toEqual(fate);
    }
  });

  it('is judged by the time to start that its own clock shows', () => {
    const answer = (timeToStart: number) => {
      const member = fresh();
      looks(member, 10_000, 1, 500);
      looks(member, 11_000, 2, 10);
      looks(member, 12_000, 3, 10);
      for (const step of [Step.multicastSetup, Step.fragmentationSetup]) member.setPassed(step, 0);
      const payload = {
        mcGroupId: 0,
        drError: false,
        freqError: false,
        mcGroupUndefined: false,
        timeToStart,
      };
      takeAnswer(member, { name: 'McClassCSessionAns', payload }, contextAt(13_000));
      return member.clockFaults;
    };
    // At 13 000 s it shows 12 980 s, and was given 19 910 s.
    expect([6925, 6930, 6935].map(answer)).toEqual([0, 0, 0]);
    expect([6924, 6936].map(answer)).toEqual([1, 1]);
  });
});
