/** Several runs side by side: what differs first, then maps, devices and charts, linked. */
import type { RunResult } from '../../core/result/result.ts';
import { type Block, HTML } from '../document/document.ts';
import { htmlOf } from '../document/html.ts';
import { FIGURES } from '../figures/figures.ts';
import { verdict } from '../figures/verdict.ts';
import { html } from '../markup/markup.ts';
import { campaignAnswer } from '../stories/answer/campaign-answer.ts';
import type { ReportInput } from '../stories/run/report-input.ts';
import { count, duration, figureText, NOTHING, type Unit } from '../text/format.ts';
import { explorer, type InteractivePage } from './interactive-parts.ts';
import { pageOf } from './shell.ts';

/** A run of the comparison, and what it is called. */
export interface ComparedRun {
  readonly label: string;
  readonly input: ReportInput;
}

export interface Comparison {
  /** At least two. */
  readonly runs: readonly ComparedRun[];
  /** What they are made of that is not the same, and why they cannot be compared, as sentences. */
  readonly notes: readonly string[];
  readonly version: string;
}

/** The same runs give the same bytes. */
export function comparisonHtml(comparison: Comparison, interactive: InteractivePage): string {
  const { runs, notes, version } = comparison;
  const title = runs.map(({ label }) => label).join(' against ');
  return pageOf({
    title,
    version,
    header: html`<header>
<p class="brand">Fleetwave comparison</p>
<h1>${title}</h1>
</header>`,
    main: [
      htmlOf([differences(runs, notes), answers(runs)]),
      explorer(),
      htmlOf([allFigures(runs)]),
    ],
    footer: `Made by Fleetwave ${version}. A run is a function of its scenario and seed.`,
    interactive,
  });
}

/** Two runs of one seed each say nothing of chance. */
const CHANCE =
  'One seed each says nothing of chance: run each with --seeds 20, and give the folders of both ' +
  'studies; then every difference has its interval over pairs of seeds.';

function differences(runs: readonly ComparedRun[], notes: readonly string[]): Block {
  const rows = figureRows(runs, true);
  return {
    kind: 'section',
    forms: HTML,
    title: rows.length === 0 ? 'No figure differs' : `What differs: ${count(rows.length)} figures`,
    blocks: [
      ...notes.map((text): Block => ({ kind: 'paragraph', forms: HTML, text })),
      ...differenceTables(runs, rows),
      { kind: 'hint', forms: HTML, text: CHANCE },
    ],
  };
}

/** Figures that stand open; the others unfold. */
const FIRST = 14;

function differenceTables(runs: readonly ComparedRun[], rows: readonly Row[]): Block[] {
  if (rows.length === 0) return [];
  const rest = rows.slice(FIRST);
  const first = figureTable('Figures that are not the same', runs, rows.slice(0, FIRST));
  if (rest.length === 0) return [first];
  const more = figureTable('More figures that are not the same', runs, rest);
  return [first, { kind: 'details', summary: `${count(rest.length)} more`, blocks: [more] }];
}

function figureRows(runs: readonly ComparedRun[], onlyDifferent: boolean): Row[] {
  return FIGURES.flatMap(({ name, label, unit, of }) => {
    const values = runs.map(({ input }) => of(input.result));
    const isMeasured = values.some((value) => !Number.isNaN(value));
    const isSame = values.every((value) => Object.is(value, values[0]));
    return !isMeasured || (onlyDifferent && isSame) ? [] : [{ name, label, unit, values }];
  });
}

interface Row {
  readonly name: string;
  readonly label: string;
  readonly unit: Unit;
  /** In the order of the runs; NaN: not measured. */
  readonly values: readonly number[];
}

const written = (value: number, unit: Unit): string =>
  Number.isNaN(value) ? NOTHING : figureText(value, unit);

function figureTable(name: string, runs: readonly ComparedRun[], rows: readonly Row[]): Block {
  const [first, ...others] = runs;
  const number = (head: string) => ({ head, kind: 'number' }) as const;
  return {
    kind: 'table',
    name,
    stack: 3,
    columns: [
      { head: 'Figure' },
      { head: {}, isBelow: true },
      ...runs.map(({ label }) => number(label)),
      ...others.map(({ label }) => number(`${label} − ${first!.label}`)),
    ],
    rows: rows.map(({ name: figure, label, unit, values }) => [
      label,
      figure,
      ...values.map((value) => written(value, unit)),
      ...values.slice(1).map((value) => signed(value - values[0]!, unit)),
    ]),
  };
}

function signed(value: number, unit: Unit): string {
  if (Number.isNaN(value)) return NOTHING;
  const sign = value > 0 ? '+' : value < 0 ? '−' : '';
  const size = Math.abs(value);
  if (unit === 'share') return `${sign}${(size * 100).toFixed(2)} points`;
  return `${sign}${figureText(size, unit)}`;
}

/** What each was and what it came to. */
function answers(runs: readonly ComparedRun[]): Block {
  const verdictOf = ({ input }: ComparedRun) => verdict(input.expectations).sentence;
  const row = (name: string, of: (run: ComparedRun) => string) => [name, ...runs.map(of)];
  const result = ({ input }: ComparedRun): RunResult => input.result;
  const campaigns = [
    ...new Set(runs.flatMap((run) => result(run).campaigns.map((one) => one.name))),
  ];
  return {
    kind: 'section',
    forms: HTML,
    title: 'The runs',
    blocks: [
      {
        kind: 'table',
        name: 'What was run, and what it came to',
        stack: 2,
        columns: [{ head: '' }, ...runs.map(({ label }) => ({ head: label }))],
        rows: [
          row('Scenario', (run) => result(run).scenario.name),
          row('Seed', (run) => result(run).seed),
          row('Digest', (run) => result(run).digest),
          row('Devices', (run) => count(result(run).devices.total)),
          row('Gateways', (run) => count(result(run).gateways.length)),
          row('Virtual time', (run) => duration(result(run).virtualSeconds)),
          row('Expectations', verdictOf),
          ...campaigns.map((name) => row(`Campaign ${name}`, (run) => answerIn(run, name))),
        ],
      },
    ],
  };
}

function answerIn({ input }: ComparedRun, name: string): string {
  const campaign = input.result.campaigns.find((one) => one.name === name);
  if (campaign === undefined) return NOTHING;
  return campaignAnswer(
    campaign,
    input.columns?.campaigns.find((one) => one.name === name),
  );
}

function allFigures(runs: readonly ComparedRun[]): Block {
  const rows = figureRows(runs, false);
  return {
    kind: 'section',
    forms: HTML,
    title: 'All figures',
    blocks: [figureTable('Every figure that was measured', runs, rows)],
  };
}
