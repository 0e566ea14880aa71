/** `runs.msgpack`: the runs of a study by columns, for programs that read many of them. */
import { writeFileSync } from 'node:fs';
import { encode } from '@msgpack/msgpack';
import type { DesignedStudy } from '../../../core/result/designed-study.ts';
import type { StudyRows } from './study-rows.ts';

/**
 * A map of columns of one length, a run a place: `point` (from 1), `seed`, `digest` and `error`
 * (nil where there is none), and under `figures` a column a figure (nil: not measured).
 */
export function writeColumns(
  path: string,
  { points, study }: DesignedStudy,
  rows: StudyRows,
): void {
  const names = points[0]?.figures.map(({ name }) => name) ?? [];
  const point: number[] = [];
  const seed: string[] = [];
  const digest: (string | null)[] = [];
  const error: (string | null)[] = [];
  const figures = names.map((name) => [name, [] as (number | null)[]] as const);
  for (const { run, row } of rows.all()) {
    point.push(run.point + 1);
    seed.push(row.seed);
    digest.push('digest' in row ? row.digest : null);
    error.push('error' in row ? row.error : null);
    const values = 'figures' in row ? row.figures : {};
    for (const [name, column] of figures) column.push(values[name] ?? null);
  }
  const columns = { study, point, seed, digest, error, figures: Object.fromEntries(figures) };
  writeFileSync(path, encode(columns));
}
