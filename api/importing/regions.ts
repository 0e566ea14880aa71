/**
 * Regions and frequency plans by the names of other systems (The Things Stack, ChirpStack, the
 * LoRaWAN device repository), and what a plan says of the network.
 */
import type { RegionName } from '../../sim/lorawan/region.ts';

/** Settings of the network that lists and profiles have, as a scenario file writes them. */
export interface NetworkSettings {
  readonly rx1Delay?: string;
  readonly rx1DrOffset?: number;
  readonly rx2DataRate?: string;
  readonly rx2Frequency?: string;
  readonly channels?: readonly (string | { readonly subBand: number })[];
}

export interface FoundRegion {
  readonly region: RegionName;
  readonly settings: NetworkSettings;
}

/** Eight channels of The Things Network in Europe (lorawan-frequency-plans, EU_863_870). */
const EIGHT_CHANNELS = [868.1, 868.3, 868.5, 867.1, 867.3, 867.5, 867.7, 867.9].map(
  (megahertz) => `${megahertz} MHz`,
);

/** By the beginning of a name without signs, the longest first. */
const NAMES: readonly (readonly [string, RegionName, NetworkSettings?])[] = [
  ['EU863870TTN', 'EU868', { channels: EIGHT_CHANNELS, rx2DataRate: 'DR3' }],
  ['EU863870', 'EU868'],
  ['EU868', 'EU868'],
  ['EU433', 'EU433'],
  ['US902928', 'US915'],
  ['US915', 'US915'],
  ['AU915928', 'AU915'],
  ['AU915', 'AU915'],
  ['AS9234', 'AS923-4'],
  ['AS9233', 'AS923-3'],
  ['AS9232', 'AS923-2'],
  ['AS920923', 'AS923-1'],
  ['AS923', 'AS923-1'],
  ['KR920', 'KR920'],
  ['IN865', 'IN865'],
  ['RU864', 'RU864'],
  ['CN470', 'CN470'],
];

/** `EU_863_870_TTN`, `EU863-870`, `US_902_928_FSB_2`, `eu868`, `us915_1`, `AS923-2`. */
export function regionNamed(name: string): FoundRegion | undefined {
  const plain = name.toUpperCase().replace(/[^A-Z0-9]/g, '');
  const row = NAMES.find(([start]) => plain.startsWith(start));
  if (row === undefined) return undefined;
  const [start, region, settings = {}] = row;
  const [, fsb] = /^FSB(\d+)/.exec(plain.slice(start.length)) ?? [];
  return {
    region,
    settings: fsb === undefined ? settings : { ...settings, channels: [{ subBand: Number(fsb) }] },
  };
}
