/** Benches are run by hand, and seldom: what they build on has to be there all the time. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const run = (bench: string, ...words: readonly string[]) => {
  const file = fileURLToPath(new URL(`../bench/${bench}`, import.meta.url));
  return JSON.parse(execFileSync(process.execPath, [file, ...words], { encoding: 'utf8' }));
};

it('a bench of campaigns updates devices', () => {
  const { success, sent, stage } = run('campaigns.mjs', '20');
  expect(success).toBeGreaterThan(0);
  expect({ sent, stage }).toEqual({ sent: 263, stage: 'FINISHED' });
});

it('a bench of reliable downlinks sends again and again', () => {
  const { sent, tries } = run('reliable-downlinks.mjs', '20', 'job');
  expect(tries).toBeGreaterThan(20 * 12);
  expect(sent).toBeGreaterThanOrEqual(tries - 20);
});

it('a bench of logs finds the entries that there are', () => {
  const told = run('logs.mjs', '20000');
  const found = [
    'first page',
    'last page',
    'past the last',
    'the oldest alone',
    'nothing',
    'nobody',
  ];
  expect(found.map((name) => told[name].found)).toEqual([100, 100, 0, 1, 0, 0]);
});

it('a bench of growing towns delivers uplinks', () => {
  const { uplinks, delivered } = run('scaling.mjs', 'town', '250');
  expect(uplinks).toBeGreaterThan(1_000);
  expect(delivered).toBeGreaterThan(0.9);
});
