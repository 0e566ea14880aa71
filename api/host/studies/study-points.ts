/** Points of a study as it wrote them: what each turns, and its rows by seed. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import type { SeedRow } from '../../../core/result/study.ts';
import { type Faults, problem, readJson } from '../files/recorded-run.ts';
import { describeSystemError, isSystemError } from '../process/system-error.ts';
import { COLUMNS_FILE, readColumns } from './columns-msgpack.ts';

export interface ReadPoint {
  /** From 1. */
  readonly point: number;
  /** What it turns, in words: `redundancy 10 %, hills 4 dB`. */
  readonly words: string;
  readonly rows: readonly SeedRow[];
}

export interface ReadPoints {
  readonly study: string;
  readonly points: readonly ReadPoint[];
}

const ALLOWED = 'the folder of fleetwave study run, or its study.json';

const STUDY = z.looseObject({
  study: z.string(),
  parameters: z.array(z.looseObject({ name: z.string() })),
  points: z.array(
    z.looseObject({ point: z.number(), levels: z.array(z.looseObject({ label: z.string() })) }),
  ),
});

/** `path` is that of its study.json. */
export function readPoints(path: string): ReadPoints | Faults {
  const read = readJson(path, ALLOWED);
  if ('faults' in read) return read;
  const checked = STUDY.safeParse(read.document);
  if (!checked.success) return problem(path, `is no study of several points; allowed: ${ALLOWED}`);
  const { study, parameters, points } = checked.data;
  const file = join(dirname(path), COLUMNS_FILE);
  let rows: ReadonlyMap<number, readonly SeedRow[]> | undefined;
  try {
    rows = readColumns(readFileSync(file));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return problem(file, `cannot be read: ${describeSystemError(error)}; allowed: ${ALLOWED}`);
  }
  if (rows === undefined) return problem(file, 'is damaged; fleetwave study report writes it anew');
  return {
    study,
    points: points.map(({ point, levels }) => {
      const words = levels.map(({ label }, at) => `${parameters[at]?.name ?? ''} ${label}`);
      return { point, words: words.join(', '), rows: rows.get(point) ?? [] };
    }),
  };
}
