/** The rows of a study that is solved, and what the search for the best point came to. */
import { createHash } from 'node:crypto';
import type {
  StudyLevel,
  StudyObjective,
  StudyParameter,
} from '../../../core/result/designed-study.ts';
import { meanInterval } from '../../../reports/statistics/intervals.ts';
import { exactProportionInterval } from '../../../reports/statistics/proportions.ts';
import { spentAt } from '../../../reports/statistics/sequential.ts';
import type { StudyPlan } from '../../../scenarios/study/plan.ts';
import {
  costDifference,
  meanMeasured,
  type PointSearched,
  type Solving,
  type SolvingVerdict,
  type Standing,
  solvingOf,
} from '../../../scenarios/study/solving.ts';
import { looksToAccept, type SolvingRule } from '../../../scenarios/study/solving-rule.ts';
import { assert } from '../../../sim/base/assert.ts';
import { planId } from './keys.ts';
import type { LandedRow } from './study-folder.ts';
import { commandOf, StudyRows } from './study-rows.ts';

/** Rows as any study has them; what is asked for is what the search wants. */
export class SolvingRows extends StudyRows {
  readonly rule: SolvingRule;

  constructor(plan: StudyPlan, build: string, landed: Map<string, LandedRow>, rule: SolvingRule) {
    super(plan, build, landed);
    this.rule = rule;
  }

  /** Its chunks are others than those of the whole study: they hold other runs. */
  override get chunkName(): string {
    const { confidence, atMost } = this.rule;
    const named = `${super.chunkName} solved ${confidence} ${atMost}`;
    return createHash('sha256').update(named).digest('hex').slice(0, 16);
  }

  override asked(): Solving {
    return solvingOf(this.plan, this.rule, (run) => {
      const row = this.of(run);
      return row === undefined ? undefined : (row.figures ?? 'broken');
    });
  }
}

/** A constraint at a point. */
export interface ConstraintSolved {
  /** Of all seeds that there are, the share that is asked for. */
  readonly needed: number;
  /** Seeds in which it holds, and in which its figure was not measured. */
  readonly held: number;
  readonly unmeasured: number;
  /** Of all seeds that there are, as the rule has it: a point is accepted by its lower end. */
  readonly share: readonly [low: number, high: number] | null;
}

export interface CostSolved {
  readonly measured: number;
  readonly mean: number | null;
  readonly meanInterval: readonly [low: number, high: number] | null;
}

export interface PointSolved {
  /** From 1, in the order of the design. */
  readonly point: number;
  readonly levels: readonly StudyLevel[];
  readonly set: readonly string[];
  /** `worse`: it costs more than the one found beyond chance, and was not looked at further. */
  readonly standing: Standing | 'worse';
  readonly seeds: number;
  readonly broken: number;
  /** In the order of the study's own. */
  readonly constraints: readonly ConstraintSolved[];
  readonly objectives: readonly CostSolved[];
  readonly command: string;
}

/** `solution.json`. Points are named by their numbers, from 1. */
export interface Solution {
  readonly study: string;
  readonly scenario: string;
  readonly plan: string;
  /** SHA-256 over the rows of all runs that were asked for, the first 16 hexadecimal digits. */
  readonly digest: string;
  readonly confidence: number;
  readonly atMost: number;
  readonly verdict: SolvingVerdict['kind'];
  readonly point: number | null;
  /** The next better point, which fails; null: none was found, or no point is better. */
  readonly runnerUp: number | null;
  /** What the one found costs more than that, over pairs of seeds; null: it was not measured. */
  readonly margin: {
    readonly mean: number;
    readonly interval: readonly [low: number, high: number] | null;
  } | null;
  /** They may be as good as the one found: they meet the constraints, or it is open. */
  readonly asGood: readonly number[];
  readonly undecided: readonly number[];
  readonly runs: number;
  /** All points with as many seeds as the one that had most. */
  readonly gridRuns: number;
  readonly parameters: readonly StudyParameter[];
  readonly constraints: readonly string[];
  readonly objectives: readonly StudyObjective[];
  /** The best first. */
  readonly points: readonly PointSolved[];
}

export function solutionOf(rows: SolvingRows): Solution {
  const { plan, rule } = rows;
  const solving = rows.asked();
  const { verdict, points, order, chunks } = solving;
  assert(verdict !== undefined, 'a solution is of a search that has ended');
  const found = verdict.kind === 'found' ? verdict.point : undefined;
  const runnerUp =
    found === undefined
      ? undefined
      : order.slice(0, order.indexOf(found)).findLast((at) => points[at]!.standing === 'fails');
  const units = new Map(plan.kept.map(({ name, unit }) => [name, unit]));
  const numbers = (places: readonly number[] = []) => places.map((at) => at + 1);
  return {
    study: plan.study,
    scenario: plan.scenario,
    plan: planId(plan),
    digest: digestOf(rows, solving),
    confidence: rule.confidence,
    atMost: rule.atMost,
    verdict: verdict.kind,
    point: found === undefined ? null : found + 1,
    runnerUp: runnerUp === undefined ? null : runnerUp + 1,
    margin:
      found === undefined || runnerUp === undefined
        ? null
        : marginOf(points[runnerUp]!, points[found]!, plan),
    asGood: numbers(verdict.kind === 'found' ? verdict.asGood : []),
    undecided: numbers('undecided' in verdict ? verdict.undecided : []),
    runs: chunks.reduce((sum, { runs }) => sum + runs.length, 0),
    gridRuns: points.length * Math.max(...points.map(({ seeds }) => seeds)),
    parameters: plan.parameters,
    constraints: plan.constraints,
    objectives: plan.objectives.map((each) => {
      return { ...each, unit: units.get(each.figure) ?? null };
    }),
    points: order.map((at) => {
      const { levels, set } = plan.points[at]!;
      const standing = standingIn(verdict, points[at]!, at);
      const command = commandOf(plan, set);
      return { point: at + 1, levels, set, standing, ...solved(points[at]!, rule), command };
    }),
  };
}

function standingIn(
  verdict: SolvingVerdict,
  { standing }: PointSearched,
  at: number,
): PointSolved['standing'] {
  const isLeft = standing === 'open' && verdict.kind === 'found';
  return isLeft && !verdict.undecided.includes(at) ? 'worse' : standing;
}

function solved(searched: PointSearched, rule: SolvingRule) {
  const { seeds, broken, held, unmeasured, values, rounds } = searched;
  const toAccept = spentAt(Math.max(1, looksToAccept(rule, rounds)), rule.toAccept);
  const toReject = spentAt(rounds, rule.toReject);
  const bounds = (part: number): readonly [number, number] | null => {
    const low = exactProportionInterval(part, seeds, 1 - 2 * toAccept)?.low;
    const high = exactProportionInterval(part, seeds, 1 - 2 * toReject)?.high;
    return low === undefined || high === undefined ? null : [low, high];
  };
  return {
    seeds,
    broken,
    constraints: held.map((part, index): ConstraintSolved => {
      const needed = rule.constraints[index]!.share;
      return { needed, held: part, unmeasured: unmeasured[index]!, share: bounds(part) };
    }),
    objectives: values.map((each): CostSolved => {
      const measured = each.filter((value) => value !== null);
      const around = meanInterval(measured);
      return {
        measured: measured.length,
        mean: meanMeasured(each),
        meanInterval: around === undefined ? null : [around.low, around.high],
      };
    }),
  };
}

function marginOf(better: PointSearched, found: PointSearched, plan: StudyPlan) {
  const { pairs, mean, interval } = costDifference(better, found, plan.objectives[0]!);
  if (pairs === 0) return null;
  return {
    mean,
    interval: interval === undefined ? null : ([interval.low, interval.high] as const),
  };
}

function digestOf(rows: SolvingRows, solving: Solving): string {
  const digest = createHash('sha256');
  for (const { run, row } of rows.all(solving)) {
    digest.update(`${run.row} ${JSON.stringify(row)}\n`);
  }
  return digest.digest('hex').slice(0, 16);
}
