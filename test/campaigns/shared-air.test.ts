/**
 * Where sessions of several campaigns have room. The laws list every fragment of every session and
 * look at each pair, where the placing knows of grids alone.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AirUse,
  type OtherUse,
  placeSession,
  type Site,
} from '../../core/update-service/campaigns/shared-air.ts';
import { someRuns } from '../support/long.ts';

const MS = 1_000;
const S = 1_000 * MS;
const GUARD_US = 100 * MS;

const site = (eui: string, xMeters = 0, dutyCycle = 1): Site => ({
  eui,
  xMeters,
  yMeters: 0,
  dutyCycle,
});

const USUAL: AirUse = {
  sites: [site('A')],
  frequencyHz: 869_525_000,
  dataRate: 3,
  firstAtUs: 100 * S,
  endsAtUs: 200 * S,
  delayUs: 4 * S,
  airtimeUs: 400 * MS,
  turns: 1,
  inSlots: false,
};
const other = (use: Partial<AirUse>, ownerId = 'other'): OtherUse<string> => ({
  ...USUAL,
  ...use,
  owner: ownerId,
});
const place = (mine: Partial<AirUse>, others: readonly OtherUse<string>[], mayWait = true) =>
  placeSession(
    (shiftUs) => {
      const use = { ...USUAL, ...mine };
      const { firstAtUs, endsAtUs } = use;
      return { ...use, firstAtUs: firstAtUs + shiftUs, endsAtUs: endsAtUs + shiftUs };
    },
    others,
    mayWait,
  );

const AT_ONCE = { shiftUs: 0, phaseUs: 0 };

describe('a session', () => {
  it('begins at once where it meets nobody', () => {
    expect(place({}, [])).toEqual(AT_ONCE);
    const far = [site('B', 30_001)];
    expect(place({}, [other({ sites: far })])).toEqual(AT_ONCE);
    const near = [site('B', 30_000)];
    for (const elsewhere of [{ frequencyHz: 868_100_000 }, { dataRate: 5 }]) {
      expect(place({}, [other({ sites: near, ...elsewhere })])).toEqual(AT_ONCE);
    }
    expect(place({}, [other({ firstAtUs: 200 * S, endsAtUs: 300 * S })])).toEqual(AT_ONCE);
    expect(place({}, [other({ firstAtUs: 0, endsAtUs: 100 * S })])).toEqual(AT_ONCE);
  });

  it('has its fragments between those of one on the same channel nearby', () => {
    const near = [site('B', 30_000)];
    expect(place({}, [other({ sites: near })])).toEqual({ shiftUs: 0, phaseUs: 500 * MS });
    // The same gateway sends for both, on other channels.
    expect(place({}, [other({ frequencyHz: 868_100_000 })]).phaseUs).toBe(500 * MS);
  });

  it('waits for the end of one that fills the duty cycle of a gateway of both', () => {
    const tenth = [site('A', 0, 0.1)];
    expect(place({ sites: tenth }, [other({ sites: tenth })])).toEqual({
      shiftUs: 102 * S,
      phaseUs: 0,
      behind: 'other',
    });
    const fifth = [site('A', 0, 0.2)];
    expect(place({ sites: fifth }, [other({ sites: fifth })])).toMatchObject({ shiftUs: 0 });
  });

  it('waits where there is no room between fragments, for the one that ends first', () => {
    const full = { delayUs: S, airtimeUs: 700 * MS };
    const others = [other({ ...full, endsAtUs: 300 * S }, 'long'), other(full, 'short')];
    expect(place(full, others)).toEqual({ shiftUs: 202 * S, phaseUs: 0, behind: 'long' });
    expect(place(full, others.slice(1))).toMatchObject({ shiftUs: 102 * S, behind: 'short' });
  });

  it('has a tenth of a second before and after each fragment of the others', () => {
    const pace = { delayUs: S, airtimeUs: 400 * MS };
    expect(place(pace, [other(pace)])).toEqual({ shiftUs: 0, phaseUs: 500 * MS });
    const longer = { ...pace, airtimeUs: 401 * MS };
    expect(place(longer, [other(pace)])).toMatchObject({ shiftUs: 102 * S });
    expect(place(pace, [other(longer)])).toMatchObject({ shiftUs: 102 * S });
  });

  it('that may not wait names the sessions it meets', () => {
    const tenth = [site('A', 0, 0.1)];
    const met = place({ sites: tenth }, [other({ sites: tenth })], false);
    expect(met).toEqual({ ...AT_ONCE, against: 'other' });
  });
});

const uses = fc.record({
  sites: fc.uniqueArray(fc.constantFrom('A', 'B', 'C'), { minLength: 1 }),
  frequencyHz: fc.constantFrom(868_100_000, 869_525_000),
  firstAtUs: fc.integer({ min: 0, max: 120 }).map((s) => s * S),
  fragments: fc.integer({ min: 1, max: 40 }),
  delayUs: fc.integer({ min: 2, max: 9 }).map((s) => s * S),
  airtimeUs: fc.integer({ min: 50, max: 1_500 }).map((ms) => ms * MS),
});

const useOf = ({
  fragments,
  sites,
  ...drawn
}: typeof uses extends fc.Arbitrary<infer U> ? U : never) =>
  ({
    ...USUAL,
    ...drawn,
    sites: sites.map((eui) => site(eui, 0, 0.5)),
    turns: sites.length,
    endsAtUs: drawn.firstAtUs + (fragments + 1) * drawn.delayUs,
  }) satisfies AirUse;

/** Every fragment of a session, with its gateway. */
function fragmentsOf(use: AirUse) {
  const { sites, firstAtUs, endsAtUs, delayUs, airtimeUs, frequencyHz } = use;
  const found: { gateway: string; hz: number; fromUs: number; untilUs: number }[] = [];
  sites.forEach(({ eui }, turn) => {
    const offsetUs = Math.floor((turn * delayUs) / sites.length);
    for (let atUs = firstAtUs + offsetUs; atUs < endsAtUs - delayUs; atUs += delayUs) {
      found.push({ gateway: eui, hz: frequencyHz, fromUs: atUs, untilUs: atUs + airtimeUs });
    }
  });
  return found;
}

describe('sessions that are placed one after the other', () => {
  it('have no two fragments on one channel or at one gateway within the guard', () => {
    fc.assert(
      fc.property(fc.array(uses, { minLength: 2, maxLength: 5 }), (drawn) => {
        const placed: OtherUse<number>[] = [];
        for (const [ownerId, each] of drawn.entries()) {
          const use = useOf(each);
          const shifted = (shiftUs: number): AirUse => ({
            ...use,
            firstAtUs: use.firstAtUs + shiftUs,
            endsAtUs: use.endsAtUs + shiftUs,
          });
          const { shiftUs, phaseUs } = placeSession(shifted, placed, true);
          const mine = shifted(shiftUs);
          // Late by its phase, it ends no later: sessions have time to spare.
          placed.push({ ...mine, firstAtUs: mine.firstAtUs + phaseUs, owner: ownerId });
        }
        const all = placed.flatMap((use) =>
          fragmentsOf(use).map((one) => ({ ...one, owner: use.owner })),
        );
        let leastUs = Number.POSITIVE_INFINITY;
        for (const a of all) {
          for (const b of all) {
            if (a.owner >= b.owner || (a.gateway !== b.gateway && a.hz !== b.hz)) continue;
            leastUs = Math.min(leastUs, Math.max(a.fromUs - b.untilUs, b.fromUs - a.untilUs));
          }
        }
        expect(leastUs).toBeGreaterThanOrEqual(GUARD_US);
      }),
      { numRuns: someRuns(400) },
    );
  });
});
