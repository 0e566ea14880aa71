/** Parts of a campaign by themselves: who is due first, what a clock may do, when sending ends. */
import { describe, expect, it } from 'vitest';
import { addDue, type DueList, takeDue } from '../../core/base/due-list.ts';
import { type AnswerContext, takeAnswer } from '../../core/update-service/campaigns/answers.ts';
import { Member } from '../../core/update-service/campaigns/member.ts';
import { memberColumns, roundColumns } from '../../core/update-service/campaigns/member-columns.ts';
import { newSending, takeDepartures } from '../../core/update-service/campaigns/sending.ts';
import { isOver, nextStage } from '../../core/update-service/campaigns/stages.ts';
import { SECOND_US } from '../support/small-network.ts';

describe('members that are due', () => {
  it('come in the order of time, those of one time in that of the campaign', () => {
    const list: DueList = [];
    for (const [atUs, member] of [
      [20, 5],
      [10, 9],
      [10, 2],
      [10, 7],
      [5, 8],
    ] as const) {
      addDue(list, { atUs, member });
    }
    const taken = [1, 2, 3, 4, 5].map(() => takeDue(list)?.member);
    expect(taken).toEqual([8, 2, 7, 9, 5]);
  });
});

describe('a clock that is wrong', () => {
  const GPS_S = 1_000_000;
  const settings = {
    acceptable_time_drift: 5_000_000,
    force_initial_version_check: false,
    is_troubleshooting: false,
  };
  const context = { settings, gpsSeconds: GPS_S, nowUs: 0 } as AnswerContext;
  const asked = (tokenReq: number, behindS: number) => ({
    name: 'AppTimeReq' as const,
    payload: { deviceTime: GPS_S - behindS, tokenReq, ansRequired: true },
  });

  it('is corrected, and is a fault once it has applied a correction and is wrong again', () => {
    const members = { ...memberColumns(1), round: roundColumns(1) };
    const member = new Member({ members, group: { devices: ['D0'] } }, 0);
    member.enter('setUp', 0);
    expect(takeAnswer(member, asked(3, 100), context)).toBeUndefined();
    expect(member.correction).toMatchObject({ seconds: 100, token: 3, isIgnored: false });
    // The same token: the correction has not reached it.
    expect(takeAnswer(member, asked(3, 100), context)).toBeUndefined();
    const verdict = { fate: 'failed', reason: 'clock drift' };
    expect(takeAnswer(member, asked(4, 50), context)).toEqual(verdict);
  });
});

describe('the end of a session', () => {
  const departuresIn = (endsAtUs: number): number => {
    const pace = { firstAtUs: 10 * SECOND_US, delayUs: SECOND_US, airtimeUs: SECOND_US / 2 };
    const sending = newSending({ ...pace, endsAtUs, fragments: 1, slots: null }, ['A'], false);
    return takeDepartures(sending, 9 * SECOND_US).length + takeDepartures(sending, 9.95e6).length;
  };

  it('comes after the end of the last fragment, not after its beginning', () => {
    expect(departuresIn(10.5 * SECOND_US)).toBe(1);
    expect(departuresIn(10.5 * SECOND_US - 1)).toBe(0);
    expect(departuresIn(10.2 * SECOND_US)).toBe(0);
  });
});

describe('a campaign that is over', () => {
  it.each(['FINISHED', 'HALTED', 'ERROR_SETTING_UP'] as const)('%s may be restarted', (stage) => {
    expect(isOver(stage)).toBe(true);
    expect(nextStage(stage, 'restart')).toBe('INITIALIZING');
  });
});
