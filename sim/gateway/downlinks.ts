/** Downlinks between server and air: one row each, from planning until sent or refused. */
import { assert } from '../base/assert.ts';
import { GATEWAY_REFUSALS, type GatewayRefusal } from '../base/counts.ts';
import { f64, i32, opaque, Pool, u8, u32 } from '../kernel/columns.ts';

const downlinkColumns = {
  /** Next row of the chain it stands in. */
  next: opaque(i32),
  gateway: i32,
  /** Number among its gateway's downlinks, from 0. */
  number: u32,
  /** Where its bytes stand in the network's byte slots. */
  frameSlot: opaque(i32),
  /** When it reaches the gateway, or its refusal the server. */
  arrivesAtUs: f64,
  startsAtUs: f64,
  airtimeUs: i32,
  frequencyHz: u32,
  dataRate: u8,
  eirpCentiDbm: i32,
  /** The server's row of the device it is meant for. */
  registration: opaque(i32),
  /** 1, 2, or 0 for class C and multicast. */
  window: u8,
  /** Why the gateway refused it (`Refusal`). */
  refusal: u8,
  /**
   * Why it was refused in RX1, once it is planned in RX2: reported, and nothing is decided by it.
   */
  firstRefusal: opaque(u8),
  /**
   * Start of the second window that may be tried when the first is refused; `NEVER_US` when there
   * is none.
   */
  rx2StartsAtUs: f64,
  /** Times that its gateway has put it off by 100 ms, as it keeps its duty cycle itself. */
  retries: opaque(u8),
  /** `DownlinkPurpose`. */
  purpose: u8,
  /** JoinNonce, FCntDown, the group's counter, or the beacon's number. */
  counter: u32,
  /** Group address of a multicast frame, else 0. */
  mcAddr: u32,
  /** Id of the application downlink that it carries, else 0. */
  downlinkId: f64,
  /** A multicast frame that is no fragment: devices may have to answer it. */
  asks: opaque(u8),
  /** Id of the transmission that an outside server requested, else 0. */
  transmissionId: opaque(f64),
  /** Of such a one: when it is to go out (`DepartureKind`). */
  departure: opaque(u8),
};

/** No such instant. */
export const NEVER_US = -1;

export type Downlinks = Pool<typeof downlinkColumns>;

export const newDownlinks = (): Downlinks => new Pool(downlinkColumns);

/** When a transmission of an outside server is to go out, by number. */
export const DepartureKind = { now: 0, counter: 1, gps: 2 } as const;

/** `ping` is unicast data in a ping slot; to the outside it is data too. */
export const DownlinkPurpose = { join: 0, data: 1, multicast: 2, ping: 3, beacon: 4 } as const;
export const DOWNLINK_PURPOSES = ['join', 'data', 'multicast', 'data', 'beacon'] as const;

/** Why a downlink was not sent; names as the gateway or the server reports them. */
export const Refusal = {
  none: 0,
  tooLate: 1,
  tooEarly: 2,
  collision: 3,
  queueFull: 4,
  backhaulLoss: 5,
  gatewayGone: 6,
  collisionBeacon: 7,
  dutyCycle: 8,
  channelBusy: 9,
  radioFault: 10,
  frequency: 11,
  gpsUnlocked: 12,
} as const satisfies Record<'none' | GatewayRefusal, number>;
export type Refusal = (typeof Refusal)[keyof typeof Refusal];
/** Names by number. */
export const REFUSAL_NAMES = ['none', ...GATEWAY_REFUSALS] as const;

/** Name of the reason for which a downlink was refused; it was refused, so there is one. */
export function refusalName(refusal: number): GatewayRefusal {
  assert(refusal > Refusal.none && refusal < REFUSAL_NAMES.length, 'a refusal has a reason');
  return GATEWAY_REFUSALS[refusal - 1]!;
}
