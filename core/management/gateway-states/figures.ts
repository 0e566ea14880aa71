/** Response fields of a gateway that has connected (docs/decisions/0057). */
import { HOUR_US, MILLISECOND_US } from '../../../sim/base/units.ts';
import type { NetworkFacts } from '../../../sim/contract/view.ts';
import type { RegionName } from '../../../sim/lorawan/region.ts';
import { formatInstant, NEVER_US } from '../../base/instant.ts';
import { connectionOf, healthWhere } from '../../simulator/gateway-states.ts';
import type { GatewaySnapshot } from '../gateways/gateway-snapshot.ts';
import type { ModelFacts } from '../gateways/models.ts';
import type { GatewayRegistration } from '../gateways/registrations.ts';
import type { PacketCounts } from './packets.ts';
import { type GatewayStatistics, type InterfaceState, ISM_BANDS, type IsmBand } from './rows.ts';

const HOUR_MS = HOUR_US / MILLISECOND_US;
/** Full hours of the window of a day. */
const DAY_HOURS = 24;

/** What a gateway's profile says of it. */
export type Model = Omit<ModelFacts, 'Manufacturer'>;

/** What is on record of it. */
export type OnRecord = Pick<
  GatewayRegistration,
  'rfRegion' | 'gpsEnabled' | 'latitude' | 'longitude' | 'heightMeters' | 'createdAtUs'
>;

/** Band of a regional plan: AS923 has four plans. */
export const bandOf = (region: RegionName): IsmBand =>
  ISM_BANDS.find((band) => region.startsWith(band)) as IsmBand;

/** Packets an hour, whole, in as much of the window as the gateway has been known for, µs. */
function anHour(packets: number, knownUs: number, nowMs: number): number {
  const observedUs = Math.min(DAY_HOURS * HOUR_US + (nowMs % HOUR_MS) * MILLISECOND_US, knownUs);
  return observedUs <= 0 ? 0 : Math.round((packets * HOUR_US) / observedUs);
}

/** Its ways into the network: the first that it has is the one in use. */
const interfacesOf = ({ Interfaces }: Model, backhaulUp: boolean) =>
  Interfaces.map(({ Name, Type }, i) => ({ Name, State: stateOf(i === 0, backhaulUp), Type }));

export function stateOf(isUsed: boolean, backhaulUp: boolean): InterfaceState {
  if (!isUsed) return 'UP_RUNNING';
  return backhaulUp ? 'UP_RUNNING_USED' : 'UP_NETWORKDOWN';
}

/** As coordinates are reported: to 1/10 000 000 of a degree, 1/100 of a metre. */
const DEGREE_PARTS = 10_000_000;
const METER_PARTS = 100;

/** Rounds to a fraction of one, and never to −0. */
const rounded = (value: number, parts: number): number => Math.round(value * parts) / parts + 0;

/** Where it is known to be, and how that is known. */
function positionOf({ gpsEnabled, latitude, longitude, heightMeters }: OnRecord) {
  const isKnown = gpsEnabled || latitude !== 0 || longitude !== 0;
  return {
    LocationType: gpsEnabled
      ? 'LOCATION_GPS'
      : isKnown
        ? 'LOCATION_ADMINISTRATIVELY'
        : 'LOCATION_UNKNOWN',
    LastGeoLatitude: rounded(latitude, DEGREE_PARTS),
    LastGeoLongitude: rounded(longitude, DEGREE_PARTS),
    LastGeoAltitude: rounded(heightMeters, METER_PARTS),
    LastGeoValid: isKnown,
  } as const;
}

/** Null: it never connected. */
export function statisticsOf(
  gateway: GatewaySnapshot,
  onRecord: OnRecord,
  model: Model,
  band: IsmBand,
  packets: PacketCounts,
  { nowUs, unixMs }: Pick<NetworkFacts, 'unixMs'> & { readonly nowUs: number },
): GatewayStatistics | null {
  const statusAtUs = gateway.lastStatusAtUs(nowUs);
  if (statusAtUs === null) return null;
  const { hardware, backhaulUp, radioUp } = gateway;
  const report = (atUs: number) => formatInstant(unixMs(atUs));
  const reportedOnce = (atUs: number) => (atUs === NEVER_US ? null : report(atUs));
  const connection = connectionOf(gateway, nowUs);
  const nowMs = unixMs(nowUs);
  const knownUs = nowUs - onRecord.createdAtUs;
  return {
    ConnectionState: connection,
    HealthState: healthWhere(connection, gateway),
    GpsSyncStatus: hardware.gps ? 'LOCKED' : 'LOCKING_OR_NO_SIGNAL',
    TimeSyncStatus: hardware.gps ? 'GPS' : 'NTP',
    LastReportingTime: report(statusAtUs),
    LastUplinkTime: reportedOnce(packets.lastUpUs),
    LastDownlinkTime: reportedOnce(packets.lastDownUs),
    RfRegionID: onRecord.rfRegion,
    IsRX2Activated: true,
    IsmBand: band,
    ...positionOf(onRecord),
    SoftwareVersion: model.SoftwareVersion,
    UplinkPacketPerHour: anHour(packets.up, knownUs, nowMs),
    DownlinkPacketPerHour: anHour(packets.down, knownUs, nowMs),
    LastSystemReboot: report(gateway.putUpAtUs),
    InterfaceStatistics: interfacesOf(model, backhaulUp),
    CPUPercent: model.CPUPercent,
    FreeMemKB: model.FreeMemKB,
    CellRSSI: model.CellRSSI,
    CellProvider: model.CellProvider,
    WiFiSSID: model.WiFiSSID,
    RadioError: radioUp ? '' : 'RF_ERROR',
    TxPower: (hardware.maxEirpCentiDbm - hardware.antennaGainCentiDb) / 100,
    VSWR: Math.round(model.VSWR),
    SecureBackhaulEnabled: model.SecureBackhaul,
    SecureBackhaulActive: model.SecureBackhaul && backhaulUp,
    Model: model.Model,
    LrrCNX: connection === 'CNX',
  };
}
