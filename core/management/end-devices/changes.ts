/**
 * How devices come and change by management: what is wrong is said before anything is done, and
 * what is done the network cannot refuse.
 */
import { andThen, fail, ok, type Result } from '../../../sim/base/result.ts';
import { effective, type Given } from '../../../sim/base/rows/fields.ts';
import type { NetworkRequest } from '../../../sim/contract/requests.ts';
import type { DeviceView, NetworkView } from '../../../sim/contract/view.ts';
import type { Asking, OwnView } from '../../base/subscribers.ts';
import type { Surroundings } from '../../kit/resource.ts';
import { knownDevice } from '../../simulator/devices.ts';
import { placeNear } from '../../simulator/places.ts';
import type { DeviceProfile } from '../device-profiles.ts';
import { type Referred, unknownReference } from '../references.ts';
import { responded } from '../response.ts';
import { keysOf } from './key-rules.ts';
import { requestsFor } from './on-air.ts';
import type { Derived, Registrations, Said } from './registrations.ts';
import { type Creation, REFERENCES } from './rows.ts';

/** What changes use of their surroundings and of other resources. */
export interface ChangeNeeds extends Pick<Surroundings, 'outbox' | 'world'>, Referred {
  readonly account: Derived['account'];
  readonly multicastGroup: {
    /** Whether some group of the world has this EUI. */
    hasEui(eui: string): boolean;
  };
  readonly deviceProfile: { get(id: string, view: NetworkView): DeviceProfile | undefined };
  /** A device has an output profile now, or none any more. */
  readonly outputProfile: Referred['outputProfile'] & {
    follow(devEui: string, nowUs: number): void;
  };
}

/** What is given of a device's name and references. */
type Update = Partial<Given<typeof REFERENCES>>;

type Requests<Code extends string> = Result<readonly NetworkRequest[], Code>;

export class DeviceChanges {
  readonly #needs: ChangeNeeds;
  readonly #registrations: Registrations;

  constructor(needs: ChangeNeeds, registrations: Registrations) {
    this.#needs = needs;
    this.#registrations = registrations;
  }

  /** Registers a device of the caller, and puts it on the air. */
  create(given: Creation, asking: Asking) {
    const { by, nowUs, view } = asking;
    const { outbox, world } = this.#needs;
    const { DevEUI: devEui, Name: name } = given;
    const profile = this.#profileOf(given.DeviceProfile, view);
    if (!profile.ok) return profile;
    const keys = keysOf(given, profile.value);
    if (!keys.ok) return keys;
    const unknown = unknownReference(this.#needs, given, asking);
    if (unknown !== undefined) return fail(...unknown);
    if (world.has('device', devEui)) {
      const message = `A device with DevEUI ${devEui} is in the network already.`;
      return fail('device.exists', message);
    }
    if (this.#needs.multicastGroup.hasEui(devEui)) {
      return fail('device.exists', `The EUI ${devEui} is that of a multicast group.`);
    }
    if (isTaken(name, devEui, view)) return nameTaken(name);
    const { credentials } = keys.value;
    if (credentials.activation === 'abp' && view.isAddressTaken(credentials.devAddr)) {
      const message = `The address ${given.DevAddr} is that of another session.`;
      return fail('endDevice.address', message, '/DevAddr');
    }
    const place = placeNear(view, world.placeDraws(devEui));
    const { row: type } = profile.value;
    world.claim(by, 'device', devEui);
    const device = { devEui, name, type, ...place, ...keys.value };
    outbox.add({ kind: 'device.create', device }, nowUs);
    this.#note(devEui, referencesOf(given), asking);
    return ok({ Id: devEui });
  }

  /** Changes a device of the caller, or nothing. */
  change(devEui: string, update: Update, asking: Asking) {
    return andThen(knownDevice(asking.view, devEui), (device) => {
      const { Name, ...said } = update;
      const isRenamed = Name !== undefined && Name !== device.name;
      const unknown = unknownReference(this.#needs, said, asking);
      if (unknown !== undefined) return fail(...unknown);
      if (isRenamed && isTaken(Name, devEui, asking.view)) return nameTaken(Name);
      return andThen(this.#requestsOf(device, said, asking), (requests) => {
        this.#request(requests, asking);
        if (isRenamed) this.#request([{ kind: 'device.change', devEui, name: Name }], asking);
        return responded(this.#note(devEui, said, asking));
      });
    });
  }

  /** Gives a device of the caller another profile, if it can have it. */
  giveProfile(devEui: string, profile: DeviceProfile, asking: Asking) {
    return andThen(knownDevice(asking.view, devEui), (device) =>
      andThen(this.#becoming(device, profile, asking), (requests) => {
        this.#request(requests, asking);
        return responded(this.#note(devEui, { DeviceProfile: profile.Id }, asking));
      }),
    );
  }

  /** Takes a device of the caller off the air; its record goes when the network has done so. */
  remove(devEui: string, asking: Asking) {
    return andThen(knownDevice(asking.view, devEui), () =>
      responded(this.#request([{ kind: 'device.remove', devEui }], asking)),
    );
  }

  /** What the network is to do for a change of references. */
  #requestsOf(
    device: DeviceView,
    { DeviceProfile: id }: Update,
    asking: Asking,
  ): Requests<'endDevice.profile' | 'deviceProfile.unknown'> {
    // A device may be of a type that is nobody else's to choose.
    if (id === undefined || id === this.#registrations.of(asking.by, device).deviceProfile) {
      return ok([]);
    }
    return andThen(this.#profileOf(id, asking.view), (profile) =>
      this.#becoming(device, profile, asking),
    );
  }

  /** What the network is to do for a device that gets this profile, where it is another. */
  #becoming(
    device: DeviceView,
    profile: DeviceProfile,
    { by }: Asking,
  ): Requests<'endDevice.profile'> {
    const { deviceProfile } = this.#registrations.of(by, device);
    return deviceProfile === profile.Id ? ok([]) : requestsFor(device, profile);
  }

  #profileOf(id: string, view: OwnView) {
    const profile = this.#needs.deviceProfile.get(id, view);
    const message = `No device profile is ${id}.`;
    return profile === undefined
      ? fail('deviceProfile.unknown', message, '/DeviceProfile')
      : ok(profile);
  }

  #request(requests: readonly NetworkRequest[], { nowUs }: Asking): void {
    for (const request of requests) this.#needs.outbox.add(request, nowUs);
  }

  #note(devEui: string, said: Said, asking: Asking): void {
    const change = { updatedAtUs: asking.nowUs, updatedBy: this.#needs.account.idOf(asking) };
    const { by, nowUs, view } = asking;
    const had = this.#registrations.outputProfileOf(by, devEui, view) !== '';
    this.#registrations.note(by, devEui, said, change);
    const has = this.#registrations.outputProfileOf(by, devEui, view) !== '';
    if (has !== had) this.#needs.outputProfile.follow(devEui, nowUs);
  }
}

/** Whether another device of the subscriber has the name. */
const isTaken = (name: string, devEui: string, view: OwnView): boolean =>
  view.devicesNamed(name).some((each) => each.devEui !== devEui);

const nameTaken = (name: string) =>
  fail('endDevice.name', `Another device is called ${name}.`, '/Name');

/** What a new device refers to. */
function referencesOf(given: Creation): Said {
  const all = effective(REFERENCES, given);
  const { ServiceProfile, DeviceProfile, DecoderType, OutputProfile, PrivateData } = all;
  return { ServiceProfile, DeviceProfile, DecoderType, OutputProfile, PrivateData };
}
