/** Which steps are open to a member: sets of bits against what the table of steps says. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Member } from '../../core/update-service/campaigns/member.ts';
import {
  ALL_STEPS,
  memberColumns,
  roundColumns,
  Step,
} from '../../core/update-service/campaigns/member-columns.ts';
import type { Settings } from '../../core/update-service/campaigns/settings.ts';
import {
  bitOf,
  isOpen,
  isPassed,
  openBits,
  openSteps,
  passedBits,
  STEPS,
} from '../../core/update-service/campaigns/steps.ts';

const PHASES = ['outside', 'setUp', 'session', 'verify'] as const;
const step = fc.constantFrom(...ALL_STEPS);

const SITUATION = fc.record({
  settings: fc.record({
    force_initial_version_check: fc.boolean(),
    skip_clock_sync: fc.boolean(),
    is_troubleshooting: fc.boolean(),
    verify_by_status: fc.boolean(),
  }),
  phase: fc.constantFrom(...PHASES),
  passed: fc.uniqueArray(step),
  turn: fc.option(step, { nil: undefined }),
  repairsDue: fc.constantFrom(0, 1, 2),
});
type Situation = typeof SITUATION extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** The second of three members; those beside it have passed everything. */
function memberIn({ phase, passed, turn, repairsDue }: Situation): Member {
  const members = { ...memberColumns(3), round: roundColumns(3) };
  const group = { devices: ['D0', 'D1', 'D2'] };
  const membership = { members, group, ...(turn !== undefined && { turn: { step: turn } }) };
  for (const place of [0, 2]) {
    for (const one of ALL_STEPS) new Member(membership, place).setPassed(one, 0);
  }
  const member = new Member(membership, 1);
  member.enter(phase, 0);
  for (const one of passed) member.setPassed(one, 7);
  member.repairsDue = repairsDue;
  return member;
}

/** By the sentences of steps.ts, step by step. */
function isOpenByTable(one: Step, situation: Situation): boolean {
  const { phase, passed, turn, repairsDue } = situation;
  const settings = situation.settings as Settings;
  const isOver = (other: Step) =>
    passed.includes(other) || STEPS[other]?.applies?.(settings) === false;
  if (STEPS[one]?.phase !== phase || isOver(one)) return false;
  if (phase === 'setUp' && turn !== undefined && one > turn) return false;
  // Fragments are repaired where some are due, and the status is asked after that.
  if (one === Step.repair) return repairsDue > 0;
  if (one === Step.status && repairsDue > 0) return false;
  return STEPS[one].after.every(isOver);
}

describe('the steps of a member', () => {
  it('are open as the table says', () => {
    fc.assert(
      fc.property(SITUATION, (situation) => {
        const member = memberIn(situation);
        const settings = situation.settings as Settings;
        const open = ALL_STEPS.filter((one) => isOpenByTable(one, situation));
        expect(openSteps(member, settings)).toEqual(open);
        expect(openBits(member, settings)).toBe(
          open.reduce<number>((all, one) => all + 2 ** one, 0),
        );
        for (const one of ALL_STEPS) {
          expect(isOpen(member, one, settings)).toBe(open.includes(one));
          const isOver = (passedBits(member, settings) & bitOf(one)) !== 0;
          expect(isOver).toBe(isPassed(member, one, settings));
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
