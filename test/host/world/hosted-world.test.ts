/** While a world in memory is walked through, its commands wait (docs/decisions/0110). */
import { expect, it } from 'vitest';
import { NewsHub } from '../../../api/host/watching/event-hub.ts';
import { hostInMemory } from '../../../api/host/world/hosted-world.ts';
import { World } from '../../../core/world/world.ts';
import { groupNamed, SEED } from '../../support/durable-served.ts';
import { ManualTime } from '../../support/manual-time.ts';
import { SERVED_DAY } from '../../support/served-day.ts';

const hosted = () =>
  hostInMemory({
    id: 'here',
    isFork: false,
    life: 0,
    world: World.create(SERVED_DAY, SEED),
    commands: [],
    pace: { isPaused: true },
    time: new ManualTime(),
    news: new NewsHub(),
    onBroken: (error) => {
      throw error;
    },
  });

it('a command is carried out at once where nothing is underway', () => {
  const { asked, served } = hosted();
  expect(asked.submit(groupNamed('roofs'))).toMatchObject({ ok: true });
  expect(served.log).toHaveLength(1);
});

it('a command waits while its world is walked through, and not for the next walk', async () => {
  const { asked, served, standing } = hosted();
  const before = served.digest().outcome;
  const walks = [1, 2].map(() => standing(() => served.inSteps((world) => world.outcomeInSteps())));
  await Promise.resolve();
  const answer = asked.submit(groupNamed('roofs'));
  expect(answer).toBeInstanceOf(Promise);
  expect(served.log).toHaveLength(0);
  expect(await walks[0]).toBe(before);
  expect(await answer).toMatchObject({ ok: true });
  expect(await walks[1]).toBe(served.digest().outcome);
  expect(await walks[1]).not.toBe(before);
});
