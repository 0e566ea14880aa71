/** Benches are run by hand, and seldom: what they build on has to be there all the time. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { itLong } from '../support/long.ts';

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

it('a bench of bursts answers in proportion', () => {
  const bursts = run('bursts.mjs', '--devices=60,120', '--json');
  for (const { points, slope } of bursts) {
    const [few, many] = points.map(({ downlinks }: { downlinks: number }) => downlinks);
    expect(few).toBeGreaterThan(10);
    expect(many).toBeGreaterThan(few);
    expect(slope).toEqual(expect.any(Number));
  }
});

it('a bench of logs finds the entries that there are', () => {
  const response = run('logs.mjs', '4000');
  const found = [
    'first page',
    'last page',
    'past the last',
    'the oldest alone',
    'nothing',
    'nobody',
  ];
  expect(found.map((name) => response[name].found)).toEqual([100, 100, 0, 1, 0, 0]);
});

itLong('a bench of growing towns delivers uplinks', () => {
  const { uplinks, delivered } = run('scaling.mjs', 'town', '250');
  expect(uplinks).toBeGreaterThan(1_000);
  expect(delivered).toBeGreaterThan(0.9);
});

itLong('the table of the bench has CPU, memory and yardsticks of each row', () => {
  const { figures, yardstick } = run('bench.mjs', '--json', '--runs=1', '--only=version,w1 100');
  expect(figures.map(({ name }: { name: string }) => name)).toEqual(['version', 'w1 100']);
  expect(figures[1]).toMatchObject({
    cpuSeconds: expect.any(Number),
    megabytes: expect.any(Number),
    yardsticks: yardstick > 0 ? expect.stringMatching(/^\d+\.\d$/) : '–',
  });
  expect(figures[1].cpuSeconds).toBeGreaterThan(0.05);
});

itLong('a warm loop reports uplinks a second, and a snapshot restores the same world', () => {
  const { uplinks, uplinksPerSecond } = run('warm.mjs', 'loop', '200');
  expect(uplinks).toBe(200 * 12);
  expect(uplinksPerSecond).toBeGreaterThan(0);
  expect(run('warm.mjs', 'snapshot', '200')).toMatchObject({ isSame: true });
});

itLong('the picture of growth has a point a size, and slopes of CPU and memory', () => {
  const svg = join(mkdtempSync(join(tmpdir(), 'fleetwave-growth-')), 'growth.svg');
  const { points, slopes } = run('scale.mjs', '--json', '--to=2000', `--svg=${svg}`);
  expect(points.map(({ devices }: { devices: number }) => devices)).toEqual([1_000, 2_000]);
  expect(slopes).toEqual({ cpu: expect.any(Number), memory: expect.any(Number) });
  expect(readFileSync(svg, 'utf8').match(/<circle /g)).toHaveLength(4);
});

itLong('a row of the table of cliffs has CPU, memory and forecast of each size', () => {
  const [row] = run('cliffs.mjs', '--json', '--sizes=1', 'faults');
  const point = { size: 100, seconds: expect.any(Number), megabytes: expect.any(Number) };
  expect(row.points).toMatchObject([{ ...point, isEnded: true }]);
  expect(row.points[0].forecast).toMatch(/of CPU time and \d+ MB$/);
});

itLong('each byte of memory counts to one of those who hold it', () => {
  const { numbers, objects, rows } = run('memory.mjs', '--json', '--devices=500');
  const holders = rows.map(({ holder }: { holder: string }) => holder);
  expect(holders).toEqual(expect.arrayContaining(['device devices', 'plan network devices']));
  const sum = (figure: string) =>
    rows.reduce((total: number, row: Record<string, number>) => total + row[figure]!, 0);
  expect(sum('numbers')).toBeCloseTo(numbers);
  expect(sum('objects')).toBeCloseTo(objects);
});

/** Of arrays that are as long for any number of devices nothing is counted. */
it('a device that only sends holds no more than 710 bytes of numbers, indexes too', () => {
  const [few, many] = ['200', '800'].map(
    (devices) => run('memory.mjs', '--json', `--devices=${devices}`).numbers * Number(devices),
  );
  const each = (many! - few!) / 600;
  expect(each).toBeGreaterThan(500);
  expect(each).toBeLessThanOrEqual(710);
});

itLong('a build compared with itself has the same digests, and a ratio within its interval', () => {
  const [row] = run('compare.mjs', '.', '--json', '--pairs=2', '--only=w1 100');
  expect(row).toMatchObject({ name: 'w1 100', isSame: true });
  expect(row.from).toBeLessThanOrEqual(row.ratio);
  expect(row.to).toBeGreaterThanOrEqual(row.ratio);
});

const STUDY_SCALE = fileURLToPath(new URL('../bench/study-scale.mjs', import.meta.url));

it('the page on scale has what the model of a study on an engine prints', () => {
  const printed = execFileSync(process.execPath, [STUDY_SCALE, 'model'], { encoding: 'utf8' });
  const page = fileURLToPath(new URL('../../docs/studies/scale.md', import.meta.url));
  expect(readFileSync(page, 'utf8')).toContain(printed);
});

itLong('a bench of merging has rows that the product takes for its own', () => {
  const { rows, chunks, merge } = run('study-scale.mjs', 'merge', '1000');
  expect({ rows, chunks }).toEqual({ rows: 1000, chunks: 10 });
  expect(merge.peakMegabytes).toBeGreaterThan(10);
});
