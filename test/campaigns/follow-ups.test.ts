/** What begins after another campaign does so once, at its time, and only if it is well. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WorldResult } from '../../core/result/result.ts';
import { followedWorlds } from '../../scenarios/testing/generators/arbitrary-follow-ups.ts';
import { missing, someRuns } from '../support/long.ts';
import { knownOutcome } from '../support/worlds.ts';

const OVER: readonly string[] = ['FINISHED', 'HALTED', 'ERROR_SETTING_UP'];

/** What is wrong with the beginnings of a result, in words; `show` hears what there was. */
function faultsOf({ followUps = [], campaigns }: WorldResult, show: (what: string) => void) {
  return followUps.flatMap((each) => {
    show(each.stage);
    const { name, after, stage, devices, updated, leastUpdated, leastUpdatedShare } = each;
    const [own, ...again] = campaigns.filter((one) => one.name === name);
    const faults = again.length > 0 ? [`${name} began twice`] : [];
    const isEnough = updated >= leastUpdated && updated >= leastUpdatedShare * devices - 1e-6;
    if (stage === 'held back' && isEnough) faults.push(`${name} was held back without a reason`);
    if (stage !== 'started') return own === undefined ? faults : [...faults, `${name} began`];
    if (!isEnough) faults.push(`${name} began too early`);
    const earlier = campaigns.find((one) => one.name === after);
    // One of them was deleted.
    if (own === undefined || earlier === undefined) return faults;
    const ends = earlier.stages.filter((one) => OVER.includes(one.stage));
    const { atSeconds } = own.stages[0]!;
    if (!ends.some((one) => one.atSeconds === atSeconds)) faults.push(`${name} at another time`);
    else show('in the instant');
    return faults;
  });
}

describe('a campaign that follows another, in generated worlds', () => {
  it('begins at most once, in the instant in which that is over with its condition met', () => {
    const shown = new Map<string, number>();
    const show = (what: string) => shown.set(what, (shown.get(what) ?? 0) + 1);
    fc.assert(
      fc.property(followedWorlds({ devices: 8, imageBytes: 500 }), (world) => {
        expect(faultsOf(knownOutcome(world).result, show)).toEqual([]);
      }),
      { numRuns: someRuns(30, 4) },
    );
    const least = { started: 8, waiting: 5, 'held back': 3, 'called off': 3, 'in the instant': 5 };
    expect(missing(shown, least)).toEqual([]);
  });
});
