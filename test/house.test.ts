/** The project keeps its own rules: imports, words, sizes. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { type Files, houseOf } from './support/house-rule.ts';
import { HOUSE_RULES } from './support/house-rules.ts';
import { blocksOf, readSource } from './support/source.ts';

const ROOT = new URL('../', import.meta.url);
/** Made by machines, or copied from others. */
const LEFT_OUT = /^(\.git|node_modules|dist|out|coverage|test\/vectors)$/;
const TEXT = /\.(tsx?|mjs|json|md|ya?ml|html)$|^LICENSE$|^\.ci\/run$/;

function filesUnder(folder: string): string[] {
  return readdirSync(new URL(folder, ROOT), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}${entry.name}`;
    if (LEFT_OUT.test(path)) return [];
    if (entry.isDirectory()) return filesUnder(`${path}/`);
    return TEXT.test(path) ? [path] : [];
  });
}

const files: Files = Object.fromEntries(
  filesUnder('').map((path) => [path, readFileSync(new URL(path, ROOT), 'utf8')]),
);
const house = houseOf(files);

describe('the house', () => {
  it('is looked at as a whole', () => {
    const floors = new Set(house.sources.map(({ path }) => path.split('/')[0]));
    expect([...floors]).toEqual(
      expect.arrayContaining(['api', 'core', 'reports', 'scenarios', 'sim', 'test']),
    );
    expect(files['package-lock.json']).toContain('lockfileVersion');
  });

  it.each(HOUSE_RULES)('keeps the rule: $name', (rule) => {
    expect(rule.check(house)).toEqual([]);
  });
});

describe('a planted break', () => {
  const plants = HOUSE_RULES.flatMap((rule) =>
    rule.breaks.map((broken, i) => ({ rule, name: rule.name, number: i + 1, broken })),
  );

  it.each(plants)('is noticed: $name ($number)', ({ rule, broken }) => {
    expect(rule.check(houseOf(broken))).not.toEqual([]);
  });

  it.each(HOUSE_RULES)('is not seen where there is none: $name', (rule) => {
    expect(rule.check(houseOf(rule.keeps))).toEqual([]);
  });
});

describe('a line of source has at most 100 columns, which npm run lint checks beside Biome', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleetwave-lines-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const lint = (text: string): { readonly status: number | null; readonly stderr: string } => {
    const path = join(folder, 'a.ts');
    writeFileSync(path, text);
    const script = fileURLToPath(new URL('test/support/line-lengths.mjs', ROOT));
    return spawnSync(process.execPath, [script, path], { encoding: 'utf8' });
  };

  it.each([
    ['a comment', `a();\n// ${'a'.repeat(98)}`],
    ['a string', `a();\nb('${'a'.repeat(98)}');\n`],
    ['code', `a();\n${'b'.repeat(101)}`],
  ])('notices %s of 101 columns and more, and says where', (_, text) => {
    const { status, stderr } = lint(text);
    expect(status).toBe(1);
    expect(stderr).toContain('a.ts:2:101 has 10');
  });

  it('counts characters, not bytes, and lets 100 pass', () => {
    expect(lint(`// ${'µ'.repeat(97)}\n`)).toMatchObject({ status: 0, stderr: '' });
  });

  it('is part of npm run lint', () => {
    const { lint } = JSON.parse(files['package.json']!).scripts;
    expect(lint).toBe('biome check . && node test/support/line-lengths.mjs');
  });
});

describe('the look at source text', () => {
  const codeOf = (text: string): string => readSource('a.ts', text).code.replace(/ +/g, ' ').trim();

  it.each([
    ['a comment to the end of a line', 'a; // b', 'a;'],
    ['a comment over lines', 'a; /* b\n c */ d', 'a; \n d'],
    ['a string with quotes in it', `a('b\\'c"d', "e'f")`, `a(' ', " ")`],
    ['a comment inside a string, which is none', `a('//b'); c`, `a(' '); c`],
    ['a template', 'a(`b $' + '{c} d`)', 'a(` $' + '{c} `)'],
    [
      'a template in a template',
      '`a${' + 'b(`c${' + 'd}`)}e` + f',
      '` ${' + 'b(` ${' + 'd}`)} ` + f',
    ],
    ['an object in a template', '`a${' + '{ b: 1 }.b}c`; d', '` ${' + '{ b: 1 }.b} `; d'],
    ['a regular expression with a quote', `a = /'[/"]/.test(b); c`, 'a = / /.test(b); c'],
    ['a division, which is no regular expression', 'a = b / c / d;', 'a = b / c / d;'],
  ])('sees the code without %s', (_, text, code) => {
    expect(codeOf(text)).toBe(code);
  });

  it('keeps every line where it was', () => {
    for (const { text, code } of house.sources) {
      expect(code.length).toBe(text.length);
      expect(code.split('\n').length).toBe(text.split('\n').length);
    }
  });

  it('sees braces that match in every file, so nothing is taken for a string that is code', () => {
    for (const { path, code } of house.sources) {
      const opened = code.split('{').length;
      expect([path, code.split('}').length]).toEqual([path, opened]);
      expect(blocksOf(code).length).toBe(opened - 1);
    }
  });

  it('sees static, type, dynamic and handed-on imports, and no import in a string', () => {
    const text = `
      import { a,
        b } from './a.ts';
      import type { C } from "./c.ts";
      import './d.ts';
      export { e } from './e.ts';
      export const f = 'from'; const g = ['import h from "h"'];
      const i = await import('i/j');
      let k: import('k').K;`;
    expect(readSource('x.ts', text).imports).toEqual([
      { specifier: './a.ts', how: 'static' },
      { specifier: './c.ts', how: 'type' },
      { specifier: './d.ts', how: 'static' },
      { specifier: './e.ts', how: 'reexport' },
      { specifier: 'i/j', how: 'dynamic' },
      { specifier: 'k', how: 'dynamic' },
    ]);
  });
});
