/** A gateway with all response fields (v1). */

import type { NetworkFacts } from '../../../sim/contract/view.ts';
import { formatInstant } from '../../base/instant.ts';
import type { Asking } from '../../base/subscribers.ts';
import type { GatewayProfile } from './gateway-profiles.ts';
import type { GatewayRegistration, Registrations, Standing } from './registrations.ts';
import type { FullGateway } from './rows.ts';

const DEGREE_DECIMALS = 7;
const METER_DECIMALS = 2;

/** A number with limited decimals, without trailing zeros or negative zero. */
function decimalText(value: number, decimals: number): string {
  const text = value.toFixed(decimals).replace(/\.?0+$/, '');
  return text === '-0' ? '0' : text;
}

/** Degrees as management reports them: to 1/10 000 000, 1 cm on Earth. */
export const degreesText = (degrees: number): string => decimalText(degrees, DEGREE_DECIMALS);

const metersText = (meters: number): string => decimalText(meters, METER_DECIMALS);

/** Where models are found. */
export interface Profiles {
  get(id: string, by: string): GatewayProfile | undefined;
  readonly usual: GatewayProfile;
}

export class FullGateways {
  readonly #profiles: Profiles;
  readonly #registrations: Registrations;

  constructor(
    { gatewayProfile }: { readonly gatewayProfile: Profiles },
    registrations: Registrations,
  ) {
    this.#profiles = gatewayProfile;
    this.#registrations = registrations;
  }

  /** A gateway of the caller as it is now, or is about to be, whenever it is made. */
  at(
    gateway: Standing & { readonly name: string },
    statistics: () => FullGateway['Statistics'],
    { by, view }: Pick<Asking, 'by' | 'view'>,
  ): () => FullGateway {
    const registrationOf = this.#registrations.at(gateway, view);
    return () => {
      const registration = registrationOf();
      const profile = this.#profiles.get(registration.gatewayProfile, by) ?? this.#profiles.usual;
      return fullGateway(gateway, registration, profile, statistics(), view);
    };
  }
}

function fullGateway(
  { eui, name }: { readonly eui: string; readonly name: string },
  registration: GatewayRegistration,
  model: Pick<GatewayProfile, 'Manufacturer' | 'Model'>,
  statistics: FullGateway['Statistics'],
  { unixMs }: Pick<NetworkFacts, 'unixMs'>,
): FullGateway {
  const report = (atUs: number) => formatInstant(unixMs(atUs));
  return {
    Id: registration.id,
    GatewayProfile: registration.gatewayProfile,
    MacAddress: registration.macAddress,
    NodeId: eui,
    Name: name,
    AntennaGain: registration.antennaGain,
    LocationType: registration.locationType,
    GPSEnabled: registration.gpsEnabled,
    Coordinates: {
      X: degreesText(registration.latitude),
      Y: degreesText(registration.longitude),
      Z: metersText(registration.heightMeters),
    },
    CellularEnabled: registration.cellularEnabled,
    IMEI: registration.imei,
    ICCID: registration.iccid,
    CreatedAt: report(registration.createdAtUs),
    UpdatedAt: report(registration.updatedAtUs),
    UpdatedBy: registration.updatedBy,
    Manufacturer: '',
    Model: model.Model,
    RfRegion: registration.rfRegion,
    Statistics: statistics,
  };
}
