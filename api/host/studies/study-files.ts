/** Study files on disk: to a plan, or to all that is wrong with one. */
import type { Problem } from '../../../scenarios/language/problem.ts';
import type { Expressions } from '../../../scenarios/study/expressions.ts';
import { loadStudy, type Study } from '../../../scenarios/study/load-study.ts';
import { planOf, type StudyPlan } from '../../../scenarios/study/plan.ts';
import { codecEngine } from '../codecs/codec-engine.ts';
import { manifestOf } from '../files/manifests.ts';
import { readBytes } from '../files/scenario-files.ts';
import { loadExpressions } from './expressions.ts';
import { scenarioDigest } from './keys.ts';

export type PlannedFromDisk =
  | {
      readonly outcome: 'plan';
      readonly plan: StudyPlan;
      readonly warnings: readonly Problem[];
      /** All files that it was made of. */
      readonly files: readonly string[];
    }
  | { readonly outcome: 'problems'; readonly problems: readonly Problem[] };

export async function planFromDisk(path: string): Promise<PlannedFromDisk> {
  const bundle = new Map<string, Uint8Array>();
  const unread = new Map<string, string>();
  let expressions: Expressions | undefined;
  for (;;) {
    const digest = scenarioDigest;
    const read = loadStudy(path, bundle, { codecs: codecEngine(), expressions, unread, digest });
    if (read.outcome === 'problems') return read;
    if (read.outcome === 'study') {
      const plan = planned(path, read.study, bundle);
      return { outcome: 'plan', plan, warnings: read.warnings, files: [...bundle.keys()] };
    }
    if (read.outcome === 'needsExpressions') expressions = await loadExpressions();
    else
      for (const needed of read.paths) {
        const bytes = readBytes(needed);
        if (bytes instanceof Uint8Array) bundle.set(needed, bytes);
        else unread.set(needed, bytes.message);
      }
  }
}

/** The manifest has the scenario's own files, not those of the study. */
function planned(path: string, study: Study, bundle: ReadonlyMap<string, Uint8Array>): StudyPlan {
  const { scenarioPath, set, root, file } = study;
  const own = new Map([...bundle].filter(([each]) => each !== path && each !== study.tablePath));
  return planOf(study, manifestOf(scenarioPath, own, set, root, file.variant));
}
