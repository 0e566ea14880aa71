/**
 * The long fuzz of the HTTP entry point: `npm run test:fuzz`. FLEETWAVE_CASES says how many cases,
 * all operations together, FLEETWAVE_SEED which. Prints totals by operation and status, and what
 * memory was left with each world. Ends with 1 where a law did not hold.
 */
import { countFrom } from '../../support/property-runs.ts';
import { chooseSeed } from '../../support/seed.ts';
import { Fuzz } from './fuzz.ts';

const SHOWN_FAULTS = 20;
/** Cases of one operation in a row. */
const AT_ONCE = 100;

const cases = countFrom('FLEETWAVE_CASES', process.env.FLEETWAVE_CASES, 100_000);
const seed = chooseSeed(process.env.FLEETWAVE_SEED);

const faults: string[] = [];
const fuzz = new Fuzz((words) => faults.push(words));
const operations = (await fuzz.operations()).map(({ id }) => id);
console.log(`seed ${seed} (FLEETWAVE_SEED), ${cases} cases of ${operations.length} operations`);

const rounds = Math.ceil(cases / (operations.length * AT_ONCE));
const share = Math.ceil(cases / (operations.length * rounds));
const began = performance.now();
const memory: number[] = [];
for (let round = 0; round < rounds; round++) {
  for (const id of operations) await fuzz.run(id, share, seed + round);
  await fuzz.close();
  (globalThis as { gc?: () => void }).gc?.();
  memory.push(process.memoryUsage().heapUsed / 2 ** 20);
}
const seconds = (performance.now() - began) / 1000;

const statuses = [...new Set([...fuzz.totals.values()].flatMap((one) => [...one.keys()]))].sort();
const rowOf = (name: string, totals: ReadonlyMap<number, number>): string =>
  [name.padEnd(30), ...statuses.map((each) => `${totals.get(each) ?? '-'}`.padStart(6))].join('');
const all = new Map(
  statuses.map((each) => [
    each,
    [...fuzz.totals.values()].reduce((sum, one) => sum + (one.get(each) ?? 0), 0),
  ]),
);
console.log(rowOf('operation', new Map(statuses.map((each) => [each, each]))));
for (const [id, totals] of fuzz.totals) console.log(rowOf(id, totals));
console.log(rowOf('all', all));
const heap = memory.map((mib) => mib.toFixed(0));
console.log(
  `${fuzz.cases} cases in ${seconds.toFixed(0)} s; heap between worlds, MiB: ${heap.join(' ')}`,
);
console.log(`RSS ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MiB`);
const kinds = new Map<string, string[]>();
for (const words of faults) {
  // Operation and law.
  const kind = words.split('\n')[0]!.replaceAll(/ \d+ \(.*?\)|[\d'"].*/g, '');
  kinds.set(kind, [...(kinds.get(kind) ?? []), words]);
}
for (const [, all] of [...kinds].slice(0, SHOWN_FAULTS)) console.log(`\n${all.length} × ${all[0]}`);
console.log(faults.length === 0 ? 'All laws hold.' : `\n${faults.length} faults.`);
process.exitCode = faults.length === 0 ? 0 : 1;
