/**
 * Everything that happens at a time. The number is the rank at equal times: ends before starts
 * before windows before backhaul before timers. The platform's kinds follow from `firstPlatform`.
 */
export const EventKind = {
  /** A device's transmission ends: decide at every gateway in reach. Target: device row. */
  uplinkEnds: 0,
  /**
   * A gateway's transmission ends: decide at every device that locked on it. Target: gateway row.
   */
  downlinkEnds: 1,
  /** The head of a gateway's transmit queue goes on air. Target: gateway row. */
  downlinkBegins: 2,
  /** A device that waits for an answer has closed its last receive window. Target: device row. */
  windowsClose: 3,
  /** The server has gathered the copies of an uplink. Target: device row of the transmitter. */
  uplinkCollected: 4,
  /** A downlink reaches a gateway over the backhaul. Target: gateway row. */
  downlinkArrives: 5,
  /** A gateway's refusal of a downlink reaches the server. Target: gateway row. */
  refusalArrives: 6,
  /** A device's own timer: traffic, a repetition, a join. Target: device row. */
  deviceTimer: 7,
  firstPlatform: 24,
} as const;
export type EventKind = (typeof EventKind)[keyof typeof EventKind];
