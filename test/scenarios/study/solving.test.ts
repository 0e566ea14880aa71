/** The search for the cheapest point: scenarios/study/solving.ts, on points of known truth. */
import { describe, expect, it } from 'vitest';
import type { Run } from '../../../scenarios/study/rounds.ts';
import { type Solving, solvingOf } from '../../../scenarios/study/solving.ts';
import { type SolvingOptions, solvingRule } from '../../../scenarios/study/solving-rule.ts';
import { CONSTRAINT, drawn, type GroundTruth, planOf, simulated } from './simulated-points.ts';

function ruleOf(plan = planOf(1), options: Partial<SolvingOptions> = {}) {
  const ruled = solvingRule(plan, { confidence: 0.95, atMost: 400, ...options });
  if (!ruled.ok) throw new Error(ruled.problems.join());
  return ruled.rule;
}

function solvedOf(
  groundTruths: readonly GroundTruth[],
  world: string,
  options: Partial<SolvingOptions> = {},
) {
  const plan = planOf(groundTruths.length);
  return solvingOf(plan, ruleOf(plan, options), simulated(groundTruths, world));
}

const runsIn = ({ chunks }: Solving): readonly Run[] => chunks.flatMap(({ runs }) => runs);
const foundIn = ({ verdict }: Solving) => (verdict?.kind === 'found' ? verdict.point : undefined);
const worlds = (count: number) => Array.from({ length: count }, (_, at) => `world ${at}`);

/** Shares in which more redundancy helps, at a price. */
const TOWN: readonly GroundTruth[] = [
  { share: 0.3, cost: 100 },
  { share: 0.7, cost: 110 },
  { share: 0.995, cost: 120 },
  { share: 0.999, cost: 130 },
  { share: 1, cost: 140 },
];

describe('the point that is found', () => {
  it('fails its constraint with 5 % at most, where every point is just below it', () => {
    const groundTruths = Array.from({ length: 4 }, (_, at) => ({ share: 0.895, cost: 100 + at }));
    const wrong = worlds(200).filter(
      (world) => foundIn(solvedOf(groundTruths, world)) !== undefined,
    );
    expect(wrong.length).toBeLessThanOrEqual(10);
  });

  it('is, of points that just meet it, rejected with 5 % at most', () => {
    const groundTruths = Array.from({ length: 4 }, (_, at) => ({ share: 0.9, cost: 100 + at }));
    const wrong = worlds(100).filter((world) =>
      solvedOf(groundTruths, world).points.some(({ standing }) => standing === 'fails'),
    );
    expect(wrong.length).toBeLessThanOrEqual(5);
  });

  it('is the cheapest that meets it, in nineteen of twenty worlds and more', () => {
    const found = worlds(200).map((world) => foundIn(solvedOf(TOWN, world)));
    expect(found.filter((point) => point === 2).length).toBeGreaterThanOrEqual(190);
    expect(found.filter((point) => point === 0 || point === 1)).toEqual([]);
  });

  it('takes half of the runs of a grid, and no more seeds of points that cost more', () => {
    let runs = 0;
    let ofGrids = 0;
    for (const world of worlds(50)) {
      const solving = solvedOf(TOWN, world);
      const most = Math.max(...solving.points.map(({ seeds }) => seeds));
      const own = runsIn(solving).length;
      expect(own).toBeLessThan(0.7 * most * TOWN.length);
      expect(solving.points[4]!.seeds).toBe(20);
      runs += own;
      ofGrids += most * TOWN.length;
    }
    expect(runs).toBeLessThan(0.55 * ofGrids);
  });

  it('is the cheapest as seeds have it, whatever the order of the design', () => {
    const turned = TOWN.toReversed();
    for (const world of worlds(50)) {
      const solving = solvedOf(turned, world);
      expect(solving.order).toEqual([4, 3, 2, 1, 0]);
      expect([2, undefined]).toContain(foundIn(solving));
    }
  });

  it('is the cheapest, too, where the first round is enough to accept one that costs more', () => {
    const plan = planOf(TOWN.length, { replicates: 60 });
    for (const world of worlds(20)) {
      const solving = solvingOf(plan, ruleOf(plan), simulated(TOWN, world));
      expect(solving.verdict).toMatchObject({ kind: 'found', point: 2, undecided: [] });
    }
  });

  it('reports of another that is as cheap within chance, and gives it as many seeds', () => {
    const groundTruths = [
      { share: 0.2, cost: 90 },
      { share: 1, cost: 100 },
      { share: 1, cost: 100.02 },
      { share: 1, cost: 150 },
    ];
    const { verdict, points } = solvedOf(groundTruths, 'alike');
    expect(verdict).toMatchObject({ kind: 'found', undecided: [] });
    expect(verdict?.kind === 'found' && [verdict.point, ...verdict.asGood].sort()).toEqual([1, 2]);
    expect(points[1]!.seeds).toBe(points[2]!.seeds);
    expect(points[3]!.seeds).toBe(20);
  });

  it('is the first of the design where costs are the same in each seed', () => {
    const plan = planOf(3);
    const same = solvingOf(plan, ruleOf(plan), () => ({ messagesDelivered: 1, uplinks: 7 }));
    expect(same.verdict).toEqual({ kind: 'found', point: 0, asGood: [], undecided: [] });
    expect(same.points.map(({ seeds }) => seeds)).toEqual([ruleOf(plan).fewest, 20, 20]);
  });

  it('is the greatest where the objective is maximised, and further ones part equals', () => {
    const objectives = [
      { goal: 'maximise', figure: 'received' },
      { goal: 'minimise', figure: 'uplinks' },
    ] as const;
    const plan = planOf(3, { objectives });
    const figures = [
      { received: 1, uplinks: 1 },
      { received: 2, uplinks: 9 },
      { received: 2, uplinks: 5 },
    ];
    const solving = solvingOf(plan, ruleOf(plan), ({ point }) => {
      return { messagesDelivered: 1, ...figures[point]! };
    });
    expect(solving.order).toEqual([2, 1, 0]);
    expect(foundIn(solving)).toBe(2);
  });
});

describe('a search that finds nothing', () => {
  it('says that none meets it where all fail, after few seeds', () => {
    const groundTruths = [0.2, 0.4, 0.5].map((share, at) => ({ share, cost: 10 + at }));
    const solving = solvedOf(groundTruths, 'poor');
    expect(solving.verdict).toEqual({ kind: 'none' });
    expect(runsIn(solving).length).toBeLessThanOrEqual(3 * 60);
  });

  it('names the points that it did not decide with the most seeds', () => {
    const groundTruths = [0.5, 0.9, 0.9].map((share, at) => ({ share, cost: 10 * (at + 1) }));
    const { verdict, points } = solvedOf(groundTruths, 'at the edge', { atMost: 150 });
    expect(verdict).toEqual({ kind: 'undecided', undecided: [1, 2] });
    expect(points.map(({ seeds }) => seeds)).toEqual([20, 150, 150]);
  });

  it('takes a point that costs more than one that it did not decide, and reports of both', () => {
    const groundTruths = [0.9, 1].map((share, at) => ({ share, cost: 10 * (at + 1) }));
    const { verdict } = solvedOf(groundTruths, 'one is open', { atMost: 150 });
    expect(verdict).toEqual({ kind: 'found', point: 1, asGood: [], undecided: [0] });
  });

  it('stops where the objective was measured nowhere', () => {
    const plan = planOf(3);
    const solving = solvingOf(plan, ruleOf(plan), () => ({ messagesDelivered: 1, uplinks: null }));
    expect(solving.verdict).toEqual({ kind: 'unmeasured' });
    expect(runsIn(solving)).toHaveLength(60);
  });

  it('counts a world that broke, and a figure that was not measured, as not held', () => {
    const plan = planOf(2);
    const solving = solvingOf(plan, ruleOf(plan), ({ point }) =>
      point === 0 ? 'broken' : { messagesDelivered: null, uplinks: 1 },
    );
    expect(solving.verdict).toEqual({ kind: 'none' });
    expect(solving.points[0]).toMatchObject({ broken: 20, held: [0], unmeasured: [0] });
    expect(solving.points[1]).toMatchObject({ broken: 0, held: [0], unmeasured: [20] });
  });
});

describe('one constraint of several', () => {
  it('is enough to reject a point where it fails', () => {
    const constraints = [CONSTRAINT, 'received >= 50 % in 80 % of seeds'];
    const plan = planOf(2, { constraints });
    const solving = solvingOf(plan, ruleOf(plan), ({ point }) => {
      return { messagesDelivered: 1, received: point, uplinks: point };
    });
    expect(solving.points[0]).toMatchObject({ standing: 'fails', held: [20, 0] });
    expect(foundIn(solving)).toBe(1);
  });
});

describe('several constraints', () => {
  it('have all to be shown, not only one', () => {
    const constraints = [CONSTRAINT, 'received >= 50 % in 90 % of seeds'];
    const plan = planOf(1, { constraints });
    const figures = simulated([{ share: 0.9, cost: 1 }], 'any');
    const solving = solvingOf(plan, ruleOf(plan), (run) => {
      const { messagesDelivered: received = 0 } = figures(run) as Record<string, number>;
      return { messagesDelivered: 1, received, uplinks: 1 };
    });
    expect(solving.verdict).toEqual({ kind: 'undecided', undecided: [0] });
  });
});

describe('what a search wants', () => {
  const plan = planOf(TOWN.length);
  const rule = ruleOf(plan);

  it('is the first round of all points, and later the cheapest that is open alone', () => {
    const none = solvingOf(plan, rule, () => undefined);
    expect(none).toMatchObject({ complete: false, verdict: undefined, order: [] });
    expect(runsIn(none)).toHaveLength(100);
    expect(none.chunks.every(({ runs }) => runs.length <= 7)).toBe(true);
    const first = new Set(runsIn(none).map(({ row }) => row));
    const figures = simulated(TOWN, 'any');
    const next = solvingOf(plan, rule, (run) => (first.has(run.row) ? figures(run) : undefined));
    expect(
      new Set(
        runsIn(next)
          .slice(100)
          .map(({ point }) => point),
      ).size,
    ).toBe(1);
  });

  it('grows by landing alone: the same verdict and chunks in any order, after any kill', () => {
    for (const world of worlds(8)) {
      const figures = simulated(TOWN, world);
      const whole = solvingOf(plan, rule, figures);
      const landed = new Set<number>();
      for (let turn = 0; ; turn++) {
        const now = solvingOf(plan, rule, (run) =>
          landed.has(run.row) ? figures(run) : undefined,
        );
        expect(whole.chunks.slice(0, now.chunks.length)).toEqual(now.chunks);
        if (now.complete) {
          expect(now).toEqual(whole);
          break;
        }
        const missing = runsIn(now).filter(({ row }) => !landed.has(row));
        const order = (run: Run) => drawn(`${world} ${turn} ${run.row}`);
        // Some of them land, in an order of their own, before all is stopped.
        const some = missing.toSorted((a, b) => order(a) - order(b));
        for (const { row } of some.slice(0, 1 + (turn % 40))) landed.add(row);
      }
    }
  });

  it('is each run once, and few of all that may lie there already', () => {
    const figures = simulated(TOWN, 'a grid lies there');
    const asked = runsIn(solvingOf(plan, rule, figures));
    expect(new Set(asked.map(({ row }) => row)).size).toBe(asked.length);
    expect(asked.length).toBeLessThan(400 * TOWN.length);
  });
});

describe('the rule of a search', () => {
  const refused = (plan: ReturnType<typeof planOf>, options: Partial<SolvingOptions> = {}) => {
    const ruled = solvingRule(plan, { confidence: 0.95, ...options });
    return ruled.ok ? [] : ruled.problems;
  };

  it('needs 72 seeds at least for 95 % of seeds of one point, more of several', () => {
    const constraints = ['messagesDelivered >= 99 % in 95 % of seeds'];
    expect(ruleOf(planOf(1, { constraints })).fewest).toBe(72);
    expect(ruleOf(planOf(6, { constraints })).fewest).toBe(107);
    expect(ruleOf(planOf(1, { constraints }), { confidence: 0.99 }).fewest).toBe(104);
  });

  it('looks as soon as a point can be accepted, and then after half as many seeds more', () => {
    const constraints = ['messagesDelivered >= 99 % in 95 % of seeds'];
    const { ends } = ruleOf(planOf(6, { constraints }));
    expect(ends).toEqual([20, 40, 60, 90, 107, 161, 242, 363, 400]);
  });

  it('takes the study’s own most seeds where it has a rule, else 1000', () => {
    const until = { uplinks: 5 };
    const own = solvingRule(planOf(1, { until, atMost: 300 }), { confidence: 0.95 });
    const usual = solvingRule(planOf(1), { confidence: 0.95 });
    expect([own.ok && own.rule.atMost, usual.ok && usual.rule.atMost]).toEqual([300, 1000]);
  });

  it('refuses a study without constraints, and one without objective', () => {
    expect(refused(planOf(1, { constraints: [], objectives: [] }))).toEqual([
      expect.stringContaining('constraints: has none'),
      expect.stringContaining('objective: has none'),
    ]);
  });

  it('refuses what no number of seeds shows: that it holds in all of them', () => {
    const [every] = refused(planOf(1, { constraints: ['joined >= 99 %'] }));
    expect(every).toContain('has to hold in every seed, which no number of seeds shows');
    expect(every).toContain('such as "joined >= 99 % in 95 % of seeds"');
    const [all] = refused(planOf(1, { constraints: ['joined >= 99 % in 100 % of seeds'] }));
    expect(all).toContain('such as "joined >= 99 % in 95 % of seeds"');
    const [nothing] = refused(planOf(1, { constraints: ['joined >= 99 % in 0 % of seeds'] }));
    expect(nothing).toContain('asks for nothing');
  });

  it('refuses fewer seeds than can show it, and says how many it takes', () => {
    const [few] = refused(planOf(6), { atMost: 20 });
    expect(few).toContain('at most 20 seeds do not show');
    expect(few).toContain('--at-most 53 or more');
  });
});
