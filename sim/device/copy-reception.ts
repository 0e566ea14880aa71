/** What a gateway's copy of a frame is at a device: its level, its losses, its part in a sum. */
import { preambleSymbols, symbolUs } from '../lorawan/airtime.ts';
import type { ReceivedSignal } from '../radio/interference.ts';
import type { AirCopy } from '../radio/multicast-air.ts';
import { leastLevel, milliwatts } from '../radio/power.ts';
import { LOCKING_SYMBOLS } from '../radio/signal-log.ts';
import type { DeviceRoom } from './device-room.ts';

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
