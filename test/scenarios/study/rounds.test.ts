/** Which runs a study asks for: a function of its plan and of rows, anyone who ran what. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meanInterval } from '../../../reports/statistics/intervals.ts';
import type { StudyPlan } from '../../../scenarios/study/plan.ts';
import { type Asked, askedOf, Rounds, type Run } from '../../../scenarios/study/rounds.ts';
import { planIn } from './studies.ts';

type Figures = Readonly<Record<string, number | null>>;
type Row = Figures | 'broken';

const PLAN = planIn('parameters: { hills: { set: radio.shadowing, values: [0 dB] } }');

const planOf = (points: number, more: Partial<StudyPlan>): StudyPlan => ({
  ...PLAN,
  points: Array.from({ length: points }, () => PLAN.points[0]!),
  ...more,
});

const runsOf = ({ chunks }: Asked): Run[] => chunks.flatMap(({ runs }) => runs);

/** Rounds until nothing is lacking, as anyone who runs a study does. */
function played(plan: StudyPlan, random: (run: Run) => Row, order = (runs: Run[]) => runs): Asked {
  const rows = new Map<number, Row>();
  for (;;) {
    const asked = askedOf(plan, (run) => rows.get(run.row));
    if (asked.complete) return asked;
    for (const run of order(runsOf(asked).filter(({ row }) => !rows.has(row)))) {
      rows.set(run.row, random(run));
    }
  }
}

/** Numbers without order, that depend on the run alone. */
const noise = ({ row }: Run): number => ((row * 7919 + 104729) % 1009) / 1009;

const plans = fc
  .record({
    points: fc.integer({ min: 1, max: 4 }),
    replicates: fc.integer({ min: 1, max: 7 }),
    rounds: fc.integer({ min: 0, max: 16 }),
    chunkRuns: fc.integer({ min: 1, max: 9 }),
    width: fc.constantFrom(undefined, 0.1, 0.3, 0.8),
  })
  .map(({ points, replicates, rounds, chunkRuns, width }) =>
    planOf(points, {
      replicates,
      atMost: width === undefined ? replicates : replicates + rounds,
      chunkRuns,
      until: width === undefined ? {} : { x: width },
    }),
  );

const randomSource = (run: Run): Row => {
  const x = noise(run);
  if (x > 0.97) return 'broken';
  return { x: x > 0.9 ? null : x * (run.point + 1) };
};

describe('a study without a rule', () => {
  it('asks for all replicates of all points, by replicates and then by points', () => {
    const asked = askedOf(planOf(2, { replicates: 3, atMost: 3, chunkRuns: 4 }), () => undefined);
    expect(runsOf(asked)).toEqual([
      { row: 0, point: 0, seed: 'town' },
      { row: 1, point: 1, seed: 'town' },
      { row: 2, point: 0, seed: 'town/2' },
      { row: 3, point: 1, seed: 'town/2' },
      { row: 4, point: 0, seed: 'town/3' },
      { row: 5, point: 1, seed: 'town/3' },
    ]);
    expect(asked).toMatchObject({ complete: false, settled: [null, null] });
    expect(asked.chunks.map(({ runs }) => runs.length)).toEqual([4, 2]);
  });

  it('is complete when every run has a row, be it of a world that broke', () => {
    const plan = planOf(2, { replicates: 3, atMost: 3 });
    expect(askedOf(plan, ({ row }) => (row === 4 ? undefined : {})).complete).toBe(false);
    expect(askedOf(plan, ({ row }) => (row === 4 ? 'broken' : {})).complete).toBe(true);
  });
});

describe('the chunks of any study', () => {
  it('are numbered from 0, hold each run once, and are no larger than the plan says', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const { chunks } = played(plan, randomSource);
        expect(chunks.map(({ number }) => number)).toEqual(chunks.map((_, at) => at));
        const rows = chunks.flatMap(({ runs }) => runs.map(({ row }) => row));
        expect(new Set(rows).size).toBe(rows.length);
        expect(rows).toEqual([...rows].sort((a, b) => a - b));
        for (const { runs } of chunks) {
          expect(runs.length).toBeGreaterThan(0);
          expect(runs.length).toBeLessThanOrEqual(plan.chunkRuns);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('stay as they are when a later round is there', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const all = played(plan, randomSource);
        const runs = runsOf(all);
        const known = new Set(runs.slice(0, Math.floor(runs.length / 2)).map(({ row }) => row));
        const half = askedOf(plan, (run) => (known.has(run.row) ? randomSource(run) : undefined));
        expect(all.chunks.slice(0, half.chunks.length)).toEqual(half.chunks);
      }),
      { numRuns: 50 },
    );
  });
});

describe('the rounds of any study', () => {
  it('are the same in whatever order rows came', () => {
    fc.assert(
      fc.property(plans, fc.infiniteStream(fc.nat()), (plan, draws) => {
        const shuffled = (runs: Run[]) =>
          runs
            .map((run) => ({ run, key: draws.next().value as number }))
            .sort((a, b) => a.key - b.key)
            .slice(0, Math.max(1, runs.length / 2))
            .map(({ run }) => run);
        expect(played(plan, randomSource, shuffled)).toEqual(played(plan, randomSource));
      }),
      { numRuns: 50 },
    );
  });

  it('do not look at rows of runs that are not asked for', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const asked = new Set(runsOf(played(plan, randomSource)).map(({ row }) => row));
        const all = askedOf(plan, randomSource);
        expect(new Set(runsOf(all).map(({ row }) => row))).toEqual(asked);
      }),
      { numRuns: 50 },
    );
  });

  it('end at a point exactly where its figures are known, judged after whole rounds', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const { settled, chunks } = played(plan, randomSource);
        const width = plan.until.x;
        for (const point of plan.points.keys()) {
          const runs = chunks.flatMap((chunk) => chunk.runs).filter((run) => run.point === point);
          if (width === undefined) {
            expect(runs).toHaveLength(plan.replicates);
            expect(settled[point]).toBeNull();
            continue;
          }
          expect(runs.length).toBeLessThanOrEqual(plan.atMost);
          const isWhole = runs.length % plan.replicates === 0 || runs.length === plan.atMost;
          expect(isWhole).toBe(true);
          // Every earlier look found it open; the last one closed it, or there were no more seeds.
          for (let n = plan.replicates; n < runs.length; n += plan.replicates) {
            expect(isKnown(runs.slice(0, n), width)).toBe(false);
          }
          expect(settled[point]).toBe(isKnown(runs, width));
          if (!settled[point]) expect(runs).toHaveLength(plan.atMost);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('go on where a world broke or a figure was not measured, and have an end', () => {
    const plan = planOf(1, { replicates: 2, atMost: 7, until: { x: 1 } });
    expect(runsOf(played(plan, () => 'broken'))).toHaveLength(7);
    expect(runsOf(played(plan, () => ({ x: null })))).toHaveLength(7);
    expect(runsOf(played(plan, () => ({})))).toHaveLength(7);
    expect(played(plan, () => 'broken')).toMatchObject({ complete: true, settled: [false] });
    expect(runsOf(played(plan, () => ({ x: 3 })))).toHaveLength(2);
  });

  it('ask for all figures of a rule', () => {
    const plan = planOf(1, { replicates: 2, atMost: 10, until: { x: 1, y: 0.1 } });
    const both = played(plan, (run) => ({ x: 1, y: run.row < 4 ? run.row : 1.5 }));
    expect(runsOf(both).length).toBeGreaterThan(2);
  });
});

function isKnown(runs: readonly Run[], width: number): boolean {
  const values = runs.flatMap((run) => {
    const row = randomSource(run);
    return row === 'broken' || row.x === null || row.x === undefined ? [] : [row.x];
  });
  const interval = meanInterval(values);
  return interval !== undefined && (interval.high - interval.low) / 2 <= width;
}

describe('rounds that are asked for again', () => {
  it('after any rows came are those that are found from the beginning', () => {
    fc.assert(
      fc.property(plans, fc.infiniteStream(fc.nat(9)), (plan, draws) => {
        const rounds = new Rounds(plan);
        const rows = new Map<number, Row>();
        const figuresOf = (run: Run) => rows.get(run.row);
        for (;;) {
          const asked = rounds.asked(figuresOf);
          expect(asked).toEqual(askedOf(plan, figuresOf));
          if (asked.complete) return;
          const lacking = runsOf(asked).filter(({ row }) => !rows.has(row));
          const [first, ...others] = lacking;
          rows.set(first!.row, randomSource(first!));
          for (const run of others)
            if (draws.next().value! > 2) rows.set(run.row, randomSource(run));
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('a study that grows', () => {
  it('by replicates keeps every run that it had', () => {
    const runs = (replicates: number) =>
      runsOf(askedOf(planOf(3, { replicates, atMost: replicates }), () => undefined));
    expect(runs(5).slice(0, 6)).toEqual(runs(2));
  });

  it('by points keeps the seeds of all others', () => {
    const seeds = (points: number) =>
      runsOf(askedOf(planOf(points, { replicates: 4, atMost: 4 }), () => undefined))
        .filter(({ point }) => point === 0)
        .map(({ seed }) => seed);
    expect(seeds(5)).toEqual(seeds(1));
  });
});
