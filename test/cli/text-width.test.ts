/** What yargs lays out is measured by our own rule, which costs nothing at the start. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { textWidth } from '../../api/cli/text-width.ts';

describe('the width of a text', () => {
  it.each([
    ['', 0],
    ['--workers', 9],
    ['≥ 0.6 µs …', 10],
    ['\u001b[1mbold\u001b[22m', 4],
  ])('of %j is %i columns', (text, columns) => {
    expect(textWidth(text)).toBe(columns);
  });
});

describe('the scripts of what runs short', () => {
  const folder = 'dist/scripts';
  const scripts = existsSync(folder) ? readdirSync(folder).filter((file) => /cjs$/.test(file)) : [];

  it('are those of commands by what they need, and of a thread of a study', () => {
    const names = scripts.map((file) => file.replace(/-[\w-]{8}\.cjs$/, ''));
    expect(names.sort()).toEqual([
      'calculators',
      'runs',
      'services',
      'studies',
      'study-thread',
      'tools',
    ]);
  });

  it.each(scripts)('%s makes no segmenter of the world’s scripts when it starts', (file) => {
    expect(readFileSync(`${folder}/${file}`, 'utf8')).not.toContain('Intl.Segmenter');
  });
});
