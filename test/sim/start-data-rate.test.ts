/** The data rate with which a device begins: a fixed one, or the fastest that its link carries. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { MINUTE_US, networkOf, type Wanted, watch } from '../support/small-network.ts';

/** Sensitivity of a device at SF12 … SF7 and 125 kHz, data rates 0 … 5, dBm. */
const SENSITIVITY_DBM = [-137, -135, -133, -130, -127, -124];

const EIRP_DBM = 16;

/** Data rate of the first uplink of all. */
const firstIn = (network: NetworkPlan): number =>
  12 - watch(network, 2 * MINUTE_US).of('uplinkBegins')[0]!.spreadingFactor;

/** Data rate of the first uplink of a personalised device whose path has this loss. */
function firstDataRate(lossDb: number, marginDb: number, wanted: Wanted = {}): number {
  const network = networkOf({
    ...wanted,
    radio: { pathLoss: { model: 'constant', lossDb } },
    type: { dataRate: { from: 'link', marginCentiDb: 100 * marginDb } },
  });
  return firstIn(network);
}

/** The fastest data rate whose sensitivity is below what is left of the level, else DR0. */
const fastestFor = (levelDbm: number): number =>
  Math.max(
    0,
    SENSITIVITY_DBM.findLastIndex((least) => levelDbm > least),
  );

describe('a data rate of the link', () => {
  it('is the fastest whose sensitivity the level exceeds by the margin', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 120, max: 149 }),
        fc.integer({ min: 0, max: 15 }),
        (loss, margin) => {
          expect(firstDataRate(loss, margin)).toBe(fastestFor(EIRP_DBM - loss - margin));
        },
      ),
      { numRuns: 30 },
    );
  });

  it.each(SENSITIVITY_DBM.map((least, dataRate) => [dataRate, EIRP_DBM - least] as const).slice(1))(
    'is DR%i just above its sensitivity, and a slower one at it',
    (dataRate, lossDb) => {
      expect(firstDataRate(lossDb - 1, 0)).toBe(dataRate);
      expect(firstDataRate(lossDb, 0)).toBe(dataRate - 1);
      expect(firstDataRate(lossDb - 6, 5)).toBe(dataRate);
      expect(firstDataRate(lossDb - 5, 5)).toBe(dataRate - 1);
    },
  );

  it('is the slowest where no gateway is in reach', () => {
    expect(firstDataRate(120, 0)).toBe(5);
    expect(firstDataRate(120, 0, { gatewaysAt: [] })).toBe(0);
  });

  it('is that of the strongest of two gateways', () => {
    const type = { dataRate: { from: 'link', marginCentiDb: 1000 } } as const;
    const at = (...gatewaysAt: number[]) => firstIn(networkOf({ type, gatewaysAt }));
    expect(at(3500)).toBeLessThan(at(500));
    expect(at(500, 3500)).toBe(at(500));
    expect(at(3500, 500)).toBe(at(500));
  });
});
