/**
 * The folder of a study: its plan, and its rows as they land, a file a chunk. Files are written
 * beside and renamed, so that there is a whole chunk or none; several who land into one folder do
 * no harm, and two who land different rows of one world are found.
 */
import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import * as z from 'zod';
import type { SeedRow } from '../../../core/result/study.ts';
import type { StudyPlan } from '../../../scenarios/study/plan.ts';
import { makeFolder } from '../process/make-folder.ts';
import { describeSystemError } from '../process/system-error.ts';
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

/** Rows of another folder. */
export interface Taken {
  readonly taken: number;
  readonly left: number;
}

/** Two runs of one world came to different rows: a fault of Fleetwave, or of a machine. */
export class RowsDiffer extends Error {
  override readonly name = 'RowsDiffer';
}

/** What lies in the folder is not what was written there. */
export class FolderDamaged extends Error {
  override readonly name = 'FolderDamaged';
}

const Row = z.strictObject({
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
const PART = '-part-';

export class StudyFolder {
  readonly path: string;
  readonly #chunks: string;
  /** Files of parts, once a chunk landed. */
  #parts: string[] | undefined;
  /** Rows without a checksum that were read last: builds before checksums wrote them. */
  unchecked = 0;

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
    const files = new Map<string, string>();
    this.unchecked = 0;
    for (const name of existsSync(this.#chunks) ? chunksIn(this.#chunks) : []) {
      const file = join(this.#chunks, name);
      for (const row of rowsIn(file, () => this.unchecked++)) {
        const known = rows.get(row.key);
        if (known !== undefined && !agrees(row, known)) {
          const where = `${files.get(row.key)} and ${file}`;
          throw new RowsDiffer(`${where} have different rows of one world, seed ${row.seed}`);
        }
        rows.set(row.key, known === undefined ? row : both(known, row));
        files.set(row.key, file);
      }
    }
    return rows;
  }

  /** All rows of a chunk; `study` is what `StudyRows` calls it. Parts that landed before go. */
  land(study: string, chunk: number, rows: readonly LandedRow[]): void {
    const name = `${study}-${padded(chunk)}`;
    const text = textOf(rows);
    const file = join(this.#chunks, `${name}${ENDING}`);
    if (existsSync(file) && !isPartOf(file, rows)) this.landSecond(study, chunk, rows);
    writeWhole(this.#chunks, `${name}${ENDING}`, text);
    // What others leave later is no more than there twice.
    this.#parts ??= chunksIn(this.#chunks).filter((each) => each.includes(PART));
    for (const part of this.#parts) {
      if (part.startsWith(`${name}${PART}`)) rmSync(join(this.#chunks, part), { force: true });
    }
  }

  /** Rows of a chunk that differ from existing ones: both are stored, and a warning reports it. */
  landSecond(study: string, chunk: number, rows: readonly LandedRow[]): never {
    const text = textOf(rows);
    const name = `${study}-${padded(chunk)}`;
    const other = `${name}-${digestOf(text)}${ENDING}`;
    writeWhole(this.#chunks, other, text);
    const [first, second] = [`${name}${ENDING}`, other].map((each) => join(this.#chunks, each));
    throw new RowsDiffer(`${first} and ${second} have different rows of one chunk`);
  }

  /**
   * All files of another folder that this one lacks; what both have is compared. A file without a
   * row that is wanted stays where it is: answers the rows taken, and those that were left.
   */
  takeFrom(other: StudyFolder, isWanted: (row: LandedRow) => boolean): Taken {
    const chunks = other.#chunks;
    let [taken, left] = [0, 0];
    for (const name of chunksIn(chunks)) {
      const file = join(chunks, name);
      const own = join(this.#chunks, name);
      const rows = rowsIn(file);
      if (!rows.some(isWanted)) {
        left += rows.length;
        continue;
      }
      taken += rows.length;
      if (!existsSync(own) || isPartOf(own, rows)) writeWhole(this.#chunks, name, textOf(rows));
      else if (!isPartOf(file, rowsIn(own))) {
        throw new RowsDiffer(`${own} and ${file} have different rows`);
      }
    }
    return { taken, left };
  }

  /** What there is of a chunk when it is left. */
  landPart(study: string, chunk: number, rows: readonly LandedRow[]): void {
    const text = textOf(rows);
    const name = `${study}-${padded(chunk)}${PART}${digestOf(text)}${ENDING}`;
    writeWhole(this.#chunks, name, text);
    this.#parts?.push(name);
  }
}

/** A world's row, before it is known which of its figures lie on the disk. */
export function landed(key: string, row: SeedRow): LandedRow {
  if ('error' in row) return { key, seed: row.seed, error: row.error };
  const { seed, digest, figures, unfinished } = row;
  return { key, seed, digest, figures, unfinished };
}

const padded = (chunk: number): string => String(chunk).padStart(6, '0');

/** A row a line with its checksum, as chunks are written. */
export const textOf = (rows: readonly LandedRow[]): string =>
  rows.map((row) => `${withChecksum(JSON.stringify(row))}\n`).join('');

const withChecksum = (row: string): string => `${row.slice(0, -1)},"crc32":"${checksumOf(row)}"}`;

const checksumOf = (row: string): string => crc32(row).toString(16).padStart(8, '0');

const CHECKSUM = /,"crc32":"([^"]*)"\}$/;

/**
 * A line as it was before its checksum; undefined: it is not what was written. Rows of builds
 * before checksums have none, and are taken as they are.
 */
function checkedLine(line: string): string | undefined {
  const found = CHECKSUM.exec(line);
  if (found === null) return line;
  const row = `${line.slice(0, found.index)}}`;
  return checksumOf(row) === found[1] ? row : undefined;
}

const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12);

const chunksIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((each) => each.endsWith(ENDING))
    .sort();

function rowsIn(file: string, onUnchecked: () => void = () => undefined): LandedRow[] {
  return textIn(file)
    .split('\n')
    .flatMap((line, at) => {
      if (line === '') return [];
      if (!CHECKSUM.test(line)) onUnchecked();
      return [readRow(line, `${file}:${at + 1}`)];
    });
}

function textIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new FolderDamaged(`${file}: cannot be read: ${describeSystemError(error)}`);
  }
}

/** Whether each row of the file is one of these: it was cut off, or is the same. */
function isPartOf(file: string, rows: readonly LandedRow[]): boolean {
  const known = new Map(rows.map((row) => [row.key, row]));
  return rowsIn(file).every((row) => {
    const other = known.get(row.key);
    return other !== undefined && agrees(row, other);
  });
}

/** What `textOf` wrote; undefined: it is not that. */
export function rowsOf(text: string): LandedRow[] | undefined {
  const lines = text.split('\n').filter((line) => line !== '');
  const rows = lines.map((line) => rowOf(line));
  return rows.every((row) => row !== undefined) ? rows : undefined;
}

function readRow(line: string, where: string): LandedRow {
  const row = rowOf(line);
  if ((row?.error ?? row?.digest) !== undefined) return row!;
  throw new FolderDamaged(
    `${where} is not a row as it was written; the file may be removed: its runs are run again`,
  );
}

function rowOf(line: string): LandedRow | undefined {
  const row = checkedLine(line);
  const written = row === undefined ? undefined : jsonOf(row);
  const { data } = Row.safeParse(written, { jitless: true });
  if (data?.figures === undefined) return data;
  // As JSON.parse has them they take a quarter of the memory: what zod makes is a table each.
  return { ...data, figures: (written as LandedRow).figures };
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The caller reports what is missing.
    return undefined;
  }
}

/** Studies keep different figures of one world: all of them. */
function both(known: LandedRow, row: LandedRow): LandedRow {
  if (known.figures === undefined || row.figures === undefined) return known;
  return { ...known, figures: { ...known.figures, ...row.figures } };
}

/** Rows of one world may have different figures; those that both have are the same. */
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
  // Others may write it as well, on machines whose processes have the same numbers.
  const own = `${file}.${randomUUID()}.tmp`;
  const descriptor = openSync(own, 'w');
  try {
    // All of it: where the disk is nearly full, a single write may end early without an error.
    writeFileSync(descriptor, text);
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
