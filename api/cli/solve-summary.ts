/** The end of a search on a terminal: a row a point, cheapest first, and which one to take. */
import Table from 'cli-table3';
import { count, counted, duration, NOTHING, percent } from '../../reports/render/format.ts';
import { spreadText } from '../../reports/study/spread-text.ts';
import type { PointSolved, Solution } from '../host/studies/solution.ts';
import type { Painter } from './colour.ts';

interface Took {
  readonly runs: number;
  readonly seconds: number;
  readonly threads: number;
}

/** So many points are shown; all of them stand in solution.json. */
const POINTS_SHOWN = 40;

/** Ends in a line feed. */
export function solveSummary(solution: Solution, took: Took, file: string, paint: Painter): string {
  const hidden = solution.points.length - POINTS_SHOWN;
  const blocks = [
    paint.heading(headline(solution, took)),
    tableOf(solution, paint),
    ...(hidden > 0 ? [`${counted(hidden, 'point')} more, which cost more, in ${file}.`] : []),
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
  dearer: 'costs more',
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
    const paints = { meets: paint.good, fails: paint.bad, dearer: String, open: String } as const;
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
      return [paint.bad(`Nothing says which point is the cheapest: ${why}.`)];
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
  const { objectives, undecided } = solution;
  const cheapest = undecided.length === 0 ? 'the cheapest that meets' : 'meets';
  const confidence = `${confidenceText(solution)} confidence`;
  const { figure } = objectives[0]!;
  return [
    paint.good(
      `Take ${named(solution, point)}: ${undecided.length === 0 ? 'it is ' : 'it '}${cheapest} ` +
        `the constraints, with ${confidence}; ${figure} ${costText(solution, point)}.`,
    ),
    ...solution.constraints.map((text, index) => {
      const { held, share } = point.constraints[index]!;
      const low = share === null ? NOTHING : percentDown(share[0]);
      return `  ${text}: held in ${held} of ${point.seeds}; of all seeds in ${low} at least.`;
    }),
    ...runnerUpSentence(solution),
    ...solution.asCheap.map((number) => {
      const other = pointOf(solution, number);
      return `As cheap within chance, and meets them too: ${named(solution, other)}.`;
    }),
    ...undecidedSentences(solution),
    `Its first seed alone: ${point.command}`,
  ];
}

function runnerUpSentence(solution: Solution): string[] {
  const { runnerUp, margin, objectives, points } = solution;
  if (runnerUp === null) {
    return points[0]!.point === solution.point ? ['No point is cheaper.'] : [];
  }
  const point = pointOf(solution, runnerUp);
  const { figure, unit, goal } = objectives[0]!;
  const much =
    margin === null
      ? ''
      : `, ${spreadText(Math.abs(margin.mean), unit)} ${goal === 'minimise' ? 'less' : 'more'}` +
        rangeText(solution);
  return [
    `Next cheaper is ${named(solution, point)}, ${figure} ${costText(solution, point)}${much}; ` +
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
  const worst = point.constraints
    .map((each, index) => ({ ...each, text: constraints[index]! }))
    .reduce((least, each) => (each.held < least.held ? each : least));
  const high = worst.share === null ? NOTHING : percentUp(worst.share[1]);
  const of = `held in ${worst.held} of ${point.seeds}, of all seeds in ${high} at most`;
  return constraints.length === 1 ? of : `${worst.text} ${of}`;
}

function nearestSentence(solution: Solution): string[] {
  const worst = (point: PointSolved) =>
    Math.min(...point.constraints.map(({ held }) => held / point.seeds));
  const nearest = solution.points.reduce((best, each) => (worst(each) > worst(best) ? each : best));
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
    const may = isFound ? ', which may cost less' : `, ${solution.objectives[0]!.figure}`;
    const costs = isFound ? '' : ` ${costText(solution, point)}`;
    return `Not decided: ${named(solution, point)}${may}${costs}: ${held.join(', ')}.`;
  });
  const isSpent = solution.undecided.some(
    (number) => pointOf(solution, number).seeds === solution.atMost,
  );
  const more = 2 * solution.atMost;
  return isSpent ? [...said, `--at-most ${more} goes on with the runs that are there.`] : said;
}

function warningsOf(solution: Solution): string[] {
  const { points, constraints, objectives } = solution;
  return points
    .slice(0, POINTS_SHOWN)
    .flatMap((point) => [
      ...point.constraints.flatMap(({ unmeasured }, index) =>
        unmeasured === 0
          ? []
          : [
              `point ${point.point}: the figure of "${constraints[index]!}" was not measured in ` +
                `${unmeasured} of ${point.seeds} seeds, and so does not hold there.`,
            ],
      ),
      ...point.objectives.flatMap(({ measured }, index) =>
        measured === point.seeds || solution.verdict === 'unmeasured'
          ? []
          : [
              `point ${point.point}: ${objectives[index]!.figure} was measured in ${measured} of ` +
                `${point.seeds} seeds; its mean is of these alone.`,
            ],
      ),
    ]);
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
