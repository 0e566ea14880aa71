/**
 * The package as it would be published: what it carries, and that its faces serve a user's own
 * project, in the strictest TypeScript.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { itLong } from '../support/long.ts';
import { compiled, packInto, projectWith } from '../support/packed.ts';

const folder = mkdtempSync(join(tmpdir(), 'fleetwave-package-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { tarball, files } = packInto(folder);
const carried = new Set(files);
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly exports: Readonly<Record<string, string | { types: string; default: string }>>;
};

const SILENCING = `@ts-${'expect-error'}`;

describe('the package', () => {
  it('carries all pages of the documentation, and the OpenAPI document', () => {
    const pages = readdirSync('docs', { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    expect(pages.filter((page) => !carried.has(page))).toEqual([]);
    expect(pages).toContain('docs/openapi.json');
    expect(pages).toContain('docs/library.md');
  });

  it('carries whatever its README names', () => {
    const named = readFileSync('README.md', 'utf8').match(/\bdocs\/[\w./-]+\.\w+/g) ?? [];
    expect(named.filter((path) => !carried.has(path))).toEqual([]);
    expect(named.length).toBeGreaterThan(5);
  });

  it('carries every face with its types, the command line, and the library of scenarios', () => {
    const faces = Object.values(manifest.exports).flatMap((face) =>
      typeof face === 'string' ? [face] : [face.types, face.default],
    );
    expect(faces.filter((path) => !carried.has(path.replace(/^\.\//, '')))).toEqual([]);
    expect(files).toContain('dist/fleetwave.js');
    expect(files).toContain('scenarios/library/quickstart.yaml');
    expect(files).toContain('scenarios/studies/classes.csv');
    expect(files).toContain('scenarios/studies/scenarios/flat-street.yaml');
  });

  it('carries neither tests nor sources nor notes of the compiler', () => {
    const others = files.filter((path) =>
      /^(test|dist\/test|dist\/\.build)\/|\.test\.|\.tsbuildinfo$|(?<!\.d)\.ts$/.test(path),
    );
    expect(others).toEqual([]);
  });
});

describe('the faces in a fresh project', () => {
  const project = projectWith(tarball, 'test/fresh-project', join(folder, 'project'));

  it('have types that a strict compiler is content with, and that refuse what is wrong', () => {
    expect(compiled(project)).toBe('');
  });

  it('do what the program says', () => {
    const said = `import { figures, served } from './out/uses.js';
      console.log(JSON.stringify({ ...figures, status: await served() }));`;
    const flags = ['--input-type=module', '--eval', said];
    const printed = execFileSync(process.execPath, flags, { cwd: project, encoding: 'utf8' });
    expect(JSON.parse(printed)).toEqual({
      joined: true,
      again: true,
      restored: true,
      session: true,
      traced: true,
      reported: [
        expect.stringMatching(/^scenario.yaml:1:1 {2}\/devices {2}is missing/),
        expect.stringMatching(/"colour" is not a known key here/),
      ],
      warnings: 0,
      broken: {},
      reports: [true, '## ✓ fresh'],
      schema: true,
      arbitrary: 'function',
      airUs: 56_576,
      status: 200,
    });
  });

  itLong('would be refused if a type let a wrong use through', () => {
    appendFileSync(
      join(project, 'misuses.ts'),
      `
      // ${SILENCING} this one is right
      runScenario(TEXT, { seed: 'a' });
      runScenario(TEXT, { sed: 'a' });
    `,
    );
    const complaints = compiled(project).trim().split('\n');
    expect(complaints).toHaveLength(2);
    expect(complaints[0]).toContain(`Unused '${SILENCING}' directive`);
    expect(complaints[1]).toMatch(/'sed' does not exist.*'seed'/);
  });
});
