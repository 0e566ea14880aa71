/** `fleetwave study run`: what a study lacks is run on all cores, and lands in its folder. */
import { performance } from 'node:perf_hooks';
import type { DesignedStudy } from '../../core/result/designed-study.ts';
import { type CheckReport, checksOfStudy } from '../../reports/checks/check.ts';
import { count, counted, duration } from '../../reports/text/format.ts';
import { VERSION } from '../../reports/version.ts';
import type { EngineEnd } from '../engine/coordinator.ts';
import { planId } from '../host/studies/keys.ts';
import { writeResults } from '../host/studies/study-results.ts';
import { foldedStudy, type StudyRows } from '../host/studies/study-rows.ts';
import { type DesignedEnd, runDesigned, type Shard } from '../workers/designed-run.ts';
import { prepareCheckFiles, wantsChecks, writeCheckFiles } from './check-files.ts';
import type { CheckFiles } from './check-options.ts';
import { painterOf } from './colour.ts';
import { designedSummary } from './designed-summary.ts';
import { ExitCode, InputError, writing } from './exit.ts';
import { exitCodeOf, interruptible } from './interrupt.ts';
import { startProgress } from './progress.ts';
import { workersOf } from './seed-options.ts';
import type { EngineAtHand } from './study-engine.ts';
import {
  type GivenStudy,
  landingFault,
  reading,
  rowsIn,
  type StudyOptions,
  studyGiven,
} from './study-input.ts';
import { RunsUnderWay } from './under-way.ts';

export interface StudyRunOptions extends StudyOptions, CheckFiles {
  readonly workers?: string | undefined;
  readonly shard?: string | undefined;
  readonly engine?: string | undefined;
  readonly resume?: boolean | undefined;
  readonly yes?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly quiet?: boolean | undefined;
}

/** Who runs the worlds: threads of this machine, all or a part, or the workers of an engine. */
interface Means {
  readonly threads: number;
  readonly shard: Shard | undefined;
  readonly engine: EngineAtHand | undefined;
}

export async function studyRun(options: StudyRunOptions): Promise<number> {
  refuseChecksOfShard(options);
  prepareCheckFiles('study run', options);
  const { engine: address } = options;
  if (address === undefined) {
    const shard = options.shard === undefined ? undefined : shardOf(options.shard);
    return runBy(options, { threads: workersOf(options, 'study'), shard, engine: undefined });
  }
  refuseBesideEngine(options);
  const { engineAt } = await import('./study-engine.ts');
  const engine = await engineAt(address);
  try {
    const threads = await engine.threads();
    return await runBy(options, { threads: Math.max(1, threads), shard: undefined, engine });
  } finally {
    await engine.close();
  }
}

/** A part of a study has no verdict. */
function refuseChecksOfShard(options: StudyRunOptions): void {
  if (options.shard === undefined || !wantsChecks(options)) return;
  const name = options.junit === undefined ? 'markdown' : 'junit';
  const what = `fleetwave study: --${name} is of a whole study, and --shard runs a part of it`;
  throw new InputError([`${what}; fleetwave study run without --shard judges what is there`]);
}

function refuseBesideEngine(options: StudyRunOptions): void {
  const wrong = (['workers', 'shard'] as const).filter((name) => options[name] !== undefined);
  const why = {
    workers: 'is of each fleetwave worker, and the study runs on all of them',
    shard: 'hands out by itself what --engine hands out',
  };
  const faults = wrong.map((name) => `fleetwave study: --${name} ${why[name]}`);
  if (faults.length > 0) throw new InputError(faults);
}

async function runBy(options: StudyRunOptions, means: Means): Promise<number> {
  const started = performance.now();
  const { shard, engine } = means;
  const given = await studyGiven(options);
  const { folder, plan, warnings } = given;
  const rows = rowsIn(given);
  refuseAnother(given, rows, options);
  const isQuiet = options.quiet === true || options.json === true;
  reportBefore(folder.path, rows, means, options, isQuiet);
  writing(folder.path, () => folder.make());
  writing(folder.path, () => folder.writePlan(plan));
  const { end, signal } = await runAll(rows, given, means, isQuiet);
  if (end.kind === 'cancelled') return reportStopped('Cancelled', rows, ExitCode.terminated);
  if (end.kind === 'stopped' && signal !== undefined) {
    return reportStopped('Stopped', rows, exitCodeOf(signal));
  }
  if (end.kind === 'lost') return reportLost(end, given);
  if (end.kind === 'givenUp') return reportGivenUp(end);
  if (shard !== undefined) {
    if (!isQuiet) process.stdout.write(`${shardSentence(rows, shard, end.runs)}\n`);
    return ExitCode.good;
  }
  const study = foldedStudy(rows, warnings);
  const files = writing(folder.path, () => writeResults(folder.path, study, rows));
  const seconds = (performance.now() - started) / 1000;
  files.push(...(await reportChecks(options, study, seconds)));
  if (options.json) process.stdout.write(`${JSON.stringify({ version: VERSION, ...study })}\n`);
  else if (!isQuiet) {
    const threads = Math.max(means.threads, (await engine?.threads()) ?? 0);
    const took = { runs: end.runs, seconds, threads };
    process.stdout.write(designedSummary(study, took, files, painterOf(process.stdout)));
  }
  return verdictOf(study);
}

/** The files that continuous integration reads, where they are asked for. */
async function reportChecks(
  options: StudyRunOptions,
  study: DesignedStudy,
  seconds: number,
): Promise<readonly string[]> {
  if (!wantsChecks(options)) return [];
  const { runs, digest } = study;
  const report: CheckReport = {
    suite: study.study,
    checks: checksOfStudy(study),
    seconds,
    properties: { runs: String(runs), digest, version: VERSION },
  };
  return writeCheckFiles(options, report, async () => {
    const { studyMarkdown } = await import('../../reports/study/report/markdown.ts');
    return studyMarkdown(study);
  });
}

function reportStopped(how: 'Stopped' | 'Cancelled', rows: StudyRows, code: ExitCode): ExitCode {
  const { paint, say } = errors();
  const stored = 'finished runs are stored, and the same command continues';
  say(paint.warning(`${how}: ${leftOf(rows)}; ${stored}.`));
  return code;
}

export const errors = () => ({
  paint: painterOf(process.stderr),
  say: (line: string) => process.stderr.write(`${line}\n`),
});

const SHARDS_MAX = 100_000;

function shardOf(word: string): Shard {
  const [, index = '', of = ''] = /^(\d{1,6})\/(\d{1,6})$/.exec(word) ?? [];
  const shard = { index: Number(index), of: Number(of) };
  if (shard.index >= 1 && shard.index <= shard.of && shard.of <= SHARDS_MAX) return shard;
  const allowed = `i/n such as 3/7, i from 1 to n, n at most ${SHARDS_MAX}`;
  throw new InputError([`fleetwave study: --shard "${word}" is not right; allowed: ${allowed}`]);
}

/** `--resume` continues the same plan only; without it, common runs of both plans are reused. */
export function refuseAnother(
  { folder, plan }: GivenStudy,
  rows: StudyRows,
  options: StudyRunOptions,
) {
  if (!folder.hasPlan) {
    if (!options.resume) return;
    throw new InputError([
      `fleetwave study: --resume continues a study, and ${folder.path} has none`,
    ]);
  }
  const [there, own] = [planId(reading(() => folder.readPlan())), planId(plan)];
  if (options.resume && there !== own) {
    throw new InputError([
      `fleetwave study: --resume continues with the same plan, and ${folder.path}/plan.json is ` +
        `another (${there}, not ${own}): the study file, its scenario or Fleetwave has changed; ` +
        'without --resume runs that both have in common are stored',
    ]);
  }
  refuseForeign(rows, folder.path);
}

/** Runs that lie in a folder and serve nothing are rather another study's than forgotten. */
export function refuseForeign(rows: StudyRows, path: string): void {
  if (rows.landed === 0 || rows.hasOwn()) return;
  throw new InputError([
    `fleetwave study: none of the ${count(rows.landed)} runs in ${path} is one of this ` +
      'study: its scenario, its seed or Fleetwave has changed since; allowed: --sink dir: and ' +
      'another folder, or remove that one',
  ]);
}

/** Runs of other worlds in the folder: a result never has them, and its reader hears of them. */
export function apartSentence(rows: StudyRows, path: string): string | undefined {
  const { foreign, landed } = rows;
  if (foreign === 0) return undefined;
  const of = `${count(foreign)} of the ${counted(landed, 'run')} in ${path}`;
  const are = foreign === 1 ? 'is' : 'are';
  return `${of} ${are} of another scenario, seed, point or build: no result of this study has them`;
}

/** From so long on a study is begun only by who said that it may be, seconds. */
export const LONG_S = 1800;
export const PROGRESS_S = 10;

function reportBefore(
  path: string,
  rows: StudyRows,
  { threads, shard }: Means,
  { yes }: StudyRunOptions,
  isQuiet: boolean,
): void {
  const { plan } = rows;
  const { there, asked } = rows.counts();
  const missing = Math.ceil((asked - there) / (shard?.of ?? 1));
  const seconds = (missing * plan.secondsEach) / threads;
  const on = threads === 1 ? 'one thread' : `${threads} threads`;
  const about = duration(10 * Math.ceil(seconds / 10));
  const takes = `${counted(missing, 'run')} on ${on} take about ${about}`;
  if (seconds > LONG_S && yes !== true) {
    throw new InputError([`fleetwave study: ${takes}; --yes begins them`]);
  }
  if (isQuiet) return;
  if (there > 0) process.stderr.write(`${leftOf(rows)} already\n`);
  const apart = apartSentence(rows, path);
  if (apart !== undefined) process.stderr.write(`${apart}\n`);
  if (seconds >= PROGRESS_S) process.stderr.write(`${takes}\n`);
}

export async function runAll(
  rows: StudyRows,
  { folder }: GivenStudy,
  { threads, shard, engine }: Means,
  isQuiet: boolean,
) {
  const ends: (DesignedEnd | EngineEnd)[] = [];
  const signal = await interruptible(async (stops) => {
    const progress = await startProgress(isQuiet);
    let underWay = new RunsUnderWay(0, 'runs');
    const running = {
      threads,
      shard,
      stops,
      onRound: (runs: number) => {
        underWay = new RunsUnderWay(runs, 'runs');
      },
      onPace: (at: number, pace: { share: number; events: number }) => {
        underWay.onPace(at, pace);
        progress.update(underWay);
      },
      onDone: (at: number) => {
        underWay.onDone(at);
        progress.update(underWay);
      },
    };
    try {
      ends.push(
        engine === undefined
          ? await runDesigned(rows, folder, running)
          : await engine.run(rows, folder, running),
      );
    } catch (error) {
      throw landingFault(folder.path, error);
    } finally {
      progress.stop();
    }
    return ends[0]?.kind !== 'stopped';
  });
  return { end: ends[0]!, signal };
}

function leftOf(rows: StudyRows): string {
  const { there, asked } = rows.counts();
  return `${count(there)} of ${counted(asked, 'run')} are there`;
}

function shardSentence(rows: StudyRows, { index, of }: Shard, runs: number): string {
  const { complete } = rows.asked();
  const next = complete
    ? 'The study is whole: fleetwave study merge'
    : 'fleetwave study missing lists the runs that others still owe; then a round may follow';
  return `Shard ${index}/${of}: ${counted(runs, 'run')}. ${next}.`;
}

/** Most problems listed. */
const LISTED_MAX = 20;

export function reportLost(
  { lost }: Extract<DesignedEnd, { kind: 'lost' }>,
  { plan }: GivenStudy,
): number {
  const { paint, say } = errors();
  say(
    paint.bad(`${lost.length} runs took their thread along each time (out of memory, as a rule):`),
  );
  for (const { point, seed } of lost.slice(0, LISTED_MAX)) {
    const levels = plan.points[point]!.levels.map(({ label }) => label).join(', ');
    say(`  point ${point + 1} (${levels}), seed ${seed}`);
  }
  say('All others are stored; the same command, with fewer --workers, runs these again.');
  return ExitCode.damaged;
}

function reportGivenUp({ chunks }: Extract<EngineEnd, { kind: 'givenUp' }>): number {
  const { paint, say } = errors();
  say(paint.bad(`${counted(chunks.length, 'chunk')} came to no end on any worker:`));
  for (const { runs, lost, why } of chunks.slice(0, LISTED_MAX)) {
    const [first] = runs;
    const how = lost > 0 ? `${counted(lost, 'worker')} lost over it` : 'its workers failed';
    const from = `from point ${(first?.point ?? 0) + 1}, seed ${first?.seed ?? ''}`;
    say(`  ${counted(runs.length, 'run')} ${from}: ${how}: ${why}`);
  }
  say('All others are stored; the same command runs these again.');
  return ExitCode.damaged;
}

/** Of constraints, and of worlds that broke. */
export function verdictOf({ points, constraints }: DesignedStudy): number {
  const { paint, say } = errors();
  const broken = points.reduce((sum, { faults }) => sum + faults, 0);
  if (broken > 0) {
    say(paint.bad(`fleetwave ${VERSION} is at fault here: ${broken} worlds broke (see runs.csv)`));
    return ExitCode.ownFault;
  }
  if (constraints.length === 0 || points.some(({ allowed }) => allowed)) return ExitCode.good;
  return ExitCode.expectationFails;
}
