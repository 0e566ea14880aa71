/** The network's ADR: decisions on which ChirpStack and another implementation agree, and laws. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ADR_HISTORY, type AdrState, adrDecision, decideAdr } from '../../sim/lorawan/adr.ts';
import { vectors } from '../support/vectors.ts';

interface AdrRow {
  name: string;
  adr: boolean;
  dr: number;
  txPowerIndex: number;
  nbTrans: number;
  maxTxPowerIndex: number;
  requiredSnr: number;
  installationMargin: number;
  maxDr: number;
  history: [fCnt: number, maxSnr: number, txPowerIndex: number][];
  result: { dr: number; txPowerIndex: number; nbTrans: number };
}

const rows = vectors<{ vectors: AdrRow[] }>('adr').vectors;

describe('the ADR decision', () => {
  it.each(rows)('$name', (row) => {
    const history = row.history.map(([fCnt, maxSnr, txPowerIndex]) => ({
      fCnt,
      maxSnrCentiDb: Math.round(maxSnr * 100),
      txPowerIndex,
    }));
    const { adr, dr, txPowerIndex, nbTrans, maxTxPowerIndex, maxDr } = row;
    const device = {
      adr,
      dr,
      txPowerIndex,
      nbTrans,
      maxTxPowerIndex,
      maxDr,
      requiredSnrCentiDb: row.requiredSnr * 100,
      installationMarginCentiDb: row.installationMargin * 100,
    };
    expect(adrDecision(device, history)).toEqual(row.result);
  });

  const states: fc.Arbitrary<AdrState> = fc.record({
    adr: fc.constant(true),
    dr: fc.nat(5),
    txPowerIndex: fc.nat(7),
    nbTrans: fc.integer({ min: 1, max: 3 }),
    maxDr: fc.nat(5),
    maxTxPowerIndex: fc.nat(7),
    requiredSnrCentiDb: fc.integer({ min: -2000, max: -750 }),
    installationMarginCentiDb: fc.nat(1500),
    uplinks: fc.nat(ADR_HISTORY),
    maxSnrCentiDb: fc.integer({ min: -2500, max: 1500 }),
    uplinksAtPower: fc.nat(ADR_HISTORY),
    lostUplinks: fc.nat(30),
  });

  it('stays within the limits and never slows a device down, but to the highest data rate', () => {
    fc.assert(
      fc.property(states, (state) => {
        const settings = { dr: 0, txPowerIndex: 0, nbTrans: 0 };
        decideAdr(state, settings);
        expect(settings.dr).toBeLessThanOrEqual(state.maxDr);
        expect(settings.dr).toBeGreaterThanOrEqual(Math.min(state.dr, state.maxDr));
        expect(settings.txPowerIndex).toBeLessThanOrEqual(
          Math.max(state.maxTxPowerIndex, state.txPowerIndex),
        );
        expect(settings.txPowerIndex).toBeGreaterThanOrEqual(0);
        expect(settings.nbTrans).toBeGreaterThanOrEqual(1);
        expect(settings.nbTrans).toBeLessThanOrEqual(3);
      }),
    );
  });

  it('gives no slower rate and no more power for a better signal', () => {
    fc.assert(
      fc.property(states, fc.nat(1000), (state, better) => {
        const before = { dr: 0, txPowerIndex: 0, nbTrans: 0 };
        const after = { ...before };
        decideAdr(state, before);
        decideAdr({ ...state, maxSnrCentiDb: state.maxSnrCentiDb + better }, after);
        expect(after.dr).toBeGreaterThanOrEqual(before.dr);
        expect(after.txPowerIndex).toBeGreaterThanOrEqual(before.txPowerIndex);
      }),
    );
  });
});
