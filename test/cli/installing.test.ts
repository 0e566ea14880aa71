/** What npm does with the package: what it installs on the oldest Node.js, and when it builds. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

interface Package {
  readonly version?: string;
  readonly dev?: boolean;
  readonly engines?: { readonly node?: string };
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
};
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  readonly packages: Readonly<Record<string, Package>>;
};

/** The oldest version of Node.js that the package names. */
const oldest = manifest.engines.node.replace('>=', '');

const numbersOf = (version: string): readonly [number, number, number] => {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((each) => Number(each) || 0);
  return [major, minor, patch];
};

function isAtLeast(version: string, least: string): boolean {
  const [a, b] = [numbersOf(version), numbersOf(least)];
  for (const [i, number] of a.entries()) if (number !== b[i]) return number > b[i]!;
  return true;
}

/** Whether a range of npm has the version, as far as ranges of engines go. */
const allows = (range: string, version: string): boolean =>
  range.split('||').some((alternative) =>
    [...alternative.matchAll(/(>=|<=|<|>|\^|~|=)?\s*v?(\d[\d.x]*|\*)/g)].every(
      ([, sign = '', bound = '']) => {
        if (bound === '*') return true;
        if (sign === '>=') return isAtLeast(version, bound);
        if (sign === '>') return isAtLeast(version, bound) && version !== bound;
        if (sign === '<') return !isAtLeast(version, bound);
        const [major] = numbersOf(version);
        const isSame = major === numbersOf(bound)[0];
        return isSame && (sign === '' || isAtLeast(version, bound));
      },
    ),
  );

describe('what users install', () => {
  it('runs on the oldest Node.js that the package names', () => {
    const installed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);
    const others = installed.flatMap(([path, { version, engines }]) =>
      engines?.node === undefined || allows(engines.node, `${oldest}.0`)
        ? []
        : [`${path}@${version} needs Node.js ${engines.node}`],
    );
    expect(others).toEqual([]);
    expect(installed.length).toBeGreaterThan(100);
  });

  it('is what the lock file has: overrides hold in a checkout alone', () => {
    expect(manifest).not.toHaveProperty('overrides');
  });

  it('has ranges of engines that are read right', () => {
    const read = (range: string) => allows(range, '20.19.0');
    expect(['>=22', '^22 || >=24', '<20', '18', '>=20.20'].filter(read)).toEqual([]);
    const right = ['>=18', '18 || 20 || >=22', '^20.19.0 || >=22.12.0', '*', '20.x', '>=0.6'];
    expect(right.filter(read)).toEqual(right);
  });
});

describe('a checkout', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleetwave-prepare-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  // In the place of npm, which would take a second each time.
  writeFileSync(join(folder, 'npm'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 });

  /** What the step that prepares a checkout asks npm for, within a command of npm. */
  function prepared(command: string): string {
    const { PATH = '' } = process.env;
    const env = { ...process.env, PATH: `${folder}${delimiter}${PATH}`, npm_command: command };
    const words = [resolve('api/prepare.mjs')];
    return spawnSync(process.execPath, words, { cwd: folder, env, encoding: 'utf8' }).stdout;
  }

  it('uses what is built for npx, and builds where nothing is and for all else', () => {
    expect(manifest.scripts.prepare).toBe('node api/prepare.mjs');
    expect(prepared('exec')).toBe('run build\n');
    mkdirSync(join(folder, 'dist'));
    for (const file of ['fleetwave.js', 'study-worker.js']) {
      writeFileSync(join(folder, 'dist', file), '');
    }
    expect(prepared('exec')).toBe('');
    for (const command of ['ci', 'install', 'pack']) expect(prepared(command)).toBe('run build\n');
  });
});
