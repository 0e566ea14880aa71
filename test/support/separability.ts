/** How well the time that two things take reports them apart. */

const ROUNDS = 5;
const SAMPLES = 1_000;
/** Nothing reports things apart that are this close. */
const CLOSE = 0.05;

/**
 * 0: not at all; 0.5: always. The distance of the rank statistic of Mann and Whitney from a half,
 * over samples in turn; the least of a few rounds, since a busy machine only adds to it.
 */
export async function separability(one: () => unknown, other: () => unknown): Promise<number> {
  let least = 0.5;
  for (let round = 0; round < ROUNDS && least > CLOSE; round++) {
    const [ones, others]: [number[], number[]] = [[], []];
    for (let i = 0; i < SAMPLES; i++) {
      const isFirst = i % 2 === 0;
      if (isFirst) ones.push(await timeOf(one));
      others.push(await timeOf(other));
      if (!isFirst) ones.push(await timeOf(one));
    }
    least = Math.min(least, Math.abs(shareBelow(ones, others) - 0.5));
  }
  return least;
}

async function timeOf(act: () => unknown): Promise<number> {
  const start = process.hrtime.bigint();
  await act();
  return Number(process.hrtime.bigint() - start);
}

/** Of all pairs, the share in which the first is the smaller one; half of those that are equal. */
function shareBelow(ones: readonly number[], others: readonly number[]): number {
  const sorted = [...others].sort((a, b) => a - b);
  const countOf = (isCounted: (each: number) => boolean) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isCounted(sorted[middle]!)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const pairs = ones.map((value) => {
    const less = countOf((each) => each < value);
    const notMore = countOf((each) => each <= value);
    return sorted.length - notMore + (notMore - less) / 2;
  });
  return pairs.reduce((sum, each) => sum + each, 0) / (ones.length * sorted.length);
}
