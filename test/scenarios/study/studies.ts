/** Notation for tests of studies: a study file's text in, its plan or its faults out. */
import { expect } from 'vitest';
import { loadExpressions } from '../../../api/host/studies/expressions.ts';
import { scenarioDigest } from '../../../api/host/studies/keys.ts';
import type { Bundle } from '../../../scenarios/composing/texts.ts';
import { format } from '../../../scenarios/language/problem.ts';
import { type LoadedStudy, loadStudy, type Study } from '../../../scenarios/study/load-study.ts';
import { planOf, type StudyPlan } from '../../../scenarios/study/plan.ts';
import { bundleOf } from '../scenario.ts';

export const TOWN = `scenario: town
duration: 10 min
devices: [{ name: meter, count: 2, joinWithin: 1 min, traffic: { every: 2 min } }]
`;

const expressions = await loadExpressions();

/** The files that a study of the town has, more of them, and the study itself as `study.yaml`. */
export function loadStudyText(
  text: string,
  files: Readonly<Record<string, string>> = {},
): LoadedStudy {
  const bundle: Bundle = bundleOf({ 'town.yaml': TOWN, ...files, 'study.yaml': text });
  return loadStudy('study.yaml', bundle, { expressions, digest: scenarioDigest });
}

/** A study of the town with these further lines. */
export const studyOf = (lines: string): string => `study: s\nscenario: town.yaml\n${lines}\n`;

/** All faults, a line each. */
export function faultsOf(text: string, files: Readonly<Record<string, string>> = {}): string[] {
  const loaded = loadStudyText(text, files);
  return loaded.outcome === 'problems' ? loaded.problems.map(format) : [];
}

export function studyIn(lines: string, files: Readonly<Record<string, string>> = {}): Study {
  const text = studyOf(lines);
  expect(faultsOf(text, files)).toEqual([]);
  const loaded = loadStudyText(text, files);
  if (loaded.outcome !== 'study') throw new Error(`the study ${loaded.outcome}`);
  return loaded.study;
}

/** The labels of each point. */
export const labelsOf = ({ points }: Study): string[][] =>
  points.map(({ levels }) => levels.map(({ label }) => label));

export function planIn(lines: string): StudyPlan {
  const study = studyIn(lines);
  const { set, root } = study;
  return planOf(study, { scenario: 'town.yaml', files: [], set, seed: root });
}
