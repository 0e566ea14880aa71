/**
 * Everything that happens at a time. The number is the rank at equal times: ends before starts
 * before windows before backhaul before timers. The platform's kinds come last.
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
  /** A device may now have enough fragments of a block. Target: device row. */
  completionCheck: 4,
  /** The server has gathered the copies of an uplink. Target: device row of the transmitter. */
  uplinkCollected: 5,
  /** What an uplink calls for is sent, after the requests of the platform. Target: as before. */
  answerDue: 6,
  /** A downlink reaches a gateway over the backhaul. Target: gateway row. */
  downlinkArrives: 7,
  /** A gateway's refusal of a downlink reaches the server. Target: gateway row. */
  refusalArrives: 8,
  /** A class C device's queue may be served. Target: the server's row of the device. */
  classCDue: 9,
  /**
   * A device's own timer: traffic, a repetition, a join, an answer, a session. Target: device row.
   */
  deviceTimer: 10,
  /** A class B device's queue may be served in a ping slot. Target: the server's row of it. */
  classBDue: 11,
  /** The platform looks at a list of its own. Target: timer number. */
  platformTimer: 24,
} as const;
export type EventKind = (typeof EventKind)[keyof typeof EventKind];

/** What happens in the network; a platform's timer is its own. */
export type NetworkEvent = Exclude<EventKind, typeof EventKind.platformTimer>;
