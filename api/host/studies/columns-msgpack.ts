/** `runs.msgpack`: the runs of a study by columns, for programs that read many of them. */
import { writeFileSync } from 'node:fs';
import { decode, encode } from '@msgpack/msgpack';
import * as z from 'zod';
import type { DesignedStudy } from '../../../core/result/designed-study.ts';
import type { SeedRow } from '../../../core/result/study.ts';
import type { StudyRows } from './study-rows.ts';

export const COLUMNS_FILE = 'runs.msgpack';

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

const gaps = z.array(z.string().nullable());
const COLUMNS = z.looseObject({
  point: z.array(z.number()),
  seed: z.array(z.string()),
  digest: gaps,
  error: gaps,
  figures: z.record(z.string(), z.array(z.number().nullable())),
});

/** Rows by point, from 1, as the file has them; undefined: it is damaged. */
export function readColumns(
  bytes: Uint8Array,
): ReadonlyMap<number, readonly SeedRow[]> | undefined {
  let document: unknown;
  try {
    document = decode(bytes);
  } catch {
    return undefined;
  }
  const checked = COLUMNS.safeParse(document);
  if (!checked.success) return undefined;
  const { point, seed, digest, error, figures } = checked.data;
  const rows = new Map<number, SeedRow[]>();
  for (const [at, own] of point.entries()) {
    const all = rows.get(own) ?? [];
    rows.set(own, all);
    const values = Object.entries(figures).map(([name, column]) => [name, column[at] ?? null]);
    const name = seed[at] ?? '';
    const broke = error[at] ?? null;
    const measured = { figures: Object.fromEntries(values), expectations: [], unfinished: [] };
    all.push(
      broke === null
        ? { seed: name, digest: digest[at] ?? '', ...measured }
        : { seed: name, error: broke },
    );
  }
  return rows;
}
