/**
 * What is stored of a frame in a log, as columns: 53 bytes an entry, 13 a reception with its place
 * in the index, and the bytes of its commands and payload once.
 */

import { type DownlinkRefusal, GATEWAY_REFUSALS, PLAN_REFUSALS } from '../../../sim/base/counts.ts';
import type { DownlinkWindow } from '../../../sim/contract/frames.ts';

/** A column of each kind, by name; the tables below say which. */
export type ColumnsOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends new (
    length: number,
  ) => infer Column
    ? Column
    : never;
};

/** An entry, which stands in one place of all of these. */
export const ENTRY_COLUMNS = {
  /** End of an uplink, begin of a downlink or the end of its hopes, µs. */
  atUs: Float64Array,
  /** Among the devices of its chunk; `NOBODY`. */
  device: Uint16Array,
  devAddr: Uint32Array,
  /** All 32 bits of FCnt, DevNonce, RJcount or JoinNonce. */
  counter: Uint32Array,
  mic: Uint32Array,
  frequencyHz: Uint32Array,
  airtimeUs: Uint32Array,
  /** Bits of `Flag`. */
  flags: Uint16Array,
  /** MType of the MHDR. */
  mType: Uint8Array,
  /** What filters look at: `classOf`. */
  class: Uint8Array,
  fPort: Uint8Array,
  /** 5…12; 0 is FSK. */
  spreadingFactor: Uint8Array,
  /** Place in `WINDOWS`, in `OUTCOMES` and, of the try before, in `OUTCOMES`; of downlinks. */
  window: Uint8Array,
  outcome: Uint8Array,
  tried: Uint8Array,
  /** Its bytes: FOpts and FRMPayload; JoinEUI of a request. */
  bytesFrom: Uint32Array,
  fOptsLength: Uint8Array,
  payloadLength: Uint8Array,
  receptionsFrom: Uint32Array,
  receptions: Uint16Array,
} as const;

export type EntryColumns = ColumnsOf<typeof ENTRY_COLUMNS>;

/** That a gateway heard an uplink, or sends a downlink. */
export const RECEPTION_COLUMNS = {
  /** Among the subscriber's own gateways of its chunk; `NOBODY`: it is a foreign one. */
  gateway: Uint16Array,
  /** Of the signal itself, 1/100 dBm, and 1/100 dB. */
  espCentiDbm: Int16Array,
  snrCentiDb: Int16Array,
  /** From the entry's instant to its arrival at the server, µs. */
  delayUs: Int32Array,
  /** 1: it came when the copies had been gathered. */
  late: Uint8Array,
} as const;

export type ReceptionColumns = ColumnsOf<typeof RECEPTION_COLUMNS>;

/** No device, of a group without an EUI; another subscriber's gateway. It stands in no index. */
export const NOBODY = 0xffff;

export const Flag = {
  adr: 1 << 0,
  adrAckReq: 1 << 1,
  ack: 1 << 2,
  fPending: 1 << 3,
  hasPort: 1 << 4,
  multicast: 1 << 5,
  /** It was planned for a gateway: its columns of the radio say something. */
  onAir: 1 << 6,
  /** Its payload was private when it came, and is not stored. */
  isPrivate: 1 << 7,
} as const;

/** Allocates columns of a given length. */
export function columnsFor<Table extends Record<string, new (length: number) => unknown>>(
  table: Table,
  places: number,
): ColumnsOf<Table> {
  const entries = Object.entries(table).map(([name, Make]) => [name, new Make(places)] as const);
  return Object.fromEntries(entries) as ColumnsOf<Table>;
}

// ── classes ──────────────────────────────────────────────────────────────────────────────────────

/** What an entry is to filters: all of it fits a byte. */
export interface EntryClass {
  readonly down: boolean;
  /** MAC commands, a payload of an application, both or neither. */
  readonly content: Content;
  readonly late: boolean;
  readonly activation: Activation;
  readonly ack: boolean;
  /** A new accepted application payload: `GET …/payloads` returns it. */
  readonly isPayload: boolean;
}

export const CONTENTS = ['NONE', 'MAC', 'DATA', 'MACDATA'] as const;
export type Content = (typeof CONTENTS)[number];
const ACTIVATIONS = ['', 'JOINREQUEST', 'JOINACCEPT'] as const;
export type Activation = (typeof ACTIVATIONS)[number];

const CONTENT_AT = 1;
const LATE = 1 << 3;
const ACTIVATION_AT = 4;
const ACK = 1 << 6;
const PAYLOAD = 1 << 7;

export const classOf = (is: EntryClass): number =>
  (is.down ? 1 : 0) |
  (CONTENTS.indexOf(is.content) << CONTENT_AT) |
  (is.late ? LATE : 0) |
  (ACTIVATIONS.indexOf(is.activation) << ACTIVATION_AT) |
  (is.ack ? ACK : 0) |
  (is.isPayload ? PAYLOAD : 0);

export const classAt = (byte: number): EntryClass => ({
  down: (byte & 1) !== 0,
  content: CONTENTS[(byte >> CONTENT_AT) & 3]!,
  late: (byte & LATE) !== 0,
  activation: ACTIVATIONS[(byte >> ACTIVATION_AT) & 3] ?? '',
  ack: (byte & ACK) !== 0,
  isPayload: (byte & PAYLOAD) !== 0,
});

/** A filter: 1 for each class that fits. */
export const classesWhere = (fits: (each: EntryClass) => boolean): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, byte) => (fits(classAt(byte)) ? 1 : 0));

// ── words of downlinks ───────────────────────────────────────────────────────────────────────────

/** The way of a downlink, as it is reported; in the order of `FrameDown`'s windows. */
export const WINDOWS = ['', 'RX1', 'RX2', 'RXC', 'PING', 'MULTICAST'] as const;

const WINDOW_NUMBERS: Readonly<Record<DownlinkWindow, number>> = {
  1: 1,
  2: 2,
  classC: 3,
  ping: 4,
  multicast: 5,
};
export const windowNumber = (window: DownlinkWindow): number => WINDOW_NUMBERS[window];

/** What became of a try: nothing was tried, it was sent, or why not. */
export const OUTCOMES = ['', 'sent', ...PLAN_REFUSALS, ...GATEWAY_REFUSALS] as const;
const OUTCOME_NUMBERS = new Map<string, number>(OUTCOMES.map((word, number) => [word, number]));
export const outcomeNumber = (word: 'sent' | DownlinkRefusal): number => OUTCOME_NUMBERS.get(word)!;
