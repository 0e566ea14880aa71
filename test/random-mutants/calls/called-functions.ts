/** Runs before each test file of a coverage run: writes which functions its tests have called. */
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterAll } from 'vitest';
import { CALLED } from './functions.ts';

const marks = globalThis as unknown as Record<string, Uint8Array | undefined>;
const called = (marks[CALLED] ??= new Uint8Array(65536));
called.fill(0);

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of fixtures from it.
afterAll(({}, { file }) => {
  const functions = [...called.keys()].filter((at) => called[at] === 1);
  const test = relative(process.cwd(), file.filepath);
  appendFileSync(process.env.COVERAGE_FILE!, `${JSON.stringify({ test, functions })}\n`);
});
