/** Statistics of gateways, as device and gateway management has them. */

import { ANY_NUMBER, type Fields, type Of } from '../../../sim/base/rows/fields.ts';
import { INSTANT, listOf, record, responseField, responseFieldOrNull } from '../../rows/answers.ts';
import { CONNECTIONS, HEALTHS } from '../../simulator/gateway-states.ts';

const source = 'device and gateway management, Gateway Statistics';

export const ISM_BANDS = [
  'EU868',
  'US915',
  'AS923',
  'AU915',
  'IN865',
  'KR920',
  'EU433',
  'CN470',
  'RU864',
  'CN779',
] as const;
export type IsmBand = (typeof ISM_BANDS)[number];

const INTERFACE_STATES = [
  'IF_UNKNOWN',
  'DOWN',
  'UP_LINKDOWN',
  'UP_NOSIGNAL',
  'UP_NOIP',
  'UP_NETWORKDOWN',
  'UP_RUNNING',
  'UP_RUNNING_USED',
] as const;
export type InterfaceState = (typeof INTERFACE_STATES)[number];

const text = (is: string) => responseField({ type: 'text', least: 0, is, source });
const flag = (is: string) => responseField({ type: 'flag', is, source });
const choice = <const Words extends readonly string[]>(words: Words, is: string) =>
  responseField({ type: 'choice', words, is, source });
const number = (least: number, most: number, is: string) =>
  responseField({ type: 'number', least, most, is, source });

const anHour = (is: string) =>
  responseField({ type: 'whole', least: 0, most: Number.MAX_SAFE_INTEGER, is, source });

const INTERFACE = record({
  Name: text('What its system calls it.'),
  State: choice(INTERFACE_STATES, 'Whether it works, and whether it is the one in use.'),
  Type: choice(['ethernet', 'wifi', 'cellular'], 'Interface type.'),
});

/** Response fields of a gateway that has connected; one that never has, has none. */
export const GATEWAY_STATISTICS = {
  ConnectionState: choice(
    CONNECTIONS,
    'CNX: its last status is at most 90 s old; DISC: it is older; NEVERCNX: none has come.',
  ),
  HealthState: choice(HEALTHS, 'How it is; an error says what has failed.'),
  GpsSyncStatus: choice(['LOCKING_OR_NO_SIGNAL', 'LOCKED'], 'Whether its GPS has a fix.'),
  TimeSyncStatus: choice(['LOCAL', 'NTP', 'GPS'], 'What sets its clock.'),
  LastReportingTime: responseField({ ...INSTANT, is: 'When its latest status came.', source }),
  LastUplinkTime: responseFieldOrNull({
    ...INSTANT,
    is: 'End of the latest uplink that it heard.',
    source,
  }),
  LastDownlinkTime: responseFieldOrNull({
    ...INSTANT,
    is: 'Beginning of the latest downlink that it sent.',
    source,
  }),
  LocationType: choice(
    ['LOCATION_UNKNOWN', 'LOCATION_ADMINISTRATIVELY', 'LOCATION_GPS'],
    'Whether its position is from its GPS, from its record, or not known.',
  ),
  RfRegionID: text('The RF region that its radio is set to, by id.'),
  IsRX2Activated: flag('Whether it may be used in RX2: always.'),
  IsmBand: choice(ISM_BANDS, 'The band of its RF region.'),
  LastGeoLatitude: number(-90, 90, 'Degrees north; 0 where its position is not known.'),
  LastGeoLongitude: number(-180, 180, 'Degrees east; 0 where its position is not known.'),
  LastGeoAltitude: number(-ANY_NUMBER, ANY_NUMBER, 'Height, m.'),
  SoftwareVersion: text('Of its packet forwarder, by its profile.'),
  UplinkPacketPerHour: anHour(
    'Uplinks an hour that it heard: mean of the past day, or since it came.',
  ),
  DownlinkPacketPerHour: anHour(
    'Downlinks an hour that it sent: mean of the past day, or since it came.',
  ),
  LastSystemReboot: responseField({ ...INSTANT, is: 'When it was put up, or moved last.', source }),
  InterfaceStatistics: responseField({
    ...listOf(INTERFACE),
    is: 'Its ways into the network, by its profile.',
    source,
  }),
  CPUPercent: number(0, 100, 'Load of its processor, by its profile, per cent.'),
  FreeMemKB: number(0, ANY_NUMBER, 'Memory that is free, by its profile, KiB.'),
  CellRSSI: number(-150, 0, 'Level of its mobile network, by its profile, dBm; 0 without.'),
  CellProvider: text('Provider of its mobile network, by its profile.'),
  WiFiSSID: text('WLAN that it is in, by its profile.'),
  RadioError: text('RF_ERROR while its radio has failed; else empty.'),
  TxPower: number(-100, 100, 'Most that it sends with, into its antenna, dBm.'),
  VSWR: responseField({
    type: 'whole',
    least: 1,
    most: ANY_NUMBER,
    is: 'Voltage standing wave ratio at its antenna, by its profile, rounded.',
    source,
  }),
  LastGeoValid: flag('Whether its position is known.'),
  SecureBackhaulEnabled: flag('Whether its backhaul is encrypted, by its profile.'),
  SecureBackhaulActive: flag('Whether it is so now: it is enabled, and the backhaul is up.'),
  Model: text('What it reports, by its profile.'),
  LrrCNX: flag('Whether it reaches the network server: its last status is at most 90 s old.'),
} as const satisfies Fields;

export type GatewayStatistics = Of<{
  readonly type: 'record';
  readonly fields: typeof GATEWAY_STATISTICS;
}>;
