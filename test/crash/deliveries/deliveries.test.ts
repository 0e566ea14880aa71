/**
 * A sample of `npm run crash:deliveries`. What leaves a world is taken by its receiver and its
 * broker, whichever of them is killed. A build that is broken on purpose is noticed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
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

/** `enough`: it is judged once its receiver has had more messages, however slow the machine is. */
async function lived(
  lives: number,
  { build, enough = 0 }: { readonly build?: BrokenBuild; readonly enough?: number },
) {
  town = await DeliveringTown.open(child, drawsOf(1), build);
  await town.live(lives);
  while (town.receiver.bodies.size <= enough) await sleep(20);
  return verdictOn(town);
}

describe.skipIf(!hasMosquitto())('what leaves a world', () => {
  it('is taken by its receivers, though server and broker are killed', async () => {
    const { left, complaints } = await lived(2, { enough: 50 });
    expect(complaints).toEqual([]);
    expect(left.webhook).toBeGreaterThan(50);
    expect(left.mqtt).toBe(left.webhook);
  });

  itLong('is lost by a build that notes as delivered what it is about to send', async () => {
    const { complaints } = await lived(1, { build: 'notes as delivered what it is about to send' });
    expect(complaints.join('\n')).toMatch('never had');
  });
});
