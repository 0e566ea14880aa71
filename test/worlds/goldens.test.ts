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
    outcome: '8177cf589af0dbae',
    full: 'a9f8ec7046a94af5',
  },
  'campaigns/five-thousand.yaml': {
    settings: ['devices.meter.count=500'],
    events: 61_196,
    outcome: 'a6b331c6b773722f',
    full: '40c18a9c0f83cb6f',
  },
  'campaigns/too-little-redundancy.yaml': {
    settings: [],
    events: 26_654,
    outcome: '099b9d9278681ace',
    full: 'e4b2e3df0b4f57a2',
  },
  'quickstart.yaml': {
    settings: [],
    events: 188_854,
    outcome: 'e4e9a3a274377ba7',
    full: '9cb1f14c5722970f',
  },
  'regions/us915.yaml': {
    settings: [],
    events: 17_738,
    outcome: '465c00119ad3a5b7',
    full: '406b088718338c1c',
  },
  'validation/aloha-1000.yaml': {
    settings: ['duration=12 h'],
    events: 89_930,
    outcome: '2ebff14946864db7',
    full: 'df29be4d73c0e54c',
  },
  'validation/aloha-200.yaml': {
    settings: ['duration=1 d'],
    events: 44_976,
    outcome: '765313b73434222c',
    full: '555fa8d9d803915c',
  },
  'validation/aloha-50.yaml': {
    settings: ['duration=3 d'],
    events: 37_222,
    outcome: '5c2488c94e2e1fe7',
    full: '1fb59a43312b9e54',
  },
  'validation/capture.yaml': {
    settings: ['duration=1 d'],
    events: 45_812,
    outcome: 'c6b825bc88730c48',
    full: '582f745ee646cbcb',
  },
  'validation/w1.yaml': {
    settings: [],
    events: 34_060,
    outcome: '1b0eb662fe874aa4',
    full: '016a0d228cb94fc7',
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
