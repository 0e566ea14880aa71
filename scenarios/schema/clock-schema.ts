/** Knobs of a device's clock and of the receive windows that it opens. */
import * as z from 'zod';
import type { ClockPlan, WindowPlan } from '../../sim/plan/network-plan.ts';
import { choice, count, measure } from '../language/kinds.ts';
import { type Context, complain, knob, maybe, record } from '../language/knob.ts';

/**
 * What clocks run on: largest rate error at 25 °C (ppb), curvature by temperature (ppb per °C²) and
 * ageing (ppb a year). Source: docs/standard.md, Clocks.
 */
const CLOCK_SOURCES = {
  /** A tuning fork of 32 768 Hz: ±20 ppm, −0.034 ppm/°C²·(T − 25 °C)², ±3 ppm a year. */
  crystal32k: { driftPpb: 20_000, curvaturePpb: 34, ageingPpb: 3_000 },
  /** An RC oscillator of a microcontroller: 1 to 5 %, here the better end. */
  rc: { driftPpb: 10_000_000, curvaturePpb: 0, ageingPpb: 0 },
  /** A temperature-compensated crystal: ±1 to 2.5 ppm over its temperatures. */
  tcxo: { driftPpb: 2_000, curvaturePpb: 0, ageingPpb: 1_000 },
} as const;

/** Default rate error of clocks. */
const USUAL_DRIFT_PPB = 20_000;

const Temperature = record({
  mean: knob(measure('temperature', '-60 °C', '125 °C'), '25 °C', { is: 'Over the year.' }),
  daily: knob(measure('temperature', '0 °C', '60 °C'), '0 °C', {
    is: 'From the mean to the warmest hour of the day, 15:00 UTC.',
  }),
  seasonal: knob(measure('temperature', '0 °C', '60 °C'), '0 °C', {
    is: 'From the mean to the warmest day of the year, 20 July.',
  }),
});

export const Clock = record({
  source: knob(choice('crystal32k', 'rc', 'tcxo'), 'crystal32k', {
    is:
      'crystal32k: ±20 ppm, slower in heat and cold, ±3 ppm a year; rc: ±1 %; tcxo: ±2 ppm, ' +
      '±1 ppm a year.',
    source: 'usual data sheets; −0.034 ppm/°C²·(T − 25 °C)² for a tuning fork',
  }),
  temperature: knob(Temperature, {}, { is: 'What the clock feels, by the hour.' }),
  ageing: maybe(measure('rateError', '0 ppm', '100 ppm'), {
    is: 'Change of the rate a year, uniform in ± this; as the source has it when absent.',
  }),
});

type ClockEntry = z.output<typeof Clock>;

/** Largest constant error of a population's clocks, ppb, and how their rate wanders. */
export function clockPlans(
  drift: number | undefined,
  clock: ClockEntry | undefined,
): { readonly driftPpb: number; readonly clock?: ClockPlan } {
  if (clock === undefined) return { driftPpb: drift ?? USUAL_DRIFT_PPB };
  const source = CLOCK_SOURCES[clock.source];
  const { mean, daily, seasonal } = clock.temperature;
  return {
    driftPpb: drift ?? source.driftPpb,
    clock: {
      curvaturePpb: source.curvaturePpb,
      temperature: { meanCentiC: mean, dailyCentiC: daily, seasonalCentiC: seasonal },
      ageingPpb: clock.ageing ?? source.ageingPpb,
    },
  };
}

// ── receive windows ──────────────────────────────────────────────────────────────────────────────

/** What either stack allows for when nothing is said, ms and ppm. */
const USUAL_RX_ERROR_MS = 10;
const USUAL_CRYSTAL_PPM = 10;
/** What applications on LoRaMac-node set, those for STM32WL among them, ms. */
const STM32WL_RX_ERROR_MS = 20;

const USUAL_WINDOWS: Readonly<Record<WindowPlan['stack'], WindowPlan>> = {
  'LoRaMac-node': { stack: 'LoRaMac-node', rxErrorMs: USUAL_RX_ERROR_MS, wakeUpMs: 0 },
  LBM: { stack: 'LBM', crystalPpm: USUAL_CRYSTAL_PPM, boardDelayMs: 0 },
  LMIC: { stack: 'LMIC', clockPpm: 0, wakeUpMs: 0 },
  RadioLib: { stack: 'RadioLib', guardMs: USUAL_RX_ERROR_MS, wakeUpMs: 0 },
};

const stack = () => choice('LoRaMac-node', 'LBM', 'LMIC', 'RadioLib');

const windowKnobs = record({
  stack: knob(stack(), 'LoRaMac-node', {
    is: 'Whose formula: LBM is LoRa Basics Modem.',
  }),
  rxError: maybe(measure('duration', '0 s', '120 ms'), {
    is:
      'LoRaMac-node: timing error allowed for, either way, whole ms; when absent 10 ms, with a ' +
      'chip 20 ms. RadioLib: its scanGuard; when absent 10 ms.',
    source: 'LoRaMac-node, SystemMaxRxError and RegionCommonComputeRxWindowParameters',
  }),
  chip: maybe(choice('STM32WL'), {
    is: 'LoRaMac-node: as on a board with this chip, which waits for an even number of symbols.',
    source: 'measured; STM32WL radio driver, symbol timeout',
  }),
  crystalError: maybe(count(0, 10_000), {
    is:
      'LBM: the clock’s error allowed for, ppm; 10 when absent. LMIC: that of ' +
      'LMIC_setClockError, at most 4 000; 0 when absent.',
    source: 'LoRa Basics Modem, smtc_modem_hal; arduino-lmic, lmic.c',
  }),
  wakeUp: knob(measure('duration', '0 s', '100 ms'), '0 s', {
    is: 'Time that the radio needs to wake, whole ms; so much earlier it is switched on.',
  }),
}).transform(toWindows);

interface WindowInput {
  readonly stack: WindowPlan['stack'];
  readonly rxError?: number | undefined;
  readonly crystalError?: number | undefined;
  readonly chip?: 'STM32WL' | undefined;
  readonly wakeUp: number;
}

function toWindows(given: WindowInput, context: Context): WindowPlan {
  const { stack, rxError, crystalError, chip } = given;
  const wakeUpMs = Math.round(given.wakeUp / 1000);
  if (stack === 'LBM' && rxError === undefined && chip === undefined) {
    return { stack, crystalPpm: crystalError ?? USUAL_CRYSTAL_PPM, boardDelayMs: wakeUpMs };
  }
  if (stack === 'LoRaMac-node' && crystalError === undefined) {
    const usualMs = chip === undefined ? USUAL_RX_ERROR_MS : STM32WL_RX_ERROR_MS;
    const rxErrorMs = rxError === undefined ? usualMs : Math.round(rxError / 1000);
    return { stack, rxErrorMs, wakeUpMs, ...(chip && { chip }) };
  }
  if (stack === 'LMIC' && rxError === undefined && chip === undefined) {
    return { stack, clockPpm: crystalError ?? 0, wakeUpMs };
  }
  if (stack === 'RadioLib' && crystalError === undefined && chip === undefined) {
    const guardMs = rxError === undefined ? USUAL_RX_ERROR_MS : Math.round(rxError / 1000);
    return { stack, guardMs, wakeUpMs };
  }
  const allowed =
    'rxError and chip for LoRaMac-node, crystalError for LBM and LMIC, rxError for RadioLib';
  return complain(context, given, `does not describe windows of ${stack}`, allowed);
}

/** A stack by name, or a map. */
export const windows = z.union([
  stack().transform((word): WindowPlan => USUAL_WINDOWS[word]),
  windowKnobs,
]);
