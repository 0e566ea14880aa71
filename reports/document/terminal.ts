/** The parts of a report that a terminal shows: lines and tables of plain texts. */
import { NOTHING } from '../text/format.ts';
import {
  type Block,
  type Cell,
  inForm,
  isShown,
  rowsShown,
  type Table,
  type Text,
} from './document.ts';

interface TerminalTable {
  readonly heads: readonly string[];
  /** A text for each head; its lines stand below each other. */
  readonly rows: readonly (readonly string[])[];
}

/**
 * Lines, and tables that have rows, in the order of the report. Blocks that hold others are
 * looked through, whatever their own forms.
 */
export function terminalOf(blocks: readonly Block[]): (string | TerminalTable)[] {
  return blocks.flatMap((block) => {
    switch (block.kind) {
      case 'section':
      case 'group':
      case 'details':
        return terminalOf(block.blocks);
      case 'split':
        return block.parts.flatMap(terminalOf);
      default:
        return isShown(block, 'terminal') ? partsOf(block) : [];
    }
  });
}

function partsOf(block: Block): (string | TerminalTable)[] {
  switch (block.kind) {
    case 'table':
      return tableOf(block);
    case 'lead':
    case 'paragraph':
    case 'hint':
      return [textOf(block.text)];
    case 'heading':
      return [block.text];
    case 'list':
      return [...block.items];
    default:
      return [];
  }
}

function tableOf(table: Table): (string | TerminalTable)[] {
  const shown = table.columns.flatMap(({ head }, at) => {
    const words = inForm(head, 'terminal');
    return words === undefined ? [] : [{ at, words }];
  });
  const heads = shown.map(({ words }) => words);
  const rows = rowsShown(table, 'terminal').map((cells) =>
    shown.map(({ at }) => cellOf(cells[at]!)),
  );
  const omitted = inForm(table.omitted, 'terminal') ?? '';
  return [...(rows.length === 0 ? [] : [{ heads, rows }]), ...(omitted === '' ? [] : [omitted])];
}

function cellOf(cell: Cell): string {
  if (typeof cell === 'string') return cell;
  if ('own' in cell || 'code' in cell || 'sign' in cell) return textOf(cell);
  if ('list' in cell) return cell.list.length === 0 ? NOTHING : cell.list.join('\n');
  return 'text' in cell ? (cell.text ?? NOTHING) : NOTHING;
}

function textOf(text: Text): string {
  if (typeof text === 'string') return text;
  if ('own' in text) return text.own;
  if ('code' in text) return text.code;
  if ('sign' in text) return text.sign === 'holds' ? '✓' : '✗';
  return text.map(textOf).join('');
}
