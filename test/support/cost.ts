/**
 * What work costs, reported so that a slow or busy machine makes no test fail: as growth with the
 * size of the work, or in yards, a fixed piece of work that is measured in the same run. Absolute
 * times are compared with nothing but `HANG_MS`.
 */
import { readFileSync } from 'node:fs';

/** Who takes so long hangs, ms: 20 times at least what anything that is held to it takes. */
export const HANG_MS = 30_000;

/** Times below are not compared: a tick, a scavenge or a compiler decide them, ms. */
const LEAST_MS = 10;
/** The most that the kernel's account of a running thread is behind, ms: a tick of 100 Hz. */
const TICK_MS = 10;
/** How many times as large the large work is, and how much it may cost at most. */
const TIMES = 8;
const LIMIT = TIMES * Math.sqrt(TIMES);
/** Small work is compared warm; large work is repeated only while it looks too much. */
const TRIES = { small: 2, large: 4 };

// ── one piece of work ────────────────────────────────────────────────────────────────────────────

/** What work costs, ms. */
export function costMs(work: () => unknown): number {
  const cost = measure();
  work();
  return cost();
}

/** What work that is awaited costs, ms, where nothing else is done meanwhile. */
export async function awaitedCostMs(work: () => Promise<unknown>): Promise<number> {
  const cost = measure();
  await work();
  return cost();
}

/** The least cost of some tries, ms: what disturbs one is not counted. */
export const leastMs = (tries: number, work: (index: number) => unknown): number =>
  Math.min(...Array.from({ length: tries }, (_, index) => costMs(() => work(index))));

/** Measures this thread from now on: the time that passes, but for what it waits for a core. */
export function measure(): () => number {
  // The clock is outside: what is waited for while the account is read makes no cost less.
  const startMs = performance.now();
  const before = account();
  return () => {
    const after = account();
    const passedMs = performance.now() - startMs;
    if (before === undefined || after === undefined) return passedMs;
    const ranMs = after.ranMs - before.ranMs + TICK_MS;
    return Math.min(passedMs - (after.waitedMs - before.waitedMs), ranMs);
  };
}

/** What a thread has run and has waited for a core, ms. */
interface Account {
  readonly ranMs: number;
  readonly waitedMs: number;
}

/** Of this thread alone: `process.cpuUsage` also counts other workers, compilers and collectors. */
function account(): Account | undefined {
  try {
    const [ran, waited] = readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ');
    return { ranMs: Number(ran) / 1e6, waitedMs: Number(waited) / 1e6 };
  } catch {
    return undefined; // Only Linux has it. Elsewhere a cost is the time that passes.
  }
}

// ── growth ───────────────────────────────────────────────────────────────────────────────────────

/** Costs by what they are of, ms. */
export type Costs = Readonly<Record<string, number>>;

/**
 * What grows more than with the size of the work, with the growth; empty where all is well. Of work
 * that is 8 times as large, what is linear costs 8 times as much, what is quadratic 64 times: the
 * limit, 22, is as far from the one as from the other. `costsOf` gives what the parts of work of a
 * size cost; of each, the least of all tries counts.
 */
export async function overgrown(
  costsOf: (size: number) => Costs | Promise<Costs>,
  small: number,
): Promise<Costs> {
  const few: Record<string, number> = {};
  for (let i = 0; i < TRIES.small; i++) keepLeast(few, await costsOf(small));
  const many: Record<string, number> = {};
  let over: [name: string, growth: number][] = [];
  for (let i = 0; i < TRIES.large; i++) {
    keepLeast(many, await costsOf(TIMES * small));
    const growths = Object.entries(many).map(([name, ms]): [string, number] => [
      name,
      ms / Math.max(few[name] ?? 0, LEAST_MS),
    ]);
    over = growths.filter(([, growth]) => growth > LIMIT);
    if (over.length === 0) break;
  }
  return Object.fromEntries(over);
}

/** The same of work that has one part. */
export async function growsTooMuch(
  costOf: (size: number) => number | Promise<number>,
  small: number,
): Promise<boolean> {
  const over = await overgrown(async (size) => ({ all: await costOf(size) }), small);
  return 'all' in over;
}

function keepLeast(least: Record<string, number>, costs: Costs): void {
  for (const [name, ms] of Object.entries(costs)) {
    least[name] = Math.min(ms, least[name] ?? Number.POSITIVE_INFINITY);
  }
}

// ── yards ────────────────────────────────────────────────────────────────────────────────────────

/**
 * What work costs in yards: the least of some tries, each by the yards just before and after it. A
 * limit is ten times or more of what it usually takes.
 */
export function yards(work: (index: number) => unknown, tries = 3): number {
  yard(); // warms up
  let least = Number.POSITIVE_INFINITY;
  let before = costMs(yard);
  for (let i = 0; i < tries; i++) {
    const cost = costMs(() => work(i));
    const after = costMs(yard);
    least = Math.min(least, cost / Math.max(before, after));
    before = after;
  }
  return least;
}

/** What a yard costs here and now, ms: the least of some tries. */
export const yardMs = (): number => leastMs(5, yard);

/** Some 10 ms of what simulations do: maps of texts, small objects, whole numbers. */
function yard(): number {
  const found = new Map<string, { count: number }>();
  let state = 1;
  for (let i = 0; i < 200_000; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    const key = `k${state % 1_000}`;
    const one = found.get(key);
    if (one === undefined) found.set(key, { count: 1 });
    else one.count++;
  }
  return found.size;
}
