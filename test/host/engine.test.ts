/** How soon the engine optimises follows how long a run will be. */
import { setFlagsFromString } from 'node:v8';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { expectLongRun, expectRunOf, expectShortRun } from '../../api/host/engine.ts';

vi.mock('node:v8', () => ({ setFlagsFromString: vi.fn() }));
const versions = vi.spyOn(process, 'versions', 'get');
const real = process.versions;

const said = () => vi.mocked(setFlagsFromString).mock.calls.map(([flag]) => flag);
beforeEach(() => {
  vi.mocked(setFlagsFromString).mockClear();
  versions.mockReturnValue({ ...real, v8: '11.3.244.8-node.38' });
});

describe('the engine', () => {
  it('looks less often in what is short than in what is long', () => {
    expectShortRun();
    expectLongRun();
    expect(said()).toEqual(['--interrupt-budget=1000000', '--interrupt-budget=300000']);
  });

  it('is told of a run that takes its time, and not of one that is over soon', () => {
    expectRunOf(0.6);
    expect(said()).toEqual([]);
    expectRunOf(0.61);
    expect(said()).toEqual(['--interrupt-budget=300000']);
  });

  it('is left alone where it is another than that of Node.js 20', () => {
    versions.mockReturnValue({ ...real, v8: '12.4.254.21-node.33' });
    expectShortRun();
    expectLongRun();
    expect(said()).toEqual([]);
  });
});
