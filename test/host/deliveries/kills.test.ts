/** Whenever the process ends, nothing that has left the world is lost. */
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { answered, DeliveredTown, TAKEN } from '../../support/delivered-town.ts';
import { someRuns } from '../../support/long.ts';

/** What a world reports, in its order: deliveries, and that some of them leave it later. */
type Response = (town: DeliveredTown) => void;

/** The number of steps; a delivery that is held leaves with the step of its number. */
function storyOf(kinds: readonly ('leave' | 'emit' | 'end')[]): Response[] {
  const held: number[] = [];
  let ordinal = 0;
  return kinds.map((kind) => {
    if (kind === 'end' && held.length > 0) {
      const ends = held.shift()!;
      return (town) => town.end(ends);
    }
    const own = ++ordinal;
    if (kind === 'emit') held.push(own);
    return (town) => {
      town.ordinal = own - 1;
      if (kind === 'emit') town.emit();
      else town.leave(1);
    };
  });
}

/** Ordinals of what has left the world once the story is reported. */
function leftOf(story: readonly Response[]): Set<number> {
  const left = new Set<number>();
  const response = { ordinal: 0 };
  const town = Object.assign(response, {
    emit: () => ++response.ordinal,
    leave: () => left.add(++response.ordinal),
    end: (ordinal: number) => left.add(ordinal),
  });
  for (const step of story) step(town as unknown as DeliveredTown);
  return left;
}

const kinds = fc.array(fc.constantFrom('leave', 'emit', 'emit', 'end', 'end'), {
  minLength: 6,
  maxLength: 20,
});
const turns = fc.array(fc.constantFrom(0, 0, 1, 1, 2, 3, 9), { minLength: 60, maxLength: 60 });
const turn = () => new Promise((resolve) => setImmediate(resolve));

it('is shown once more from the last state of the world, and goes to its receiver', async () => {
  await fc.assert(
    fc.asyncProperty(kinds, turns, fc.nat(), async (steps, pauses, killed) => {
      const story = storyOf(steps);
      const killedAt = killed % story.length;
      const town = await DeliveredTown.open();
      const taken = new Set<number>();
      town.answer = ({ body }) => {
        if (town.sent.length % 3 === 0) return answered(503);
        taken.add(JSON.parse(body).n);
        return TAKEN;
      };
      let snapshotAt = 0;
      for (const [at, step] of story.slice(0, killedAt).entries()) {
        step(town);
        for (let n = 0; n < pauses[at]!; n++) await turn();
        if (pauses[at] !== 9) continue;
        await town.deliverer.settle();
        snapshotAt = at + 1;
      }
      const image = mkdtempSync(join(tmpdir(), 'killed-'));
      cpSync(town.folder, image, { recursive: true });
      await town.remove();

      const next = await DeliveredTown.open(image, (again) => {
        for (const step of story.slice(snapshotAt, killedAt)) step(again);
      });
      for (const step of story.slice(killedAt)) step(next);
      await next.settled();
      for (let hour = 0; hour < 4; hour++) await next.pass(3_600_000);
      for (const delivery of next.sent) taken.add(JSON.parse(delivery.body).n);
      expect([...leftOf(story)].filter((ordinal) => !taken.has(ordinal))).toEqual([]);
      expect(next.troubles).toEqual([]);
      await next.remove();
    }),
    { numRuns: someRuns(240) },
  );
});
