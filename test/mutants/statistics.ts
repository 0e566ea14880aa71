/** Faults of designs, sensitivity, curves, fronts and rules of stopping. */
import type { Mutant } from './mutant.ts';

const DESIGNS = 'test/scenarios/study/designs';
const STATISTICS = 'test/reports/statistics';
const SOBOL = `${DESIGNS}/sobol-sequence.test.ts`;
const INDICES = `${STATISTICS}/sobol-indices.test.ts`;
const CURVES = `${STATISTICS}/response-curve.test.ts`;
const SEQUENTIAL = `${STATISTICS}/sequential.test.ts`;

const DESIGN_MUTANTS: readonly Mutant[] = [
  {
    what: 'The first parameter of a grid moves fastest.',
    file: 'scenarios/study/designs/grid.ts',
    find: '[...row, level]',
    replace: '[level, ...row]',
    test: `${DESIGNS}/grid.test.ts`,
  },
  {
    what: 'The base stands once more with each parameter.',
    file: 'scenarios/study/designs/one-at-a-time.ts',
    find: 'level !== base[parameter]',
    replace: 'level >= 0 * base[parameter]!',
    test: `${DESIGNS}/one-at-a-time.test.ts`,
  },
  {
    what: 'A column of a Latin hypercube draws its strata with replacement.',
    file: 'scenarios/study/designs/latin-hypercube.ts',
    find: 'values[other] = value;',
    replace: '',
    test: `${DESIGNS}/latin-hypercube.test.ts`,
    title: 'has one value in each stratum',
  },
  {
    what: 'All columns of a Latin hypercube are the same.',
    file: 'scenarios/study/designs/latin-hypercube.ts',
    find: 'length: dimensions }, (_, dimension) =>',
    replace: 'length: dimensions }, (_, __, dimension = 0) =>',
    test: `${DESIGNS}/latin-hypercube.test.ts`,
    title: 'have nothing in common',
  },
  {
    what: 'The Latin hypercube with the nearest neighbours is taken.',
    file: 'scenarios/study/designs/latin-hypercube.ts',
    find: 'if (distance <= farthest) continue;',
    replace: 'if (distance >= farthest) continue;',
    test: `${DESIGNS}/latin-hypercube.test.ts`,
    title: 'farther apart than those of most draws',
  },
  {
    what: 'A direction number has a digit wrong.',
    file: 'scenarios/study/designs/direction-numbers.ts',
    find: 'm: [1, 3, 5, 15, 31, 59, 63, 97]',
    replace: 'm: [1, 3, 5, 15, 31, 59, 63, 96]',
    test: SOBOL,
  },
  {
    what: 'A polynomial of Sobol’s sequence is not primitive.',
    file: 'scenarios/study/designs/direction-numbers.ts',
    find: '{ a: 13, m: [1, 1, 1, 15, 21, 21] }',
    replace: '{ a: 14, m: [1, 1, 1, 15, 21, 21] }',
    test: SOBOL,
    title: 'have the primitive polynomials in order',
  },
  {
    what: 'The coefficients of a polynomial are read from the other end.',
    file: 'scenarios/study/designs/sobol-sequence.ts',
    find: '(a >>> (degree - 1 - i)) & 1',
    replace: '(a >>> (i - 1)) & 1',
    test: SOBOL,
    title: 'fills any two dimensions evenly',
  },
  {
    what: 'A scramble is one shift for all points.',
    file: 'scenarios/study/designs/sobol-sequence.ts',
    find: 'node = node * 2 + bit;',
    replace: 'node = node * 2 + 1;',
    test: SOBOL,
    title: 'is the same bits for the same seed',
  },
  {
    what: 'Each bit of a point is turned by a draw of its own.',
    file: 'scenarios/study/designs/sobol-sequence.ts',
    find: 'draws(node) < 0',
    replace: 'draws(word + node) < 0',
    test: SOBOL,
    title: 'has one point in each elementary interval',
  },
  {
    what: 'A point of AB has its column from another row of B.',
    file: 'scenarios/study/designs/saltelli.ts',
    find: 'b[at]![column]!',
    replace: 'b[(at + 1) % base]![column]!',
    test: SOBOL,
    title: 'are A, B, and A with one column',
  },
];

const SENSITIVITY_MUTANTS: readonly Mutant[] = [
  {
    what: 'Draws of two names have much in common.',
    file: 'reports/statistics/draws.ts',
    find: 'entityKey(expandSeed(seed), name)',
    replace: "entityKey(expandSeed(seed), name.replace(/\\d/g, ''))",
    test: `${DESIGNS}/latin-hypercube.test.ts`,
    title: 'have nothing in common',
  },
  {
    what: 'First-order indices are those of the outputs at A.',
    file: 'reports/statistics/sobol-indices.ts',
    find: 'times[row]! * (b[row]! - centre) * step',
    replace: 'times[row]! * (a[row]! - centre) * step',
    test: INDICES,
    title: 'are those of the formulas',
  },
  {
    what: 'Total indices are twice as large.',
    file: 'reports/statistics/sobol-indices.ts',
    find: 'apart / (2 * rows)',
    replace: 'apart / rows',
    test: INDICES,
    title: 'Ishigami’s function',
  },
  {
    what: 'Each resample has the same rows.',
    file: 'reports/statistics/sobol-indices.ts',
    find: 'number * rows, rows',
    replace: '0, rows',
    test: INDICES,
    title: 'about 19 times in 20',
  },
  {
    what: 'The rest of a confidence is left on each side.',
    file: 'reports/statistics/sobol-indices.ts',
    find: '((1 - confidence) / 2)',
    replace: '(1 - confidence)',
    test: INDICES,
    title: 'about 19 times in 20',
  },
  {
    what: 'A row without an output is left out of its own block alone.',
    file: 'reports/statistics/sobol-indices.ts',
    find: 'blocks.map((block) => block.filter(isWhole)',
    replace: 'blocks.map((block) => block.filter((value) => value !== null)',
    test: INDICES,
    title: 'lose a row in all blocks',
  },
  {
    what: 'The interval of a swing knows nothing of the pairs that it was chosen from.',
    file: 'reports/statistics/one-at-a-time.ts',
    find: '1 - (1 - confidence) / pairs',
    replace: 'confidence',
    test: `${STATISTICS}/one-at-a-time.test.ts`,
    title: 'uncertain for all pairs',
  },
  {
    what: 'Variances of the two variants are not added.',
    file: 'reports/statistics/paired.ts',
    find: 'variance(first) + variance(second)',
    replace: '2 * variance(second)',
    test: `${STATISTICS}/paired.test.ts`,
    title: 'in place of both variances',
  },
];

const CHOICE_MUTANTS: readonly Mutant[] = [
  {
    what: 'Of points that are equal only one is on the front.',
    file: 'reports/statistics/pareto.ts',
    find: '!isEqual && soFar.dominates(point)',
    replace: 'soFar.dominates(point)',
    test: `${STATISTICS}/pareto.test.ts`,
    title: 'has all points that are equal',
  },
  {
    what: 'A step of the staircase that is dominated stays.',
    file: 'reports/statistics/pareto.ts',
    find: 'this.#thirds.splice(at, until - at, point[2]!);',
    replace: 'this.#thirds.splice(at, 0, point[2]!);',
    test: `${STATISTICS}/pareto.test.ts`,
    title: 'that of comparing all with all',
  },
  {
    what: 'A point that is as good in the second objective dominates nothing.',
    file: 'reports/statistics/pareto.ts',
    find: '(second) => second <= point[1]!',
    replace: '(second) => second < point[1]!',
    test: `${STATISTICS}/pareto.test.ts`,
  },
  {
    what: 'The edges of a crossing are those of the wrong sides of the band.',
    file: 'reports/statistics/response-curve.ts',
    find: 'outer.band.low > threshold ? LOW : HIGH',
    replace: 'outer.band.low > threshold ? HIGH : LOW',
    test: CURVES,
  },
  {
    what: 'A mean that is just the threshold is below it.',
    file: 'reports/statistics/response-curve.ts',
    find: 'const rises = right.mean >= threshold;',
    replace: 'const rises = right.mean > threshold;',
    test: CURVES,
    title: 'begins and ends to be at least the threshold',
  },
  {
    what: 'A curve is monotone where neighbours are.',
    file: 'reports/statistics/response-curve.ts',
    find: 'reached = Math.max(reached, band?.low ?? centre);',
    replace: 'reached = band?.low ?? centre;',
    test: CURVES,
    title: 'not where one far point is above',
  },
  {
    what: 'Pools of an isotonic fit are not looked at again.',
    file: 'reports/statistics/isotonic.ts',
    find: 'level(pool); last = pools.at(-1)) {',
    replace: 'level(pool); last = undefined) {',
    test: `${STATISTICS}/isotonic.test.ts`,
  },
  {
    what: 'Each look spends all that there is.',
    file: 'reports/statistics/sequential.ts',
    find: '(1 - confidence) / (look * (look + 1))',
    replace: '1 - confidence',
    test: SEQUENTIAL,
    title: 'is accepted wrongly by one in twenty',
  },
  {
    what: 'More than α is spent in the course of the looks.',
    file: 'reports/statistics/sequential.ts',
    find: '(1 - confidence) / (look * (look + 1))',
    replace: '(1 - confidence) / (look + 1)',
    test: SEQUENTIAL,
  },
  {
    what: 'A share is accepted by one seed too few.',
    file: 'reports/statistics/sequential.ts',
    find: 'atLeast(held, seeds, share) <= spent',
    replace: 'atLeast(held + 1, seeds, share) <= spent',
    test: SEQUENTIAL,
    title: 'is accepted from 72 seeds on',
  },
  {
    what: 'A few values that are near to each other are enough.',
    file: 'reports/statistics/sequential.ts',
    find: 'values.length >= fewest && ',
    replace: '',
    test: SEQUENTIAL,
    title: 'is never known well enough of fewer than 20',
  },
  {
    what: 'The exact bound of a proportion leaves the whole rest on one side.',
    file: 'reports/statistics/proportions.ts',
    find: 'const side = (1 - confidence) / 2;',
    replace: 'const side = 1 - confidence;',
    test: `${STATISTICS}/proportions.test.ts`,
  },
];

export const STATISTICS_MUTANTS: readonly Mutant[] = [
  ...DESIGN_MUTANTS,
  ...SENSITIVITY_MUTANTS,
  ...CHOICE_MUTANTS,
];
