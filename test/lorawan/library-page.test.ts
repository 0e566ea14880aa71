/** `docs/library.md`: its examples print what their comments say, and it names every export. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import * as core from '../../core/library.ts';
import * as reports from '../../reports/library.ts';
import * as scenarios from '../../scenarios/scenarios.ts';
import * as library from '../../sim/library.ts';
import { examplesOf, printedBy, saidBy } from '../support/page-examples.ts';

const page = readFileSync('docs/library.md', 'utf8');

const examples = examplesOf(page);

describe('the page about the library', () => {
  let printed: readonly string[] = [];

  beforeAll(() => {
    printed = printedBy(examples.map(({ code }) => code!));
  });

  it.each(examples)('reports what its example prints: $heading', (example) => {
    expect(printed[examples.indexOf(example)]).toBe(saidBy(example.code!));
  });

  it('has an example in every section', () => {
    expect(examples).toHaveLength([...page.matchAll(/^#+ /gm)].length);
    for (const { code } of examples) expect(saidBy(code).length).toBeGreaterThan(1);
  });

  it('names every face', () => {
    const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: object };
    const faces = Object.keys(exports).filter((path) => !/[.]js(on)?$/.test(path));
    const named = [...page.matchAll(/^\| `fleetwave(\/\w+)`/gm)].map(([, face]) => `.${face}`);
    expect(named.sort()).toEqual(faces.sort());
  });

  it('names every export', () => {
    for (const name of [library, core, scenarios, reports].flatMap((face) => Object.keys(face)))
      expect(page).toMatch(new RegExp(`\\b${name}\\b`));
  });
});
