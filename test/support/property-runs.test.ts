/** A property that fails writes that at once, shrinks for a fixed time and can be run again. */
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { itLong } from './long.ts';
import { assertWith, countFrom } from './property-runs.ts';

/** As it is without what each test file is given. */
const plain = await vi.importActual<typeof import('fast-check')>('fast-check');

const NOTHING = { runs: undefined, shrinkMs: undefined };

/** Runs the property that fails, which would shrink for some minutes. */
function runFailing(env: Readonly<Record<string, string>>) {
  const config = 'test/failing/vitest.config.ts';
  const command = ['node_modules/vitest/vitest.mjs', 'run', '--config', config];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', FLEETWAVE_SHRINK_MS: '1500', FLEETWAVE_RUNS: '', ...env },
    timeout: 200_000,
  });
  return { status, ms: Number(/failing\.ts .*?(\d+)ms/.exec(stdout)?.[1]), stdout, stderr };
}

describe('a property that fails', () => {
  it('writes seed, path and first counter-example, and ends in time with the smallest one', () => {
    const { status, ms, stdout, stderr } = runFailing({ FLEETWAVE_SEED: '42' });
    expect(status).toBe(1);
    expect(stderr).toContain('a property fails: { seed: 42, path: "0" }; shrinking for 1.5 s\n');
    expect(stderr).toMatch(/first counter-example: \[\[\d+,/);
    expect(stderr).toMatch(/expected \d+ to be less than 990000/);
    expect(`${stdout}${stderr}`).toMatch(/\{ seed: 42, path: "0(:\d+)+", endOnFailure: true \}/);
    expect(ms).toBeLessThan(60_000);
  });

  itLong('says which fresh seed it had', () => {
    const { stdout, stderr } = runFailing({ FLEETWAVE_SEED: 'fresh', FLEETWAVE_SHRINK_MS: '100' });
    const seed = /seed of the law tests: (\d+)/.exec(stdout)?.[1];
    expect(stderr).toContain(`a property fails: { seed: ${seed}, path: "`);
  });
});

describe('properties', () => {
  const counting = (wishes: Parameters<typeof assertWith>[1]): number => {
    let runs = 0;
    const property = fc.property(fc.nat(), () => {
      runs++;
    });
    assertWith(plain, wishes)(property, { numRuns: 7 });
    return runs;
  };

  it('run as often as they say, or that many times that', () => {
    expect(counting(NOTHING)).toBe(7);
    expect(counting({ ...NOTHING, runs: '3' })).toBe(21);
  });

  it('run as a sample of that, unless somebody says how often', () => {
    expect(counting({ ...NOTHING, sample: 0.5 })).toBe(4);
    expect(counting({ ...NOTHING, sample: 0.01 })).toBe(1);
    expect(counting({ runs: '1', shrinkMs: undefined, sample: 0.5 })).toBe(7);
  });

  it('that wait for something are watched too', async () => {
    const written: string[] = [];
    const property = fc.asyncProperty(fc.nat(), async (n) => n < 0);
    const assert = assertWith(fc, NOTHING, (words) => written.push(words));
    await expect(assert(property)).rejects.toThrow('Property failed');
    expect(written.join()).toMatch(
      /first counter-example: \[\d+\]\nProperty failed by returning false/,
    );
  });

  it('are not run by a wish that is no number', () => {
    expect(() => counting({ ...NOTHING, runs: 'many' })).toThrow('FLEETWAVE_RUNS is many');
    expect(() => countFrom('FLEETWAVE_SHRINK_MS', '0', 1)).toThrow('not a whole number from 1 on');
  });
});
