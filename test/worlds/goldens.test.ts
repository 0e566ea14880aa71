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
    outcome: '4f3aa39abdd3bee8',
    full: 'f4167e9e05c8a041',
  },
  'campaigns/drifted-clocks.yaml': {
    settings: [],
    events: 64_850,
    outcome: '2fd2923509e74bf2',
    full: 'df0633151e0266d8',
  },
  'campaigns/five-thousand.yaml': {
    settings: ['devices.meter.count=500'],
    events: 56_572,
    outcome: 'bae0d76761d4d373',
    full: '7742a03ceb2fc900',
  },
  'campaigns/ten-thousand.yaml': {
    settings: [
      'devices.meter.count=400',
      'campaigns.large.multicast_setup_time=2 h',
      'duration=8 h',
    ],
    events: 122_582,
    outcome: '3a38c138c320a9bd',
    full: 'a6180c70242905d3',
  },
  'campaigns/too-little-redundancy.yaml': {
    settings: [],
    events: 25_188,
    outcome: 'ff95413704234c83',
    full: 'db252abf55b00c80',
  },
  'campaigns/version-2.yaml': {
    settings: [],
    events: 59_894,
    outcome: 'dffd5226671d180f',
    full: '9ebb94a9f5f8cbb1',
  },
  'quickstart.yaml': {
    settings: [],
    events: 179_330,
    outcome: 'e9b3a1fbabd801bd',
    full: '13002ecf40058314',
  },
  'regions/as923-dwell.yaml': {
    settings: [],
    events: 21_897,
    outcome: '858e55e86bb44e91',
    full: '4ddb767dcd5dac50',
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
