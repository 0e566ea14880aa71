/**
 * Whether a device listened in a group's ping slot, written from the rules alone and with another
 * AES: the session runs, the slot is the group's, a beacon was heard, nothing else has the radio.
 */
import { createCipheriv } from 'node:crypto';
import { gpsMsOfUnixMs } from '../../../sim/lorawan/gps-time.ts';
import type { NetworkPlan } from '../../../sim/plan/network-plan.ts';
import type { Copy, Life, Listening } from './story.ts';

const PERIOD_S = 128;
const BEACONLESS_US = 7_200_000_000;
/** A beacon begins so much after the instant that it carries. */
const BEACON_DELAY_US = 1_500;

/** The session runs, but no beacon was heard in the 120 minutes before the copy. */
export function lacksBeacon(life: Life, { slots }: Listening, { fromUs }: Copy): boolean {
  if (slots === undefined || fromUs < slots.fromUs || fromUs >= slots.untilUs) return false;
  return !hasBeacon(life, fromUs);
}

const hasBeacon = (life: Life, atUs: number): boolean =>
  life.beacons.some((beganAtUs) => {
    const silenceUs = atUs - (beganAtUs - BEACON_DELAY_US);
    return beganAtUs < atUs && silenceUs <= BEACONLESS_US;
  });

export function isInSlot(plan: NetworkPlan, life: Life, session: Listening, copy: Copy): boolean {
  const { slots, mcAddr } = session;
  if (slots === undefined || copy.fromUs < slots.fromUs || copy.fromUs >= slots.untilUs) {
    return false;
  }
  const isTaken = life.sessions.some(
    (other) =>
      other.slots === undefined && other.fromUs < copy.untilUs && copy.fromUs < other.endedAtUs,
  );
  const gpsUs = gpsMsOfUnixMs(plan.startUnixMs) * 1000 + copy.fromUs;
  return hasBeacon(life, copy.fromUs) && !isTaken && isSlotOf(gpsUs, mcAddr, slots.periodicity);
}

/** LoRaWAN 1.0.4 §11. */
function isSlotOf(gpsUs: number, address: number, periodicity: number): boolean {
  const beaconS = Math.floor(gpsUs / 1e6 / PERIOD_S) * PERIOD_S;
  const block = Buffer.alloc(16);
  block.writeUInt32LE(beaconS, 0);
  block.writeUInt32LE(address, 4);
  const cipher = createCipheriv('aes-128-ecb', Buffer.alloc(16), null).setAutoPadding(false);
  const random = cipher.update(block);
  const pingPeriod = 2 ** (5 + periodicity);
  const offset = random.readUInt16LE(0) % pingPeriod;
  const slot = (gpsUs - beaconS * 1e6 - 2_120_000) / 30_000;
  return Number.isInteger(slot) && slot >= 0 && slot < 4096 && slot % pingPeriod === offset;
}
