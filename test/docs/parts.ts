/**
 * The parts of `docs/` that are written from the product: each stands in its page between two
 * markers. `npm run docs` writes them, and a test holds the pages to them.
 */
import { readFileSync } from 'node:fs';
import { figureTable } from '../../reports/figures/reference.ts';
import { presetPages } from '../../scenarios/presets/reference.ts';
import { knobTable } from '../../scenarios/schema/reference.ts';
import { studyKnobTable } from '../../scenarios/study/reference.ts';
import { rowTable, ruleTable } from '../support/conformance.ts';
import { numbersOf } from '../support/operations-page.ts';
import { answerTables, failureTable, fieldTables, operationTable } from './operations-tables.ts';
import { questionsPart } from './questions.ts';
import { settingTable } from './settings-table.ts';

interface Part {
  /** Path from the root of the project. */
  readonly page: string;
  /** What the markers call it. */
  readonly name: string;
  readonly text: () => string;
}

export const PARTS: readonly Part[] = [
  { page: 'docs/scenario-file.md', name: 'figures', text: figureTable },
  { page: 'docs/scenario-file.md', name: 'knobs', text: knobTable },
  { page: 'docs/presets.md', name: 'presets', text: presetPages },
  { page: 'docs/studies.md', name: 'study-knobs', text: studyKnobTable },
  { page: 'docs/command-line.md', name: 'settings', text: settingTable },
  { page: 'docs/operations.md', name: 'operations', text: operationTable },
  { page: 'docs/operations.md', name: 'failures', text: failureTable },
  { page: 'docs/operations.md', name: 'fields', text: fieldTables },
  { page: 'docs/operations.md', name: 'answers', text: answerTables },
  { page: 'docs/conformance.md', name: 'rows', text: rowTable },
  { page: 'docs/conformance.md', name: 'rules', text: rulesOnPage },
  { page: 'docs/questions.md', name: 'answers', text: questionsPart },
];

/** Of the rules that docs/operations.md has. */
function rulesOnPage(): string {
  return ruleTable(numbersOf(readFileSync('docs/operations.md', 'utf8')).rules);
}

/** A page with its part as the product has it. Pages without the markers are refused. */
export function withPart(page: string, { name, text }: Part): string {
  const [begins, ends] = [`<!-- ${name}: npm run docs writes this -->\n`, `<!-- /${name} -->\n`];
  const from = page.indexOf(begins);
  const to = page.indexOf(ends);
  if (from < 0 || to < from) throw new Error(`the page has no markers of ${name}`);
  return `${page.slice(0, from)}${begins}\n${text()}\n${page.slice(to)}`;
}
