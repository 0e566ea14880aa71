/** `docs/studies.md`: its example prints what the page says. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { diff } from '../../api/cli/diff.ts';
import { study } from '../../api/cli/study.ts';
import { studyRun } from '../../api/cli/study-run.ts';
import { loadScenario } from '../../scenarios/scenarios.ts';
import { itLong } from '../support/long.ts';

const PAGE = readFileSync('docs/studies.md', 'utf8');
const [SCENARIO = '', STUDY_FILE = ''] = [...PAGE.matchAll(/```yaml\n(.*?)```/gs)].map(
  ([, text]) => text,
);
const [STUDY = '', DIFF = '', POINTS = ''] = [...PAGE.matchAll(/```text\n(.*?)```/gs)].map(
  ([, text]) => text,
);

let folder = '';
const at = (name: string) => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetwave-studies-page-'));
  writeFileSync(at('town.yaml'), SCENARIO);
  writeFileSync(at('hills.yaml'), STUDY_FILE);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function printed(command: () => Promise<number>): Promise<string> {
  const written: string[] = [];
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    await command();
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
  return plain(written.join(''));
}

/** Columns are as wide as their widest row, and unbreakable spaces are spaces in the page. */
const plain = (text: string): string => text.replace(/[\u202f ]+/g, ' ');
const linesOf = (text: string): string[] => plain(text).trimEnd().split('\n');

const ran = (variant?: string) =>
  printed(() =>
    study({
      file: at('town.yaml'),
      set: [],
      report: false,
      seeds: '20',
      workers: '1',
      variant,
      out: at(variant ?? 'plain'),
    }),
  );

itLong('the table of the studies and what differs between them are those of the page', async () => {
  const summary = (await ran()).split('\n');
  expect(summary).toEqual(expect.arrayContaining(linesOf(STUDY)));
  await ran('hills');
  const differences = await printed(() => diff({ a: at('plain'), b: at('hills') }));
  expect(differences.split('\n')).toEqual(expect.arrayContaining(linesOf(DIFF)));
  const { rows } = JSON.parse(readFileSync(at('plain/study.json'), 'utf8'));
  const slowest = (row: { figures: Record<string, number> }) => row.figures['joinSeconds.max']!;
  const last = rows.toSorted((a: never, b: never) => slowest(b) - slowest(a))[0];
  expect(PAGE).toContain(`--seed ${last.seed} --trace`);
});

it('the scenario of the page is one', () => {
  expect(loadScenario(SCENARIO)).toMatchObject({ outcome: 'scenario' });
  expect(linesOf(STUDY).length + linesOf(DIFF).length).toBeGreaterThan(10);
});

itLong('the table of many points is that of the page', async () => {
  const options = { file: at('hills.yaml'), sink: at('points'), workers: '1' };
  const summary = (await printed(() => studyRun(options))).split('\n');
  expect(summary).toEqual(expect.arrayContaining(linesOf(POINTS)));
});
