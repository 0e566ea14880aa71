/** `fleetwave study plan`, `status`, `missing`, `merge` and `report`: none of them runs a world. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { studyMarkdown } from '../../reports/study/report/markdown.ts';
import { count, counted, duration } from '../../reports/text/format.ts';
import { rangesOf } from '../../scenarios/study/ranges.ts';
import { planId } from '../host/studies/keys.ts';
import { StudyFolder } from '../host/studies/study-folder.ts';
import { writeReports, writeResults } from '../host/studies/study-results.ts';
import { foldedStudy, type StudyRows } from '../host/studies/study-rows.ts';
import { shardOf } from '../workers/designed-run.ts';
import { painterOf } from './colour.ts';
import { designedSummary } from './designed-summary.ts';
import { ExitCode, InputError, writing } from './exit.ts';
import { type GivenStudy, reading, rowsIn, type StudyOptions, studyGiven } from './study-input.ts';
import { apartSentence, refuseForeign, verdictOf } from './study-run.ts';
import { whole } from './words.ts';

export async function studyPlan(options: StudyOptions & { out?: string | undefined }) {
  const { plan, warnings } = await studyGiven(options);
  for (const warning of warnings) process.stderr.write(`Warning: ${warning}\n`);
  const text = `${JSON.stringify(plan)}\n`;
  const { out } = options;
  if (out === undefined) {
    process.stdout.write(text);
    return ExitCode.good;
  }
  writing(out, () => writeFileSync(out, text));
  const least = plan.points.length * plan.replicates;
  const takes = duration(Math.ceil(least * plan.secondsEach));
  const more = plan.atMost > plan.replicates ? ' in the first round' : '';
  process.stdout.write(
    `${out}: ${count(plan.points.length)} points, ${count(least)} runs` +
      `${more}, about ${takes} of CPU time; ` +
      `plan ${planId(plan)}\n`,
  );
  return ExitCode.good;
}

/** Reads the folder only, so it can run anywhere beside a running study. */
export async function studyStatus(options: StudyOptions & { json?: boolean | undefined }) {
  const { status, sentence } = progressOf(await studyGiven(options));
  process.stdout.write(`${options.json ? JSON.stringify(status) : sentence}\n`);
  return ExitCode.good;
}

/** What has landed, and what is left. */
export function progressOf(given: GivenStudy) {
  const rows = rowsIn(given);
  const asked = rows.asked();
  const { plan, folder } = given;
  const landed = rows.counts(asked);
  const open = asked.settled.filter((each) => each === false).length;
  const left = Math.ceil((landed.asked - landed.there) * plan.secondsEach);
  const status = {
    study: plan.study,
    plan: planId(plan),
    folder: folder.path,
    complete: asked.complete,
    runs: landed.there,
    runsAsked: landed.asked,
    chunks: landed.whole,
    chunksAsked: landed.chunks,
    cpuSecondsLeft: left,
    pointsOpen: open,
    runsApart: rows.foreign,
  };
  const head = `${plan.study}: ${count(landed.there)} of ${count(landed.asked)} runs`;
  const chunks = `${landed.whole} of ${landed.chunks} chunks`;
  const rest = asked.complete ? 'whole' : `about ${duration(left)} of CPU time left`;
  const rule =
    Object.keys(plan.until).length === 0
      ? ''
      : `; ${open} of ${plan.points.length} points not yet known as narrowly as asked`;
  const apart = apartSentence(rows, folder.path);
  const all = `${head}, ${chunks}: ${rest}${rule}`;
  return { status, sentence: apart === undefined ? all : `${all}\n${apart}` };
}

const FORMATS = ['list', 'slurm', 'json'] as const;
export type MissingFormat = (typeof FORMATS)[number];
const SHARDS_MAX = 100_000;

interface MissingOptions extends StudyOptions {
  readonly shards: string;
  readonly format: MissingFormat;
}

/** Which shards lack something, as a scheduler takes them; nothing where none does. */
export async function studyMissing(options: MissingOptions) {
  const faults: string[] = [];
  const of = whole('--shards', options.shards, 1, SHARDS_MAX, faults);
  if (faults.length > 0) throw new InputError(faults.map((fault) => `fleetwave study: ${fault}`));
  const rows = rowsIn(await studyGiven(options));
  const lacking = rows.asked().chunks.filter(({ runs }) => runs.some((run) => !rows.of(run)));
  const shards = [...new Set(lacking.map((chunk) => shardOf(chunk, of)))].sort((a, b) => a - b);
  const written = {
    list: () => shards.map((shard) => `${shard}\n`).join(''),
    slurm: () => (shards.length === 0 ? '' : `${rangesOf(shards)}\n`),
    json: () => `${JSON.stringify(shards)}\n`,
  };
  process.stdout.write(written[options.format]());
  return ExitCode.good;
}

interface Partly {
  /** Of a study that is not whole. */
  readonly partial?: boolean | undefined;
}

interface MergeOptions extends StudyOptions, Partly {
  /** Further folders to read rows from. */
  readonly from?: readonly string[] | undefined;
  readonly json?: boolean | undefined;
}

export async function studyMerge(options: MergeOptions) {
  const given = await studyGiven(options);
  const { folder, warnings, plan } = given;
  takeFrom(options.from ?? [], given);
  const rows = rowsIn(given);
  refusePartial(given, rows, options, 'merges');
  const study = foldedStudy(rows, warnings);
  writing(folder.path, () => folder.make());
  writing(folder.path, () => folder.writePlan(plan));
  const files = writing(folder.path, () => writeResults(folder.path, study, rows));
  if (options.json) process.stdout.write(`${JSON.stringify(study)}\n`);
  else {
    const took = { runs: 0, seconds: 0, threads: 0 };
    process.stdout.write(designedSummary(study, took, files, painterOf(process.stdout)));
  }
  return verdictOf(study);
}

function refusePartial(
  { folder }: GivenStudy,
  rows: StudyRows,
  { partial }: Partly,
  does: string,
): void {
  refuseForeign(rows, folder.path);
  const apart = apartSentence(rows, folder.path);
  if (apart !== undefined) process.stderr.write(`${apart}\n`);
  const asked = rows.asked();
  if (asked.complete || partial === true) return;
  const { there, asked: all } = rows.counts(asked);
  throw new InputError([
    `fleetwave study: ${count(there)} of ${count(all)} runs are there; the same study run goes ` +
      `on with it, and --partial ${does} what there is`,
  ]);
}

interface ReportOptions extends StudyOptions, Partly {
  readonly markdown?: boolean | undefined;
}

/** Of what is there, and nothing else is written: others may run it meanwhile. */
export async function studyReport(options: ReportOptions) {
  const given = await studyGiven(options);
  const { folder, warnings } = given;
  const rows = rowsIn(given);
  refusePartial(given, rows, options, 'reports on');
  const study = foldedStudy(rows, warnings);
  if (options.markdown) {
    process.stdout.write(studyMarkdown(study));
    return ExitCode.good;
  }
  writing(folder.path, () => folder.make());
  const files = writing(folder.path, () => writeReports(folder.path, study));
  process.stdout.write(`Report: ${files.join(', ')}\n`);
  return ExitCode.good;
}

function takeFrom(folders: readonly string[], given: GivenStudy): void {
  const { folder, plan } = given;
  for (const path of folders) {
    if (!existsSync(join(path, 'chunks'))) {
      throw new InputError([`${path} is no folder of a study; allowed: one with chunks in it`]);
    }
  }
  if (folders.length === 0) return;
  writing(folder.path, () => folder.make());
  if (!folder.hasPlan) writing(folder.path, () => folder.writePlan(plan));
  const rows = rowsIn(given);
  for (const path of folders) {
    const { taken, left } = reading(() =>
      writing(folder.path, () => folder.takeFrom(new StudyFolder(path), (row) => rows.isOwn(row))),
    );
    if (left === 0) continue;
    const runs = counted(taken + left, 'run');
    if (taken > 0) {
      process.stderr.write(
        `${count(left)} of the ${runs} in ${path} are of another scenario, seed, point or build: ` +
          'they are not merged\n',
      );
      continue;
    }
    throw new InputError([
      `fleetwave study: none of the runs in ${path} is one of this study: its scenario, its ` +
        'seed or Fleetwave has changed since; allowed: --from folders of the same study and build',
    ]);
  }
}
