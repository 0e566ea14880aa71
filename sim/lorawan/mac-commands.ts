/**
 * MAC commands of both directions (LoRaWAN 1.0.4 §5, 1.1 §5): layouts as tables, and a walk without
 * allocation.
 */
import {
  bits,
  type CommandSet,
  frequency,
  message,
  type Payload,
  u8,
  u16,
  u32,
} from './message.ts';

/** Command identifiers; a request and its answer share one. */
export const Cid = {
  reset: 0x01,
  linkCheck: 0x02,
  linkAdr: 0x03,
  dutyCycle: 0x04,
  rxParamSetup: 0x05,
  devStatus: 0x06,
  newChannel: 0x07,
  rxTimingSetup: 0x08,
  txParamSetup: 0x09,
  dlChannel: 0x0a,
  rekey: 0x0b,
  adrParamSetup: 0x0c,
  deviceTime: 0x0d,
  forceRejoin: 0x0e,
  rejoinParamSetup: 0x0f,
  pingSlotInfo: 0x10,
  pingSlotChannel: 0x11,
  beaconTiming: 0x12,
  beaconFreq: 0x13,
  deviceMode: 0x20,
} as const;

/** Identifiers from here to 0xff are proprietary: the standard leaves them to networks (§5). */
export const FIRST_PROPRIETARY_CID = 0x80;

// ── from the network to the device ───────────────────────────────────────────────────────────────

export const ResetConf = message(Cid.reset, { version: bits(u8, { minor: [3, 0] }) });

export const LinkCheckAns = message(Cid.linkCheck, {
  /** dB above the demodulation floor, of the best gateway. */
  margin: u8,
  gwCnt: u8,
});

export const LinkADRReq = message(Cid.linkAdr, {
  dataRateTxPower: bits(u8, { dataRate: [7, 4], txPower: [3, 0] }), // 15 keeps what is
  chMask: u16,
  redundancy: bits(u8, { chMaskCntl: [6, 4], nbTrans: [3, 0] }),
});

export const DutyCycleReq = message(Cid.dutyCycle, {
  dutyCyclePL: bits(u8, { maxDutyCycle: [3, 0] }), // 1/2^n over all bands
});

export const RXParamSetupReq = message(Cid.rxParamSetup, {
  dlSettings: bits(u8, { rx1DrOffset: [6, 4], rx2DataRate: [3, 0] }),
  frequencyHz: frequency,
});

export const DevStatusReq = message(Cid.devStatus, {});

export const NewChannelReq = message(Cid.newChannel, {
  chIndex: u8,
  frequencyHz: frequency, // 0 removes the channel
  drRange: bits(u8, { maxDr: [7, 4], minDr: [3, 0] }),
});

export const RXTimingSetupReq = message(Cid.rxTimingSetup, {
  rxTimingSettings: bits(u8, { delay: [3, 0] }), // s; 0 means 1
});

export const TxParamSetupReq = message(Cid.txParamSetup, {
  eirpDwellTime: bits(u8, { downlinkDwellTime: 5, uplinkDwellTime: 4, maxEirp: [3, 0] }),
});

export const DlChannelReq = message(Cid.dlChannel, { chIndex: u8, frequencyHz: frequency });

export const RekeyConf = message(Cid.rekey, { version: bits(u8, { minor: [3, 0] }) });

export const ADRParamSetupReq = message(Cid.adrParamSetup, {
  adrParam: bits(u8, { limitExp: [7, 4], delayExp: [3, 0] }),
});

export const DeviceTimeAns = message(Cid.deviceTime, {
  /** GPS time of the end of the uplink, s. */
  seconds: u32,
  /** 1/256 s. */
  fraction: u8,
});

export const ForceRejoinReq = message(Cid.forceRejoin, {
  forceRejoin: bits(u16, {
    period: [13, 11],
    maxRetries: [10, 8],
    rejoinType: [6, 4],
    dataRate: [3, 0],
  }),
});

export const RejoinParamSetupReq = message(Cid.rejoinParamSetup, {
  rejoinParam: bits(u8, { maxTimeN: [7, 4], maxCountN: [3, 0] }),
});

export const PingSlotInfoAns = message(Cid.pingSlotInfo, {});

export const PingSlotChannelReq = message(Cid.pingSlotChannel, {
  frequencyHz: frequency, // 0 is the default
  dr: bits(u8, { dataRate: [3, 0] }),
});

/** Deprecated since LoRaWAN 1.1 and 1.0.3. */
export const BeaconTimingAns = message(Cid.beaconTiming, {
  /** Time to the next beacon in steps of 30 ms. */
  delay: u16,
  channel: u8,
});

export const BeaconFreqReq = message(Cid.beaconFreq, {
  frequencyHz: frequency, // 0 is the default
});

export const DeviceModeConf = message(Cid.deviceMode, { deviceClass: u8 });

// ── from the device to the network ───────────────────────────────────────────────────────────────

export const ResetInd = message(Cid.reset, { version: bits(u8, { minor: [3, 0] }) });

export const LinkCheckReq = message(Cid.linkCheck, {});

export const LinkADRAns = message(Cid.linkAdr, {
  status: bits(u8, { powerAck: 2, dataRateAck: 1, channelMaskAck: 0 }),
});

export const DutyCycleAns = message(Cid.dutyCycle, {});

export const RXParamSetupAns = message(Cid.rxParamSetup, {
  status: bits(u8, { rx1DrOffsetAck: 2, rx2DataRateAck: 1, channelAck: 0 }),
});

export const DevStatusAns = message(Cid.devStatus, {
  /** 0 external power, 1…254 from empty to full, 255 unknown. */
  battery: u8,
  radioStatus: bits(u8, { margin: [5, 0, 'signed'] }), // SNR of the last DevStatusReq, dB
});

export const NewChannelAns = message(Cid.newChannel, {
  status: bits(u8, { dataRateRangeOk: 1, channelFrequencyOk: 0 }),
});

export const RXTimingSetupAns = message(Cid.rxTimingSetup, {});

export const TxParamSetupAns = message(Cid.txParamSetup, {});

export const DlChannelAns = message(Cid.dlChannel, {
  status: bits(u8, { uplinkFrequencyExists: 1, channelFrequencyOk: 0 }),
});

export const RekeyInd = message(Cid.rekey, { version: bits(u8, { minor: [3, 0] }) });

export const ADRParamSetupAns = message(Cid.adrParamSetup, {});

export const DeviceTimeReq = message(Cid.deviceTime, {});

export const RejoinParamSetupAns = message(Cid.rejoinParamSetup, {
  status: bits(u8, { timeOk: 0 }),
});

export const PingSlotInfoReq = message(Cid.pingSlotInfo, {
  pingSlotParam: bits(u8, { periodicity: [2, 0] }),
});

export const PingSlotChannelAns = message(Cid.pingSlotChannel, {
  status: bits(u8, { dataRateOk: 1, channelFrequencyOk: 0 }),
});

/** Deprecated since LoRaWAN 1.1 and 1.0.3. */
export const BeaconTimingReq = message(Cid.beaconTiming, {});

export const BeaconFreqAns = message(Cid.beaconFreq, {
  status: bits(u8, { beaconFrequencyOk: 0 }),
});

export const DeviceModeInd = message(Cid.deviceMode, { deviceClass: u8 }); // 0 A, 2 C

export type LinkADRReq = Payload<(typeof LinkADRReq)['fields']>;
export type LinkADRAns = Payload<(typeof LinkADRAns)['fields']>;
export type RXParamSetupReq = Payload<(typeof RXParamSetupReq)['fields']>;
export type NewChannelReq = Payload<(typeof NewChannelReq)['fields']>;
export type DevStatusAns = Payload<(typeof DevStatusAns)['fields']>;

// ── the table ────────────────────────────────────────────────────────────────────────────────────

/** The two messages of one CID, by the standard's names; a direction without a message is `{}`. */
interface MacCommand {
  /** Who begins. What the network begins and the device answers is sent until it is answered. */
  readonly begins: 'network' | 'device';
  readonly down: CommandSet;
  readonly up: CommandSet;
  /**
   * Until when the device repeats its message in every uplink: until a class A downlink comes (a
   * *sticky* answer, 1.0.4 §5), or until the network confirms it (an indication, 1.1 §5).
   */
  readonly repeated?: 'untilDownlink' | 'untilConfirmed';
}

/**
 * All commands, a row each: a new one is an identifier, its messages and a row here, and a handler
 * on each side (`sim/device/mac-commands/`, `sim/network-server/mac-commands/`), which the compiler
 * asks for.
 */
const macCommands = {
  reset: {
    begins: 'device',
    up: { ResetInd },
    down: { ResetConf },
    repeated: 'untilConfirmed',
  },
  linkCheck: { begins: 'device', up: { LinkCheckReq }, down: { LinkCheckAns } },
  linkAdr: { begins: 'network', down: { LinkADRReq }, up: { LinkADRAns } },
  dutyCycle: { begins: 'network', down: { DutyCycleReq }, up: { DutyCycleAns } },
  rxParamSetup: {
    begins: 'network',
    down: { RXParamSetupReq },
    up: { RXParamSetupAns },
    repeated: 'untilDownlink',
  },
  devStatus: { begins: 'network', down: { DevStatusReq }, up: { DevStatusAns } },
  newChannel: { begins: 'network', down: { NewChannelReq }, up: { NewChannelAns } },
  rxTimingSetup: {
    begins: 'network',
    down: { RXTimingSetupReq },
    up: { RXTimingSetupAns },
    repeated: 'untilDownlink',
  },
  txParamSetup: {
    begins: 'network',
    down: { TxParamSetupReq },
    up: { TxParamSetupAns },
    repeated: 'untilDownlink',
  },
  dlChannel: {
    begins: 'network',
    down: { DlChannelReq },
    up: { DlChannelAns },
    repeated: 'untilDownlink',
  },
  rekey: {
    begins: 'device',
    up: { RekeyInd },
    down: { RekeyConf },
    repeated: 'untilConfirmed',
  },
  adrParamSetup: { begins: 'network', down: { ADRParamSetupReq }, up: { ADRParamSetupAns } },
  deviceTime: { begins: 'device', up: { DeviceTimeReq }, down: { DeviceTimeAns } },
  forceRejoin: { begins: 'network', down: { ForceRejoinReq }, up: {} },
  rejoinParamSetup: {
    begins: 'network',
    down: { RejoinParamSetupReq },
    up: { RejoinParamSetupAns },
  },
  pingSlotInfo: { begins: 'device', up: { PingSlotInfoReq }, down: { PingSlotInfoAns } },
  pingSlotChannel: {
    begins: 'network',
    down: { PingSlotChannelReq },
    up: { PingSlotChannelAns },
    repeated: 'untilDownlink',
  },
  beaconTiming: { begins: 'device', up: { BeaconTimingReq }, down: { BeaconTimingAns } },
  beaconFreq: { begins: 'network', down: { BeaconFreqReq }, up: { BeaconFreqAns } },
  deviceMode: {
    begins: 'device',
    up: { DeviceModeInd },
    down: { DeviceModeConf },
    repeated: 'untilConfirmed',
  },
} as const satisfies Readonly<Record<keyof typeof Cid, MacCommand>>;

type Rows = typeof macCommands;
type RowName = keyof Rows;
/** The messages of one direction in one record. */
type Together<D extends 'down' | 'up'> = {
  readonly [Name in MessageName<D>]: Extract<
    Rows[RowName][D],
    Readonly<Record<Name, unknown>>
  >[Name];
};
type MessageName<D extends 'down' | 'up'> = {
  [Row in RowName]: keyof Rows[Row][D];
}[RowName];

const rows = Object.entries<MacCommand>(macCommands);
const together = (of: (row: MacCommand) => CommandSet): CommandSet =>
  Object.fromEntries(rows.flatMap(([, row]) => Object.entries(of(row))));
const cidsWhere = (holds: (row: MacCommand) => boolean): ReadonlySet<number> =>
  new Set(rows.flatMap(([name, row]) => (holds(row) ? [Cid[name as RowName]] : [])));

/** What a downlink may carry. */
export const downlinkCommands = together(({ down }) => down) as Together<'down'>;
/** What an uplink may carry. */
export const uplinkCommands = together(({ up }) => up) as Together<'up'>;

/** CIDs of requests that a device answers. */
export const ANSWERED_REQUESTS = cidsWhere(
  ({ begins, up }) => begins === 'network' && Object.keys(up).length > 0,
);
/** CIDs of answers that a device repeats in every uplink until a class A downlink comes. */
export const STICKY_ANSWERS = cidsWhere(({ repeated }) => repeated === 'untilDownlink');
/** CIDs of what a device repeats in every uplink until the network confirms it. */
export const INDICATIONS = cidsWhere(({ repeated }) => repeated === 'untilConfirmed');

/** The handlers of all commands of one direction, by CID; undefined where there is no command. */
export function handlersByCid<S extends CommandSet, H>(
  commands: S,
  handlers: Readonly<Record<keyof S, H>>,
): readonly (H | undefined)[] {
  const byCid = new Array<H | undefined>(256).fill(undefined);
  for (const [name, { cid }] of Object.entries(commands)) byCid[cid] = handlers[name];
  return byCid;
}

// ── walking a run without allocation ─────────────────────────────────────────────────────────────

/** Bytes of each command, CID included, by CID; 0 for an unknown one. */
export const DOWNLINK_COMMAND_BYTES = commandBytes(downlinkCommands);
export const UPLINK_COMMAND_BYTES = commandBytes(uplinkCommands);

function commandBytes(set: CommandSet): Uint8Array {
  const lengths = new Uint8Array(256);
  for (const { cid, fields } of Object.values(set)) {
    lengths[cid] = 1;
    for (const [name, part] of Object.entries(fields)) lengths[cid] += part.lengthOf(name, {});
  }
  return lengths;
}

/** The end of a command that is unknown or cut short. */
const NO_COMMAND = -1;

/**
 * Where the command at `at` ends; `NO_COMMAND` when it is unknown or cut short: the walk stops
 * there. `lengths` is one of the tables above.
 */
export function endOfCommand(
  lengths: Uint8Array,
  bytes: Uint8Array,
  at: number,
  end: number,
): number {
  const length = lengths[bytes[at]];
  return length === 0 || at + length > end ? NO_COMMAND : at + length;
}

/** Whether bytes are commands to a device, one after the other, and nothing else. */
export function areWholeDownlinkCommands(bytes: Uint8Array): boolean {
  let at = 0;
  while (at >= 0 && at < bytes.length) {
    at = endOfCommand(DOWNLINK_COMMAND_BYTES, bytes, at, bytes.length);
  }
  return at > 0;
}

/** Writes LinkADRReq at `at`; returns the place behind it. */
export function writeLinkAdrReq(
  out: Uint8Array,
  at: number,
  dataRate: number,
  txPower: number,
  chMask: number,
  chMaskCntl: number,
  nbTrans: number,
): number {
  out[at] = Cid.linkAdr;
  out[at + 1] = (dataRate << 4) | txPower;
  out[at + 2] = chMask;
  out[at + 3] = chMask >>> 8;
  out[at + 4] = (chMaskCntl << 4) | nbTrans;
  return at + 5;
}
