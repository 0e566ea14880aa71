/**
 * What the scenarios of the library come to, to the last bit. A change of a figure here is a commit
 * of its own that says why the worlds are others now.
 */
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world.ts';
import { LIBRARY_FILES, libraryWorld } from '../support/library.ts';
import { carryOut, stopping, throughBytes } from '../support/worlds.ts';

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
    events: 67_157,
    outcome: '2c63d5b6d64ff800',
    full: '45e05ce3ea1eab86',
  },
  'campaigns/five-thousand.yaml': {
    settings: ['devices.meter.count=500'],
    events: 65_486,
    outcome: '3ad4c39b8a56727c',
    full: '2b4f39f85f1e8588',
  },
  'campaigns/too-little-redundancy.yaml': {
    settings: [],
    events: 26_640,
    outcome: '15bc391f6ca151c6',
    full: '205edf13391fd289',
  },
  'quickstart.yaml': {
    settings: [],
    events: 211_399,
    outcome: '4c9f7d562e031709',
    full: '9fc30144ac68954f',
  },
  'validation/aloha-1000.yaml': {
    settings: ['duration=12 h'],
    events: 89_930,
    outcome: '987723e6fb60694a',
    full: 'f806e76fe940acd7',
  },
  'validation/aloha-200.yaml': {
    settings: ['duration=1 d'],
    events: 44_976,
    outcome: '9c8be34aa5c6fc27',
    full: 'aa3eb7890de0cba7',
  },
  'validation/aloha-50.yaml': {
    settings: ['duration=3 d'],
    events: 37_222,
    outcome: 'cbff2c1217d9ac4e',
    full: 'd0da11954b8dfe1a',
  },
  'validation/w1.yaml': {
    settings: [],
    events: 34_060,
    outcome: '119f36057cd2f2bb',
    full: '2cd2339abe3c62c6',
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

  it.each(Object.entries(GOLDENS))('%s comes to it through snapshots too', (file, golden) => {
    const { settings, ...told } = golden;
    const { plan, seed } = libraryWorld(file, settings);
    const some = Math.ceil(told.events / 7);
    const way = stopping([some], (one) => World.restore(plan, seed, throughBytes(one.snapshot())));
    const world = carryOut({ plan, seed, commands: [] }, way);
    expect({ events: world.events, ...world.digest() }).toEqual(told);
  });
});
