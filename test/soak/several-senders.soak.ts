/** FLEETWAVE_STORIES stories of several senders, 300 when absent; half of them have troubles. */
import { writeSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { faultsOfStory } from '../at-once/judge.ts';
import { stories, textOf } from '../at-once/stories.ts';

const seed = Number(process.env.FLEETWAVE_SEED);
const count = Number(process.env.FLEETWAVE_STORIES ?? 300);

it.each([true, false])('stories of several senders hold, troubles: %s', (troubles) => {
  const drawn = fc.sample(stories(troubles), { numRuns: Math.ceil(count / 2), seed });
  const faulty = drawn.flatMap((story, number) => {
    const faults = faultsOfStory(story);
    if (faults.length === 0) return [];
    writeSync(1, `story ${number} of seed ${seed}:\n${faults.join('\n')}\n${textOf(story)}\n`);
    return [number];
  });
  expect(faulty).toEqual([]);
});
