/** Own traffic that begins at a given time, and that is silent in multicast sessions. */
import { describe, expect, it } from 'vitest';
import { USUAL_PACKAGES } from '../../sim/plan/packages-plan.ts';
import { runCampaign, takenBy, upTo } from '../campaigns/notation.ts';
import { MINUTE_US, networkOf, SECOND_US, watch } from '../support/small-network.ts';

const uplinksOf = (trace: { of: ReturnType<typeof watch>['of'] }) =>
  trace.of('uplinkBegins').map(({ atUs }) => atUs);

describe('the first message of periodic traffic', () => {
  it('comes so long after the session began', () => {
    const traffic = { firstUs: 10 * SECOND_US, meanUs: 30 * SECOND_US, jitterPpm: 0 };
    const trace = watch(networkOf({ traffic, type: { driftPpb: 0 } }), 2 * MINUTE_US);
    const expected = [10, 40, 70, 100].map((s) => s * SECOND_US + 1);
    expect(uplinksOf(trace)).toEqual(expected);
  });
});

describe('a device in a multicast session that it has accepted', () => {
  const campaign = (inSessions?: 'pause' | 'stop') =>
    runCampaign({
      type: { timeSyncEveryUs: 60 * MINUTE_US },
      traffic: inSessions === undefined ? {} : { inSessions },
      minutes: 30,
    });
  /** From the accepted session request to the end of the session. */
  const silent = (trace: ReturnType<typeof campaign>) => {
    const [opens] = trace.of('multicastSessionOpens');
    const [closes] = trace.of('multicastSessionCloses');
    const between = uplinksOf(trace).filter((at) => at > opens!.atUs && at < closes!.atUs);
    const after = uplinksOf(trace).filter((at) => at > closes!.atUs + 5 * MINUTE_US);
    return { between: between.length, after: after.length };
  };

  it('sends on where nobody asks for silence, and misses fragments', () => {
    const trace = campaign();
    expect(silent(trace).between).toBeGreaterThan(0);
    expect(takenBy(trace, 'meter-1').length).toBeLessThan(20);
  });

  it('is silent until it ends where it pauses, and hears every fragment', () => {
    const trace = campaign('pause');
    expect(silent(trace).between).toBe(0);
    expect(silent(trace).after).toBeGreaterThan(0);
    expect(takenBy(trace, 'meter-1')).toEqual(upTo(20));
  });

  it('is silent for good where it stops', () => {
    expect(silent(campaign('stop'))).toEqual({ between: 0, after: 0 });
  });
});

describe('the answers of a package', () => {
  it('come after the time that it needs, and those of others at once', () => {
    const answerAfterUs = { fragmentation: 4 * SECOND_US };
    const run = (packages: object) => {
      const trace = runCampaign({
        type: { timeSyncEveryUs: 60 * MINUTE_US, packages: { ...USUAL_PACKAGES, ...packages } },
        campaign: { skip_clock_sync: true, min_downlink_delay: 0 },
        minutes: 10,
      });
      const received = trace.of('deviceReceives').filter(({ atUs }) => atUs > 3 * MINUTE_US);
      const uplinks = uplinksOf(trace);
      return received
        .slice(0, 3)
        .map(({ atUs }) => (uplinks.find((at) => at >= atUs)! - atUs) / SECOND_US);
    };
    const [group, fragmentation] = run({ answerAfterUs });
    expect(group).toBeLessThan(0.1);
    expect(fragmentation).toBeCloseTo(4, 1);
    expect(run({})[1]).toBeLessThan(0.1);
  });
});
