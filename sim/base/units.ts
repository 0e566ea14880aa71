/** Units of time: the world counts whole microseconds in a `number`, exact for 285 years. */

export const MILLISECOND_US = 1_000;
export const SECOND_US = 1_000_000;
export const MINUTE_US = 60 * SECOND_US;
export const HOUR_US = 60 * MINUTE_US;
export const DAY_US = 24 * HOUR_US;

/** Parts per million that make a whole. */
export const MILLION = 1_000_000;
