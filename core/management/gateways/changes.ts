/**
 * How gateways come and change by management: what is wrong is said before anything is done, and
 * what is done the network cannot refuse.
 */
import { assert } from '../../../sim/base/assert.ts';
import { fail, ok } from '../../../sim/base/result.ts';
import type { GatewayHardware, Place } from '../../../sim/contract/things.ts';
import type { GatewayView, NetworkFacts } from '../../../sim/contract/view.ts';
import type { RegionName } from '../../../sim/lorawan/region.ts';
import { placeAt } from '../../base/geography.ts';
import type { Asking } from '../../base/subscribers.ts';
import type { Surroundings } from '../../kit/resource.ts';
import { FARTHEST_METERS, hardwareOf } from '../../simulator/fields.ts';
import { newGateway } from '../../simulator/gateways.ts';
import { responded } from '../response.ts';
import { degreesText } from './full-gateway.ts';
import type { GatewayProfile } from './gateway-profiles.ts';
import type { ModelHardware } from './models.ts';
import type {
  Changed,
  Derived,
  GatewayRegistration,
  Registrations,
  Said,
} from './registrations.ts';
import { type Change, type Creation, type Description, gainOf, type Replacement } from './rows.ts';

/** What changes use of their surroundings and of other resources. */
export interface ChangeNeeds extends Pick<Surroundings, 'outbox' | 'world'> {
  readonly account: Derived['account'];
  readonly gatewayProfile: { get(id: string, by: string): GatewayProfile | undefined };
  readonly rfRegion: { nameOf(id: string): RegionName | undefined };
}

/** Codes of what is wrong with what is given. */
export const REFUSED = [
  'baseStation.coordinates',
  'baseStation.cellular',
  'gatewayProfile.unknown',
] as const;

type GivenCoordinates = NonNullable<Replacement['Coordinates']>;

export class GatewayChanges {
  readonly #needs: ChangeNeeds;
  readonly #registrations: Registrations;

  constructor(needs: ChangeNeeds, registrations: Registrations) {
    this.#needs = needs;
    this.#registrations = registrations;
  }

  /** Registers a gateway of the caller, and puts it into service; answers how it will stand. */
  create(given: Creation, asking: Asking) {
    const { by, nowUs } = asking;
    const { outbox, world } = this.#needs;
    const { NodeId: eui, Name: name, MacAddress: macAddress, Coordinates } = given;
    if (lacksCoordinates(given)) return withoutCoordinates();
    const profile = this.#profileOf(given.GatewayProfile, by);
    if (!profile.ok) return profile;
    const place = this.#placeOf(Coordinates);
    if (!place.ok) return place;
    const cellular = cellularOf(given, false);
    if (!cellular.ok) return cellular;
    if (world.has('gateway', eui)) {
      const message = `A gateway with NodeId ${eui} is in the network already.`;
      return fail('gateway.exists', message);
    }
    const usual = newGateway({ eui, name, ...place.value });
    assert(usual.ok, 'a gateway with a whole place, or with none, is right');
    const gateway = { ...usual.value, ...profile.value.hardware, ...equipmentOf(given) };
    world.claim(by, 'gateway', eui);
    outbox.add({ kind: 'gateway.create', gateway }, nowUs);
    const said = { ...saidOf(given), ...cellular.value, macAddress };
    this.#registrations.came(by, eui, nowUs);
    this.#registrations.note(by, eui, said, this.#changedBy(asking));
    const { xMeters, yMeters, eui: _, name: __, ...hardware } = gateway;
    return ok({ eui, name, xMeters, yMeters, hardware });
  }

  /** What a gateway of the caller is replaced by; what is not given is as by default. */
  replace(gateway: GatewayView, given: Replacement, asking: Asking) {
    if (lacksCoordinates(given)) return withoutCoordinates();
    const { GPSEnabled = false, CellularEnabled = false, IMEI = '', ICCID = '' } = given;
    const whole = { ...given, GPSEnabled, CellularEnabled, IMEI, ICCID };
    return this.#change(gateway, whole, asking);
  }

  /** Changes what is given of a gateway of the caller, or nothing. */
  update(gateway: GatewayView, { RfRegion, ...given }: Change, asking: Asking) {
    if (RfRegion === undefined) return this.#change(gateway, given, asking);
    const region = this.#needs.rfRegion.nameOf(RfRegion);
    if (region === undefined) {
      return fail('rfRegion.unknown', `No RF region is ${RfRegion}.`, '/RfRegion');
    }
    return this.#change(gateway, given, asking, region);
  }

  /** Says what is on record of gateways of the caller, and changes nothing of the network. */
  describe(gateways: readonly GatewayView[], given: Description, asking: Asking) {
    const { GatewayProfile, MacAddress, HeightMeters } = given;
    if (GatewayProfile !== undefined) {
      const profile = this.#profileOf(GatewayProfile, asking.by);
      if (!profile.ok) return profile;
    }
    const said = {
      ...saidOf(given),
      ...(MacAddress === undefined ? {} : { macAddress: MacAddress }),
      ...(HeightMeters === undefined ? {} : { heightMeters: HeightMeters }),
    };
    const each: (readonly [string, Said])[] = [];
    for (const gateway of gateways) {
      const { cellularEnabled } = this.#registrations.of(gateway, asking.view);
      const cellular = cellularOf(given, cellularEnabled);
      if (!cellular.ok) return cellular;
      each.push([gateway.eui, { ...said, ...cellular.value }]);
    }
    for (const [eui, all] of each) this.#registrations.note(asking.by, eui, all);
    return responded();
  }

  /** Takes a gateway of the caller out of service; its record goes when the network has done so. */
  remove({ eui }: GatewayView, { nowUs }: Asking) {
    return responded(this.#needs.outbox.add({ kind: 'gateway.remove', eui }, nowUs));
  }

  #change(gateway: GatewayView, given: Change, asking: Asking, region?: RegionName) {
    const { eui, name } = gateway;
    const { by, nowUs, view } = asking;
    const before = this.#registrations.of(gateway, view);
    const { Name = name, GatewayProfile = before.gatewayProfile, Coordinates } = given;
    const profile = this.#profileOf(GatewayProfile, by);
    if (!profile.ok) return profile;
    const place = this.#placeOf(isWhereItIs(before, Coordinates) ? undefined : Coordinates);
    if (!place.ok) return place;
    const cellular = cellularOf(given, before.cellularEnabled);
    if (!cellular.ok) return cellular;
    const had = hardwareOf(gateway.hardware);
    const isOfOther = GatewayProfile !== before.gatewayProfile;
    const built = isOfOther ? createdOf(had, profile.value.hardware) : had;
    const hardware = setTo(region, { ...built, ...equipmentOf(given) }, view);
    const change = {
      ...(Name === name ? {} : { name: Name }),
      ...(place.value === undefined ? {} : { place: place.value }),
      ...(isOfOther || isOtherwiseEquipped(had, hardware) ? { hardware } : {}),
    };
    if (Object.keys(change).length > 0) {
      this.#needs.outbox.add({ kind: 'gateway.change', eui, ...change }, nowUs);
    }
    const said = { ...saidOf(given), ...cellular.value };
    return responded(this.#registrations.note(by, eui, said, this.#changedBy(asking)));
  }

  #profileOf(id: string, by: string) {
    const profile = this.#needs.gatewayProfile.get(id, by);
    if (profile !== undefined) return ok(profile);
    return fail('gatewayProfile.unknown', `No gateway profile is ${id}.`, '/GatewayProfile');
  }

  /** Where a gateway with these coordinates stands; undefined: they leave it to the world. */
  #placeOf(given: GivenCoordinates | undefined) {
    if (given === undefined || isUnknown(given)) return ok(undefined);
    const { origin } = this.#needs.world;
    const place: Place = placeAt({ latitude: Number(given.X), longitude: Number(given.Y) }, origin);
    const { xMeters, yMeters } = place;
    if (Math.abs(xMeters) <= FARTHEST_METERS && Math.abs(yMeters) <= FARTHEST_METERS) {
      return ok(place);
    }
    const [latitude, longitude] = [degreesText(origin.latitude), degreesText(origin.longitude)];
    const edge = FARTHEST_METERS / 1_000;
    const message =
      `X ${given.X}, Y ${given.Y} is beyond the world’s edge, ${edge} km east, west, north and ` +
      `south of ${latitude}, ${longitude}.`;
    return fail('baseStation.coordinates', message, '/Coordinates');
  }

  #changedBy(asking: Asking): Changed {
    return { updatedAtUs: asking.nowUs, updatedBy: this.#needs.account.idOf(asking) };
  }
}

const isUnknown = ({ X, Y }: GivenCoordinates): boolean => Number(X) === 0 && Number(Y) === 0;

const lacksCoordinates = ({ GPSEnabled, Coordinates }: Replacement): boolean =>
  Coordinates === undefined && GPSEnabled !== true;

const withoutCoordinates = () =>
  fail(
    'baseStation.coordinates',
    'Coordinates is missing; it is required unless GPSEnabled is true.',
    '/Coordinates',
  );

/** Whether coordinates equal its reported ones: then it does not move. */
const isWhereItIs = (
  { latitude, longitude }: GatewayRegistration,
  given: GivenCoordinates | undefined,
): boolean =>
  given !== undefined &&
  degreesText(Number(given.X)) === degreesText(latitude) &&
  degreesText(Number(given.Y)) === degreesText(longitude);

/** What hardware does not tell, as far as it is given. */
function saidOf({ GatewayProfile, LocationType, Coordinates }: Change): Said {
  return {
    ...(GatewayProfile === undefined ? {} : { gatewayProfile: GatewayProfile }),
    ...(LocationType === undefined ? {} : { locationType: LocationType }),
    ...(Coordinates === undefined
      ? {}
      : { unplaced: isUnknown(Coordinates), heightMeters: Number(Coordinates.Z ?? '0') + 0 }),
  };
}

/** What an owner gives to a gateway of any model. */
const equipmentOf = ({ AntennaGain, GPSEnabled }: Change): Partial<GatewayHardware> => ({
  ...(AntennaGain === undefined
    ? {}
    : { antennaGainCentiDb: Math.round(gainOf(AntennaGain) * 100) + 0 }),
  ...(GPSEnabled === undefined ? {} : { gps: GPSEnabled }),
});

/** What differs where the model is the same. */
const isOtherwiseEquipped = (before: GatewayHardware, now: GatewayHardware): boolean =>
  (['antennaGainCentiDb', 'gps', 'otherRegion'] as const).some(
    (each) => before[each] !== now[each],
  );

/** With its radio set to a region; as it was where none is given. */
function setTo(
  region: RegionName | undefined,
  hardware: GatewayHardware,
  { region: ofNetwork }: Pick<NetworkFacts, 'region'>,
): GatewayHardware {
  if (region === undefined) return hardware;
  const { otherRegion: _, ...others } = hardware;
  return region === ofNetwork ? others : { ...others, otherRegion: region };
}

/** A gateway that becomes one of another model keeps what is no matter of models. */
const createdOf = (
  { antennaGainCentiDb, gps, backhaul, dutyCycle, otherRegion }: GatewayHardware,
  hardware: ModelHardware,
): GatewayHardware => ({
  ...hardware,
  antennaGainCentiDb,
  gps,
  backhaul,
  dutyCycle,
  ...(otherRegion === undefined ? {} : { otherRegion }),
});

/**
 * The mobile network of a gateway that had one or not; without one there is neither modem nor SIM
 * card.
 */
function cellularOf({ CellularEnabled, IMEI, ICCID }: Change, had: boolean) {
  const cellularEnabled = CellularEnabled ?? had;
  if (!cellularEnabled) {
    const surplus = IMEI ? 'IMEI' : ICCID ? 'ICCID' : undefined;
    if (surplus !== undefined) {
      const message = `${surplus} is given, and CellularEnabled is not true.`;
      return fail('baseStation.cellular', message, `/${surplus}`);
    }
    return ok(CellularEnabled === undefined ? {} : { cellularEnabled, imei: '', iccid: '' });
  }
  return ok({
    ...(CellularEnabled === undefined ? {} : { cellularEnabled }),
    ...(IMEI === undefined ? {} : { imei: IMEI }),
    ...(ICCID === undefined ? {} : { iccid: ICCID }),
  });
}
