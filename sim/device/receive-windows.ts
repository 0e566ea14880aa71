/**
 * The receive windows of a class A uplink in true time (LoRaWAN 1.0.4 §3.3; lengths and offsets as
 * LoRaMac-node computes them, protocol reference §5.2).
 */
import { symbolUs } from '../lorawan/airtime.ts';
import type { Region } from '../lorawan/region.ts';

/** Shortest window that finds a preamble, and the timing error LoRaMac-node allows for. */
const MIN_SYMBOLS = 6;
const RX_ERROR_US = 10_000;

export interface WindowShape {
  /** From the nominal start of the downlink to the opening, µs; negative is earlier. */
  readonly offsetUs: number;
  readonly lengthUs: number;
}

/** Shape of the window for every LoRa data rate of a region; undefined for the others. */
export function windowShapes(region: Region): readonly (WindowShape | undefined)[] {
  return region.dataRates.map((rate) =>
    rate?.modulation === 'lora' ? windowShape(rate.spreadingFactor, rate.bandwidthHz) : undefined,
  );
}

export function windowShape(spreadingFactor: number, bandwidthHz: number): WindowShape {
  const symbol = symbolUs(spreadingFactor, bandwidthHz);
  const wanted = Math.ceil(((2 * MIN_SYMBOLS - 8) * symbol + 2 * RX_ERROR_US) / symbol);
  const symbols = Math.max(wanted, MIN_SYMBOLS);
  const offsetMs = Math.ceil((4 * symbol - (symbols * symbol) / 2) / 1000);
  return { offsetUs: offsetMs * 1000, lengthUs: symbols * symbol };
}
