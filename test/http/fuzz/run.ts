/**
 * The long fuzz of the HTTP door: `npm run test:fuzz`. FLEETWAVE_CASES says how many cases, all
 * operations together, FLEETWAVE_SEED which. Prints totals by operation and status, and what memory
 * was left with each world. Ends with 1 where a law did not hold.
 */
import Table from 'cli-table3';
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
const table = new Table({ head: ['operation', ...statuses.map(String)], style: { head: [] } });
for (const [id, totals] of fuzz.totals) {
  table.push([id, ...statuses.map((status) => String(totals.get(status) ?? ''))]);
}
const sums = statuses.map((status) =>
  String([...fuzz.totals.values()].reduce((sum, one) => sum + (one.get(status) ?? 0), 0)),
);
table.push(['all', ...sums]);
console.log(table.toString());
const heap = memory.map((mib) => mib.toFixed(0));
console.log(
  `${fuzz.cases} cases in ${seconds.toFixed(0)} s; heap between worlds, MiB: ${heap.join(' ')}`,
);
console.log(`RSS ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MiB`);
for (const words of faults.slice(0, SHOWN_FAULTS)) console.log(`\n${words}`);
console.log(faults.length === 0 ? 'All laws hold.' : `\n${faults.length} faults.`);
process.exitCode = faults.length === 0 ? 0 : 1;
