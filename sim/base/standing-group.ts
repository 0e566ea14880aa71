/** Standing multicast groups, whose keys a device holds with its own (docs/decisions/0058). */

/** Groups that a device holds the keys of at most. */
export const MOST_STANDING_GROUPS = 16;

/** What server and members know of a group. */
export interface StandingGroup {
  /** Unsigned 32 bits, that of no other group. */
  readonly mcAddr: number;
  /** 16 bytes each. */
  readonly mcNwkSKey: Uint8Array;
  readonly mcAppSKey: Uint8Array;
  readonly frequencyHz: number;
  readonly dataRate: number;
  /** Of class B: 2^(7 − periodicity) ping slots in a beacon period. */
  readonly periodicity?: number;
}
