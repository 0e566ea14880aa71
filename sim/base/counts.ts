/**
 * What a network counts, by name: sums, what became of frames, what energy went into. Each name
 * stands here once. The network counts by it, results carry it, expectations and reports have words
 * for it; a name that is missing or superfluous there does not compile (docs/decisions/0036).
 */

/** Counts by name; what never occurred is absent. */
export type Counts<Name extends string> = Readonly<Partial<Record<Name, number>>>;

/** Entries in the order in which they were first counted. */
export function entriesOf<Name extends string>(counts: Counts<Name>): [Name, number][] {
  return Object.entries(counts) as [Name, number][];
}

/** Sum over all names. */
export function sumOf(counts: Counts<string>): number {
  return Object.values(counts).reduce<number>((sum, times = 0) => sum + times, 0);
}

/** The same counts in the order of their names. */
export function sortedByName<Name extends string>(counts: Counts<Name>): Counts<Name> {
  const sorted = entriesOf(counts).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted) as Counts<Name>;
}

/** Sums of several counts, in the order of their names; what never occurred is left out. */
export function addedUp<Name extends string>(all: readonly Counts<Name>[]): Counts<Name> {
  const sums = new Map<Name, number>();
  for (const [name, times] of all.flatMap((each) => entriesOf(each))) {
    if (times > 0) sums.set(name, (sums.get(name) ?? 0) + times);
  }
  return sortedByName(Object.fromEntries(sums) as Counts<Name>);
}

/** What became of the messages of lists (docs/decisions/0076); their sum is all of them. */
export interface ListedCounts {
  /** Frames that went on the air, received or not. */
  readonly sent: number;
  /** Those that never will: too long for the data rate, gone in a power cut, battery empty. */
  readonly lost: number;
  /** Those that are to come yet, or wait. */
  readonly left: number;
}

/** All that a network counts for its result. Stored by `sim/observation/tally.ts`. */
export interface NetworkCounts {
  readonly sums: Readonly<Record<Sum, number>>;
  /** By cause. */
  readonly counts: {
    /** Of whole transmissions that ended. */
    readonly uplinkFates: Counts<TransmissionFate>;
    /** Over all gateways: one fate per transmission and gateway in reach. */
    readonly receptions: Counts<ReceptionFate>;
    readonly downlinksRefused: Counts<DownlinkRefusal>;
    /** Refused by a gateway, and planned once more in RX2, or made again after a ping slot. */
    readonly downlinksRetried: Counts<GatewayRefusal>;
    readonly downlinksLost: Counts<DownlinkLoss>;
  };
  /** Fragments that devices in a session missed, by the address of their group. */
  readonly fragmentLosses: ReadonlyMap<number, Counts<FragmentLoss>>;
  /** Frames of standing groups by the group's address, and what became of them at its members. */
  readonly groupFrames: ReadonlyMap<number, GroupFrameCounts>;
  /** What became of beacons at devices that looked for them, by device type. */
  readonly beaconFates: ReadonlyMap<string, Counts<BeaconFate>>;
  /** Outages of gateways, in the order of their begins. */
  readonly outages: readonly Outage[];
  /** Length of a slice of the series; undefined: there are no series. */
  readonly sliceUs: number | undefined;
  /** Counts per slice of virtual time; a missing tail is zero. */
  readonly series: Readonly<Record<Series, readonly number[]>>;
  /** Uplinks lost by cause, by the row of their device's type. */
  readonly lossesByType: ReadonlyMap<number, Counts<UplinkLoss>>;
  /** Messages that are over, by what became of them and the row of their device's type. */
  readonly messagesByType: ReadonlyMap<number, Counts<TransmissionFate>>;
  /** Values per slice by key; a missing tail is zero. */
  readonly slices: {
    /** Data uplinks by `dataRateKey`. */
    readonly dataRates: ReadonlyMap<number, readonly number[]>;
    /** Lost uplinks by `lossKey`. */
    readonly losses: ReadonlyMap<number, readonly number[]>;
    /** Time on air of gateways by purpose (`AirPurpose`), µs. */
    readonly airUs: ReadonlyMap<string, readonly number[]>;
    /** The most air time of an hour that was used or planned, by gateway and band, µs. */
    readonly usedUs: ReadonlyMap<number, readonly number[]>;
  };
}

/** Key of a data rate, 0…15, at the devices of a type's row. */
export const dataRateKey = (typeRow: number, dataRate: number): number => typeRow * 16 + dataRate;

/** Key of a cause at the devices of a type's row. */
export const lossKey = (typeRow: number, cause: UplinkLoss): number =>
  typeRow * 16 + UPLINK_LOSSES.indexOf(cause);

/** Cause and row of a key. */
export const lossOf = (key: number): { readonly typeRow: number; readonly cause: UplinkLoss } => ({
  typeRow: key >> 4,
  cause: UPLINK_LOSSES[key & 15]!,
});

/** What a gateway sends for: a kind, with the id of the campaign or group where it has one. */
export type AirPurpose =
  | 'join'
  | 'acknowledgement'
  | 'mac'
  | 'application'
  | 'beacon'
  | `campaign ${string}`
  | `job ${string}`
  | `rollout ${string}`
  | `group ${number}`;

/** Sums with a place of their own in a result. */
const PLACED_SUMS = [
  /** Uplink transmissions that ended. */
  'uplinks',
  /** Unicast downlinks; copies of multicast frames are counted by themselves. */
  'downlinksRequested',
  'downlinksSent',
  'downlinksReceived',
  /** Copies of multicast frames that went on air. */
  'multicastSent',
  /** Beacons that went on air, over all gateways. */
  'beaconsSent',
] as const;

/**
 * Further sums, a row each. A figure of the same name and its value in a result (`counted`) derive
 * from the row: what counts it calls `Tally.add` with the name.
 */
export const COUNTED_SUMS = {
  adrChanges: {
    label: 'ADR changes',
    meaning: 'LinkADRReq that devices accepted: another data rate, power, NbTrans or channel mask.',
  },
} as const satisfies Readonly<Record<string, { readonly label: string; readonly meaning: string }>>;

export type CountedSum = keyof typeof COUNTED_SUMS;
export type Sum = (typeof PLACED_SUMS)[number] | CountedSum;

/** All sums at the start of a world. */
export const NO_SUMS = Object.fromEntries(
  [...PLACED_SUMS, ...Object.keys(COUNTED_SUMS)].map((name) => [name, 0]),
) as Readonly<Record<Sum, number>>;

/** Those of the further sums. */
export const countedSums = (sums: Readonly<Record<Sum, number>>) =>
  Object.fromEntries(
    Object.keys(COUNTED_SUMS).map((name) => [name, sums[name as CountedSum]]),
  ) as Readonly<Record<CountedSum, number>>;

/** A part of a gateway does not work for a while. */
export interface Outage {
  readonly gatewayEui: string;
  readonly part: 'backhaul' | 'radio';
  readonly fromUs: number;
  /** undefined: it still does not. */
  readonly untilUs?: number;
}

export type Series = 'uplinks' | 'received' | 'interfered' | 'downlinks' | 'joined';

// ── uplinks ──────────────────────────────────────────────────────────────────────────────────────

/** Fates of an uplink at one gateway in reach. */
export const UPLINK_FATES = [
  'received',
  /** Other transmissions on the air were too strong. */
  'interfered',
  /** The scenario's frame loss. */
  'frameLoss',
  /** The gateway was transmitting. */
  'halfDuplex',
  /** Every reception path of the gateway was taken. */
  'noPath',
  /** The gateway does not listen on the channel. */
  'offChannel',
  /** Below the sensitivity. */
  'tooWeak',
  /** Noticed, but not demodulated without error. */
  'noise',
  /** The gateway's radio had failed. */
  'radioFault',
  /** Noise beside the gateway had risen above it. */
  'jammed',
] as const;
export type UplinkFate = (typeof UPLINK_FATES)[number];
/** The same with what the server gets: `backhaulLoss`, received and lost on the way to it. */
export type ReceptionFate = UplinkFate | 'backhaulLoss';

/** Why a whole uplink transmission came to the server through no gateway. */
export const UPLINK_LOSSES = [
  'interfered',
  'frameLoss',
  'halfDuplex',
  'noPath',
  'offChannel',
  /** `offChannel`, on a channel that the device's ADR back-off has turned on. */
  'offChannelAfterBackOff',
  'tooWeak',
  'noise',
  'radioFault',
  /** The device's radio had failed: no gateway had a signal. */
  'deviceFault',
  'jammed',
  /** Gateways received it, and none could forward it: the backhaul was down, or lost it. */
  'backhaulLoss',
] as const;
export type UplinkLoss = (typeof UPLINK_LOSSES)[number];
export type TransmissionFate = 'received' | UplinkLoss;
/** All of them: a message has that of its last transmission, or `received` if one of them was. */
export const TRANSMISSION_FATES: readonly TransmissionFate[] = ['received', ...UPLINK_LOSSES];

// ── downlinks ────────────────────────────────────────────────────────────────────────────────────

/** Why the server plans no transmission of a unicast downlink. */
export const PLAN_REFUSALS = [
  /** No gateway that could send it has air time left. */
  'noBudget',
  'tooLateForWindows',
  /** The data rates of the windows do not carry it. */
  'tooLong',
] as const;
export type PlanRefusal = (typeof PLAN_REFUSALS)[number];

/** Why a gateway, or the way to it, refuses a downlink that the server planned. */
export const GATEWAY_REFUSALS = [
  'tooLate',
  'tooEarly',
  /** The gateway sends another frame at that time. */
  'collision',
  'queueFull',
  'backhaulLoss',
  'gatewayGone',
  'collisionBeacon',
  'dutyCycle',
  /** Listen before talk. */
  'channelBusy',
  /** The gateway's radio has failed. */
  'radioFault',
  /** An outside server named a frequency that the region does not send on. */
  'frequency',
  /** An outside server named GPS time at a gateway without GPS. */
  'gpsUnlocked',
] as const;
export type GatewayRefusal = (typeof GATEWAY_REFUSALS)[number];
export type DownlinkRefusal = PlanRefusal | GatewayRefusal;

/** Why a downlink that was sent did not reach its device. */
export const DOWNLINK_LOSSES = [
  /** No window of the device locked on its preamble. */
  'notHeard',
  /** Another session, or a counter that is not above the last. */
  'notForMe',
  'frameLoss',
  'noise',
  'interfered',
] as const;
export type DownlinkLoss = (typeof DOWNLINK_LOSSES)[number];
/** Fate of a downlink at a device whose window locked on it. */
export type DownlinkFate = 'received' | Exclude<DownlinkLoss, 'notHeard'>;
export const DOWNLINK_FATES: readonly (DownlinkLoss | 'received')[] = [
  'received',
  ...DOWNLINK_LOSSES,
];

// ── beacons and multicast ────────────────────────────────────────────────────────────────────────

/** Why a device missed a beacon that it looked for. */
export const BEACON_LOSSES = [
  /** No gateway in reach sent it where the device looks; one that none sent is missed, too. */
  'outOfReach',
  /** An own uplink, or a window after it. */
  'ownUplink',
  'tooWeak',
  'frameLoss',
  'noise',
  'interfered',
] as const;
export type BeaconLoss = (typeof BEACON_LOSSES)[number];
export type BeaconFate = 'heard' | BeaconLoss;

/** Why a device in a multicast session missed a fragment of its group. */
export const FRAGMENT_LOSSES = [
  'notListening',
  /** In class B: no beacon in the last 120 minutes, so it opened no ping slot. */
  'noBeacon',
  'ownUplink',
  'lockedOnOther',
  'tooWeak',
  'frameLoss',
  'noise',
  'interfered',
] as const;
export type FragmentLoss = (typeof FRAGMENT_LOSSES)[number];
/**
 * Fate of a group's frame at a device. `outOfReach`: no copy came from the gateway that serves the
 * device, or from another in reach; that is not counted as a loss.
 */
export type MulticastFate = 'heard' | 'outOfReach' | FragmentLoss;

/** Frames of a group, times its members; each has one fate at each member. */
export interface GroupFrameCounts {
  /** Frames on the air; copies that overlap are one. */
  readonly frames: number;
  /** What there was to hear: for each frame as many as there were members when it ended. */
  readonly toHear: number;
  /** Without those that are still to be decided. `outOfReach` is the rest. */
  readonly fates: Counts<Exclude<MulticastFate, 'outOfReach'>>;
}

// ── failures ─────────────────────────────────────────────────────────────────────────────────────

/**
 * How a device may fail in an update: a fragment cannot be written, there is no room for a block,
 * or it reboots in a session. Its image may have a wrong signature, or be for other hardware.
 */
export const DEVICE_FAILURES = [
  'flashWrite',
  'noMemory',
  'reboot',
  'badSignature',
  'wrongHardware',
] as const;
export type DeviceFailure = (typeof DEVICE_FAILURES)[number];

// ── energy ───────────────────────────────────────────────────────────────────────────────────────

/** What a device draws energy for. Sums over it are taken in this order. */
export const ENERGY_CAUSES = [
  'uplink',
  'join',
  'rx1InVain',
  'rx1Frame',
  'rx2InVain',
  'rx2Frame',
  'classC',
  'multicast',
  'beacon',
  'ping',
  'mcu',
  'flash',
  'sleep',
] as const;
export type EnergyCause = (typeof ENERGY_CAUSES)[number];
