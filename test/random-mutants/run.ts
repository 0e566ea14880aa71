/**
 * `npm run test:random-mutants -- --seed S --count 40 --results FILE`: plants faults drawn by the
 * seed, one at a time, and runs the tests that reach the branch around each. What FILE has already
 * is not tried again, so a run may be stopped and resumed; with `--retry` what survived is, and
 * nothing else. `--in core/world` draws below that path alone. Ends with 1 where one survives that
 * `equivalent.ts` does not list.
 */
import { execFile } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { parseArgs, promisify } from 'node:util';
import Table from 'cli-table3';
import type { Fault } from '../mutants/mutant.ts';
import { Workshop } from '../mutants/workshop.ts';
import { coverageOf } from './branches/coverage.ts';
import {
  type Choice,
  chosen,
  FOLDERS,
  filesIn,
  GOLDENS,
  importersOf,
  type Tests,
  testsOf,
  usualTests,
} from './choosing.ts';
import { reasonOf } from './equivalent.ts';
import { WarmVitest } from './warm-vitest.ts';

/** What became of a fault; `by`: the test that noticed it. */
interface Outcome {
  readonly id: string;
  readonly file: string;
  /** `golden`: only the digest of a whole world differs. `compiler`: no test notices, types do. */
  readonly fate: 'caught' | 'golden' | 'compiler' | 'SURVIVED' | 'equivalent' | 'no test';
  readonly what: string;
  readonly by?: string | undefined;
  readonly seconds?: number;
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    count: { type: 'string', default: '40' },
    in: { type: 'string', default: '' },
    results: { type: 'string' },
    'at-once': { type: 'string', default: '2' },
    retry: { type: 'boolean', default: false },
  },
});
const seed = `${values.seed ?? Date.now()}${values.in && ` in ${values.in}`}`;
const root = process.cwd();

const idOf = ({ file, start, kind }: Choice): string => `${seed} ${file}:${start} ${kind}`;

/** The lines of a fault, before and after. */
function linesOf({ start, end, replace }: Choice, text: string) {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const to = text.indexOf('\n', end);
  const inOneLine = (words: string) => words.replaceAll(/\s+/g, ' ').trim();
  return {
    before: inOneLine(text.slice(from, to)),
    after: inOneLine(`${text.slice(from, start)}${replace}${text.slice(end, to)}`),
  };
}

/** The fault as a row whose text stands in the file once: as much around it as that takes. */
function rowOf({ file, start, end, replace }: Choice, text: string): Fault {
  let [from, to] = [start, end];
  while (text.split(text.slice(from, to)).length !== 2) {
    from = Math.max(0, from - 20);
    to = Math.min(text.length, to + 20);
  }
  const find = text.slice(from, to);
  return { file, find, replace: `${text.slice(from, start)}${replace}${text.slice(end, to)}` };
}

/** A copy of the project, and what runs tests in it. */
interface Bench {
  readonly workshop: Workshop;
  readonly vitest: WarmVitest;
}

function newBench(): Bench {
  const workshop = new Workshop(root);
  return { workshop, vitest: new WarmVitest(workshop.root) };
}

function close({ workshop, vitest }: Bench): void {
  vitest.close();
  workshop.close();
}

async function outcomeOf(bench: Bench, choice: Choice, tests: Tests): Promise<Outcome> {
  const text = readFileSync(`${root}/${choice.file}`, 'utf8');
  const { before, after } = linesOf(choice, text);
  const line = text.slice(0, choice.start).split('\n').length;
  const what = `${choice.file}:${line} ${choice.kind}: ${before} → ${after}`;
  const known = { id: idOf(choice), file: choice.file, what };
  const reason = reasonOf(choice.file, before, after);
  if (reason !== undefined) return { ...known, fate: 'equivalent', by: reason };
  const { workshop, vitest } = bench;
  const fate = await workshop.withFault(rowOf(choice, text), async () => {
    const seen = tests.each.length === 0 ? NO_TEST : await fateOf(vitest, tests);
    if (!isOpen(seen.fate) || (await compiles(workshop.root, choice.file))) return seen;
    return { fate: 'compiler', by: 'the compiler' } as const;
  });
  return { ...known, ...fate };
}

const NO_TEST = { fate: 'no test' } as const;

/** Whether the folder of the file has no wrong types, as `npm test` sees first of all. */
async function compiles(copy: string, file: string): Promise<boolean> {
  const [folder] = file.split('/');
  const words = ['node_modules/typescript/bin/tsc', '-p', `${folder}/tsconfig.json`, '--noEmit'];
  try {
    await promisify(execFile)(process.execPath, words, { cwd: copy });
    return true;
  } catch {
    return false;
  }
}

async function fateOf(vitest: WarmVitest, { each }: Tests): Promise<Pick<Outcome, 'fate' | 'by'>> {
  const verdict = await vitest.run(
    each.map(({ test }) => test),
    each.map(({ ms }) => limitMs(ms)),
  );
  if ('end' in verdict) return { fate: 'caught', by: verdict.end };
  const { by, passed } = verdict;
  if (by !== undefined) return { fate: GOLDENS.includes(by) ? 'golden' : 'caught', by };
  if (passed === 0) throw new Error(`no test has run: ${each.map(({ test }) => test).join(' ')}`);
  return { fate: 'SURVIVED' };
}

/** A start, and eight times what a file takes on an idle core: longer, and it hangs. */
const limitMs = (usualMs: number): number => 30_000 + 8 * usualMs;

function resultsSoFar(): Outcome[] {
  const { results } = values;
  if (results === undefined || !existsSync(results)) return [];
  const lines = readFileSync(results, 'utf8').split('\n').filter(Boolean);
  const outcomes = lines.map((line) => JSON.parse(line) as Outcome);
  const latest = [...new Map(outcomes.map((outcome) => [outcome.id, outcome])).values()];
  return latest.filter(({ id }) => id.startsWith(`${seed} `));
}

const isOpen = (fate: Outcome['fate']): boolean => fate === 'SURVIVED' || fate === 'no test';

/** The columns of the table. */
const FATES: Readonly<Record<Outcome['fate'], string>> = {
  caught: 'caught',
  golden: 'by a golden only',
  compiler: 'by the compiler only',
  SURVIVED: 'survived',
  'no test': 'without a test',
  equivalent: 'equivalent',
};

function report(outcomes: readonly Outcome[]): void {
  const head = ['folder', ...Object.values(FATES)];
  const table = new Table({ head, style: { head: [], border: [] } });
  for (const folder of FOLDERS) {
    const own = outcomes.filter(({ file }) => file.startsWith(`${folder}/`));
    const of = (fate: Outcome['fate']) => own.filter((each) => each.fate === fate).length;
    table.push([folder, ...(Object.keys(FATES) as Outcome['fate'][]).map(of)]);
  }
  console.log(table.toString());
  const judged = outcomes.filter(({ fate }) => fate !== 'equivalent');
  const caught = judged.filter(({ fate }) => !isOpen(fate)).length;
  const share = ((100 * caught) / Math.max(1, judged.length)).toFixed(1);
  console.log(`seed ${seed}: ${caught} of ${judged.length} caught, ${share} %`);
}

async function main(): Promise<number> {
  const known = resultsSoFar();
  const fates = new Map(known.map(({ id, fate }) => [id, fate]));
  const isLeft = (fate: Outcome['fate'] | undefined): boolean =>
    values.retry ? fate !== undefined && isOpen(fate) : fate === undefined;
  const open = chosen(root, seed, Number(values.count), values.in).filter((one) =>
    isLeft(fates.get(idOf(one))),
  );
  const outcomes = known.filter(({ fate }) => !(values.retry && isOpen(fate)));
  console.log(`seed ${seed}: ${open.length} to try, ${outcomes.length} known`);
  const coverage = await coverageOf(root, filesIn(root), usualTests(root));
  const times = JSON.parse(readFileSync(`${root}/test/times.json`, 'utf8')) as never;
  const selection = { importers: importersOf(root), times, coverage };
  // Those that cost least first: a run that is stopped has tried most of what it could.
  const queue = open
    .map((one) => ({ one, tests: testsOf(one, selection) }))
    .sort((a, b) => a.tests.ms - b.tests.ms);
  const benches = Array.from({ length: Number(values['at-once']) }, newBench);
  // A run that is stopped leaves no copies.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      for (const bench of benches) close(bench);
      process.exit(1);
    });
  }
  const work = async (bench: Bench): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const startedAtMs = performance.now();
      const fate = await outcomeOf(bench, next.one, next.tests);
      const outcome = { ...fate, seconds: Math.round((performance.now() - startedAtMs) / 1000) };
      outcomes.push(outcome);
      console.log(`${outcome.fate}: ${outcome.what}${outcome.by ? ` (${outcome.by})` : ''}`);
      if (values.results) appendFileSync(values.results, `${JSON.stringify(outcome)}\n`);
    }
  };
  try {
    await Promise.all(benches.map(work));
  } finally {
    for (const bench of benches) close(bench);
  }
  report(outcomes);
  return outcomes.some(({ fate }) => isOpen(fate)) ? 1 : 0;
}

process.exitCode = await main();
