/** What logs use of the gateways on record (core/management/gateways/). */
import type { GatewayView } from '../../../sim/contract/view.ts';
import type { OwnView } from '../../base/subscribers.ts';
import type { KnownGateway } from './log-responses.ts';

export interface StationFacts {
  /** The subscriber's own gateway with this Id or NodeId. */
  known(idOrNodeId: string, view: OwnView): GatewayView | undefined;
  /** Degrees; both are 0 where the place is not known. */
  registrationOf(
    gateway: GatewayView,
    view: OwnView,
  ): { readonly latitude: number; readonly longitude: number };
  idOf(eui: string): string;
}

const EUI = /^[0-9A-Fa-f]{16}$/;

/**
 * EUI of the gateway that somebody names. One that is gone is found by its NodeId: its entries
 * stay. Null: it is nobody's.
 */
export function stationEui(idOrNodeId: string, stations: StationFacts, view: OwnView) {
  const known = stations.known(idOrNodeId, view);
  if (known !== undefined) return known.eui;
  return EUI.test(idOrNodeId) ? idOrNodeId.toUpperCase() : null;
}

/** Cached look-up of gateways for responses. A removed gateway has no location. */
export function reportedStations(
  stations: StationFacts,
  view: OwnView,
): (eui: string) => KnownGateway {
  const response = new Map<string, KnownGateway>();
  const reportOf = (eui: string): KnownGateway => {
    const id = stations.idOf(eui);
    const gateway = view.gateway(eui);
    if (gateway === undefined) return { id, latitude: '', longitude: '' };
    const { latitude, longitude } = stations.registrationOf(gateway, view);
    if (latitude === 0 && longitude === 0) return { id, latitude: '', longitude: '' };
    return { id, latitude: latitude.toFixed(6), longitude: longitude.toFixed(6) };
  };
  return (eui) => {
    const known = response.get(eui) ?? reportOf(eui);
    response.set(eui, known);
    return known;
  };
}
