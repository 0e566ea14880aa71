/** `points.csv`, a line a point, and `runs.csv`, a line a run. */
import type { DesignedStudy } from '../../../core/result/designed-study.ts';
import { pointTable } from '../../../reports/study/report/point-table.ts';
import { type Cell, csvLine } from '../files/csv.ts';
import { LinesFile } from '../files/trace-file.ts';
import type { StudyRows } from './study-rows.ts';

export function writePoints(path: string, study: DesignedStudy): void {
  const { columns, rows } = pointTable(study);
  const file = new LinesFile(path);
  file.line(csvLine(columns));
  for (const row of rows) file.line(csvLine(row));
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
