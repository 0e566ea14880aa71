/** Receive windows as the two reference stacks compute them, run as C. */
import { describe, expect, it } from 'vitest';
import { symbolUs } from '../../sim/lorawan/airtime.ts';
import {
  basicsModemWindow,
  loraMacNodeWindow,
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

  it('of STM32WL has the symbols that its timeout register holds, rounded down', () => {
    const held = [6, 7, 8, 9, 44, 63, 64, 71, 127, 248, 300].map(stm32wlSymbols);
    expect(held).toEqual([6, 6, 8, 8, 44, 62, 64, 64, 120, 248, 248]);
  });
});
