/** Blocks of a report on a terminal: lines, and tables below their sentences. */
import Table from 'cli-table3';
import type { Block } from '../../reports/document/document.ts';
import { terminalOf } from '../../reports/document/terminal.ts';
import type { Painter } from './colour.ts';

/** Each ends without a line feed. */
export const blocksText = (blocks: readonly Block[], paint: Painter): string[] =>
  terminalOf(blocks).map((part) => {
    if (typeof part === 'string') return part;
    const table = headedTable(paint, ...part.heads);
    table.push(...part.rows.map((row) => [...row]));
    return table.toString();
  });

export const headedTable = ({ heading }: Painter, ...head: readonly string[]): Table.Table =>
  plainTable(...head.map(heading));

/** Without colours of the library's own, so that it reads the same in a file. */
export function plainTable(...head: readonly string[]): Table.Table {
  return new Table({ head: [...head], style: { head: [], border: [], compact: true } });
}
