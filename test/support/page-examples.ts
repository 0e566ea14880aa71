/** Examples of pages of the documentation: what they say that they print, and what they print. */
import { execFileSync } from 'node:child_process';

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

/** What it prints when it is run as a module inside the package, as readers run it. */
export function printedBy(code: string): string {
  const flags = ['--input-type=module', '--eval', code];
  return execFileSync(process.execPath, flags, { encoding: 'utf8' });
}
