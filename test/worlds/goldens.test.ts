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
    events: 20_337,
    outcome: '2721fc6cc46c89a4',
    full: '10b8afa8734ce71a',
  },
  'campaigns/drifted-clocks.yaml': {
    settings: [],
    events: 66_924,
    outcome: 'e3243a627ef3573b',
    full: '6721b9d17e582191',
  },
  'campaigns/five-thousand.yaml': {
    settings: ['devices.meter.count=500'],
    events: 60_731,
    outcome: '2fd21fa509304a75',
    full: '00760e9843f2a22b',
  },
  'campaigns/ten-thousand.yaml': {
    settings: [
      'devices.meter.count=400',
      'campaigns.large.multicast_setup_time=2 h',
      'duration=8 h',
    ],
    events: 127_602,
    outcome: '942d15ee5d5c37cc',
    full: 'a29aceb9129673c3',
  },
  'campaigns/too-little-redundancy.yaml': {
    settings: [],
    events: 26_317,
    outcome: '7d1adb4c37a6ad9b',
    full: '6d2fa870eef60e6c',
  },
  'campaigns/version-2.yaml': {
    settings: [],
    events: 69_565,
    outcome: 'aba745d2f49293b7',
    full: 'f77dd629526f627e',
  },
  'quickstart.yaml': {
    settings: [],
    events: 188_508,
    outcome: '1142c617b4dcc890',
    full: 'e65ffde0067bc865',
  },
  'regions/as923-dwell.yaml': {
    settings: [],
    events: 22_338,
    outcome: 'ceb444964339761c',
    full: '18437761a1c95adc',
  },
  'regions/kr920.yaml': {
    settings: [],
    events: 37_224,
    outcome: '5d0a7ea3915398ce',
    full: 'fee768b694001db9',
  },
  'regions/us915.yaml': {
    settings: [],
    events: 17_738,
    outcome: '2f2a96185a18ac8d',
    full: '8f3db04bb7efdd1f',
  },
  'validation/aloha-1000.yaml': {
    settings: ['duration=12 h'],
    events: 89_930,
    outcome: '04307e8b3bbe07ad',
    full: '336d54e33deb1b47',
  },
  'validation/aloha-200.yaml': {
    settings: ['duration=1 d'],
    events: 44_976,
    outcome: 'f74b3212bda66f06',
    full: '3e6241bfe215264b',
  },
  'validation/aloha-50.yaml': {
    settings: ['duration=3 d'],
    events: 37_222,
    outcome: '1bc36695e081dcae',
    full: '99c6d9b0ef5166d0',
  },
  'validation/capture.yaml': {
    settings: ['duration=1 d'],
    events: 45_812,
    outcome: '651778c7297a1396',
    full: '47c7fd484fb3d7a6',
  },
  'validation/w1.yaml': {
    settings: [],
    events: 34_060,
    outcome: '4feaff6a0bde6064',
    full: '95f64f6eb44cc307',
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
