/**
 * A sample of `npm run crash`: a world that is stored survives kills at chosen points and at any
 * moment, and builds that are broken on purpose do not.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { drawsOf } from '../support/journals.ts';
import { IS_LONG, itLong } from '../support/long.ts';
import { bundledChild } from './bundle.ts';
import {
  DAMAGED_END,
  KILLED_AT_ONCE,
  lived,
  newDurable,
  type Stored,
  scripted,
  TAKEN_BACK,
} from './process-runs.ts';

const draw = drawsOf(1);
let child = '';
let removeChild = () => {};
let stored: Stored;

beforeAll(async () => {
  ({ path: child, remove: removeChild } = await bundledChild());
});
beforeEach(() => {
  stored = newDurable();
});
afterEach(() => stored.remove());
afterAll(() => removeChild());

/** Amounts to its point, however slow the machine; the bound only ends what hangs. */
const at = (point: string, hit: number) => ({ ends: { point, hit }, afterMs: 10_000 });

describe('a world whose process is killed under load', () => {
  it('has what was answered, and nothing that was refused, in each of its lives', async () => {
    const endings = [
      at('segment.write.half', 12),
      at('segment.truncate.after', 1),
      at('command.acknowledged', 20),
    ];
    for (const ending of IS_LONG ? endings : endings.slice(0, 1)) {
      expect((await lived(child, stored, ending, draw)).complaints).toEqual([]);
    }
    expect(stored.story.counts.commands).toBeGreaterThan(IS_LONG ? 20 : 5);
  });

  it('is what was named once it is restored, and what came after is taken back', async () => {
    expect(await scripted(child, stored, TAKEN_BACK)).toEqual([]);
    expect(stored.story.counts).toEqual({ commands: 6, names: 2, restores: 1 });
  });

  it('is refused where its last entry is damaged, with the place', async () => {
    expect(await scripted(child, stored, DAMAGED_END)).toEqual([
      expect.stringContaining('it does not start'),
    ]);
  });
});

describe('a build that is broken is noticed: it', () => {
  itLong('answers before it writes', async () => {
    const complaints = await scripted(child, stored, KILLED_AT_ONCE, 'answers before it writes');
    expect(complaints).toContain('n3 was acknowledged, and is lost');
  });

  itLong('has contents on the disk after their entry', async () => {
    const build = 'has contents on the disk after their entry';
    expect(await scripted(child, stored, KILLED_AT_ONCE, build)).toEqual([
      expect.stringContaining('it does not start'),
    ]);
  });

  itLong('takes a state of any life', async () => {
    expect(await scripted(child, stored, TAKEN_BACK, 'takes a state of any life')).toEqual([
      'its states lead elsewhere than its journal',
    ]);
  });

  itLong('seals no ends', async () => {
    expect(await scripted(child, stored, DAMAGED_END, 'seals no ends')).toEqual([
      'n3 was acknowledged, and is lost',
    ]);
  });
});
