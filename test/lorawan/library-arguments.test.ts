/** The public face `fleetwave/sim`: a wrong argument is reported with what would be right. */
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
  fromHex,
  fskTimeOnAirUs,
  nextPingSlot,
  parityRow,
  pingOffset,
  RankModel,
  region,
  symbolUs,
  timeOnAirUs,
} from '../../sim/library.ts';

const uplink = { mType: 'UnconfirmedDataUp', devAddr: 1, fCnt: 0 } as const;
const keys = { nwkSKey: '0'.repeat(32), appSKey: '1'.repeat(32) };
const frame = { spreadingFactor: 7, bandwidthHz: 125_000, phyPayloadBytes: 20 };
const join = { version: '1.0', appKey: keys.appSKey, joinNonce: 1, netId: 0, devNonce: 0 } as const;
const group = { version: '1.0', rootKey: keys.appSKey, mcAddr: 1 } as const;
const ping = { beaconTimeS: 128, devAddr: 1, periodicity: 0 };
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
const decoder = () => new FragmentDecoder(1, 3, 4);

/** What calls with one wrong argument say. */
const REFUSED: readonly (readonly [complaint: string, call: () => unknown])[] = [
  [
    'spreadingFactor is a whole number from 5 to 12, not 13',
    () => timeOnAirUs({ ...frame, spreadingFactor: 13 }),
  ],
  [
    'bandwidthHz is a number from 7812.5 to 1625000, not 125',
    () => timeOnAirUs({ ...frame, bandwidthHz: 125 }),
  ],
  [
    'phyPayloadBytes is a whole number from 0 to 255, not 256',
    () => timeOnAirUs({ ...frame, phyPayloadBytes: 256 }),
  ],
  ['codingRate is 1, 2, 3 or 4, not 5', () => timeOnAirUs({ ...frame, codingRate: 5 as 4 })],
  [
    'preambleSymbols is a whole number from 1 to 65535, not 0',
    () => timeOnAirUs({ ...frame, preambleSymbols: 0 }),
  ],
  ["crc is true or false, not 'no'", () => timeOnAirUs({ ...frame, crc: 'no' as never })],
  ['spreadingFactor is a whole number from 5 to 12, not 4', () => symbolUs(4, 125_000)],
  [
    'bitRate is a whole number from 600 to 300000, not 50',
    () => fskTimeOnAirUs({ bitRate: 50, phyPayloadBytes: 1 }),
  ],
  ['version is 1 or 2, not 3', () => parityRow(3 as 2, 10, 1)],
  ['nbFrag is a whole number from 1 to 16383, not 0', () => parityRow(1, 0, 1)],
  ['n is a whole number from 1 to 16383, not 1.5', () => parityRow(1, 10, 1.5)],
  [
    'fragSize is a whole number from 1 to 255, not 0',
    () => encodeFragments(1, fromHex('00'), 0, 0),
  ],
  [
    'block is a Uint8Array of 1 to 163830 bytes, not a list of 2',
    () => encodeFragments(1, [1, 2] as never, 10, 0),
  ],
  [
    'redundancy of 16000 fragments is a whole number from 0 to 383, not 384',
    () => encodeFragments(1, new Uint8Array(16_000), 1, 384),
  ],
  ['version is 1 or 2, not left out', () => new FragmentDecoder(undefined as never, 1, 1)],
  ['nbFrag is a whole number from 1 to 16383, not 16384', () => new FragmentDecoder(1, 16_384, 1)],
  [
    'maxLost is a whole number from 0 to 16383, not -1',
    () => new FragmentDecoder(1, 5, 1, { maxLost: -1 }),
  ],
  [
    'fragmentNumber is a whole number from 1 to 16383, not 0',
    () => decoder().add(0, new Uint8Array(4)),
  ],
  ['fragment is a Uint8Array of 4 bytes, not 5 bytes', () => decoder().add(1, new Uint8Array(5))],
  [
    "mType is 'UnconfirmedDataUp', 'UnconfirmedDataDown', 'ConfirmedDataUp' or " +
      "'ConfirmedDataDown', not 'JoinRequest'",
    () => encodeFrame({ ...uplink, mType: 'JoinRequest' as never }, keys),
  ],
  [
    'devAddr is a whole number from 0 to 4294967295, not -1',
    () => encodeFrame({ ...uplink, devAddr: -1 }, keys),
  ],
  [
    'fCnt is a whole number from 0 to 4294967295, not 4294967296',
    () => encodeFrame({ ...uplink, fCnt: 4_294_967_296 }, keys),
  ],
  [
    'fPort is a whole number from 0 to 255, not 256',
    () => encodeFrame({ ...uplink, fPort: 256 }, keys),
  ],
  [
    'fOpts is a Uint8Array of 0 to 15 bytes, not 16 bytes',
    () => encodeFrame({ ...uplink, fOpts: new Uint8Array(16) }, keys),
  ],
  [
    'frmPayload is a Uint8Array of 0 to 240 bytes, not 241 bytes',
    () =>
      encodeFrame(
        { ...uplink, fPort: 1, fOpts: new Uint8Array(2), frmPayload: new Uint8Array(241) },
        keys,
      ),
  ],
  [
    'fPort is given with a frmPayload',
    () => encodeFrame({ ...uplink, frmPayload: new Uint8Array(1) }, keys),
  ],
  [
    'fOpts is empty with fPort 0',
    () => encodeFrame({ ...uplink, fPort: 0, fOpts: new Uint8Array(1) }, keys),
  ],
  [
    "a flag of fCtrl is 'adr', 'ack', 'adrAckReq', 'classB' or 'fPending', not 'ADR'",
    () => encodeFrame({ ...uplink, fCtrl: { ADR: true } as never }, keys),
  ],
  [
    'fCtrl.ack is true or false, not 1',
    () => encodeFrame({ ...uplink, fCtrl: { ack: 1 as never } }, keys),
  ],
  [
    'fCtrl.fPending is no flag of UnconfirmedDataUp',
    () => encodeFrame({ ...uplink, fCtrl: { fPending: true } }, keys),
  ],
  [
    'nwkSKey is 32 hexadecimal digits or 16 bytes, not a text of 31 characters',
    () => encodeFrame(uplink, { ...keys, nwkSKey: '0'.repeat(31) }),
  ],
  [
    'appSKey is 32 hexadecimal digits or 16 bytes, not left out',
    () => encodeFrame(uplink, { nwkSKey: keys.nwkSKey } as never),
  ],
  [
    'sNwkSIntKey is 32 hexadecimal digits or 16 bytes, not 15 bytes',
    () =>
      encodeFrame(uplink, {
        appSKey: keys.appSKey,
        fNwkSIntKey: keys.appSKey,
        nwkSEncKey: keys.appSKey,
        sNwkSIntKey: new Uint8Array(15),
      }),
  ],
  [
    'keys are nwkSKey (1.0), or fNwkSIntKey, sNwkSIntKey and nwkSEncKey (1.1), and appSKey',
    () => encodeFrame(uplink, { appSKey: keys.appSKey } as never),
  ],
  [
    'fCntHigh is a whole number from 0 to 65535, not 65536',
    () => decodeFrame(new Uint8Array(12), { ...keys, fCntHigh: 65_536 }),
  ],
  [
    'a data frame is a Uint8Array of 12 to 255 bytes, not a longer text',
    () => decodeFrame('40'.repeat(30) as never, keys),
  ],
  [
    "version is '1.0' or '1.1', not '1.0.4'",
    () => deriveSessionKeys({ ...join, version: '1.0.4' } as never),
  ],
  [
    'joinNonce is a whole number from 0 to 16777215, not 16777216',
    () => deriveSessionKeys({ ...join, joinNonce: 16_777_216 }),
  ],
  [
    'devNonce is a whole number from 0 to 65535, not 65536',
    () => deriveSessionKeys({ ...join, devNonce: 65_536 }),
  ],
  [
    'netId is a whole number from 0 to 16777215, not left out',
    () => deriveSessionKeys({ ...join, netId: undefined as never }),
  ],
  [
    "joinEui is 16 hexadecimal digits, not 'AB'",
    () => deriveSessionKeys({ ...join, version: '1.1', nwkKey: keys.appSKey, joinEui: 'AB' }),
  ],
  ['mcKey or mcKeyEncrypted is given, not neither', () => deriveMulticastKeys(group)],
  [
    'mcKey and mcKeyEncrypted do not belong together',
    () => deriveMulticastKeys({ ...group, mcKey: keys.appSKey, mcKeyEncrypted: keys.nwkSKey }),
  ],
  [
    'fragIndex is a whole number from 0 to 3, not 4',
    () =>
      dataBlockMic({
        dataBlockIntKey: keys.appSKey,
        sessionCnt: 0,
        fragIndex: 4,
        descriptor: new Uint8Array(4),
        data: new Uint8Array(0),
      }),
  ],
  [
    'periodicity is a whole number from 0 to 7, not 8',
    () => pingOffset({ ...ping, periodicity: 8 }),
  ],
  ['periodicity is a whole number from 0 to 7, not 8', () => nextPingSlot(0, 1, 8)],
  ['afterUs is a whole number from 0', () => nextPingSlot(Number.POSITIVE_INFINITY, 1, 0)],
  ['nbTrans is a whole number from 1 to 15, not 0', () => adrDecision({ ...device, nbTrans: 0 })],
  [
    'requiredSnr is a number from -200 to 200, not -2000',
    () => adrDecision({ ...device, requiredSnr: -2000 }),
  ],
  [
    'history is a list of 0 to 20 uplinks, not a list of 21',
    () =>
      adrDecision({ ...device, history: Array.from({ length: 21 }, (_, i) => [i, 0, 0] as const) }),
  ],
  [
    'history[1][0], the growing fCnt, is a whole number from 6 to 4294967295, not 5',
    () =>
      adrDecision({
        ...device,
        history: [
          [5, 0, 0],
          [5, 0, 0],
        ],
      }),
  ],
  [
    "the name of a region is 'EU868', 'US915', 'AU915', 'AS923-1', 'AS923-2', 'AS923-3', " +
      "'AS923-4', 'IN865', 'KR920', 'EU433', 'RU864' or 'CN470', not 'EU686'",
    () => region('EU686' as never),
  ],
  [
    'sent is a whole number from 0 to 16383, not 16384',
    () => new RankModel(1, 10).completesAt(new Int32Array(512), 0, 16_384),
  ],
  [
    'received has 2 words for 33 fragments, not 1',
    () => new RankModel(1, 10).missingAfter(new Int32Array(2), 1, 33),
  ],
  ["bytes are written as pairs of hexadecimal digits, not '0x12'", () => fromHex('0x12')],
];

describe('a wrong argument', () => {
  it.each(REFUSED)('is refused: %s', (complaint, call) => {
    expect(call).toThrow(RangeError);
    expect(call).toThrow(complaint);
  });
});
