/** A device's multicast groups and fragmentation sessions: pools of rows, chained per device. */
import {
  f64,
  i32,
  NONE,
  opaque,
  Pool,
  type SavedPool,
  u8,
  u16,
  u32,
  wide,
} from '../kernel/columns.ts';
import { RankModel } from '../lorawan/fragmentation-rank.ts';
import { KEY_BYTES } from '../lorawan/frame-security.ts';
import { ChannelLog, type SavedChannel } from '../radio/channel-log.ts';
import { FragmentBits, type SavedFragmentBits } from './fragment-bits.ts';
import { FragmentContents } from './fragment-contents.ts';
import { RebuiltBlocks } from './rebuilt-blocks.ts';

/** State of a group's multicast session. */
export const McSessionState = { none: 0, waiting: 1, open: 2 } as const;

/** Periodicity of a class C session, which has no ping slots. */
export const NO_PING_SLOTS = 0xff;

/** Later than any world's end: 100 years, µs. */
export const FOREVER_US = 3_155_760_000_000_000;

/**
 * Standing groups are those whose keys a device was given with its own, without a command: they
 * have no session that begins or ends. They are numbered from here on, behind those of TS005.
 */
export const FIRST_STANDING = 8;

export const isStanding = (mcGroupId: number): boolean => mcGroupId >= FIRST_STANDING;

const groupColumns = {
  next: opaque(i32),
  device: opaque(i32),
  mcGroupId: u8,
  mcAddr: u32,
  mcAppSKey: opaque(wide(u8, KEY_BYTES)),
  mcNwkSKey: opaque(wide(u8, KEY_BYTES)),
  /** 32 bits by which these keys differ from those of other groups. */
  keyFold: opaque(i32),
  minFCount: f64,
  maxFCount: f64,
  /** Last accepted counter; NO_COUNTER before the first. */
  fCnt: f64,
  /** `McSessionState`. */
  sessionState: u8,
  /** SessionTime, GPS seconds modulo 2^32. */
  sessionTimeS: f64,
  timeOut: u8,
  /** A class B session has 2^(7 − periodicity) ping slots in a beacon period; 0xff in class C. */
  periodicity: u8,
  /** Begin and end by the device's clock, as world times. */
  opensAtUs: f64,
  closesAtUs: f64,
  frequencyHz: u32,
  dataRate: u8,
  /** Ordinal of the next row of the air log to look at. */
  cursor: f64,
  /** Counter without which none of its blocks can be complete; NONE: waits for none. */
  checkAtFCnt: f64,
};

const fragSessionColumns = {
  next: opaque(i32),
  device: opaque(i32),
  fragIndex: u8,
  mcGroupBitMask: u8,
  nbFrag: u16,
  fragSize: u8,
  padding: u8,
  descriptor: u32,
  blockAckDelay: u8,
  /** The bit set of received fragments. */
  bitsAt: opaque(i32),
  bitWords: opaque(i32),
  /** Highest fragment number received, how many fragments, and how many different ones. */
  highest: u16,
  received: u32,
  distinct: u32,
  /** 1 once a coded fragment was taken; 1 once the decoder's memory could not hold one. */
  usesCoded: u8,
  memoryError: u8,
  /** 1 once one could not be written: none is stored any more. The failure is in the digest. */
  unwritable: opaque(u8),
  complete: u8,
  completedAtUs: f64,
  /** Version 2: what the set-up said, what the block's MIC was found to be. */
  sessionCnt: u16,
  mic: opaque(u32),
  micError: u8,
  /** AckReception: FragDataBlockReceivedAns has not come. */
  awaitsAck: u8,
  /** Version 2: where the numbers of the fragments' contents stand, and for how many. */
  contentAt: opaque(i32),
  contentCount: opaque(i32),
  /** Fragments are stored and the block is rebuilt (keyed sample). */
  sampled: opaque(u8),
};

/** Time in which a device was not on a group's channel: it sent, or a window was open. */
export interface BusyTime {
  readonly fromUs: number;
  readonly untilUs: number;
  /** 0 when it sent. */
  readonly frequencyHz: number;
  readonly dataRate: number;
}

/**
 * A standing group as those see it who listen to it: its frames since every member was looked at,
 * and its members in the order in which they came.
 */
export interface StandingMembers {
  /** Its frames, whatever the channel. */
  readonly log: ChannelLog;
  /** Device rows. */
  readonly members: number[];
  /** The pass over the members: whose turn is next, and the frames when it began. */
  next: number;
  passFrom: number;
}

type SavedStandingGroup = Omit<StandingMembers, 'log'> & {
  readonly mcAddr: number;
  readonly log: SavedChannel;
};

/** A session of a group that had a claim on the radio. */
export interface RadioClaim {
  readonly mcGroupId: number;
  readonly fromUs: number;
  readonly untilUs: number;
  readonly frequencyHz: number;
  readonly dataRate: number;
}

export interface SavedMulticastState {
  readonly mcGroups: SavedPool;
  readonly fragSessions: SavedPool;
  readonly fragmentBits: SavedFragmentBits;
  readonly keptFragments: readonly (readonly [
    number,
    readonly (readonly [number, Uint8Array])[],
  ])[];
  readonly busyTimes: readonly (readonly [number, readonly BusyTime[]])[];
  readonly endedClaims: readonly (readonly [number, readonly RadioClaim[]])[];
  readonly contents: readonly Uint8Array[];
  readonly contentNumbers: SavedFragmentBits;
  readonly standing: readonly SavedStandingGroup[];
}

export class MulticastState {
  readonly mcGroups = new Pool(groupColumns);
  readonly fragSessions = new Pool(fragSessionColumns);
  readonly fragmentBits = new FragmentBits();
  /** Version 2: which content a session had under each number, and the contents. */
  readonly contentNumbers = new FragmentBits();
  readonly contents = new FragmentContents();
  /** Version 1: fragments of sampled sessions, by session row and number; nobody changes them. */
  readonly keptFragments = new Map<number, Map<number, Uint8Array>>();
  readonly rebuiltBlocks = new RebuiltBlocks();
  /**
   * Transmissions and windows of earlier uplinks in open sessions, by device row: frames that they
   * met may still wait for copies of theirs to end.
   */
  readonly busyTimes = new Map<number, readonly BusyTime[]>();
  /** Sessions that ended lately, by device row: frames on the air meanwhile ask for them. */
  readonly endedClaims = new Map<number, readonly RadioClaim[]>();
  /** Standing groups with members, by address. */
  readonly standing = new Map<number, StandingMembers>();
  readonly #models = new Map<number, RankModel>();

  /** Row of a device's group, NONE when it is not defined. */
  findMcGroup(heads: Int32Array, device: number, mcGroupId: number): number {
    const { next, mcGroupId: ids } = this.mcGroups.column;
    let row = heads[device];
    while (row !== NONE && ids[row] !== mcGroupId) row = next[row];
    return row;
  }

  /** Row of a device's fragmentation session, NONE when there is none at this index. */
  findFragSession(heads: Int32Array, device: number, fragIndex: number): number {
    const { next, fragIndex: indices } = this.fragSessions.column;
    let row = heads[device];
    while (row !== NONE && indices[row] !== fragIndex) row = next[row];
    return row;
  }

  /** The rank model of blocks of this many fragments; shared and remade at need. */
  rankModel(version: 1 | 2, nbFrag: number): RankModel {
    const key = 2 * nbFrag + version - 1;
    let model = this.#models.get(key);
    if (model === undefined) {
      model = new RankModel(version, nbFrag);
      this.#models.set(key, model);
    }
    return model;
  }

  save(): SavedMulticastState {
    return {
      mcGroups: this.mcGroups.save(),
      fragSessions: this.fragSessions.save(),
      fragmentBits: this.fragmentBits.save(),
      keptFragments: [...this.keptFragments].map(([row, stored]) => [row, [...stored]] as const),
      busyTimes: [...this.busyTimes],
      endedClaims: [...this.endedClaims],
      contents: this.contents.save(),
      contentNumbers: this.contentNumbers.save(),
      standing: [...this.standing].map(([mcAddr, { log, members, next, passFrom }]) => {
        return { mcAddr, log: log.save(), members: [...members], next, passFrom };
      }),
    };
  }

  load(saved: SavedMulticastState): void {
    this.mcGroups.load(saved.mcGroups);
    this.fragSessions.load(saved.fragSessions);
    this.fragmentBits.load(saved.fragmentBits);
    this.keptFragments.clear();
    this.rebuiltBlocks.clear();
    for (const [row, stored] of saved.keptFragments) this.keptFragments.set(row, new Map(stored));
    this.busyTimes.clear();
    for (const [device, times] of saved.busyTimes) this.busyTimes.set(device, times);
    this.endedClaims.clear();
    for (const [device, claims] of saved.endedClaims) this.endedClaims.set(device, claims);
    this.contents.load(saved.contents);
    this.contentNumbers.load(saved.contentNumbers);
    this.standing.clear();
    for (const { mcAddr, log, members, next, passFrom } of saved.standing) {
      const group = { log: new ChannelLog(log), members: [...members], next, passFrom };
      this.standing.set(mcAddr, group);
    }
  }
}

/** 32 bits that depend on both keys of a group's row. */
export function foldKeys(nwkSKey: Uint8Array, appSKey: Uint8Array, row: number): number {
  let folded = 0;
  for (let i = row * KEY_BYTES; i < (row + 1) * KEY_BYTES; i++) {
    folded = (Math.imul(folded ^ nwkSKey[i], 0x01000193) + appSKey[i]) | 0;
  }
  return folded;
}
