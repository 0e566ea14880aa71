/** Runs before each test file of a coverage run: writes which branches its tests have reached. */
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterAll } from 'vitest';
import { bitsOf } from './bits.ts';
import { MOST_BRANCHES, REACHED } from './branches.ts';

const marks = globalThis as unknown as Record<string, Uint8Array | undefined>;
const reached = (marks[REACHED] ??= new Uint8Array(MOST_BRANCHES));
reached.fill(0);

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of fixtures from it.
afterAll(({}, { file }) => {
  const test = relative(process.cwd(), file.filepath);
  const line = JSON.stringify({ test, branches: bitsOf(reached) });
  appendFileSync(process.env.COVERAGE_FILE!, `${line}\n`);
});
