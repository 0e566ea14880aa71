/** The commands on studies over many points, their words and options. */
import type { Argv } from 'yargs';
import { CHECK_OPTIONS } from './check-options.ts';
import { NO_COMMAND_SAID } from './complaints.ts';
import { CHOICE, type Chosen, WORD } from './option-kinds.ts';

export function addStudy(parser: Argv, chosen: Chosen): void {
  const about = 'A scenario over many points and seeds: run a study file, and ask how far it is';
  parser.command('study', about, (args) => {
    const all = [
      addStudyRun,
      addStudySolve,
      addStudyPlan,
      addStudyStatus,
      addStudyCancel,
      addStudyMissing,
      addStudyMerge,
      addStudyReport,
    ];
    for (const add of all) add(args, chosen);
    return args.demandCommand(1, NO_COMMAND_SAID);
  });
}

const ADDRESS = 'redis://host:port; postgres:// is young';

const withStudy = <Args>(args: Argv<Args>) =>
  args
    .positional('file', {
      type: 'string',
      demandOption: true,
      describe: 'Study file (YAML), plan (JSON), or folder of a study',
    })
    .option('sink', { ...WORD, describe: 'Where runs land: dir:PATH  [default: out/<study>]' });

function addStudyRun(parser: Argv, chosen: Chosen): void {
  parser.command(
    'run <file>',
    'Run what is missing of it on all cores',
    (args) =>
      withStudy(args).options({
        workers: { ...WORD, describe: 'Threads  [default: one a core]' },
        shard: { ...WORD, describe: 'Run one part of it alone: 3/7 is the third of seven' },
        engine: {
          ...WORD,
          describe: `Run it on all workers that are connected there: ${ADDRESS}`,
        },
        ...CHECK_OPTIONS,
        resume: { type: 'boolean', describe: 'Go on with the same plan, or say what differs' },
        yes: { type: 'boolean', describe: 'Begin a study that takes long' },
        json: { type: 'boolean', describe: 'Print one JSON document and nothing else' },
        quiet: { type: 'boolean', describe: 'Print nothing but what is wrong' },
      }),
    (args) => chosen(async () => (await import('./study-run.ts')).studyRun(args)),
  );
}

function addStudySolve(parser: Argv, chosen: Chosen): void {
  parser.command(
    'solve <file>',
    'Find the best point that meets its constraints, with few runs',
    (args) =>
      withStudy(args).options({
        workers: { ...WORD, describe: 'Threads  [default: one a core]' },
        'at-most': {
          ...WORD,
          describe: 'Most seeds of a point  [default: the study’s atMost, or 1000]',
        },
        confidence: { ...WORD, default: '95', describe: 'Of what is said of points, in percent' },
        yes: { type: 'boolean', describe: 'Begin a search that takes long' },
        json: { type: 'boolean', describe: 'Print one JSON document and nothing else' },
        quiet: { type: 'boolean', describe: 'Print nothing but what is wrong' },
      }),
    (args) => chosen(async () => (await import('./study-solve.ts')).studySolve(args)),
  );
}

function addStudyPlan(parser: Argv, chosen: Chosen): void {
  parser.command(
    'plan <file>',
    'Check it, and write its plan, which runs anywhere without its files',
    (args) => withStudy(args).option('out', { ...WORD, describe: 'File  [default: stdout]' }),
    (args) => chosen(async () => (await import('./study-tools.ts')).studyPlan(args)),
  );
}

function addStudyStatus(parser: Argv, chosen: Chosen): void {
  parser.command(
    'status <file>',
    'How far it is; others may run it meanwhile',
    (args) =>
      withStudy(args).options({
        engine: { ...WORD, describe: `Ask there, too, from any machine: ${ADDRESS}` },
        json: { type: 'boolean', describe: 'Print a JSON document' },
      }),
    ({ engine, ...args }) =>
      chosen(async () =>
        engine === undefined
          ? (await import('./study-tools.ts')).studyStatus(args)
          : (await import('./study-elsewhere.ts')).statusOnEngine({ ...args, engine }),
      ),
  );
}

function addStudyCancel(parser: Argv, chosen: Chosen): void {
  parser.command(
    'cancel <file>',
    'Stop a study that runs on an engine, from any machine; finished runs stay stored',
    (args) =>
      withStudy(args).option('engine', {
        ...WORD,
        demandOption: true,
        describe: `Where it runs: ${ADDRESS}`,
      }),
    (args) => chosen(async () => (await import('./study-elsewhere.ts')).studyCancel(args)),
  );
}

function addStudyMissing(parser: Argv, chosen: Chosen): void {
  parser.command(
    'missing <file>',
    'Which shards lack runs, as a scheduler takes them',
    (args) =>
      withStudy(args).options({
        shards: { ...WORD, demandOption: true, describe: 'How many shards there are' },
        format: {
          ...CHOICE,
          choices: ['list', 'slurm', 'json'] as const,
          default: 'list' as const,
          describe: 'How they are written',
        },
      }),
    (args) => chosen(async () => (await import('./study-tools.ts')).studyMissing(args)),
  );
}

function addStudyMerge(parser: Argv, chosen: Chosen): void {
  parser.command(
    'merge <file>',
    'Put together what landed, and write its results',
    (args) =>
      withStudy(args).options({
        from: { ...WORD, array: true, describe: 'Take the runs of this folder, too' },
        partial: { type: 'boolean', describe: 'Merge a study that is not whole' },
        json: { type: 'boolean', describe: 'Print one JSON document and nothing else' },
      }),
    (args) => chosen(async () => (await import('./study-tools.ts')).studyMerge(args)),
  );
}

function addStudyReport(parser: Argv, chosen: Chosen): void {
  parser.command(
    'report <file>',
    'Write its report.html and report.md again, of what is there',
    (args) =>
      withStudy(args).options({
        partial: { type: 'boolean', describe: 'Of a study that is not whole' },
        markdown: { type: 'boolean', describe: 'Print the Markdown, and write nothing' },
      }),
    (args) => chosen(async () => (await import('./study-tools.ts')).studyReport(args)),
  );
}

export function addWorker(parser: Argv, chosen: Chosen): void {
  parser.command(
    'worker',
    'Run worlds of studies that others begin with --engine',
    (args) =>
      args.options({
        engine: {
          ...WORD,
          demandOption: true,
          describe:
            'Redis or Valkey: redis://user:password@host:port; rediss:// over TLS; or ' +
            'PostgreSQL, which is young: postgres://user:password@host:port/database',
        },
        workers: { ...WORD, describe: 'Threads  [default: one a core]' },
        'lost-after': {
          ...WORD,
          default: '60',
          describe: 'Seconds without a word, after which its work is given to others',
        },
      }),
    (args) => chosen(async () => (await import('./worker.ts')).worker(args)),
  );
}
