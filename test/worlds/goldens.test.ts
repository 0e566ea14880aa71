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
    events: 66_924,
    outcome: '1efc3986cea47c9e',
    full: '1528e41016c8c052',
  },
  'campaigns/five-thousand.yaml': {
    settings: ['devices.meter.count=500'],
    events: 60_731,
    outcome: '9f04386c8b4d738b',
    full: '321e9f5c4578304a',
  },
  'campaigns/ten-thousand.yaml': {
    settings: [
      'devices.meter.count=400',
      'campaigns.large.multicast_setup_time=2 h',
      'duration=8 h',
    ],
    events: 98_924,
    outcome: 'e91bf4565e4db46e',
    full: '5bdfadaba0661f68',
  },
  'campaigns/too-little-redundancy.yaml': {
    settings: [],
    events: 26_317,
    outcome: '85994ea0d01201b6',
    full: 'b1d8401db59e8f18',
  },
  'quickstart.yaml': {
    settings: [],
    events: 188_508,
    outcome: '09112030b292df20',
    full: '54b97fdf8e5e67c7',
  },
  'regions/us915.yaml': {
    settings: [],
    events: 17_738,
    outcome: '31e8a833b668b128',
    full: '91466220418088a8',
  },
  'validation/aloha-1000.yaml': {
    settings: ['duration=12 h'],
    events: 89_930,
    outcome: '8b5e942f71ed1516',
    full: 'f0053a89890c8ec2',
  },
  'validation/aloha-200.yaml': {
    settings: ['duration=1 d'],
    events: 44_976,
    outcome: '40cd1d37ea741e35',
    full: '17a7ac1b53337a67',
  },
  'validation/aloha-50.yaml': {
    settings: ['duration=3 d'],
    events: 37_222,
    outcome: 'c1c221f4d93c3fbc',
    full: 'a34b52be761832cb',
  },
  'validation/capture.yaml': {
    settings: ['duration=1 d'],
    events: 45_812,
    outcome: '099d0859197ffd86',
    full: '089245eab3be54b4',
  },
  'validation/w1.yaml': {
    settings: [],
    events: 34_060,
    outcome: '804113c76966f9ad',
    full: '990ac5a2221f327b',
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
