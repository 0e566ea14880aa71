/** Steps of the flow: what is said to a device, when, and how often. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allMembers, Member } from '../../core/update-service/campaigns/member.ts';
import { Step } from '../../core/update-service/campaigns/member-columns.ts';
import { STEPS } from '../../core/update-service/campaigns/steps.ts';
import type { Sender } from '../../sim/contract/downlinks.ts';
import type { DownlinkRequest } from '../../sim/contract/requests.ts';
import { someRuns } from '../support/long.ts';
import { type Bench, ready, S } from './bench.ts';

const FIRST = 'D000000000000001';

function member(bench: Bench, place = 0): Member {
  return new Member(bench.platform.save().resources.campaign.campaigns[0]!, place);
}

/** Times of the requests of this command to the first device, s. */
function timesOf(bench: Bench, command: string): number[] {
  const times = bench.log
    .filter(({ request }) => request.kind === 'downlink' && request.devEui === FIRST)
    .map(({ atUs }) => atUs / S);
  const names = bench.commandsTo(FIRST);
  return times.filter((_, i) => names[i] === command);
}

/** Steps that are open at once. */
const SET_UP = [Step.clockSync, Step.multicastSetup, Step.fragmentationSetup];

/** Downlinks that were requested for a device. */
const requestsTo = (bench: Bench, devEui = FIRST): DownlinkRequest[] =>
  bench.log.flatMap(({ request }) =>
    request.kind === 'downlink' && request.devEui === devEui ? [request] : [],
  );

describe('the table of steps', () => {
  it('has a row per step, in its order, each after earlier ones', () => {
    expect(STEPS.length).toBe(Object.keys(Step).length);
    STEPS.forEach((row, step) => {
      for (const before of row.after) expect(before).toBeLessThan(step);
    });
  });
});

describe('a class A device', () => {
  it('hears nothing before it speaks', () => {
    const bench = ready(1, () => ({ firstUplinkS: 400 }));
    bench.campaign();
    bench.runUntil(399 * S);
    expect(bench.commandsTo(FIRST)).toEqual([]);
    bench.runUntil(401 * S);
    expect(bench.commandsTo(FIRST)).toEqual([
      'ForceDeviceResyncReq',
      'McGroupSetupReq',
      'FragSessionSetupReq',
    ]);
  });

  it('is set up within a few seconds when it answers at once and need not rest between', () => {
    const bench = ready(1);
    bench.campaign({ min_downlink_delay: 1 });
    bench.runUntil(60 * S);
    expect(member(bench).passedAtUs(Step.session)).toBeGreaterThan(0);
    expect(bench.device(FIRST).session).not.toBeNull();
  });

  it('hears of a newly open step 5 s after the latest frame of the campaign, no sooner', () => {
    const bench = ready(1, () => ({ uplinkEveryS: 200 }));
    bench.campaign();
    bench.runUntil(600 * S);
    const latest = Math.max(...SET_UP.map((step) => member(bench).sentAtUs(step)));
    const session = requestsTo(bench).at(-1)!;
    expect(session.notBeforeUs).toBe(latest + 5 * S);
    expect(member(bench).sentAtUs(Step.session)).toBeGreaterThanOrEqual(latest + 5 * S);
  });

  it('gets all that is open after one random pause, when the settings ask for pauses', () => {
    const bench = ready(2, () => ({ firstUplinkS: 400 }));
    bench.campaign({ downlink_delay_rand_s: 300 });
    bench.runUntil(401 * S);
    const first = requestsTo(bench).map(({ notBeforeUs = 0 }) => notBeforeUs - 400.2 * S);
    expect(first).toHaveLength(3);
    expect(new Set(first).size).toBe(1);
    expect(first[0]).toBeGreaterThan(0);
    expect(first[0]).toBeLessThanOrEqual(300 * S);
    const other = requestsTo(bench, 'D000000000000002')[0]!;
    expect(other.notBeforeUs! - 400.3 * S).not.toBe(first[0]);
    expect(bench.finish().success).toBe(2);
  });

  it('has been sent a command when the network says so, and not when it was asked to', () => {
    const bench = ready(1, () => ({ firstUplinkS: 400, uplinkEveryS: 1000 }));
    bench.campaign();
    const tries = () => SET_UP.map((step) => member(bench).attempts(step));
    bench.runUntil(400.5 * S);
    expect([tries(), member(bench).queued.length]).toEqual([[0, 0, 0], 3]);
    bench.runUntil(401.5 * S);
    expect([tries(), member(bench).queued.length]).toEqual([[1, 0, 0], 2]);
    expect(member(bench).sentAtUs(Step.clockSync)).toBe(401 * S);
  });

  it('fails when a command is lost on its way; one that is cleared was none', () => {
    const bench = ready(1, () => ({ firstUplinkS: 400, uplinkEveryS: 1000 }));
    bench.campaign();
    bench.runUntil(400.5 * S);
    const [clock, group, block] = requestsTo(bench);
    const drop = (
      { id, devEui }: DownlinkRequest,
      sender: Sender,
      reason: 'collision' | 'cleared' | 'deviceRemoved',
    ) => {
      const what = { kind: 'dropped', reason } as const;
      bench.platform.hear({ kind: 'downlink', id, sender, devEui, what }, bench.nowUs);
    };
    const tries = () => SET_UP.map((step) => member(bench).attempts(step));
    drop(clock!, { kind: 'campaign', id: 'another' }, 'collision');
    drop(clock!, { kind: 'job', id: bench.campaignId }, 'collision');
    drop(clock!, { kind: 'application', id: '' }, 'collision');
    expect(tries()).toEqual([0, 0, 0]);
    drop(clock!, clock!.sender, 'collision');
    drop(clock!, clock!.sender, 'collision');
    drop(group!, group!.sender, 'cleared');
    drop(block!, block!.sender, 'deviceRemoved');
    expect(tries()).toEqual([1, 0, 0]);
  });

  it('hears an unanswered command again at uplinks that are 60 s after the last, 21 times', () => {
    const bench = ready(1, () => ({ uplinkEveryS: 45, mute: ['McGroupSetupReq'] }));
    bench.campaign();
    bench.finish();
    const times = timesOf(bench, 'McGroupSetupReq');
    expect(times.length).toBe(21);
    times.slice(1).forEach((time, i) => {
      expect(time - times[i]!).toBeGreaterThanOrEqual(60);
    });
    expect(member(bench).attempts(Step.multicastSetup)).toBe(21);
  });

  it('that falls silent is given up an hour or the set-up time after it last spoke', () => {
    const bench = ready(1, () => ({ uplinkEveryS: 1000 }));
    bench.campaign({ multicast_setup_time: 7200 });
    bench.runUntil(7300 * S);
    bench.device(FIRST).script.losesUplink = () => true;
    const { stages } = bench.finish();
    const verifying = stages.find(({ stage }) => stage === 'VERIFYING')!.atSeconds;
    expect(stages.at(-1)!.atSeconds).toBeCloseTo(verifying + 7200, 0);
    expect(bench.result.failures).toEqual({ 'no uplink': 1 });
  });
});

describe('a class C device', () => {
  it('hears one command at a time, at least 5 s apart, without an uplink before', () => {
    const bench = ready(1, () => ({ deviceClass: 'C', uplinkEveryS: 0 }));
    bench.campaign();
    bench.runUntil(3 * S);
    expect(bench.commandsTo(FIRST)).toEqual(['ForceDeviceResyncReq']);
    bench.finish();
    expect(bench.result.success).toBe(1);
    const times = bench.log
      .filter(({ request }) => request.kind === 'downlink')
      .map(({ atUs }) => atUs);
    times.slice(1).forEach((time, i) => {
      expect(time - times[i]!).toBeGreaterThanOrEqual(5 * S);
    });
  });

  it('hears an unanswered command again 60 s after it was sent, 6 times', () => {
    const bench = ready(1, () => ({ deviceClass: 'C', mute: ['FragSessionSetupReq'] }));
    bench.campaign();
    bench.finish();
    const times = timesOf(bench, 'FragSessionSetupReq');
    // From its request to its sending it takes half a second.
    const pauses = times.slice(1).map((time, i) => time - times[i]! - 0.5);
    expect(pauses.map((pause) => Math.round(1_000 * pause) / 1_000)).toEqual([60, 60, 60, 60, 60]);
  });

  it('is appointed for nothing more once it has answered all', () => {
    const bench = ready(1, () => ({ deviceClass: 'C' }));
    bench.campaign();
    while (member(bench).phase !== 'setUp') bench.runUntil(bench.nowUs + S);
    while (member(bench).passedAtUs(Step.session) < 0) bench.runUntil(bench.nowUs + S);
    expect(member(bench).dueAtUs).toBe(-1);
  });

  it('hears commands after random pauses when the settings ask for them', () => {
    const script = () => ({ deviceClass: 'C' as const, mute: ['ForceDeviceResyncReq'] });
    const bench = ready(1, script);
    bench.campaign({ downlink_delay_rand_s: 20 });
    bench.finish();
    const times = timesOf(bench, 'ForceDeviceResyncReq');
    const pauses = times.slice(1).map((time, i) => time - times[i]! - 60);
    for (const pause of pauses) {
      expect(pause).toBeGreaterThanOrEqual(0);
      expect(pause).toBeLessThanOrEqual(20);
    }
    expect(new Set(pauses).size).toBeGreaterThan(1);
  });

  it('waits its turn: after a burst, half of the budgets is the pace of commands', () => {
    const bench = ready(200, () => ({
      deviceClass: 'C',
      uplinkEveryS: 0,
      losesDownlink: () => true,
    }));
    bench.campaign({ multicast_setup_time: 20_000 });
    bench.runUntil(15_000 * S);
    const times = bench.log
      .filter(({ request }) => request.kind === 'downlink')
      .map(({ atUs }) => atUs);
    const airtimeUs = bench.view.downlinkAirtimeUs(bench.view.rx2.dataRate, 15);
    const perHour = times.filter((atUs) => atUs < 3600 * S).length;
    expect(perHour * airtimeUs).toBeLessThanOrEqual(0.1 * 3600 * S + airtimeUs);
    const inAll = times.length;
    expect(inAll * airtimeUs).toBeLessThanOrEqual(0.05 * (15_000 + 3600) * S + airtimeUs);
    times.slice(1).forEach((time, i) => {
      expect(time - times[i]!).toBeGreaterThanOrEqual(airtimeUs);
    });
  });
});

describe.each(['A', 'C'] as const)('the clock of a class %s device', (deviceClass) => {
  it.each([-100_000, -6, 6, 90, 1_000_000])('that is off by %i s is corrected', (clockErrorS) => {
    const bench = ready(1, () => ({ deviceClass, clockErrorS }));
    bench.campaign();
    expect(bench.finish().success).toBe(1);
    expect(Math.abs(bench.device(FIRST).script.clockErrorS)).toBeLessThanOrEqual(1);
  });

  it.each([-5, 0, 4])('that is off by %i s is good enough', (clockErrorS) => {
    const bench = ready(1, () => ({ deviceClass, clockErrorS }));
    bench.campaign();
    expect(bench.finish().success).toBe(1);
    expect(bench.commandsTo(FIRST).join()).not.toContain('AppTimeAns');
    expect(bench.device(FIRST).script.clockErrorS).toBe(clockErrorS);
  });

  it('is answered when the device asks for an answer', () => {
    const bench = ready(1, () => ({ deviceClass, ansRequired: true }));
    bench.campaign();
    expect(bench.finish().success).toBe(1);
    expect(bench.commandsTo(FIRST)).toContain('AppTimeAns');
  });

  it('is corrected again when the correction was lost', () => {
    const bench = ready(1, () => ({ deviceClass, clockErrorS: 50 }));
    let lost = 0;
    const { script } = bench.device(FIRST);
    script.losesDownlink = () => {
      const isCorrection = bench.commandsTo(FIRST).at(-1)?.startsWith('AppTimeAns') ?? false;
      return isCorrection && lost++ === 0;
    };
    bench.campaign();
    expect(bench.finish().success).toBe(1);
    expect(lost).toBeGreaterThan(0);
  });

  it('that breaks after its check shows in TimeToStart, and all is asked again', () => {
    const bench = ready(1, () => ({ deviceClass, uplinkEveryS: 120 }));
    const { script } = bench.device(FIRST);
    script.losesDownlink = () => {
      if (member(bench).passedAtUs(Step.fragmentationSetup) > 0 && !broken) {
        broken = true;
        script.clockErrorS = 300;
      }
      return false;
    };
    let broken = false;
    bench.campaign();
    expect(bench.finish().success).toBe(1);
    const commands = bench.commandsTo(FIRST);
    expect(commands.filter((name) => name === 'McClassCSessionReq').length).toBe(2);
    expect(commands).toContain('AppTimeAns+ForceDeviceResyncReq');
  });

  it('that breaks twice makes the device fail', () => {
    const bench = ready(1, () => ({ deviceClass, uplinkEveryS: 120 }));
    const { script } = bench.device(FIRST);
    script.losesDownlink = () => {
      if (bench.commandsTo(FIRST).at(-1) === 'McClassCSessionReq') script.clockErrorS += 300;
      return false;
    };
    bench.campaign();
    expect(bench.finish().failures).toEqual({ 'clock drift': 1 });
  });
});

describe.each(['A', 'C'] as const)('the version check of a class %s device', (deviceClass) => {
  it('comes before all else when it is enforced', () => {
    const bench = ready(2, () => ({ deviceClass }));
    bench.campaign({ force_initial_version_check: true });
    const result = bench.finish();
    expect(result.success).toBe(2);
    expect(bench.commandsTo(FIRST)[0]).toBe('DevVersionReq');
    expect(bench.commandsTo(FIRST)[1]).toBe('ForceDeviceResyncReq');
    expect(result.stages.map(({ stage }) => stage)).toEqual([
      'INITIALIZING',
      'CHECKING_VERSIONS',
      'SETTING_UP_DEVICES',
      'SENDING_FRAGMENTS',
      'VERIFYING',
      'FINISHED',
    ]);
    expect(member(bench)).toMatchObject({
      initialVersion: '0100000000000007',
      finalVersion: '0102030000000007',
    });
  });

  it('ends the flow of a device that has the version already', () => {
    const bench = ready(1, () => ({ deviceClass, fwVersion: 0x01020300 }));
    bench.campaign({ force_initial_version_check: true });
    expect(bench.finish()).toMatchObject({ stage: 'FINISHED', success: 1, sent: 0 });
    expect(bench.commandsTo(FIRST)).toEqual(['DevVersionReq']);
  });

  it('is repeated in the end while the device starts anew, at most as often as allowed', () => {
    for (const [allowed, success] of [
      [0, 0],
      [3, 1],
    ] as const) {
      const bench = ready(1, () => ({ deviceClass, uplinkEveryS: 70, newFwVersion: 0x01000000 }));
      const { script } = bench.device(FIRST);
      script.losesDownlink = () => {
        const asked = timesOf(bench, 'DevVersionReq').length;
        if (asked >= 3) script.fwVersion = 0x01020300;
        return false;
      };
      bench.campaign({ max_final_version_check_retry: allowed });
      expect(bench.finish().success).toBe(success);
      expect(timesOf(bench, 'DevVersionReq').length).toBe(success === 1 ? 3 : 1);
    }
  });
});

describe.each(['A', 'C'] as const)('the repair of a class %s device', (deviceClass) => {
  it('sends coded fragments that the session had not, each once, until none is missing', () => {
    const losesFragment = (fragmentNumber: number): boolean => fragmentNumber > 8;
    const bench = ready(2, (i) => ({ deviceClass, ...(i === 0 ? { losesFragment } : {}) }));
    bench.campaign({ frag_size: 48, individual_fragment_retransmit: 30 });
    const result = bench.finish();
    expect(result).toMatchObject({ success: 2, nbFrag: 21, redundancy: 7 });
    const numbers = bench.log.flatMap(({ request }) =>
      request.kind === 'downlink' && request.payload[0] === 8
        ? [request.payload[1]! + 256 * request.payload[2]!]
        : [],
    );
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, i) => 29 + i));
    expect(result.repairs).toBe(numbers.length);
    expect(numbers.length).toBeGreaterThanOrEqual(13);
    expect(numbers.length).toBeLessThanOrEqual(30);
  });

  it('ends with the device when it has sent as many as allowed', () => {
    const losesFragment = (fragmentNumber: number): boolean => fragmentNumber > 8;
    const bench = ready(1, () => ({ deviceClass, losesFragment }));
    bench.campaign({ frag_size: 48, individual_fragment_retransmit: 7 });
    expect(bench.finish()).toMatchObject({ repairs: 7, failures: { 'missing fragments': 1 } });
  });

  it('is not begun when no window of the device carries a fragment', () => {
    const losesFragment = (fragmentNumber: number): boolean => fragmentNumber > 4;
    const bench = ready(1, () => ({ deviceClass, losesFragment, dataRate: 2 }));
    bench.campaign({ mcast_dr: 5, frag_size: 49, individual_fragment_retransmit: 7 });
    expect(bench.finish()).toMatchObject({ repairs: 0, failures: { 'missing fragments': 1 } });
  });
});

describe('lost uplinks and downlinks', () => {
  const losses = fc.array(fc.boolean(), { minLength: 5, maxLength: 40 });
  const classes = fc.constantFrom('A' as const, 'C' as const);

  it('never make a success without the expected version, nor a device without a fate', () => {
    fc.assert(
      fc.property(
        classes,
        fc.array(losses, { minLength: 3, maxLength: 3 }),
        losses,
        (deviceClass, up, down) => {
          const bench = ready(3, (i) => ({
            deviceClass,
            uplinkEveryS: 300,
            losesUplink: (ordinal) => up[i]![ordinal % up[i]!.length]!,
            losesDownlink: (ordinal) => down[(ordinal + i) % down.length]!,
          }));
          bench.campaign({ frag_size: 100, individual_fragment_retransmit: 10 });
          const result = bench.finish(6);
          expect(result.stage).toBe('FINISHED');
          expect(result.success + result.failed).toBe(3);
          expect(Object.values(result.failures).reduce((sum, count) => sum + count, 0)).toBe(
            result.failed,
          );
          expect(result.completionSeconds.length).toBe(result.success);
          const [state] = bench.platform.save().resources.campaign.campaigns;
          for (const { devEui, fate, reason, finalVersion } of allMembers(state!)) {
            expect(bench.platform.resources.campaign.fate(devEui)).toBe(fate === 'success' ? 1 : 3);
            expect(reason === null).toBe(fate === 'success');
            if (fate === 'success') expect(finalVersion).toBe('0102030000000007');
            if (fate === 'success') expect(bench.device(devEui).image).not.toBeNull();
          }
          const watches = bench.log.filter(({ request }) => request.kind === 'watch').length;
          expect(watches).toBe(6);
        },
      ),
      { numRuns: someRuns(60) },
    );
  });

  it('leave all devices updated when they are few', () => {
    fc.assert(
      fc.property(classes, fc.nat({ max: 4 }), fc.nat({ max: 4 }), (deviceClass, up, down) => {
        const bench = ready(2, () => ({
          deviceClass,
          losesUplink: (ordinal) => ordinal % 5 === up,
          losesDownlink: (ordinal) => ordinal % 5 === down,
        }));
        bench.campaign({ multicast_setup_time: 14_400 });
        expect(bench.finish().success).toBe(2);
      }),
    );
  });
});
