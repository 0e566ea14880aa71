/**
 * A report as plain data: blocks that say what is shown, once. HTML, Markdown and the terminal
 * render them; a block, a column or a number of rows says where the forms differ.
 */
import { assert } from '../../sim/base/assert.ts';
import type { Chart } from '../charts/plot.ts';
import type { KeyFigure } from '../figures/key-figures.ts';
import type { Markup } from '../markup/markup.ts';
import { count, counted } from '../text/format.ts';
import type { Words } from '../text/words.ts';

export type Form = 'html' | 'markdown' | 'terminal';

export const HTML: readonly Form[] = ['html'];
export const MARKDOWN: readonly Form[] = ['markdown'];
export const TERMINAL: readonly Form[] = ['terminal'];
export const EVERY_FORM: readonly Form[] = ['html', 'markdown', 'terminal'];
/** Forms of a block that names none. */
export const PAGES: readonly Form[] = ['html', 'markdown'];

/** The same in every form, or one for each form; a form without one shows nothing. */
export type ByForm<T extends string | number> = T | { readonly [form in Form]?: T };

/**
 * Text of a sentence. A string may hold anything, such as a name from a scenario: every renderer
 * escapes it. `own` has Fleetwave's own words and figures alone: Markdown leaves it as it is.
 */
export type Text =
  | string
  | { readonly own: string }
  | { readonly code: string }
  | Sign
  | readonly Text[];

/** A tick or a cross; with its word where it stands alone. */
export interface Sign {
  readonly sign: 'holds' | 'fails';
  readonly hasWord?: true;
}

export type Cell =
  | string
  | { readonly own: string }
  | { readonly code: string }
  | Sign
  /** HTML: the first entry, the others small below it. Markdown and terminal: all of them. */
  | { readonly list: readonly string[] }
  | { readonly bands: readonly Band[] }
  | DetailedCell;

/** A cell with a bar or small lines below it, which only HTML shows; the others show `text`. */
export interface DetailedCell {
  readonly text?: string;
  readonly bar?: Bar;
  /** From share to share, 0…1. */
  readonly segment?: readonly [from: number, to: number];
  readonly below?: readonly Text[];
}

export interface Bar {
  /** 0…1. */
  readonly share: number;
  readonly paint?: 'accent' | 'bad';
}

/** A named bar with its figure. */
export interface Band extends Bar {
  readonly name: string;
  readonly figure: string;
}

export interface Column {
  /** A form without a head does not have the column. */
  readonly head: ByForm<string>;
  /** `number` is right-aligned, its strings are figures as `text/format.ts` writes them. */
  readonly kind?: 'number' | 'full' | 'wide-bar' | 'widest-bar';
  /** HTML shows its cells small below those of the column before, whether it has a head or not. */
  readonly isBelow?: true;
}

interface BlockBase {
  /** HTML and Markdown when absent. */
  readonly forms?: readonly Form[];
}

export interface Table extends BlockBase {
  readonly kind: 'table';
  /** What the table shows, in a few words: the caption of HTML. */
  readonly name: string;
  readonly columns: readonly Column[];
  /** A cell for each column. */
  readonly rows: readonly (readonly Cell[])[];
  /** Rows that a form shows; all of them when absent. */
  readonly most?: ByForm<number>;
  /** A sentence on the rows that a form does not show. */
  readonly omitted?: ByForm<string>;
  /** What HTML shows in place of a table without rows; Markdown and terminal show nothing. */
  readonly empty?: string;
  /** Figures side by side on narrow screens, as `TableShape` of `markup/parts.ts` has it. */
  readonly stack?: 2 | 3 | 6;
}

/** A card of HTML; in Markdown only its blocks, below a heading where it has a level. */
export interface Section extends BlockBase {
  readonly kind: 'section';
  readonly title: ByForm<string>;
  readonly level?: 2 | 3;
  readonly blocks: readonly Block[];
}

/** Blocks that belong together: each begins a line of the HTML source. */
export interface Group extends BlockBase {
  readonly kind: 'group';
  readonly blocks: readonly Block[];
}

/** Blocks side by side in HTML, each part in a column of its own. */
export interface Split extends BlockBase {
  readonly kind: 'split';
  readonly style: 'beside' | 'thirds';
  readonly parts: readonly (readonly Block[])[];
}

/** The main sentence, a paragraph, or a remark in small letters. */
export interface Sentence extends BlockBase {
  readonly kind: 'lead' | 'paragraph' | 'hint';
  readonly text: Text;
}

interface Heading extends BlockBase {
  readonly kind: 'heading';
  readonly text: string;
}

/** Lines as they are, such as a command. */
export interface Code extends BlockBase {
  readonly kind: 'code';
  readonly text: string;
  /** For the colours of Markdown. */
  readonly language?: string;
}

/** What a reader must know before the figures: a sentence, or a list. */
export interface Note extends BlockBase {
  readonly kind: 'note';
  readonly title: string;
  readonly text: ByForm<string>;
  readonly items?: readonly string[];
}

export interface List extends BlockBase {
  readonly kind: 'list';
  readonly items: readonly string[];
}

/** Terms with what they are. A form without a term does not have the fact; '' is a fact alone. */
export interface Facts extends BlockBase {
  readonly kind: 'facts';
  readonly facts: readonly (readonly [term: ByForm<string>, fact: Text])[];
}

/** Key figures: large tiles in HTML, a table in Markdown. */
export interface Figures extends BlockBase {
  readonly kind: 'figures';
  /** For those who cannot see the tiles. */
  readonly name: string;
  readonly figures: readonly KeyFigure[];
  /** Those that have a tile; all of them when absent. */
  readonly tiles?: readonly KeyFigure[];
  /** Whether the table has the counts behind the figures; tiles always have them. */
  readonly hasCounts: boolean;
  /** More rows of the table, without a tile. */
  readonly others?: readonly (readonly [label: string, text: string])[];
}

/** A chart, which only HTML has. */
interface ChartBlock {
  readonly kind: 'chart';
  readonly chart: Chart;
  /** The name of each key's shape in the style sheet, and what it means. */
  readonly legend?: readonly (readonly [key: string, words: string])[];
}

/** What is drawn with a legend of its own; only HTML has it. */
export interface Drawing {
  readonly kind: 'drawing';
  readonly drawing: () => Markup;
}

/** Blocks that HTML shows when a reader asks for them. */
interface Details extends BlockBase {
  readonly kind: 'details';
  readonly summary: string;
  readonly blocks: readonly Block[];
}

export type Block =
  | Section
  | Group
  | Split
  | Sentence
  | Heading
  | Code
  | Note
  | List
  | Facts
  | Figures
  | Table
  | ChartBlock
  | Drawing
  | Details;

/** Kinds that only HTML has. */
const DRAWN: readonly Block['kind'][] = ['chart', 'drawing'];

/** Whether a form shows the block. */
export function isShown(block: Block, form: Form): boolean {
  if (DRAWN.includes(block.kind)) return form === 'html';
  return (('forms' in block ? block.forms : undefined) ?? PAGES).includes(form);
}

/** What a form shows of it; undefined: nothing. */
export function inForm<T extends string | number>(
  value: ByForm<T> | undefined,
  form: Form,
): T | undefined {
  return typeof value === 'object' ? value[form] : value;
}

/** Rows that the form shows. */
export function rowsShown({ columns, rows, most }: Table, form: Form): Table['rows'] {
  const isWhole = rows.every((cells) => cells.length === columns.length);
  assert(isWhole, 'a row has a cell for each column');
  return rows.slice(0, inForm(most, form) ?? rows.length);
}

/** The sentences on rows that are not shown; nothing where all are. `noun` is of one row. */
export function omission(more: number, noun: string): { readonly [form in Form]?: string } {
  if (more <= 0) return {};
  return {
    html: `${count(more)} more are not shown.`,
    markdown: `${counted(more, `more ${noun}`)} not shown.`,
    terminal: `… and ${counted(more, `more ${noun}`)}.`,
  };
}

/** A cause with its meaning below it. */
export const explained = ({ label, meaning }: Words): DetailedCell => ({
  text: label,
  below: [meaning],
});
