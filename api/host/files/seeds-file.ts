/** `seeds.csv`: a row a seed of a study, with its figures and verdicts; and the rows' digest. */
import { createHash } from 'node:crypto';
import type { SeedRow } from '../../../core/result/study.ts';
import { FIGURES } from '../../../reports/figures/figures.ts';
import { isResult } from '../../../reports/study/rows.ts';
import { type Cell, csvLine } from './csv.ts';
import { LinesFile } from './trace-file.ts';

/** Expectations stand in columns of their own words, `true` where they hold. */
export function writeSeeds(
  path: string,
  rows: readonly SeedRow[],
  expectations: readonly string[],
): void {
  const names = FIGURES.map(({ name }) => name);
  const file = new LinesFile(path);
  file.line(csvLine(['seed', 'digest', 'error', ...names, ...expectations]));
  for (const row of rows) file.line(csvLine(cellsOf(row, names)));
  file.close();
}

function cellsOf(row: SeedRow, names: readonly string[]): readonly Cell[] {
  if (!isResult(row)) return [row.seed, null, row.error];
  const figures = names.map((name) => row.figures[name]);
  return [row.seed, row.digest, null, ...figures, ...row.expectations.map(({ holds }) => holds)];
}

/** SHA-256 over the rows in their order, the first 16 hexadecimal digits. */
export function digestOfRows(rows: readonly SeedRow[]): string {
  const hash = createHash('sha256');
  for (const row of rows) hash.update(`${JSON.stringify(row)}\n`);
  return hash.digest('hex').slice(0, 16);
}
