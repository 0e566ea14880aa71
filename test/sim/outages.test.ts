/** Outages of gateways, as the tally has them: each ends itself, whatever else fails meanwhile. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Outage } from '../../sim/base/counts.ts';
import { Tally } from '../../sim/observation/tally.ts';
import { costMs, growsTooMuch } from '../support/cost.ts';

const euiOf = (gateway: number) => `AA0000000000${String(gateway).padStart(4, '0')}`;
const PARTS = ['backhaul', 'radio'] as const;

const change = fc.record({
  gateway: fc.nat(3),
  part: fc.constantFrom(...PARTS),
  isSavedFirst: fc.boolean(),
});

describe('outages of gateways', () => {
  it('end themselves and no others, also in a tally that was saved meanwhile', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        let tally = new Tally();
        const expected: Outage[] = [];
        for (const [atUs, { gateway, part, isSavedFirst }] of changes.entries()) {
          if (isSavedFirst) {
            const saved = tally.save();
            tally = new Tally();
            tally.load(saved);
          }
          const gatewayEui = euiOf(gateway);
          const at = expected.findIndex(
            (one) =>
              one.gatewayEui === gatewayEui && one.part === part && one.untilUs === undefined,
          );
          if (at < 0) {
            tally.beginOutage(gatewayEui, part, atUs);
            expected.push({ gatewayEui, part, fromUs: atUs });
          } else {
            tally.endOutage(gatewayEui, part, atUs);
            expected[at] = { ...expected[at]!, untilUs: atUs };
          }
          expect(tally.outages).toEqual(expected);
        }
      }),
    );
  });

  it('of who works end nothing', () => {
    const tally = new Tally();
    tally.beginOutage(euiOf(0), 'radio', 1);
    tally.endOutage(euiOf(0), 'backhaul', 2);
    tally.endOutage(euiOf(1), 'radio', 2);
    tally.endOutage(euiOf(0), 'radio', 3);
    tally.endOutage(euiOf(0), 'radio', 4);
    expect(tally.outages).toEqual([{ gatewayEui: euiOf(0), part: 'radio', fromUs: 1, untilUs: 3 }]);
  });

  it('cost each the same, however many there were', async () => {
    const failing = (gateways: number) => {
      const tally = new Tally();
      return costMs(() => {
        for (let i = 0; i < gateways; i++) tally.beginOutage(euiOf(i), 'backhaul', i);
        for (let i = 0; i < gateways; i++) tally.endOutage(euiOf(i), 'backhaul', gateways);
        // Those that are gone had no other.
        for (let i = 0; i < gateways; i++) tally.endOutage(euiOf(i), 'radio', gateways);
      });
    };
    expect(await growsTooMuch(failing, 1_000)).toBe(false);
  });
});
