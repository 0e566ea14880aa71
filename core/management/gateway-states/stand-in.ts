/** What is on record of gateways, as long as nobody keeps records of them. */
import type { GatewayView, OwnView } from '../../network-view.ts';
import type { Model, OnRecord } from './figures.ts';

const MODEL: Model = {
  Model: '',
  SoftwareVersion: '',
  CPUPercent: 0,
  FreeMemKB: 0,
  CellProvider: '',
  CellRSSI: 0,
  WiFiSSID: '',
  Interfaces: [{ Name: 'eth0', Type: 'ethernet' }],
  VSWR: 1,
  SecureBackhaul: false,
};

export const STAND_IN = {
  baseStation: {
    known: (idOrNodeId: string, view: OwnView) => view.gateway(idOrNodeId.toUpperCase()),
    registrationOf: ({
      hardware,
    }: GatewayView): OnRecord & { readonly gatewayProfile: string } => ({
      gatewayProfile: '',
      rfRegion: '',
      gpsEnabled: hardware.gps,
      latitude: 0,
      longitude: 0,
      heightMeters: 0,
    }),
  },
  gatewayProfile: { get: () => MODEL },
  rfRegion: { nameOf: () => undefined },
};
