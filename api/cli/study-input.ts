/** What the commands on studies are given: a study file, a plan, or a study's folder. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { format } from '../../scenarios/language/problem.ts';
import type { StudyPlan } from '../../scenarios/study/plan.ts';
import { warningOf } from '../../scenarios/texts.ts';
import { buildId } from '../host/studies/build.ts';
import { NoPlan, readPlan } from '../host/studies/plan-file.ts';
import { planFromDisk } from '../host/studies/study-files.ts';
import { FolderDamaged, RowsDiffer, StudyFolder } from '../host/studies/study-folder.ts';
import { StudyRows } from '../host/studies/study-rows.ts';
import { InputError, writingFault } from './exit.ts';

export interface StudyOptions {
  readonly file: string;
  /** `dir:PATH` or a path. */
  readonly sink?: string | undefined;
}

export interface GivenStudy {
  readonly plan: StudyPlan;
  readonly folder: StudyFolder;
  /** Of the scenario; a plan was warned of when it was made. */
  readonly warnings: readonly string[];
}

export async function studyGiven({ file, sink }: StudyOptions): Promise<GivenStudy> {
  if (file === '') throw new InputError(['fleetwave study: FILE is empty; allowed: a path']);
  if (existsSync(file) && statSync(file).isDirectory()) {
    return {
      plan: planOfFolder(file),
      folder: new StudyFolder(folderIn(sink) ?? file),
      warnings: [],
    };
  }
  if (file.endsWith('.json')) {
    const plan = reading(() => readPlan(file));
    return { plan, folder: folderFor(plan, sink), warnings: [] };
  }
  const planned = await planFromDisk(file);
  if (planned.outcome === 'problems') throw new InputError(planned.problems.map(format));
  const { plan, warnings } = planned;
  return { plan, folder: folderFor(plan, sink), warnings: warnings.map(warningOf) };
}

function planOfFolder(path: string): StudyPlan {
  const folder = new StudyFolder(path);
  if (folder.hasPlan) return reading(() => folder.readPlan());
  const allowed = 'a study file, a plan, or the folder of a study';
  throw new InputError([`${path} has no plan of a study; allowed: ${allowed}`]);
}

const folderFor = ({ study }: StudyPlan, sink: string | undefined): StudyFolder =>
  new StudyFolder(folderIn(sink) ?? join('out', study));

export function folderIn(sink: string | undefined): string | undefined {
  if (sink === undefined) return undefined;
  const [, scheme = 'dir', path = ''] = /^(?:([a-z]\w+):)?(.*)$/.exec(sink) ?? [];
  if (scheme === 'dir' && path !== '') return path;
  throw new InputError([`fleetwave study: --sink "${sink}" is not right; allowed: dir:PATH`]);
}

/** The rows that are there, by the build that asks. */
export function rowsIn({ plan, folder }: GivenStudy): StudyRows {
  const rows = reading(() => folder.readRows());
  if (folder.unchecked > 0) {
    process.stderr.write(
      `${folder.unchecked} of ${rows.size} rows in ${folder.path} have no checksum, ` +
        'as builds before wrote them: a change of such a row is not noticed\n',
    );
  }
  return new StudyRows(plan, buildId(), rows);
}

/** What is on the disk, and is not what a study wrote there, is bad input. */
export function reading<Value>(act: () => Value): Value {
  try {
    return act();
  } catch (error) {
    throw isOfFolder(error) ? new InputError([error.message]) : error;
  }
}

const isOfFolder = (error: unknown): error is Error =>
  [NoPlan, FolderDamaged, RowsDiffer].some((kind) => error instanceof kind);

/** What a run ended by: what lies in the folder, or what the disk does not take. */
export const landingFault = (path: string, error: unknown): Error =>
  isOfFolder(error) ? new InputError([error.message]) : writingFault(path, error);
