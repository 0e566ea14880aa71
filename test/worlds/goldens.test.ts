/**
 * What the scenarios of the library come to, to the last bit. A change of a figure here is a commit
 * of its own that says why the worlds are others now; `test/support/renew-goldens.mjs` writes it.
 */
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { LIBRARY_FILES, libraryWorld } from '../support/library.ts';
import { carryOut, outcomeOf, stopping, straightOn, throughBytes } from '../support/worlds.ts';

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
    outcome: 'fe51c6bfb2559ac4',
    full: '6d2760fe719babbe',
  },
  'campaigns/drifted-clocks.yaml': {
    settings: [],
    events: 64_850,
    outcome: 'cb9ccf5b72d33e02',
    full: '0d2bb893be9095a2',
  },
  'campaigns/five-thousand.yaml': {
    settings: ['devices.meter.count=500'],
    events: 56_572,
    outcome: '47af25eb87f68c7c',
    full: '6d7c9f8552f0243a',
  },
  'campaigns/ten-thousand.yaml': {
    settings: [
      'devices.meter.count=400',
      'campaigns.large.multicast_setup_time=2 h',
      'duration=8 h',
    ],
    events: 122_582,
    outcome: '0f679360b42ee6b9',
    full: 'c4ada6383e4c5ec1',
  },
  'campaigns/too-little-redundancy.yaml': {
    settings: [],
    events: 25_188,
    outcome: '515093110ca7042c',
    full: '9525db3dbb76bbb1',
  },
  'campaigns/version-2.yaml': {
    settings: [],
    events: 59_894,
    outcome: '68db6282b1e8a4e4',
    full: '2dee45e7cc9416a2',
  },
  'quickstart.yaml': {
    settings: [],
    events: 179_330,
    outcome: 'd4e02bd7b963ddf0',
    full: 'a220d23dbb2056e0',
  },
  'regions/as923-dwell.yaml': {
    settings: [],
    events: 21_897,
    outcome: '5bb6b3b027a60aec',
    full: 'f03b9d4e5e3d082e',
  },
  'regions/kr920.yaml': {
    settings: [],
    events: 37_224,
    outcome: 'efe625e766a75ee7',
    full: 'e187f3c49154c687',
  },
  'regions/us915.yaml': {
    settings: [],
    events: 17_738,
    outcome: 'a19c2ee885b9e4d9',
    full: '64ad98c666d3fdd1',
  },
  'validation/aloha-1000.yaml': {
    settings: ['duration=12 h'],
    events: 89_930,
    outcome: 'fb274121a85ddafb',
    full: 'e84f38936b138864',
  },
  'validation/aloha-200.yaml': {
    settings: ['duration=1 d'],
    events: 44_976,
    outcome: '03d3434aecd3e470',
    full: '8171a2f6c3b41d64',
  },
  'validation/aloha-50.yaml': {
    settings: ['duration=3 d'],
    events: 37_222,
    outcome: '43800e161845be19',
    full: 'c4935ca45f934473',
  },
  'validation/capture.yaml': {
    settings: ['duration=1 d'],
    events: 45_812,
    outcome: 'dcddd106e6c5a771',
    full: '1bdf972761537c9b',
  },
  'validation/w1.yaml': {
    settings: [],
    events: 34_060,
    outcome: '5257b4b945aecaa6',
    full: 'c2b74fb299b71eb9',
  },
};

describe('the library', () => {
  it('has a golden for each scenario', () => {
    expect(Object.keys(GOLDENS).sort()).toEqual(LIBRARY_FILES);
  });

  it.each(Object.entries(GOLDENS))('%s comes to its golden', (file, golden) => {
    const { settings, ...known } = golden;
    const { plan, seed } = libraryWorld(file, settings);
    const world = World.create(plan, seed);
    world.runUntil(world.endUs);
    expect({ events: world.events, ...world.digest() }).toEqual(known);
  });

  it.each(Object.entries(GOLDENS))('%s comes to the same through snapshots', (file, golden) => {
    const { plan, seed } = libraryWorld(file, golden.settings);
    const world = { plan, seed, commands: [] };
    const some = Math.ceil(golden.events / 7);
    const way = stopping([some], (one) => World.restore(plan, seed, throughBytes(one.snapshot())));
    expect(outcomeOf(carryOut(world, way))).toEqual(straightOn(world));
  });
});
