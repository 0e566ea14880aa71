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
    outcome: 'f471fa2a9f1389b4',
    full: 'faff0a1acfe256f5',
  },
  'campaigns/five-thousand.yaml': {
    settings: ['devices.meter.count=500'],
    events: 60_726,
    outcome: '4b66d4be251feece',
    full: '4d2c207694a794e6',
  },
  'campaigns/too-little-redundancy.yaml': {
    settings: [],
    events: 26_640,
    outcome: '00ba4f298f173fe3',
    full: '10e9055780d9802b',
  },
  'quickstart.yaml': {
    settings: [],
    events: 189_494,
    outcome: '2546570e627c3f54',
    full: '180ab5551f835b80',
  },
  'validation/aloha-1000.yaml': {
    settings: ['duration=12 h'],
    events: 89_930,
    outcome: '6a20f068eef86a88',
    full: '4d29ff1688d215e1',
  },
  'validation/aloha-200.yaml': {
    settings: ['duration=1 d'],
    events: 44_976,
    outcome: '06bf3be660c6b7ed',
    full: '0c194fe1dba631ce',
  },
  'validation/aloha-50.yaml': {
    settings: ['duration=3 d'],
    events: 37_222,
    outcome: '5d9fdb0656ec7859',
    full: 'de6a45273e182472',
  },
  'validation/w1.yaml': {
    settings: [],
    events: 34_060,
    outcome: 'e5664ada22788683',
    full: 'b9c12250e1e7007b',
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
