/**
 * The receive windows of a class A uplink in true time (LoRaWAN 1.0.4 §3.3; lengths and offsets as
 * LoRaMac-node computes them, protocol reference §5.2).
 */
import { MILLISECOND_US } from '../base/units.ts';
import { symbolUs } from '../lorawan/airtime.ts';
import { loraMacNodeWindow } from '../lorawan/receive-window.ts';
import type { Region } from '../lorawan/region.ts';

/** Shortest window that finds a preamble, and the timing error LoRaMac-node allows for. */
const MIN_SYMBOLS = 6;
const RX_ERROR_MS = 10;

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
  const window = loraMacNodeWindow({
    symbolUs: symbol,
    minRxSymbols: MIN_SYMBOLS,
    rxErrorMs: RX_ERROR_MS,
    wakeUpMs: 0,
  });
  return { offsetUs: window.offsetMs * MILLISECOND_US, lengthUs: window.symbols * symbol };
}
