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
    outcome: 'e2e3808190f7f1f5',
    full: '3d2a62fb026b4e67',
  },
  'campaigns/drifted-clocks.yaml': {
    settings: [],
    events: 66_924,
    outcome: '2832649fd6370c32',
    full: 'f3d93418ffaea488',
  },
  'campaigns/five-thousand.yaml': {
    settings: ['devices.meter.count=500'],
    events: 60_731,
    outcome: 'd5de6b4a4c412884',
    full: 'd68a3f1672210661',
  },
  'campaigns/ten-thousand.yaml': {
    settings: [
      'devices.meter.count=400',
      'campaigns.large.multicast_setup_time=2 h',
      'duration=8 h',
    ],
    events: 98_924,
    outcome: '91c242470250a6cd',
    full: '3780d49df08ddd51',
  },
  'campaigns/too-little-redundancy.yaml': {
    settings: [],
    events: 26_317,
    outcome: '4415e6a73a00dd6a',
    full: 'bafe378829275166',
  },
  'quickstart.yaml': {
    settings: [],
    events: 188_508,
    outcome: 'db6221722dacf080',
    full: '25f6734ae010d046',
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
