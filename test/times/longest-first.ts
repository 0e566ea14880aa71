/**
 * The order of files: those that take longest come first, so that the last ones are short and all
 * workers end at about the same time. Files without a recorded time come first.
 */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { recordedTimes } from './file-times.ts';

const recorded = recordedTimes();

const wallMs = ({ project, moduleId }: TestSpecification): number =>
  recorded[relative(project.config.root, moduleId)]?.wall ?? Number.POSITIVE_INFINITY;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => Math.sign(wallMs(b) - wallMs(a)) || 0);
  }
}
