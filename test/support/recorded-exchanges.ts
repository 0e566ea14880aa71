/**
 * Requests and responses of the tests that ask a served world, for the examples of the OpenAPI
 * document: `npm run examples` records them and chooses (test/docs/write-examples.ts).
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** One request as it was sent, and its response. */
export interface Exchange {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly status: number;
  /** Plain data; absent where the request had none, or bytes. */
  readonly body?: unknown;
  /** The text of the response. */
  readonly answer: string;
}

/** A folder for files of lines of JSON; undefined: nothing is recorded. */
const FOLDER = process.env.FLEETWAVE_EXAMPLES;

export const isRecording = FOLDER !== undefined;

/** Longer responses make no example. */
const MOST_CHARACTERS = 1_000_000;

export function recordExchange({ body, ...exchange }: Exchange): void {
  const { path, status, answer } = exchange;
  if (FOLDER === undefined || status >= 300 || answer.length > MOST_CHARACTERS) return;
  mkdirSync(FOLDER, { recursive: true });
  if (path === '/openapi.json') return;
  const line = JSON.stringify({ ...exchange, body: dataOf(body) });
  appendFileSync(join(FOLDER, `${process.pid}.jsonl`), `${line}\n`);
}

function dataOf(body: unknown): unknown {
  if (ArrayBuffer.isView(body)) return undefined;
  if (typeof body !== 'string') return body;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
