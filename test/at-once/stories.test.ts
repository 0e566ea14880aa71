/** Stories of several senders; `npm run test:soak` has three hundred. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { some } from '../support/long.ts';
import { faultsOfStory } from './judge.ts';
import { stories, textOf } from './stories.ts';

it.each([true, false])('stories of several senders hold, troubles: %s', (troubles) => {
  const drawn = fc.sample(stories(troubles), { numRuns: some(32), seed: 4 });
  for (const story of drawn)
    expect([faultsOfStory(story), textOf(story)]).toEqual([[], textOf(story)]);
});
