/**
 * Everything that Fleetwave says of broken files and misuses, in one page to read: gallery.txt.
 * `npm run gallery` writes it anew.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle, PROGRAM } from '../support/bundled.ts';
import { CachedProgram, type Ended } from '../support/cached-program.ts';
import { CASES, type Case, TOWN } from './cases.ts';

const PAGE = fileURLToPath(new URL('./gallery.txt', import.meta.url));
const WRITES = process.env.FLEETWAVE_GALLERY === 'write';

/** No variable of anyone who runs the tests has a say. */
const BARE = { PATH: process.env.PATH };

let folder = '';
let stored: CachedProgram;
beforeAll(async () => {
  bundle();
  folder = mkdtempSync(join(tmpdir(), 'fleetwave-gallery-'));
  stored = await CachedProgram.in(folder, BARE);
});
afterAll(() => {
  stored.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** What reads standard input has a process of its own. */
async function fleetwave(words: readonly string[], input: string | undefined): Promise<Ended> {
  if (words.includes('-')) {
    const options = { cwd: folder, encoding: 'utf8', input: input ?? '', env: BARE } as const;
    return spawnSync(process.execPath, [PROGRAM, ...words], options);
  }
  return stored.run(...words);
}

/** The town with these lines in the place of those that begin alike, or behind them. */
function townOf(lines: readonly string[]): string {
  const key = (line: string) => line.split(':')[0];
  const left = TOWN.filter((line) => !lines.some((other) => key(other) === key(line)));
  return `${[...left, ...lines].join('\n')}\n`;
}

const indented = (text: string) => text.replace(/^(?=.)/gm, '    ').replace(/(?<=[^\n])$/, '\n');

/** Files, words, what is printed on both streams, and the exit code, as they are on the page. */
async function entryOf({ title, line, town = [], files = {}, input }: Case): Promise<string> {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  const all = { 'town.yaml': townOf(town), ...files };
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text);
  const shown = Object.entries(town.length > 0 ? all : files);
  const words = line === '' ? [] : line.split(' ');
  const { status, stdout, stderr } = await fleetwave(words, input);
  const given = shown.map(([name, text]) => `${name}\n${indented(text) || '    (empty)\n'}`);
  const piped = input === undefined ? '' : `standard input\n${indented(input)}`;
  const said = `${stdout}${stderr}`.replaceAll(folder, '…');
  const typed = `$ fleetwave ${line}`.trimEnd();
  return `## ${title}\n\n${given.join('')}${piped}${typed}\n${said}exit code ${status}\n`;
}

describe.each(Object.entries(CASES))('%s', (chapter, cases) => {
  it.each(cases.map((one) => [one.title, one] as const))(
    '%s is reported as the page has it',
    async (_, one) => {
      const entry = await entryOf(one);
      expect(entry).not.toMatch(/\n\s+at .*:\d+:\d+/);
      expect(entry).toMatch(/\nexit code 2\n$/);
      const page = WRITES ? entry : readFileSync(PAGE, 'utf8');
      written.push(chapter, entry);
      const at = page.indexOf(`## ${one.title}\n`);
      expect(page.slice(at, at + entry.length)).toBe(entry);
    },
  );
});

const written: string[] = [];
afterAll(() => {
  if (!WRITES) return;
  const chapters = Object.keys(CASES).map((chapter) => {
    const entries = written.flatMap((text, i) =>
      i % 2 === 1 && written[i - 1] === chapter ? text : [],
    );
    return `# ${chapter}\n\n${entries.join('\n')}`;
  });
  writeFileSync(PAGE, chapters.join('\n\n'));
});

it('the page has every case once, and nothing else', () => {
  const titles = Object.values(CASES).flatMap((cases) => cases.map(({ title }) => title));
  expect(new Set(titles).size).toBe(titles.length);
  if (WRITES) return;
  const found = [...readFileSync(PAGE, 'utf8').matchAll(/^## (.*)$/gm)].map(([, title]) => title);
  expect(found).toEqual(titles);
});
