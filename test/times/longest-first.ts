/**
 * The order of files: those that take longest come first, so that the last ones are short and all
 * workers end at about the same time. Files without a recorded time come first, and before all the
 * corpus: what has failed once fails most often.
 */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { recordedTimes } from './file-times.ts';

const recorded = recordedTimes();

const CORPUS = 'test/corpus/corpus.test.ts';

/** Files come in the falling order of this. */
function weightOf({ project, moduleId }: TestSpecification): number {
  const file = relative(project.config.root, moduleId);
  return file === CORPUS ? Number.POSITIVE_INFINITY : (recorded[file]?.wall ?? Number.MAX_VALUE);
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => Math.sign(weightOf(b) - weightOf(a)) || 0);
  }
}
