/** Whether the seeds of a study establish what it recommends, or more of them could change it. */
import type {
  DesignedStudy,
  StudyChoice,
  StudyPoint,
} from '../../../core/result/designed-study.ts';
import type { StudyVerdict } from '../../../core/result/study.ts';
import { constraintsAt, pointOf } from './reading.ts';

/**
 * Whether the recommended point may be shown as the answer: all runs are there, it meets its
 * constraints in enough of all seeds, and its runner-up is worse by more than chance.
 */
export function isEstablished(study: DesignedStudy): boolean {
  const { choice, complete } = study;
  const chosen = choice === null ? undefined : pointOf(study, choice.point);
  if (choice === null || chosen === undefined || !complete) return false;
  return unsureVerdicts(study, chosen).length === 0 && !mayBeChance(choice);
}

/** Constraints that a point meets in its seeds, which do not show that it does in enough of all. */
export const unsureVerdicts = (study: DesignedStudy, point: StudyPoint): readonly StudyVerdict[] =>
  constraintsAt(study, point).filter(
    ({ holds, shareInterval, needed }) =>
      // No number of seeds can show that something holds in every one that there is.
      holds && shareInterval !== null && needed !== 1 && shareInterval[0] < needed,
  );

/** Another point may be as good or better; one that is the same in every seed is no rival. */
function mayBeChance({ runnerUp, margin }: StudyChoice): boolean {
  if (runnerUp === null) return false;
  if (margin === null || margin.interval === null) return true;
  const [low, high] = margin.interval;
  return low <= 0 && high >= 0 && low !== high;
}
