/** Receive windows as the two reference stacks compute them, run as C. */
import { describe, expect, it } from 'vitest';
import { FSK, symbolUs } from '../../sim/lorawan/airtime.ts';
import {
  basicsModemWindow,
  lmicWindow,
  loraMacNodeWindow,
  radioLibWindow,
  stm32wlSymbols,
} from '../../sim/lorawan/receive-window.ts';
import { vectors } from '../support/vectors.ts';

interface WindowRow {
  sf: number;
  bwHz: number;
  windowSymbols: number;
}

interface MacNodeRow extends WindowRow {
  minRxSymbols: number;
  rxErrorMs: number;
  wakeUpMs: number;
  tSymbolUs: number;
  windowOffsetMs: number;
}

interface ModemRow extends WindowRow {
  rxDelayMs: number;
  crystalPpm: number;
  boardDelayMs: number;
  windowMs: number;
  startOffsetMs: number;
}

const { loraMacNode, loraBasicsModem } = vectors<{
  loraMacNode: MacNodeRow[];
  loraBasicsModem: ModemRow[];
}>('rxwindow');

describe('a receive window', () => {
  it.each(loraMacNode)('of LoRaMac-node: SF$sf/$bwHz, error $rxErrorMs ms', (row) => {
    const { minRxSymbols, rxErrorMs, wakeUpMs } = row;
    expect(symbolUs(row.sf, row.bwHz)).toBe(row.tSymbolUs);
    const timing = { symbolUs: row.tSymbolUs, minRxSymbols, rxErrorMs, wakeUpMs };
    expect(loraMacNodeWindow(timing)).toEqual({
      symbols: row.windowSymbols,
      offsetMs: row.windowOffsetMs,
    });
  });

  it.each(loraBasicsModem)(
    'of LoRa Basics Modem: SF$sf/$bwHz, $crystalPpm ppm over $rxDelayMs ms',
    (row) => {
      const { rxDelayMs, crystalPpm, boardDelayMs } = row;
      const timing = { symbolUs: symbolUs(row.sf, row.bwHz), rxDelayMs, crystalPpm, boardDelayMs };
      expect(basicsModemWindow(timing)).toEqual({
        symbols: row.windowSymbols,
        windowMs: row.windowMs,
        offsetMs: row.startOffsetMs,
      });
    },
  );

  it.each([
    // SF, clock error ppm, delay s: opening µs, symbols (6, and the margin of 2 ms in symbols).
    [7, 0, 1, -2000, 8],
    [12, 0, 1, -2000, 7],
    [12, 0, 2, -2000, 7],
    [7, 1000, 1, -3000, 10],
    [7, 1000, 5, -7000, 18],
    // No more than 4 000 ppm.
    [10, 50_000, 1, -6000, 8],
  ])('of LMIC: SF%d, %d ppm over %d s', (sf, clockPpm, delayS, offsetUs, symbols) => {
    const symbol = symbolUs(sf, 125_000);
    const timing = { spreadingFactor: sf, symbolUs: symbol, rxDelayUs: delayS * 1e6, clockPpm };
    expect(lmicWindow(timing)).toEqual({ offsetUs, lengthUs: symbols * symbol });
  });

  it('of LMIC has 4 080 bits in FSK', () => {
    const timing = { spreadingFactor: FSK, symbolUs: 160, rxDelayUs: 1e6, clockPpm: 0 };
    expect(lmicWindow(timing).lengthUs).toBe(81_600);
  });

  it.each([
    // An empty frame: 20.25 symbols and, below SF11, a block of five; both with a guard of 10 ms.
    [7, 10, 25_856 + 10_000],
    [9, 10, 25.25 * 4096 + 10_000],
    [12, 10, 20.25 * 32_768 + 10_000],
    [12, 50, 20.25 * 32_768 + 50_000],
  ])('of RadioLib: SF%d, guard %d ms', (spreadingFactor, guardMs, lengthUs) => {
    const window = radioLibWindow({ spreadingFactor, bandwidthHz: 125_000, guardMs });
    expect(window).toEqual({ offsetUs: -guardMs * 500, lengthUs });
  });

  it('of STM32WL has the symbols that its timeout register holds, rounded down', () => {
    const held = [6, 7, 8, 9, 44, 63, 64, 71, 127, 248, 300].map(stm32wlSymbols);
    expect(held).toEqual([6, 6, 8, 8, 44, 62, 64, 64, 120, 248, 248]);
  });
});
