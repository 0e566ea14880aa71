/**
 * The receive windows of a class A uplink in true time (LoRaWAN 1.0.4 §3.3; lengths and offsets as
 * LoRaMac-node, LoRa Basics Modem, LMIC or RadioLib compute them: docs/standard.md, Receive
 * windows).
 */
import { assert } from '../base/assert.ts';
import { MILLISECOND_US } from '../base/units.ts';
import { FSK, FSK_BANDWIDTH_HZ, symbolUs } from '../lorawan/airtime.ts';
import {
  basicsModemWindow,
  lmicWindow,
  loraMacNodeWindow,
  type OpenWindow,
  type ReceiveWindow,
  radioLibWindow,
  stm32wlSymbols,
} from '../lorawan/receive-window.ts';
import type { Region } from '../lorawan/region.ts';
import type { WindowPlan } from '../plan/network-plan.ts';

/** Shortest window that finds a preamble. */
const MIN_SYMBOLS = 6;

/** LoRaMac-node as it comes. */
const USUAL_WINDOWS = { stack: 'LoRaMac-node', rxErrorMs: 10, wakeUpMs: 0 } as const;

/** From the nominal start of the downlink. */
export type WindowShape = OpenWindow;

/**
 * A window that its stack opens after a delay. Both stacks wake the radio so much earlier than it
 * is to listen; waking costs energy and moves nothing.
 */
export function windowShape(
  spreadingFactor: number,
  bandwidthHz: number,
  delayUs: number,
  plan: WindowPlan = USUAL_WINDOWS,
): WindowShape {
  const symbol = symbolUs(spreadingFactor, bandwidthHz);
  if (plan.stack === 'LMIC') {
    return lmicWindow({ spreadingFactor, symbolUs: symbol, rxDelayUs: delayUs, ...plan });
  }
  if (plan.stack === 'RadioLib') return radioLibWindow({ spreadingFactor, bandwidthHz, ...plan });
  if (plan.stack === 'LBM') {
    const rxDelayMs = delayUs / MILLISECOND_US;
    const window = basicsModemWindow({ ...plan, symbolUs: symbol, rxDelayMs });
    return shapeOf(window, window.symbols, plan.boardDelayMs, symbol);
  }
  const window = loraMacNodeWindow({ ...plan, symbolUs: symbol, minRxSymbols: MIN_SYMBOLS });
  const isCut = plan.chip === 'STM32WL' && spreadingFactor !== FSK;
  const symbols = isCut ? stm32wlSymbols(window.symbols) : window.symbols;
  return shapeOf(window, symbols, plan.wakeUpMs, symbol);
}

const shapeOf = (
  { offsetMs }: ReceiveWindow,
  symbols: number,
  wakeUpMs: number,
  symbol: number,
): WindowShape => ({
  offsetUs: (offsetMs + wakeUpMs) * MILLISECOND_US,
  lengthUs: symbols * symbol,
});

/** How long before it listens the radio of a type is woken, µs. */
export const wakeUpUs = (plan: WindowPlan = USUAL_WINDOWS): number =>
  (plan.stack === 'LBM' ? plan.boardDelayMs : plan.wakeUpMs) * MILLISECOND_US;

/** The windows of a region's data rates, for each type of device; stored once they are computed. */
export class WindowShapes {
  readonly #region: Region;
  readonly #plans: readonly (WindowPlan | undefined)[];
  /** By type, then by data rate and, where it matters, delay. */
  readonly #known: readonly Map<number, WindowShape>[];

  constructor(region: Region, types: readonly { readonly windows?: WindowPlan }[]) {
    this.#region = region;
    this.#plans = types.map(({ windows }) => windows);
    this.#known = types.map(() => new Map());
  }

  /** For a data rate of the region that is LoRa or FSK. */
  of(type: number, dataRate: number, delayUs: number): WindowShape {
    const known = this.#known[type]!;
    const { stack } = this.#plans[type] ?? USUAL_WINDOWS;
    const isByDelay = stack === 'LBM' || stack === 'LMIC';
    const at = (isByDelay ? delayUs * 16 : 0) + dataRate;
    let shape = known.get(at);
    if (shape === undefined) {
      const rate = this.#region.dataRates[dataRate];
      assert(rate !== undefined, 'a receive window has a data rate of the region');
      assert(rate.modulation !== 'lrFhss', 'a receive window is for LoRa or FSK');
      const isFsk = rate.modulation === 'fsk';
      const [sf, hz] = isFsk ? [FSK, FSK_BANDWIDTH_HZ] : [rate.spreadingFactor, rate.bandwidthHz];
      shape = windowShape(sf, hz, delayUs, this.#plans[type]);
      known.set(at, shape);
    }
    return shape;
  }
}
