/** The end of a search on a terminal: a row a point, the best first, and which one to take. */
import Table from 'cli-table3';
import { spreadText } from '../../reports/study/spread-text.ts';
import { count, counted, duration, NOTHING, percent } from '../../reports/text/format.ts';
import type { ConstraintSolved, PointSolved, Solution } from '../host/studies/solution.ts';
import type { Painter } from './colour.ts';

interface Took {
  readonly runs: number;
  readonly seconds: number;
  readonly threads: number;
}

/** Most points shown; solution.json has all of them. */
const POINTS_SHOWN = 40;

/** Ends in a line feed. */
export function solveSummary(solution: Solution, took: Took, file: string, paint: Painter): string {
  const hidden = solution.points.length - POINTS_SHOWN;
  const blocks = [
    paint.heading(headline(solution, took)),
    tableOf(solution, paint),
    ...(hidden > 0 ? [`${counted(hidden, 'point')} more in ${file}.`] : []),
    ...warningsOf(solution).map((warning) => paint.warning(`Warning: ${warning}`)),
    ...verdictSentences(solution, paint),
    `Digest of all runs ${solution.digest}`,
    `Results: ${file}`,
  ];
  return `${blocks.join('\n')}\n`;
}

function headline({ study, points, runs, gridRuns }: Solution, took: Took): string {
  const now = took.runs === runs ? '' : ` (${count(took.runs)} of them now)`;
  const on = `${counted(took.threads, 'thread')} in ${duration(took.seconds)}`;
  const most = points.reduce((seeds, each) => Math.max(seeds, each.seeds), 0);
  const grid = runs < gridRuns ? ` ${count(most)} seeds of each would be ${count(gridRuns)}.` : '';
  const of = `${counted(points.length, 'point')}, ${counted(runs, 'run')}${now}`;
  return `${study}: ${of} on ${on}.${grid}`;
}

const VERDICTS = {
  meets: '✓ meets',
  fails: '✗ fails',
  worse: 'worse',
  open: 'not decided',
} as const;

function tableOf(solution: Solution, paint: Painter): string {
  const { parameters, constraints, objectives, points } = solution;
  const heads = [
    '',
    '#',
    ...parameters.map(({ name }) => name),
    ...objectives.map(({ figure }) => figure),
    'Seeds',
    ...constraints.map((text) => text.replace(/\s+(in \S+\s*% of seeds)$/, '\n$1')),
    'Constraints',
  ];
  const table = new Table({
    head: heads.map((head) => paint.heading(head)),
    style: { head: [], border: [], compact: true },
    colAligns: heads.map((_, at) => (at > 0 && at < heads.length - 1 ? 'right' : 'left')),
  });
  for (const point of points.slice(0, POINTS_SHOWN)) {
    const verdict = VERDICTS[point.standing];
    const paints = { meets: paint.good, fails: paint.bad, worse: String, open: String } as const;
    table.push([
      point.point === solution.point ? paint.good('→') : '',
      String(point.point),
      ...point.levels.map(({ label }) => label),
      ...objectives.map((_, index) => costText(solution, point, index)),
      String(point.seeds),
      ...point.constraints.map(({ held }) => `held in ${held}`),
      paints[point.standing](verdict),
    ]);
  }
  return table.toString();
}

function costText({ objectives }: Solution, { objectives: costs }: PointSolved, index = 0): string {
  const { unit } = objectives[index]!;
  const { mean, meanInterval } = costs[index]!;
  if (meanInterval === null || meanInterval[0] === meanInterval[1]) return spreadText(mean, unit);
  const [low, high] = meanInterval;
  return `${spreadText(mean, unit)} ± ${spreadText((high - low) / 2, unit)}`;
}

function verdictSentences(solution: Solution, paint: Painter): string[] {
  switch (solution.verdict) {
    case 'found':
      return foundSentences(solution, paint);
    case 'none':
      return [
        paint.bad(`No point meets the constraints, with ${confidenceText(solution)} confidence.`),
        ...nearestSentence(solution),
      ];
    case 'unmeasured': {
      const { figure } = solution.objectives[0]!;
      const runs = counted(solution.runs, 'run');
      const why = `${figure} was measured in none of ${runs}`;
      return [paint.bad(`Nothing says which point is best: ${why}.`)];
    }
    case 'undecided':
      return [
        paint.bad(
          `Not decided after ${counted(solution.atMost, 'seed')} of a point; no point is ` +
            `accepted with ${confidenceText(solution)} confidence.`,
        ),
        ...undecidedSentences(solution),
      ];
  }
}

function foundSentences(solution: Solution, paint: Painter): string[] {
  const point = pointOf(solution, solution.point!);
  const confidence = `${confidenceText(solution)} confidence`;
  const { figure, goal } = solution.objectives[0]!;
  const most = goal === 'minimise' ? 'least' : 'most';
  const cost = `${figure}: ${costText(solution, point)}`;
  const why =
    solution.undecided.length === 0
      ? `of the points that meet the constraints, with ${confidence}, it has the ${most} ${cost}`
      : `it meets the constraints, with ${confidence}; ${cost}`;
  return [
    paint.good(`Take ${named(solution, point)}: ${why}.`),
    ...solution.constraints.map((text, index) => {
      const { held, share } = point.constraints[index]!;
      const low = share === null ? NOTHING : percentDown(share[0]);
      return `  ${text}: held in ${held} of ${point.seeds}; of all seeds in ${low} at least.`;
    }),
    ...runnerUpSentence(solution),
    ...solution.asGood.map((number) => {
      const other = pointOf(solution, number);
      return `As good within chance, and meets them too: ${named(solution, other)}.`;
    }),
    ...undecidedSentences(solution),
    `Its first seed alone: ${point.command}`,
  ];
}

function runnerUpSentence(solution: Solution): string[] {
  const { runnerUp, margin, objectives, points } = solution;
  if (runnerUp === null) {
    return points[0]!.point === solution.point ? ['No point is better.'] : [];
  }
  const point = pointOf(solution, runnerUp);
  const { figure, unit, goal } = objectives[0]!;
  const less = goal === 'minimise' ? 'less' : 'more';
  const difference = (mean: number) =>
    mean === 0
      ? ', the same'
      : `, ${spreadText(Math.abs(mean), unit)} ${less}${rangeText(solution)}`;
  const much = margin === null ? '' : difference(margin.mean);
  return [
    `Next better is ${named(solution, point)}, ${figure} ${costText(solution, point)}${much}; ` +
      `it fails: ${failureText(solution, point)}.`,
  ];
}

/** Where the margin is not the same in each seed. */
function rangeText({ margin, objectives }: Solution): string {
  const interval = margin?.interval ?? null;
  if (interval === null || interval[0] === interval[1]) return '';
  const { unit } = objectives[0]!;
  const ends = interval.map((end) => spreadText(end, unit));
  return ` (${ends.join(' … ')})`;
}

/** The constraint that is farthest from its share. */
function failureText({ constraints }: Solution, point: PointSolved): string {
  const lacking = (each: ConstraintSolved) => each.needed - each.held / point.seeds;
  const worst = point.constraints
    .map((each, index) => ({ ...each, text: constraints[index]! }))
    .reduce((most, each) => (lacking(each) > lacking(most) ? each : most));
  const high = worst.share === null ? NOTHING : percentUp(worst.share[1]);
  const of = `held in ${worst.held} of ${point.seeds}, of all seeds in ${high} at most`;
  return constraints.length === 1 ? of : `${worst.text} ${of}`;
}

/** By all that it lacks of the shares that are asked for. */
function nearestSentence(solution: Solution): string[] {
  const lacking = (point: PointSolved) =>
    point.constraints.reduce(
      (sum, { needed, held }) => sum + Math.max(0, needed - held / point.seeds),
      0,
    );
  const nearest = solution.points.reduce((best, each) =>
    lacking(each) < lacking(best) ? each : best,
  );
  return [`Nearest is ${named(solution, nearest)}: ${failureText(solution, nearest)}.`];
}

function undecidedSentences(solution: Solution): string[] {
  const isFound = solution.verdict === 'found';
  const said = solution.undecided.map((number) => {
    const point = pointOf(solution, number);
    const held = solution.constraints.map((text, index) => {
      const of = `held in ${point.constraints[index]!.held} of ${point.seeds}`;
      return solution.constraints.length === 1 ? of : `${text} ${of}`;
    });
    const may = isFound ? ', which may be better' : `, ${solution.objectives[0]!.figure}`;
    const costs = isFound ? '' : ` ${costText(solution, point)}`;
    return `Not decided: ${named(solution, point)}${may}${costs}: ${held.join(', ')}.`;
  });
  const isSpent = solution.undecided.some(
    (number) => pointOf(solution, number).seeds === solution.atMost,
  );
  const more = 2 * solution.atMost;
  return isSpent ? [...said, `--at-most ${more} continues with the runs that exist.`] : said;
}

/** What was not measured: shown once for all points. */
function warningsOf({ points, constraints, objectives, verdict }: Solution): string[] {
  const of = (lackedAt: (point: PointSolved) => number, words: (of: string) => string) => {
    const lacking = points.filter((point) => lackedAt(point) > 0);
    if (lacking.length === 0) return [];
    const sum = (count: (point: PointSolved) => number) =>
      lacking.reduce((total, point) => total + count(point), 0);
    const runs = `${count(sum(lackedAt))} of ${count(sum(({ seeds }) => seeds))} runs`;
    return [words(`${runs} of ${pointsText(lacking)}`)];
  };
  return [
    ...constraints.flatMap((text, index) =>
      of(
        (point) => point.constraints[index]!.unmeasured,
        (runs) =>
          `the figure of "${text}" was not measured in ${runs}, and so does not hold there.`,
      ),
    ),
    ...objectives.flatMap(({ figure }, index) =>
      verdict === 'unmeasured' && index === 0
        ? []
        : of(
            (point) => point.seeds - point.broken - point.objectives[index]!.measured,
            (runs) => `${figure} was not measured in ${runs}; its mean is of the others alone.`,
          ),
    ),
  ];
}

/** Most points listed by name. */
const NAMED_MAX = 8;

function pointsText(points: readonly PointSolved[]): string {
  const named = points.slice(0, NAMED_MAX).map(({ point }) => point);
  const more = points.length - named.length;
  const list = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return points.length === 1 ? `point ${list}` : `points ${list}`;
}

const pointOf = ({ points }: Solution, number: number): PointSolved =>
  points.find(({ point }) => point === number)!;

function named({ parameters }: Solution, { point, levels }: PointSolved): string {
  const set = levels.map(({ label }, index) => `${parameters[index]!.name} ${label}`);
  return `point ${point} (${set.join(', ')})`;
}

/** What is shown is not rounded to what is not. */
const percentDown = (share: number): string => percent(Math.floor(share * 1000) / 1000);
const percentUp = (share: number): string => percent(Math.ceil(share * 1000) / 1000);

const confidenceText = ({ confidence }: Solution): string =>
  `${Number((confidence * 100).toPrecision(8))} %`;
