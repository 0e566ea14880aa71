/** What the server knows of its devices: root key, session, counters, and what it has set. */
import { assert } from '../base/assert.ts';
import { DrawPurpose, draw } from '../base/random.ts';
import { NEVER_US } from '../gateway/downlinks.ts';
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
import { ADR_HISTORY } from '../lorawan/adr.ts';
import { KEY_BYTES } from '../lorawan/frame-security.ts';
import { rulesOfNumber, type VersionRules } from '../lorawan/versions.ts';
import { Identities, type SavedIdentities } from '../plan/planned-identities.ts';
import { DrawnKey, type RootKeys } from '../plan/root-keys.ts';
import { MASK_WORDS } from '../spectrum/channel-set.ts';
import { HEARD_BY, heardGateway, heardLevel, heardWord } from './heard-word.ts';

/** A type-0 NetID has 6 bits of NwkID after the prefix bit 0, and 25 bits of NwkAddr. */
const NWK_ADDR_BITS = 25;
const NWK_ADDR_MASK = 0x1ff_ffff;

/** Keys of a session that waits, in their order. */
export const NextKey = { fNwkSInt: 0, sNwkSInt: 1, nwkSEnc: 2, appS: 3 } as const;
export const NEXT_KEYS = 4;

const EUI_BYTES = 8;

const registrationColumns = {
  alive: u8,
  /** When it came into the network, µs, if it was not there from the start. */
  createdAtUs: seldom('late', opaque(f64)),
  /** Whether it knows the root of the device's multicast keys. */
  rootKeyKnown: u8,

  // The session.
  sNwkSIntKey: seldom('keys11', opaque(wide(u8, KEY_BYTES))),
  nwkSEncKey: seldom('keys11', opaque(wide(u8, KEY_BYTES))),
  active: u8,
  /** Version of LoRaWAN (`versionNumber`). */
  version: u8,
  /** Class C: reachable at any time. */
  classC: u8,
  devAddr: u32,
  /** 1 in a session of LoRaWAN 1.1, where nwkSKey is FNwkSIntKey. */
  minor: u8,
  /** In 1.1 the counter of the next downlink with FPort > 0 (AFCntDown). */
  aFCntDown: seldom('keys11', u32),
  /** Counters of the latest confirmed frames, which acknowledgements speak of (1.1). */
  confFCntUp: u32,
  confFCntDown: u32,

  // A 1.1 session whose join accept was sent and which the device has not used yet.
  nextWaits: seldom('offers', u8),
  nextDevAddr: seldom('offers', u32),
  nextType: seldom('offers', u8),
  nextDataRate: seldom('offers', u8),
  nextKeys: seldom('offers', opaque(wide(u8, NEXT_KEYS * KEY_BYTES))),
  /** Latest counters of rejoin requests, NONE before the first. */
  rjCount0: seldom('rejoins', f64, NONE),
  rjCount1: seldom('rejoins', f64, NONE),
  joinEui: seldom('joins', wide(u8, EUI_BYTES)),

  // Counters and nonces.
  /** Last accepted FCntUp, NONE before the first. */
  fCntUp: f64,
  /** FCntDown of the next downlink. */
  fCntDown: u32,
  /** Last accepted DevNonce, NONE before the first. */
  devNonce: seldom('joins', f64, NONE),
  joinNonce: u32,

  // Windows, channels and limits that it has from join accepts and MAC commands.
  rx1DelayS: u8,
  rx1DrOffset: u8,
  rx2DataRate: u8,
  rx2FrequencyHz: u32,
  /** It comes with the region's channels, not those of the network. */
  presetRegion: u8,
  /** Dwell time limits. */
  uplinkDwell: u8,
  downlinkDwell: u8,
  maxEirpDbm: u8,
  maxDutyCycle: u8,
  /** Bits of the requests that it has refused in this session (`refusable.ts`). */
  refusedCommands: u32,
  /** Row of the channels it is believed to know, and which of them are on. */
  channelSet: opaque(i32),
  channelMask: wide(u32, MASK_WORDS),

  // What the device is believed to use.
  dataRate: u8,
  txPowerIndex: u8,
  nbTrans: u8,

  // The last uplinks: a ring of ADR_HISTORY entries.
  historyCount: u8,
  historyNext: u8,
  historyFCnt: seldom('adr', wide(u32, ADR_HISTORY)),
  historySnrCentiDb: seldom('adr', wide(i16, ADR_HISTORY)),
  historyTxPower: seldom('adr', wide(u8, ADR_HISTORY)),

  // DevStatus: when it is due, how many answers came, and what the latest said.
  devStatusDueAtUs: f64,
  statusAnswers: u32,
  battery: u8,
  statusMarginDb: i16,

  // Downlinks to it, and what came from it.
  /** A confirmed downlink waits for its acknowledgement. */
  awaitsAck: u8,
  /** Its appointment for class C or a ping slot waits for a downlink to fall due. */
  sleeps: u8,
  delivered: u32,
  /** Its uplinks are reported to the platform. */
  watched: u8,
  /** FPort of its firmware management, where the platform hears that; else 0. */
  firmwarePort: opaque(u8),
  /** The same of its fragmentation package, where that is of version 2. */
  fragmentationPort: opaque(u8),
  /** End of the latest accepted uplink, `NEVER_US` before the first. */
  lastUplinkAtUs: f64,
  /** Start of the latest downlink that was planned for it. */
  downlinkAtUs: f64,
  /** Until when an answer in its windows may be on the air, a second try in RX2 included. */
  answerUntilUs: f64,
  /** Its place in the line of a gateway's class C frames: from, until, and at which gateway. */
  classCFromUs: seldom('classC', f64),
  classCUntilUs: seldom('classC', f64),
  classCGateway: seldom('classC', opaque(i32)),
  /** Gateways that received its latest uplinks, and the level at each (`heardWord`). */
  heard: opaque(wide(u32, HEARD_BY)),
  duplicates: u16,
};

/** As a rule the plan's own object: that of a million devices is not copied. */
export interface RegistrationIdentity {
  readonly devEui: string;
  /** What people call the device; draws and traces know it by its first name. */
  readonly name: string;
}

export interface SavedRegistrations {
  readonly table: SavedTable;
  readonly identities: SavedIdentities<RegistrationIdentity>;
  readonly devNonces: readonly (readonly [number, readonly number[]])[];
  readonly nwkSKeys: Uint8Array;
  readonly appSKeys: Uint8Array;
}

export class Registrations {
  readonly table = new Table(registrationColumns);
  readonly column = this.table.column;
  readonly identities: Identities<RegistrationIdentity>;
  readonly #byEui = new RowIndex();
  readonly #byAddr = new RowIndex();
  /** Rows by what people call the devices; made when it is first asked, and then stored. */
  #byName: Map<string, number | Set<number>> | undefined;
  readonly #netId: number;
  /** Those of the devices, which have the same rows. */
  readonly rootKeys: RootKeys;
  /** Keys of the present session; those of a device that never joins are drawn. */
  readonly nwkSKeys = new KeyColumn(this.table, this.#personal(DrawnKey.nwkSession));
  readonly appSKeys = new KeyColumn(this.table, this.#personal(DrawnKey.appSession));
  /** DevNonces that were used, of devices that draw them. */
  readonly #devNonces = new Map<number, number[]>();

  /** Those of the plan have the first rows, in this order. */
  constructor(netId: number, rootKeys: RootKeys, planned: readonly RegistrationIdentity[] = []) {
    this.#netId = netId;
    this.rootKeys = rootKeys;
    this.identities = new Identities(planned);
  }

  /** Makes a device known, now. */
  add(identity: RegistrationIdentity, nowUs: number): number {
    const row = this.table.add();
    const c = this.table.column;
    assert(row === this.identities.length, 'a row and an identity are added together');
    this.identities.add(identity);
    this.#byEui.add(wordOf(identity.devEui), row);
    this.#noteName(row, identity.name);
    c.alive[row] = 1;
    if (nowUs > 0) {
      this.table.need('late');
      c.createdAtUs[row] = nowUs;
    }
    c.fCntUp[row] = NONE;
    c.nbTrans[row] = 1;
    c.lastUplinkAtUs[row] = NEVER_US;
    return row;
  }

  /** Grows the columns to a number of devices. */
  reserve(rows: number): void {
    this.table.reserve(rows);
    this.#byEui.reserve(rows);
    this.#byAddr.reserve(rows);
  }

  /** When a device came into the network, µs. */
  createdAtUs(row: number): number {
    return this.table.has('late') ? this.table.column.createdAtUs[row] : 0;
  }

  rules(row: number): VersionRules {
    return rulesOfNumber(this.table.column.version[row]);
  }

  /** Takes a DevNonce that was not used before, and where they count is greater; else false. */
  useDevNonce(row: number, devNonce: number): boolean {
    const c = this.table.column;
    assert(devNonce >= 0 && devNonce <= 0xffff, 'a DevNonce has 16 bits');
    this.table.need('joins');
    if (this.rules(row).devNonce === 'counted') {
      if (devNonce <= c.devNonce[row]) return false;
      c.devNonce[row] = devNonce;
      return true;
    }
    const used = this.#devNonces.get(row) ?? [];
    if (used.includes(devNonce)) return false;
    this.#devNonces.set(row, [...used, devNonce]);
    c.devNonce[row] = devNonce;
    return true;
  }

  /** Notes whether the server knows the root of a device's multicast keys. */
  learnRootKey(row: number, isKnown: boolean): void {
    this.table.column.rootKeyKnown[row] = isKnown ? 1 : 0;
  }

  /** Who joins gets keys: a session that is there before any are set is a personal one. */
  #personal(which: number) {
    return (row: number, out: Uint8Array) => {
      if (this.table.column.active[row] === 1) this.rootKeys.draw(row, which, out);
      else out.fill(0);
    };
  }

  /** The device is called otherwise from now on. */
  rename(row: number, name: string): void {
    this.#forgetName(row);
    this.identities.set(row, { devEui: this.identities.of(row).devEui, name });
    this.#noteName(row, name);
  }

  retire(row: number): void {
    const c = this.table.column;
    this.#byEui.remove(wordOf(this.identities.of(row).devEui), row);
    this.#forgetName(row);
    if (c.active[row] === 1) this.#byAddr.remove(c.devAddr[row], row);
    this.#dropOffer(row);
    c.alive[row] = 0;
    c.active[row] = 0;
  }

  byEui(devEui: string): number {
    return this.#byEui.find(wordOf(devEui), (row) => this.identities.of(row).devEui === devEui);
  }

  /** Rows of the devices that people call so, in no particular order. */
  byName(name: string): readonly number[] {
    const index = this.#byName ?? this.#nameIndex();
    const found = index.get(name);
    if (found === undefined) return [];
    return typeof found === 'number' ? [found] : [...found];
  }

  byAddr(devAddr: number): number {
    return this.#byAddr.find(devAddr);
  }

  /**
   * Starts a session under the address that is given and not taken, or a fresh one, drawn by key
   * and moved on while taken.
   */
  openSession(row: number, given?: number): void {
    const c = this.table.column;
    assert(c.alive[row] === 1, 'only a device of the network has a session');
    if (c.active[row] === 1) this.#byAddr.remove(c.devAddr[row], row);
    const devAddr = given ?? this.#freshAddress(row);
    assert(this.byAddr(devAddr) === NONE, 'an address is that of one session');
    c.devAddr[row] = devAddr;
    this.#byAddr.add(devAddr, row);
    this.#resetSession(row);
  }

  /** Makes a session that waits, beside the present one, for the device to use it (1.1 §6.2.3). */
  offerSession(row: number): void {
    const c = this.table.column;
    assert(c.alive[row] === 1, 'only a device of the network has a session');
    this.#dropOffer(row);
    this.table.need('offers');
    c.nextDevAddr[row] = this.#freshAddress(row);
    this.#byAddr.add(c.nextDevAddr[row], row);
    c.nextWaits[row] = 1;
  }

  /** Whether this address is that of a session that waits. */
  isAvailable(row: number, devAddr: number): boolean {
    const { nextWaits, nextDevAddr } = this.table.column;
    return nextWaits.length > 0 && nextWaits[row] === 1 && nextDevAddr[row] === devAddr;
  }

  /** The session that waited takes the place of the present one. */
  adoptSession(row: number): void {
    const c = this.table.column;
    assert(c.nextWaits[row] === 1, 'a session is adopted that waits');
    if (c.active[row] === 1) this.#byAddr.remove(c.devAddr[row], row);
    c.devAddr[row] = c.nextDevAddr[row];
    c.nextWaits[row] = 0;
    this.table.need('keys11');
    const keyAt = (key: number) => {
      const at = (row * NEXT_KEYS + key) * KEY_BYTES;
      return c.nextKeys.slice(at, at + KEY_BYTES);
    };
    this.nwkSKeys.set(row, keyAt(NextKey.fNwkSInt));
    this.appSKeys.set(row, keyAt(NextKey.appS));
    c.sNwkSIntKey.set(keyAt(NextKey.sNwkSInt), row * KEY_BYTES);
    c.nwkSEncKey.set(keyAt(NextKey.nwkSEnc), row * KEY_BYTES);
    c.minor[row] = 1;
    this.#resetSession(row);
  }

  #nameIndex(): Map<string, number | Set<number>> {
    this.#byName = new Map();
    const { alive } = this.table.column;
    for (let row = 0; row < this.identities.length; row++) {
      if (alive[row] === 1) this.#noteName(row, this.identities.of(row).name);
    }
    return this.#byName;
  }

  #noteName(row: number, name: string): void {
    const found = this.#byName?.get(name);
    if (typeof found === 'object') found.add(row);
    else this.#byName?.set(name, found === undefined ? row : new Set([found, row]));
  }

  #forgetName(row: number): void {
    const { name } = this.identities.of(row);
    const found = this.#byName?.get(name);
    if (typeof found === 'object') found.delete(row);
    else this.#byName?.delete(name);
  }

  #dropOffer(row: number): void {
    if (!this.table.has('offers')) return;
    const c = this.table.column;
    if (c.nextWaits[row] === 1) this.#byAddr.remove(c.nextDevAddr[row], row);
    c.nextWaits[row] = 0;
  }

  #freshAddress(row: number): number {
    const c = this.table.column;
    const prefix = ((this.#netId & 0x3f) << NWK_ADDR_BITS) >>> 0;
    const { key0, key1 } = this.rootKeys.entity(row);
    let nwkAddr = draw(key0, key1, DrawPurpose.devAddr, c.joinNonce[row]) & NWK_ADDR_MASK;
    while (this.byAddr(prefix + nwkAddr) !== NONE) nwkAddr = (nwkAddr + 1) & NWK_ADDR_MASK;
    return prefix + nwkAddr;
  }

  #resetSession(row: number): void {
    const c = this.table.column;
    c.active[row] = 1;
    if (this.table.has('keys11')) c.aFCntDown[row] = 0;
    c.fCntUp[row] = NONE;
    c.fCntDown[row] = 0;
    c.awaitsAck[row] = 0;
    c.historyCount[row] = 0;
  }

  /** Remembers at which level a gateway heard the device; it takes the place of the weakest. */
  noteHeard(row: number, gateway: number, levelCentiDbm: number): void {
    const { heard } = this.table.column;
    const first = row * HEARD_BY;
    const word = heardWord(gateway, levelCentiDbm);
    let place = first;
    for (let at = first; at < first + HEARD_BY; at++) {
      if (heard[at] !== 0 && heardGateway(heard[at]) === gateway) {
        heard[at] = word;
        return;
      }
      // Nobody at all is the weakest.
      if (heardLevel(heard[at]) < heardLevel(heard[place])) place = at;
    }
    if (heardLevel(heard[place]) < heardLevel(word)) heard[place] = word;
  }

  save(): SavedRegistrations {
    const devNonces = [...this.#devNonces].map(([row, used]) => [row, [...used]] as const);
    const report = ({ devEui, name }: RegistrationIdentity) => ({ devEui, name });
    return {
      table: this.table.save(),
      identities: this.identities.save(report),
      devNonces,
      nwkSKeys: this.nwkSKeys.save(),
      appSKeys: this.appSKeys.save(),
    };
  }

  load(saved: SavedRegistrations): void {
    this.table.load(saved.table);
    this.nwkSKeys.load(saved.nwkSKeys);
    this.appSKeys.load(saved.appSKeys);
    this.identities.load(saved.identities, saved.table.rows);
    this.#devNonces.clear();
    for (const [row, used] of saved.devNonces) this.#devNonces.set(row, [...used]);
    for (const index of [this.#byEui, this.#byAddr]) {
      index.clear();
      index.reserve(saved.table.rows);
    }
    this.#byName = undefined;
    const { alive, active, devAddr, nextWaits, nextDevAddr } = this.table.column;
    for (let row = 0; row < this.identities.length; row++) {
      if (alive[row] === 1) this.#byEui.add(wordOf(this.identities.of(row).devEui), row);
      if (active[row] === 1) this.#byAddr.add(devAddr[row], row);
      if (this.table.has('offers') && nextWaits[row] === 1) this.#byAddr.add(nextDevAddr[row], row);
    }
  }
}
