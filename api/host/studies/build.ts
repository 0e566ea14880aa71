/** Which program runs the worlds of studies: results of one build are not taken for another's. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { VERSION } from '../../../reports/version.ts';
import { assert } from '../../../sim/base/assert.ts';

/** The program of the threads: beside the bundle, its chunks, or this module as compiled. */
export function studyProgram(): string {
  const folders = ['.', '..', '../../../dist', '../../..'];
  const files = folders.map((each) =>
    fileURLToPath(new URL(`${each}/study-worker.js`, import.meta.url)),
  );
  const file = files.find((each) => existsSync(each));
  assert(file !== undefined, 'the program of the threads lies beside that of the command line');
  return file;
}

let known: string | undefined;

/** Its version, and a digest of the threads' program, which names its parts by their contents. */
export function buildId(): string {
  known ??= `${VERSION}-${digestOf(studyProgram())}`;
  return known;
}

const digestOf = (file: string): string =>
  createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 12);
