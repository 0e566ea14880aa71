/** Semtech's datasheets of SX1276 and SX1261/2: times on air that implementations agree on. */
import { describe, expect, it } from 'vitest';
import {
  fskTimeOnAirUs,
  loraAirtimeUs,
  lowDataRate,
  symbolUs,
  timeOnAirUs,
} from '../../sim/lorawan/airtime.ts';
import { vectors } from '../support/vectors.ts';

interface LoRaRow {
  sf: number;
  bwHz: number;
  cr: string;
  preamble: number;
  explicitHeader: boolean;
  crc: boolean;
  ldro: boolean;
  phyPayloadLen: number;
  toaUs: number;
}

interface FskRow {
  bitrate: number;
  preambleBytes: number;
  syncBytes: number;
  phyPayloadLen: number;
  crc: boolean;
  toaUs: number;
}

const { lora, fsk50kbps } = vectors<{ lora: LoRaRow[]; fsk50kbps: FskRow[] }>('airtime');

describe('the time on air', () => {
  it('is the agreed one for every LoRa row', () => {
    for (const row of lora) {
      const frame = {
        spreadingFactor: row.sf,
        bandwidthHz: row.bwHz,
        phyPayloadBytes: row.phyPayloadLen,
        codingRate: (Number(row.cr[2]) - 4) as 1 | 2 | 3 | 4,
        preambleSymbols: row.preamble,
        explicitHeader: row.explicitHeader,
        crc: row.crc,
      };
      expect(timeOnAirUs(frame), JSON.stringify(row)).toBe(row.toaUs);
      expect(lowDataRate(row.sf, row.bwHz)).toBe(row.ldro);
    }
    expect(lora.length).toBeGreaterThan(100);
  });

  it('is the agreed one for every FSK row', () => {
    for (const row of fsk50kbps) {
      const { preambleBytes, syncBytes, crc } = row;
      const frame = { bitRate: row.bitrate, phyPayloadBytes: row.phyPayloadLen };
      expect(fskTimeOnAirUs({ ...frame, preambleBytes, syncBytes, crc })).toBe(row.toaUs);
      expect(fskTimeOnAirUs(frame)).toBe(row.toaUs);
    }
  });

  it('needs no object for a data frame', () => {
    for (let spreadingFactor = 5; spreadingFactor <= 12; spreadingFactor++) {
      for (const bandwidthHz of [125_000, 250_000, 500_000]) {
        for (let phyPayloadBytes = 0; phyPayloadBytes <= 255; phyPayloadBytes += 15) {
          for (const crc of [true, false]) {
            expect(loraAirtimeUs(spreadingFactor, bandwidthHz, phyPayloadBytes, crc)).toBe(
              timeOnAirUs({ spreadingFactor, bandwidthHz, phyPayloadBytes, crc }),
            );
          }
        }
      }
    }
    expect(loraAirtimeUs(7, 125_000, 13, true)).toBe(46_336);
    expect(loraAirtimeUs(12, 125_000, 33, false)).toBe(1_810_432);
  });

  it('counts symbols of 2^SF chips', () => {
    expect(symbolUs(7, 125_000)).toBe(1024);
    expect(symbolUs(12, 125_000)).toBe(32_768);
    expect(symbolUs(5, 500_000)).toBe(64);
  });

  it('refuses what is no LoRa frame', () => {
    const frame = { spreadingFactor: 7, bandwidthHz: 125_000, phyPayloadBytes: 13 };
    expect(() => timeOnAirUs({ ...frame, spreadingFactor: 13 })).toThrow('spreading factor');
    expect(() => timeOnAirUs({ ...frame, phyPayloadBytes: 256 })).toThrow('255 bytes');
  });
});
