/** Rows of the air log: a frame of gateways, its copies, and what they met. */

/** One gateway's transmission. */
export interface AirCopy {
  readonly gateway: number;
  readonly startUs: number;
  readonly endUs: number;
  readonly eirpCentiDbm: number;
  readonly spreadingFactor: number;
  readonly frequencyHz: number;
  readonly bandwidthHz: number;
  /** Number of this transmission of its gateway. */
  readonly frame: number;
}

/** Copies of one frame that overlap in time at a receiver, and what they met. */
export interface Attempt {
  /** In the order of the gateways' rows. */
  readonly copies: readonly AirCopy[];
  /** Other frames, on this frequency or near it, that overlap one of the copies in time. */
  readonly others: readonly AirCopy[];
}

export interface AirRow extends Attempt {
  /** Group address; 0 for a frame that is no multicast. */
  readonly mcAddr: number;
  /** The PHYPayload as it was sent. */
  readonly bytes: Uint8Array;
  /** Start of the first copy and end of the last. */
  readonly startUs: number;
  readonly endUs: number;
}

/** Lower 16 bits of a frame's counter, as it carries them. */
export const lowerFCnt = ({ bytes }: AirRow): number => bytes[6]! | (bytes[7]! << 8);
