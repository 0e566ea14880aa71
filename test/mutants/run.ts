/**
 * The mutation run: `npm run test:mutants`, or after `--` words: one of them is in the file, file,
 * sentence or law of each mutant to try. Two at a time, each in a copy of the project. First every
 * named test has to pass without a fault. Ends with 1 unless all are caught.
 */
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import type { Mutant } from './mutant.ts';
import { MUTANTS } from './mutants.ts';
import { timeOutMs, type Verdict, Workshop } from './workshop.ts';

const AT_ONCE = 2;
/** A test that passes has this long. */
const USUAL_LIMIT_MS = 300_000;
/** As much of what a survivor's test says as helps to see why. */
const OUTPUT_LINES = 30;

const SECOND_MS = 1000;
const seconds = (ms: number): string => `${(ms / SECOND_MS).toFixed(1)} s`;

/** Does all jobs, as many at once as there are workshops. */
async function share<Job>(
  workshops: readonly Workshop[],
  jobs: readonly Job[],
  work: (workshop: Workshop, job: Job) => Promise<void>,
): Promise<void> {
  const queue = [...jobs];
  const worker = async (workshop: Workshop): Promise<void> => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) await work(workshop, job);
  };
  await Promise.all(workshops.map(worker));
}

const testName = ({ test, title }: Pick<Mutant, 'test' | 'title'>): string =>
  title === undefined ? test : `${test}: ${title}`;

/** How long each test that passes takes without a fault, by its name, ms. */
async function usualTimes(
  workshops: readonly Workshop[],
  mutants: readonly Mutant[],
): Promise<Map<string, number>> {
  const tests = new Map(mutants.map((mutant) => [testName(mutant), mutant]));
  const took = new Map<string, number>();
  await share(workshops, [...tests], async (workshop, [name, mutant]) => {
    const { passed, failed, end, tookMs, output } = await workshop.run(mutant, USUAL_LIMIT_MS);
    const passes = passed > 0 && failed === 0 && end === 'counted';
    if (passes) took.set(name, tookMs);
    console.log(`${passes ? 'passes' : 'FAILS'} without a fault, ${seconds(tookMs)}: ${name}`);
    if (!passes) console.log(lastLines(output));
  });
  return took;
}

const lastLines = (output: string): string =>
  output.trimEnd().split('\n').slice(-OUTPUT_LINES).join('\n');

/** What became of a mutant. A law has to be among the complaints that the failed test compares. */
function fateOf({ law }: Mutant, { failed, end, output }: Verdict, limitMs: number): string {
  if (law !== undefined) {
    return output.includes(`"${law}": [`) ? `caught by ${law}` : `SURVIVED ${law}`;
  }
  if (end === 'time-out') return `caught by the time-out of ${seconds(limitMs)}`;
  if (end === 'crash') return 'caught by a crash';
  return failed > 0 ? 'caught' : 'SURVIVED';
}

async function main(words: readonly string[]): Promise<number> {
  const startedAtMs = performance.now();
  const isWanted = ({ file, what, law }: Mutant) =>
    words.length === 0 || words.some((word) => `${file} ${what} ${law}`.includes(word));
  const mutants = MUTANTS.filter(isWanted);
  if (mutants.length === 0) {
    console.error(`no mutant has one of these words: ${words.join(', ')}`);
    return 1;
  }
  const workshops = Array.from({ length: AT_ONCE }, () => new Workshop(process.cwd()));
  const table = new Table({
    head: ['file', 'fault', 'fate', 'time'],
    colWidths: [34, 60, 34, 9],
    wordWrap: true,
    style: { head: [], border: [] },
  });
  const missed: string[] = [];
  try {
    const usualMs = await usualTimes(workshops, mutants);
    await share(workshops, mutants, async (workshop, mutant) => {
      const usual = usualMs.get(testName(mutant));
      if (usual === undefined) {
        missed.push(mutant.what);
        table.push([mutant.file, mutant.what, 'NOT TRIED: its test fails', '']);
        return;
      }
      const limitMs = timeOutMs(usual);
      const verdict = await workshop.tryOut(mutant, limitMs);
      const fate = fateOf(mutant, verdict, limitMs);
      table.push([mutant.file, mutant.what, fate, seconds(verdict.tookMs)]);
      console.log(`${fate}: ${mutant.what}`);
      if (!fate.startsWith('SURVIVED')) return;
      missed.push(mutant.what);
      console.log(lastLines(verdict.output));
    });
  } finally {
    for (const workshop of workshops) workshop.close();
  }
  console.log(table.toString());
  const took = seconds(performance.now() - startedAtMs);
  console.log(`${mutants.length - missed.length} caught, ${missed.length} not, in ${took}`);
  return missed.length > 0 ? 1 : 0;
}

process.exitCode = await main(parseArgs({ allowPositionals: true }).positionals);
