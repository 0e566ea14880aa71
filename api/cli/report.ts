/** `fleetwave report`: the page of a run anew, or of several runs side by side. */
import { spawn } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { ExpectationResult } from '../../core/result/result.ts';
import { comparisonHtml } from '../../reports/pages/comparison.ts';
import { renderHtml } from '../../reports/pages/html.ts';
import { type PageRun, pageRun } from '../../reports/pages/interactive-parts.ts';
import type { ReportInput } from '../../reports/stories/run/report-input.ts';
import { differenceHtml } from '../../reports/study/difference-report.ts';
import { madeOtherwise } from '../../reports/study/differences.ts';
import { VERSION } from '../../reports/version.ts';
import { columnsBeside } from '../host/files/columns-file.ts';
import {
  type DiffInput,
  type RunInput,
  readDiffInput,
  type StudyInput,
} from '../host/files/diff-inputs.ts';
import { outlineIn, outlineRecorded } from '../host/files/outlines.ts';
import { pageScript } from '../host/files/report-page.ts';
import { RESULT_FILES } from '../host/files/results-folder.ts';
import { painterOf } from './colour.ts';
import { ofStudies } from './diff.ts';
import { studiesPage } from './diff-text.ts';
import { ExitCode, InputError, writing } from './exit.ts';
import { pointsPage } from './report-points.ts';

export interface ReportCommandOptions {
  readonly runs: readonly string[];
  readonly out?: string | undefined;
  readonly outline?: string | undefined;
  /** Numbers of points of the one study that is given, such as `1,3`. */
  readonly points?: string | undefined;
  readonly open?: boolean | undefined;
}

/** Runs beside each other: more would leave no room for a chart. */
const RUNS_MOST = 6;

export function report(options: ReportCommandOptions): ExitCode {
  const { open = false } = options;
  refuseWords(options);
  const { path, page } = options.points === undefined ? compared(options) : ofPoints(options);
  writing(path, () => writeFileSync(path, page));
  process.stdout.write(`${path}\n`);
  if (open) openPage(path);
  return ExitCode.good;
}

function compared({ runs, outline, out }: ReportCommandOptions) {
  const read = runs.map(readDiffInput);
  const faults = read.flatMap((each) => ('faults' in each ? each.faults : []));
  if (faults.length > 0) throw new InputError(faults);
  const inputs = read as DiffInput[];
  const studies = inputs.filter((each): each is StudyInput => each.kind === 'study');
  const path = resolve(out ?? join(dirname(inputs[0]!.path), RESULT_FILES.report));
  const page =
    studies.length > 0
      ? ofSeeds(inputs, studies)
      : ofRuns(inputs as readonly RunInput[], runs, outline);
  return { path, page };
}

function refuseWords({ runs, out, outline, points }: ReportCommandOptions): void {
  const empty = Object.entries({ out, outline }).filter(([, path]) => path === '');
  const lines = empty.map(([name]) => `fleetwave report: --${name} is empty; allowed: a path`);
  if (runs.length > RUNS_MOST) {
    lines.push(`fleetwave report: ${runs.length} runs; allowed: 1 to ${RUNS_MOST}`);
  }
  if (points !== undefined && runs.length > 1) {
    lines.push(`fleetwave report: --points with ${runs.length} studies; allowed: one study`);
  }
  if ((runs.length > 1 || points !== undefined) && out === undefined) {
    lines.push('fleetwave report: --out is missing; allowed: the file of the comparison');
  }
  if (lines.length > 0) throw new InputError(lines);
}

// ── runs ─────────────────────────────────────────────────────────────────────────────────────────

function ofRuns(
  inputs: readonly RunInput[],
  given: readonly string[],
  outline: string | undefined,
): string {
  const labels = labelsOf(given);
  const read = inputs.map((input) => withColumns(input));
  const all = read.map(({ input }) => input);
  const runs = read.map(({ input, bytes }, at): PageRun => {
    const name = inputs.length === 1 ? input.result.scenario.name : labels[at]!;
    const lines = outlineFor(inputs[at]!, outline);
    return pageRun({ ...input, ...lines }, bytes, name);
  });
  const interactive = { script: pageScript(), runs };
  if (all.length === 1) return renderHtml(all[0]!, interactive);
  const compared = all.map((input, at) => ({ label: labels[at]!, input }));
  const comparison = { runs: compared, notes: notesOn(inputs, labels), version: VERSION };
  return comparisonHtml(comparison, interactive);
}

/** That of the file, or of the run's own scenario. */
function outlineFor({ path, run }: RunInput, file: string | undefined) {
  if (file === undefined) return outlineRecorded(run.manifest);
  const read = outlineIn(file, path, run.manifest);
  if ('faults' in read) throw new InputError(read.faults);
  return read;
}

/** With the columns beside it; what is wrong with them is said, and the rest is shown. */
function withColumns({ path, run, result }: RunInput): {
  readonly input: ReportInput;
  /** Of the columns, packed. */
  readonly bytes: Uint8Array | undefined;
} {
  const { columns, bytes, why } = columnsBeside(path, run.digest);
  if (why !== undefined) process.stderr.write(`${painterOf(process.stderr).warning(why)}\n`);
  const { expectations = [] } = result as { readonly expectations?: readonly ExpectationResult[] };
  const { manifest, version } = run;
  const input = { result, expectations, manifest, version, ...(columns && { columns }) };
  return { input, bytes };
}

/** What runs are called: the ends of their paths, as far as they differ. */
function labelsOf(given: readonly string[]): string[] {
  const folders = given.map((path) => {
    const full = resolve(path);
    return basename(full) === RESULT_FILES.result ? dirname(full) : full;
  });
  const names = folders.map((folder) => basename(folder));
  const isUnique = new Set(names).size === names.length;
  if (isUnique) return names;
  const longer = folders.map((folder) => join(basename(dirname(folder)), basename(folder)));
  const isLongUnique = new Set(longer).size === longer.length;
  return isLongUnique ? longer : names.map((name, at) => `${name} (${at + 1})`);
}

/** What the runs are made of that is not the same; what makes a comparison weak. */
function notesOn(inputs: readonly RunInput[], labels: readonly string[]): string[] {
  const [first, ...others] = inputs;
  const differences = others.map((other, at) => {
    const otherwise = madeOtherwise(first!.run.manifest, other.run.manifest);
    const pair = `${labels[0]} and ${labels[at + 1]}`;
    if (otherwise.length > 0) return `${pair} differ by ${otherwise.join(', ')}.`;
    return first!.run.digest === other.run.digest
      ? `${pair} are the same run: digest ${first!.run.digest}.`
      : `${pair} are made of the same, and their digests differ.`;
  });
  const isOf = (of: (input: RunInput) => unknown) => new Set(inputs.map(of)).size > 1;
  return [
    ...differences,
    ...(isOf(({ result }) => result.scenario.name)
      ? ['They are of different scenarios: devices are matched by DevEUI alone.']
      : []),
    ...(isOf(({ result }) => result.virtualSeconds)
      ? ['They are not equally long: counts are of more time in one of them.']
      : []),
    ...(isOf(({ run }) => run.version)
      ? ['They are of different versions of Fleetwave: a difference may be of the version.']
      : []),
  ];
}

// ── studies ──────────────────────────────────────────────────────────────────────────────────────

function ofSeeds(inputs: readonly DiffInput[], studies: readonly StudyInput[]): string {
  const [a, b] = studies;
  if (studies.length !== 2 || inputs.length !== 2 || a === undefined || b === undefined) {
    throw new InputError([
      `fleetwave report: ${studies[0]!.path} is of several seeds; ` +
        'allowed: runs of one seed each, or two studies',
    ]);
  }
  return differenceHtml(studiesPage(ofStudies(a, b)), VERSION);
}

/** Points of one study, the first against each other one. */
function ofPoints({ runs: [given = ''], points = '', out = '' }: ReportCommandOptions) {
  const path = statSync(given, { throwIfNoEntry: false })?.isDirectory()
    ? join(given, RESULT_FILES.study)
    : given;
  return { path: resolve(out), page: pointsPage(path, points) };
}

// ── browser ──────────────────────────────────────────────────────────────────────────────────────

const OPENERS: Readonly<Record<string, readonly [program: string, ...words: string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** A system without a browser is no fault of the page. */
function openPage(path: string): void {
  const [program, ...words] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program!, [...words, path], { stdio: 'ignore', detached: true });
  child.on('error', () => {
    process.stderr.write(`${program} cannot be started: open ${path} in a browser\n`);
  });
  child.unref();
}
