/**
 * The devices: what each remembers, in columns. A row is a device for its whole life; a device
 * removed and created again is a new row with a new incarnation.
 */
import { assert } from '../base/assert.ts';
import type { EntityKey } from '../base/random.ts';
import {
  f64,
  i16,
  i32,
  NONE,
  opaque,
  type SavedTable,
  seldom,
  Table,
  u8,
  u16,
  u32,
  wide,
} from '../kernel/columns.ts';
import { KeyColumn } from '../kernel/key-column.ts';
import { RowIndex, wordOf } from '../kernel/row-index.ts';
import { KEY_BYTES } from '../lorawan/frame-security.ts';
import { FRAG_INDICES } from '../lorawan/packages/ts004-fragmentation.ts';
import { Identities, type SavedIdentities } from '../plan/planned-identities.ts';
import { DrawnKey, RootKeys, type SavedRootKeys } from '../plan/root-keys.ts';
import { MASK_WORDS } from '../spectrum/channel-set.ts';

/** Instead of a time, µs: nothing is appointed, or it has not happened yet. */
export const NEVER = -1;
/** Instead of a frame counter or nonce: none was accepted yet. */
export const NO_COUNTER = -1;

/** State of a device's radio for its own uplinks. */
export const Radio = { idle: 0, sending: 1, windows: 2 } as const;
export const Activation = { none: 0, joining: 1, active: 2 } as const;
/** What the message in hand is. */
export const UplinkPurpose = { none: 0, join: 1, data: 2, rejoin: 3 } as const;
/** Classes as DeviceModeInd encodes them (LoRaWAN 1.1 §5.16). */
export const DeviceClass = { a: 0, c: 2 } as const;

/** FOpts hold at most this many bytes. */
export const FOPTS_BYTES = 15;

/** MAC commands that may wait for a frame, bytes. */
export const MAC_QUEUE_BYTES = 64;

const EUI_BYTES = 8;

const deviceColumns = {
  alive: u8,
  /** Row in the plan's device types. */
  type: opaque(u16),
  key0: opaque(i32),
  key1: opaque(i32),
  /** Rate error of its clock, parts per billion; positive is fast. */
  driftPpb: i32,

  /** What may have reached it and was over by then has been looked at, µs. */
  settledUs: opaque(f64),

  // Session.
  activation: u8,
  /** 1: it is personalised, and never joins (ABP). */
  personalised: opaque(u8),
  /** JoinEUI of its join requests, in the order of the air. */
  joinEui: seldom('joins', opaque(wide(u8, EUI_BYTES))),
  /** Class C while it is 2; class B stands in the type. */
  deviceClass: u8,
  devAddr: u32,
  sNwkSIntKey: seldom('keys11', opaque(wide(u8, KEY_BYTES))),
  nwkSEncKey: seldom('keys11', opaque(wide(u8, KEY_BYTES))),
  /** 1 in a session of LoRaWAN 1.1, where nwkSKey is FNwkSIntKey. */
  minor: u8,
  netId: seldom('joins', u32),
  fCntUp: u32,
  /** Last accepted FCntDown; NO_COUNTER before the first. */
  fCntDown: f64,
  /** The same of downlinks with FPort > 0 (1.1: AFCntDown). */
  aFCntDown: seldom('keys11', f64, NO_COUNTER),
  /** Counters of the latest confirmed frames, which acknowledgements speak of (1.1). */
  confFCntUp: u32,
  confFCntDown: u32,
  /** Uplinks that said RekeyInd and were not confirmed. */
  rekeyWaits: seldom('keys11', u32),
  devNonce: seldom('joins', u32),
  /** Last accepted JoinNonce; NO_COUNTER before the first. */
  joinNonce: seldom('joins', f64, NO_COUNTER),

  // Rejoin requests (1.1): the one in hand, those that the network forces, when they are due.
  rejoinType: seldom('rejoins', u8),
  rejoinDataRate: seldom('rejoins', u8),
  forcedType: seldom('rejoins', u8),
  forcedDataRate: seldom('rejoins', u8),
  rejoinPeriod: seldom('rejoins', u8),
  rejoinTriesLeft: seldom('rejoins', u8),
  rejoinDueAtUs: seldom('rejoins', f64, NEVER),
  /** When the next one of type 1 is due. */
  rejoin1DueAtUs: seldom('rejoins', f64, NEVER),
  rejoinEveryUplinks: seldom('rejoins', u32),
  rejoinEveryUs: seldom('rejoins', f64),
  rejoinedAtFCnt: seldom('rejoins', u32),
  /** When the last one went out, or the session began, whatever its version. */
  rejoinedAtUs: f64,
  rjCount0: seldom('rejoins', u16),
  rjCount1: seldom('rejoins', u16),

  // What the network has set.
  dataRate: u8,
  txPowerIndex: u8,
  nbTrans: u8,
  /** Row of the channels it knows, and which of them are on. */
  channelSet: opaque(i32),
  channelMask: wide(u32, MASK_WORDS),
  /** Dwell time limits, and the radiated power that TxParamSetupReq allows, 1/100 dBm. */
  uplinkDwell: u8,
  downlinkDwell: u8,
  maxEirpCentiDbm: i16,
  /** At most 1/2^maxDutyCycle of the time on air, over all sub-bands: silent until then. */
  maxDutyCycle: u8,
  silentUntilUs: f64,
  /** ADR_ACK_CNT: new uplinks since the last downlink. */
  adrAckCnt: u32,
  /** The count at which the last step of the back-off was taken. */
  adrSteppedAt: u32,
  /** ADR_ACK_LIMIT and ADR_ACK_DELAY as exponents of 2. */
  adrAckLimitExp: u8,
  adrAckDelayExp: u8,
  /** 1 from when ADR back-off turned more channels on until they are set anew; for the report. */
  hasLeftChannels: opaque(u8),
  rx1DelayS: u8,
  rx1DrOffset: u8,
  rx2DataRate: u8,
  rx2FrequencyHz: u32,

  // The message in hand and the radio.
  radio: u8,
  purpose: u8,
  confirmed: u8,
  /** Transmissions of the message so far. */
  attempts: u32,
  maxAttempts: u8,
  /** The next uplink acknowledges a confirmed downlink. */
  ackDue: u8,
  /** The message in hand asks for a downlink (ADRACKReq). */
  adrAckReqInHand: u8,
  /** The message in hand acknowledges one. */
  ackInHand: u8,
  /** What came down after the latest uplink. */
  answered: u8,
  acknowledged: u8,
  /** Messages that wait for the one in hand. */
  waiting: u8,
  /** MAC commands to say (`mac-commands/queue.ts`): a run of bytes and its length. */
  macLength: u8,
  macQueue: seldom('macQueue', wide(u8, MAC_QUEUE_BYTES)),
  /** How many of these bytes the message in hand carries, and whether as FPort 0. */
  macInHand: u8,
  macPort: u8,
  /** How many were said before and are repeated. */
  macRepeated: u8,
  /** A class A downlink has come since the message in hand was first sent. */
  macHeard: u8,
  /** Indications that the network has confirmed: a bit each. */
  macConfirmed: u32,
  /** Frame slot of the transmission on the air. */
  frameSlot: opaque(i32),
  /** Channel of the latest uplink. */
  channel: u8,
  uplinkHz: u32,
  uplinkDataRate: u8,

  /**
   * Package message or answer in hand, or NONE: the message is the device's own traffic, and no
   * answer rides on it.
   */
  outgoingInHand: opaque(i32),
  /** Package messages, and answers that go by themselves, that wait. */
  outgoing: opaque(i32),
  /** Answers that wait for messages of the device's own traffic. */
  riding: opaque(i32),

  // Calendar clock: its error when it was last set, and when that was.
  clockErrorUs: f64,
  clockSetAtUs: f64,
  /** When DeviceTimeReq is due, and how often the network sent the time. */
  timeWantedAtUs: f64,
  timeSyncs: u32,
  /** End of the latest uplink. */
  uplinkEndedAtUs: f64,
  /** TS003: token of the next AppTimeReq, and requests that a forced resync still calls for. */
  timeToken: u8,
  resyncsLeft: u8,
  /** Period of its own requests: every 128 · 2^timePeriod s, where one is queued. */
  timePeriod: u8,

  // Multicast groups, fragmentation sessions (chains of their pools).
  mcGroups: opaque(i32),
  fragSessions: opaque(i32),
  /** MulticastState whose session is open. */
  openClassCSessions: opaque(u8),
  /** Standing groups (multicast-state.ts) whose keys it has. */
  standingGroups: opaque(u8),
  /** Latest SessionCnt by FragIndex (TS004-2.0.0), or NO_COUNTER; survives a reboot. */
  sessionCnt: seldom('fragmentation', wide(i32, FRAG_INDICES), NO_COUNTER),
  /** Next begin or end of a multicast session by the device's clock. */
  multicastDueAtUs: f64,

  // Firmware.
  fwVersion: u32,
  hwVersion: u32,
  /** Version that the next reboot activates, and when; NEVER when none is due. */
  nextFwVersion: u32,
  rebootAtUs: f64,
  /** 1 when a command of TS006 called for the reboot; else the device does so by itself. */
  rebootCommanded: u8,
  /** `UpImageStatus` of the image that waits. */
  imageStatus: u8,

  // Appointments, µs of world time; NEVER when nothing is appointed.
  startsAtUs: f64,
  trafficDueAtUs: f64,
  transmitDueAtUs: f64,
  /** No new uplink before this. */
  quietUntilUs: f64,

  // Counters of draws and of the report.
  frames: u32,
  messages: u32,
  /** Messages that were first sent, a repetition is not a new one. */
  sent: u32,
  retransmissions: u32,
  confirmedSent: u32,
  confirmedAcknowledged: u32,
  confirmedFailed: u32,
  dutyCycleWaits: u32,
  /** Times that every channel was busy (listen before talk). */
  busyWaits: u32,
  messagesDropped: u32,
  /** What became of its latest message so far: 1 + the place in TRANSMISSION_FATES; 0: no end. */
  messageFate: opaque(u8),
  downlinks: u32,
  joinRequests: seldom('joins', u32),
  /** When its first session began by a join; NEVER before. */
  joinedAtUs: seldom('joins', f64, NEVER),
  /** Join back-off: period reached, and air time used in it, µs. */
  joinPeriod: seldom('joins', u32),
  joinAirtimeUs: seldom('joins', f64),
  /** LinkCheckAns: how many came, and the latest one's margin, dB, and number of gateways. */
  linkChecks: u32,
  linkMarginDb: u8,
  linkGateways: u8,
  /** Margin of the latest downlink over the device's sensitivity, dB. */
  downlinkMarginDb: i16,
  /**
   * When the latest frame for it ended, of its own or of a group; NEVER before; reported, no more.
   */
  heardAtUs: opaque(f64),
};

/** As a rule the plan's own object: that of a million devices is not copied. */
export interface DeviceIdentity {
  readonly name: string;
  /** 16 upper-case hexadecimal digits. */
  readonly devEui: string;
  readonly xMeters: number;
  readonly yMeters: number;
}

export interface SavedDevices {
  readonly table: SavedTable;
  readonly identities: SavedIdentities<DeviceIdentity>;
  readonly rootKeys: SavedRootKeys;
  readonly nwkSKeys: Uint8Array;
  readonly appSKeys: Uint8Array;
}

export class DeviceTable {
  readonly table = new Table(deviceColumns);
  readonly column = this.table.column;
  /** What does not change but for the place, by row. */
  readonly identities: Identities<DeviceIdentity>;
  /** Rows in service by DevEUI. */
  readonly #byEui = new RowIndex();
  /** Rows by DevAddr, from when somebody asks for them; those without an address are not there. */
  #byAddr: RowIndex | undefined;
  readonly rootKeys = new RootKeys(this.table);
  /** Keys of the present session; a personalised device's are drawn. */
  readonly nwkSKeys = new KeyColumn(this.table, this.#personal(DrawnKey.nwkSession));
  readonly appSKeys = new KeyColumn(this.table, this.#personal(DrawnKey.appSession));

  /** Those of the plan have the first rows, in this order. */
  constructor(planned: readonly DeviceIdentity[] = []) {
    this.identities = new Identities(planned);
  }

  get rows(): number {
    return this.table.rows;
  }

  /** How many are in service. */
  get inService(): number {
    return this.#byEui.size;
  }

  /** Row of the device in service with this DevEUI, or NONE. */
  byEui(devEui: string): number {
    return this.#byEui.find(wordOf(devEui), (row) => this.identities.of(row).devEui === devEui);
  }

  /**
   * Rows that have a DevAddr, in ascending order: of one session as a rule, but a device keeps its
   * address until it joins anew, when it may be another's. Undefined of the address 0, which all
   * have that have not joined yet.
   */
  withDevAddr(devAddr: number): readonly number[] | undefined {
    if (devAddr === 0) return undefined;
    this.#byAddr ??= this.#indexedByAddr();
    const rows: number[] = [];
    this.#byAddr.find(devAddr, (row) => {
      rows.push(row);
      return false;
    });
    return rows.sort((a, b) => a - b);
  }

  /** A device has this address from now on. */
  setDevAddr(row: number, devAddr: number): void {
    const c = this.table.column;
    this.#byAddr?.remove(c.devAddr[row], row);
    c.devAddr[row] = devAddr;
    if (devAddr !== 0) this.#byAddr?.add(devAddr, row);
  }

  #indexedByAddr(): RowIndex {
    const index = new RowIndex();
    index.reserve(this.rows);
    const { devAddr } = this.table.column;
    for (let row = 0; row < this.rows; row++) if (devAddr[row] !== 0) index.add(devAddr[row], row);
    return index;
  }

  /** Rows in service, in the order in which their devices came. */
  rowsInService(): Int32Array {
    const rows = new Int32Array(this.inService);
    const { alive } = this.table.column;
    let count = 0;
    for (let row = 0; row < this.rows; row++) if (alive[row] === 1) rows[count++] = row;
    return rows;
  }

  /** Grows the columns to a number of devices. */
  reserve(rows: number): void {
    this.table.reserve(rows);
    this.#byEui.reserve(rows);
  }

  /** When a device's first session began by a join, µs; NEVER before. */
  joinedAtUs(row: number): number {
    return this.table.has('joins') ? this.table.column.joinedAtUs[row] : NEVER;
  }

  joinRequests(row: number): number {
    return this.table.has('joins') ? this.table.column.joinRequests[row] : 0;
  }

  /** JoinEUI of the requests of a device that joins, in the order of the air. */
  joinEui(row: number): Uint8Array {
    return this.table.column.joinEui.subarray(row * EUI_BYTES, (row + 1) * EUI_BYTES);
  }

  /** Where a device stands, and what its draws are keyed by. */
  station(row: number): DevicePlace & EntityKey {
    const { xMeters, yMeters } = this.identities.of(row);
    const { key0, key1 } = this.table.column;
    return { xMeters, yMeters, key0: key0[row], key1: key1[row] };
  }

  /** Adds a device, with nothing appointed and no session; returns its row. */
  add(identity: DeviceIdentity, { key0, key1 }: EntityKey): number {
    assert(this.byEui(identity.devEui) === NONE, 'a DevEUI names one device in service');
    const row = this.table.add();
    this.identities.add(identity);
    this.#byEui.add(wordOf(identity.devEui), row);
    const c = this.table.column;
    c.alive[row] = 1;
    c.key0[row] = key0;
    c.key1[row] = key1;
    c.fCntDown[row] = NO_COUNTER;
    c.heardAtUs[row] = NEVER;
    c.trafficDueAtUs[row] = c.transmitDueAtUs[row] = c.multicastDueAtUs[row] = NEVER;
    c.rebootAtUs[row] = NEVER;
    c.outgoingInHand[row] = c.outgoing[row] = c.riding[row] = c.frameSlot[row] = NONE;
    c.mcGroups[row] = c.fragSessions[row] = NONE;
    return row;
  }

  #personal(which: number) {
    return (row: number, out: Uint8Array) => {
      if (this.table.column.personalised[row] === 1) this.rootKeys.draw(row, which, out);
      else out.fill(0);
    };
  }

  /** A device stands elsewhere from now on. Its links are not drawn yet. */
  place(row: number, { xMeters, yMeters }: DevicePlace): void {
    assert(this.table.column.alive[row] === 1, 'a device in service moves');
    assert(Number.isFinite(xMeters) && Number.isFinite(yMeters), 'a place is two finite numbers');
    const { name, devEui } = this.identities.of(row);
    this.identities.set(row, { name, devEui, xMeters, yMeters });
  }

  /** A device is removed: its row stays, and is never used again. */
  retire(row: number): void {
    assert(this.table.column.alive[row] === 1, 'a device in service retires');
    this.table.column.alive[row] = 0;
    this.#byEui.remove(wordOf(this.identities.of(row).devEui), row);
  }

  save(): SavedDevices {
    return {
      table: this.table.save(),
      identities: this.identities.save(report),
      rootKeys: this.rootKeys.save(),
      nwkSKeys: this.nwkSKeys.save(),
      appSKeys: this.appSKeys.save(),
    };
  }

  load(saved: SavedDevices): void {
    this.table.load(saved.table);
    this.rootKeys.load(saved.rootKeys);
    this.nwkSKeys.load(saved.nwkSKeys);
    this.appSKeys.load(saved.appSKeys);
    this.identities.load(saved.identities, saved.table.rows);
    this.#byAddr = undefined;
    this.#byEui.clear();
    this.#byEui.reserve(saved.table.rows);
    const { alive } = this.table.column;
    for (let row = 0; row < this.rows; row++) {
      if (alive[row] === 1) this.#byEui.add(wordOf(this.identities.of(row).devEui), row);
    }
  }
}

type DevicePlace = Pick<DeviceIdentity, 'xMeters' | 'yMeters'>;

const report = ({ name, devEui, xMeters, yMeters }: DeviceIdentity): DeviceIdentity => ({
  name,
  devEui,
  xMeters,
  yMeters,
});
