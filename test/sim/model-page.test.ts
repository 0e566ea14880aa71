/** docs/model.md says what the code has: the matrices and the locking point. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LOCKING_SYMBOLS } from '../../sim/radio/signal-log.ts';
import { SIR_MATRICES } from '../../sim/radio/tables.ts';

const page = readFileSync(new URL('../../docs/model.md', import.meta.url), 'utf8');

/** The six rows of numbers below the table whose first cell has this word. */
function matrix(word: string): number[][] {
  const lines = page.split('\n');
  const head = lines.findIndex((line) => line.startsWith('| wanted') && line.includes(word));
  return lines.slice(head + 2, head + 8).map((line) =>
    line
      .split('|')
      .slice(2, -1)
      .map((cell) => 100 * Number(cell.trim().replace('−', '-'))),
  );
}

it.each(['goursaud', 'croce'] as const)('the page of the model has the matrix of %s', (name) => {
  expect(matrix(`\`${name}\``)).toEqual(SIR_MATRICES[name]);
});

it('the page of the model has the locking point in symbols', () => {
  expect(page).toContain(`start + (preamble − ${LOCKING_SYMBOLS})·Tsym`);
});
