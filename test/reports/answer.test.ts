/** What happened in a campaign and what to change: reports/stories/answer. */
import { describe, expect, it } from 'vitest';
import type { CampaignColumns } from '../../core/result/columns.ts';
import type { CampaignResult } from '../../core/result/result.ts';
import { campaignAnswer } from '../../reports/stories/answer/campaign-answer.ts';
import { sampleCampaignInput } from './sample-campaign.ts';

const BASE = sampleCampaignInput().result.campaigns[0]!;
const campaign = (change: Partial<CampaignResult>): CampaignResult => ({
  ...BASE,
  devices: 10,
  running: 6,
  success: 6,
  inProgress: 0,
  failed: 4,
  failures: { 'missing fragments': 4 },
  nbFrag: 20,
  redundancy: 2,
  ...change,
});

/** Members with how many they hold and lack, and their frames. */
function columns(...members: readonly (readonly [number, number, string])[]): CampaignColumns {
  const none = members.map(() => null);
  return {
    name: BASE.name,
    members: members.map((_, at) => at),
    fates: members.map(() => 'failed'),
    causes: members.map(() => 'missing fragments'),
    diagnoses: none,
    steps: none,
    runs: none,
    fragmentsHeld: members.map(([held]) => held),
    fragmentsNeeded: none,
    fragmentsMissing: members.map(([, missing]) => missing),
    fragments: { frames: 20, fates: members.map(([, , frames]) => frames) },
  };
}

/** Without narrow spaces. */
const answer = (one: CampaignResult, recorded?: CampaignColumns): string =>
  campaignAnswer(one, recorded).replaceAll('\u202F', ' ');

describe('a campaign’s answer', () => {
  it('is that nothing is to change where all have confirmed', () => {
    const all = { running: 10, success: 10, failed: 0, failures: {} };
    expect(answer(campaign(all))).toBe(
      'All 10 devices run it and have confirmed it: nothing to change.',
    );
  });

  it('says how many run it without having confirmed it', () => {
    const one = campaign({ running: 10, success: 9, failed: 1, failures: { 'answer lost': 1 } });
    expect(answer(one)).toMatch(
      /^All 10 devices run it, and 1 has not confirmed it; 10.0 % failed/,
    );
  });

  it('names the two most frequent causes with what they mean', () => {
    const failures = { 'no uplink': 1, 'clock drift': 2, 'no key': 1 };
    const text = answer(campaign({ failures }));
    expect(text).toMatch(
      /20.0 % failed by “Clock drift” \(.*\); 10.0 % failed by “No (key|uplink)”/,
    );
    expect(text).not.toMatch(/No (key|uplink).*No (key|uplink)”/);
  });

  it('computes from what each device heard how much redundancy would have been enough', () => {
    // 16 of 20 frames heard: for 20 fragments 25 frames, 5 more than the block has.
    const frames = `${'h'.repeat(16)}${'n'.repeat(4)}`;
    const text = answer(campaign({}), columns([16, 4, frames], [16, 4, frames]));
    expect(text).toBe(
      '60.0 % run it; 40.0 % lack 4 fragments: at the losses that each had, redundancy of 25 % ' +
        '(5 fragments in place of 2) would do.',
    );
  });

  it('gives what nine in ten need apart from what all need', () => {
    const good: readonly [number, number, string] = [18, 2, `${'h'.repeat(18)}ff`];
    const bad: readonly [number, number, string] = [10, 10, `${'h'.repeat(10)}${'f'.repeat(10)}`];
    const nine = Array.from({ length: 9 }, () => good);
    expect(answer(campaign({}), columns(...nine, bad))).toContain(
      'lack 2 to 10 fragments: at the losses that each had, redundancy of 15 % (3 fragments in ' +
        'place of 2) would do for nine in ten of them, 100 % for all.',
    );
  });

  it('promises nothing where many heard nothing', () => {
    const text = answer(campaign({}), columns([0, 20, ''], [0, 20, 'nnnn']));
    expect(text).toContain('redundancy alone does not reach them');
  });

  it('counts frames of before its session as neither heard nor lost', () => {
    const text = answer(campaign({}), columns([8, 12, `....${'h'.repeat(8)}${'f'.repeat(8)}`]));
    expect(text).toContain('redundancy of 100 %');
  });

  it('computes nothing without columns', () => {
    expect(answer(campaign({}))).toContain('40.0 % failed by “Missing fragments”');
  });
});
