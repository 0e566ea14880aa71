/**
 * `npm run test:random-mutants -- --seed S --count 40 --results FILE`: plants faults drawn by the
 * seed, one at a time, and runs the tests that are nearest to each. What FILE has already is not
 * tried again, so a run may be stopped and gone on with. Ends with 1 where one survives that
 * `equivalent.ts` does not list.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import type { Mutant } from '../mutants/mutant.ts';
import { timeOutMs, Workshop } from '../mutants/workshop.ts';
import { type Choice, chosen, FOLDERS, importersOf, testsOf } from './choosing.ts';
import { reasonOf } from './equivalent.ts';

const AT_ONCE = 2;

/** What became of a fault; `by`: the test that noticed it. */
interface Outcome {
  readonly id: string;
  readonly file: string;
  readonly fate: 'caught' | 'SURVIVED' | 'equivalent' | 'no test';
  readonly what: string;
  readonly by?: string;
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    count: { type: 'string', default: '40' },
    results: { type: 'string' },
  },
});
const seed = values.seed ?? String(Date.now());
const root = process.cwd();

const idOf = ({ file, start, kind }: Choice): string => `${seed} ${file}:${start} ${kind}`;

/** The line of a fault, before and after. */
function inWords({ file, start, end, replace, kind }: Choice, text: string): string {
  const line = text.slice(0, start).split('\n').length;
  const before = text.slice(start, end).replaceAll(/\s+/g, ' ');
  return `${file}:${line} ${kind}: ${before} → ${replace.replaceAll(/\s+/g, ' ')}`;
}

/** The fault as a row whose text stands in the file once: as much around it as that takes. */
function rowOf({ file, start, end, replace }: Choice, text: string, test: string): Mutant {
  let [from, to] = [start, end];
  while (text.split(text.slice(from, to)).length !== 2) {
    from = Math.max(0, from - 20);
    to = Math.min(text.length, to + 20);
  }
  const find = text.slice(from, to);
  const planted = `${text.slice(from, start)}${replace}${text.slice(end, to)}`;
  return { what: '', file, find, replace: planted, test };
}

async function fateOf(workshop: Workshop, choice: Choice, tests: readonly string[]) {
  const text = readFileSync(`${root}/${choice.file}`, 'utf8');
  const known = { id: idOf(choice), file: choice.file, what: inWords(choice, text) };
  const reason = reasonOf(choice.file, text.slice(choice.start, choice.end), choice.replace);
  if (reason !== undefined) return { ...known, fate: 'equivalent', by: reason } as const;
  if (tests.length === 0) return { ...known, fate: 'no test' } as const;
  for (const test of tests) {
    const { failed, end } = await workshop.tryOut(rowOf(choice, text, test), timeOutMs(0));
    if (failed > 0 || end !== 'counted') return { ...known, fate: 'caught', by: test } as const;
  }
  return { ...known, fate: 'SURVIVED' } as const;
}

function resultsSoFar(): Outcome[] {
  const { results } = values;
  if (results === undefined || !existsSync(results)) return [];
  const lines = readFileSync(results, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Outcome);
}

function report(outcomes: readonly Outcome[]): void {
  const head = ['folder', 'caught', 'survived', 'equivalent', 'without a test'];
  const table = new Table({ head, style: { head: [], border: [] } });
  for (const folder of FOLDERS) {
    const own = outcomes.filter(({ file }) => file.startsWith(`${folder}/`));
    const of = (fate: Outcome['fate']) => own.filter((each) => each.fate === fate).length;
    table.push([folder, of('caught'), of('SURVIVED'), of('equivalent'), of('no test')]);
  }
  console.log(table.toString());
  const judged = outcomes.filter(({ fate }) => fate !== 'equivalent');
  const caught = judged.filter(({ fate }) => fate === 'caught').length;
  const share = ((100 * caught) / Math.max(1, judged.length)).toFixed(1);
  console.log(`seed ${seed}: ${caught} of ${judged.length} caught, ${share} %`);
}

async function main(): Promise<number> {
  const outcomes = resultsSoFar().filter(({ id }) => id.startsWith(`${seed} `));
  const done = new Set(outcomes.map(({ id }) => id));
  const queue = chosen(root, seed, Number(values.count)).filter((one) => !done.has(idOf(one)));
  const importers = importersOf(root);
  const times = JSON.parse(readFileSync(`${root}/test/times.json`, 'utf8')) as never;
  console.log(`seed ${seed}: ${queue.length} to try, ${outcomes.length} known`);
  const workshops = Array.from({ length: AT_ONCE }, () => new Workshop(root));
  const work = async (workshop: Workshop): Promise<void> => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      const outcome: Outcome = await fateOf(workshop, one, testsOf(one.file, importers, times));
      outcomes.push(outcome);
      console.log(`${outcome.fate}: ${outcome.what}${outcome.by ? ` (${outcome.by})` : ''}`);
      if (values.results) appendFileSync(values.results, `${JSON.stringify(outcome)}\n`);
    }
  };
  try {
    await Promise.all(workshops.map(work));
  } finally {
    for (const workshop of workshops) workshop.close();
  }
  report(outcomes);
  return outcomes.some(({ fate }) => fate === 'SURVIVED' || fate === 'no test') ? 1 : 0;
}

process.exitCode = await main();
