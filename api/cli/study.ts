/** `fleetwave run --seeds`: one scenario with many seeds, on as many cores as pay. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Manifest } from '../../core/result/manifest.ts';
import type { SeedRow, StudyResult } from '../../core/result/study.ts';
import { brokenCheck, checksOfSeeds } from '../../reports/checks/check.ts';
import { isFault } from '../../reports/study/rows.ts';
import { studyOf } from '../../reports/study/study.ts';
import { duration } from '../../reports/text/format.ts';
import { VERSION } from '../../reports/version.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { forecast } from '../../scenarios/forecast/forecast.ts';
import type { Scenario } from '../../scenarios/schema/schema.ts';
import { warningOf } from '../../scenarios/texts.ts';
import { manifestOf } from '../host/files/manifests.ts';
import { toPrettyJson } from '../host/files/pretty-json.ts';
import { RESULT_FILES, removeEarlier } from '../host/files/results-folder.ts';
import { digestOfRows, writeSeeds } from '../host/files/seeds-file.ts';
import { makeFolder } from '../host/process/make-folder.ts';
import { measureHost } from '../host/process/process-cost.ts';
import { runTasks } from '../workers/study-run.ts';
import { type Done, faultOf, type Pace } from '../workers/task.ts';
import { prepareCheckFiles, wantsChecks, writeCheckFiles } from './check-files.ts';
import { painterOf } from './colour.ts';
import { ExitCode, writing } from './exit.ts';
import { exitCodeOf, interruptible, type Signal } from './interrupt.ts';
import { startProgress } from './progress.ts';
import {
  loadScenario,
  namedAs,
  type RunOptions,
  refuseEmptyPaths,
  repeatedBy,
  seedFor,
  settingsOf,
} from './run-options.ts';
import { refuseWhatFollowsOneWorld, seedsOf, threadsWorth, workersOf } from './seed-options.ts';
import { type StudyHost, studySummary } from './study-summary.ts';
import { RunsUnderWay } from './under-way.ts';

export async function study(options: RunOptions): Promise<ExitCode> {
  const started = performance.now();
  refuseEmptyPaths(options);
  prepareCheckFiles('run', options);
  refuseWhatFollowsOneWorld(options);
  const workers = workersOf(options);
  const settings = settingsOf(options);
  const { scenario, warnings, bundle, path } = await loadScenario(options, settings);
  const root = seedFor(scenario, options);
  const { cost, warnings: late } = forecast(populate(scenario, root));
  const seeds = seedsOf(options, root, { secondsEach: cost.cpuSeconds, workers });
  const folder = options.out ?? join('out', `${namedAs(scenario, options)}-seeds`);
  writing(folder, () => makeFolder(folder));
  writing(folder, () => removeEarlier(folder, { open: [], needed: [...bundle.keys()] }));
  const isQuiet = options.quiet === true || options.json === true;
  const worth = threadsWorth(seeds.length * cost.worldSeconds);
  const threads = Math.min(options.workers === undefined ? worth : workers, seeds.length);
  if (!isQuiet) reportBefore(seeds.length, threads, cost.cpuSeconds);
  const manifest = manifestOf(path, bundle, settings, root, options.variant);
  const { done, stopped } = await runAll(manifest, seeds, threads, isQuiet);
  const before = [...warnings.map(warningOf), ...late];
  const result = foldedOf(scenario, manifest, seeds.length, done, before);
  const host = { ...measureHost(started), workers: threads };
  const files = writeFiles(folder, result, host);
  files.push(...(await reportChecks(options, result, host, stopped)));
  if (options.json) {
    process.stdout.write(`${JSON.stringify(document(result, host))}\n`);
  } else if (!isQuiet) {
    process.stdout.write(studySummary(result, host, files, painterOf(process.stdout)));
  }
  return verdictOf(stopped, result, options);
}

/** Seconds from which a study announces its expected duration. */
const LONG_STUDY_S = 10;

function reportBefore(seeds: number, threads: number, secondsEach: number): void {
  const seconds = (seeds * secondsEach) / threads;
  if (seconds < LONG_STUDY_S) return;
  const about = duration(10 * Math.ceil(seconds / 10));
  const on = threads === 1 ? 'one thread' : `${threads} threads`;
  process.stderr.write(`${seeds} seeds on ${on} take about ${about}\n`);
}

interface Ended {
  /** By the place of the seed; those that were not run are left out. */
  readonly done: readonly Done[];
  readonly stopped: Signal | undefined;
}

async function runAll(
  manifest: Manifest,
  seeds: readonly string[],
  threads: number,
  isQuiet: boolean,
): Promise<Ended> {
  const places: (Done | undefined)[] = seeds.map(() => undefined);
  const underWay = new RunsUnderWay(seeds.length, 'seeds');
  // From here on a signal ends it with what was run.
  const stopped = await interruptible(async (stops) => {
    const progress = await startProgress(isQuiet);
    const onDone = (at: number, done: Done) => {
      places[at] = done;
      underWay.onDone(at);
      progress.update(underWay);
    };
    const onPace = (at: number, pace: Pace) => {
      underWay.onPace(at, pace);
      progress.update(underWay);
    };
    try {
      // A world that takes its thread along does so each time, and is a row as one that breaks.
      const onLost = (at: number, error: unknown) =>
        onDone(at, { row: faultOf(seeds[at] ?? '', error) });
      const job = { manifest, branchAtUs: null, warmUps: null, points: [[]], figures: [] };
      const tasks = seeds.map((seed) => ({ point: 0, seed }));
      return await runTasks(job, tasks, threads, { onDone, onPace, onLost, stops });
    } finally {
      progress.stop();
    }
  });
  return { done: places.filter((place) => place !== undefined), stopped };
}

function foldedOf(
  { scenario, expectations }: Scenario,
  manifest: Manifest,
  seeds: number,
  done: readonly Done[],
  warnings: readonly string[],
): StudyResult {
  const rows = done.map(({ row }) => row);
  const units = done.find((one) => one.units !== undefined)?.units;
  const needed = expectations.map(({ text: expectation, seedsPpm = ALL_PPM }, at) => {
    return { expectation, seedsPpm, unit: units?.[at] ?? null };
  });
  const digest = digestOfRows(rows);
  return studyOf({ scenario, manifest, seeds, rows, digest, expectations: needed, warnings });
}

/** An expectation that says nothing of seeds has to hold in all of them. */
const ALL_PPM = 1_000_000;

/** The files that continuous integration reads, where they are asked for. */
async function reportChecks(
  options: RunOptions,
  result: StudyResult,
  host: StudyHost,
  stopped: Signal | undefined,
): Promise<readonly string[]> {
  if (!wantsChecks(options)) return [];
  const { scenario, rows, seeds, digest, manifest } = result;
  const commandOf = (seed: string) => repeatedBy(options, seed);
  const why = `stopped before the end: ${rows.length} of ${seeds} seeds were run`;
  const { seed } = manifest;
  const broken =
    stopped === undefined ? [] : [brokenCheck('the seeds', why, seed, commandOf(seed))];
  return writeCheckFiles(options, {
    suite: namedAs({ scenario }, options),
    checks: [...broken, ...checksOfSeeds(result, commandOf)],
    seconds: host.wallSeconds,
    properties: { seeds: String(rows.length), digest, version: VERSION },
  });
}

/** Its figures hold nothing of the host, so equal studies give equal files. */
function writeFiles(folder: string, result: StudyResult, host: StudyHost): string[] {
  const files: string[] = [];
  const into = (name: string, write: (path: string) => void) => {
    const path = join(folder, name);
    writing(path, () => write(path));
    files.push(path);
  };
  const said = result.expectations.map(({ expectation }) => expectation);
  const json = toPrettyJson({ version: VERSION, ...result });
  into(RESULT_FILES.study, (path) => writeFileSync(path, json));
  into(RESULT_FILES.seeds, (path) => writeSeeds(path, result.rows, said));
  into(RESULT_FILES.host, (path) => writeFileSync(path, toPrettyJson(host)));
  return files;
}

/** The document of `--json`: all but what only the files have, with the seeds and their digests. */
function document({ rows, manifest: _, ...result }: StudyResult, host: StudyHost): object {
  return { version: VERSION, ...result, rows: rows.map(brief), host };
}

const brief = (row: SeedRow) => (isFault(row) ? row : { seed: row.seed, digest: row.digest });

function verdictOf(
  stopped: Signal | undefined,
  { rows, seeds, expectations }: StudyResult,
  { quiet, json }: RunOptions,
): ExitCode {
  const { warning, bad } = painterOf(process.stderr);
  const say = (line: string) => process.stderr.write(`${line}\n`);
  if (stopped !== undefined) {
    say(warning(`Stopped before the end: ${rows.length} of ${seeds} seeds were run.`));
    return exitCodeOf(stopped);
  }
  const faults = rows.filter(isFault);
  for (const { seed, error } of faults) {
    say(bad(`fleetwave ${VERSION} is at fault here: the world of seed ${seed} broke: ${error}`));
  }
  const failed = expectations.filter(({ holds }) => !holds);
  if (quiet && !json) {
    for (const { expectation, held, seeds: of } of failed) {
      say(`${bad('fails:')} ${expectation} (held in ${held} of ${of} seeds)`);
    }
  }
  if (faults.length > 0) return ExitCode.ownFault;
  return failed.length === 0 ? ExitCode.good : ExitCode.expectationFails;
}
