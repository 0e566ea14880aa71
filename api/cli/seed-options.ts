/** `--seeds` and `--workers`, and what does not go with them. */
import { availableParallelism } from 'node:os';
import { duration } from '../../reports/text/format.ts';
import { quote } from '../../scenarios/language/complaint.ts';
import { readSeeds, replicateSeed, SEEDS_MAX } from '../../scenarios/study/seeds.ts';
import { InputError } from './exit.ts';
import type { RunOptions } from './run-options.ts';
import { whole } from './words.ts';

const THREADS_MAX = 256;

/** They follow one world, or need one after the other. */
const OF_ONE_WORLD = {
  trace: 'trace',
  traceKeys: 'trace-keys',
  logs: 'logs',
  deliveries: 'deliveries',
  pcap: 'pcap',
  watch: 'watch',
  snapshotAt: 'snapshot-at',
} as const satisfies { [Option in keyof RunOptions]?: string };

export function refuseWhatFollowsOneWorld(options: RunOptions): void {
  const given = Object.entries(OF_ONE_WORLD).filter(([option]) => {
    const value = options[option as keyof typeof OF_ONE_WORLD];
    return value !== undefined && value !== false;
  });
  if (given.length === 0) return;
  throw new InputError(
    given.map(([, name]) => {
      const what = `--${name} follows one world, and --seeds runs many`;
      return `fleetwave run: ${what}; one alone: fleetwave run FILE --seed SEED --${name}`;
    }),
  );
}

/** All cores when it is not said. */
export function workersOf({ workers }: Pick<RunOptions, 'workers'>, command = 'run'): number {
  if (workers === undefined) return availableParallelism();
  const faults: string[] = [];
  const count = whole('--workers', workers, 1, THREADS_MAX, faults);
  if (faults.length > 0)
    throw new InputError(faults.map((fault) => `fleetwave ${command}: ${fault}`));
  return count;
}

/** What a thread has to do at least, CPU s: each one compiles and warms up for itself. */
const WORTH_A_THREAD_S = 10;

/** Threads for worlds with these CPU seconds in total, unless the user gives a number; ≥ 1. */
export const threadsWorth = (cpuSeconds: number, cores = availableParallelism()): number =>
  Math.max(1, Math.min(cores, Math.floor(cpuSeconds / WORTH_A_THREAD_S)));

export interface SeedsCost {
  readonly secondsEach: number;
  readonly workers: number;
}

const ALLOWED =
  `how many (1 to ${SEEDS_MAX}), a range (1..20), or at least two that differ ` + '(a,b,c)';

/** `root` is the seed that those of a count are made of. */
export function seedsOf(options: RunOptions, root: string, cost: SeedsCost): readonly string[] {
  const word = options.seeds ?? '';
  const asked = readSeeds(word);
  if (asked === undefined) refuse(`--seeds ${quote(word)} is not right; allowed: ${ALLOWED}`);
  if (asked.kind === 'listed') {
    if (options.seed !== undefined) refuse('--seed does not go with a list of seeds, which it is');
    const wrong = asked.seeds.find((seed) => seed.length > SEED_LETTERS || /[\r\n]/.test(seed));
    if (wrong === undefined) return asked.seeds;
    return refuse(`--seeds has a seed that is too long; allowed: ${SEED_LETTERS} characters each`);
  }
  const { count } = asked;
  if (count < 1 || count > SEEDS_MAX) refuse(tooMany(word, count, cost));
  const letters = SEED_LETTERS - replicateSeed('', SEEDS_MAX).length;
  if (count > 1 && root.length > letters) {
    refuse(`the seed is too long for --seeds; allowed: 1 to ${letters} characters`);
  }
  return Array.from({ length: count }, (_, at) => replicateSeed(root, at + 1));
}

/** As `--seed` takes them. */
const SEED_LETTERS = 200;

function tooMany(word: string, count: number, { secondsEach, workers }: SeedsCost): string {
  const wrong = `--seeds ${quote(word)} is not right; allowed: ${ALLOWED}`;
  if (count < 1) return wrong;
  const threads = workers === 1 ? 'one thread' : `${workers} threads`;
  const takes = duration((count * secondsEach) / workers);
  return `${wrong}; these worlds would take about ${takes} on ${threads}`;
}

function refuse(fault: string): never {
  throw new InputError([`fleetwave run: ${fault}`]);
}
