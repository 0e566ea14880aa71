/** What two results or studies differ by as a page: HTML and Markdown of the same blocks. */
import { type Block, PAGES } from '../document/document.ts';
import { htmlOf } from '../document/html.ts';
import { markdownOf } from '../document/markdown.ts';
import { plain } from '../markup/markdown-parts.ts';
import { html } from '../markup/markup.ts';
import { pageOf } from '../pages/shell.ts';
import { studentT } from '../statistics/distributions.ts';
import { CONFIDENCE } from '../statistics/intervals.ts';
import { count, NOTHING } from '../text/format.ts';
import type { FigureDifference, PairedFigure } from './differences.ts';
import { spreadText } from './spread-text.ts';

/** What is shown around the table of figures. */
export interface DifferencePage {
  /** Sentences before and after it. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly figures:
    | { readonly of: 'runs'; readonly rows: readonly FigureDifference[] }
    | { readonly of: 'studies'; readonly rows: readonly PairedFigure[] };
}

const TITLE = 'What differs';

/** One file without scripts; the same page gives the same bytes. */
export const differenceHtml = (page: DifferencePage, version: string): string =>
  differencesHtml(TITLE, [{ title: 'Figures', page }], version);

/** The same of several pairs, each a section of the page. */
export function differencesHtml(
  heading: string,
  pairs: readonly { readonly title: string; readonly page: DifferencePage }[],
  version: string,
): string {
  return pageOf({
    title: heading,
    version,
    header: html`<header><p class="brand">Fleetwave diff</p><h1>${heading}</h1></header>`,
    main: htmlOf(pairs.flatMap(({ title, page }) => differenceBlocks(page, title))),
    footer: `Made by Fleetwave ${version}.`,
  });
}

/** GitHub's flavour; ends in a line feed. */
export function differenceMarkdown(page: DifferencePage, version: string): string {
  const parts = [
    `## ${TITLE}`,
    ...markdownOf(differenceBlocks(page)),
    `Made by Fleetwave ${plain(version)}.`,
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The table of figures with the sentences around it. */
function differenceBlocks({ before, after, figures }: DifferencePage, title = 'Figures'): Block[] {
  const sentences = (all: readonly string[]) =>
    all.map((text): Block => ({ kind: 'paragraph', forms: PAGES, text }));
  const table = figures.of === 'runs' ? runTable(figures.rows) : studyTable(figures.rows);
  const blocks = [...sentences(before), ...(figures.rows.length === 0 ? [] : [table])];
  return [{ kind: 'section', title, blocks: [...blocks, ...sentences(after)] }];
}

const number = (head: string) => ({ head, kind: 'number' }) as const;

const signed = (value: number, text: (value: number) => string): string =>
  value > 0 ? `+${text(value)}` : text(value);

function runTable(rows: readonly FigureDifference[]): Block {
  return {
    kind: 'table',
    name: 'Figures that are not the same',
    columns: [{ head: 'Figure' }, number('A'), number('B'), number('B − A')],
    rows: rows.map(({ name, unit, a, b }) => {
      const text = (value: number | null) => spreadText(value, unit);
      const more = a === null || b === null ? NOTHING : signed(b - a, text);
      return [name, text(a), text(b), more];
    }),
  };
}

function studyTable(rows: readonly PairedFigure[]): Block {
  return {
    kind: 'table',
    name: 'Means over pairs of the same seed',
    columns: [
      { head: 'Figure' },
      number('A'),
      number('B'),
      number('B − A'),
      number('95 % interval'),
      { head: 'Verdict' },
      number('Seeds to decide'),
      number('Seeds for ±2 %'),
    ],
    rows: rows.map((figure) => {
      const { name, unit, a, b, mean, interval, isBeyondChance } = figure;
      const text = (value: number) => spreadText(value, unit);
      const around =
        interval === undefined
          ? NOTHING
          : `${signed(interval.low, text)} … ${signed(interval.high, text)}`;
      const verdict = isBeyondChance ? 'differs' : 'may be chance';
      const seeds = [seedsToDecide(figure, rows.length), seedsForTwoPercent(figure)];
      const texts = seeds.map((each) => seedsText(figure, each));
      return [name, text(a), text(b), signed(mean, text), around, verdict, ...texts];
    }),
  };
}

// ── how many seeds would decide ──────────────────────────────────────────────────────────────────

/** How far a difference is to be known: 2 % of the mean of A, of a share 2 % of the whole. */
const WANTED = 0.02;
/** More seeds than a study takes. */
const SEEDS_MOST = 10_000;

/**
 * Seeds in all after which the interval is expected to be ± 2 %: its width falls with the root of
 * their number. Undefined: no interval yet, or nothing to take 2 % of.
 */
export function seedsForTwoPercent({ pairs, unit, a, interval }: PairedFigure): number | undefined {
  const wanted = unit === 'share' ? WANTED : WANTED * Math.abs(a);
  if (interval === undefined || wanted === 0) return undefined;
  const times = (interval.high - interval.low) / 2 / wanted;
  // A last bit makes no seed.
  return Math.max(pairs, Math.ceil(pairs * times * times - 1e-6));
}

/**
 * Seeds in all after which a mean and a spread as these are expected to be beyond chance, together
 * with all other figures that differ. Undefined: no interval yet, or nothing to decide.
 */
export function seedsToDecide(
  { pairs, mean, interval, isBeyondChance }: PairedFigure,
  figures: number,
): number | undefined {
  if (isBeyondChance) return pairs;
  if (interval === undefined || mean === 0) return undefined;
  const half = (interval.high - interval.low) / 2;
  const spread = (half * Math.sqrt(pairs)) / studentT(pairs - 1);
  const confidence = 1 - (1 - CONFIDENCE) / Math.max(1, figures);
  const decides = (seeds: number) =>
    studentT(seeds - 1, confidence) * spread <= Math.abs(mean) * Math.sqrt(seeds);
  if (!decides(SEEDS_MOST)) return SEEDS_MOST + 1;
  let [few, enough] = [pairs, SEEDS_MOST];
  while (enough - few > 1) {
    const middle = (few + enough) >> 1;
    if (decides(middle)) enough = middle;
    else few = middle;
  }
  return enough;
}

/** `enough`, `about 40`, or that a study would not decide it; of `seedsToDecide` and the other. */
export function seedsText({ pairs }: PairedFigure, seeds: number | undefined): string {
  if (seeds === undefined) return NOTHING;
  if (seeds <= pairs) return 'enough';
  return seeds > SEEDS_MOST ? `more than ${count(SEEDS_MOST)}` : `about ${count(seeds)}`;
}
