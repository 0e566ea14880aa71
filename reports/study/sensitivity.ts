/** What each parameter of a study does by itself, and together with the others. */
import type {
  DesignedStudy,
  StudyIndex,
  StudyPoint,
  StudySensitivity,
  StudySwing,
} from '../../core/result/designed-study.ts';
import type { SeedRow } from '../../core/result/study.ts';
import type { Interval } from '../statistics/intervals.ts';
import { parameterSwing } from '../statistics/one-at-a-time.ts';
import { saltelliOutputs, sobolIndices } from '../statistics/sobol-indices.ts';
import { isResult } from './rows.ts';

type About = Pick<DesignedStudy, 'design' | 'parameters' | 'figures' | 'objectives' | 'manifest'>;

/** What a study is about. */
const figuresOf = ({ figures, objectives }: About): string[] => [
  ...new Set([...figures, ...objectives.map(({ figure }) => figure)]),
];

/** Means over the same seeds at all points, in the order of the design. */
export function sensitivityOf(study: About, points: readonly StudyPoint[]): StudySensitivity[] {
  if (study.design !== 'sobol') return [];
  const { parameters, manifest } = study;
  return figuresOf(study).map((figure) => {
    const means = points.map(
      ({ figures }) => figures.find(({ name }) => name === figure)?.mean ?? null,
    );
    const outputs = saltelliOutputs(means, parameters.length);
    const { rows, parameters: indices } = sobolIndices(outputs, { seed: manifest.seed });
    return {
      figure,
      rows,
      indices: indices.map(
        (each): StudyIndex => ({
          first: number(each.first),
          total: number(each.total),
          firstInterval: pair(each.firstInterval),
          totalInterval: pair(each.totalInterval),
        }),
      ),
    };
  });
}

const number = (value: number): number | null => (Number.isFinite(value) ? value : null);

const pair = (interval: Interval | undefined): readonly [number, number] | null =>
  interval === undefined ? null : [interval.low, interval.high];

interface WithRows {
  readonly levels: StudyPoint['levels'];
  readonly rows: readonly SeedRow[];
}

/** Over the seeds in which the figure was measured at all levels of the parameter. */
export function swingsOf(study: About & { readonly points: readonly WithRows[] }): StudySwing[] {
  const { design, parameters, points } = study;
  const [base] = points;
  if (design !== 'oneAtATime' || base === undefined) return [];
  return figuresOf(study).flatMap((figure) =>
    parameters
      .flatMap(({ name: parameter }, at): StudySwing[] => {
        const moved = points.filter(({ levels }) => isMoved(levels, base.levels, at));
        const values = commonValues([base, ...moved], figure);
        if (values[0]?.length === 0) return [];
        const { least, greatest, interval } = parameterSwing(values, 0);
        const named = ({ level, mean }: { level: number; mean: number }) => {
          const { levels } = level === 0 ? base : moved[level - 1]!;
          return { label: levels[at]!.label, mean };
        };
        const ends = { least: named(least), greatest: named(greatest) };
        return [{ figure, parameter, ...ends, interval: pair(interval) }];
      })
      .sort((a, b) => rangeOf(b) - rangeOf(a)),
  );
}

const rangeOf = ({ least, greatest }: StudySwing): number => greatest.mean - least.mean;

/** Whether this parameter, and no other, is at another level than the base. */
const isMoved = (levels: StudyPoint['levels'], base: StudyPoint['levels'], at: number): boolean =>
  levels.every(({ label }, i) => (label === base[i]!.label) !== (i === at));

/** [point][seed]. */
function commonValues(points: readonly WithRows[], figure: string): number[][] {
  const ofPoints = points.map(({ rows }) => {
    const values = rows.filter(isResult).map((row) => [row.seed, row.figures[figure]] as const);
    return new Map(values.filter(([, value]) => value !== null && value !== undefined));
  });
  const [first = new Map<string, number>()] = ofPoints;
  const seeds = [...first.keys()].filter((seed) => ofPoints.every((values) => values.has(seed)));
  return ofPoints.map((values) => seeds.map((seed) => values.get(seed)!));
}
