/** `fleetwave study solve`: the cheapest point that meets the constraints, with few runs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { count, duration } from '../../reports/text/format.ts';
import { VERSION } from '../../reports/version.ts';
import { type SolvingRule, solvingRule } from '../../scenarios/study/solving-rule.ts';
import { REPLICATES_MAX } from '../../scenarios/study/study-schema.ts';
import { toPrettyJson } from '../host/files/pretty-json.ts';
import { buildId } from '../host/studies/build.ts';
import { type Solution, SolvingRows, solutionOf } from '../host/studies/solution.ts';
import { painterOf } from './colour.ts';
import { ExitCode, InputError, writing } from './exit.ts';
import { exitCodeOf } from './interrupt.ts';
import { workersOf } from './seed-options.ts';
import { solveSummary } from './solve-summary.ts';
import { reading, type StudyOptions, studyGiven } from './study-input.ts';
import { errors, LONG_S, PROGRESS_S, refuseAnother, reportLost, runAll } from './study-run.ts';
import { whole } from './words.ts';

export interface StudySolveOptions extends StudyOptions {
  readonly workers?: string | undefined;
  readonly atMost?: string | undefined;
  readonly confidence?: string | undefined;
  readonly yes?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly quiet?: boolean | undefined;
}

const SOLUTION_FILE = 'solution.json';

export async function studySolve(options: StudySolveOptions): Promise<number> {
  const started = performance.now();
  const threads = workersOf(options, 'study');
  const asked = askedOf(options);
  const given = await studyGiven(options);
  const { folder, plan, warnings } = given;
  const ruled = solvingRule(plan, asked);
  if (!ruled.ok) {
    throw new InputError(ruled.problems.map((problem) => `${options.file}: ${problem}`));
  }
  const landed = reading(() => folder.readRows());
  const rows = new SolvingRows(plan, buildId(), landed, ruled.rule);
  refuseAnother(given, rows, { file: options.file });
  const isQuiet = options.quiet === true || options.json === true;
  if (!isQuiet) for (const each of warnings) process.stderr.write(`Warning: ${each}\n`);
  reportBefore(rows, ruled.rule, threads, options.yes === true, isQuiet);
  writing(folder.path, () => folder.make());
  writing(folder.path, () => folder.writePlan(plan));
  const { end, signal } = await runAll(
    rows,
    given,
    { threads, shard: undefined, engine: undefined },
    isQuiet,
  );
  if (end.kind === 'stopped' && signal !== undefined) {
    const { paint, say } = errors();
    const stored = `${count(rows.counts().there)} runs are stored, and the same command continues`;
    say(paint.warning(`Stopped: ${stored}.`));
    return exitCodeOf(signal);
  }
  if (end.kind === 'lost') return reportLost(end, given);
  const solution = solutionOf(rows);
  const file = join(folder.path, SOLUTION_FILE);
  const document = { version: VERSION, ...solution };
  writing(file, () => writeFileSync(file, toPrettyJson(document)));
  if (options.json) process.stdout.write(`${JSON.stringify(document)}\n`);
  else if (!isQuiet) {
    const took = { runs: end.runs, seconds: (performance.now() - started) / 1000, threads };
    process.stdout.write(solveSummary(solution, took, file, painterOf(process.stdout)));
  }
  return exitOf(solution);
}

const CONFIDENCE_USUAL = '95';

function askedOf({ atMost, confidence = CONFIDENCE_USUAL }: StudySolveOptions) {
  const faults: string[] = [];
  const seeds =
    atMost === undefined ? undefined : whole('--at-most', atMost, 1, REPLICATES_MAX, faults);
  const percent = /^\d{1,2}(\.\d{1,4})?$/.test(confidence) ? Number(confidence) : 0;
  if (percent < 50) {
    faults.push(`--confidence "${confidence}" is not right; allowed: 50 to 99.9999, in percent`);
  }
  if (faults.length > 0) throw new InputError(faults.map((fault) => `fleetwave study: ${fault}`));
  return { confidence: percent / 100, atMost: seeds };
}

function reportBefore(
  rows: SolvingRows,
  { ends, fewest, atMost }: SolvingRule,
  threads: number,
  isAllowed: boolean,
  isQuiet: boolean,
): void {
  const { complete } = rows.asked();
  const { there } = rows.counts();
  if (!isQuiet && there > 0) process.stderr.write(`${count(there)} runs are there already\n`);
  if (complete) return;
  const points = rows.plan.points.length;
  const [first = 0] = ends;
  const least = Math.max(1, points * first + Math.max(0, fewest - first) - there);
  const most = points * atMost - there;
  const secondsOf = (runs: number) => (runs * rows.plan.secondsEach) / threads;
  const about = (runs: number) => duration(10 * Math.ceil(secondsOf(runs) / 10));
  const on = threads === 1 ? 'one thread' : `${threads} threads`;
  const takes =
    `${count(least)} runs as a rule, ${count(most)} at most, take about ${about(least)} to ` +
    `${about(most)} on ${on}`;
  if (secondsOf(least) > LONG_S && !isAllowed) {
    throw new InputError([`fleetwave study: ${takes}; --yes begins them`]);
  }
  if (!isQuiet && secondsOf(most) >= PROGRESS_S) process.stderr.write(`${takes}\n`);
}

function exitOf({ verdict, points }: Solution): number {
  const { paint, say } = errors();
  const broken = points.reduce((sum, each) => sum + each.broken, 0);
  if (broken > 0) {
    say(paint.bad(`fleetwave ${VERSION} is at fault here: ${count(broken)} worlds broke`));
    return ExitCode.ownFault;
  }
  return verdict === 'found' ? ExitCode.good : ExitCode.expectationFails;
}
