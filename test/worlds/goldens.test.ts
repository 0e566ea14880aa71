/**
 * What the scenarios of the library come to, to the last bit. A change of a figure here is a commit
 * of its own that says why the worlds are others now.
 */
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world.ts';
import { LIBRARY_FILES, libraryWorld } from '../support/library.ts';

interface Golden {
  /** Overrides that keep the run short. */
  readonly settings: readonly string[];
  readonly events: number;
  readonly outcome: string;
  readonly full: string;
}

const GOLDENS: Readonly<Record<string, Golden>> = {
  'quickstart.yaml': {
    settings: [],
    events: 109_171,
    outcome: 'f7005ff7721682a8',
    full: '922161a666bdd19a',
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
});
