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
  'campaigns/class-b.yaml': {
    settings: [],
    events: 20_041,
    outcome: 'ca985b6a0632d16f',
    full: 'b8a9fcf4e6c3a61d',
  },
  'campaigns/drifted-clocks.yaml': {
    settings: [],
    events: 64_850,
    outcome: '1299ab74e72ac07a',
    full: 'a6c2298571c26b2e',
  },
  'campaigns/five-thousand.yaml': {
    settings: ['devices.meter.count=500'],
    events: 56_572,
    outcome: '60945c2ffd340517',
    full: '6e90db137ed16e64',
  },
  'campaigns/ten-thousand.yaml': {
    settings: [
      'devices.meter.count=400',
      'campaigns.large.multicast_setup_time=2 h',
      'duration=8 h',
    ],
    events: 122_582,
    outcome: 'bd7b2fb8e7340da9',
    full: '2700c2aaa4c5fbb3',
  },
  'campaigns/too-little-redundancy.yaml': {
    settings: [],
    events: 25_188,
    outcome: '9cd3ff26b7573031',
    full: '71e672221abe4c99',
  },
  'campaigns/version-2.yaml': {
    settings: [],
    events: 59_894,
    outcome: 'ea6e3face9ed3268',
    full: '56f4986ec06761d4',
  },
  'quickstart.yaml': {
    settings: [],
    events: 179_330,
    outcome: 'e22bdc6968b42f82',
    full: 'dbb74bac1f0ae512',
  },
  'regions/as923-dwell.yaml': {
    settings: [],
    events: 21_897,
    outcome: '818eb3f178cead5e',
    full: '648522d3575ea13f',
  },
  'regions/kr920.yaml': {
    settings: [],
    events: 37_224,
    outcome: 'e74f57aace5b2934',
    full: '94b82f845c120e4b',
  },
  'regions/us915.yaml': {
    settings: [],
    events: 17_738,
    outcome: '4a8f807c325e218c',
    full: '91c284f1bfc42cc4',
  },
  'validation/aloha-1000.yaml': {
    settings: ['duration=12 h'],
    events: 89_930,
    outcome: 'c82cace5ae2d3fd8',
    full: '8325bd6cb100bfd2',
  },
  'validation/aloha-200.yaml': {
    settings: ['duration=1 d'],
    events: 44_976,
    outcome: '71ee89c46a574814',
    full: '4407d637f9e1c243',
  },
  'validation/aloha-50.yaml': {
    settings: ['duration=3 d'],
    events: 37_222,
    outcome: '4d1bfd85abc4810d',
    full: '7d03486736ca69b5',
  },
  'validation/capture.yaml': {
    settings: ['duration=1 d'],
    events: 45_812,
    outcome: 'bf2a560d93c095fd',
    full: '58e8b2595a9a3bc6',
  },
  'validation/w1.yaml': {
    settings: [],
    events: 34_060,
    outcome: 'f05afa62fe993044',
    full: '9ff44617fb564c4c',
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
