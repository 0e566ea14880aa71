/** Where each field of the application packages stands (TS003, TS004, TS005, TS006), bit by bit. */
import { describe, expect, it } from 'vitest';
import { toHex } from '../../sim/base/bytes.ts';
import type { Fields, Message, Payload } from '../../sim/lorawan/message.ts';
import * as clock from '../../sim/lorawan/packages/ts003-clock-sync.ts';
import * as fragmentation from '../../sim/lorawan/packages/ts004-fragmentation.ts';
import * as multicast from '../../sim/lorawan/packages/ts005-multicast-setup.ts';
import * as firmware from '../../sim/lorawan/packages/ts006-firmware.ts';

/** Byte after the identifier, lowest bit and number of bits; of 8 and more, little-endian. */
type Place = readonly [byte: number, low: number, bits: number];

/** Bytes after the identifier, and the places of their fields; the other fields are 0 meanwhile. */
type Row = readonly [message: object, length: number, fields: Readonly<Record<string, Place>>];

const ROWS: Readonly<Record<string, Row>> = {
  AppTimeReq: [
    clock.AppTimeReq,
    5,
    { deviceTime: [0, 0, 32], tokenReq: [4, 0, 4], ansRequired: [4, 4, 1] },
  ],
  AppTimeAns: [clock.AppTimeAns, 5, { tokenAns: [4, 0, 4] }],
  DeviceAppTimePeriodicityReq: [clock.DeviceAppTimePeriodicityReq, 1, { period: [0, 0, 4] }],
  DeviceAppTimePeriodicityAns: [
    clock.DeviceAppTimePeriodicityAns,
    5,
    { notSupported: [0, 0, 1], time: [1, 0, 32] },
  ],
  ForceDeviceResyncReq: [clock.ForceDeviceResyncReq, 1, { nbTransmissions: [0, 0, 3] }],
  FragSessionStatusReq: [
    fragmentation.FragSessionStatusReq,
    1,
    { participants: [0, 0, 1], fragIndex: [0, 1, 2] },
  ],
  'FragSessionStatusAns 1': [
    fragmentation.FragSessionStatusAnsV1,
    4,
    {
      nbFragReceived: [0, 0, 14],
      fragIndex: [0, 14, 2],
      missingFrag: [2, 0, 8],
      notEnoughMatrixMemory: [3, 0, 1],
    },
  ],
  'FragSessionStatusAns 2': [
    fragmentation.FragSessionStatusAnsV2,
    4,
    {
      memoryError: [0, 0, 1],
      micError: [0, 1, 1],
      nbFragReceived: [1, 0, 14],
      fragIndex: [1, 14, 2],
      missingFrag: [3, 0, 8],
    },
  ],
  'FragSessionSetupReq 1': [
    fragmentation.FragSessionSetupReqV1,
    10,
    {
      mcGroupBitMask: [0, 0, 4],
      fragIndex: [0, 4, 2],
      nbFrag: [1, 0, 16],
      fragSize: [3, 0, 8],
      blockAckDelay: [4, 0, 3],
      fragAlgo: [4, 3, 3],
      padding: [5, 0, 8],
    },
  ],
  'FragSessionSetupReq 2': [
    fragmentation.FragSessionSetupReqV2,
    16,
    {
      mcGroupBitMask: [0, 0, 4],
      fragIndex: [0, 4, 2],
      nbFrag: [1, 0, 16],
      fragSize: [3, 0, 8],
      blockAckDelay: [4, 0, 3],
      fragAlgo: [4, 3, 3],
      ackReception: [4, 6, 1],
      padding: [5, 0, 8],
      sessionCnt: [10, 0, 16],
      mic: [12, 0, 32],
    },
  ],
  'FragSessionSetupAns 1': [
    fragmentation.FragSessionSetupAnsV1,
    1,
    {
      encodingUnsupported: [0, 0, 1],
      notEnoughMemory: [0, 1, 1],
      indexNotSupported: [0, 2, 1],
      wrongDescriptor: [0, 3, 1],
      fragIndex: [0, 6, 2],
    },
  ],
  'FragSessionSetupAns 2': [
    fragmentation.FragSessionSetupAnsV2,
    1,
    {
      encodingUnsupported: [0, 0, 1],
      notEnoughMemory: [0, 1, 1],
      indexNotSupported: [0, 2, 1],
      wrongDescriptor: [0, 3, 1],
      sessionCntReplay: [0, 4, 1],
      fragIndex: [0, 6, 2],
    },
  ],
  FragSessionDeleteReq: [fragmentation.FragSessionDeleteReq, 1, { fragIndex: [0, 0, 2] }],
  FragSessionDeleteAns: [
    fragmentation.FragSessionDeleteAns,
    1,
    { fragIndex: [0, 0, 2], sessionDoesNotExist: [0, 2, 1] },
  ],
  FragDataBlockReceivedReq: [
    fragmentation.FragDataBlockReceivedReq,
    1,
    { fragIndex: [0, 0, 2], micError: [0, 2, 1] },
  ],
  FragDataBlockReceivedAns: [fragmentation.FragDataBlockReceivedAns, 1, { fragIndex: [0, 0, 2] }],
  DataFragment: [
    fragmentation.DataFragment,
    2,
    { fragmentNumber: [0, 0, 14], fragIndex: [0, 14, 2] },
  ],
  McGroupStatusReq: [multicast.McGroupStatusReq, 1, { reqGroupMask: [0, 0, 4] }],
  McGroupStatusAns: [multicast.McGroupStatusAns, 1, { nbTotalGroups: [0, 4, 3] }],
  McGroupSetupReq: [
    multicast.McGroupSetupReq,
    29,
    {
      mcGroupId: [0, 0, 2],
      mcAddr: [1, 0, 32],
      minMcFCount: [21, 0, 32],
      maxMcFCount: [25, 0, 32],
    },
  ],
  McGroupSetupAns: [multicast.McGroupSetupAns, 1, { mcGroupId: [0, 0, 2], idError: [0, 2, 1] }],
  McGroupDeleteReq: [multicast.McGroupDeleteReq, 1, { mcGroupId: [0, 0, 2] }],
  McGroupDeleteAns: [
    multicast.McGroupDeleteAns,
    1,
    { mcGroupId: [0, 0, 2], mcGroupUndefined: [0, 2, 1] },
  ],
  McClassCSessionReq: [
    multicast.McClassCSessionReq,
    10,
    { mcGroupId: [0, 0, 2], sessionTime: [1, 0, 32], timeOut: [5, 0, 4], dr: [9, 0, 8] },
  ],
  'McClassCSessionAns 1': [
    multicast.McClassCSessionAnsV1,
    4,
    { mcGroupId: [0, 0, 2], timeToStart: [1, 0, 24] },
  ],
  'McClassCSessionAns 2': [
    multicast.McClassCSessionAnsV2,
    4,
    { mcGroupId: [0, 0, 2], timeToStart: [1, 0, 24] },
  ],
  McClassBSessionReq: [
    multicast.McClassBSessionReq,
    10,
    {
      mcGroupId: [0, 0, 2],
      sessionTime: [1, 0, 32],
      timeOut: [5, 0, 4],
      periodicity: [5, 4, 3],
      dr: [9, 0, 8],
    },
  ],
  DevRebootTimeReq: [firmware.DevRebootTimeReq, 4, { rebootTime: [0, 0, 32] }],
  DevRebootTimeAns: [firmware.DevRebootTimeAns, 4, { secondsToReboot: [0, 0, 32] }],
  DevRebootCountdownReq: [firmware.DevRebootCountdownReq, 3, { countdown: [0, 0, 24] }],
  DevRebootCountdownAns: [firmware.DevRebootCountdownAns, 3, { countdown: [0, 0, 24] }],
  DevDeleteImageReq: [firmware.DevDeleteImageReq, 4, { firmwareToDeleteVersion: [0, 0, 32] }],
  DevDeleteImageAns: [
    firmware.DevDeleteImageAns,
    1,
    { errorNoValidImage: [0, 0, 1], errorInvalidVersion: [0, 1, 1] },
  ],
};

const CASES = Object.entries(ROWS).flatMap(([name, [message, length, fields]]) =>
  Object.entries(fields).map(
    ([field, place]) => [name, field, message as Message<Fields>, length, place] as const,
  ),
);

describe('a field of a package', () => {
  it.each(CASES)('stands in its bits alone: %s %s', (_, field, message, length, place) => {
    const [byte, low, bits] = place;
    const zeros = new Uint8Array(1 + length);
    zeros[0] = message.cid;
    const none = message.readAt(zeros, 0, zeros.length)!;
    expect(none.end).toBe(zeros.length);
    expect(toHex(message.encode(none.payload))).toBe(toHex(zeros));
    for (const set of [1, 2 ** (bits - 1), 2 ** bits - 1]) {
      const value = bits === 1 ? true : set;
      const payload = { ...none.payload, [field]: value } as Payload<Fields>;
      const expected = zeros.slice();
      for (let bit = 0; bit < bits; bit++) {
        if (Math.floor(set / 2 ** bit) % 2 === 0) continue;
        expected[1 + byte + ((low + bit) >> 3)]! |= 1 << ((low + bit) & 7);
      }
      expect(toHex(message.encode(payload))).toBe(toHex(expected));
      expect(message.readAt(expected, 0, expected.length)!.payload).toEqual(payload);
    }
  });
});

describe('errors of a session request', () => {
  const errors = { drError: 2, freqError: 3, mcGroupUndefined: 4 };
  it.each([
    ['1', multicast.McClassCSessionAnsV1, errors],
    ['2', multicast.McClassCSessionAnsV2, { ...errors, startMissed: 5 }],
  ])('stand in their bits, and nothing follows them: version %s', (_, given, bits) => {
    const message = given as unknown as Message<Fields>;
    const zeros = Uint8Array.of(message.cid, 0, 0, 0, 0);
    const { timeToStart: _time, ...none } = message.readAt(zeros, 0, 5)!.payload as {
      timeToStart: number;
    };
    for (const [name, bit] of Object.entries(bits)) {
      const payload = { ...none, [name]: true } as unknown as Payload<Fields>;
      expect(toHex(message.encode(payload))).toBe(toHex(Uint8Array.of(message.cid, 1 << bit)));
    }
  });
});
