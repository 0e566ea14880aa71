/** `points.csv`, a line a point, and `runs.csv`, a line a run. */
import type { DesignedStudy } from '../../../core/result/designed-study.ts';
import { type Cell, csvLine } from '../csv.ts';
import { LinesFile } from '../trace-file.ts';
import type { StudyRows } from './folding.ts';

/** Of each figure its mean and the ends of its interval. */
export function writePoints(path: string, study: DesignedStudy): void {
  const { points, parameters } = study;
  const [first] = points;
  const figures = first?.figures.map(({ name }) => name) ?? [];
  const verdicts = first?.verdicts.map(({ expectation }) => expectation) ?? [];
  const file = new LinesFile(path);
  file.line(
    csvLine([
      'point',
      ...parameters.map(({ name }) => name),
      'runs',
      'broken',
      'allowed',
      'onFront',
      ...figures.flatMap((name) => [name, `${name} low`, `${name} high`]),
      ...verdicts.map((text) => `${text}: held`),
    ]),
  );
  for (const each of points) {
    const cells: Cell[] = [
      each.point,
      ...each.levels.map(({ label }) => label),
      each.runs,
      each.faults,
      each.allowed,
      each.onFront,
      ...each.figures.flatMap(({ mean, meanInterval }) => [
        mean,
        meanInterval?.[0] ?? null,
        meanInterval?.[1] ?? null,
      ]),
      ...each.verdicts.map(({ held }) => held),
    ];
    file.line(csvLine(cells));
  }
  file.close();
}

export function writeRuns(
  path: string,
  { points, parameters }: DesignedStudy,
  rows: StudyRows,
): void {
  const figures = points[0]?.figures.map(({ name }) => name) ?? [];
  const file = new LinesFile(path);
  const names = parameters.map(({ name }) => name);
  file.line(csvLine(['point', ...names, 'seed', 'digest', 'error', ...figures]));
  for (const { run, row } of rows.all()) {
    const levels = points[run.point]!.levels.map(({ label }) => label);
    const head: Cell[] = [run.point + 1, ...levels, row.seed];
    if ('error' in row) file.line(csvLine([...head, null, row.error]));
    else
      file.line(csvLine([...head, row.digest, null, ...figures.map((name) => row.figures[name])]));
  }
  file.close();
}
