/** Statuses of gateways, as server and platform judge them. */
import { SECOND_US } from './units.ts';

/** Interval of statuses: the packet forwarder's usual setting. */
export const STATUS_EVERY_US = 30 * SECOND_US;

/** A status holds for this long: three intervals of statuses, the last microsecond included. */
export const FRESH_US = 90 * SECOND_US;
