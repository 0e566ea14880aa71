/** Each study of the library has a page whose table is that of its design, and is in the index. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { planOfStudy } from '../support/studied.ts';
import { pageOf, STUDIES, tableIn } from './study-pages.ts';

const INDEX = readFileSync('docs/studies.md', 'utf8');
const HEADS = 2;

describe('the library of studies', () => {
  it('has seven of them', () => {
    expect(STUDIES).toEqual([
      'classes',
      'delay-traffic',
      'drift-margin',
      'gateways-staggering',
      'rate-size-duty',
      'redundancy-loss',
      'retries-duration',
    ]);
  });

  it.each(STUDIES)('reports %s in the index and on a page, by the command that runs it', (name) => {
    expect(INDEX).toContain(`[${name}](studies/${name}.md)`);
    const page = readFileSync(pageOf(name), 'utf8');
    expect(page).toContain(`fleetwave study run scenarios/studies/${name}.yaml\n`);
  });

  it.each(STUDIES)('has no fault in %s, which is named after its file', async (name) => {
    const plan = await planOfStudy(name);
    expect(plan.study).toBe(name);
    expect(plan.description).toMatch(/\?$/);
  });

  it.each(STUDIES)('has in the table of %s the points of its design', async (name) => {
    const { points, parameters } = await planOfStudy(name);
    const rows = tableIn(name)
      .split('\n')
      .slice(HEADS)
      .map((row) => row.split(' | ').slice(0, parameters.length));
    const levels = points.map((point) => point.levels.map(({ label }) => label));
    expect(rows.map(([first, ...more]) => [first!.slice('| '.length), ...more])).toEqual(levels);
  });
});
