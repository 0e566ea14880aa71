/**
 * The search for the cheapest point that meets all constraints: which runs it wants next, or its
 * verdict. It begins anew each time it is asked, from plan, rule and what has landed, and asks for
 * runs round by round; so the result does not depend on who ran what, in which order.
 */
import { pairedDifference } from '../../reports/statistics/intervals.ts';
import { judgeShare } from '../../reports/statistics/sequential.ts';
import { mean } from '../../reports/statistics.ts';
import { judgeBy } from '../expectations/expectations.ts';
import type { StudyPlan } from './plan.ts';
import { type Asked, type Chunk, cut, type FiguresOf, type Run, runsOf } from './rounds.ts';
import { looksToAccept, type SolvingRule } from './solving-rule.ts';
import type { Objective } from './study-schema.ts';

/** What is known of a point: it meets all constraints, fails one, or neither is shown. */
export type Standing = 'meets' | 'fails' | 'open';

export interface PointSearched {
  readonly standing: Standing;
  readonly rounds: number;
  readonly seeds: number;
  /** Of each constraint: seeds in which it holds, and in which its figure was not measured. */
  readonly held: readonly number[];
  readonly unmeasured: readonly number[];
  /** Worlds that broke, which hold nothing. */
  readonly broken: number;
  /** Of each objective its values, by seed; null: not measured. */
  readonly values: readonly (readonly (number | null)[])[];
}

export type SolvingVerdict =
  /** Others may cost no more: they meet the constraints, too, or that is not decided. */
  | {
      readonly kind: 'found';
      readonly point: number;
      readonly asGood: readonly number[];
      readonly undecided: readonly number[];
    }
  /** Every point fails. */
  | { readonly kind: 'none' }
  /** The objective was measured nowhere in the first round, and some point may be right. */
  | { readonly kind: 'unmeasured' }
  /** None is accepted, and these are not rejected after the most seeds. */
  | { readonly kind: 'undecided'; readonly undecided: readonly number[] };

export interface Solving extends Asked {
  readonly points: readonly PointSearched[];
  /** Points from 0, cheapest first; empty before the first round is whole. */
  readonly order: readonly number[];
  /** Undefined: it wants runs. */
  readonly verdict: SolvingVerdict | undefined;
}

export function solvingOf(plan: StudyPlan, rule: SolvingRule, figuresOf: FiguresOf): Solving {
  const search = new Search(plan, rule, figuresOf);
  const verdict = search.verdict();
  const { points, order, chunks } = search;
  const settled = plan.points.map(() => null);
  return { chunks, settled, complete: verdict !== undefined, points, order, verdict };
}

interface Tally extends PointSearched {
  standing: Standing;
  rounds: number;
  seeds: number;
  broken: number;
  readonly held: number[];
  readonly unmeasured: number[];
  readonly values: readonly (number | null)[][];
}

class Search {
  readonly #plan: StudyPlan;
  readonly #rule: SolvingRule;
  readonly #figuresOf: FiguresOf;
  readonly points: readonly Tally[];
  readonly chunks: Chunk[] = [];
  order: readonly number[] = [];

  constructor(plan: StudyPlan, rule: SolvingRule, figuresOf: FiguresOf) {
    this.#plan = plan;
    this.#rule = rule;
    this.#figuresOf = figuresOf;
    this.points = plan.points.map(
      (): Tally => ({
        standing: 'open',
        rounds: 0,
        seeds: 0,
        broken: 0,
        held: rule.constraints.map(() => 0),
        unmeasured: rule.constraints.map(() => 0),
        values: plan.objectives.map(() => []),
      }),
    );
  }

  /** Undefined where a run is missing. */
  verdict(): SolvingVerdict | undefined {
    const all = this.points.map((_, at) => at);
    if (!this.#round(all)) return undefined;
    this.order = this.#ordered(all);
    const isMeasured = this.points.some(({ values: [first = []] }) => meanMeasured(first) !== null);
    const isHopeless = this.points.every(({ standing }) => standing === 'fails');
    if (!isMeasured && !isHopeless) return { kind: 'unmeasured' };
    for (;;) {
      const best = this.#best();
      const next = this.order.find((at) =>
        best === undefined ? this.#isUndecided(at) : this.#contends(at, best),
      );
      if (next === undefined) return this.#concluded(best);
      if (!this.#round([next])) return undefined;
    }
  }

  /** One more round of these points, which have had as many; false where a run is missing. */
  #round(points: readonly number[]): boolean {
    const { ends } = this.#rule;
    const { rounds, seeds } = this.points[points[0]!]!;
    const runs = runsOf(this.#plan, seeds + 1, ends[rounds]!, points);
    cut(runs, this.#plan.chunkRuns, this.chunks);
    let isWhole = true;
    for (const run of runs) {
      const figures = this.#figuresOf(run);
      if (figures === undefined) isWhole = false;
      else this.#count(run, figures);
    }
    if (!isWhole) return false;
    for (const at of points) {
      const point = this.points[at]!;
      point.rounds++;
      point.standing = standingOf(point, this.#rule);
    }
    return true;
  }

  #count({ point: at }: Run, figures: Exclude<ReturnType<FiguresOf>, undefined>): void {
    const point = this.points[at]!;
    const { constraints } = this.#rule;
    point.seeds++;
    if (figures === 'broken') {
      point.broken++;
      for (const values of point.values) values.push(null);
      return;
    }
    const verdicts = judgeBy(
      constraints.map(({ expectation }) => expectation),
      (name) => figures[name] ?? Number.NaN,
    );
    for (const [index, { holds, actual }] of verdicts.entries()) {
      if (holds) point.held[index]!++;
      if (Number.isNaN(actual)) point.unmeasured[index]!++;
    }
    for (const [index, { figure }] of this.#plan.objectives.entries()) {
      point.values[index]!.push(figures[figure] ?? null);
    }
  }

  /** By what the first round costs, which all have with the same luck; as designed where equal. */
  #ordered(all: readonly number[]): readonly number[] {
    const { objectives } = this.#plan;
    const costs = this.points.map(({ values }) =>
      values.map((each, index) => cost(meanMeasured(each), objectives[index]!)),
    );
    return all.toSorted((a, b) => {
      for (const [index, own] of costs[a]!.entries()) {
        const other = costs[b]![index]!;
        if (own !== other) return own < other ? -1 : 1;
      }
      return a - b;
    });
  }

  /** Neither shown to meet nor to fail, and there are seeds left. */
  #isUndecided(at: number): boolean {
    const { standing, rounds } = this.points[at]!;
    return standing === 'open' && rounds < this.#rule.ends.length;
  }

  /**
   * Whether it may be as cheap as the best, and has not had its seeds: those of the best, and of a
   * point that came before it all that there may be.
   */
  #contends(at: number, best: number): boolean {
    const { standing, rounds } = this.points[at]!;
    const isBefore = this.order.indexOf(at) < this.order.indexOf(best);
    const most = isBefore ? this.#rule.ends.length : this.points[best]!.rounds;
    return standing === 'open' && rounds < most && !this.#isDearer(at, best);
  }

  /** Over pairs of seeds, beyond chance; what costs the same comes as designed. */
  #isDearer(at: number, best: number): boolean {
    const { pairs, mean: more, byChance } = this.#difference(best, at);
    if (pairs === 0) return false;
    if (more === 0 && byChance === 1) return this.order.indexOf(at) > this.order.indexOf(best);
    return more > 0 && byChance <= 1 - this.#rule.toAccept;
  }

  /** What the second costs more than the first, over the seeds that both have. */
  #difference(first: number, second: number) {
    return costDifference(this.points[first]!, this.points[second]!, this.#plan.objectives[0]!);
  }

  #best(): number | undefined {
    const accepted = this.order.filter((at) => this.points[at]!.standing === 'meets');
    if (accepted.length === 0) return undefined;
    return accepted.reduce((best, at) => (this.#difference(best, at).mean < 0 ? at : best));
  }

  #concluded(best: number | undefined): SolvingVerdict {
    const of = (standing: Standing) =>
      this.order.filter((at) => at !== best && this.points[at]!.standing === standing);
    const open = of('open');
    if (best === undefined) {
      return open.length === 0 ? { kind: 'none' } : { kind: 'undecided', undecided: open };
    }
    const rivals = (points: readonly number[]) => points.filter((at) => !this.#isDearer(at, best));
    return { kind: 'found', point: best, asGood: rivals(of('meets')), undecided: rivals(open) };
  }
}

function standingOf({ held, seeds, rounds }: Tally, rule: SolvingRule): Standing {
  const { constraints, toAccept, toReject } = rule;
  const judged = (index: number, look: number, confidence: number) =>
    judgeShare({ held: held[index]!, seeds, look, share: constraints[index]!.share, confidence });
  const places = [...constraints.keys()];
  if (places.some((index) => judged(index, rounds, toReject) === 'reject')) return 'fails';
  const look = looksToAccept(rule, rounds);
  const isShown = (index: number) => judged(index, look, toAccept) === 'accept';
  return look > 0 && places.every(isShown) ? 'meets' : 'open';
}

export function meanMeasured(values: readonly (number | null)[]): number | null {
  const measured = values.filter((value) => value !== null);
  return measured.length === 0 ? null : mean(measured);
}

/** What was never measured comes last. */
const cost = (value: number | null, { goal }: Objective): number => {
  if (value === null) return Number.POSITIVE_INFINITY;
  return goal === 'minimise' ? value : -value;
};

/** Of the first objective, over the seeds of both in which it was measured. */
export function costDifference(first: PointSearched, second: PointSearched, objective: Objective) {
  const [ofFirst = [], ofSecond = []] = [first.values[0], second.values[0]];
  const pairs = ofFirst.flatMap((one, at) => {
    const other = ofSecond[at] ?? null;
    return one === null || other === null ? [] : [[cost(one, objective), cost(other, objective)]];
  });
  return pairedDifference(
    pairs.map(([one]) => one!),
    pairs.map(([, other]) => other!),
  );
}
