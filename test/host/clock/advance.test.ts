/** The clock is advanced: to the same instant and event, wherever the slices of wall time end. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AdvanceGoal, goalOf, type Wanted } from '../../../api/host/clock/advance.ts';
import type { Pace } from '../../../api/host/clock/clock.ts';
import { Slices } from '../../../api/host/clock/slice.ts';
import { type AdvanceJob, ServedWorld } from '../../../api/host/world/served-world.ts';
import { formatInstant } from '../../../core/base/instant.ts';
import type { TimedCommand } from '../../../core/command.ts';
import type { Stage } from '../../../core/update-service/campaigns/stages.ts';
import type { WorldFacts } from '../../../core/world/facts.ts';
import type { WorldPlan } from '../../../core/world/plan.ts';
import { World } from '../../../core/world/world.ts';
import { got } from '../../core/resources/service.ts';
import { someRuns } from '../../support/long.ts';
import { ManualTime } from '../../support/manual-time.ts';
import { downlinkTo, HOUR_US, S_US, SERVED_DAY } from '../../support/served-day.ts';
import { idOf, stageOf, submit, Waiting } from '../../support/waiting.ts';

const DAY_US = 24 * HOUR_US;
const LAST_US = 1e15;
const SEED = 'advance';

/** Where an advance should stop. */
interface Stop {
  readonly atUs: number;
  readonly events: number;
  readonly isReached: boolean;
}

/** Something to wait for, from the world at `fromUs` on. */
interface Case {
  readonly fromUs: number;
  readonly before?: (world: World, waiting: Waiting) => void;
  readonly wanted: (world: World) => Wanted;
  /** Whether it is there at the end of an instant; `over`: it will not come any more. */
  readonly look: (world: World, waiting: Waiting) => boolean | 'over';
}

const begin = ({ fromUs, before }: Case, plan: WorldPlan = SERVED_DAY) => {
  const waiting = new Waiting();
  const world = World.create(plan, SEED, waiting.options);
  world.runUntil(fromUs);
  before?.(world, waiting);
  return { world, waiting };
};

/** Instants at which something happens, from an instant on. */
function instantsAfter(one: Case, untilUs: number): readonly number[] {
  const { world } = begin(one);
  const instants = new Set(SERVED_DAY.timeline.map(({ atUs }) => atUs));
  while (!world.runUntil(untilUs, 1)) instants.add(world.nowUs);
  return [...instants].filter((atUs) => atUs >= one.fromUs).sort((a, b) => a - b);
}

/** The oracle: goes from instant to instant, and asks as a subscriber would. */
function stopOf(one: Case): Stop {
  const untilUs = one.fromUs + 30 * DAY_US;
  const { world, waiting } = begin(one);
  const stop = (isReached: boolean): Stop => ({
    atUs: world.nowUs,
    events: world.events,
    isReached,
  });
  for (const atUs of [one.fromUs, ...instantsAfter(one, one.fromUs + 8 * HOUR_US)]) {
    world.runUntil(atUs);
    const seen = one.look(world, waiting);
    if (seen !== false) return stop(seen === true);
  }
  world.runUntil(untilUs);
  return stop(false);
}

const isIdle = (world: World, waiting: Waiting): boolean => waiting.isIdle(world);
const idle: Case['wanted'] = () => ({ kind: 'idle' });

const isOver = (stage: string): boolean =>
  ['FINISHED', 'HALTED', 'ERROR_SETTING_UP'].includes(stage);

const stageCase = (by: string, stage: Stage, fromUs: number): Case => ({
  fromUs,
  wanted: (world) => ({ kind: 'stage', by, campaignId: idOf(world, by), stage }),
  look: (world) => {
    const now = stageOf(world, by, idOf(world, by));
    return now === stage || (isOver(now) && 'over');
  },
});

const CASES: Readonly<Record<string, Case>> = {
  'idle, which it is': { fromUs: HOUR_US / 2, wanted: idle, look: isIdle },
  'idle, after one campaign and before the other': { fromUs: HOUR_US, wanted: idle, look: isIdle },
  'idle, after one that waits for its start': { fromUs: 2 * HOUR_US, wanted: idle, look: isIdle },
  'idle, after downlinks of two subscribers': {
    fromUs: HOUR_US - 900 * S_US,
    before: (world, waiting) => {
      submit(world, waiting, downlinkTo('meter', 0, true));
      submit(world, waiting, downlinkTo('valve', 3));
    },
    wanted: idle,
    look: isIdle,
  },
  'a stage': stageCase('ann', 'SENDING_FRAGMENTS', HOUR_US),
  'the stage that it is in': stageCase('ann', 'INITIALIZING', HOUR_US),
  'the last stage': stageCase('bob', 'FINISHED', 2 * HOUR_US),
  'a stage that never comes': stageCase('bob', 'WAITING_FOR_RETRY', 2 * HOUR_US),
  'a stage after the end': stageCase('ann', 'VERIFYING', 12 * HOUR_US),
};

const slices = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 6 });
const costs = fc
  .array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 6 })
  .filter((all) => all.some((ms) => ms > 0));

/** Carries a goal out in looks of some events, as they come. */
function inLooks(world: World, goal: AdvanceGoal, counts: readonly number[]): Stop {
  let next = 0;
  const few = {
    copyOn: () => false,
    get nowUs() {
      return world.nowUs;
    },
    get events() {
      return world.events;
    },
    runUntil: (untilUs: number, _: number, isThere?: () => boolean) =>
      world.runUntil(untilUs, counts[next++ % counts.length]!, isThere),
  };
  let ms = 0;
  const looks = new Slices(few, () => ms++);
  while (!looks.run(goal, 3));
  return { atUs: world.nowUs, events: world.events, isReached: goal.isReached() };
}

describe('an advance until', () => {
  it.each(Object.entries(CASES))('%s ends where the oracle sees it, in any slices', (_, one) => {
    const stop = stopOf(one);
    const straight = begin(one).world;
    straight.runUntil(stop.atUs);
    const outcome = straight.digest();
    fc.assert(
      fc.property(slices, (counts) => {
        const { world } = begin(one);
        const goal = goalOf(one.wanted(world), world.facts, world.nowUs, LAST_US);
        expect(inLooks(world, goal, counts)).toEqual(stop);
        expect(world.digest()).toEqual(outcome);
      }),
      { numRuns: someRuns(24) },
    );
  });

  it('idle ends after 30 virtual days where a campaign starts later than that', () => {
    const plan = { ...SERVED_DAY, timeline: SERVED_DAY.timeline.map(startingIn(40)) };
    const { served, time } = serve(plan);
    run(served, time, { kind: 'instant', atUs: 6 * HOUR_US });
    const job = run(served, time, { kind: 'idle' });
    expect(job).toMatchObject({
      state: 'finished',
      endsByUs: 6 * HOUR_US + 30 * DAY_US,
      end: { atUs: 6 * HOUR_US + 30 * DAY_US, isReached: false },
    });
    expect(run(served, time, { kind: 'idle' }).end).toMatchObject({ isReached: true });
  });

  it('a stage counts one that is left in the instant of its beginning, and none before', () => {
    const stages: { stage: Stage; atUs: number }[] = [
      { stage: 'INITIALIZING', atUs: 0 },
      { stage: 'CHECKING_VERSIONS', atUs: 1 },
    ];
    const facts = { stagesOf: () => stages } as unknown as WorldFacts;
    const goals = (['INITIALIZING', 'SETTING_UP_DEVICES'] as const).map((stage) =>
      goalOf({ kind: 'stage', by: 'ann', campaignId: 'x', stage }, facts, 0, LAST_US),
    );
    const areThere = () => goals.map(({ isThere }) => isThere?.());
    expect(areThere()).toEqual([false, false]);
    stages.push({ stage: 'SETTING_UP_DEVICES', atUs: 2 }, { stage: 'SENDING_FRAGMENTS', atUs: 2 });
    expect(areThere()).toEqual([false, true]);
    expect(goals.map(({ isReached }) => isReached())).toEqual([false, true]);
  });

  it('a stage ends, not there, when the campaign is halted or gone', () => {
    for (const kind of ['campaign.halt', 'campaign.delete'] as const) {
      const { served, time } = serve();
      run(served, time, { kind: 'instant', atUs: HOUR_US + 60 * S_US });
      const { campaign_id } = got(served.ask({ kind: 'campaign.list', by: 'ann' }))[0]!;
      const wanted = { kind: 'stage', by: 'ann', campaignId: campaign_id } as const;
      const ended: AdvanceJob[] = [];
      got(served.advance({ ...wanted, stage: 'VERIFYING' }, {}, (job) => void ended.push(job)));
      time.turn();
      const { nowUs } = served;
      got(served.submit({ kind, by: 'ann', campaign_id }));
      time.settle();
      expect(ended).toMatchObject([{ end: { atUs: nowUs, isReached: false } }]);
    }
  });
});

// ── of a world that is served ────────────────────────────────────────────────────────────────────

/** Its only campaign that waits for a start waits that many days. */
const startingIn =
  (days: number) =>
  (entry: TimedCommand): TimedCommand => {
    const { command } = entry;
    if (command.kind !== 'campaign.create' || command.by !== 'bob') return entry;
    const scheduled_start_at = formatInstant(SERVED_DAY.network.startUnixMs + days * 86_400_000);
    return {
      ...entry,
      command: { ...command, campaign: { ...command.campaign, scheduled_start_at } },
    };
  };

const PAUSED = { isPaused: true };

function serve(
  plan: WorldPlan = SERVED_DAY,
  pace: Partial<Pace> = PAUSED,
  all?: readonly number[],
) {
  const time = new ManualTime(all);
  const onBroken = (error: unknown) => {
    throw error;
  };
  const served = ServedWorld.create(plan, SEED, { pace, onBroken, time });
  served.start();
  return { served, time };
}

/** Advances to the end. */
function run(served: ServedWorld, time: ManualTime, wanted: Wanted): AdvanceJob {
  const ended: AdvanceJob[] = [];
  got(served.advance(wanted, {}, (job) => void ended.push(job)));
  time.settle();
  return ended[0]!;
}

describe('the same requests to a world that is paused', () => {
  it('lead to the same world, wherever the slices of wall time end', () => {
    const report = (all: readonly number[]) => {
      const { served, time } = serve(SERVED_DAY, PAUSED, all);
      const jobs = [run(served, time, { kind: 'instant', atUs: HOUR_US })];
      got(served.submit(downlinkTo('valve', 1)));
      const { campaign_id } = got(served.ask({ kind: 'campaign.list', by: 'ann' }))[0]!;
      const stage = { kind: 'stage', by: 'ann', campaignId: campaign_id } as const;
      jobs.push(run(served, time, { ...stage, stage: 'VERIFYING' }));
      got(served.submit(downlinkTo('meter', 0, true)));
      jobs.push(run(served, time, { kind: 'idle' }));
      jobs.push(run(served, time, { kind: 'instant', atUs: served.nowUs + 12_345_678 }));
      expect(jobs.map(({ end }) => end?.isReached)).toEqual([true, true, true, true]);
      return [jobs, served.simTime, served.events, served.digest(), served.log];
    };
    const once = report([1000]);
    fc.assert(
      fc.property(costs, (all) => {
        expect(report(all)).toEqual(once);
      }),
      { numRuns: someRuns(24) },
    );
  });
});

describe('an advance', () => {
  it('serves meanwhile what is asked, at the instant where the world is', () => {
    const { served, time } = serve();
    run(served, time, { kind: 'instant', atUs: HOUR_US });
    got(served.advance({ kind: 'instant', atUs: 2 * HOUR_US }, {}));
    let asked = 0;
    while (time.turn() && served.advancing !== undefined) {
      const latestUs = served.nowUs;
      const { downlink_id } = got(served.submit(downlinkTo('valve', asked++ % 4)));
      expect(downlink_id).toBeGreaterThan(0);
      expect(served.log.at(-1)?.atUs).toBe(latestUs);
      served.catchUp();
      expect(served.nowUs).toBe(latestUs);
    }
    expect([served.nowUs, asked > 5]).toEqual([2 * HOUR_US, true]);
  });

  it('continues with the pace from there, at no jump', () => {
    const { served, time } = serve(SERVED_DAY, { speed: 2 });
    time.pass(10_000);
    served.catchUp();
    expect(served.nowUs).toBe(20 * S_US);
    got(served.advance({ kind: 'instant', atUs: HOUR_US }, {}));
    time.turn();
    time.wall += 60_000;
    time.settle();
    expect(served.nowUs).toBe(HOUR_US);
    served.catchUp();
    expect(served.nowUs).toBe(HOUR_US);
    time.pass(500);
    served.catchUp();
    expect(served.nowUs).toBe(HOUR_US + S_US);
  });

  it('that is cancelled leaves the world where it is', () => {
    const { served, time } = serve();
    const ended: AdvanceJob[] = [];
    got(served.advance({ kind: 'instant', atUs: DAY_US }, {}, (job) => void ended.push(job)));
    time.turn();
    const { nowUs, events } = served;
    served.cancelAdvance();
    time.settle();
    expect([served.nowUs, served.events, served.advancing]).toEqual([nowUs, events, undefined]);
    expect(ended).toMatchObject([
      { state: 'cancelled', end: { atUs: nowUs, events, isReached: false } },
    ]);
    const straight = World.create(SERVED_DAY, SEED);
    straight.runUntil(DAY_US);
    run(served, time, { kind: 'instant', atUs: DAY_US });
    expect(served.digest()).toEqual(straight.digest());
  });

  it('is one at a time, and the pace is not changed meanwhile', () => {
    const { served, time } = serve();
    got(served.advance({ kind: 'instant', atUs: DAY_US }, {}));
    const refused = { ok: false, failure: { code: 'clock.advancing' } };
    expect(served.advance({ kind: 'idle' }, {})).toMatchObject(refused);
    expect(served.setPace({ speed: 2 })).toMatchObject(refused);
    time.settle();
    expect(served.setPace({ speed: 2 })).toMatchObject({ ok: true });
    expect(served.advance({ kind: 'idle' }, {})).toMatchObject({ ok: true });
  });

  it('goes neither back nor beyond a hundred years', () => {
    const { served, time } = serve();
    run(served, time, { kind: 'instant', atUs: S_US });
    const to = (atUs: number) => served.advance({ kind: 'instant', atUs }, {});
    expect(to(S_US - 1)).toMatchObject({ failure: { code: 'clock.past' } });
    expect(to(101 * 366 * DAY_US)).toMatchObject({ failure: { code: 'clock.too-far' } });
    expect(run(served, time, { kind: 'instant', atUs: S_US }).end).toMatchObject({ atUs: S_US });
  });
});
