/** `--seeds` and `--workers` as they are given: api/cli/seed-options.ts. */
import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import type { RunOptions } from '../../api/cli/run-options.ts';
import {
  refuseWhatFollowsOneWorld,
  seedsOf,
  threadsWorth,
  workersOf,
} from '../../api/cli/seed-options.ts';

const given = (more: Partial<RunOptions>): RunOptions => ({
  file: 'town.yaml',
  set: [],
  report: true,
  ...more,
});
const COST = { secondsEach: 0.5, workers: 2 };
const seeds = (more: Partial<RunOptions>, root = 'town') => seedsOf(given(more), root, COST);

describe('--seeds', () => {
  it('makes that many of the root, or takes those that are named', () => {
    expect(seeds({ seeds: '3' })).toEqual(['town', 'town/2', 'town/3']);
    expect(seeds({ seeds: '7..9' })).toEqual(['7', '8', '9']);
    expect(seeds({ seeds: 'a,b' })).toEqual(['a', 'b']);
    expect(seeds({ seeds: '10000' })).toHaveLength(10_000);
  });

  it.each([
    [
      { seeds: '0' },
      /^fleetwave run: --seeds "0" is not right; allowed: how many \(1 to 10000\), /,
    ],
    [{ seeds: '10001' }, /; these worlds would take about 41.min 40.s on 2 threads$/],
    [
      { seeds: 'a' },
      /--seeds "a" is not right; allowed: .*, or at least two that differ \(a,b,c\)$/,
    ],
    [{ seeds: 'a,b', seed: 'c' }, /--seed does not go with a list of seeds/],
    [{ seeds: `a,${'c'.repeat(201)}` }, /has a seed that is too long; allowed: 200 characters/],
  ])('%j is refused', (more, complaint) => {
    expect(() => seeds(more)).toThrow(complaint);
  });

  it('needs a root that leaves room for the number', () => {
    expect(() => seeds({ seeds: '2' }, 'c'.repeat(195))).toThrow('allowed: 1 to 194 characters');
    expect(seeds({ seeds: '2' }, 'c'.repeat(194))[1]).toHaveLength(196);
    expect(seeds({ seeds: '1' }, 'c'.repeat(200))).toHaveLength(1);
  });

  it.each([
    ['trace', 'trace'],
    ['trace-keys', 'traceKeys'],
    ['logs', 'logs'],
    ['deliveries', 'deliveries'],
    ['pcap', 'pcap'],
    ['watch', 'watch'],
  ])('does not go with --%s', (name, option) => {
    const options = given({ [option]: 'x' });
    expect(() => refuseWhatFollowsOneWorld(options)).toThrow(
      `fleetwave run: --${name} follows one world, and --seeds runs many; ` +
        `one alone: fleetwave run FILE --seed SEED --${name}`,
    );
    expect(() => refuseWhatFollowsOneWorld(given({ watch: false }))).not.toThrow();
  });
});

describe('--workers', () => {
  it('is one a core when it is not said', () => {
    expect(workersOf(given({}))).toBe(availableParallelism());
    expect(workersOf(given({ workers: '4' }))).toBe(4);
  });

  it.each(['0', '257', 'many'])('%s is refused', (workers) => {
    expect(() => workersOf(given({ workers }))).toThrow(
      `fleetwave run: --workers "${workers}" is not right; allowed: a whole number from 1 to 256`,
    );
  });
});

describe('threads that nobody gives the number of', () => {
  it.each([
    [0, 1],
    [9.9, 1],
    [19.9, 1],
    [20, 2],
    [39.9, 3],
    [40, 4],
    [4_000, 4],
  ])('of %d s of CPU time on four cores are %d: one for each ten seconds', (seconds, threads) => {
    expect(threadsWorth(seconds, 4)).toBe(threads);
  });
});
