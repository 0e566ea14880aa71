/**
 * Every point of a study as a row of plain values, for files that programs read: what it sets, all
 * its figures with their intervals, its verdicts.
 */
import type { DesignedStudy, StudyPoint } from '../../../core/result/designed-study.ts';
import type { StudyVerdict } from '../../../core/result/study.ts';
import { dimensionsOf, figureAt, levelAt } from './reading.ts';

/** null: there is none. */
export type PointValue = string | number | boolean | null;

export interface PointTable {
  /** Each once: what would have the name of another one has a number behind it. */
  readonly columns: readonly string[];
  /** In the order of the design, with a value for each column. */
  readonly rows: readonly (readonly PointValue[])[];
}

interface Column {
  readonly name: string;
  readonly of: (point: StudyPoint) => PointValue;
}

/**
 * Parameters of numbers are in their unit, which their column names in brackets: `redundancy [%]`.
 * Figures are shares 0…1, seconds, joules and counts, as in `study.json`.
 */
export function pointTable(study: DesignedStudy): PointTable {
  const columns: Column[] = [
    { name: 'point', of: ({ point }) => point },
    ...parameterColumns(study),
    { name: 'runs', of: ({ runs }) => runs },
    { name: 'faults', of: ({ faults }) => faults },
    { name: 'allowed', of: ({ allowed }) => allowed },
    { name: 'onFront', of: ({ onFront }) => onFront },
    { name: 'recommended', of: ({ point }) => study.choice?.point === point },
    { name: 'settled', of: ({ settled }) => settled },
    ...figureColumns(study),
    ...verdictColumns(study),
    { name: 'command', of: ({ command }) => command },
  ];
  const taken = new Map<string, number>();
  const names = columns.map(({ name }) => {
    const times = (taken.get(name) ?? 0) + 1;
    taken.set(name, times);
    return times === 1 ? name : `${name} (${times})`;
  });
  return { columns: names, rows: study.points.map((point) => columns.map(({ of }) => of(point))) };
}

function parameterColumns(study: DesignedStudy): Column[] {
  return dimensionsOf(study).map((dimension) => {
    const { name, unit } = dimension.parameter;
    const { isNumeric } = dimension;
    return {
      name: isNumeric && unit ? `${name} [${unit}]` : name,
      of: (point) => {
        const { number, label } = levelAt(point, dimension);
        return isNumeric ? number : label;
      },
    };
  });
}

/** Those that any point has, in the order in which points have them. */
function figureColumns({ points }: DesignedStudy): Column[] {
  const names = new Set(points.flatMap(({ figures }) => figures.map(({ name }) => name)));
  return [...names].flatMap((name): Column[] => [
    { name, of: (point) => figureAt(point, name)?.mean ?? null },
    { name: `${name} low`, of: (point) => figureAt(point, name)?.meanInterval?.[0] ?? null },
    { name: `${name} high`, of: (point) => figureAt(point, name)?.meanInterval?.[1] ?? null },
    { name: `${name} seeds`, of: (point) => figureAt(point, name)?.measured ?? 0 },
  ]);
}

/** By their place, since all points are judged by the same. */
function verdictColumns({ points }: DesignedStudy): Column[] {
  const judged = points.reduce<readonly StudyVerdict[]>(
    (most, { verdicts }) => (verdicts.length > most.length ? verdicts : most),
    [],
  );
  return judged.flatMap(({ expectation }, at): Column[] => [
    { name: expectation, of: ({ verdicts }) => verdicts[at]?.holds ?? null },
    { name: `${expectation}: held`, of: ({ verdicts }) => verdicts[at]?.held ?? null },
    { name: `${expectation}: of`, of: ({ verdicts }) => verdicts[at]?.seeds ?? null },
    { name: `${expectation}: low`, of: ({ verdicts }) => verdicts[at]?.shareInterval?.[0] ?? null },
    {
      name: `${expectation}: high`,
      of: ({ verdicts }) => verdicts[at]?.shareInterval?.[1] ?? null,
    },
  ]);
}
