/**
 * The folder of a study: its plan, and its rows as they land, a file a chunk. Files are written
 * beside and renamed, so that there is a whole chunk or none; several who land into one folder do
 * no harm, and two who land different rows of one world are found.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { SeedRow } from '../../../core/result/study.ts';
import type { StudyPlan } from '../../../scenarios/study/plan.ts';
import { makeFolder } from '../folders.ts';
import { readPlan } from './plan-file.ts';

/** A world's row as it lands: by its key, without what its study makes of it. */
export interface LandedRow {
  readonly key: string;
  readonly seed: string;
  /** Of a world that came to its end. */
  readonly digest?: string | undefined;
  /** Those of the table that were measured, and all that the study names. */
  readonly figures?: Readonly<Record<string, number | null>> | undefined;
  readonly unfinished?: readonly string[] | undefined;
  /** Of one that broke. */
  readonly error?: string | undefined;
}

/** Two runs of one world came to different rows: a fault of Fleetwave, or of a machine. */
export class RowsDiffer extends Error {
  override readonly name = 'RowsDiffer';
}

/** What lies in the folder is not what was written there. */
export class FolderDamaged extends Error {
  override readonly name = 'FolderDamaged';
}

const Row = z.object({
  key: z.string(),
  seed: z.string(),
  digest: z.string().optional(),
  figures: z.record(z.string(), z.number().nullable()).optional(),
  unfinished: z.array(z.string()).optional(),
  error: z.string().optional(),
});

const PLAN = 'plan.json';
const CHUNKS = 'chunks';
const ENDING = '.jsonl';

export class StudyFolder {
  readonly path: string;
  readonly #chunks: string;

  constructor(path: string) {
    this.path = path;
    this.#chunks = join(path, CHUNKS);
  }

  make(): void {
    makeFolder(this.path);
    makeFolder(this.#chunks);
  }

  get hasPlan(): boolean {
    return existsSync(join(this.path, PLAN));
  }

  readPlan(): StudyPlan {
    return readPlan(join(this.path, PLAN));
  }

  writePlan(plan: StudyPlan): void {
    writeWhole(this.path, PLAN, `${JSON.stringify(plan)}\n`);
  }

  /** All rows that have landed, by their keys, whichever study asked for them. */
  readRows(): Map<string, LandedRow> {
    const rows = new Map<string, LandedRow>();
    const texts = new Map<string, string>();
    const files = existsSync(this.#chunks) ? readdirSync(this.#chunks).sort() : [];
    for (const name of files.filter((each) => each.endsWith(ENDING))) {
      const file = join(this.#chunks, name);
      for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
        if (line === '') continue;
        const row = readRow(line, `${file}:${index + 1}`);
        const known = rows.get(row.key);
        if (known === undefined || adds(row, known)) {
          rows.set(row.key, row);
          texts.set(row.key, name);
        } else if (!agrees(row, known)) {
          const where = `${join(this.#chunks, texts.get(row.key) ?? '')} and ${file}`;
          throw new RowsDiffer(`${where} have different rows of one world, seed ${row.seed}`);
        }
      }
    }
    return rows;
  }

  /** All rows of a chunk; `study` is what `StudyRows` calls it. Parts that landed before go. */
  land(study: string, chunk: number, rows: readonly LandedRow[]): void {
    const name = `${study}-${padded(chunk)}`;
    const text = textOf(rows);
    const file = join(this.#chunks, `${name}${ENDING}`);
    if (existsSync(file) && readFileSync(file, 'utf8') !== text) {
      this.landSecond(study, chunk, rows);
    }
    writeWhole(this.#chunks, `${name}${ENDING}`, text);
    for (const part of readdirSync(this.#chunks)) {
      if (part.startsWith(`${name}-part-`)) rmSync(join(this.#chunks, part), { force: true });
    }
  }

  /** Rows of a chunk that differ from those that are there: both are kept, and it is told. */
  landSecond(study: string, chunk: number, rows: readonly LandedRow[]): never {
    const text = textOf(rows);
    const name = `${study}-${padded(chunk)}`;
    const other = `${name}-${digestOf(text)}${ENDING}`;
    writeWhole(this.#chunks, other, text);
    const file = join(this.#chunks, `${name}${ENDING}`);
    throw new RowsDiffer(`${file} and ${other} have different rows of one chunk`);
  }

  /** All files of another folder that this one lacks; what both have is compared. */
  takeFrom(other: StudyFolder): void {
    const chunks = other.#chunks;
    for (const name of readdirSync(chunks).filter((each) => each.endsWith(ENDING))) {
      const text = readFileSync(join(chunks, name), 'utf8');
      const own = join(this.#chunks, name);
      if (!existsSync(own)) writeWhole(this.#chunks, name, text);
      else if (readFileSync(own, 'utf8') !== text) {
        throw new RowsDiffer(`${own} and ${join(chunks, name)} have different rows`);
      }
    }
  }

  /** What there is of a chunk when it is left. */
  landPart(study: string, chunk: number, rows: readonly LandedRow[]): void {
    const text = textOf(rows);
    const name = `${study}-${padded(chunk)}-part-${digestOf(text)}${ENDING}`;
    writeWhole(this.#chunks, name, text);
  }
}

/** A world as it lands: figures that were not measured are left out, but for those asked for. */
export function landed(key: string, row: SeedRow, asked: ReadonlySet<string>): LandedRow {
  if ('error' in row) return { key, seed: row.seed, error: row.error };
  const { seed, digest, figures, unfinished } = row;
  const kept = Object.entries(figures).filter(([name, value]) => value !== null || asked.has(name));
  return { key, seed, digest, figures: Object.fromEntries(kept), unfinished };
}

const padded = (chunk: number): string => String(chunk).padStart(6, '0');

/** A row a line, as chunks are written. */
export const textOf = (rows: readonly LandedRow[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join('');

const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12);

/** What `textOf` wrote; undefined: it is not that. */
export function rowsOf(text: string): LandedRow[] | undefined {
  const lines = text.split('\n').filter((line) => line !== '');
  const rows = lines.map((line) => Row.safeParse(jsonOf(line), { jitless: true }));
  return rows.every(({ success }) => success) ? rows.map(({ data }) => data!) : undefined;
}

function readRow(line: string, where: string): LandedRow {
  const read = Row.safeParse(jsonOf(line), { jitless: true });
  if (read.success) return read.data;
  throw new FolderDamaged(
    `${where} is not a row of a study; the file may be removed: its runs are run again`,
  );
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // What it is not is told by whoever asked.
    return undefined;
  }
}

/** Whether a row of the same world has figures that the other lacks, and nothing less. */
function adds(row: LandedRow, { figures = {} }: LandedRow): boolean {
  const own = Object.keys(row.figures ?? {});
  return own.length > Object.keys(figures).length;
}

/** Studies keep different figures of one world; those that both have are the same. */
export function agrees(row: LandedRow, known: LandedRow): boolean {
  const { figures = {} } = known;
  const isSame = row.digest === known.digest && row.error === known.error;
  return (
    isSame &&
    Object.entries(row.figures ?? {}).every(
      ([name, value]) => !Object.hasOwn(figures, name) || figures[name] === value,
    )
  );
}

/** On the disk before its name is there. */
function writeWhole(folder: string, name: string, text: string): void {
  const file = join(folder, name);
  const own = `${file}.${process.pid}.tmp`;
  const descriptor = openSync(own, 'w');
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } catch (error) {
    rmSync(own, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
  renameSync(own, file);
  const entries = openSync(folder, 'r');
  try {
    fsyncSync(entries);
  } finally {
    closeSync(entries);
  }
}
