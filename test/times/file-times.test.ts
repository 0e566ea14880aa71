/** Recorded times of test files: what has grown, what is slow, how they are written. */
import { describe, expect, it } from 'vitest';
import { type FileTimes, grownFiles, slowFiles, type Times, timesText } from './file-times.ts';

const took = (wall: number): FileTimes => ({
  cpu: wall,
  wall,
  import: 0,
  setUp: 0,
  run: wall,
  waiting: 0,
});

const RECORDED: Times = { 'a.test.ts': took(100), 'b.test.ts': took(300), 'c.test.ts': took(600) };

describe('a file whose share of a run has grown', () => {
  it('is named with its share and the recorded one', () => {
    const grown = grownFiles({ 'a.test.ts': 400, 'b.test.ts': 300, 'c.test.ts': 300 }, RECORDED);
    expect(grown).toEqual([{ path: 'a.test.ts', share: 0.4, recordedShare: 0.1 }]);
  });

  it('is not named when the whole run is slower: shares are compared', () => {
    const slower = { 'a.test.ts': 1_000, 'b.test.ts': 3_000, 'c.test.ts': 6_000 };
    expect(grownFiles(slower, RECORDED)).toEqual([]);
  });

  it('is named from a little above twice the recorded share', () => {
    const withShare = (share: number) =>
      grownFiles(
        { 'a.test.ts': share, 'b.test.ts': 400 - share / 2, 'c.test.ts': 600 - share / 2 },
        RECORDED,
      ).map(({ path }) => path);
    expect(withShare(205)).toEqual([]);
    expect(withShare(206)).toEqual(['a.test.ts']);
  });

  it('may be a new file, which has no recorded share', () => {
    const grown = grownFiles({ ...walls(RECORDED), 'd.test.ts': 200 }, RECORDED);
    expect(grown.map(({ path, recordedShare }) => [path, recordedShare])).toEqual([
      ['d.test.ts', 0],
    ]);
  });

  it('is not looked for in a run of less than half of the files', () => {
    expect(grownFiles({ 'a.test.ts': 900 }, RECORDED)).toEqual([]);
  });
});

const walls = (times: Times): Record<string, number> =>
  Object.fromEntries(Object.entries(times).map(([path, { wall }]) => [path, wall]));

describe('the recorded times', () => {
  it('are slow files from 0.35 s of CPU time on', () => {
    expect(slowFiles({ 'a.test.ts': took(349), 'b.test.ts': took(350) })).toEqual(['b.test.ts']);
  });

  it('are written a line a file, in order of path, and read back', () => {
    const { 'c.test.ts': last, ...others } = RECORDED;
    const text = timesText({ 'c.test.ts': last!, ...others });
    expect(text).toBe(timesText(RECORDED));
    expect(text.split('\n')).toHaveLength(3 + 2 + 1);
    expect(JSON.parse(text)).toEqual(RECORDED);
  });
});
