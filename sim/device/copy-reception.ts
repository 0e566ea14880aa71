/**
 * What the copies of a frame are at a device that several gateways send: their levels, their sum,
 * what disturbs it, and what is lost (docs/decisions/0030).
 */
import { preambleSymbols, symbolUs } from '../lorawan/airtime.ts';
import type { AirCopy } from '../radio/air-row.ts';
import type { ReceivedSignal } from '../radio/interference.ts';
import { leastLevel, milliwatts } from '../radio/power.ts';
import { LOCKING_SYMBOLS } from '../radio/signal-log.ts';
import type { DeviceSide } from './device-side.ts';

/** What arrives must exceed the copies that disturb it by this (docs/decisions/0013). */
const IDENTICAL_COPY_CENTI_DB = 300;

/** Copies that begin within this share of a symbol add up; later ones disturb. */
const TOGETHER_SYMBOLS = 0.25;

/** The copy that comes in strongest; of equals the one that goes before. */
export function strongest(
  side: DeviceSide,
  device: number,
  copies: readonly AirCopy[],
): AirCopy | undefined {
  if (copies.length === 1) {
    const isInReach = !Number.isNaN(side.links.gainCentiDb(device, copies[0]!.gateway));
    return isInReach ? copies[0] : undefined;
  }
  let best: AirCopy | undefined;
  let bestLevel = Number.NEGATIVE_INFINITY;
  for (const copy of copies) {
    const level = levelOf(side, device, copy);
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

/**
 * Level of what arrives as one signal, 1/100 dBm: the strongest copy, and under `multipath` those
 * that add up with it.
 */
export function arrivingLevel(
  side: DeviceSide,
  device: number,
  copies: readonly AirCopy[],
  copy: AirCopy,
): number {
  if (copies.length === 1 || !side.interference.addsCopies) return levelOf(side, device, copy);
  const mostUs = togetherUs(copy);
  const together = copies.filter((other) => isTogether(copy, other, mostUs));
  return side.downlinkAir.levels.sumCentiDbm(device, together);
}

/** How far apart copies begin at most that add up, µs. */
const togetherUs = ({ spreadingFactor, bandwidthHz }: AirCopy): number =>
  TOGETHER_SYMBOLS * symbolUs(spreadingFactor, bandwidthHz);

/** Whether two copies begin so near to each other that a receiver takes them for echoes. */
const isTogether = ({ startUs }: AirCopy, other: AirCopy, mostUs: number): boolean =>
  Math.abs(other.startUs - startUs) <= mostUs;

/** Whether what arrives stands out from the energy of the copies that do not add up with it. */
export function exceedsCopies(
  side: DeviceSide,
  device: number,
  copies: readonly AirCopy[],
  copy: AirCopy,
  wanted: ReceivedSignal,
): boolean {
  const { interference } = side;
  const fromUs = interference.fromUs(wanted.startUs, wanted.lockUs);
  const mostUs = interference.addsCopies ? togetherUs(copy) : Number.NEGATIVE_INFINITY;
  let otherEnergy = 0;
  for (const other of copies) {
    if (other === copy || isTogether(copy, other, mostUs)) continue;
    const overlapUs = Math.min(wanted.endUs, other.endUs) - Math.max(fromUs, other.startUs);
    const level = levelOf(side, device, other);
    if (overlapUs <= 0 || Number.isNaN(level)) continue;
    otherEnergy += milliwatts(leastLevel(level)) * overlapUs;
  }
  const wantedEnergy = wanted.powerMw * (wanted.endUs - fromUs);
  return interference.exceeds(wantedEnergy, otherEnergy, IDENTICAL_COPY_CENTI_DB);
}

/** Level at the device of a gateway's signal, 1/100 dBm; NaN when out of reach. */
export function levelOf(side: DeviceSide, device: number, copy: AirCopy): number {
  const { gateway, eirpCentiDbm, frame } = copy;
  return side.downlinkAir.levels.centiDbm(device, gateway, eirpCentiDbm, frame);
}

/** Whether a copy that is strong enough is lost to noise all the same. */
export function isLostToNoise(
  side: DeviceSide,
  device: number,
  copy: AirCopy,
  level: number,
): boolean {
  const { gateway, frame, spreadingFactor, bandwidthHz, startUs, endUs } = copy;
  return side.downlinkAir.levels.isLostToNoise(
    device,
    gateway,
    frame,
    level,
    spreadingFactor,
    bandwidthHz,
    endUs - startUs,
  );
}

/** A copy as the rules of interference see it, alone or at the level of a sum. */
export function receivedBy(
  side: DeviceSide,
  device: number,
  copy: AirCopy,
  level = levelOf(side, device, copy),
  preamble = preambleSymbols(copy.spreadingFactor),
): ReceivedSignal {
  const { spreadingFactor, bandwidthHz, frequencyHz, startUs, endUs } = copy;
  const symbol = symbolUs(spreadingFactor, bandwidthHz);
  const lockUs = startUs + (preamble - LOCKING_SYMBOLS) * symbol;
  const powerMw = Number.isNaN(level) ? 0 : milliwatts(leastLevel(level));
  const when = { startUs, lockUs, endUs, symbolUs: symbol };
  return { spreadingFactor, bandwidthHz, frequencyHz, ...when, powerMw };
}
