/**
 * Figures of physical faults, and the faults that each one describes: one beside a fault that has
 * no use for it would do nothing, so it is refused. Scenario files have the same figures under
 * names of their own.
 */
import type { GatewayFault } from '../../sim/base/gateway-fault.ts';
import { MILLION } from '../../sim/base/units.ts';

/** Of an attenuation, or of noise, that begins without a strength. */
export const USUAL_DB = 20;
export const MOST_DB = 200;

/** Of a backhaul that is slow without more, and at most, s. */
export const USUAL_DELAY_S = 1;
export const MOST_DELAY_S = 60;

/** Of frames that are lost without more. */
export const USUAL_SHARE = 0.5;

/** What may fail of a gateway or of a device. */
type FaultName = GatewayFault | 'delay' | 'attenuation' | 'noise' | 'power' | 'loss';

/** The faults of a gateway, or of a device, that a figure says something of. */
const FAULTS_WITH = {
  gateway: { decibels: ['attenuation', 'noise'], channel: ['noise'], delay: ['delay'] },
  device: { decibels: ['attenuation'], share: ['loss'] },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly FaultName[]>>>>;

type Thing = keyof typeof FAULTS_WITH;
export type FaultFigure = {
  [Of in Thing]: keyof (typeof FAULTS_WITH)[Of];
}[Thing];

/** In the order in which they are reported. */
export const FAULT_FIGURES: readonly FaultFigure[] = ['decibels', 'channel', 'delay', 'share'];

/** None where faults of such a thing do not have the figure at all. */
export const faultsWith = (thing: Thing, figure: FaultFigure): readonly string[] =>
  (FAULTS_WITH[thing] as Partial<Record<FaultFigure, readonly string[]>>)[figure] ?? [];

/** Most channels listed: networks of US915 have 72. */
const CHANNELS_LISTED = 16;

/** What there is instead of a channel that the network does not have: noise there does nothing. */
export interface NoChannel {
  /** All of them in MHz, or those that are nearest. */
  readonly allowed: string;
  /** The nearest one, MHz. */
  readonly nearest: number;
}

/** Undefined where the network's gateways listen on the frequency; there is a channel at least. */
export function noChannelAt(
  frequencyHz: number,
  channelsHz: readonly number[],
): NoChannel | undefined {
  if (channelsHz.includes(frequencyHz)) return undefined;
  const byDistance = [...channelsHz].sort(
    (a, b) => Math.abs(a - frequencyHz) - Math.abs(b - frequencyHz) || a - b,
  );
  const reports = byDistance.slice(0, CHANNELS_LISTED).sort((a, b) => a - b);
  const list = `${reports.map((hz) => hz / MILLION).join(', ')} MHz`;
  const isAll = reports.length === channelsHz.length;
  return {
    allowed: isAll ? list : `the nearest of ${channelsHz.length} are ${list}`,
    nearest: byDistance[0]! / MILLION,
  };
}
