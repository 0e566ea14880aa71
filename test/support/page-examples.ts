/** Examples of pages of the documentation: what they say that they print, and what they print. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The examples of a page by the heading above them. */
export const examplesOf = (page: string) =>
  page.split(/^#+ /m).flatMap((section) => {
    const heading = section.slice(0, section.indexOf('\n'));
    return [...section.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => ({ heading, code }));
  });

/** What an example says that it prints: comments behind console.log, and lines of comment. */
export function saidBy(code: string): string {
  const said = code.split('\n').flatMap((line) => {
    const [, behind] = /console\.log\(.*\);\s*\/\/ (.*)$/.exec(line) ?? [];
    const [, alone] = /^\/\/ (.*)$/.exec(line) ?? [];
    return behind ?? alone ?? [];
  });
  return `${said.join('\n')}\n`;
}

/** Between what two examples print. */
const NEXT = '\n— the next example —\n';

/**
 * What each of them prints when it is run as a module inside the package, as readers run it; one
 * after the other in one process, which loads the package once. It has to end by itself.
 */
export function printedBy(codes: readonly string[]): string[] {
  mkdirSync('dist', { recursive: true });
  const folder = mkdtempSync(join('dist', 'examples-'));
  try {
    const steps = codes.map((code, i) => {
      writeFileSync(join(folder, `${i}.mjs`), code);
      const path = JSON.stringify(`./${folder}/${i}.mjs`);
      return `await import(${path}); process.stdout.write(${JSON.stringify(NEXT)});`;
    });
    const flags = ['--input-type=module', '--eval', steps.join('\n')];
    const printed = execFileSync(process.execPath, flags, { encoding: 'utf8' });
    return printed.split(NEXT).slice(0, codes.length);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
