/**
 * The public face `fleetwave/sim`: each argument is taken at both ends of its range, and refused
 * just outside of it, by its name.
 */
import { describe, expect, it } from 'vitest';
import {
  adrDecision,
  dataBlockMic,
  decodeFrame,
  deriveMulticastKeys,
  deriveSessionKeys,
  encodeFragments,
  encodeFrame,
  FragmentDecoder,
  fskTimeOnAirUs,
  nextPingSlot,
  packetErrorRate,
  parityRow,
  pathLossDb,
  pingOffset,
  RankModel,
  sensitivityDbm,
  sirThresholdDb,
  snrFloorDb,
  symbolUs,
  timeOnAirUs,
} from '../../sim/library.ts';

const U16 = 0xffff;
const U24 = 0xff_ffff;
const U32 = 0xffff_ffff;
const KEY = '0'.repeat(32);

const frame = { spreadingFactor: 7, bandwidthHz: 125_000, phyPayloadBytes: 20 };
const fsk = { bitRate: 50_000, phyPayloadBytes: 20 };
const ping = { beaconTimeS: 128, devAddr: 1, periodicity: 0 };
const join = { version: '1.0', appKey: KEY, joinNonce: 1, netId: 0, devNonce: 0 } as const;
const group = { version: '1.0', rootKey: KEY, mcKey: KEY, mcAddr: 1 } as const;
const block = {
  dataBlockIntKey: KEY,
  sessionCnt: 0,
  fragIndex: 0,
  descriptor: new Uint8Array(4),
  data: new Uint8Array(1),
};
const uplink = { mType: 'UnconfirmedDataUp', devAddr: 1, fCnt: 0 } as const;
const keys = { nwkSKey: KEY, appSKey: KEY };
const bytes = encodeFrame({ ...uplink, fPort: 1 }, keys);
const device = {
  adr: true,
  dr: 0,
  txPowerIndex: 0,
  nbTrans: 1,
  maxTxPowerIndex: 7,
  maxDr: 5,
  requiredSnr: -20,
  installationMargin: 10,
  history: [],
};
const heard = (fCnt: number, maxSnr: number, txPowerIndex: number) =>
  adrDecision({ ...device, history: [[fCnt, maxSnr, txPowerIndex]] });
const okumuraHata = {
  environment: 'smallCity',
  frequencyHz: 868_100_000,
  gatewayHeightMeters: 30,
  deviceHeightMeters: 1.5,
} as const;
const noisy = { spreadingFactor: 7, snrDb: 0, phyPayloadBytes: 20 };

/** That many bytes; there are no fewer than none. */
const bytesOf = (count: number): Uint8Array =>
  count < 0 ? (null as never) : new Uint8Array(count);

type Row = readonly [name: string, least: number, most: number, call: (value: number) => unknown];

/** Whole numbers. */
const WHOLE: readonly Row[] = [
  ['spreadingFactor', 5, 12, (spreadingFactor) => timeOnAirUs({ ...frame, spreadingFactor })],
  ['phyPayloadBytes', 0, 255, (phyPayloadBytes) => timeOnAirUs({ ...frame, phyPayloadBytes })],
  ['preambleSymbols', 1, U16, (preambleSymbols) => timeOnAirUs({ ...frame, preambleSymbols })],
  ['codingRate', 1, 4, (codingRate) => timeOnAirUs({ ...frame, codingRate: codingRate as 1 })],
  ['spreadingFactor', 5, 12, (spreadingFactor) => symbolUs(spreadingFactor, 125_000)],
  ['bitRate', 600, 300_000, (bitRate) => fskTimeOnAirUs({ ...fsk, bitRate })],
  ['phyPayloadBytes', 0, 255, (phyPayloadBytes) => fskTimeOnAirUs({ ...fsk, phyPayloadBytes })],
  ['preambleBytes', 0, U16, (preambleBytes) => fskTimeOnAirUs({ ...fsk, preambleBytes })],
  ['syncBytes', 0, 8, (syncBytes) => fskTimeOnAirUs({ ...fsk, syncBytes })],
  ['beaconTimeS', 0, U32, (beaconTimeS) => pingOffset({ ...ping, beaconTimeS })],
  ['devAddr', 0, U32, (devAddr) => pingOffset({ ...ping, devAddr })],
  ['periodicity', 0, 7, (periodicity) => pingOffset({ ...ping, periodicity })],
  ['devAddr', 0, U32, (devAddr) => nextPingSlot(0, devAddr, 0)],
  ['periodicity', 0, 7, (periodicity) => nextPingSlot(0, 1, periodicity)],
  ['afterUs', 0, Number.MAX_SAFE_INTEGER - 256_000_000, (afterUs) => nextPingSlot(afterUs, 1, 0)],
  ['version', 1, 2, (version) => parityRow(version as 1, 10, 1)],
  ['nbFrag', 1, 16_383, (nbFrag) => parityRow(1, nbFrag, 1)],
  ['n', 1, 16_383, (n) => parityRow(1, 10, n)],
  ['fragSize', 1, 255, (fragSize) => encodeFragments(1, new Uint8Array(1), fragSize, 0)],
  ['block', 1, 16_383, (length) => encodeFragments(1, bytesOf(length), 1, 0)],
  ['redundancy', 0, 16_373, (redundancy) => encodeFragments(1, new Uint8Array(10), 1, redundancy)],
  ['version', 1, 2, (version) => new FragmentDecoder(version as 1, 1, 1)],
  ['nbFrag', 1, 16_383, (nbFrag) => new FragmentDecoder(1, nbFrag, 1)],
  ['fragSize', 1, 255, (fragSize) => new FragmentDecoder(1, 1, fragSize)],
  ['maxLost', 0, 16_383, (maxLost) => new FragmentDecoder(1, 1, 1, { maxLost })],
  [
    'fragmentNumber',
    1,
    16_383,
    (number) => new FragmentDecoder(1, 3, 1).add(number, new Uint8Array(1)),
  ],
  ['nbFrag', 1, 16_383, (nbFrag) => new RankModel(1, nbFrag)],
  ['sent', 0, 16_383, (sent) => new RankModel(1, 10).completesAt(new Int32Array(512), 0, sent)],
  ['sent', 0, 16_383, (sent) => new RankModel(1, 10).missingAfter(new Int32Array(512), 0, sent)],
  ['at', 0, 4, (at) => new RankModel(1, 10).missingAfter(new Int32Array(4), at, 0)],
  ['joinNonce', 0, U24, (joinNonce) => deriveSessionKeys({ ...join, joinNonce })],
  ['devNonce', 0, U16, (devNonce) => deriveSessionKeys({ ...join, devNonce })],
  ['netId', 0, U24, (netId) => deriveSessionKeys({ ...join, netId })],
  ['mcAddr', 0, U32, (mcAddr) => deriveMulticastKeys({ ...group, mcAddr })],
  ['sessionCnt', 0, U16, (sessionCnt) => dataBlockMic({ ...block, sessionCnt })],
  ['fragIndex', 0, 3, (fragIndex) => dataBlockMic({ ...block, fragIndex })],
  ['descriptor', 4, 4, (n) => dataBlockMic({ ...block, descriptor: bytesOf(n) })],
  ['devAddr', 0, U32, (devAddr) => encodeFrame({ ...uplink, devAddr }, keys)],
  ['fCnt', 0, U32, (fCnt) => encodeFrame({ ...uplink, fCnt }, keys)],
  ['fPort', 0, 255, (fPort) => encodeFrame({ ...uplink, fPort }, keys)],
  ['fOpts', 0, 15, (n) => encodeFrame({ ...uplink, fOpts: bytesOf(n) }, keys)],
  ['frmPayload', 0, 242, (n) => encodeFrame({ ...uplink, fPort: 1, frmPayload: bytesOf(n) }, keys)],
  [
    'frmPayload',
    0,
    227,
    (n) => {
      const frmPayload = bytesOf(n);
      return encodeFrame({ ...uplink, fPort: 1, fOpts: new Uint8Array(15), frmPayload }, keys);
    },
  ],
  ['confFCnt', 0, U32, (confFCnt) => encodeFrame(uplink, { ...keys, confFCnt })],
  ['txDr', 0, 255, (txDr) => encodeFrame(uplink, { ...keys, txDr })],
  ['txCh', 0, 255, (txCh) => encodeFrame(uplink, { ...keys, txCh })],
  ['fCntHigh', 0, U16, (fCntHigh) => decodeFrame(bytes, { ...keys, fCntHigh })],
  ['dr', 0, 15, (dr) => adrDecision({ ...device, dr })],
  ['maxDr', 0, 15, (maxDr) => adrDecision({ ...device, maxDr })],
  ['txPowerIndex', 0, 15, (txPowerIndex) => adrDecision({ ...device, txPowerIndex })],
  ['maxTxPowerIndex', 0, 15, (most) => adrDecision({ ...device, maxTxPowerIndex: most })],
  ['nbTrans', 1, 15, (nbTrans) => adrDecision({ ...device, nbTrans })],
  ['the growing fCnt', 0, U32, (fCnt) => heard(fCnt, 0, 0)],
  ['txPowerIndex', 0, 15, (txPowerIndex) => heard(1, 0, txPowerIndex)],
  [
    'history',
    0,
    20,
    (count) => {
      const history = Array.from({ length: Math.max(0, count) }, (_, i) => [i, 0, 0] as const);
      return adrDecision({ ...device, history: count < 0 ? (null as never) : history });
    },
  ],
  ['spreadingFactor', 5, 12, snrFloorDb],
  ['spreadingFactor', 5, 12, (spreadingFactor) => sensitivityDbm({ spreadingFactor })],
  ['wantedSpreadingFactor', 7, 12, (wanted) => sirThresholdDb('goursaud', wanted, 7)],
  ['interferingSpreadingFactor', 7, 12, (other) => sirThresholdDb('goursaud', 7, other)],
  ['spreadingFactor', 5, 12, (spreadingFactor) => packetErrorRate({ ...noisy, spreadingFactor })],
  ['phyPayloadBytes', 0, 255, (phyPayloadBytes) => packetErrorRate({ ...noisy, phyPayloadBytes })],
  ['codingRate', 1, 4, (rate) => packetErrorRate({ ...noisy, codingRate: rate as 1 })],
];

/** Numbers with a fraction. */
const NUMBERS: readonly Row[] = [
  ['bandwidthHz', 7812.5, 1_625_000, (bandwidthHz) => timeOnAirUs({ ...frame, bandwidthHz })],
  ['bandwidthHz', 7812.5, 1_625_000, (bandwidthHz) => symbolUs(7, bandwidthHz)],
  ['requiredSnr', -200, 200, (requiredSnr) => adrDecision({ ...device, requiredSnr })],
  [
    'installationMargin',
    -200,
    200,
    (installationMargin) => adrDecision({ ...device, installationMargin }),
  ],
  ['maxSnr', -200, 200, (maxSnr) => heard(1, maxSnr, 0)],
  ['meters', 0, 1e9, (meters) => pathLossDb('ns3LogDistance', meters)],
  [
    'frequencyHz',
    400e6,
    1.5e9,
    (frequencyHz) => pathLossDb({ ...okumuraHata, frequencyHz }, 1_000),
  ],
  [
    'gatewayHeightMeters',
    1,
    1_000,
    (height) => pathLossDb({ ...okumuraHata, gatewayHeightMeters: height }, 1_000),
  ],
  [
    'deviceHeightMeters',
    0.1,
    10,
    (height) => pathLossDb({ ...okumuraHata, deviceHeightMeters: height }, 1_000),
  ],
  [
    'noiseFigureDb',
    0,
    30,
    (noiseFigureDb) => sensitivityDbm({ spreadingFactor: 7, noiseFigureDb }),
  ],
  ['snrDb', -1_000, 1_000, (snrDb) => packetErrorRate({ ...noisy, snrDb })],
  [
    'implementationLossDb',
    0,
    1_000,
    (implementationLossDb) => packetErrorRate({ ...noisy, implementationLossDb }),
  ],
];

describe('a number at an end of its range', () => {
  it.each([...WHOLE, ...NUMBERS])('is taken: %s from %d to %d', (_, least, most, call) => {
    expect(() => call(least)).not.toThrow();
    expect(() => call(most)).not.toThrow();
  });
});

describe('a number just outside of its range', () => {
  it.each(WHOLE)('is refused by its name: %s from %d to %d', (name, least, most, call) => {
    for (const value of [least - 1, most + 1]) {
      expect(() => call(value)).toThrow(RangeError);
      expect(() => call(value)).toThrow(name);
    }
  });

  it.each(NUMBERS)('is refused by its name: %s from %d to %d', (name, least, most, call) => {
    for (const value of [least - 1e-6, most + 1e-6 * Math.max(1, most), Number.NaN]) {
      expect(() => call(value)).toThrow(RangeError);
      expect(() => call(value)).toThrow(name);
    }
  });
});
