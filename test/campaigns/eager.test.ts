/**
 * What devices heard in their sessions is derived late, in bulk, and only when something needs to
 * know; a plain decision for each frame and device finds the same.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ArbitraryWorld } from '../../scenarios/arbitraries.ts';
import { campaignWorlds } from '../../scenarios/arbitrary-campaigns.ts';
import { Recorder, withLatecomers } from '../../scenarios/trace.ts';
import { decideEagerly, type EagerVerdicts, toldBy } from '../support/eager/oracle.ts';
import { carryOut } from '../support/worlds.ts';

/** What the generated worlds must have shown for their verdict to mean something. */
const SHOWN: Readonly<Record<string, number>> = {
  heard: 5000,
  ownUplink: 300,
  frameLoss: 300,
  tooWeak: 150,
  interfered: 50,
  lockedOnOther: 5,
  noise: 50,
  notListening: 50,
  complete: 200,
  unopened: 500,
};

function census({ decided, taken, unopened }: EagerVerdicts): string[] {
  const complete = taken.filter((line) => line.includes('complete')).map(() => 'complete');
  const fates = decided.map((line) => line.slice(line.lastIndexOf(' ') + 1));
  return [...fates, ...complete, ...Array.from({ length: unopened }, () => 'unopened')];
}

/** Worlds that once told otherwise: a window shut by an answer, a frame on the air meanwhile. */
const KNOWN: readonly (readonly [seed: number, index: number])[] = [[201, 74]];

/** Payloads are read in clear. */
const WORLDS = campaignWorlds({ frames: ['counted'] });

const expectAlike = (generated: ArbitraryWorld): EagerVerdicts => {
  const recorder = new Recorder();
  const world = carryOut(generated, undefined, { observer: recorder });
  world.result();
  const { plan, commands, seed } = generated;
  const network = withLatecomers(plan.network, [...plan.timeline, ...commands]);
  const verdicts = decideEagerly(recorder.rows, network, seed);
  expect(verdicts).toMatchObject(toldBy(recorder.rows));
  return verdicts;
};

describe('what devices heard, derived late', () => {
  it.each(KNOWN)('is what an eager decision finds in world %s/%s', (seed, index) => {
    const some = fc.sample(WORLDS, { seed, numRuns: index + 1 });
    expectAlike(some[index]);
  });

  it('is what an eager decision for each frame and device finds', () => {
    const shown = new Map<string, number>();
    fc.assert(
      fc.property(WORLDS, (generated) => {
        const verdicts = expectAlike(generated);
        for (const what of census(verdicts)) shown.set(what, (shown.get(what) ?? 0) + 1);
      }),
      { numRuns: 100 },
    );
    const rare = Object.entries(SHOWN).filter(([what, least]) => (shown.get(what) ?? 0) < least);
    expect(rare.map(([what]) => [what, shown.get(what)])).toEqual([]);
  });
});
