/**
 * Models of gateways: what stands behind a gateway profile. A model has the hardware that the radio
 * side simulates, and what nothing simulates but management reports: load, memory, mobile network
 * and the like. Those of this table every world has; the file of a scenario may add others.
 */
import type { GatewayHardware } from '../../../sim/contract/things.ts';

/** What a model's hardware is; antenna, GPS and backhaul are those of the gateway. */
export type ModelHardware = Pick<
  GatewayHardware,
  'receptionPaths' | 'paths' | 'txJitUs' | 'clockErrorUs' | 'refusesOverBudget' | 'maxEirpCentiDbm'
>;

type PathKind = NonNullable<GatewayHardware['paths']>[number];

/** Ways of a gateway into the network. */
export const INTERFACE_TYPES = ['ethernet', 'wifi', 'cellular'] as const;

/** Constant response fields of a gateway model. */
export interface ModelFacts {
  readonly Manufacturer: string;
  readonly Model: string;
  /** Of its packet forwarder. */
  readonly SoftwareVersion: string;
  /** Load of its processor, per cent. */
  readonly CPUPercent: number;
  /** Memory that is free, KiB. */
  readonly FreeMemKB: number;
  /** Of its mobile network; empty where it has none. */
  readonly CellProvider: string;
  /** Level of its mobile network, dBm; 0 where it has none. */
  readonly CellRSSI: number;
  /** Network that it is in; empty where it has no WLAN. */
  readonly WiFiSSID: string;
  /** The first is the one in use. */
  readonly Interfaces: readonly {
    readonly Name: string;
    readonly Type: (typeof INTERFACE_TYPES)[number];
  }[];
  /** Voltage standing wave ratio at its antenna. */
  readonly VSWR: number;
  /** Whether its way to the network server is encrypted. */
  readonly SecureBackhaul: boolean;
}

export interface GatewayModel extends ModelFacts {
  readonly Name: string;
  readonly Description: string;
  readonly hardware: ModelHardware;
}

const pathsOf = (
  count: number,
  [leastSpreadingFactor, mostSpreadingFactor]: readonly [number, number],
  [leastBandwidthHz, mostBandwidthHz]: readonly [number, number] = [125_000, 125_000],
): PathKind => ({
  count,
  leastSpreadingFactor,
  mostSpreadingFactor,
  leastBandwidthHz,
  mostBandwidthHz,
});

/** The single LoRa path that a region's channel of 250 or 500 kHz takes, and the FSK path. */
const WIDE = pathsOf(1, [7, 8], [250_000, 500_000]);
const FSK = pathsOf(1, [0, 0], [0, 1_000_000]);

/**
 * Reception paths and transmit lead of Semtech's concentrators (docs/standard.md,
 * Reception paths and Transmit queue of a packet forwarder).
 */
export const CONCENTRATORS = {
  SX1301: { txJitUs: 30_000, paths: [WIDE, FSK, pathsOf(8, [7, 12])] },
  SX1302: { txJitUs: 40_000, paths: [WIDE, FSK, pathsOf(8, [5, 10]), pathsOf(8, [5, 12])] },
} as const;

/** What a gateway has whose file or owner says nothing else, as the rows of hardware have it. */
const USUAL_HARDWARE: ModelHardware = { receptionPaths: 8, maxEirpCentiDbm: 2_915 };

const FACTS = {
  Manufacturer: 'Fleetwave',
  CellProvider: '',
  CellRSSI: 0,
  WiFiSSID: '',
  VSWR: 1.2,
  SecureBackhaul: true,
} as const;

/** In the order in which they are listed; the first is that of whatever nobody gives another. */
export const GATEWAY_MODELS: readonly GatewayModel[] = [
  {
    ...FACTS,
    Name: 'standard',
    Description: 'A gateway as the world’s plan has it: eight paths that take any frame.',
    Model: 'FW-STD',
    SoftwareVersion: '2.1.0',
    CPUPercent: 12,
    FreeMemKB: 262_144,
    Interfaces: [{ Name: 'eth0', Type: 'ethernet' }],
    hardware: USUAL_HARDWARE,
  },
  {
    ...FACTS,
    Name: 'indoor-SX1302',
    Description: 'For rooms: SX1302, 27 dBm, Ethernet and WLAN, its clock set by NTP.',
    Model: 'FW-IN-1302',
    SoftwareVersion: '2.1.0',
    CPUPercent: 18,
    FreeMemKB: 131_072,
    WiFiSSID: 'gateways',
    Interfaces: [
      { Name: 'eth0', Type: 'ethernet' },
      { Name: 'wlan0', Type: 'wifi' },
    ],
    SecureBackhaul: false,
    hardware: {
      ...USUAL_HARDWARE,
      ...CONCENTRATORS.SX1302,
      maxEirpCentiDbm: 2_700,
      clockErrorUs: 20_000,
    },
  },
  {
    ...FACTS,
    Name: 'outdoor-SX1301',
    Description: 'For masts: SX1301, Ethernet and a mobile network.',
    Model: 'FW-OUT-1301',
    SoftwareVersion: '1.8.3',
    CPUPercent: 31,
    FreeMemKB: 65_536,
    CellProvider: 'Simulated Mobile',
    CellRSSI: -73,
    VSWR: 1.4,
    Interfaces: [
      { Name: 'eth0', Type: 'ethernet' },
      { Name: 'wwan0', Type: 'cellular' },
    ],
    hardware: { ...USUAL_HARDWARE, ...CONCENTRATORS.SX1301 },
  },
  {
    ...FACTS,
    Name: 'outdoor-SX1302-station',
    Description: 'For masts: SX1302 with LoRa Basics Station, which keeps its duty cycle itself.',
    Model: 'FW-OUT-1302-BS',
    SoftwareVersion: '2.0.6',
    CPUPercent: 22,
    FreeMemKB: 196_608,
    CellProvider: 'Simulated Mobile',
    CellRSSI: -81,
    VSWR: 1.3,
    Interfaces: [
      { Name: 'eth0', Type: 'ethernet' },
      { Name: 'wwan0', Type: 'cellular' },
    ],
    hardware: { ...USUAL_HARDWARE, ...CONCENTRATORS.SX1302, refusesOverBudget: true },
  },
];
