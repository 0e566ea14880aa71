/** The public face `fleetwave/sim`: the radio's figures (phy.json, per.json), and its refusals. */
import { describe, expect, it } from 'vitest';
import {
  type OkumuraHata,
  PATH_LOSS_NAMES,
  packetErrorRate,
  pathLossDb,
  sensitivityDbm,
  sirThresholdDb,
  snrFloorDb,
} from '../../sim/library.ts';
import { vectors } from '../support/vectors.ts';

interface Phy {
  readonly snrFloorDb: Readonly<Record<string, number>>;
  readonly sensitivityComputedNF6: readonly { sf: number; bwHz: number; nf6: number }[];
  readonly 'sirMatrixGoursaud(ns-3 lorawan)': readonly (readonly number[])[];
  readonly 'sirMatrixCroce(FLoRa)': readonly (readonly number[])[];
  readonly pathLossDb: readonly Readonly<Record<string, number>>[];
}

const phy = vectors<Phy>('phy');
const per = vectors<{
  readonly packetErrorRate: readonly {
    readonly sf: number;
    readonly phyPayloadLen: number;
    readonly crc: number;
    readonly perAtFloor: number;
  }[];
}>('per');

const HATA: OkumuraHata = {
  environment: 'suburban',
  frequencyHz: 868.1e6,
  gatewayHeightMeters: 30,
  deviceHeightMeters: 1.5,
};

describe('the radio at the public face', () => {
  it('has the SNR floors and what follows from them', () => {
    for (const [factor, floor] of Object.entries(phy.snrFloorDb)) {
      expect(snrFloorDb(Number(factor))).toBe(floor);
    }
    for (const { sf: spreadingFactor, bwHz: bandwidthHz, nf6 } of phy.sensitivityComputedNF6) {
      expect(sensitivityDbm({ spreadingFactor, bandwidthHz })).toBeCloseTo(nf6, 1);
      const better = sensitivityDbm({ spreadingFactor, bandwidthHz, noiseFigureDb: 3 });
      expect(better).toBeCloseTo(nf6 - 3, 1);
    }
  });

  it('has both matrices', () => {
    for (let own = 7; own <= 12; own++) {
      for (let other = 7; other <= 12; other++) {
        const goursaud = phy['sirMatrixGoursaud(ns-3 lorawan)'][own - 7][other - 7];
        const croce = phy['sirMatrixCroce(FLoRa)'][own - 7][other - 7];
        expect(sirThresholdDb('goursaud', own, other)).toBe(goursaud);
        expect(sirThresholdDb('croce', own, other)).toBe(croce);
      }
    }
  });

  it('has path losses by name and by parameters', () => {
    for (const row of phy.pathLossDb) {
      expect(pathLossDb('ns3LogDistance', row.dM)).toBeCloseTo(row.ns3LogDistance, 3);
      if (row.hataSuburban === undefined) continue;
      expect(pathLossDb(HATA, row.dM)).toBe(pathLossDb('hataSuburban', row.dM));
      expect(pathLossDb(HATA, row.dM)).toBeCloseTo(row.hataSuburban, 2);
    }
    expect(PATH_LOSS_NAMES).toContain('oulu');
  });

  it.each(per.packetErrorRate)('reports the errors of $phyPayloadLen bytes at SF$sf', (row) => {
    const frame = {
      spreadingFactor: row.sf,
      snrDb: snrFloorDb(row.sf),
      phyPayloadBytes: row.phyPayloadLen,
      crc: row.crc === 1,
    };
    expect(Math.abs(packetErrorRate(frame) / row.perAtFloor - 1)).toBeLessThan(1e-4);
    const worse = packetErrorRate({ ...frame, implementationLossDb: 2 });
    expect(worse).toBe(packetErrorRate({ ...frame, snrDb: frame.snrDb - 2 }));
  });
});

const frame = { spreadingFactor: 7, snrDb: 0, phyPayloadBytes: 20 };

describe('a wrong argument', () => {
  it.each<readonly [string, () => unknown]>([
    ['meters is a number from 0 to 1000000000, not -1', () => pathLossDb('oulu', -1)],
    ['model is', () => pathLossDb('mars' as 'oulu', 1)],
    ['model is', () => pathLossDb(null as never, 1)],
    ['environment is', () => pathLossDb({ ...HATA, environment: 'sea' as 'open' }, 1)],
    ['frequencyHz is a number', () => pathLossDb({ ...HATA, frequencyHz: 868.1 }, 1)],
    ['gatewayHeightMeters is', () => pathLossDb({ ...HATA, gatewayHeightMeters: 0 }, 1)],
    ['deviceHeightMeters is', () => pathLossDb({ ...HATA, deviceHeightMeters: 0 }, 1)],
    ['spreadingFactor is a whole number from 5 to 12, not 4', () => snrFloorDb(4)],
    ['table is', () => sensitivityDbm({ spreadingFactor: 7, table: 'sx1' as 'sx1272' })],
    ['bandwidthHz is', () => sensitivityDbm({ spreadingFactor: 7, bandwidthHz: 1 })],
    ['noiseFigureDb is', () => sensitivityDbm({ spreadingFactor: 7, noiseFigureDb: -1 })],
    ['matrix is', () => sirThresholdDb('none' as 'croce', 7, 7)],
    ['wantedSpreadingFactor is', () => sirThresholdDb('croce', 6, 7)],
    ['interferingSpreadingFactor is', () => sirThresholdDb('croce', 7, 13)],
    ['snrDb is a number', () => packetErrorRate({ ...frame, snrDb: Number.NaN })],
    ['phyPayloadBytes is', () => packetErrorRate({ ...frame, phyPayloadBytes: 256 })],
    ['codingRate is', () => packetErrorRate({ ...frame, codingRate: 5 as 4 })],
    ['crc is true or false', () => packetErrorRate({ ...frame, crc: 1 as never })],
    ['bandwidthHz is', () => packetErrorRate({ ...frame, bandwidthHz: 62_500 })],
    ['implementationLossDb is', () => packetErrorRate({ ...frame, implementationLossDb: -1 })],
  ])('is reported: %s', (complaint, call) => {
    expect(call).toThrow(RangeError);
    expect(call).toThrow(complaint);
  });
});
