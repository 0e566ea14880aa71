/** The choice of gateways that send a campaign's fragments. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chooseGateways,
  chooseOfEach,
  type HeardMember,
  listedInService,
} from '../../../core/update-service/gateway-choice.ts';
import { Bench } from '../bench.ts';

describe('the choice of gateways', () => {
  const view = new Bench({ gateways: ['N', 'S', 'E'] }).view;
  const member = (levels: Record<string, number>): HeardMember => ({
    heardBy: Object.entries(levels).map(([gatewayEui, dbm]) => ({
      gatewayEui,
      downlinkCentiDbm: 100 * dbm,
    })),
  });
  const chosen = (members: readonly HeardMember[]): string[] =>
    chooseGateways(members, -12_000, view, 0).map(({ eui }) => eui);

  it('takes those listed as they are, as far as they are in service', () => {
    expect(listedInService(['S', 'gone', 'E'], view).map(({ eui }) => eui)).toEqual(['S', 'E']);
  });

  it('is made for the members of each owner, among the gateways that the owner sees', () => {
    const views = {
      ann: new Bench({ gateways: ['N', 'S'] }).view,
      bob: new Bench({ gateways: ['E'] }).view,
    };
    const viewOf = (owner: string) => views[owner as keyof typeof views];
    const of = (owner: string, levels: Record<string, number>) => ({ ...member(levels), owner });
    const chosenOfEach = (...members: ReturnType<typeof of>[]) =>
      chooseOfEach(members, -12_000, { viewOf }, 0).map(({ eui }) => eui);
    expect(chosenOfEach(of('ann', { S: -60 }), of('bob', { E: -60 }))).toEqual(['E', 'S']);
    // Nobody has heard those of one owner: all of that owner's gateways send, and no others.
    expect(chosenOfEach(of('ann', {}), of('bob', { E: -60 }))).toEqual(['E', 'N', 'S']);
    expect(chosenOfEach(of('ann', { S: -60 }), of('bob', {}))).toEqual(['E', 'S']);
    expect(chosenOfEach(of('ann', {}))).toEqual(['N', 'S']);
  });

  it('takes one where one serves all', () => {
    expect(chosen([member({ N: -100, S: -60 }), member({ N: -119, E: -80 })])).toEqual(['N']);
  });

  it('takes the lower EUI when two serve as many', () => {
    expect(chosen([member({ S: -60, N: -100 })])).toEqual(['N']);
  });

  it('takes the best gateway of a member that none serves well', () => {
    expect(chosen([member({ N: -100 }), member({ S: -130, E: -128 })])).toEqual(['E', 'N']);
  });

  it('takes all when nobody was heard, and none for members that were not', () => {
    expect(chosen([member({})])).toEqual(['E', 'N', 'S']);
    expect(chosen([member({}), member({ S: -90 })])).toEqual(['S']);
  });

  it('takes two where the one that serves most would need two more', () => {
    const pairs: Record<string, number>[] = [
      { N: -90, X: -90 },
      { N: -90, X: -90 },
      { S: -90, X: -90 },
      { S: -90, X: -90 },
      { N: -90 },
      { S: -90 },
    ];
    expect(chosen(pairs.map(member))).toEqual(['N', 'S']);
  });

  it('takes as few gateways as any set that serves all', () => {
    const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];
    const levels = fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(levels, { minLength: 1, maxLength: 25 }), (lists) => {
        const members = lists.map((list) =>
          member(Object.fromEntries(list.map((eui) => [eui, -90]))),
        );
        const serves = (set: readonly string[]) =>
          lists.every((list) => list.some((eui) => set.includes(eui)));
        const subsets = Array.from({ length: 2 ** names.length }, (_, bits) =>
          names.filter((_, i) => (bits >> i) & 1),
        );
        const fewest = Math.min(...subsets.filter(serves).map((set) => set.length));
        const set = chosen(members);
        expect(serves(set)).toBe(true);
        expect(set.length).toBe(fewest);
      }),
    );
  });

  it('is made in time among hundreds of gateways', () => {
    const euiOf = (n: number) => (n % 300).toString().padStart(3, '0');
    const members = Array.from({ length: 5_000 }, (_, i) =>
      member(
        Object.fromEntries([0, 7, 31, 173].map((step) => [euiOf(i * 13 + step * i + step), -90])),
      ),
    );
    const set = chosen(members);
    for (const { heardBy } of members) {
      expect(heardBy.some(({ gatewayEui }) => set.includes(gatewayEui))).toBe(true);
    }
  });

  it('reports why', () => {
    const reasons = chooseGateways([member({ N: -90 }), member({ N: -91 })], -12_000, view, 0);
    expect(reasons).toEqual([{ eui: 'N', reason: 'members served: 2' }]);
  });

  it('serves every member that was heard, and has no gateway without need', () => {
    const levels = fc.dictionary(
      fc.constantFrom('N', 'S', 'E', 'W', 'X'),
      fc.integer({ min: -140, max: -60 }),
    );
    fc.assert(
      fc.property(fc.array(levels, { maxLength: 20 }), (all) => {
        const members = all.map(member);
        const heard = members.filter(({ heardBy }) => heardBy.length > 0);
        fc.pre(heard.length > 0);
        const set = chosen(members);
        for (const { heardBy } of heard) {
          const best = Math.max(...heardBy.map((each) => each.downlinkCentiDbm));
          const needed = Math.min(best, -12_000);
          const reached = heardBy.filter((each) => set.includes(each.gatewayEui));
          expect(reached.some((each) => each.downlinkCentiDbm >= needed)).toBe(true);
        }
        expect(set.length).toBeLessThanOrEqual(heard.length);
        expect(chosen([...members].reverse())).toEqual(set);
      }),
    );
  });
});
