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
    outcome: '5e6adac1eaa86307',
    full: 'c9cedc3e00e76769',
  },
  'campaigns/five-thousand.yaml': {
    settings: ['devices.meter.count=500'],
    events: 60_726,
    outcome: '875f19711a64aac0',
    full: '68556e3460e76e1b',
  },
  'campaigns/too-little-redundancy.yaml': {
    settings: [],
    events: 26_654,
    outcome: 'b5d6437bdbbaaa8c',
    full: '6e1fab72d46f6a87',
  },
  'quickstart.yaml': {
    settings: [],
    events: 188_854,
    outcome: '6870951c100b32bc',
    full: '5c13b3cd808e162b',
  },
  'regions/us915.yaml': {
    settings: [],
    events: 17_738,
    outcome: '46fc75b80d8a08d3',
    full: '058f37353dc48d7b',
  },
  'validation/aloha-1000.yaml': {
    settings: ['duration=12 h'],
    events: 89_930,
    outcome: '2ca94a5dcc94f2b2',
    full: '6a576e76d36e3224',
  },
  'validation/aloha-200.yaml': {
    settings: ['duration=1 d'],
    events: 44_976,
    outcome: '7658ac54dec9a05d',
    full: '3413b654d8eec8a4',
  },
  'validation/aloha-50.yaml': {
    settings: ['duration=3 d'],
    events: 37_222,
    outcome: '0e26725dbe25deeb',
    full: 'ba221ad8c9737502',
  },
  'validation/w1.yaml': {
    settings: [],
    events: 34_060,
    outcome: 'd52032b176d49ecd',
    full: '5737ba593579388e',
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
