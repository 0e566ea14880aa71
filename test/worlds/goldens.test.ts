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
    events: 67_025,
    outcome: '9e0edcbd5917cc74',
    full: '82d86d74a839e9ec',
  },
  'campaigns/five-thousand.yaml': {
    settings: ['devices.meter.count=500'],
    events: 60_726,
    outcome: 'a65650f53aea914d',
    full: 'bfdc00c18e597bb4',
  },
  'campaigns/too-little-redundancy.yaml': {
    settings: [],
    events: 26_654,
    outcome: '76f71e0c62019a92',
    full: '61f66eb8b1ef1b85',
  },
  'quickstart.yaml': {
    settings: [],
    events: 188_854,
    outcome: 'a2d17995c6825001',
    full: 'd2ebcd48e3160d9b',
  },
  'regions/us915.yaml': {
    settings: [],
    events: 17_746,
    outcome: 'accf83ad088a20d4',
    full: '7c9626ad1d32927f',
  },
  'validation/aloha-1000.yaml': {
    settings: ['duration=12 h'],
    events: 89_930,
    outcome: 'c4403fb197e1491d',
    full: '6d05a371b8939d9a',
  },
  'validation/aloha-200.yaml': {
    settings: ['duration=1 d'],
    events: 44_976,
    outcome: '3a7cca9983ff176d',
    full: '55ffc2768c7106a6',
  },
  'validation/aloha-50.yaml': {
    settings: ['duration=3 d'],
    events: 37_222,
    outcome: '472c7d2625335025',
    full: '7e2d6e0f127627cc',
  },
  'validation/w1.yaml': {
    settings: [],
    events: 34_060,
    outcome: 'f2688baf073d76ef',
    full: 'a75b8a7bcc283d63',
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
