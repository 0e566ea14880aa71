/** Rows on their way back: packed by a worker, checked by the coordinator. */
import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod';
import { type LandedRow, rowsOf, textOf } from '../host/studies/study-folder.ts';
import type { HandedBack } from './chunk-queue.ts';

const Written = z.object({ chunk: z.number().int(), digest: z.string(), rows: z.string() });

/** A chunk has at most 500 rows of some kB. */
const TEXT_MAX = 64 * 2 ** 20;

export function packed(chunk: number, rows: readonly LandedRow[]): HandedBack {
  const text = textOf(rows);
  // Fast: it is on its way for a moment only.
  const rowsPacked = gzipSync(text, { level: 1 }).toString('base64');
  return { chunk, digest: digestOf(text), rows: rowsPacked };
}

/** Undefined: it is not what a worker packed. */
export function unpacked(
  written: string,
): { readonly chunk: number; readonly rows: readonly LandedRow[] } | undefined {
  try {
    const { chunk, digest, rows: packedRows } = Written.parse(JSON.parse(written));
    const bytes = gunzipSync(Buffer.from(packedRows, 'base64'), { maxOutputLength: TEXT_MAX });
    const text = bytes.toString();
    const rows = digestOf(text) === digest ? rowsOf(text) : undefined;
    return rows && { chunk, rows };
  } catch {
    // Its chunk is run again.
    return undefined;
  }
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
