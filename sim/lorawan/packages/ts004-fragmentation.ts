/** Fragmented data block transport: the commands (TS004-1.0.0 and TS004-2.0.0 §3). */
import {
  absentWhen,
  bits,
  bitsAbsentWhen,
  bytes,
  message,
  type Payload,
  rest,
  u8,
  u16,
  u32,
} from '../message.ts';
import { PackageVersionAns, PackageVersionReq } from './package-version.ts';

/** Unicast or multicast. */
export const FragSessionStatusReq = message(0x01, {
  /** With `participants` complete devices answer too. */
  fragStatusReqParam: bits(u8, { fragIndex: [2, 1], participants: 0 }),
});

export const FragSessionStatusAnsV1 = message(0x01, {
  receivedAndIndex: bits(u16, { fragIndex: [15, 14], nbFragReceived: [13, 0] }),
  missingFrag: u8, // 255: 255 or more
  status: bits(u8, { notEnoughMatrixMemory: 0 }),
});

export const FragSessionStatusAnsV2 = message(0x01, {
  status: bits(u8, { sessionDoesNotExist: 2, micError: 1, memoryError: 0 }),
  receivedAndIndex: bitsAbsentWhen(
    bits(u16, { fragIndex: [15, 14], nbFragReceived: [13, 0] }),
    'sessionDoesNotExist',
  ),
  missingFrag: absentWhen(u8, 'sessionDoesNotExist'),
});

export const FragSessionSetupReqV1 = message(0x02, {
  fragSession: bits(u8, { fragIndex: [5, 4], mcGroupBitMask: [3, 0] }),
  nbFrag: u16, // fragments before redundancy
  fragSize: u8, // bytes
  control: bits(u8, { fragAlgo: [5, 3], blockAckDelay: [2, 0] }),
  padding: u8, // bytes of the last fragment that are not the block's
  descriptor: bytes(4), // the application's tag, in the order of the air
});

export const FragSessionSetupReqV2 = message(0x02, {
  fragSession: bits(u8, { fragIndex: [5, 4], mcGroupBitMask: [3, 0] }),
  nbFrag: u16,
  fragSize: u8,
  control: bits(u8, { ackReception: 6, fragAlgo: [5, 3], blockAckDelay: [2, 0] }),
  padding: u8,
  descriptor: bytes(4),
  sessionCnt: u16, // must grow from session to session
  mic: u32, // of the block without padding: `dataBlockMic`, unsigned
});

export const FragSessionSetupAnsV1 = message(0x02, {
  status: bits(u8, {
    fragIndex: [7, 6],
    wrongDescriptor: 3,
    indexNotSupported: 2,
    notEnoughMemory: 1,
    encodingUnsupported: 0,
  }),
});

export const FragSessionSetupAnsV2 = message(0x02, {
  status: bits(u8, {
    fragIndex: [7, 6],
    sessionCntReplay: 4,
    wrongDescriptor: 3,
    indexNotSupported: 2,
    notEnoughMemory: 1,
    encodingUnsupported: 0,
  }),
});

export const FragSessionDeleteReq = message(0x03, { param: bits(u8, { fragIndex: [1, 0] }) });

export const FragSessionDeleteAns = message(0x03, {
  status: bits(u8, { sessionDoesNotExist: 2, fragIndex: [1, 0] }),
});

/** Version 2, uplink: sent by itself after a block with AckReception was rebuilt. */
export const FragDataBlockReceivedReq = message(0x04, {
  status: bits(u8, { micError: 2, fragIndex: [1, 0] }),
});

/** Version 2, downlink. */
export const FragDataBlockReceivedAns = message(0x04, { param: bits(u8, { fragIndex: [1, 0] }) });

/** Unicast or multicast; the only command of its frame. */
export const DataFragment = message(0x08, {
  /** N of the standard: from 1; above nbFrag a coded one. */
  indexAndN: bits(u16, { fragIndex: [15, 14], fragmentNumber: [13, 0] }),
  fragment: rest,
});

/** Fragmentation sessions of a device: FragIndex 0…3. */
export const FRAG_INDICES = 4;

/** Bytes of DataFragment besides the fragment. */
export const DATA_FRAGMENT_OVERHEAD = 3;

export type FragSessionSetupReqV1 = Payload<(typeof FragSessionSetupReqV1)['fields']>;
export type FragSessionSetupReqV2 = Payload<(typeof FragSessionSetupReqV2)['fields']>;
export type FragSessionStatusAnsV1 = Payload<(typeof FragSessionStatusAnsV1)['fields']>;
export type FragSessionStatusAnsV2 = Payload<(typeof FragSessionStatusAnsV2)['fields']>;
export type DataFragment = Payload<(typeof DataFragment)['fields']>;

const uplinkOfBoth = { PackageVersionAns, FragSessionDeleteAns } as const;
const downlinkOfBoth = {
  PackageVersionReq,
  FragSessionStatusReq,
  FragSessionDeleteReq,
  DataFragment,
} as const;

/** Commands by version of the package and direction. */
export const fragmentation = {
  1: {
    uplink: {
      ...uplinkOfBoth,
      FragSessionStatusAns: FragSessionStatusAnsV1,
      FragSessionSetupAns: FragSessionSetupAnsV1,
    },
    downlink: { ...downlinkOfBoth, FragSessionSetupReq: FragSessionSetupReqV1 },
  },
  2: {
    uplink: {
      ...uplinkOfBoth,
      FragSessionStatusAns: FragSessionStatusAnsV2,
      FragSessionSetupAns: FragSessionSetupAnsV2,
      FragDataBlockReceivedReq,
    },
    downlink: {
      ...downlinkOfBoth,
      FragSessionSetupReq: FragSessionSetupReqV2,
      FragDataBlockReceivedAns,
    },
  },
} as const;

/**
 * Answers to multicast requests, and version 2's own messages, wait uniformly up to this long, s.
 */
export function longestAckDelayS(blockAckDelay: number): number {
  return 1 << (blockAckDelay + 4);
}
