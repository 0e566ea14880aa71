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
    events: 20_291,
    outcome: '96eb665b73b845eb',
    full: 'e52b219652647e32',
  },
  'campaigns/drifted-clocks.yaml': {
    settings: [],
    events: 66_924,
    outcome: '206bb802f7354278',
    full: 'dd7e18a5fc6e2cf8',
  },
  'campaigns/five-thousand.yaml': {
    settings: ['devices.meter.count=500'],
    events: 60_731,
    outcome: '97f01e5a1bda6aba',
    full: '7a3a2ef1d4ab891c',
  },
  'campaigns/ten-thousand.yaml': {
    settings: [
      'devices.meter.count=400',
      'campaigns.large.multicast_setup_time=2 h',
      'duration=8 h',
    ],
    events: 127_602,
    outcome: '9e3da7389428c3a0',
    full: '991a5804d132c6e2',
  },
  'campaigns/too-little-redundancy.yaml': {
    settings: [],
    events: 26_317,
    outcome: '09b82f92a6dfa6ca',
    full: '16e6b796ed28dcb8',
  },
  'campaigns/version-2.yaml': {
    settings: [],
    events: 69_565,
    outcome: '53a48f31723a47c2',
    full: '10714de48c7125e0',
  },
  'quickstart.yaml': {
    settings: [],
    events: 188_508,
    outcome: '78acfeca0b2c7489',
    full: '0871f3296ac6f84d',
  },
  'regions/as923-dwell.yaml': {
    settings: [],
    events: 0,
    outcome: '',
    full: '',
  },
  'regions/kr920.yaml': {
    settings: [],
    events: 0,
    outcome: '',
    full: '',
  },
  'regions/us915.yaml': {
    settings: [],
    events: 17_738,
    outcome: 'ca2bab64797052c5',
    full: '3d6bcb4a64f256a3',
  },
  'validation/aloha-1000.yaml': {
    settings: ['duration=12 h'],
    events: 89_930,
    outcome: 'b13f7cbb65e04de7',
    full: 'd0541961a9996ede',
  },
  'validation/aloha-200.yaml': {
    settings: ['duration=1 d'],
    events: 44_976,
    outcome: '0a813f0bcb1d3a46',
    full: '49db002b00a69a90',
  },
  'validation/aloha-50.yaml': {
    settings: ['duration=3 d'],
    events: 37_222,
    outcome: 'd6cf8063355258bc',
    full: '0cd13838e3fdd725',
  },
  'validation/capture.yaml': {
    settings: ['duration=1 d'],
    events: 45_812,
    outcome: '84735f23df1f5e29',
    full: '80204d89baa50226',
  },
  'validation/w1.yaml': {
    settings: [],
    events: 34_060,
    outcome: '4b44094a1329767d',
    full: '4a758b044bc6605e',
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
