/** Where two files of lines begin to differ: api/host/files/line-diff.ts. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { firstDifference } from '../../../api/host/files/line-diff.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetwave-lines-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function differ(a: string, b: string) {
  const paths = [join(folder, 'a'), join(folder, 'b')] as const;
  writeFileSync(paths[0], a);
  writeFileSync(paths[1], b);
  return firstDifference(...paths);
}

it('is nowhere in files of the same lines, whatever ends the last one', () => {
  expect(differ('a\nb\n', 'a\nb\n')).toBeUndefined();
  expect(differ('a\nb', 'a\nb\n')).toBeUndefined();
  expect(differ('', '')).toBeUndefined();
});

it('is the first line that differs, or that one file has no more', () => {
  expect(differ('a\nb\nc\n', 'a\nx\ny\n')).toEqual({ line: 2, a: 'b', b: 'x' });
  expect(differ('a\nb\n', 'a\n')).toEqual({ line: 2, a: 'b', b: undefined });
});

it('is found in lines that lie over the ends of what is read at once', () => {
  const long = `${'ä'.repeat(700_000)}\n`;
  expect(differ(`${long}${long}a`, `${long}${long}b`)).toEqual({ line: 3, a: 'a', b: 'b' });
});
