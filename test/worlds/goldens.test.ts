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
    outcome: 'b76de0f23c192535',
    full: '27a093ea4efd076d',
  },
  'campaigns/five-thousand.yaml': {
    settings: ['devices.meter.count=500'],
    events: 60_726,
    outcome: '3f16643b303845ab',
    full: '52042b5684dd5a62',
  },
  'campaigns/too-little-redundancy.yaml': {
    settings: [],
    events: 26_654,
    outcome: '763c0be6e5d546a5',
    full: '4024ad1920560e4b',
  },
  'quickstart.yaml': {
    settings: [],
    events: 188_854,
    outcome: 'ac1c77f830a13385',
    full: '77c5907bd94b268d',
  },
  'regions/us915.yaml': {
    settings: [],
    events: 17_746,
    outcome: '577037cd46b2c93b',
    full: '84e12fa61f47e66c',
  },
  'validation/aloha-1000.yaml': {
    settings: ['duration=12 h'],
    events: 89_930,
    outcome: 'e00b6c49494c8bd9',
    full: '67ea626e7e0faa83',
  },
  'validation/aloha-200.yaml': {
    settings: ['duration=1 d'],
    events: 44_976,
    outcome: '0ddf2a9b1475e8a9',
    full: '12b7968af9230132',
  },
  'validation/aloha-50.yaml': {
    settings: ['duration=3 d'],
    events: 37_222,
    outcome: '33c1e5cf8fa70b30',
    full: '78fb5708a19c7a30',
  },
  'validation/w1.yaml': {
    settings: [],
    events: 34_060,
    outcome: '8816bd556af0d37a',
    full: '4a43d0e684cf8b33',
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
