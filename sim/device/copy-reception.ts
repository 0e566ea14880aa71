/** What a gateway's copy of a frame is at a device: its level, its losses, its part in a sum. */
import { preambleSymbols, symbolUs } from '../lorawan/airtime.ts';
import type { ReceivedSignal } from '../radio/interference.ts';
import type { AirCopy } from '../radio/multicast-air.ts';
import { leastLevel, milliwatts } from '../radio/power.ts';
import { LOCKING_SYMBOLS } from '../radio/signal-log.ts';
import type { DeviceRoom } from './device-room.ts';

/** The strongest of several copies must exceed the others by this (protocol reference §1.3). */
export const IDENTICAL_COPY_CENTI_DB = 300;

/** The copy that comes in strongest; of equals the one that goes before. */
export function strongest(
  room: DeviceRoom,
  device: number,
  copies: readonly AirCopy[],
): AirCopy | undefined {
  let best: AirCopy | undefined;
  let bestLevel = Number.NEGATIVE_INFINITY;
  for (const copy of copies) {
    const level = levelOf(room, device, copy);
    if (level > bestLevel || (level === bestLevel && isBefore(copy, best!))) {
      best = copy;
      bestLevel = level;
    }
  }
  return best;
}

/** A total order: by start, then by the row of the gateway. */
const isBefore = (a: AirCopy, b: AirCopy): boolean =>
  a.startUs < b.startUs || (a.startUs === b.startUs && a.gateway < b.gateway);

/** Level at the device of a gateway's signal, 1/100 dBm; NaN when out of reach. */
export function levelOf(room: DeviceRoom, device: number, copy: AirCopy): number {
  const { gateway, eirpCentiDbm, frame } = copy;
  return room.downlinkAir.levelCentiDbm(device, gateway, eirpCentiDbm, frame);
}

/** Whether a copy that is strong enough is lost to noise all the same. */
export function isLostToNoise(
  room: DeviceRoom,
  device: number,
  copy: AirCopy,
  level: number,
): boolean {
  const { gateway, frame, spreadingFactor, bandwidthHz, startUs, endUs } = copy;
  return room.downlinkAir.isLostToNoise(
    device,
    gateway,
    frame,
    level,
    spreadingFactor,
    bandwidthHz,
    endUs - startUs,
  );
}

/** A copy as the rules of interference see it. */
export function receivedBy(
  room: DeviceRoom,
  device: number,
  copy: AirCopy,
  preamble = preambleSymbols(copy.spreadingFactor),
): ReceivedSignal {
  const { spreadingFactor, bandwidthHz, frequencyHz, startUs, endUs } = copy;
  const symbol = symbolUs(spreadingFactor, bandwidthHz);
  const lockUs = startUs + (preamble - LOCKING_SYMBOLS) * symbol;
  const level = levelOf(room, device, copy);
  const powerMw = Number.isNaN(level) ? 0 : milliwatts(leastLevel(level));
  const when = { startUs, lockUs, endUs, symbolUs: symbol };
  return { spreadingFactor, bandwidthHz, frequencyHz, ...when, powerMw };
}
