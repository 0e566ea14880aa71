/** What the end of a search says: api/cli/solve-summary.ts, of points whose truth is known. */
import { describe, expect, it } from 'vitest';
import { painterOf } from '../../api/cli/colour.ts';
import { solveSummary } from '../../api/cli/solve-summary.ts';
import { keyOf } from '../../api/host/studies/keys.ts';
import { SolvingRows, solutionOf } from '../../api/host/studies/solution.ts';
import type { StudyPlan } from '../../scenarios/study/plan.ts';
import { type FiguresOf, runsOf } from '../../scenarios/study/rounds.ts';
import { solvingRule } from '../../scenarios/study/solving-rule.ts';
import { drawn, type GroundTruth, planOf, simulated } from '../scenarios/study/simulated-points.ts';

const BUILD = 'build';
const AT_MOST = 200;

/** All runs that a search may want have landed. */
function solutionFrom(figuresOf: FiguresOf, plan: StudyPlan) {
  const ruled = solvingRule(plan, { confidence: 0.95, atMost: AT_MOST });
  if (!ruled.ok) throw new Error(ruled.problems.join());
  const rows = new SolvingRows(plan, BUILD, new Map(), ruled.rule);
  for (const run of runsOf(plan, 1, AT_MOST, [...plan.points.keys()])) {
    const figures = figuresOf(run);
    const key = keyOf(BUILD, plan, run);
    const { seed } = run;
    if (figures === 'broken') rows.add({ key, seed, error: 'it broke' });
    else if (figures !== undefined) rows.add({ key, seed, digest: '', figures, unfinished: [] });
  }
  return solutionOf(rows);
}

function said(figuresOf: FiguresOf, plan: StudyPlan): string {
  const solution = solutionFrom(figuresOf, plan);
  const took = { runs: solution.runs, seconds: 3, threads: 2 };
  const isPlain = { isTTY: false } as unknown as NodeJS.WriteStream;
  return solveSummary(solution, took, 'out/x/solution.json', painterOf(isPlain));
}

const of = (groundTruths: readonly GroundTruth[], world = 'any') =>
  said(simulated(groundTruths, world, 0), planOf(groundTruths.length));

describe('the end of a search', () => {
  it('names the point to take, its margins, the next better one, and the cost of a grid', () => {
    const text = of([
      { share: 0.2, cost: 10 },
      { share: 1, cost: 14 },
      { share: 1, cost: 20 },
    ]);
    expect(text).toMatch(
      /^simulated: 3 points, \d+ runs on 2 threads in [^.]+\. 46 seeds of each /,
    );
    expect(text).toContain(
      'Take point 2 (x 1): of the points that meet the constraints, with 95 % confidence, it has ' +
        'the least uplinks: 14.\n',
    );
    expect(text).toMatch(/: held in 46 of 46; of all seeds in 90\.\d\s% at least\.\n/);
    expect(text).toMatch(/Next better is point 1 \(x 0\), uplinks 10, 4 less; it fails: held in /);
    expect(text).toMatch(/│ 3 │ 2 │ +20 │ +20 │ +held in 20 │ worse +│/);
    expect(text).toContain('Its first seed alone: fleetwave run town.yaml --seed root\n');
  });

  it('says that no point is better', () => {
    expect(of([{ share: 1, cost: 10 }])).toContain('No point is better.\n');
  });

  it('says that none meets it, and which one comes nearest', () => {
    const text = of([
      { share: 0.1, cost: 10 },
      { share: 0.5, cost: 14 },
    ]);
    expect(text).toContain('No point meets the constraints, with 95 % confidence.\n');
    expect(text).toMatch(/Nearest is point 2 \(x 1\): held in \d+ of 20, of all seeds in /);
  });

  it('says what is not decided, and how it goes on', () => {
    const text = of([{ share: 0.9, cost: 10 }]);
    expect(text).toContain('Not decided after 200 seeds of a point; no point is accepted with ');
    expect(text).toMatch(/Not decided: point 1 \(x 0\), uplinks 10: held in \d+ of 200\.\n/);
    expect(text).toContain('--at-most 400 continues with the runs that exist.\n');
  });

  it('takes a point while a cheaper one is not decided, and does not call it the best', () => {
    const text = of([
      { share: 0.9, cost: 10 },
      { share: 1, cost: 14 },
    ]);
    expect(text).toContain('Take point 2 (x 1): it meets the constraints, with 95 % confidence');
    expect(text).toMatch(/Not decided: point 1 \(x 0\), which may be better: held in \d+ of 200\./);
  });

  it('says that a cost was measured nowhere, and warns where a figure was not', () => {
    const nowhere = said(() => ({ messagesDelivered: 1, uplinks: null }), planOf(2));
    expect(nowhere).toContain(
      'Nothing says which point is best: uplinks was measured in none of 40 runs.\n',
    );
    const censored = said(({ point, row }) => {
      return { messagesDelivered: point === 0 ? null : 1, uplinks: row % 4 === 1 ? null : 5 };
    }, planOf(2));
    expect(censored).toMatch(
      /Warning: the figure of ".*" was not measured in 20 of 20 runs of point 1, and so does not /,
    );
    expect(censored).toMatch(
      /Warning: uplinks was not measured in \d+ of \d+ runs of point 2; its/,
    );
    expect(censored).toContain('Next better is point 1 (x 0), uplinks 5, the same; it fails');
  });
});

describe('a solution', () => {
  it('has the same digest with rows that it did not ask for, and counts broken worlds', () => {
    const groundTruths = [{ share: 1, cost: 1 }];
    const one = solutionFrom(simulated(groundTruths, 'one'), planOf(1));
    expect(one.digest).toMatch(/^[0-9a-f]{16}$/);
    expect(solutionFrom(simulated(groundTruths, 'one'), planOf(1))).toEqual(one);
    const broken = solutionFrom(() => 'broken', planOf(1));
    expect(broken.points[0]).toMatchObject({ broken: broken.points[0]!.seeds, standing: 'fails' });
  });

  it('has a margin over the seeds in which both costs were measured, and none without such', () => {
    const costs = (isMeasured: (point: number, isHigh: boolean) => boolean) =>
      solutionFrom(({ point, seed }) => {
        const uplinks = isMeasured(point, drawn(seed) > 0.5) ? 5 + 2 * point : null;
        return { messagesDelivered: point === 0 ? 0 : 1, uplinks };
      }, planOf(2));
    const both = costs(() => true);
    expect(both).toMatchObject({ point: 2, runnerUp: 1, margin: { mean: 2 } });
    const never = costs((point, isHigh) => (point === 0) === isHigh);
    expect(never).toMatchObject({ point: 2, runnerUp: 1, margin: null });
  });
});
