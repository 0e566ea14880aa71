/** What the README shows: what `npm start` prints, and the lines of its walk-through. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';

const PROGRAM = resolve('dist/fleetwave.js');

/** Blocks of code of the section: what serves, what is typed, and what that prints in the end. */
function walkThrough(): readonly string[] {
  const readme = readFileSync('README.md', 'utf8');
  const section = readme
    .split(/^## /m)
    .find((each) => each.startsWith('Point your client at it\n'))!;
  return [...section.matchAll(/(?:^ {4}.*\n)+/gm)].map(([block]) =>
    block.replaceAll(/^ {4}/gm, ''),
  );
}

const lacks = ['curl', 'jq', 'bash'].filter((tool) => spawnSync(tool, ['--version']).status !== 0);
if (lacks.length > 0)
  console.warn(`The walk-through is left out: there is no ${lacks.join(', ')}.`);

async function served<T>(folder: string, options: readonly string[], use: () => T): Promise<T> {
  const process_ = spawn(process.execPath, [PROGRAM, ...options], { cwd: folder });
  const ended = once(process_, 'exit');
  try {
    while (!existsSync(join(folder, 'ready.json'))) {
      expect(process_.exitCode).toBeNull();
      await setTimeout(20);
    }
    return use();
  } finally {
    process_.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
  }
}

describe('the README', () => {
  it('shows what npm start prints, shortened, whatever the pace of the machine', () => {
    const [, printed] = readFileSync('README.md', 'utf8').split(/^`npm start` prints.*$/m);
    const shown = [...printed!.slice(0, printed!.indexOf('\nand writes')).matchAll(/^ {4}(.+)$/gm)];
    const folder = mkdtempSync(join(tmpdir(), 'fleetwave-start-'));
    try {
      const start = ['run', resolve('scenarios/library/quickstart.yaml'), '--out', folder];
      const output = execFileSync(process.execPath, [PROGRAM, ...start], { encoding: 'utf8' });
      const comparable = (line: string) =>
        line.replace(/[\u00a0\u202f]/g, ' ').replace(/ in \S+ s \(.* times real time\)/, '');
      const lines = new Set(output.split('\n').map(comparable));
      expect(shown.length).toBeGreaterThan(20);
      const missing = shown.map(([, line]) => comparable(line!)).filter((one) => !lines.has(one));
      expect(missing).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the walk-through of the README', () => {
  const [serve, lines, printed] = walkThrough();

  it('has at most eight lines', () => {
    expect(lines!.trimEnd().split('\n').length).toBeLessThanOrEqual(8);
    expect(serve).toBe('npx fleetwave serve --ephemeral --paused --ready-file ready.json\n');
  });

  it.skipIf(lacks.length > 0)('ends with a finished campaign over 100 devices', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fleetwave-walk-'));
    try {
      const options = [...serve!.trim().split(' ').slice(2), '--port', '0'];
      const output = await served(folder, options, () =>
        execFileSync('bash', ['-e', '-c', lines!], { cwd: folder, encoding: 'utf8' }),
      );
      const result = JSON.parse(output.slice(output.lastIndexOf('{')));
      const shown = JSON.parse(printed!);
      expect(Object.keys(result)).toEqual(Object.keys(shown));
      expect(result.stage_str).toBe(shown.stage_str);
      expect(result.num_devices_success + result.num_devices_fail).toBe(100);
      expect(result.num_devices_success).toBe(100);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
