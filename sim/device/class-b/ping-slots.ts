/**
 * The ping slots of a device (LoRaWAN 1.0.4 §9…§11): when one opens by its own clock, which the
 * latest beacon has set, and whether the radio is free for it.
 *
 * One radio, in this order: own uplinks and the windows after them, what is being received, slots
 * of multicast groups (McGroupID 0 first), the slots of the device's own address.
 */
import { assert } from '../../base/assert.ts';
import { MILLION, MILLISECOND_US } from '../../base/units.ts';
import { NONE } from '../../kernel/columns.ts';
import { BEACON_PERIOD_S, nextPingSlot, pingSlotFrequencyHz } from '../../lorawan/class-b.ts';
import { loraMacNodeWindow } from '../../lorawan/receive-window.ts';
import type { DownlinkSignal } from '../../radio/downlink-air.ts';
import { worldAfter } from '../clock.ts';
import type { DeviceSide } from '../device-side.ts';
import { Activation, NEVER, Radio } from '../device-table.ts';
import { McSessionState, NO_PING_SLOTS } from '../multicast-state.ts';
import { hasRecentBeacon } from './beacon-age.ts';
import { PingInfo } from './class-b-table.ts';

/** Timing error beside the clock's rate, ms: the beacon's own precision and rounding. */
const RX_ERROR_MS = 1;
const MIN_SYMBOLS = 6;
/** What a clock that wanders by temperature is trusted to keep, beside its own error, ppb. */
const WANDERING_PPB = 50_000;

export interface PingSlotWindow {
  readonly opensAtUs: number;
  readonly closesAtUs: number;
}

/**
 * The window of a slot that is due at `slotUs` (true world time). It is as long as the worst clock
 * of this type may have gone wrong since the last beacon. It opens as wrong as this clock has.
 */
export function pingSlotWindow(
  side: DeviceSide,
  device: number,
  slotUs: number,
  dataRate: number,
): PingSlotWindow {
  const { driftPpb, clock } = side.types[side.column.type[device]]!;
  const worstPpb = driftPpb + (clock === undefined ? 0 : WANDERING_PPB);
  const symbolUs = side.plan.symbolUs[dataRate]!;
  const lastUs = side.classB.lastBeaconUs(device);
  assert(lastUs !== NEVER, 'ping slots are timed by a beacon');
  const worstUs = ((slotUs - lastUs) * worstPpb) / 1e9;
  const { symbols, offsetMs } = loraMacNodeWindow({
    symbolUs,
    minRxSymbols: MIN_SYMBOLS,
    rxErrorMs: RX_ERROR_MS + Math.ceil(worstUs / MILLISECOND_US),
    wakeUpMs: 0,
  });
  const localUs = slotUs - lastUs + offsetMs * MILLISECOND_US;
  const opensAtUs = worldAfter(side, device, lastUs, localUs);
  return { opensAtUs, closesAtUs: opensAtUs + symbols * symbolUs };
}

/** Whether it is in class B: it has a session, ping slots that the server knows, a beacon. */
export const isClassB = (side: DeviceSide, device: number, atUs: number): boolean =>
  knowsPingSlots(side, device) && hasRecentBeacon(side, device, atUs);

/** All that class B takes but the beacon. */
export function knowsPingSlots(side: DeviceSide, device: number): boolean {
  const { activation, type } = side.column;
  return (
    side.types[type[device]]!.deviceClass === 'B' &&
    activation[device] === Activation.active &&
    side.classB.pingInfo(device) === PingInfo.known
  );
}

/**
 * A frame for the device begins in a ping slot: it locks on it, if its radio is there. The device
 * is settled.
 */
export function openPingSlot(
  side: DeviceSide,
  device: number,
  gateway: number,
  signal: DownlinkSignal,
  nowUs: number,
): void {
  const { devAddr, quietUntilUs, radio, openClassCSessions } = side.column;
  if (!isClassB(side, device, nowUs) || radio[device] === Radio.sending) return;
  if (quietUntilUs[device] > nowUs || openClassCSessions[device] > 0) return;
  const periodicity = side.classB.column.periodicity[device];
  if (!beginsPingSlot(side, devAddr[device], periodicity, nowUs)) return;
  if (hasGroupPingSlot(side, device, nowUs)) return;
  const { frequencyHz, dataRate } = pingChannel(side, device, nowUs);
  if (frequencyHz !== signal.frequencyHz || dataRate !== signal.dataRate) return;
  const window = pingSlotWindow(side, device, nowUs, dataRate);
  side.downlinkAir.listenInSlot(device, gateway, window, signal, nowUs);
}

/** Whether a ping slot of an address begins at this instant, µs of the world. */
export function beginsPingSlot(
  side: DeviceSide,
  address: number,
  periodicity: number,
  atUs: number,
): boolean {
  const gpsUs = side.gpsStartUs + atUs;
  return nextPingSlot(gpsUs - 1, address, periodicity).startUs === gpsUs;
}

/** Frequency and data rate of the device's own slots at an instant. */
function pingChannel(
  side: DeviceSide,
  device: number,
  atUs: number,
): { readonly frequencyHz: number; readonly dataRate: number } {
  const b = side.classB.column;
  if (b.pingHz[device] > 0) {
    return { frequencyHz: b.pingHz[device], dataRate: b.pingDataRate[device] };
  }
  const { pingSlot } = side.plan.region;
  const periodUs = BEACON_PERIOD_S * MILLION;
  const beaconTimeS = Math.floor((side.gpsStartUs + atUs) / periodUs) * BEACON_PERIOD_S;
  const devAddr = side.column.devAddr[device];
  return {
    frequencyHz: pingSlotFrequencyHz(pingSlot, devAddr, beaconTimeS),
    dataRate: pingSlot.dataRate,
  };
}

/** Whether a slot of an open class B session begins at this instant: groups go first. */
function hasGroupPingSlot(side: DeviceSide, device: number, atUs: number): boolean {
  const { standingGroups, mcGroups } = side.column;
  if (side.classB.openSessions(device) + standingGroups[device] === 0) return false;
  const g = side.multicast.mcGroups.column;
  for (let row = mcGroups[device]; row !== NONE; row = g.next[row]) {
    if (g.sessionState[row] !== McSessionState.open || g.periodicity[row] === NO_PING_SLOTS)
      continue;
    if (beginsPingSlot(side, g.mcAddr[row], g.periodicity[row], atUs)) return true;
  }
  return false;
}
