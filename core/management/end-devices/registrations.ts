/**
 * What the platform has on record of devices. It derives from the plan until somebody changes it
 * (docs/decisions/0053): a device that nobody has changed costs nothing here.
 */

import type { DeviceColumns, DeviceView } from '../../../sim/contract/view.ts';
import { type Owned, Store } from '../../base/store.ts';
import type { OwnView } from '../../base/subscribers.ts';
import type { Preset } from '../device-profiles.ts';

/** A device's registration; a reference that is unset is ''. */
export interface Registration {
  readonly activationType: 'ABP' | 'OTAA';
  readonly serviceProfile: string;
  readonly deviceProfile: string;
  readonly decoderType: string;
  readonly outputProfile: string;
  readonly privateData: boolean;
  readonly createdAtUs: number;
  readonly updatedAtUs: number;
  /** Id of a user or an application. */
  readonly updatedBy: string;
}

/** What was said of a device; the rest derives. */
export interface Said {
  readonly ServiceProfile?: string;
  readonly DeviceProfile?: string;
  readonly DecoderType?: string;
  readonly OutputProfile?: string;
  readonly PrivateData?: boolean;
}

/** Who changed a device, and when. */
export interface Change {
  readonly updatedAtUs: number;
  readonly updatedBy: string;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

export type Stored = Said & Change & Owned & { readonly devEui: string };

/** Where what derives comes from. */
export interface Derived {
  readonly deviceProfile: {
    idOf(row: number, name: string): string;
    presetOf(owner: string, id: string): Preset;
    /** Whether a subscriber has any. */
    hasPresets(owner: string): boolean;
  };
  readonly serviceProfile: { readonly usual: string };
  /** What nobody has changed was made by the subscriber’s first user. */
  readonly account: { idOf(who: { readonly by: string; readonly as?: string }): string };
}

export class Registrations {
  readonly #stored = new Store<Stored, 'outputProfile'>('endDevices', ({ devEui }) => devEui, {
    outputProfile: ({ OutputProfile = '' }) => (OutputProfile === '' ? [] : [OutputProfile]),
  });
  readonly #derived: Derived;

  constructor(derived: Derived) {
    this.#derived = derived;
  }

  get saving() {
    return this.#stored.saving;
  }

  /** That of a device of this subscriber. */
  of(owner: string, { devEui, profile, createdAtUs }: DeviceView): Registration {
    const { type, name, activation } = profile;
    const derives = this.#derivedOf(owner, type, name);
    return registrationFrom(derives, this.#stored.get(owner, devEui), activation, createdAtUs);
  }

  /**
   * Those of very many of a subscriber's devices, a place for each: as they are now, whenever one
   * is looked at.
   */
  ofEach(owner: string, devices: DeviceColumns): (place: number) => Registration {
    const { devEui, type, typeName, activation, createdAtUs } = devices;
    const stored =
      this.#stored.count(owner) === 0 ? [] : devEui.map((each) => this.#stored.get(owner, each));
    const byType: Derives[] = [];
    for (let place = 0; place < type.length; place++) {
      byType[type[place]!] ??= this.#derivedOf(owner, type[place]!, typeName[place]!);
    }
    return (place) => {
      const derives = byType[type[place]!]!;
      return registrationFrom(derives, stored[place], activation[place]!, createdAtUs[place]!);
    };
  }

  #derivedOf(owner: string, type: number, name: string): Derives {
    const { deviceProfile, serviceProfile, account } = this.#derived;
    const ownType = deviceProfile.idOf(type, name);
    const preset = deviceProfile.presetOf(owner, ownType);
    return { ownType, preset, usual: serviceProfile.usual, firstUser: account.idOf({ by: owner }) };
  }

  /** Whether a device's data are private. It is asked with each uplink, and looks at no more. */
  isPrivate(owner: string, devEui: string, view: OwnView): boolean {
    const said = this.#stored.get(owner, devEui)?.PrivateData;
    if (said !== undefined || !this.#derived.deviceProfile.hasPresets(owner)) return said ?? false;
    const profile = view.device(devEui)?.profile;
    if (profile === undefined) return false;
    return this.#derivedOf(owner, profile.type, profile.name).preset.PrivateData ?? false;
  }

  /** A device's output profile; '': it has none. It is asked with each uplink, as `isPrivate`. */
  outputProfileOf(owner: string, devEui: string, view: OwnView): string {
    const said = this.#stored.get(owner, devEui)?.OutputProfile;
    if (said !== undefined || !this.#derived.deviceProfile.hasPresets(owner)) return said ?? '';
    const profile = view.device(devEui)?.profile;
    if (profile === undefined) return '';
    return this.#derivedOf(owner, profile.type, profile.name).preset.OutputProfile ?? '';
  }

  /** Devices of a subscriber that were given this output profile. */
  saidToHave(owner: string, outputProfile: string): readonly string[] {
    const stored = this.#stored.by('outputProfile', outputProfile);
    return stored.filter((each) => each.owner === owner).map(({ devEui }) => devEui);
  }

  /** What is said of a device takes the place of what was said before; the rest stays. */
  note(owner: string, devEui: string, said: Said, change: Change): void {
    const before = this.#stored.get(owner, devEui);
    const stored: Writable<Stored> = { owner, devEui, ...change };
    // Field by field: a spread of records of many shapes takes ten times as long.
    const references = ['ServiceProfile', 'DeviceProfile', 'DecoderType', 'OutputProfile'] as const;
    for (const field of references) {
      const value = said[field] ?? before?.[field];
      if (value !== undefined) stored[field] = value;
    }
    const isPrivate = said.PrivateData ?? before?.PrivateData;
    if (isPrivate !== undefined) stored.PrivateData = isPrivate;
    this.#stored.put(stored);
  }

  /** Whether a subscriber's device was set to refer to this: O(its devices that were changed). */
  refersTo(owner: string, field: 'DecoderType' | 'OutputProfile', id: string): boolean {
    return this.#stored.list(owner).some((each) => each[field] === id);
  }

  forget(owner: string, devEui: string): void {
    this.#stored.remove(owner, devEui);
  }
}

/** What derives for all devices of a type. */
interface Derives {
  /** Id of the profile that the type is. */
  readonly ownType: string;
  readonly preset: Preset;
  readonly usual: string;
  readonly firstUser: string;
}

function registrationFrom(
  { ownType, preset, usual, firstUser }: Derives,
  stored: Stored | undefined,
  activation: 'otaa' | 'abp',
  createdAtUs: number,
): Registration {
  const known: Said = stored === undefined ? preset : { ...preset, ...stored };
  return {
    activationType: activation === 'abp' ? 'ABP' : 'OTAA',
    serviceProfile: known.ServiceProfile ?? usual,
    deviceProfile: known.DeviceProfile ?? ownType,
    decoderType: known.DecoderType ?? '',
    outputProfile: known.OutputProfile ?? '',
    privateData: known.PrivateData ?? false,
    createdAtUs,
    updatedAtUs: stored?.updatedAtUs ?? createdAtUs,
    updatedBy: stored?.updatedBy ?? firstUser,
  };
}
