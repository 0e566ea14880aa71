/** Worlds on one thread: api/workers; on several test/e2e/studies.test.ts runs them. */
import { describe, expect, it, vi } from 'vitest';
import { runTasks } from '../../api/workers/study-run.ts';
import { type Done, faultOf, Runner } from '../../api/workers/task.ts';
import { World } from '../../core/world/world.ts';

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
const TASKS = SEEDS.map((seed) => ({ point: 0, seed }));
const job = {
  manifest,
  branchAtUs: null,
  warmUps: null,
  points: [[]],
  figures: ['devices.populations.meter.joined'],
};
const onLost = () => expect.fail('no thread is lost');

async function rows(stops = () => false) {
  const done: Done[] = [];
  const shares: number[] = [];
  const ended = await runTasks(job, TASKS, 1, {
    onLost,
    onDone: (at, each) => {
      done[at] = each;
    },
    onPace: (_, { share }) => shares.push(share),
    stops,
  });
  return { ended, done, shares };
}

describe('the seeds of a study', () => {
  it('end in their order on one thread, with how far each is', async () => {
    const { ended, done, shares } = await rows();
    expect(ended).toBe(true);
    expect(done.map(({ row }) => row.seed)).toEqual(SEEDS);
    expect(done[0]!.units).toEqual(['share', null]);
    expect(done[0]!.row).toMatchObject({ figures: { 'devices.populations.meter.joined': 3 } });
    expect(Math.max(...shares)).toBe(1);
  });

  it('end when they are stopped', async () => {
    expect((await rows(() => true)).ended).toBe(false);
    let done = 0;
    const stopped = await runTasks(job, TASKS, 1, {
      onLost,
      onDone: () => void done++,
      onPace: () => undefined,
      stops: () => done === 2,
    });
    expect([stopped, done]).toEqual([false, 2]);
  });

  it('that break are rows with their error', async () => {
    const create = vi.spyOn(World, 'create').mockImplementationOnce(() => {
      throw new RangeError('a frame has a time on air\n  at some line');
    });
    const { ended, done } = await rows();
    create.mockRestore();
    expect(ended).toBe(true);
    expect(done[0]).toEqual({
      row: { seed: 'a', error: 'RangeError: a frame has a time on air' },
    });
    expect(done[1]!.row).toHaveProperty('digest');
  });

  it('are reported in one line, whatever was thrown', () => {
    expect(faultOf('a', 'lost')).toEqual({ seed: 'a', error: 'lost' });
  });

  it('need a scenario without faults', async () => {
    await expect(
      new Runner({ ...job, manifest: { ...manifest, scenario: 'devices: 3' } }).run(
        { point: 0, seed: 'a' },
        { onPace: () => undefined, stops: () => false },
      ),
    ).rejects.toThrow('what was loaded once is loaded again');
  });
});
