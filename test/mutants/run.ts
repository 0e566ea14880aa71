/**
 * The mutation run: `npm run test:mutants`, or after `--` words: one of them is in the file, file,
 * sentence or law of each mutant to try. Two at a time (`--at-once N`), each in a copy of the
 * project. A named test has to pass without a fault first. What `--results FILE` has as caught is
 * not tried again, so a run may be stopped and resumed. Ends with 1 unless all are caught.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { groupedBy } from '../../core/base/grouped.ts';
import type { Mutant } from './mutant.ts';
import { MUTANTS } from './mutants.ts';
import { timeOutMs, type Verdict, Workshop } from './workshop.ts';

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

const testName = ({ test, title, law }: Pick<Mutant, 'test' | 'title' | 'law'>): string =>
  `${test}${title === undefined ? '' : `: ${title}`}${law === undefined ? '' : ', the long run'}`;

/** How long the test takes without a fault, ms; undefined: it fails. */
async function usualTime(
  workshop: Workshop,
  name: string,
  mutant: Mutant,
): Promise<number | undefined> {
  const { passed, failed, end, tookMs, output } = await workshop.run(mutant, USUAL_LIMIT_MS);
  const passes = passed > 0 && failed === 0 && end === 'counted';
  console.log(`${passes ? 'passes' : 'FAILS'} without a fault, ${seconds(tookMs)}: ${name}`);
  if (!passes) console.log(lastLines(output));
  return passes ? tookMs : undefined;
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

/** What became of a mutant, as a line of the file of results. */
interface Outcome {
  readonly id: string;
  readonly fate: string;
  readonly tookMs: number;
}

const isCaught = (fate: string): boolean => fate.startsWith('caught');

/** The fault itself, so that a row which has changed is tried again. */
const idOf = ({ file, find, replace, test }: Mutant): string =>
  createHash('sha256')
    .update(JSON.stringify([file, find, replace, test]))
    .digest('hex');

/** What was caught in an earlier run that wrote to the same file, by id. */
function caughtBefore(results: string | undefined): Map<string, Outcome> {
  if (results === undefined || !existsSync(results)) return new Map();
  const lines = readFileSync(results, 'utf8').trimEnd().split('\n');
  const outcomes = lines.map((line) => JSON.parse(line) as Outcome);
  return new Map(outcomes.filter(({ fate }) => isCaught(fate)).map((one) => [one.id, one]));
}

async function tried(workshop: Workshop, mutant: Mutant, usualMs: number): Promise<Outcome> {
  const limitMs = timeOutMs(usualMs);
  let verdict = await workshop.tryOut(mutant, limitMs);
  let fate = fateOf(mutant, verdict, limitMs);
  if (!isCaught(fate) && mutant.law === undefined) {
    // A property may need more than the sample that `npm test` has of it.
    const whole = await workshop.run(mutant, USUAL_LIMIT_MS, true);
    if (whole.passed > 0 && whole.failed === 0) {
      verdict = await workshop.tryOut(mutant, timeOutMs(whole.tookMs), true);
      fate = fateOf(mutant, verdict, timeOutMs(whole.tookMs));
      if (isCaught(fate)) fate = `${fate} in the long run`;
    }
  }
  console.log(`${fate}: ${mutant.what}`);
  if (!isCaught(fate)) console.log(lastLines(verdict.output));
  return { id: idOf(mutant), fate, tookMs: verdict.tookMs };
}

/** Tries what `known` does not have, test by test, and adds it there and to the file. */
async function tryAll(
  mutants: readonly Mutant[],
  known: Map<string, Outcome>,
  { results, atOnce }: { results: string | undefined; atOnce: number },
): Promise<void> {
  const open = mutants.filter((mutant) => !known.has(idOf(mutant)));
  const byTest = [...groupedBy(open, testName)];
  const workshops = Array.from({ length: atOnce }, () => new Workshop(process.cwd()));
  try {
    await share(workshops, byTest, async (workshop, [name, group]) => {
      const usualMs = await usualTime(workshop, name, group[0]!);
      for (const mutant of group) {
        const id = idOf(mutant);
        const outcome =
          usualMs === undefined
            ? { id, fate: 'NOT TRIED: its test fails', tookMs: 0 }
            : await tried(workshop, mutant, usualMs);
        known.set(id, outcome);
        if (results !== undefined) appendFileSync(results, `${JSON.stringify(outcome)}\n`);
      }
    });
  } finally {
    for (const workshop of workshops) workshop.close();
  }
}

function printTable(mutants: readonly Mutant[], known: ReadonlyMap<string, Outcome>): void {
  const table = new Table({
    head: ['file', 'fault', 'fate', 'time'],
    colWidths: [34, 60, 34, 9],
    wordWrap: true,
    style: { head: [], border: [] },
  });
  for (const mutant of mutants) {
    const { fate, tookMs } = known.get(idOf(mutant))!;
    table.push([mutant.file, mutant.what, fate, seconds(tookMs)]);
  }
  console.log(table.toString());
}

async function main(): Promise<number> {
  const startedAtMs = performance.now();
  const { positionals: words, values } = parseArgs({
    allowPositionals: true,
    options: { results: { type: 'string' }, 'at-once': { type: 'string', default: '2' } },
  });
  const isWanted = ({ file, what, law }: Mutant) =>
    words.length === 0 || words.some((word) => `${file} ${what} ${law}`.includes(word));
  const mutants = MUTANTS.filter(isWanted);
  if (mutants.length === 0) {
    console.error(`no mutant has one of these words: ${words.join(', ')}`);
    return 1;
  }
  const known = caughtBefore(values.results);
  await tryAll(mutants, known, { results: values.results, atOnce: Number(values['at-once']) });
  printTable(mutants, known);
  const caught = mutants.filter((mutant) => isCaught(known.get(idOf(mutant))!.fate)).length;
  const took = seconds(performance.now() - startedAtMs);
  console.log(`${caught} caught, ${mutants.length - caught} not, in ${took}`);
  return caught < mutants.length ? 1 : 0;
}

process.exitCode = await main();
