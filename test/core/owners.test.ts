/** Owners of devices and gateways: who has a thing, whatever was planned and changed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OwnedRun } from '../../core/base/owned-runs.ts';
import { Owners } from '../../core/base/subscribers.ts';
import { Digest } from '../../sim/kernel/digest.ts';
import { itLong } from '../support/long.ts';

const WHO = ['ann', 'bob', 'default'] as const;
const PLACES = 24;

/** Around a step of the upper half, which runs do not cross. */
const euiOf = (place: number): string =>
  (0x1_0000_0000n - 12n + BigInt(place)).toString(16).toUpperCase().padStart(16, '0');

/** By place: whose it is; null: nothing is said of it. */
const planned = fc.array(fc.option(fc.constantFrom(...WHO)), {
  minLength: PLACES,
  maxLength: PLACES,
});
const changes = fc.array(fc.tuple(fc.nat(PLACES - 1), fc.constantFrom(...WHO, 'forget' as const)));

const runsOf = (owners: readonly (string | null)[]): OwnedRun[] =>
  owners.flatMap((owner, place) => (owner === null ? [] : [[euiOf(place), owner] as const]));

const hexOf = (owners: Owners): string => {
  const digest = new Digest();
  owners.fold(digest);
  return digest.hex();
};

/** Owners, and the same by EUI in a map. */
function create(plan: readonly (string | null)[], then: readonly (readonly [number, string])[]) {
  const owners = new Owners();
  owners.plan({ devices: runsOf(plan).reverse(), gateways: [] });
  const map = new Map(runsOf(plan).map(([eui, owner]) => [eui, owner]));
  for (const [place, who] of then) {
    if (who === 'forget') owners.forget('device', euiOf(place));
    else owners.note(who, 'device', euiOf(place));
    map.set(euiOf(place), who === 'forget' ? 'default' : who);
  }
  return { owners, map };
}

describe('owners', () => {
  it('are the same in any order, with texts that are no EUIs between', () => {
    const asked = fc.array(fc.nat(PLACES - 1), { maxLength: 60 });
    fc.assert(
      fc.property(planned, changes, asked, (plan, then, places) => {
        const { owners, map } = create(plan, then);
        for (const place of places) {
          const eui = euiOf(place);
          expect(owners.ownerOf('device', eui)).toBe(map.get(eui) ?? 'default');
          for (const none of ['', 'x', `${eui}0`, eui.slice(0, 15), `${eui.slice(0, 15)}a`]) {
            expect(owners.ownerOf('device', none)).toBe('default');
          }
        }
      }),
    );
  });

  it('are those that were planned and noted last; what is nobody’s is the default’s', () => {
    fc.assert(
      fc.property(planned, changes, (plan, then) => {
        const { owners, map } = create(plan, then);
        const again = new Owners();
        again.load(JSON.parse(JSON.stringify(owners.save())));
        for (let place = 0; place < PLACES; place++) {
          const owner = map.get(euiOf(place)) ?? 'default';
          expect(owners.ownerOf('device', euiOf(place))).toBe(owner);
          expect(again.ownerOf('device', euiOf(place))).toBe(owner);
          expect(owners.ownerOf('gateway', euiOf(place))).toBe('default');
        }
        expect(hexOf(again)).toBe(hexOf(owners));
      }),
    );
  });

  it('fold to what they are, whatever came before and anyone who asked in between', () => {
    fc.assert(
      fc.property(planned, changes, changes, (plan, one, other) => {
        const asked = create(plan, []).owners;
        for (const [place, who] of [...one, ...other]) {
          hexOf(asked);
          if (who === 'forget') asked.forget('device', euiOf(place));
          else asked.note(who, 'device', euiOf(place));
        }
        const last = new Map([...one, ...other]);
        const straight = create(plan, [...last]).owners;
        expect(hexOf(asked)).toBe(hexOf(straight));
        expect(asked.save()).toEqual(straight.save());
      }),
    );
  });

  itLong('of a million devices of a population are one run', () => {
    const owners = new Owners();
    const euis = Array.from(
      { length: 1_000_000 },
      (_, i) => `00000000AB${i.toString(16).toUpperCase().padStart(6, '0')}`,
    );
    owners.plan({ devices: euis.map((eui) => [eui, 'ann'] as const), gateways: [] });
    expect(owners.planned.devices).toEqual([['00000000AB000000', 'ann', 999_999]]);
    for (const i of [0, 1, 500_000, 999_999]) {
      expect(owners.ownerOf('device', euis[i]!)).toBe('ann');
    }
    for (const eui of ['00000000AB0F4240', '00000000AAFFFFFF', '00000000ab000001', '', 'any']) {
      expect(owners.ownerOf('device', eui)).toBe('default');
    }
  });
});
