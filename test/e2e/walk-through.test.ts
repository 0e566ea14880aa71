/** The README's walk-through: its lines, run by bash against a program that serves. */
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
