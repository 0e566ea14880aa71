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
    events: 0,
    outcome: '',
    full: '',
  },
  'campaigns/drifted-clocks.yaml': {
    settings: [],
    events: 66_924,
    outcome: 'acb1be5b78640ae8',
    full: '68161b714b332849',
  },
  'campaigns/five-thousand.yaml': {
    settings: ['devices.meter.count=500'],
    events: 60_731,
    outcome: 'a1574a085541e2ec',
    full: 'ae70b65c53949844',
  },
  'campaigns/ten-thousand.yaml': {
    settings: [
      'devices.meter.count=400',
      'campaigns.large.multicast_setup_time=2 h',
      'duration=8 h',
    ],
    events: 98_924,
    outcome: '596cc5f52d63035c',
    full: '405ce99b24bade6e',
  },
  'campaigns/too-little-redundancy.yaml': {
    settings: [],
    events: 26_317,
    outcome: 'f610b868b5395209',
    full: '367672e35567ae48',
  },
  'quickstart.yaml': {
    settings: [],
    events: 188_508,
    outcome: '13282e2bc57ecf32',
    full: 'f6a01f4bda25e965',
  },
  'regions/us915.yaml': {
    settings: [],
    events: 17_738,
    outcome: 'aabae0315844d095',
    full: '4871bac8004562b9',
  },
  'validation/aloha-1000.yaml': {
    settings: ['duration=12 h'],
    events: 89_930,
    outcome: 'd884b3a8f3add26d',
    full: 'a1e0b9fb119b727f',
  },
  'validation/aloha-200.yaml': {
    settings: ['duration=1 d'],
    events: 44_976,
    outcome: 'd8ad90dec76f5f23',
    full: 'e51a064b092d7cf1',
  },
  'validation/aloha-50.yaml': {
    settings: ['duration=3 d'],
    events: 37_222,
    outcome: '268bf51291375677',
    full: 'cb2e16e140807cfa',
  },
  'validation/capture.yaml': {
    settings: ['duration=1 d'],
    events: 45_812,
    outcome: '0ba4b4d6b3168368',
    full: '1baf8be3e4b29846',
  },
  'validation/w1.yaml': {
    settings: [],
    events: 34_060,
    outcome: '9020492a28846579',
    full: 'ff2cd8a37ba46e11',
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
