/** Stories that a run recorded are those that a replay of it has, to the last digit. */
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { explain } from '../../scenarios/explain/explain.ts';
import { populate, seedOf } from '../../scenarios/filling/populate.ts';
import { libraryScenario } from '../support/library.ts';
import { explainedAlike, recordedRun, replayed } from '../support/stories.ts';

const ofLibrary = (file: string, set: readonly string[]) => {
  const scenario = libraryScenario(file, set);
  return recordedRun(populate(scenario), seedOf(scenario));
};

describe('stories that a run recorded', () => {
  it.each([
    ['noise at a gateway', 'noise-for-a-while', ['devices.meter.count=4', 'duration=14 h']],
    ['joins after a power cut', 'rejoin-storm', ['devices.device.count=6', 'duration=15 h']],
    ['a campaign, and an outage', 'gateway-outage', ['devices.meter.count=2']],
  ])('are those of a replay: %s', (_, file, set) => {
    const run = ofLibrary(`questions/${file}.yaml`, set);
    expect(run.recorded).toBeDefined();
    explainedAlike(run);
  });

  it('are read instead of a replay, but for an earlier instant', () => {
    const run = ofLibrary('questions/noise-for-a-while.yaml', ['devices.meter.count=2']);
    const another = { ...run, trunk: { ...run.trunk, name: 'another' } };
    const asked = { of: 'device', name: 'meter-1', whatIf: false } as const;
    const { create } = World;
    let worlds = 0;
    World.create = ((...given: Parameters<typeof create>) => {
      worlds++;
      return create.apply(World, given);
    }) as typeof create;
    try {
      explain(another, asked);
      expect(worlds).toBe(0);
      explain(another, { ...asked, atUs: 3_600e6 });
      expect(worlds).toBe(1);
      explain(replayed(another), asked);
      expect(worlds).toBe(2);
    } finally {
      World.create = create;
    }
  });

  it('are none of real frames, whose commands nobody can read', () => {
    const set = ['devices.meter.count=1', 'duration=1 h', 'frames=real', 'timeline=null'];
    expect(ofLibrary('questions/noise-for-a-while.yaml', set).recorded).toBeUndefined();
  });
});
