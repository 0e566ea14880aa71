/** `fleetwave exec` when the emulator itself is wrong. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { exec } from '../../api/cli/exec.ts';
import { World } from '../../core/world/world.ts';
import { assert } from '../../sim/base/assert.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('ends its command and itself with 70 once an invariant of the world is broken', async () => {
  const written: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  const folder = mkdtempSync(join(tmpdir(), 'exec-'));
  const hasBegun = join(folder, 'begun');
  const { runUntil } = World.prototype;
  vi.spyOn(World.prototype, 'runUntil').mockImplementation(function (this: World, ...words) {
    assert(!existsSync(hasBegun), 'time goes on');
    return runUntil.apply(this, words);
  });
  const begins = `require('node:fs').writeFileSync(${JSON.stringify(hasBegun)}, '')`;
  const waits = [process.execPath, '-e', `${begins}; setInterval(() => undefined, 1_000)`];
  expect(await exec({ seed: 'broken' }, waits)).toBe(70);
  expect(written.join('')).toContain('broken invariant: time goes on');
  rmSync(folder, { recursive: true });
});
