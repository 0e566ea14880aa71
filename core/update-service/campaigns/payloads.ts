/**
 * FRMPayloads that a campaign sends (TS003-1.0.0, TS004-1.0.0, TS005-1.0.0, TS006-1.0.0), and the
 * reading of those that devices answer with.
 */

import type { NetworkView, PackagesView } from '../../../sim/contract/view.ts';
import { type CommandOf, type CommandSet, readCommands } from '../../../sim/lorawan/message.ts';
import { PACKAGES } from '../../../sim/lorawan/packages/package-version.ts';
import {
  AppTimeAns,
  clockSync,
  ForceDeviceResyncReq,
} from '../../../sim/lorawan/packages/ts003-clock-sync.ts';
import {
  DataFragment,
  FragDataBlockReceivedAns,
  FragSessionSetupReqV1,
  FragSessionSetupReqV2,
  FragSessionStatusReq,
  fragmentation,
} from '../../../sim/lorawan/packages/ts004-fragmentation.ts';
import {
  McClassBSessionReq,
  McClassCSessionReq,
  McGroupSetupReq,
  multicastSetup,
} from '../../../sim/lorawan/packages/ts005-multicast-setup.ts';
import { DevVersionReq, firmwareManagement } from '../../../sim/lorawan/packages/ts006-firmware.ts';

/**
 * All that a campaign sends, by package. The message of a device with the identifier of one of
 * these needs its handler (`AwaitedAnswer`); no other means anything to a campaign.
 */
const SENT = {
  clockSync: { AppTimeAns, ForceDeviceResyncReq },
  multicastSetup: { McGroupSetupReq, McClassBSessionReq, McClassCSessionReq },
  fragmentation: {
    DataFragment,
    FragDataBlockReceivedAns,
    FragSessionSetupReqV1,
    FragSessionSetupReqV2,
    FragSessionStatusReq,
  },
  firmwareManagement: { DevVersionReq },
} as const;

/** The campaign's multicast group on every device. */
const MC_GROUP_ID = 0;

/** Requests for a clock's time that one command asks for. */
const NB_TRANSMISSIONS = 1;

const LAST_FCNT = 0xffff_ffff;

export function versionReq(): Uint8Array {
  return SENT.firmwareManagement.DevVersionReq.encode({});
}

/** Asks for the clock; after a correction, if there is one to give, in the same payload. */
export function resyncReq(
  correction: { readonly seconds: number; readonly token: number } | null,
): Uint8Array {
  const force = SENT.clockSync.ForceDeviceResyncReq.encode({ nbTransmissions: NB_TRANSMISSIONS });
  if (correction === null) return force;
  const time = timeAns(correction.seconds, correction.token);
  const both = new Uint8Array(time.length + force.length);
  both.set(time);
  both.set(force, time.length);
  return both;
}

/** `seconds`: server − device, signed 32 bits. */
export function timeAns(seconds: number, token: number): Uint8Array {
  return SENT.clockSync.AppTimeAns.encode({ timeCorrection: seconds, tokenAns: token });
}

/** `mcKeyEncrypted`: the key as this device's McKEKey wraps it. */
export function groupSetupReq(
  group: { readonly mcAddr: number; readonly firstFCnt: number },
  mcKeyEncrypted: Uint8Array,
): Uint8Array {
  return SENT.multicastSetup.McGroupSetupReq.encode({
    mcGroupId: MC_GROUP_ID,
    mcAddr: group.mcAddr,
    mcKeyEncrypted,
    minMcFCount: group.firstFCnt,
    maxMcFCount: LAST_FCNT,
  });
}

export function fragSetupReq(block: {
  /** Fragmentation session slot on every device, 0…3. */
  readonly fragIndex: number;
  readonly nbFrag: number;
  readonly fragSize: number;
  readonly padding: number;
  /** 4 bytes in the order of the air. */
  readonly descriptor: Uint8Array;
  /** 0…7. */
  readonly blockAckDelay: number;
}): Uint8Array {
  return SENT.fragmentation.FragSessionSetupReqV1.encode({
    ...block,
    mcGroupBitMask: 1 << MC_GROUP_ID,
    fragAlgo: 0,
  });
}

/** Version 2 counts sessions, signs the block and asks for FragDataBlockReceivedReq. */
export function fragSetupReqV2(
  block: Parameters<typeof fragSetupReq>[0] & {
    /** 16 bits, above that of every earlier session of the device. */
    readonly sessionCnt: number;
    /** Unsigned 32 bits. */
    readonly mic: number;
  },
): Uint8Array {
  return SENT.fragmentation.FragSessionSetupReqV2.encode({
    ...block,
    mcGroupBitMask: 1 << MC_GROUP_ID,
    fragAlgo: 0,
    ackReception: true,
  });
}

export function blockReceivedAns(fragIndex: number): Uint8Array {
  return SENT.fragmentation.FragDataBlockReceivedAns.encode({ fragIndex });
}

export function classCSessionReq(multicast: {
  /** GPS seconds modulo 2^32. */
  readonly sessionTime: number;
  readonly timeOut: number;
  readonly frequencyHz: number;
  readonly dataRate: number;
}): Uint8Array {
  return SENT.multicastSetup.McClassCSessionReq.encode({
    mcGroupId: MC_GROUP_ID,
    sessionTime: multicast.sessionTime,
    timeOut: multicast.timeOut,
    dlFrequencyHz: multicast.frequencyHz,
    dr: multicast.dataRate,
  });
}

/** The same in ping slots of the group, for 128 · 2^timeOut s from a multiple of 128 s on. */
export function classBSessionReq(multicast: {
  readonly sessionTime: number;
  readonly timeOut: number;
  readonly periodicity: number;
  readonly frequencyHz: number;
  readonly dataRate: number;
}): Uint8Array {
  return SENT.multicastSetup.McClassBSessionReq.encode({
    mcGroupId: MC_GROUP_ID,
    sessionTime: multicast.sessionTime,
    periodicity: multicast.periodicity,
    timeOut: multicast.timeOut,
    dlFrequencyHz: multicast.frequencyHz,
    dr: multicast.dataRate,
  });
}

/** Complete devices answer too. */
export function statusReq(fragIndex: number): Uint8Array {
  return SENT.fragmentation.FragSessionStatusReq.encode({ fragIndex, participants: true });
}

/** `fragmentNumber` from 1. */
export function dataFragment(
  fragIndex: number,
  fragmentNumber: number,
  fragment: Uint8Array,
): Uint8Array {
  return SENT.fragmentation.DataFragment.encode({ fragIndex, fragmentNumber, fragment });
}

// ── packages ─────────────────────────────────────────────────────────────────────────────────────

/** Version 1 on the usual ports: what is assumed of a device that is gone. */
const USUAL: PackagesView = {
  clockSync: { version: 1, fPort: PACKAGES.clockSync.fPort },
  multicastSetup: { version: 1, fPort: PACKAGES.multicastSetup.fPort },
  fragmentation: { version: 1, fPort: PACKAGES.fragmentation.fPort },
  firmwareManagement: { version: 1, fPort: PACKAGES.firmwareManagement.fPort },
};

export const packagesFor = (view: NetworkView, devEui: string): PackagesView =>
  view.device(devEui)?.packages ?? USUAL;

// ── answers ──────────────────────────────────────────────────────────────────────────────────────

/** By package and version. */
const UPLINK_COMMANDS = {
  clockSync: { 1: clockSync[1].uplink, 2: clockSync[2].uplink },
  multicastSetup: { 1: multicastSetup[1].uplink, 2: multicastSetup[2].uplink },
  fragmentation: { 1: fragmentation[1].uplink, 2: fragmentation[2].uplink },
  firmwareManagement: { 1: firmwareManagement[1].uplink },
} as const;

export type PackageName = keyof typeof UPLINK_COMMANDS;

const PACKAGE_NAMES = Object.keys(UPLINK_COMMANDS) as PackageName[];

type Tables = typeof UPLINK_COMMANDS;
/** The tables of a package. */
type TableOf<Name extends PackageName> = Tables[Name][keyof Tables[Name]];
/** Of each table by itself. */
type CommandOfEach<Table> = Table extends CommandSet ? CommandOf<Table> : never;

/** A command of a device, with the standard's name for it. */
export type Answer = { [Name in PackageName]: CommandOfEach<TableOf<Name>> }[PackageName];

type SentOf<Name extends PackageName> = (typeof SENT)[Name];
type SentCid<Name extends PackageName> = {
  [Each in keyof SentOf<Name>]: SentOf<Name>[Each] extends { readonly cid: infer Cid }
    ? Cid
    : never;
}[keyof SentOf<Name>];
/** Those of a table with one of these identifiers. */
type WithCid<Table, Cid> = Table extends CommandSet
  ? { readonly [N in keyof Table as Table[N]['cid'] extends Cid ? N : never]: Table[N] }
  : never;

/** An answer to what a campaign sends, or what it answers: it needs a handler (answers.ts). */
export type AwaitedAnswer = {
  [Name in PackageName]: CommandOfEach<WithCid<TableOf<Name>, SentCid<Name>>>;
}[PackageName];

const AWAITED: ReadonlySet<string> = new Set(
  PACKAGE_NAMES.flatMap((name) => {
    const sent = new Set(Object.values<Sent>(SENT[name]).map(({ cid }) => cid));
    return Object.values<CommandSet>(UPLINK_COMMANDS[name]).flatMap((table) =>
      Object.keys(table).filter((each) => sent.has(table[each]!.cid)),
    );
  }),
);
type Sent = CommandSet[string];

export const isAwaited = (answer: Answer): answer is AwaitedAnswer => AWAITED.has(answer.name);

/** The commands of an uplink, in order; none on other ports than those of the packages. */
export function readAnswers(
  packages: PackagesView,
  fPort: number,
  payload: Uint8Array,
): readonly Answer[] {
  const name = PACKAGE_NAMES.find((one) => packages[one].fPort === fPort);
  if (name === undefined) return [];
  const table = tableOf(name, packages[name].version);
  return readCommands(table, payload).commands as readonly Answer[];
}

function tableOf(name: PackageName, version: 1 | 2): Parameters<typeof readCommands>[0] {
  const byVersion: { readonly [V in 1 | 2]?: Parameters<typeof readCommands>[0] } =
    UPLINK_COMMANDS[name];
  return byVersion[version] ?? UPLINK_COMMANDS[name][1];
}
