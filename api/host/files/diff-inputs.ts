/** What `fleetwave diff` is given: the result of a run or of a study, in a file or a folder. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RunResult } from '../../../core/result/result.ts';
import type { SeedResult, SeedRow } from '../../../core/result/study.ts';
import { rowOf } from '../../../reports/study/rows.ts';
import {
  type Faults,
  problem,
  type RecordedRun,
  type RecordedStudy,
  readJson,
  recordedIn,
  studyIn,
} from './recorded-run.ts';
import { RESULT_FILES } from './results-folder.ts';
import { digestOfRows } from './seeds-file.ts';

export type DiffInput = RunInput | StudyInput;

export interface RunInput {
  readonly kind: 'run';
  /** Of the file. */
  readonly path: string;
  readonly run: RecordedRun;
  readonly result: RunResult;
  readonly figures: SeedResult['figures'];
  /** Its trace, when there is one beside it. */
  readonly trace: string | undefined;
}

export interface StudyInput {
  readonly kind: 'study';
  readonly path: string;
  readonly study: RecordedStudy;
}

const ALLOWED = 'a result.json or study.json of fleetwave run, or the folder of one';

export function readDiffInput(given: string): DiffInput | Faults {
  const path = fileOf(given);
  if (path === undefined) {
    return problem(given, `has neither result.json nor study.json; allowed: ${ALLOWED}`);
  }
  const read = readJson(path, ALLOWED);
  if ('faults' in read) return read;
  const { document } = read;
  if (typeof document !== 'object' || document === null) {
    return problem(path, `is not right; allowed: ${ALLOWED}`);
  }
  if ('rows' in document) {
    const study = studyIn(path, document);
    if ('faults' in study) return study;
    // As the file has them, with their keys in its order.
    const rows = digestOfRows((document as { readonly rows: readonly SeedRow[] }).rows);
    if (rows === study.digest) return { kind: 'study', path, study };
    return problem(
      path,
      `has rows that were changed since: their digest is ${rows}, and it says ${study.digest}; ` +
        'allowed: the file as it was written',
    );
  }
  const run = recordedIn(path, document);
  return 'faults' in run ? run : runIn(path, run, document as RunResult);
}

/** A folder stands for the file in it. */
function fileOf(given: string): string | undefined {
  if (statSync(given, { throwIfNoEntry: false })?.isDirectory() !== true) return given;
  const files = [RESULT_FILES.study, RESULT_FILES.result].map((name) => join(given, name));
  return files.find((file) => existsSync(file));
}

function runIn(path: string, run: RecordedRun, result: RunResult): DiffInput | Faults {
  const trace = join(dirname(path), RESULT_FILES.trace);
  try {
    const { figures } = rowOf(result, []);
    return {
      kind: 'run',
      path,
      run,
      result,
      figures,
      trace: existsSync(trace) ? trace : undefined,
    };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Something that figures are made of is not there.
    return problem(path, `is no whole result: ${error.message}; allowed: ${ALLOWED}`);
  }
}
