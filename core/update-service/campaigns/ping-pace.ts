/** The pace of a class B multicast session: fragments in ping slots, clear of the beacons. */
import { MILLION } from '../../../sim/base/units.ts';
import {
  BEACON_GUARD_US,
  BEACON_PERIOD_S,
  BEACON_RESERVED_US,
  nextClearSlot,
  PING_SLOT_US,
  pingPeriodSlots,
} from '../../../sim/lorawan/class-b.ts';

/** 128 s are 2^7 s. */
export const BEACON_PERIOD_EXPONENT = 7;

const LEAST_SLOTS = 0;
const FEWEST_SLOTS = 7;

/** What a gateway's queue keeps free around a frame, and a little more, µs. */
const QUEUE_MARGIN_US = 40_000;

/** From one slot of a periodicity to the next, µs. */
const periodUs = (periodicity: number): number => pingPeriodSlots(periodicity) * PING_SLOT_US;

/** The rarest slots that are not farther apart than the fragments. */
export function choosePeriodicity(delayUs: number): number {
  let periodicity = LEAST_SLOTS;
  while (periodicity < FEWEST_SLOTS && periodUs(periodicity + 1) <= delayUs) periodicity++;
  return periodicity;
}

/** The shortest time not below `delayUs` that is a whole number of slots. */
export const inWholeSlots = (delayUs: number, periodicity: number): number =>
  Math.max(1, Math.ceil(delayUs / periodUs(periodicity))) * periodUs(periodicity);

/** Duration of a number of fragments: beacons take their share, and shift the slots. */
export function slotDurationUs(fragments: number, delayUs: number): number {
  const periodUs = BEACON_PERIOD_S * MILLION;
  const usedUs = periodUs - BEACON_GUARD_US - BEACON_RESERVED_US;
  const perBeacon = Math.max(1, Math.floor(usedUs / delayUs) - 1);
  return Math.max(fragments * delayUs, Math.ceil(fragments / perBeacon) * periodUs);
}

/** Ping slots of a group in the time of the world. */
export interface PingSlots {
  readonly mcAddr: number;
  readonly periodicity: number;
  /** GPS time of the world's start, µs, modulo 2^32 s. */
  readonly gpsStartUs: number;
}

/** The first slot from `fromUs` on in which a frame fits, µs of the world. */
export function slotFrom(slots: PingSlots, fromUs: number, airtimeUs: number): number {
  const { mcAddr, periodicity, gpsStartUs } = slots;
  const gpsUs = gpsStartUs + fromUs;
  return nextClearSlot(gpsUs, mcAddr, periodicity, airtimeUs, QUEUE_MARGIN_US).startUs - gpsStartUs;
}
