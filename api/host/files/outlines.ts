/** Outlines that the map of a page draws: of its scenario, or of a file that is given beside it. */
import { readFileSync } from 'node:fs';
import type { Manifest } from '../../../core/result/manifest.ts';
import { format } from '../../../scenarios/language/problem.ts';
import { OUTLINE_ALLOWED, readOutline } from '../../../scenarios/places/outline.ts';
import type { Outline } from '../../../scenarios/schema/report-schema.ts';
import type { Scenario } from '../../../scenarios/schema/schema.ts';
import { describeSystemError } from '../process/system-error.ts';
import { loadManifest } from './manifests.ts';
import { type Faults, problem } from './recorded-run.ts';

/** A part of what a report is made of. */
interface OfReport {
  readonly outline?: Outline;
}

export function outlineOf({ report: { outline } }: Pick<Scenario, 'report'>): OfReport {
  return outline?.by === 'lines' ? { outline: outline.lines } : {};
}

/** The outline that the scenario of a run names, from the files that its result holds. */
export function outlineRecorded(manifest: Manifest): OfReport {
  const mayHaveOne = manifest.files.some(({ path }) => /\.(geo)?json$/.test(path));
  const loaded = mayHaveOne ? loadManifest(manifest) : undefined;
  return loaded?.outcome === 'scenario' ? outlineOf(loaded.scenario) : {};
}

/** The outline in a file, in the plane of the run; `result` is the file that its manifest is of. */
export function outlineIn(path: string, result: string, manifest: Manifest): OfReport | Faults {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const why = describeSystemError(error as NodeJS.ErrnoException);
    return problem(path, `cannot be read: ${why}; allowed: ${OUTLINE_ALLOWED}`);
  }
  const loaded = loadManifest(manifest);
  if (loaded.outcome === 'problems') {
    return { faults: loaded.problems.map((each) => `${result}: ${format(each)}`) };
  }
  const read = readOutline(path, text, loaded.scenario.origin);
  if ('message' in read) return { faults: [format(read)] };
  return { outline: read };
}
