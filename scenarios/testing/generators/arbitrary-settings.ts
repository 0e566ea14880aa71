/** Devices of generated worlds that are set over the air, and what they are sent (fast-check). */
import * as fc from 'fast-check';
import { SETTINGS_PROTOCOLS, type SettingsPlan } from '../../../sim/base/device-settings.ts';
import { MILLION, SECOND_US } from '../../../sim/base/units.ts';
import type { TrafficPlan } from '../../../sim/plan/network-plan.ts';
import { byProcess } from './arbitrary-traffic.ts';

/** Ports that nothing else in generated worlds has. */
const SETTINGS_FPORTS = [85, 86] as const;
const OWN_FPORT = 7;

const LEAST_PERIOD_S = 10;
const MOST_BYTES = 222;

/** How a type is set; half of them are not. */
export const settingsPlans: fc.Arbitrary<SettingsPlan | undefined> = fc.option(
  fc.record({
    fPort: fc.constantFrom(...SETTINGS_FPORTS),
    protocol: fc.constantFrom(...SETTINGS_PROTOCOLS),
  }),
  { nil: undefined, freq: 2 },
);

/** A type that is set so; its traffic becomes one that settings can say. */
export function withSettings<Type extends { readonly traffic: TrafficPlan }>(
  type: Type,
  settings: SettingsPlan | undefined,
): Type & { readonly settings?: SettingsPlan } {
  if (settings === undefined) return type;
  const { process, meanUs, payloadBytes, confirmedPpm } = type.traffic;
  const hasPeriod = process !== 'none' && process !== 'burst';
  const traffic: TrafficPlan = {
    ...(hasPeriod ? type.traffic : byProcess(type.traffic, 'periodic')),
    meanUs: Math.max(LEAST_PERIOD_S, Math.round(meanUs / SECOND_US)) * SECOND_US,
    payloadBytes: Math.min(payloadBytes, MOST_BYTES),
    fPort: OWN_FPORT,
    confirmedPpm: 2 * confirmedPpm > MILLION ? MILLION : 0,
  };
  return { ...type, traffic, settings };
}

/** A parameter as the air has it. */
const period = fc
  .constantFrom(LEAST_PERIOD_S, 11, 30, 60, 600, 0xff_ffff)
  .map((seconds) => `01${seconds.toString(16).padStart(6, '0')}`);
const byte = (tag: string, ...values: readonly number[]) =>
  fc.constantFrom(...values).map((value) => tag + value.toString(16).padStart(2, '0'));
const length = byte('02', 0, 1, 24, 51, MOST_BYTES);
const confirmed = byte('03', 0, 1);
const port = byte('04', OWN_FPORT, 99, 150, 223);

/** What devices are sent on that port: mostly what they take. */
export const settingsPayloads: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: fc.oneof(period, length, confirmed, port) },
  { weight: 3, arbitrary: fc.tuple(period, length, port).map((three) => three.join('')) },
  // Out of range, cut short, twice, unknown, another's port, and nothing.
  fc.constantFrom('01000009', '02df', '0302', '0400', '04e0', '0100', '02', '02010202', '0500'),
  fc.constantFrom('0455', '04c8', '', '020102', 'ff'),
);
