/** The file of recorded columns beside a result: written by a run, read by a report. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { COLUMNS_FORMAT, type RunColumns } from '../../../core/result/columns.ts';
import { unpacked } from '../../../reports/packing/packed.ts';
import { describeSystemError, isSystemError } from '../process/system-error.ts';
import { RESULT_FILES } from './results-folder.ts';

/** Columns and the bytes of their file, or why there are none, as a sentence. */
export type ReadColumns =
  | { readonly columns: RunColumns; readonly bytes: Uint8Array; readonly why?: never }
  | { readonly columns?: never; readonly bytes?: never; readonly why: string };

const texts = z.array(z.string());
const numbers = z.array(z.number());
const gaps = z.array(z.number().nullable());

/** As far as a report would break on it. */
const COLUMNS = z.looseObject({
  format: z.literal(COLUMNS_FORMAT),
  digest: z.string(),
  total: z.number(),
  marks: z.array(
    z.looseObject({
      atSeconds: z.number(),
      operation: z.string(),
      what: z.string(),
      times: z.number(),
    }),
  ),
  devices: z.looseObject({
    names: texts,
    devEuis: texts,
    populations: texts,
    population: numbers,
    xMeters: numbers,
    yMeters: numbers,
    latitude: numbers.optional(),
    longitude: numbers.optional(),
    joinSeconds: gaps,
    joinRequests: numbers,
    sent: numbers,
    delivered: numbers,
    dropped: numbers,
    dutyCycleWaits: numbers,
    uplinks: z.record(z.string(), numbers),
    downlinks: z.record(z.string(), z.object({ sent: numbers, received: numbers })),
    dataRate: numbers,
    marginDb: gaps,
    joules: z.record(z.string(), gaps).optional(),
    batteryYears: gaps.optional(),
    traffic: z.object({ sliceSeconds: z.number().positive(), slices: z.number(), frames: texts }),
    steps: z.array(z.array(z.tuple([z.number(), z.number(), z.number()]))),
  }),
  campaigns: z.array(
    z.looseObject({
      name: z.string(),
      members: numbers,
      fates: texts,
      causes: z.array(z.string().nullable()),
      diagnoses: z.array(z.string().nullable()),
      steps: z.array(z.string().nullable()),
      runs: z.array(z.boolean().nullable()),
      fragmentsHeld: gaps,
      fragmentsNeeded: gaps,
      fragmentsMissing: gaps,
      fragments: z.object({ frames: z.number(), fates: texts }).nullable(),
    }),
  ),
});

/** Of the result in this file, whose digest is known: other columns are of another run. */
export function columnsBeside(result: string, digest: string): ReadColumns {
  const path = join(dirname(result), RESULT_FILES.columns);
  if (!existsSync(path)) {
    return { why: `${path} is not there: no devices, map or fragments are shown` };
  }
  const read = readColumns(path);
  if (read.why !== undefined)
    return { why: `${path} ${read.why}: no devices, map or fragments are shown` };
  const { columns, bytes } = read;
  if (columns.digest === digest) return { columns, bytes };
  return {
    why:
      `${path} is of a run with the digest ${columns.digest}, and the result has ${digest}: ` +
      'it is left out',
  };
}

function readColumns(path: string): ReadColumns {
  let bytes: Uint8Array;
  let document: unknown;
  try {
    bytes = readFileSync(path);
    document = unpacked(bytes);
  } catch (error) {
    const isOfSystem = isSystemError(error);
    return { why: isOfSystem ? `cannot be read: ${describeSystemError(error)}` : 'is damaged' };
  }
  const checked = COLUMNS.safeParse(document);
  // As the file has them: with their keys in its order.
  if (checked.success) return { columns: document as RunColumns, bytes };
  const [issue] = checked.error.issues;
  return { why: `is not right at /${issue?.path.map(String).join('/') ?? ''}` };
}
