/** The Python module: it is installed by pip into a fresh environment, and its own tests pass. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERSION } from '../../reports/version.ts';
import { bundle, PROGRAM } from '../support/bundled.ts';

const MODULE = fileURLToPath(new URL('../../python', import.meta.url));

function run(program: string, words: readonly string[], cwd?: string) {
  const env = { ...process.env, FLEETWAVE_PROGRAM: PROGRAM, PIP_DISABLE_PIP_VERSION_CHECK: '1' };
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, env, encoding: 'utf8' });
  return { status, said: `${stdout ?? ''}${stderr ?? ''}` };
}

/** Debian has them as python3-venv, python3-pytest and python3-wheel. */
const isThere = run('python3', ['-c', 'import venv, ensurepip, pytest, setuptools']).status === 0;
if (!isThere) {
  process.stderr.write('SKIPPED: tests of python/, as python3 with venv and pytest is missing\n');
}

let folder = '';
beforeAll(() => {
  bundle();
  // Building leaves files beside the sources.
  folder = mkdtempSync(join(tmpdir(), 'fleetwave-python-'));
  cpSync(MODULE, join(folder, 'python'), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Builds with what is there, or with what pip fetches. */
function install(): string {
  const python = join(folder, 'venv', 'bin', 'python');
  expect(run('python3', ['-m', 'venv', '--system-site-packages', join(folder, 'venv')]).said).toBe(
    '',
  );
  const words = ['-m', 'pip', 'install', '--quiet', '--no-deps'];
  const offline = [...words, '--no-index', '--no-build-isolation', './python'];
  if (run(python, offline, folder).status === 0) return python;
  const online = run(python, [...words, './python'], folder);
  expect(online).toMatchObject({ status: 0 });
  return python;
}

describe.skipIf(!isThere)('the folder python/', () => {
  it('is installed by pip, and its own tests pass against the program', () => {
    const python = install();
    const tests = run(
      python,
      ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'python/tests'],
      folder,
    );
    expect(tests).toMatchObject({ status: 0 });
    expect(tests.said).toMatch(/\d{2} passed/);
  }, 120_000);
});

describe('pyproject.toml', () => {
  const text = readFileSync(join(MODULE, 'pyproject.toml'), 'utf8');

  it('has the version of the product, and needs nothing to read results as rows', () => {
    expect(text).toContain(`\nversion = "${VERSION}"\n`);
    expect(text).toContain('\ndependencies = []\n');
  });

  it('registers the plugin of pytest', () => {
    expect(text).toContain(
      '[project.entry-points.pytest11]\nfleetwave = "fleetwave.pytest_plugin"',
    );
  });
});
