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
    outcome: 'cec657cdb9c200b6',
    full: '37af2d0e794fdb1a',
  },
  'campaigns/five-thousand.yaml': {
    settings: ['devices.meter.count=500'],
    events: 60_726,
    outcome: 'c9640457a8cf66f1',
    full: '2d216dbad8c78010',
  },
  'campaigns/too-little-redundancy.yaml': {
    settings: [],
    events: 26_640,
    outcome: 'ae9549772e917df9',
    full: 'cb28e2f53bbb02f1',
  },
  'quickstart.yaml': {
    settings: [],
    events: 189_494,
    outcome: 'f9f68a83481775d9',
    full: '157201ed46f5dbe8',
  },
  'validation/aloha-1000.yaml': {
    settings: ['duration=12 h'],
    events: 89_930,
    outcome: '9437a7bedbf4e3b8',
    full: '0be6416d68e40863',
  },
  'validation/aloha-200.yaml': {
    settings: ['duration=1 d'],
    events: 44_976,
    outcome: '2de5cbbdb5f7cca0',
    full: 'c1dbf71af452a5f9',
  },
  'validation/aloha-50.yaml': {
    settings: ['duration=3 d'],
    events: 37_222,
    outcome: 'bd7a9756bc428153',
    full: '25e252cefa0a8154',
  },
  'validation/w1.yaml': {
    settings: [],
    events: 34_060,
    outcome: '4de6683a9f2dc8d7',
    full: 'a9d0c5cf00aa4efd',
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
