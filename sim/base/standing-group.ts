/** Standing multicast groups, whose keys a device holds with its own (docs/decisions/0058). */

/** Groups that a device holds the keys of at most. */
export const MOST_STANDING_GROUPS = 16;
