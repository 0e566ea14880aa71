/** docs/studies.md: `branchAt`, and `from: snapshot` beside it (docs/decisions/0088). */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Job, Runner } from '../../api/workers/task.ts';
import { World } from '../../core/world/world.ts';

const MINUTE_US = 60_000_000;
/** An image that is there before the worlds branch off, and what each point does with it after. */
const scenario = `scenario: pair
duration: 90 min
area: { radius: 1 km }
devices: [{ name: meter, count: 6, joinWithin: 1 min, traffic: { every: 5 min } }]
images: [{ name: v-2.0.0.bin, bytes: 1 kB }]
groups: [{ name: all, devices: all }]
campaigns: [{ name: update, image: v-2.0.0.bin, group: all, at: 45 min, redundancy: 10 % }]
timeline: [{ at: 20 min, downlink: { to: meter-1, fPort: 2, payload: "0a" } }]
`;

const jobOf = (more: Partial<Job> = {}): Job => ({
  manifest: { scenario, files: [], set: [], seed: 'a' },
  branchAtUs: 30 * MINUTE_US,
  warmUps: null,
  points: [[], ['campaigns.0.redundancy=80 %'], ['devices.0.count=6']],
  figures: ['campaign.updated'],
  ...more,
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetwave-warm-ups-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const files = () => readdirSync(join(folder, 'warm-ups')).sort();
const worlds = () => files().filter((each) => each.endsWith('.world'));

/** Rows of all points for these seeds, by a thread that has just begun. */
async function rows(job: Job, seeds: readonly string[] = ['a', 'b']) {
  const runner = new Runner(job);
  const done = [];
  for (const seed of seeds) {
    for (const point of job.points.keys()) {
      done.push(await runner.run({ point, seed }, { onPace: () => undefined, stops: () => false }));
    }
  }
  return done;
}

describe('points that branch off', () => {
  it('have the rows of worlds that were run from their beginning', async () => {
    const alone = await rows(jobOf({ branchAtUs: null }));
    expect(await rows(jobOf())).toEqual(alone);
    expect(await rows(jobOf({ warmUps: folder }))).toEqual(alone);
    // Now that it is there.
    expect(await rows(jobOf({ warmUps: folder }))).toEqual(alone);
  });

  it('leave nothing behind unless they are to begin from snapshots', async () => {
    await rows(jobOf());
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('from: snapshot', () => {
  it('simulates the warm-up of a seed once, anyone who asks for more points later', async () => {
    const created = vi.spyOn(World, 'create');
    await rows(jobOf({ warmUps: folder, points: [[]] }));
    expect([created.mock.calls.length, worlds()]).toEqual([
      2,
      [expect.anything(), expect.anything()],
    ]);
    const before = files();
    await rows(jobOf({ warmUps: folder }));
    expect([created.mock.calls.length, files()]).toEqual([2, before]);
    await rows(jobOf({ warmUps: folder }), ['c']);
    expect([created.mock.calls.length, worlds().length]).toEqual([3, 3]);
  });

  it('takes no warm-up for one of another instant or another fleet', async () => {
    await rows(jobOf({ warmUps: folder }), ['a']);
    for (const other of [{ branchAtUs: 20 * MINUTE_US }, { points: [['devices.0.count=7']] }]) {
      const alone = await rows(jobOf({ ...other, branchAtUs: null }), ['a']);
      expect(await rows(jobOf({ ...other, warmUps: folder }), ['a'])).toEqual(alone);
    }
    expect(worlds()).toHaveLength(3);
  });

  it.each([
    [
      'damaged',
      (bytes: Uint8Array) => bytes.with(bytes.length >> 1, bytes.at(bytes.length >> 1)! ^ 1),
    ],
    ['cut off', (bytes: Uint8Array) => bytes.subarray(0, bytes.length - 9)],
    ['empty', () => new Uint8Array()],
  ])('simulates it again where the file is %s', async (_, spoil) => {
    const alone = await rows(jobOf({ warmUps: folder }), ['a']);
    for (const name of files()) {
      const path = join(folder, 'warm-ups', name);
      writeFileSync(path, spoil(new Uint8Array(readFileSync(path))));
    }
    expect(await rows(jobOf({ warmUps: folder }), ['a'])).toEqual(alone);
  });

  it('runs all the same where nothing can be stored', async () => {
    writeFileSync(join(folder, 'warm-ups'), 'in the way');
    expect(await rows(jobOf({ warmUps: folder }))).toEqual(await rows(jobOf()));
  });

  it('simulates it again where contents that it names are gone', async () => {
    await rows(jobOf({ warmUps: folder }), ['a']);
    const contents = files().filter((each) => each.endsWith('.content'));
    expect(contents).not.toEqual([]);
    for (const each of contents) rmSync(join(folder, 'warm-ups', each));
    const created = vi.spyOn(World, 'create');
    await rows(jobOf({ warmUps: folder }), ['a']);
    expect([created.mock.calls.length, files()]).toEqual([1, [...contents, ...worlds()].sort()]);
  });
});
