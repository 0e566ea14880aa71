/** Time on air once more, written from the formula for the judgement of traces. */
import type { RadioSignal } from '../../../sim/observation/observer.ts';

type Frame = Pick<RadioSignal, 'spreadingFactor' | 'bandwidthHz' | 'phyBytes'>;

/** LoRa of coding rate 4/5 with header, or FSK, whole µs (docs/standard.md, Time on air). */
export function airtimeUs({ spreadingFactor, bandwidthHz, phyBytes }: Frame, crc: 0 | 1): number {
  // FSK: 5 bytes of preamble, 3 of sync word, 1 of length, 2 of CRC at 50 kbit/s.
  if (spreadingFactor === 0) return (5 + 3 + 1 + phyBytes + 2) * 160;
  const symbol = ((1 << spreadingFactor) * 1e6) / bandwidthHz;
  const slow = symbol >= 16_384 ? 2 : 0;
  const short = spreadingFactor < 7;
  const bits = 8 * phyBytes - 4 * spreadingFactor + (short ? 20 : 28) + 16 * crc;
  const payload = 8 + Math.ceil(Math.max(bits, 0) / (4 * (spreadingFactor - slow))) * 5;
  return Math.ceil((short ? 12 + 6.25 : 8 + 4.25) * symbol + payload * symbol);
}

/** A beacon: no header, no payload CRC, 10 symbols of preamble (docs/standard.md, Time on air). */
export function beaconAirtimeUs({ spreadingFactor, bandwidthHz, phyBytes }: Frame): number {
  const symbol = ((1 << spreadingFactor) * 1e6) / bandwidthHz;
  const slow = symbol >= 16_384 ? 2 : 0;
  const bits = 8 * phyBytes - 4 * spreadingFactor + 28 - 20;
  const payload = 8 + Math.ceil(Math.max(bits, 0) / (4 * (spreadingFactor - slow))) * 5;
  return Math.ceil((10 + 4.25 + payload) * symbol);
}
