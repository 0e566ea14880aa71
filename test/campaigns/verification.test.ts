/**
 * What comes after the fragments, and how fast these follow each other, as ThingPark has it
 * (docs/decisions/0138).
 */
import { describe, expect, it } from 'vitest';
import type { CampaignInput } from '../../core/update-service/campaigns/commands.ts';
import { USUAL_PACKAGES } from '../../sim/plan/packages-plan.ts';
import { MINUTE_US, SECOND_US } from '../support/small-network.ts';
import { runCampaign, takenBy, upTo } from './notation.ts';

const BY_STATUS = { verify_by_status: true, sleep_after_frag_sent: 0 } as const;

/** FragSize 50 at DR5, and at DR0: 66 B on the air. */
const AIRTIME_US = 118_016;
const SLOW_AIRTIME_US = 2_793_472;

/** Devices that hear what goes to their group to the session's end, and wait for a command. */
const STAYING = { ...USUAL_PACKAGES, sessionEnd: 'timeOut', imageActivation: 'onCommand' } as const;

const run = (campaign: Partial<CampaignInput>, wanted: Parameters<typeof runCampaign>[0] = {}) =>
  runCampaign({
    minutes: 30,
    ...wanted,
    traffic: { inSessions: 'pause', ...wanted.traffic },
    type: { packages: STAYING, ...wanted.type },
    campaign: { ...BY_STATUS, ...campaign },
  });

const resultOf = ({ world }: ReturnType<typeof run>) => world.result().campaigns[0]!;

function gaps(campaign: Partial<CampaignInput>): ReadonlySet<number> {
  const trace = run(campaign, {
    isPaced: false,
    gateway: { dutyCycle: false },
    ...(campaign.multicastDataRate === 0 && { minutes: 40 }),
  });
  const ends = trace.of('multicastDecided').map(({ endedAtUs }) => endedAtUs);
  return new Set(ends.slice(1).map((at, i) => at - ends[i]!));
}

describe('fragments follow each other', () => {
  it('at least some time later, whatever pace is asked for', () => {
    expect(gaps({ frag_send_delay: 0.5, frag_send_least: 2 })).toEqual(new Set([2 * SECOND_US]));
    expect(gaps({ frag_send_airtimes: 2, frag_send_least: 2 })).toEqual(new Set([2 * SECOND_US]));
  });

  it('at the pace that is asked for where it is slower', () => {
    expect(gaps({ frag_send_delay: 3, frag_send_least: 2 })).toEqual(new Set([3 * SECOND_US]));
  });

  it('after the report of the one before, so that no two overlap', () => {
    const after = { frag_send_after_report: true, frag_send_delay: 0.05 };
    expect(Math.min(...gaps(after))).toBeGreaterThan(AIRTIME_US + SECOND_US);
    const slow = { ...after, mcast_dr: null as never, multicastDataRate: 0, frag_size: 50 };
    expect(Math.min(...gaps(slow))).toBeGreaterThan(SLOW_AIRTIME_US + SECOND_US);
  });
});

describe('coded fragments', () => {
  it('are no more than the campaign has at most', () => {
    const coded = (redundancy_most: number) =>
      resultOf(run({ redundancy: 0.5, redundancy_most })).redundancy;
    expect([coded(0), coded(4), coded(10), coded(11)]).toEqual([0, 4, 10, 10]);
  });
});

describe('status that a group is asked for', () => {
  const above = (status_by_group_above: number, devices: number) =>
    run({ status_by_group_above }, { devices });

  it('is one frame after the fragments, and no downlink to a device', () => {
    const trace = above(5, 6);
    expect(trace.of('multicastDecided').length).toBe(6 * 21);
    expect(resultOf(trace)).toMatchObject({ success: 6, sent: 20, stage: 'FINISHED' });
    const { funnel } = resultOf(trace);
    expect(funnel.find(({ step }) => step === 'status')).toMatchObject({ devices: 6 });
  });

  it('is asked of each device where there are no more than that many', () => {
    const trace = above(6, 6);
    expect(trace.of('multicastDecided').length).toBe(6 * 20);
    expect(resultOf(trace)).toMatchObject({ success: 6, stage: 'FINISHED' });
  });

  it('spreads the answers over the least BlockAckDelay that has N/16 + 1 s', () => {
    const stages = resultOf(above(5, 6)).stages;
    const at = (stage: string) => stages.find((one) => one.stage === stage)!.atSeconds;
    expect(at('FINISHED') - at('VERIFYING')).toBeLessThan(16 + 2);
  });

  it('fails who has not answered when its time is over', () => {
    const trace = run({ status_by_group_above: 0 }, { type: { frameLossPpm: 1_000_000 } });
    expect(resultOf(trace).success).toBe(0);
    const lossy = run(
      { status_by_group_above: 0 },
      { devices: 8, type: { frameLossPpm: 150_000 } },
    );
    expect(resultOf(lossy)).toMatchObject({ stage: 'FINISHED', inProgress: 0 });
  });
});

describe('the time of a status', () => {
  it('ends a campaign whose devices are silent', () => {
    const silent = (status_time: number | undefined) =>
      resultOf(
        run(status_time === undefined ? {} : { status_time }, {
          minutes: 40,
          traffic: { inSessions: 'stop' },
          type: { packages: USUAL_PACKAGES },
        }),
      );
    expect(silent(undefined)).toMatchObject({ stage: 'VERIFYING', running: 1, inProgress: 1 });
    const { stage, running, stages } = silent(516);
    expect({ stage, running }).toEqual({ stage: 'FINISHED', running: 1 });
    const at = (name: string) => stages.find((one) => one.stage === name)!.atSeconds;
    expect(at('FINISHED') - at('VERIFYING')).toBeCloseTo(516, 2);
  });
});

describe('passes of a session without redundancy', () => {
  const lossy = (campaign: Partial<CampaignInput>) =>
    run(
      { status_by_group_above: 0, frag_send_passes: 2, frag_send_delay: 2, ...campaign },
      { devices: 8, type: { frameLossPpm: 100_000 } },
    );

  it('send all fragments once more where devices miss some', () => {
    const once = resultOf(lossy({ frag_send_passes: 1 }));
    const twice = lossy({});
    expect(once.success).toBeLessThan(2);
    expect(resultOf(twice).success).toBeGreaterThan(once.success + 3);
    expect(resultOf(twice).sent).toBe(40);
    const [, ...complete] = upTo(8).map((n) => [...takenBy(twice, `meter-${n}`)]);
    expect(complete.filter((taken) => new Set(taken).size === 20).length).toBeGreaterThan(3);
  });

  it('end when enough devices have all', () => {
    const sent = (set_up_threshold: number, type = {}) =>
      resultOf(
        run(
          { status_by_group_above: 0, frag_send_passes: 3, set_up_threshold },
          { devices: 8, type: { frameLossPpm: 0, ...type } },
        ),
      ).sent;
    expect(sent(1)).toBe(20);
    expect(sent(1, { frameLossPpm: 400_000 })).toBe(60);
    expect([sent(1, { frameLossPpm: 20_000 }), sent(0.25, { frameLossPpm: 20_000 })]).toEqual([
      40, 20,
    ]);
  });

  it('are one where there is redundancy', () => {
    expect(resultOf(lossy({ redundancy: 0.1 })).sent).toBe(22);
  });

  it('begin when every device that is asked for itself has answered', () => {
    const trace = run(
      { frag_send_passes: 2 },
      {
        devices: 2,
        type: { frameLossPpm: 200_000 },
        traffic: { inSessions: undefined } as never,
        minutes: 90,
      },
    );
    expect(resultOf(trace).sent).toBe(40);
    expect(trace.of('multicastDecided').at(-1)!.endedAtUs).toBeLessThan(60 * MINUTE_US);
  });
});
