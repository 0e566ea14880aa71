/** Pareto fronts: what no other choice beats in one objective without losing in another. */
import { assert } from '../../sim/base/assert.ts';

export type Goal = 'minimise' | 'maximise';

/**
 * Indices, ascending, of the points that none dominates. Rows = points, columns = objectives, a
 * goal each; any numbers, infinities too. A point dominates another where it is nowhere worse and
 * somewhere better: points that are equal in all objectives stand or fall together. The time goes
 * with n log n for up to three objectives (Kung, Luccio and Preparata, Journal of the ACM 22,
 * 1975), and with points times front for more.
 */
export function paretoFront(
  points: readonly (readonly number[])[],
  goals: readonly Goal[],
): number[] {
  assert(goals.length >= 1, 'a front has an objective');
  const costs = points.map((point) => costsOf(point, goals));
  const order = costs.map((_, at) => at).sort((a, b) => inOrder(costs[a]!, costs[b]!) || a - b);
  // Anyone who dominates a point stands before it, so what comes is compared with the front alone.
  const front: number[] = [];
  const soFar = goals.length <= 3 ? new Staircase() : new Pile();
  for (const at of order) {
    const point = costs[at]!;
    const last = front.at(-1);
    const isEqual = last !== undefined && inOrder(costs[last]!, point) === 0;
    if (!isEqual && soFar.dominates(point)) continue;
    front.push(at);
    if (!isEqual) soFar.add(point);
  }
  return front.sort((a, b) => a - b);
}

/** What is to be small, of each objective; of one or two objectives there are others that are 0. */
function costsOf(point: readonly number[], goals: readonly Goal[]): Float64Array {
  assert(point.length === goals.length, 'a point has a value of each objective');
  const costs = new Float64Array(Math.max(3, goals.length));
  for (const [at, value] of point.entries()) {
    assert(!Number.isNaN(value), 'what is compared is a number');
    costs[at] = goals[at] === 'minimise' ? value : -value;
  }
  return costs;
}

function inOrder(one: Float64Array, other: Float64Array): number {
  for (let at = 0; at < one.length; at++) {
    if (one[at]! < other[at]!) return -1;
    if (one[at]! > other[at]!) return 1;
  }
  return 0;
}

/** The front of three objectives so far: points come in order of the first, none twice. */
class Staircase {
  /** Ascending. What is dominated in the second and third objective is left out. */
  readonly #seconds: number[] = [];
  /** Descending. */
  readonly #thirds: number[] = [];

  dominates(point: Float64Array): boolean {
    const step = this.#stepsBelow((second) => second <= point[1]!) - 1;
    return step >= 0 && this.#thirds[step]! <= point[2]!;
  }

  add(point: Float64Array): void {
    const at = this.#stepsBelow((second) => second < point[1]!);
    let until = at;
    while (until < this.#thirds.length && this.#thirds[until]! >= point[2]!) until++;
    this.#seconds.splice(at, until - at, point[1]!);
    this.#thirds.splice(at, until - at, point[2]!);
  }

  /** How many steps are below, which are the first ones. */
  #stepsBelow(isBelow: (second: number) => boolean): number {
    let low = 0;
    let high = this.#seconds.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBelow(this.#seconds[middle]!)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The front of any number of objectives so far. */
class Pile {
  readonly #points: Float64Array[] = [];

  dominates(point: Float64Array): boolean {
    return this.#points.some((one) => one.every((value, at) => value <= point[at]!));
  }

  add(point: Float64Array): void {
    this.#points.push(point);
  }
}
