/** Sessions of several groups on one radio (docs/decisions/0015). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import { decideEagerly, reportedBy } from '../support/eager/oracle.ts';
import { missing, someRuns } from '../support/long.ts';
import {
  carryOutSaved,
  carryOutScript,
  networkOfScript,
  overlapScripts,
} from '../support/overlapping.ts';

/** What the generated scripts must have shown for their verdict to mean something. */
const SHOWN: Readonly<Record<string, number>> = {
  heard: 2000,
  notListening: 300,
  ownUplink: 50,
  frameLoss: 50,
  lockedOnOther: 5,
  interfered: 5,
  complete: 40,
};

describe('a device in sessions of several groups', () => {
  it('hears what an eager decision for each frame finds, and keeps every law', () => {
    const shown = new Map<string, number>();
    fc.assert(
      fc.property(overlapScripts, (script) => {
        const { trace } = carryOutScript(script);
        const traced = reportedBy(trace.rows);
        const plan = networkOfScript(script, 'counted');
        expect(judge(trace.rows, plan)).toEqual({});
        expect(decideEagerly(trace.rows, plan, script.seed)).toMatchObject(traced);
        const words = traced.decided.map((line) => line.slice(line.lastIndexOf(' ') + 1));
        const complete = traced.taken.filter((line) => line.includes('complete'));
        for (const word of [...words, ...complete.map(() => 'complete')]) {
          shown.set(word, (shown.get(word) ?? 0) + 1);
        }
      }),
      { numRuns: someRuns(100, 4) },
    );
    expect(missing(shown, SHOWN)).toEqual([]);
  });

  it('has the same fate settled often or late, saved and loaded, with real frames', () => {
    fc.assert(
      fc.property(overlapScripts, fc.nat(60), (script, at) => {
        const outcome = carryOutScript(script).outcome();
        const settles = carryOutScript(script, 'counted', (b) => b.network.settle(b.nowUs));
        expect(settles.outcome()).toBe(outcome);
        expect(carryOutSaved(script, at).outcome()).toBe(outcome);
        expect(carryOutScript(script, 'real').outcome()).toBe(outcome);
      }),
      { numRuns: someRuns(20, 1) },
    );
  });
});
