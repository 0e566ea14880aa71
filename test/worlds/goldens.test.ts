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
    events: 67_215,
    outcome: 'ae3f64410f61c70a',
    full: 'fb7c65edddb366b1',
  },
  'campaigns/five-thousand.yaml': {
    settings: ['devices.meter.count=500'],
    events: 60_726,
    outcome: 'a4d9eb9b98a1cefa',
    full: 'ddb4136ac959b4cb',
  },
  'campaigns/too-little-redundancy.yaml': {
    settings: [],
    events: 26_640,
    outcome: 'd1c0830f09e63ec1',
    full: '4970e3208a97c7b0',
  },
  'quickstart.yaml': {
    settings: [],
    events: 189_494,
    outcome: 'fc975f983dd34808',
    full: 'fcf728490bd3c311',
  },
  'validation/aloha-1000.yaml': {
    settings: ['duration=12 h'],
    events: 89_930,
    outcome: '5baa8f9d04a42111',
    full: '7cff5dc92f9639dc',
  },
  'validation/aloha-200.yaml': {
    settings: ['duration=1 d'],
    events: 44_976,
    outcome: 'd9a8945d65375fb2',
    full: '7cd762fcbf8877a1',
  },
  'validation/aloha-50.yaml': {
    settings: ['duration=3 d'],
    events: 37_222,
    outcome: '7df643be21ce7890',
    full: '769eefa93224119a',
  },
  'validation/w1.yaml': {
    settings: [],
    events: 34_060,
    outcome: '78f76f66fe1626d2',
    full: '86623b53d887bd2a',
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
