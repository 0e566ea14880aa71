/**
 * What management has on record of gateways. It derives from the network and from the model until
 * somebody says otherwise (docs/decisions/0056): a gateway that nobody has changed costs nothing.
 */

import type { GatewayView, NetworkFacts } from '../../../sim/contract/view.ts';
import { type Coordinates, coordinatesOf } from '../../base/geography.ts';
import { type Owned, Store } from '../../base/store.ts';
import type { WholeWorld } from '../../base/whole-world.ts';
import type { GatewayIds } from './gateway-ids.ts';

/** Everything that is on record of a gateway; a text that nobody has given is ''. */
export interface GatewayRegistration {
  readonly id: string;
  /** Of a gateway profile. */
  readonly gatewayProfile: string;
  readonly macAddress: string;
  /** dB, in text. */
  readonly antennaGain: string;
  readonly locationType: 'INDOOR' | 'OUTDOOR';
  readonly gpsEnabled: boolean;
  /** Degrees; both are 0 where nobody knows. */
  readonly latitude: number;
  readonly longitude: number;
  readonly heightMeters: number;
  readonly cellularEnabled: boolean;
  readonly imei: string;
  readonly iccid: string;
  /** Of an RF region. */
  readonly rfRegion: string;
  readonly createdAtUs: number;
  readonly updatedAtUs: number;
  /** Id of a user or an application. */
  readonly updatedBy: string;
}

/** What was said of a gateway and is not what derives; the network keeps the rest. */
export interface Said {
  readonly gatewayProfile?: string;
  readonly macAddress?: string;
  readonly locationType?: 'INDOOR' | 'OUTDOOR';
  /** Nobody knows where it stands, if it has no GPS that reports. */
  readonly unplaced?: boolean;
  readonly heightMeters?: number;
  readonly cellularEnabled?: boolean;
  readonly imei?: string;
  readonly iccid?: string;
}

/** Who changed a gateway, and when. */
export interface Changed {
  readonly updatedAtUs: number;
  readonly updatedBy: string;
}

type Stored = Said &
  Partial<Changed> &
  Owned & {
    readonly eui: string;
    /** Absent: it was there from the start. */
    readonly createdAtUs?: number;
  };

/** Where what derives comes from. */
export interface Derived {
  readonly world: Pick<WholeWorld, 'origin' | 'ownerOf'>;
  readonly gatewayProfile: { readonly usual: { readonly Id: string } };
  readonly rfRegion: { idOf(name: NetworkFacts['region']): string };
  /** What nobody has changed was made by the subscriber’s first user. */
  readonly account: { idOf(who: { readonly by: string; readonly as?: string }): string };
}

/** What the network knows of a gateway, which may be about to come. */
export type Standing = Pick<GatewayView, 'eui' | 'xMeters' | 'yMeters' | 'hardware'>;

const UNKNOWN: Coordinates = { latitude: 0, longitude: 0 };

export class Registrations {
  readonly #stored = new Store<Stored>('baseStations', ({ eui }) => eui);
  readonly #derived: Derived;
  readonly #ids: GatewayIds;

  constructor(derived: Derived, ids: GatewayIds) {
    this.#derived = derived;
    this.#ids = ids;
  }

  get saving() {
    return this.#stored.saving;
  }

  /** That of a gateway, whosever it is. */
  of(gateway: Standing, facts: Pick<NetworkFacts, 'region'>): GatewayRegistration {
    return this.at(gateway, facts)();
  }

  /** The same as it is now, whenever it is made. */
  at(gateway: Standing, { region }: Pick<NetworkFacts, 'region'>): () => GatewayRegistration {
    const { eui } = gateway;
    const owner = this.#derived.world.ownerOf('gateway', eui);
    const stored = this.#stored.get(owner, eui);
    return () => this.#from(gateway, owner, stored, region);
  }

  #from(
    gateway: Standing,
    owner: string,
    stored: Stored | undefined,
    region: NetworkFacts['region'],
  ): GatewayRegistration {
    const { world, gatewayProfile, rfRegion, account } = this.#derived;
    const { eui, hardware } = gateway;
    const isUnknown = stored?.unplaced === true && !hardware.gps;
    const at = isUnknown ? UNKNOWN : coordinatesOf(gateway, world.origin);
    const createdAtUs = stored?.createdAtUs ?? 0;
    return {
      id: this.#ids.idOf(eui),
      gatewayProfile: stored?.gatewayProfile ?? gatewayProfile.usual.Id,
      macAddress: stored?.macAddress ?? macAddressOf(eui),
      antennaGain: String(hardware.antennaGainCentiDb / 100),
      locationType: stored?.locationType ?? 'OUTDOOR',
      gpsEnabled: hardware.gps,
      latitude: at.latitude,
      longitude: at.longitude,
      heightMeters: stored?.heightMeters ?? 0,
      cellularEnabled: stored?.cellularEnabled ?? false,
      imei: stored?.imei ?? '',
      iccid: stored?.iccid ?? '',
      rfRegion: rfRegion.idOf(hardware.otherRegion ?? region),
      createdAtUs,
      updatedAtUs: stored?.updatedAtUs ?? createdAtUs,
      updatedBy: stored?.updatedBy ?? account.idOf({ by: owner }),
    };
  }

  /** When the gateway with this EUI came, µs: 0, or later than the world's start. */
  createdAtUs(eui: string): number {
    const owner = this.#derived.world.ownerOf('gateway', eui);
    return this.#stored.get(owner, eui)?.createdAtUs ?? 0;
  }

  /** What is said of a gateway takes the place of what was said before; the rest stays. */
  note(owner: string, eui: string, said: Said, changed: Partial<Changed> = {}): void {
    this.#stored.put({ ...this.#stored.get(owner, eui), ...said, ...changed, owner, eui });
  }

  /** A gateway came while the world was running. */
  came(owner: string, eui: string, createdAtUs: number): void {
    this.#stored.put({ ...this.#stored.get(owner, eui), owner, eui, createdAtUs });
  }

  forget(owner: string, eui: string): void {
    this.#stored.remove(owner, eui);
  }
}

/** The lower six bytes of its EUI: no other MAC address is known. */
const macAddressOf = (eui: string): string =>
  [4, 6, 8, 10, 12, 14].map((at) => eui.slice(at, at + 2)).join(':');
