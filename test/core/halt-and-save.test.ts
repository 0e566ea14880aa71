/** A campaign is stopped, or saved and loaded, at every point of its flow. */
import { describe, expect, it } from 'vitest';
import type { CampaignInput } from '../../core/update-service/campaigns/commands.ts';
import { allMembers } from '../../core/update-service/campaigns/member.ts';
import { Step } from '../../core/update-service/campaigns/member-columns.ts';
import { STAGES, type Stage } from '../../core/update-service/campaigns/stages.ts';
import { STEPS } from '../../core/update-service/campaigns/steps.ts';
import { IS_LONG, sampled } from '../support/long.ts';
import { type Bench, ready, S } from './bench.ts';

/** Three devices that go through every step, one of them after two retries. */
function eventful(deviceClass: 'A' | 'C'): Bench {
  let sessions = 0;
  const bench = ready(3, (i) => ({
    deviceClass,
    clockErrorS: 40 * i,
    losesFragment: (fragmentNumber: number) => {
      if (i === 2 && fragmentNumber === 1) sessions++;
      return i === 0 ? fragmentNumber > 18 : i === 2 && sessions < 3;
    },
    losesUplink: (ordinal) => ordinal % 7 === 6,
  }));
  const input: Partial<CampaignInput> = {
    frag_size: 48,
    force_initial_version_check: true,
    individual_fragment_retransmit: 9,
    automatic_retry_count: 2,
    downlink_delay_rand_s: 3,
    is_troubleshooting: true,
  };
  bench.campaign(input);
  return bench;
}

const ended = new Map<'A' | 'C', Bench>();
/** The same at its end, with nothing in between: made once, and left as it is. */
function undisturbedOf(deviceClass: 'A' | 'C'): Bench {
  const known = ended.get(deviceClass);
  if (known !== undefined) return known;
  const bench = eventful(deviceClass);
  bench.finish();
  ended.set(deviceClass, bench);
  return bench;
}

/** Goes on until the condition holds; false when it never does. */
function goUntil(bench: Bench, condition: () => boolean): boolean {
  const endUs = 3 * 86_400 * S;
  while (!condition()) {
    if (bench.nowUs >= endUs) return false;
    bench.runUntil(bench.nowUs + 0.5 * S);
  }
  return true;
}

const classes = ['A', 'C'] as const;
/** A stage that nothing leads to yet: campaigns begin at once. */
const REACHED = STAGES.filter((stage) => stage !== 'WAITING_FOR_START');
const RUNNING = REACHED.slice(0, 6);

describe.each(classes)('a campaign of class %s', (deviceClass) => {
  it('goes through all stages in a world with trouble', () => {
    const bench = eventful(deviceClass);
    const result = bench.finish();
    const stages = new Set(result.stages.map(({ stage }) => stage));
    expect([...stages].sort()).toEqual([...RUNNING, 'FINISHED'].sort());
    expect(result).toMatchObject({ success: 3, failed: 0 });
  });

  it.each(RUNNING)('that is halted while %s sends nothing afterwards', (stage: Stage) => {
    const bench = eventful(deviceClass);
    expect(goUntil(bench, () => bench.result.stage === stage)).toBe(true);
    bench.runUntil(bench.nowUs + 0.5 * S);
    expect(bench.result.stage).toBe(stage);
    const before = bench.log.length;
    const halt = { kind: 'campaign.halt', by: 'default', campaign_id: bench.campaignId } as const;
    bench.execute(halt);
    const said = bench.log.slice(before).map(({ request }) => request.kind);
    const kinds = ['watch', 'clearDownlinks', 'multicast.close', 'wakeNever'];
    for (const kind of said) expect(kinds).toContain(kind);
    expect(said.at(-1)).toBe('wakeNever');
    const after = bench.log.length;
    bench.runUntil(bench.nowUs + 86_400 * S);
    expect(bench.log.length).toBe(after);
    const { result } = bench;
    expect(result.stage).toBe('HALTED');
    expect(result.success + result.failed).toBe(3);
    expect(bench.try(halt)).toMatchObject({ failure: { code: 'campaign.not-running' } });
  });

  const steps = Object.entries(Step).map(([key, step]) => ({ key, step, name: STEPS[step]!.name }));

  it.each(sampled(steps, ({ step }) => step % 2 === (deviceClass === 'A' ? 0 : 1)))(
    'that is saved and loaded in the step “$name” goes on as if it were not',
    ({ step }) => {
      const undisturbed = undisturbedOf(deviceClass);
      const bench = eventful(deviceClass);
      const isInStep = (): boolean =>
        allMembers(bench.platform.save().resources.campaign.campaigns[0]!).some((member) =>
          step === Step.repair ? member.repairs > 0 : member.sentAtUs(step) >= 0,
        );
      expect(goUntil(bench, isInStep)).toBe(true);
      bench.reload();
      bench.finish();
      expect(bench.log).toEqual(undisturbed.log);
      expect(bench.result).toEqual(undisturbed.result);
    },
  );

  it('that is saved and loaded again and again goes on as if it were not', () => {
    const everyS = IS_LONG ? 100 : 300;
    const undisturbed = undisturbedOf(deviceClass);
    const bench = eventful(deviceClass);
    while (bench.result.stage !== 'FINISHED') {
      bench.runUntil(bench.nowUs + everyS * S);
      bench.reload();
    }
    expect(bench.log).toEqual(undisturbed.log);
  });
});

describe('the state of a platform', () => {
  it('is plain data that shares nothing with the platform it came from', () => {
    const bench = eventful('A');
    bench.runUntil(2000 * S);
    const saved = bench.platform.save();
    const text = JSON.stringify(saved);
    bench.runUntil(9000 * S);
    expect(JSON.stringify(saved)).toBe(text);
    expect(JSON.stringify(bench.platform.save())).not.toBe(text);
  });
});

describe('a campaign of a thousand devices', () => {
  it.each(classes)(
    'never does more than a bounded part of its work in one event: 256 members (class %s)',
    (deviceClass) => {
      const bench = ready(1000, (i) => ({
        deviceClass,
        firstUplinkS: 10 + i,
        uplinkEveryS: 3000,
        dataRate: 5,
      }));
      bench.campaign({ multicast_setup_time: 30_000 });
      bench.finish();
      const perInstant = new Map<number, number>();
      for (const { atUs } of bench.log) perInstant.set(atUs, (perInstant.get(atUs) ?? 0) + 1);
      expect(Math.max(...perInstant.values())).toBeLessThanOrEqual(2 * 256 + 2);
      expect(bench.result.success + bench.result.failed).toBe(1000);
    },
  );
});
