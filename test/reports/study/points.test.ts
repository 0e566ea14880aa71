/** Runs of many points to what each came to, what is allowed, and what is chosen. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DesignedStudy, StudyObjective } from '../../../core/result/designed-study.ts';
import type { SeedRow } from '../../../core/result/study.ts';
import { pairedDifference } from '../../../reports/statistics/intervals.ts';
import { designedStudyOf } from '../../../reports/study/points.ts';

type Values = Readonly<Record<string, number | null>>;

/** A run in which a constraint held or did not; null: its world broke. */
const rowOf = (seed: number, figures: Values | null, holds = true): SeedRow =>
  figures === null
    ? { seed: String(seed), error: 'Error: broke' }
    : {
        seed: String(seed),
        digest: '0123456789abcdef',
        figures,
        expectations: [{ expectation: 'joined >= 99 %', actual: figures.joined ?? null, holds }],
        unfinished: [],
      };

const minimise = (figure: string): StudyObjective => ({ goal: 'minimise', figure, unit: null });
const maximise = (figure: string): StudyObjective => ({ goal: 'maximise', figure, unit: null });

function studyOf(
  points: readonly (readonly SeedRow[])[],
  objectives: readonly StudyObjective[] = [minimise('uplinks')],
): DesignedStudy {
  return designedStudyOf({
    study: 's',
    description: '',
    scenario: 'town',
    plan: '0',
    digest: '0',
    complete: true,
    runsAsked: points.flat().length,
    design: 'grid',
    parameters: [],
    points: points.map((rows) => ({ levels: [], set: [], settled: null, command: '', rows })),
    stored: [
      { name: 'uplinks', unit: 'count' },
      { name: 'joined', unit: 'share' },
      { name: 'group.x', unit: 'count' },
    ],
    needed: [{ expectation: 'joined >= 99 %', seedsPpm: 500_000, unit: 'share' }],
    constraints: ['joined >= 99 %'],
    objectives,
    figures: [],
    warnings: ['said before'],
    manifest: { scenario: 'x', files: [], set: [], seed: '1' },
  });
}

const seeds = (values: readonly number[], holds = true) =>
  values.map((uplinks, seed) => rowOf(seed, { uplinks }, holds));

describe('the chosen point', () => {
  it('is the allowed one that is best in the first objective, and reports the next', () => {
    const study = studyOf([seeds([9, 11]), seeds([1, 1], false), seeds([5, 7]), seeds([8, 8])]);
    expect(study.choice).toMatchObject({ point: 3, runnerUp: 4, margin: { mean: 2 } });
    expect(study.points.map(({ allowed }) => allowed)).toEqual([true, false, true, true]);
  });

  it('is the largest where the objective says so, with a margin below 0', () => {
    const study = studyOf([seeds([4, 4]), seeds([9, 7])], [maximise('uplinks')]);
    expect(study.choice).toMatchObject({ point: 2, runnerUp: 1, margin: { mean: -4 } });
  });

  it('is decided by the next objective where the first is equal, and then by its place', () => {
    const both = (uplinks: number, joined: number) => [rowOf(1, { uplinks, joined })];
    const rows = [both(3, 0.5), both(3, 0.9), both(3, 0.9), both(4, 1)];
    const study = studyOf(rows, [minimise('uplinks'), maximise('joined')]);
    expect(study.choice).toMatchObject({ point: 2, runnerUp: 3, margin: { mean: 0 } });
    expect(study.points.map(({ onFront }) => onFront)).toEqual([false, true, true, true]);
  });

  it('is none where nothing is allowed, measured or asked for', () => {
    expect(studyOf([seeds([1, 2], false)]).choice).toBeNull();
    expect(studyOf([seeds([1, 2])], []).choice).toBeNull();
    expect(studyOf([[rowOf(1, { uplinks: null })]]).choice).toBeNull();
    expect(studyOf([[rowOf(1, null)], []]).choice).toBeNull();
  });

  it('is no point whose objective was not measured in each of its runs', () => {
    const censored = [rowOf(1, { uplinks: 1 }), rowOf(2, { uplinks: null })];
    const study = studyOf([censored, seeds([5, 7])]);
    expect(study.choice).toMatchObject({ point: 2, runnerUp: null });
    expect(study.points.map(({ onFront }) => onFront)).toEqual([false, true]);
    // A world that broke is reported, and takes nothing from the others.
    expect(studyOf([[rowOf(1, { uplinks: 1 }), rowOf(2, null)]]).choice).toMatchObject({
      point: 1,
    });
  });

  it('has no margin where no other is allowed, and no interval of one pair', () => {
    const alone = studyOf([seeds([1, 2]), seeds([0, 0], false)]);
    expect(alone.choice).toEqual({ point: 1, runnerUp: null, margin: null });
    const single = studyOf([seeds([1]), seeds([2])]);
    expect(single.choice!.margin).toEqual({ mean: 1, interval: null, timesFewerSeeds: null });
  });

  it('has a margin over those seeds that both came to an end with', () => {
    const one = [rowOf(1, { uplinks: 1 }), rowOf(2, { uplinks: 2 }), rowOf(3, { uplinks: 3 })];
    const other = [rowOf(1, { uplinks: 6 }), rowOf(2, null), rowOf(3, { uplinks: 4 })];
    const { choice } = studyOf([one, other]);
    expect(choice!.margin!.mean).toBe(3);
  });
});

const value = fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constant(null));
const rows = fc.array(
  fc.record({ uplinks: value, joined: value, holds: fc.boolean(), breaks: fc.nat(9) }),
  { minLength: 1, maxLength: 4 },
);
const studies = fc.record({
  points: fc.array(rows, { minLength: 1, maxLength: 7 }),
  objectives: fc.constantFrom(
    [minimise('uplinks')],
    [maximise('joined')],
    [minimise('uplinks'), maximise('joined')],
    [maximise('joined'), minimise('group.x'), minimise('uplinks')],
  ),
});

const create = (points: readonly (readonly { [key: string]: unknown }[])[]) =>
  points.map((each) =>
    each.map(({ uplinks, joined, holds, breaks }, seed) => {
      const figures = { uplinks, joined, downlinks: joined, 'group.x': 0 } as Values;
      return rowOf(seed, breaks === 0 ? null : figures, holds as boolean);
    }),
  );

/** Means by hand, in the order of the rows; null: nowhere measured. */
function meanOf(rows: readonly SeedRow[], figure: string): number | null {
  const values = rows.flatMap((row) => ('figures' in row ? (row.figures[figure] ?? []) : []));
  return values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length;
}

describe('any study', () => {
  it('allows, chooses and puts on the front what trying all pairs of points does', () => {
    fc.assert(
      fc.property(studies, ({ points, objectives }) => {
        const all = create(points);
        const study = studyOf(all, objectives);
        const costs = all.map((each) =>
          objectives.map(({ figure, goal }) => {
            const mean = meanOf(each, figure);
            // A run without it would have had a value that nobody knows.
            const lacks = each.some((row) => 'figures' in row && row.figures[figure] == null);
            return mean === null || lacks ? null : goal === 'minimise' ? mean : -mean;
          }),
        );
        const isAllowed = all.map((each) => {
          const held = each.filter((row) => 'expectations' in row && row.expectations[0]!.holds);
          return 2 * held.length >= each.length;
        });
        expect(study.points.map(({ allowed }) => allowed)).toEqual(isAllowed);
        const able = all.map((_, at) => isAllowed[at]! && !costs[at]!.includes(null));
        const better = (a: number, b: number): boolean => {
          const at = costs[a]!.findIndex((cost, i) => cost !== costs[b]![i]);
          return at < 0 ? a < b : costs[a]![at]! < costs[b]![at]!;
        };
        const places = all.flatMap((_, at) => (able[at] ? [at] : []));
        const best = places.find((a) => places.every((b) => a === b || better(a, b)));
        const rest = places.filter((at) => at !== best);
        const second = rest.find((a) => rest.every((b) => a === b || better(a, b)));
        expect(study.choice?.point).toBe(best === undefined ? undefined : best + 1);
        expect(study.choice?.runnerUp ?? undefined).toBe(
          second === undefined ? undefined : second + 1,
        );
        const beats = (a: number, b: number) =>
          costs[a]!.every((cost, i) => cost! <= costs[b]![i]!) &&
          costs[a]!.some((cost, i) => cost! < costs[b]![i]!);
        const front = all.map((_, b) => able[b]! && !places.some((a) => beats(a, b)));
        expect(study.points.map(({ onFront }) => onFront)).toEqual(front);
        if (best === undefined || second === undefined) return;
        const figure = objectives[0]!.figure;
        const pairs = all[best]!.flatMap((row, i): [number, number][] => {
          const [a, b] = [row, all[second]![i]].map((each) =>
            each !== undefined && 'figures' in each ? (each.figures[figure] ?? null) : null,
          );
          return a == null || b == null ? [] : [[a, b]];
        });
        const { margin } = study.choice!;
        if (pairs.length === 0) expect(margin).toBeNull();
        else {
          const mean = pairs.reduce((sum, [a, b]) => sum + (b - a), 0) / pairs.length;
          expect(margin!.mean).toBeCloseTo(mean, 9);
          const [ones, others] = [0, 1].map((i) => pairs.map((pair) => pair[i]!));
          const { interval } = pairedDifference(ones!, others!);
          expect(margin!.interval).toEqual(interval ? [interval.low, interval.high] : null);
        }
      }),
    );
  });

  it('reports the same figures of all points, none of them lost', () => {
    fc.assert(
      fc.property(studies, ({ points, objectives }) => {
        const all = create(points);
        const study = studyOf(all, objectives);
        const names = study.points.map(({ figures }) => figures.map(({ name }) => name));
        for (const each of names) expect(each).toEqual(names[0]);
        const flat = all.flat().flatMap((row) => ('figures' in row ? [row.figures] : []));
        const isThere = flat.some(({ downlinks }) => (downlinks ?? 0) !== 0);
        expect(names[0]!.includes('downlinks')).toBe(isThere);
        // What the study names is reported though it was 0, or never measured.
        expect(names[0]).toEqual(expect.arrayContaining(['uplinks', 'group.x']));
        expect(study.runs).toBe(all.flat().length);
        for (const { point, runs, faults, figures } of study.points) {
          const rows = all[point - 1]!;
          expect(runs).toBe(rows.length);
          expect(faults).toBe(rows.filter((row) => 'error' in row).length);
          for (const { name, mean } of figures) {
            const own = meanOf(rows, name);
            if (own === null) expect(mean).toBeNull();
            else expect(mean).toBeCloseTo(own, 12);
          }
        }
      }),
    );
  });

  it('keeps what was warned of before, and reports of worlds that broke', () => {
    const { warnings } = studyOf([seeds([1, 2, 3]), [rowOf(1, null), rowOf(2, { uplinks: 1 })]]);
    expect(warnings[0]).toBe('said before');
    expect(warnings.join()).toMatch(/Point 2: .*broke/);
  });
});
