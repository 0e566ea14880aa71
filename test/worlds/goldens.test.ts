/**
 * What the scenarios of the library come to, to the last bit. A change of a figure here is a commit
 * of its own that says why the worlds are others now; `test/support/renew-goldens.mjs` writes it.
 */
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world.ts';
import { LIBRARY_FILES, libraryWorld } from '../support/library.ts';
import { carryOut, stopping, straightOn, tell, throughBytes } from '../support/worlds.ts';

interface Golden {
  /** Overrides that keep the run short. */
  readonly settings: readonly string[];
  readonly events: number;
  readonly outcome: string;
  readonly full: string;
}

const GOLDENS: Readonly<Record<string, Golden>> = {
  'campaigns/drifted-clocks.yaml': {
    settings: [],
    events: 67_025,
    outcome: 'fea5924161cc3280',
    full: 'd4737ee565b598ea',
  },
  'campaigns/five-thousand.yaml': {
    settings: ['devices.meter.count=500'],
    events: 60_726,
    outcome: 'a8d7179f4d9f54eb',
    full: '744bff00fd02f815',
  },
  'campaigns/too-little-redundancy.yaml': {
    settings: [],
    events: 26_654,
    outcome: '8abe3dc524d9dd92',
    full: 'fe6453a92bc7a8a6',
  },
  'quickstart.yaml': {
    settings: [],
    events: 188_854,
    outcome: 'c5aeda6b6031b9d4',
    full: 'e7f23944334c1cb7',
  },
  'regions/us915.yaml': {
    settings: [],
    events: 17_746,
    outcome: '490ebfb9f4c559f4',
    full: '72361f4180470588',
  },
  'validation/aloha-1000.yaml': {
    settings: ['duration=12 h'],
    events: 89_930,
    outcome: '17603042e3cf19be',
    full: '26f4bef819e5ca20',
  },
  'validation/aloha-200.yaml': {
    settings: ['duration=1 d'],
    events: 44_976,
    outcome: '6a7554ea644dcac7',
    full: 'a18de36a099ea1fc',
  },
  'validation/aloha-50.yaml': {
    settings: ['duration=3 d'],
    events: 37_222,
    outcome: '3b90baf54d02047f',
    full: 'ee6263655d163ef8',
  },
  'validation/w1.yaml': {
    settings: [],
    events: 34_060,
    outcome: '08e17f759e766595',
    full: '14c865c78ba839a3',
  },
};

describe('the library', () => {
  it('has a golden for each scenario', () => {
    expect(Object.keys(GOLDENS).sort()).toEqual(LIBRARY_FILES);
  });

  it.each(Object.entries(GOLDENS))('%s comes to its golden', (file, golden) => {
    const { settings, ...told } = golden;
    const { plan, seed } = libraryWorld(file, settings);
    const world = World.create(plan, seed);
    world.runUntil(world.endUs);
    expect({ events: world.events, ...world.digest() }).toEqual(told);
  });

  it.each(Object.entries(GOLDENS))('%s comes to the same through snapshots', (file, golden) => {
    const { plan, seed } = libraryWorld(file, golden.settings);
    const world = { plan, seed, commands: [] };
    const some = Math.ceil(golden.events / 7);
    const way = stopping([some], (one) => World.restore(plan, seed, throughBytes(one.snapshot())));
    expect(tell(carryOut(world, way))).toEqual(straightOn(world));
  });
});
