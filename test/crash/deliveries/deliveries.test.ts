/**
 * A sample of `npm run crash:deliveries`: what leaves a world is taken by its receiver and its
 * broker, whichever of them is killed, and a build that is broken on purpose is noticed.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { drawsOf } from '../../support/journals.ts';
import { itLong } from '../../support/long.ts';
import { hasMosquitto } from '../../support/mqtt-brokers.ts';
import { bundledChild } from '../bundle.ts';
import type { BrokenBuild } from './broken-builds.ts';
import { verdictOn } from './judge.ts';
import { DeliveringTown } from './town.ts';

let child = '';
let removeChild = () => {};
let town: DeliveringTown | undefined;

beforeAll(async () => {
  ({ path: child, remove: removeChild } = await bundledChild('test/crash/deliveries/child.ts'));
});
afterEach(async () => {
  await town?.remove();
  town = undefined;
});
afterAll(() => removeChild());

async function lived(lives: number, build?: BrokenBuild) {
  town = await DeliveringTown.open(child, drawsOf(1), build);
  await town.live(lives);
  return verdictOn(town);
}

describe.skipIf(!hasMosquitto())('what leaves a world', () => {
  it('is taken by its receivers, though server and broker are killed', async () => {
    const { left, complaints } = await lived(2);
    expect(complaints).toEqual([]);
    expect(left.webhook).toBeGreaterThan(50);
    expect(left.mqtt).toBe(left.webhook);
  }, 60_000);

  itLong(
    'is lost by a build that notes as delivered what it is about to send',
    async () => {
      const { complaints } = await lived(1, 'notes as delivered what it is about to send');
      expect(complaints.join('\n')).toMatch('never had');
    },
    60_000,
  );
});
