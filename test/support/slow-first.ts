/**
 * The order of files: those that `npm run test:quick` leaves out come first, so that the last ones
 * are short and both workers end at about the same time.
 */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { SLOW_TESTS } from '../quick/slow-tests.ts';

const isSlow = ({ project, moduleId }: TestSpecification): boolean => {
  const path = relative(project.config.root, moduleId);
  return SLOW_TESTS.some((slow) => (slow.endsWith('/') ? path.startsWith(slow) : path === slow));
};

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isSlow), ...sorted.filter((each) => !isSlow(each))];
  }
}
