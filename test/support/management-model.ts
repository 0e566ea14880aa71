/**
 * A reference model of device and gateway management, written from its document alone: what three
 * subscribers have on record, and why a command of theirs is refused. Of the radio it knows what
 * the server reported of frames.
 */
import type { FailureClass } from '../../core/kit/failures.ts';
import type { Permission } from '../../core/rows/permissions.ts';
import type { UplinksHeard } from './management-uplinks.ts';

export const WHO = ['ann', 'bob', 'eve'] as const;
export type Who = (typeof WHO)[number];

interface Owned {
  readonly id: string;
  readonly owner: Who;
}

/** What a device refers to; what nobody said derives from its type. */
export interface Said {
  readonly ServiceProfile?: string;
  readonly DeviceProfile?: string;
  readonly DecoderType?: string;
  readonly OutputProfile?: string;
  readonly PrivateData?: boolean;
}

export interface ModelDevice extends Owned {
  name: string;
  readonly activation: 'ABP' | 'OTAA';
  /** Profile of the type that it was built as. */
  readonly type: string;
  said: Said;
  readonly createdAtMs: number;
  updatedAtMs: number;
  updatedBy: string;
  readonly uplinks: UplinksHeard;
}

export interface ModelGroup extends Owned {
  name: string;
  devices: readonly string[];
}

export interface ModelApplication extends Owned {
  name: string;
  readonly uuid: string;
  roles: readonly string[];
}

export interface ModelUser {
  readonly id: string;
  info: UserInfo;
  /** All that there were, the present one last. */
  passwords: readonly Password[];
}

/** A password with the salt of its verifier. */
export interface Password {
  readonly text: string;
  readonly salt: string;
}

export interface UserInfo {
  readonly Email: string;
  readonly FirstName: string;
  readonly LastName: string;
  readonly PhoneNumber: string;
}

/** Things that every one of a subscriber may refer to, by what they are. */
export interface References {
  readonly serviceProfiles: readonly string[];
  readonly decoderTypes: ReadonlyMap<string, string>;
  readonly outputProfiles: readonly string[];
  /** Device profiles with their versions of LoRaWAN. */
  readonly deviceProfiles: ReadonlyMap<string, '1.0' | '1.1'>;
  readonly roles: ReadonlyMap<string, readonly Permission[]>;
}

export class ManagementModel {
  readonly devices = new Map<string, ModelDevice>();
  readonly groups = new Map<string, ModelGroup>();
  readonly applications = new Map<string, ModelApplication>();
  readonly users = new Map<Who, ModelUser>();
  readonly references = new Map<Who, References>();
  /** What devices of a type refer to unless it is said otherwise, by owner and profile. */
  readonly presets = new Map<string, Said>();
  /** Gateways of each, who may have none. */
  readonly gateways = new Map<Who, readonly string[]>();

  of<Thing extends Owned>(things: ReadonlyMap<string, Thing>, who: Who): Thing[] {
    const own = [...things.values()].filter(({ owner }) => owner === who);
    return own.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** A device of a subscriber. */
  own(who: Who, devEui: string): ModelDevice | undefined {
    const device = this.devices.get(devEui);
    return device?.owner === who ? device : undefined;
  }

  removeDevice(devEui: string): void {
    this.devices.delete(devEui);
    for (const group of this.groups.values()) {
      group.devices = group.devices.filter((each) => each !== devEui);
    }
  }

  /** What a device refers to. */
  referencesOf({ owner, type, said }: ModelDevice): Required<Said> {
    const usual = {
      ServiceProfile: this.references.get(owner)!.serviceProfiles[0]!,
      DeviceProfile: type,
      DecoderType: '',
      OutputProfile: '',
      PrivateData: false,
    };
    return { ...usual, ...this.presets.get(`${owner}/${type}`), ...said };
  }

  groupsOf(devEui: string): ModelGroup[] {
    const device = this.devices.get(devEui)!;
    return this.of(this.groups, device.owner).filter(({ devices }) => devices.includes(devEui));
  }

  // ── why a command is refused: every reason that there is; none: it is carried out ──────────────

  whyNotNamed(who: Who, name: string, devEui: string): FailureClass[] {
    const others = this.of(this.devices, who).filter(({ id }) => id !== devEui);
    return others.some((each) => each.name === name) ? ['conflict'] : [];
  }

  /** A reference in a body that is to nothing. */
  whyNotReferring(who: Who, said: Said): FailureClass[] {
    const known = this.references.get(who)!;
    const { ServiceProfile, DeviceProfile, DecoderType = '', OutputProfile = '' } = said;
    const isWrong =
      (ServiceProfile !== undefined && !known.serviceProfiles.includes(ServiceProfile)) ||
      (DeviceProfile !== undefined && !known.deviceProfiles.has(DeviceProfile)) ||
      (DecoderType !== '' && !known.decoderTypes.has(DecoderType)) ||
      (OutputProfile !== '' && !known.outputProfiles.includes(OutputProfile));
    return isWrong ? ['malformed'] : [];
  }

  /** A device cannot be of another version of LoRaWAN. */
  whyNotProfile(device: ModelDevice, profile: string | undefined): FailureClass[] {
    const { deviceProfiles } = this.references.get(device.owner)!;
    const version = deviceProfiles.get(profile ?? device.type);
    if (version === undefined) return [];
    return version === deviceProfiles.get(device.type) ? [] : ['conflict'];
  }

  /** The key matrix of E47: whether exactly what an activation needs is given. */
  whyNotKeys(given: Readonly<Record<string, unknown>>, version: '1.0' | '1.1'): FailureClass[] {
    const has = (key: string) => given[key] !== undefined;
    const sessionKeys = ['NetworkSkey', 'ApplicationSKey'];
    const rootKeys = ['ApplicationEUI', 'ApplicationKey'];
    const isRight =
      given.ActivationType === 'ABP'
        ? ['DevAddr', ...sessionKeys].every(has) && ![...rootKeys, 'NetworkKey'].some(has)
        : rootKeys.every(has) &&
          !sessionKeys.some(has) &&
          has('NetworkKey') === (version === '1.1');
    return isRight ? [] : ['malformed'];
  }

  whyNotMembers(who: Who, devices: readonly string[] = []): FailureClass[] {
    const areOwn = devices.every((each) => this.own(who, each.toUpperCase()) !== undefined);
    return areOwn ? [] : ['malformed'];
  }

  /** Roles that there are not; or that permit what the caller lacks. */
  whyNotRoles(who: Who, roles: readonly string[], callers: readonly Permission[]): FailureClass[] {
    const known = this.references.get(who)!.roles;
    const reasons: FailureClass[] = [];
    if (roles.some((each) => !known.has(each))) reasons.push('malformed');
    const lacks = roles.flatMap((each) => known.get(each) ?? []);
    if (lacks.some((each) => !callers.includes(each))) reasons.push('forbidden');
    return reasons;
  }

  /** What somebody with these roles may do. */
  permissionsOf(who: Who, roles: readonly string[]): readonly Permission[] {
    return roles.flatMap((each) => this.references.get(who)!.roles.get(each) ?? []);
  }

  /** The rules of a new password: 12 characters, three of four classes, and none of before. */
  whyNotPassword(user: ModelUser, current: string, next: string): FailureClass[] {
    const classes = [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{Ll}\p{Lu}\p{Nd}]/u];
    const isRight =
      [...next].length >= 12 &&
      classes.filter((each) => each.test(next)).length >= 3 &&
      user.passwords.every(({ text }) => text !== next) &&
      user.passwords.at(-1)!.text === current;
    return isRight ? [] : ['malformed'];
  }
}
