/** `docs/library.md`: its examples print what their comments say, and it names every export. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as library from '../../sim/library.ts';

const page = readFileSync('docs/library.md', 'utf8');

/** The examples by the heading above them. */
const examples = page.split(/^#+ /m).flatMap((section) => {
  const heading = section.slice(0, section.indexOf('\n'));
  return [...section.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => ({ heading, code }));
});

/** What an example says that it prints: comments behind console.log, and lines of comment. */
function saidBy(code: string): string {
  const said = code.split('\n').flatMap((line) => {
    const [, behind] = /console\.log\(.*\);\s*\/\/ (.*)$/.exec(line) ?? [];
    const [, alone] = /^\/\/ (.*)$/.exec(line) ?? [];
    return behind ?? alone ?? [];
  });
  return `${said.join('\n')}\n`;
}

/** What it prints when it is run as a module inside the package, as readers run it. */
function printedBy(code: string): string {
  const flags = ['--input-type=module', '--eval', code];
  return execFileSync(process.execPath, flags, { encoding: 'utf8' });
}

describe('the page about the library', () => {
  it.each(examples)('tells what its example prints: $heading', ({ code }) => {
    expect(printedBy(code)).toBe(saidBy(code));
  });

  it('has an example in every section', () => {
    expect(examples).toHaveLength([...page.matchAll(/^#+ /gm)].length);
    for (const { code } of examples) expect(saidBy(code).length).toBeGreaterThan(1);
  });

  it('names every export', () => {
    for (const name of Object.keys(library)) expect(page).toMatch(new RegExp(`\\b${name}\\b`));
  });
});
