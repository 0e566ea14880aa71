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
    events: 20_352,
    outcome: 'efc040610a0e8418',
    full: '3c1f07bdff3fdbf8',
  },
  'campaigns/drifted-clocks.yaml': {
    settings: [],
    events: 66_924,
    outcome: '55a4cd82746fc62c',
    full: 'af31f11b31d05d79',
  },
  'campaigns/five-thousand.yaml': {
    settings: ['devices.meter.count=500'],
    events: 60_731,
    outcome: '2561f9895fedabdb',
    full: '24faf93d834d1ab0',
  },
  'campaigns/ten-thousand.yaml': {
    settings: [
      'devices.meter.count=400',
      'campaigns.large.multicast_setup_time=2 h',
      'duration=8 h',
    ],
    events: 98_924,
    outcome: '4ae294c1d963e966',
    full: '6adcaf7164336896',
  },
  'campaigns/too-little-redundancy.yaml': {
    settings: [],
    events: 26_317,
    outcome: '2d23ac76ce63e8b3',
    full: '6e0e109bb23083a4',
  },
  'campaigns/version-2.yaml': {
    settings: [],
    events: 1,
    outcome: '0',
    full: '0',
  },
  'quickstart.yaml': {
    settings: [],
    events: 188_508,
    outcome: '45478c5940fe0e01',
    full: 'b680fa5038b00cf7',
  },
  'regions/us915.yaml': {
    settings: [],
    events: 17_738,
    outcome: '0d93a67a0c5dcd02',
    full: '58c2d0f762158dce',
  },
  'validation/aloha-1000.yaml': {
    settings: ['duration=12 h'],
    events: 89_930,
    outcome: '6b84b7e633c069d1',
    full: 'd1b147783fe49301',
  },
  'validation/aloha-200.yaml': {
    settings: ['duration=1 d'],
    events: 44_976,
    outcome: '2dad48c88ed0d6d3',
    full: 'c09669a6cdacb883',
  },
  'validation/aloha-50.yaml': {
    settings: ['duration=3 d'],
    events: 37_222,
    outcome: 'eb73230fcc3a72e2',
    full: '3a32ce8f591f2437',
  },
  'validation/capture.yaml': {
    settings: ['duration=1 d'],
    events: 45_812,
    outcome: '48ee8a0da5114072',
    full: '949a452de005a6d0',
  },
  'validation/w1.yaml': {
    settings: [],
    events: 34_060,
    outcome: '271f0542ab6cd6ec',
    full: 'c85aa569a9def71e',
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
