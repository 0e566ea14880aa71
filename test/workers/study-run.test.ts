/** Seeds on one thread and on several: api/workers. */
import { describe, expect, it, vi } from 'vitest';
import { runSeeds } from '../../api/workers/study-run.ts';
import { type Done, faultOf, Runner } from '../../api/workers/task.ts';
import { World } from '../../core/world/world.ts';
import { bundle } from '../support/bundled.ts';

const manifest = {
  scenario: `scenario: pair
duration: 1 h
area: { radius: 1 km }
devices: [{ name: meter, count: 3, joinWithin: 1 min, traffic: { every: 5 min } }]
expectations: [joined >= 99 %, radio.received / radio.uplinks >= 0.9]
`,
  files: [],
  set: [],
  seed: 'a',
};
const SEEDS = ['a', 'a/2', 'a/3'];

async function rowsOn(threads: number, stops = () => false) {
  const done: Done[] = [];
  const shares: number[] = [];
  const ended = await runSeeds(manifest, SEEDS, threads, {
    onDone: (at, each) => {
      done[at] = each;
    },
    onPace: (_, { share }) => shares.push(share),
    stops,
  });
  return { ended, done, shares };
}

describe('the seeds of a study', () => {
  it('give the same rows on one thread and on two', async () => {
    bundle();
    const [one, several] = await Promise.all([rowsOn(1), rowsOn(2)]);
    expect(one.ended && several.ended).toBe(true);
    expect(one.done.map(({ row }) => row.seed)).toEqual(SEEDS);
    expect(several.done).toEqual(one.done);
    expect(one.done[0]!.units).toEqual(['share', null]);
    expect(Math.max(...one.shares)).toBe(1);
  });

  it('end when they are stopped', async () => {
    for (const threads of [1, 2]) {
      const { ended, done } = await rowsOn(threads, () => true);
      expect([ended, done.length < SEEDS.length]).toEqual([false, true]);
    }
  });

  it('that break are rows with their error', async () => {
    const create = vi.spyOn(World, 'create').mockImplementationOnce(() => {
      throw new RangeError('a frame has a time on air\n  at some line');
    });
    const { ended, done } = await rowsOn(1);
    create.mockRestore();
    expect(ended).toBe(true);
    expect(done[0]).toEqual({
      row: { seed: 'a', error: 'RangeError: a frame has a time on air' },
    });
    expect(done[1]!.row).toHaveProperty('digest');
  });

  it('are told in one line, whatever was thrown', () => {
    expect(faultOf('a', 'lost')).toEqual({ seed: 'a', error: 'lost' });
  });

  it('need a scenario without faults', () => {
    expect(() => new Runner({ ...manifest, scenario: 'devices: 3' })).toThrow(
      'what was loaded once is loaded again',
    );
  });
});
