/** Faults of studies: statistics, seeds, rows that are folded, threads. */
import type { Mutant } from './mutant.ts';

const INTERVALS = 'test/reports/statistics/intervals.test.ts';
const STUDY = 'test/reports/study/study.test.ts';
const WORKERS = 'test/workers/study-run.test.ts';
const ENGINE = 'test/engine/coordinator.test.ts';

export const STUDY_MUTANTS: readonly Mutant[] = [
  {
    what: 'Student’s t has a degree of freedom too many.',
    file: 'reports/statistics/intervals.ts',
    find: 'studentT(count - 1, confidence)',
    replace: 'studentT(count, confidence)',
    test: INTERVALS,
    title: 'is 10 ± 1.2416',
  },
  {
    what: 'The interval of a median is a rank too narrow.',
    file: 'reports/statistics/intervals.ts',
    find: 'high: count + 1 - above',
    replace: 'high: count - above',
    test: INTERVALS,
  },
  {
    what: 'Findings are judged one by one.',
    file: 'reports/statistics/intervals.ts',
    find: '(1 - confidence) / (order.length - step)',
    replace: '1 - confidence',
    test: INTERVALS,
    title: 'are judged as Holm has it',
  },
  {
    what: 'The continued fraction of the incomplete beta function has a sign wrong.',
    file: 'reports/statistics/distributions.ts',
    find: 'const odd = (-(a + m)',
    replace: 'const odd = ((a + m)',
    test: 'test/reports/statistics/distributions.test.ts',
  },
  {
    what: 'The first seed of a study is not the one that one knows.',
    file: 'scenarios/study/seeds.ts',
    find: 'replicate === 1 ? root',
    replace: 'replicate === 0 ? root',
    test: 'test/scenarios/study/seeds.test.ts',
    title: 'is the root’s own for the first one',
  },
  {
    what: 'The share of seeds is compared as a fraction that is rounded.',
    file: 'reports/study/study.ts',
    find: 'held * ALL_PPM >= seedsPpm * seeds',
    replace: 'held * ALL_PPM > seedsPpm * seeds',
    test: STUDY,
    title: 'holds at the boundary of its share',
  },
  {
    what: 'A seed that broke is left out of the share.',
    file: 'reports/study/study.ts',
    find: '{ length: seeds }: readonly SeedRow[],',
    replace: '{ length: _ }: readonly SeedRow[],\n  { length: seeds } = results,',
    test: STUDY,
    title: 'does not hold in a seed that broke',
  },
  {
    what: 'Studies are paired by the place of a row.',
    file: 'reports/study/differences.ts',
    find: 'const other = ofB.get(row.seed);',
    replace: 'const other = [...ofB.values()][a.indexOf(row)];',
    test: 'test/reports/study/differences.test.ts',
    title: 'are paired by seed',
  },
  {
    what: 'Rows are folded in the order in which they end.',
    file: 'api/cli/study.ts',
    find: 'places[at] = done;',
    replace: 'places.push(done);',
    test: 'test/e2e/studies.test.ts',
    title: 'gives the same files on one thread',
  },
  {
    what: 'A world that breaks breaks its study.',
    file: 'api/workers/task.ts',
    find: 'return { row: faultOf(seed, error) };',
    replace: 'throw error;',
    test: WORKERS,
    title: 'that break are rows with their error',
  },
  {
    what: 'Two workers that come to different rows of one chunk are not told.',
    file: 'api/engine/coordinator.ts',
    find: 'if (!differs) return;',
    replace: 'if (differs || !differs) return;',
    test: ENGINE,
    title: 'finds two workers that ran one chunk to different rows',
  },
  {
    what: 'A study that comes later is run before the one that came first.',
    file: 'api/engine/coordinator.ts',
    find: 'this.#turn = Math.max(this.#turn + 1, await this.#queue.turn());',
    replace: 'this.#turn += 1;',
    test: ENGINE,
    title: 'takes turns with another study',
  },
  {
    what: 'Redis may forget work for want of memory.',
    file: 'api/engine/address.ts',
    find: "if (policy === undefined || policy === 'noeviction') return;",
    replace: "if (policy !== 'noeviction') return;",
    test: 'test/engine/address.test.ts',
    title: 'that forgets what it has no room for is refused',
  },
  {
    what: 'A worker is made anew whenever it has nothing in hand.',
    file: 'api/engine/watchdog.ts',
    find: 'if (nowMs - this.#idleSinceMs < this.#afterMs) return;',
    replace: '',
    test: 'test/engine/watchdog.test.ts',
    title: 'is made anew when work waits',
  },
  {
    what: 'The math self-test does not see the last bits of what it looks at.',
    file: 'api/host/studies/math-hash.ts',
    find: 'bytes.writeDoubleLE(',
    replace: 'bytes.writeFloatLE(',
    test: 'test/host/math-hash.test.ts',
    title: 'differs when one value differs in its last bit',
  },
];
