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
    outcome: '721f60db2e291b78',
    full: '53fb1052ff6ec784',
  },
  'campaigns/drifted-clocks.yaml': {
    settings: [],
    events: 66_924,
    outcome: '5e4ed9c1bbc71084',
    full: 'e00d77e7c261b00a',
  },
  'campaigns/five-thousand.yaml': {
    settings: ['devices.meter.count=500'],
    events: 60_731,
    outcome: '3d07fdbcfe735aeb',
    full: '77624737e5943708',
  },
  'campaigns/ten-thousand.yaml': {
    settings: [
      'devices.meter.count=400',
      'campaigns.large.multicast_setup_time=2 h',
      'duration=8 h',
    ],
    events: 127_602,
    outcome: 'd9cc55b01be2a256',
    full: '244a42e3858656e6',
  },
  'campaigns/too-little-redundancy.yaml': {
    settings: [],
    events: 26_317,
    outcome: '689aa0b619452c75',
    full: '5cbffc5ec0b38b45',
  },
  'campaigns/version-2.yaml': {
    settings: [],
    events: 69_565,
    outcome: 'dd28a8fdebd65b01',
    full: 'c9a7a87d72c354a7',
  },
  'quickstart.yaml': {
    settings: [],
    events: 188_508,
    outcome: 'f4a22e771176aab2',
    full: 'ccf0b2c22f508cce',
  },
  'regions/as923-dwell.yaml': {
    settings: [],
    events: 22_338,
    outcome: '463336012879819a',
    full: '2fa0c8de3924a411',
  },
  'regions/kr920.yaml': {
    settings: [],
    events: 37_224,
    outcome: '30bc708607d1b6ca',
    full: '2e83a5775b1d4e40',
  },
  'regions/us915.yaml': {
    settings: [],
    events: 17_738,
    outcome: '4090a4c770cda5a7',
    full: 'e5ad5c97cf17ffe6',
  },
  'validation/aloha-1000.yaml': {
    settings: ['duration=12 h'],
    events: 89_930,
    outcome: '557d8544396d343e',
    full: '83e9867483f678b8',
  },
  'validation/aloha-200.yaml': {
    settings: ['duration=1 d'],
    events: 44_976,
    outcome: '947f728f56e8f1c5',
    full: '18f1838f72200477',
  },
  'validation/aloha-50.yaml': {
    settings: ['duration=3 d'],
    events: 37_222,
    outcome: 'e147438f08ee69ec',
    full: '66e47997fe506ebe',
  },
  'validation/capture.yaml': {
    settings: ['duration=1 d'],
    events: 45_812,
    outcome: '009411f7aa9a02bc',
    full: 'efd3ead214a75e6c',
  },
  'validation/w1.yaml': {
    settings: [],
    events: 34_060,
    outcome: '30fcea41faac749d',
    full: '36c7785209176a7f',
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
