/** Recorder of single devices: sim/observation/recorder.ts. */
import { describe, expect, it } from 'vitest';
import { RECORDED_FATES } from '../../sim/contract/records.ts';
import { Recorder } from '../../sim/observation/recorder.ts';

const options = { devices: 4, sliceUs: 10, slices: 3, most: 100, steps: 2, frames: 1_000 };
const recorder = (change: Partial<typeof options> = {}) => new Recorder({ ...options, ...change });

const framesOf = (one: Recorder, device: number, mcAddr: number): (string | undefined)[] => {
  const group = one.recordOf(device)!.groups.get(mcAddr)!;
  return Array.from(
    { length: group.frames },
    (_, frame) => RECORDED_FATES[group.fates[frame]! - 1],
  );
};

describe('transmissions', () => {
  it('are counted by slice and by fate; what is after the last slice belongs to it', () => {
    const one = recorder();
    one.uplinkEnds(1, 0, 'received');
    one.uplinkEnds(1, 9, 'noise');
    one.uplinkEnds(1, 10, 'received');
    one.uplinkEnds(1, 500, 'noise');
    const { sent, lost, fates } = one.recordOf(1)!;
    expect([...sent]).toEqual([2, 1, 1]);
    expect([...lost]).toEqual([1, 0, 1]);
    expect(fates).toEqual({ received: 2, noise: 2 });
  });

  it('make a step where data rate or power are others, up to as many as are stored', () => {
    const one = recorder();
    one.uplinkBegins(0, 1, 5, 1_600);
    one.uplinkBegins(0, 2, 5, 1_600);
    one.uplinkBegins(0, 3, 5, 1_400);
    one.uplinkBegins(0, 4, 3, 1_400);
    const steps = one.recordOf(0)!.steps.map(({ atUs, dataRate }) => [atUs, dataRate]);
    expect(steps).toEqual([
      [1, 5],
      [3, 5],
    ]);
  });
});

describe('downlinks', () => {
  it('are counted by window: RX1, RX2, and all others', () => {
    const one = recorder();
    one.downlinkEnds(0, 1, true);
    one.downlinkEnds(0, 2, false);
    one.downlinkEnds(0, 0, true);
    expect(one.recordOf(0)!.downlinks).toEqual([
      { sent: 1, received: 1 },
      { sent: 1, received: 0 },
      { sent: 1, received: 1 },
    ]);
  });
});

describe('frames of a group', () => {
  it('stand by their counters from the first, which may wrap around', () => {
    const one = recorder();
    one.groupFrame(0, 7, 0xffff, 'heard');
    one.groupFrame(0, 7, 1, 'noise');
    one.groupFrame(1, 7, 0, 'heard');
    expect(framesOf(one, 0, 7)).toEqual(['heard', undefined, 'noise']);
    expect(framesOf(one, 1, 7)).toEqual([undefined, 'heard', undefined]);
    expect(one.recordOf(2)!.groups.size).toBe(0);
  });

  it('are heard when one of several gateways was, and lost when one that serves was not', () => {
    const one = recorder();
    for (const fate of ['outOfReach', 'heard', 'outOfReach', 'noise'] as const) {
      one.groupFrame(0, 7, 0, fate);
    }
    for (const fate of ['outOfReach', 'noise', 'outOfReach', 'interfered'] as const) {
      one.groupFrame(0, 7, 1, fate);
    }
    one.groupFrame(0, 7, 2, 'outOfReach');
    expect(framesOf(one, 0, 7)).toEqual(['heard', 'noise', 'outOfReach']);
  });

  it('are left out where no room is left', () => {
    const one = recorder({ frames: 64 });
    one.groupFrame(0, 7, 0, 'heard');
    one.groupFrame(1, 7, 0, 'heard');
    expect(one.recordOf(1)!.groups.size).toBe(0);
    expect(framesOf(one, 0, 7)).toEqual(['heard']);
  });
});

describe('a large network', () => {
  it('is sampled evenly, and devices that come later are left out', () => {
    const one = recorder({ devices: 10, most: 4 });
    for (let device = 0; device < 20; device++) one.uplinkEnds(device, 0, 'received');
    const recorded = Array.from({ length: 20 }, (_, device) => one.recordOf(device) !== undefined);
    expect(recorded.flatMap((is, device) => (is ? [device] : []))).toEqual([0, 3, 6, 9]);
  });
});
