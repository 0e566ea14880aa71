/**
 * A sample of `npm run crash:deliveries`: what leaves a world is taken by its receiver and its
 * broker, whichever of them is killed, and builds that are broken on purpose are noticed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { drawsOf } from '../../support/journals.ts';
import { hasMosquitto } from '../../support/mqtt-brokers.ts';
import type { Draw } from '../../support/power-loss-disk.ts';
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

/** Nothing is taken in the first life, so that all of it is sent again in the second. */
const refusesFirst = () => (town?.kills.server === 1 ? 99 : 0);

async function lived(lives: number, build?: BrokenBuild, draw: Draw = drawsOf(1)) {
  town = await DeliveringTown.open(child, draw, build);
  await town.start();
  for (let life = 0; life < lives; life++) {
    await sleep(500);
    await town.killBroker();
    await sleep(700);
    await town.killServer();
    await town.start();
  }
  return verdictOn(town);
}

describe.skipIf(!hasMosquitto())('what leaves a world', () => {
  it('is taken by its receivers, though server and broker are killed', async () => {
    const { left, complaints } = await lived(2);
    expect(complaints).toEqual([]);
    expect(left.webhook).toBeGreaterThan(50);
    expect(left.mqtt).toBe(left.webhook);
  }, 60_000);

  it.each<BrokenBuild>([
    'notes as delivered what it is about to send',
    'hears nothing of what its world does again after a start',
  ])(
    'is lost by a build that %s',
    async (build) => {
      expect((await lived(2, build)).complaints.join('\n')).toMatch('never had');
    },
    60_000,
  );

  it('has two names by a build that gives messages other ids at each start', async () => {
    const build = 'gives messages other ids at each start';
    const { complaints } = await lived(1, build, refusesFirst);
    expect(complaints.join('\n')).toMatch('are the same message');
  }, 60_000);
});
