/** States are caches: the latest one in a past is taken, and what is no state of it never is. */
import { describe, expect, it } from 'vitest';
import { type Origins, worldOptions } from '../../../api/host/replay/replay.ts';
import {
  keyOf,
  MemoryStates,
  type PastState,
  placeIn,
  type Saved,
  storedOf,
} from '../../../api/host/replay/saved-states.ts';
import { NewsHub } from '../../../api/host/watching/event-hub.ts';
import type { Admitted } from '../../../core/world/log.ts';
import { World } from '../../../core/world/world.ts';
import { SERVED_DAY } from '../../support/served-day.ts';

const ORIGINS: Origins = {
  plan: SERVED_DAY,
  seed: 'states',
  options: worldOptions('', new NewsHub()),
};

const past = (life: number, commands: number, standsAtUs: number): PastState => ({
  life,
  commands: Array.from({ length: commands }) as Admitted[],
  standsAtUs,
});

const at = (life: number, commands: number, atUs: number) => keyOf({ life, commands, atUs });

/** The world of the origins at an instant. */
function savedAt(atUs: number): Saved {
  const world = World.create(ORIGINS.plan, ORIGINS.seed, ORIGINS.options);
  world.runUntil(atUs);
  const bytes = world.toBytes({ checksum: false });
  return { bytes, contents: world.contents(), digest: world.digest().outcome };
}

describe('states of a world', () => {
  it('have keys that say which they are', () => {
    expect(placeIn(at(2, 30, 4_000))).toEqual({ life: 2, commands: 30, atUs: 4_000 });
    expect(placeIn('2-30-4000.tmp')).toBeUndefined();
  });

  it('are found in their past: the latest that is not behind it, of the same life', async () => {
    const states = new MemoryStates();
    for (const atUs of [1_000, 2_000, 3_000]) {
      await states.put({ life: 1, commands: 0, atUs }, savedAt(atUs));
    }
    const nowOf = async (of: PastState) => (await states.latestIn(ORIGINS, of))?.world.nowUs;
    expect(await nowOf(past(1, 0, 2_500))).toBe(2_000);
    expect(await nowOf(past(1, 0, 9_000))).toBe(3_000);
    expect(await nowOf(past(1, 0, 500))).toBeUndefined();
    expect(await nowOf(past(0, 0, 9_000))).toBeUndefined();
    expect(await nowOf(past(2, 5, 9_000))).toBeUndefined();
  });

  it('are no states where their digest does not come out again', async () => {
    const states = new MemoryStates();
    const place = { life: 0, commands: 0, atUs: 1_000 };
    await states.put(place, { ...savedAt(1_000), digest: '0'.repeat(16) });
    expect(await states.latestIn(ORIGINS, past(0, 0, 1_000))).toBeUndefined();
  });

  it('are stored where they have a name, and the latest two of the present life', () => {
    const keys = [at(0, 1, 10), at(0, 2, 20), at(1, 1, 30), at(1, 2, 40), at(1, 3, 50), 'a.tmp'];
    const stored = storedOf(keys, past(1, 3, 60), [past(0, 2, 20)]);
    expect([...stored].sort()).toEqual([at(0, 2, 20), at(1, 2, 40), at(1, 3, 50)].sort());
  });
});
