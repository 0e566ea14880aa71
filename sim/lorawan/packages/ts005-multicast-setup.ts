/** Remote multicast setup: the commands (TS005-1.0.0 and TS005-2.0.0 §4). */
import {
  absentWhen,
  bits,
  bytes,
  frequency,
  message,
  type Payload,
  perBit,
  u8,
  u24,
  u32,
} from '../message.ts';
import { PackageVersionAns, PackageVersionReq } from './package-version.ts';

export const McGroupStatusReq = message(0x01, { cmdMask: bits(u8, { reqGroupMask: [3, 0] }) });

export const McGroupStatusAns = message(0x01, {
  status: bits(u8, { nbTotalGroups: [6, 4], ansGroupMask: [3, 0] }),
  groups: perBit('ansGroupMask', { mcGroupId: u8, mcAddr: u32 }),
});

export const McGroupSetupReq = message(0x02, {
  mcGroupIdHeader: bits(u8, { mcGroupId: [1, 0] }),
  mcAddr: u32,
  mcKeyEncrypted: bytes(16),
  minMcFCount: u32, // accepted counters: at least this
  maxMcFCount: u32, // … and below this
});

export const McGroupSetupAns = message(0x02, {
  mcGroupIdHeader: bits(u8, { idError: 2, mcGroupId: [1, 0] }),
});

export const McGroupDeleteReq = message(0x03, {
  mcGroupIdHeader: bits(u8, { mcGroupId: [1, 0] }),
});

export const McGroupDeleteAns = message(0x03, {
  mcGroupIdHeader: bits(u8, { mcGroupUndefined: 2, mcGroupId: [1, 0] }),
});

export const McClassCSessionReq = message(0x04, {
  mcGroupIdHeader: bits(u8, { mcGroupId: [1, 0] }),
  sessionTime: u32, // GPS seconds modulo 2^32
  sessionTimeOut: bits(u8, { timeOut: [3, 0] }), // at most 2^timeOut s
  dlFrequencyHz: frequency,
  dr: u8,
});

const errorsV1 = { mcGroupUndefined: 4, freqError: 3, drError: 2, mcGroupId: [1, 0] } as const;
const errorsV2 = { startMissed: 5, ...errorsV1 } as const;

/** Version 1; timeToStart counts from the sending of the answer, s, 2^24 − 1 for more. */
export const McClassCSessionAnsV1 = message(0x04, {
  status: bits(u8, errorsV1),
  timeToStart: absentWhen(u24, 'mcGroupUndefined', 'freqError', 'drError'),
});

export const McClassCSessionAnsV2 = message(0x04, {
  status: bits(u8, errorsV2),
  timeToStart: absentWhen(u24, 'startMissed', 'mcGroupUndefined', 'freqError', 'drError'),
});

export const McClassBSessionReq = message(0x05, {
  mcGroupIdHeader: bits(u8, { mcGroupId: [1, 0] }),
  sessionTime: u32, // GPS seconds modulo 2^32, a multiple of 128
  timeOutPeriodicity: bits(u8, { periodicity: [6, 4], timeOut: [3, 0] }), // 128·2^timeOut s
  dlFrequencyHz: frequency,
  dr: u8,
});

export const McClassBSessionAnsV1 = message(0x05, McClassCSessionAnsV1.fields);
export const McClassBSessionAnsV2 = message(0x05, McClassCSessionAnsV2.fields);

export type McGroupSetupReq = Payload<(typeof McGroupSetupReq)['fields']>;
export type McClassCSessionReq = Payload<(typeof McClassCSessionReq)['fields']>;
export type McClassBSessionReq = Payload<(typeof McClassBSessionReq)['fields']>;

const downlink = {
  PackageVersionReq,
  McGroupStatusReq,
  McGroupSetupReq,
  McGroupDeleteReq,
  McClassCSessionReq,
  McClassBSessionReq,
} as const;
const uplinkOfBoth = {
  PackageVersionAns,
  McGroupStatusAns,
  McGroupSetupAns,
  McGroupDeleteAns,
} as const;

/** Commands by version of the package and direction. */
export const multicastSetup = {
  1: {
    uplink: {
      ...uplinkOfBoth,
      McClassCSessionAns: McClassCSessionAnsV1,
      McClassBSessionAns: McClassBSessionAnsV1,
    },
    downlink,
  },
  2: {
    uplink: {
      ...uplinkOfBoth,
      McClassCSessionAns: McClassCSessionAnsV2,
      McClassBSessionAns: McClassBSessionAnsV2,
    },
    downlink,
  },
} as const;

/** Longest class C session, s. */
export const classCTimeOutS = (timeOut: number): number => 1 << timeOut;

/** Longest class B session, s. */
export const classBTimeOutS = (timeOut: number): number => 128 << timeOut;

/** Groups of a device: McGroupID 0…3. */
export const MC_GROUPS = 4;
