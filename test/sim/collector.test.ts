/** The collector: copies of one uplink in the order of their strength, whatever their number. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NONE } from '../../sim/kernel/columns.ts';
import { Collector } from '../../sim/network-server/collector.ts';
import { costMs, growsTooMuch } from '../support/cost.ts';

const DEDUPLICATION_US = 200;

interface Copy {
  readonly rssi: number;
  readonly snr: number;
  readonly atUs: number;
}

/** Collects copies, each of a gateway of its own; returns the collection. */
function gather(collector: Collector, copies: readonly Copy[]): number {
  collector.addTransmitter(0);
  let chain = NONE;
  for (const [gateway, { rssi, snr, atUs }] of copies.entries()) {
    chain = collector.copy(chain, gateway, rssi, snr, atUs);
  }
  const uplink = { frame: 1, frameSlot: 0, endedAtUs: 0, frequencyHz: 868_100_000, dataRate: 5 };
  collector.gather(0, { ...uplink, firstCopy: chain });
  return collector.takeDue(0, Number.MAX_SAFE_INTEGER);
}

/** Gateways of a chain of copies. */
function gatewaysOf({ copies }: Collector, head: number): number[] {
  const { next, gateway } = copies.column;
  const found: number[] = [];
  for (let row = head; row !== NONE; row = next[row]) found.push(gateway[row]!);
  return found;
}

describe('the collector', () => {
  const few = (least: number, most: number) => fc.integer({ min: least, max: most });
  const copies = fc.array(
    fc.record({ rssi: few(-9_002, -9_000), snr: few(0, 2), atUs: few(1, 400) }),
    { minLength: 1, maxLength: 40 },
  );

  it('has those in time and the late ones, by SNR, then RSSI, then gateway', () => {
    const run = (given: readonly Copy[]) => {
      const collector = new Collector(DEDUPLICATION_US);
      const collection = gather(collector, given);
      const untilUs = Math.min(...given.map(({ atUs }) => atUs)) + DEDUPLICATION_US;
      const order = given
        .map((copy, gateway) => ({ ...copy, gateway }))
        .sort((a, b) => b.snr - a.snr || b.rssi - a.rssi || a.gateway - b.gateway);
      const those = (isLate: boolean) =>
        order.filter(({ atUs }) => atUs > untilUs === isLate).map(({ gateway }) => gateway);
      const { firstCopy, lateCopy } = collector.collections.column;
      expect(gatewaysOf(collector, firstCopy[collection]!)).toEqual(those(false));
      expect(gatewaysOf(collector, lateCopy[collection]!)).toEqual(those(true));
    };
    fc.assert(fc.property(copies, run));
  });

  it('sorts copies of very many gateways without comparing each with all', async () => {
    const cost = (count: number) => {
      const given = Array.from({ length: count }, (_, i) => ({
        rssi: -9_000,
        snr: (i * 7_919) % count,
        atUs: 1,
      }));
      return costMs(() => gather(new Collector(DEDUPLICATION_US), given));
    };
    expect(await growsTooMuch(cost, 4_000)).toBe(false);
  });
});
