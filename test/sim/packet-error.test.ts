/** Frames lost to noise (docs/standard.md, Reception in noise): every row of per.json. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  payloadSymbols,
  payloadSymbolsOnAir,
  preambleSymbols,
  symbolUs,
  timeOnAirUs,
} from '../../sim/lorawan/airtime.ts';
import {
  IMPLEMENTATION_LOSS_DB,
  packetErrorRate,
  SNR_FLOORS_DB,
  symbolErrorRate,
} from '../../sim/radio/packet-error.ts';
import { vectors } from '../support/vectors.ts';

interface Per {
  readonly snrFloorDb: Readonly<Record<string, number>>;
  readonly symbolErrorRate: Readonly<Record<string, readonly (readonly [number, number])[]>>;
  readonly packetErrorRate: readonly (Readonly<Record<string, number>> & {
    readonly sf: number;
    readonly phyPayloadLen: number;
    readonly crc: 0 | 1;
    readonly payloadSymbols: number;
    readonly perAtFloor: number;
  })[];
  readonly monteCarlo: { readonly rows: readonly (readonly number[])[] };
}

const per = vectors<Per>('per');
const FACTORS = [5, 6, 7, 8, 9, 10, 11, 12];
const POINTS = ['0.01', '0.1', '0.5', '0.9', '0.99'];

const factors = fc.integer({ min: 5, max: 12 });
const snrs = fc.double({ min: -40, max: 20, noNaN: true });
const symbolCounts = fc.integer({ min: 0, max: 700 });

describe('the symbol error rate', () => {
  it.each(FACTORS)('is the published one at every point of SF%i', (sf) => {
    expect(SNR_FLOORS_DB[sf - 5]).toBe(per.snrFloorDb[`${sf}`]);
    const rows = per.symbolErrorRate[`${sf}`];
    expect(rows).toHaveLength(49);
    for (const [aboveFloorDb, rate] of rows) {
      const actual = symbolErrorRate(sf, SNR_FLOORS_DB[sf - 5] + aboveFloorDb);
      expect(Math.abs(actual / rate - 1)).toBeLessThan(1e-12);
    }
  });

  it('agrees with a simulation of the modulation', () => {
    for (const [sf, snrDb, , simulated, symbols] of per.monteCarlo.rows) {
      const rate = symbolErrorRate(sf, snrDb);
      const deviation = Math.sqrt((rate * (1 - rate)) / symbols);
      expect(Math.abs(rate - simulated)).toBeLessThan(3 * deviation);
    }
    expect(per.monteCarlo.rows).toHaveLength(9);
  });
});

describe('the packet error rate', () => {
  it.each(per.packetErrorRate)('is as published for $phyPayloadLen bytes at SF$sf', (row) => {
    const { sf: spreadingFactor, phyPayloadLen: phyPayloadBytes, crc } = row;
    const frame = { spreadingFactor, bandwidthHz: 125_000, phyPayloadBytes, crc: crc === 1 };
    const symbols = payloadSymbols(frame);
    expect(symbols).toBe(row.payloadSymbols);
    const atFloor = packetErrorRate(spreadingFactor, SNR_FLOORS_DB[spreadingFactor - 5], symbols);
    expect(Math.abs(atFloor / row.perAtFloor - 1)).toBeLessThan(1e-4);
    for (const point of POINTS) {
      const rate = packetErrorRate(spreadingFactor, row[`snrAtPer${point}`], symbols);
      // The page rounds to 0.001 dB, and interpolates more finely.
      expect(Math.abs(rate / Number(point) - 1)).toBeLessThan(0.01);
    }
  });

  it('falls with the SNR and grows with the length', () => {
    fc.assert(
      fc.property(factors, snrs, snrs, symbolCounts, symbolCounts, (sf, a, b, m, n) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        const [short, long] = [Math.min(m, n), Math.max(m, n)];
        const rate = packetErrorRate(sf, low, long);
        expect(packetErrorRate(sf, high, long)).toBeLessThanOrEqual(rate);
        expect(packetErrorRate(sf, low, short)).toBeLessThanOrEqual(rate);
        expect(rate >= 0 && rate <= 1).toBe(true);
      }),
    );
  });

  it('is smaller where the coding rate corrects a symbol of each block', () => {
    const snrDb = -8.5;
    const rates = [1, 2, 3, 4].map((codingRate) => packetErrorRate(7, snrDb, 840, codingRate));
    expect(rates[0]).toBe(rates[1]);
    expect(rates[2]).toBeLessThan(rates[1] / 5);
    expect(rates[3]).toBeGreaterThan(rates[2]);
  });

  it('is 10 % for 12 bytes at the floor of a receiver with the usual losses', () => {
    for (const sf of [7, 8, 9, 10, 11, 12]) {
      const frame = { spreadingFactor: sf, bandwidthHz: 125_000, phyPayloadBytes: 12 };
      const snrDb = SNR_FLOORS_DB[sf - 5] - IMPLEMENTATION_LOSS_DB[sf - 5];
      const rate = packetErrorRate(sf, snrDb, payloadSymbols(frame));
      expect(Math.abs(rate - 0.1)).toBeLessThan(0.015);
    }
  });
});

describe('the payload symbols of a frame on air', () => {
  it('follow from its time on air', () => {
    const bandwidths = fc.constantFrom(125_000, 250_000, 500_000);
    const bytes = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(factors, bandwidths, bytes, fc.boolean(), (sf, bandwidthHz, length, crc) => {
        const frame = { spreadingFactor: sf, bandwidthHz, phyPayloadBytes: length, crc };
        const symbols = payloadSymbolsOnAir(
          ...([sf, symbolUs(sf, bandwidthHz), preambleSymbols(sf), timeOnAirUs(frame)] as const),
        );
        expect(symbols).toBe(payloadSymbols(frame));
      }),
    );
  });
});
