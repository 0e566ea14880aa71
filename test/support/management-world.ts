/** A world of three subscribers with the reference model of what they manage. */
import { expect } from 'vitest';
import { formatInstant } from '../../core/base/instant.ts';
import type { FailureClass } from '../../core/kit/failures.ts';
import type { Answers, PlatformCommand } from '../../core/operations.ts';
import type { Permission } from '../../core/rows/permissions.ts';
import type { WorldOptions } from '../../core/world/options.ts';
import type { WorldPlan } from '../../core/world/plan.ts';
import type { News } from '../../sim/contract/news.ts';
import { Driving } from './driving.ts';
import {
  ManagementModel,
  type ModelDevice,
  type References,
  type Said,
  WHO,
  type Who,
} from './management-model.ts';
import { UplinksHeard } from './management-uplinks.ts';
import { eui, HOUR_US, networkOf } from './small-network.ts';
import { TO_WEB } from './targets.ts';

/** In the middle of an hour. */
export const START_MS = 1_767_227_100_000;
/** The password that every user begins with. */
export const FIRST_PASSWORD = 'Correct-Horse-1';

/** Rows of device types; their names are those of their profiles. */
export const TYPES = [
  { name: 'meter', deviceClass: 'A', activation: 'abp', frameLossPpm: 200_000 },
  { name: 'valve', deviceClass: 'C', activation: 'otaa' },
  { name: 'modern', deviceClass: 'A', activation: 'otaa', lorawan: '1.1', frameLossPpm: 50_000 },
] as const;

const DEVICES = [
  ['ann', 0],
  ['ann', 1],
  ['ann', 2],
  ['bob', 0],
  ['bob', 1],
  ['eve', 0],
] as const;
/** Eve has none: she hears through those of others alone. */
const GATEWAYS = ['ann', 'bob'] as const;

export const devEuiOf = (i: number) => eui('02', i + 1);
const gatewayOf = (i: number) => eui('06', i + 1);

export function managedPlan(): WorldPlan {
  const traffic = { meanUs: HOUR_US, jitterPpm: 100_000 };
  const network = networkOf({ devices: DEVICES.length, gatewaysAt: [100, 110], traffic });
  const [usual] = network.deviceTypes;
  return {
    name: 'managed',
    description: '',
    network: {
      ...network,
      startUnixMs: START_MS,
      deviceTypes: TYPES.map((type) => ({ ...usual!, ...type })),
      devices: network.devices.map((each, i) => ({ ...each, type: DEVICES[i]![1] })),
    },
    owners: {
      devices: DEVICES.map(([who], i) => [devEuiOf(i), who] as const),
      gateways: GATEWAYS.map((who, i) => [gatewayOf(i), who] as const),
    },
    timeline: [],
  };
}

/** Who does something, as which application, and two numbers that choose among what there is. */
export interface Chosen {
  readonly by: Who;
  /** A number that chooses an application that asks; below 5: the user does. */
  readonly as: number;
  readonly a: number;
  readonly b: number;
}

export class Managed extends Driving {
  readonly model = new ManagementModel();
  #counted = 0;

  constructor() {
    super(managedPlan());
    for (const who of WHO) this.#begin(who);
    DEVICES.forEach(([owner, row], i) => {
      const id = devEuiOf(i);
      const { name, activation } = TYPES[row]!;
      this.know(owner, id, `meter-${i + 1}`, activation, this.profile(name), {}, '');
    });
  }

  override get options(): WorldOptions {
    return { ...super.options, news: (news) => this.#hear(news) };
  }

  /** What a subscriber has from the start, as lists tell it. */
  #begin(who: Who): void {
    const { model } = this;
    for (const Name of ['north', 'south']) {
      this.give(who, { kind: 'outputProfile.create', outputProfile: { Name, ...TO_WEB } }, []);
    }
    const response = {
      ...this.got(who, { kind: 'serviceProfile.list' }),
      ...this.got(who, { kind: 'deviceProfile.list' }),
      ...this.got(who, { kind: 'decoderType.list' }),
      ...this.got(who, { kind: 'outputProfile.list' }),
      ...this.got(who, { kind: 'role.list' }),
      ...this.got(who, { kind: 'application.list' }),
    };
    const versions = response.DeviceProfiles.map(
      ({ Id, Name }) => [Id, Name === 'modern' ? '1.1' : '1.0'] as const,
    );
    const references: References = {
      serviceProfiles: response.ServiceProfiles.map(({ Id }) => Id),
      deviceProfiles: new Map(versions),
      decoderTypes: new Map(response.DecoderTypes.map((each) => [each.Id, each.PayloadDecoder])),
      outputProfiles: response.OutputProfiles.map(({ Id }) => Id),
      roles: new Map(response.Roles.map(({ Id, Permissions }) => [Id, permissionsIn(Permissions)])),
    };
    model.references.set(who, references);
    model.gateways.set(
      who,
      GATEWAYS.flatMap((owner, i) => (owner === who ? [gatewayOf(i)] : [])),
    );
    for (const { Id: id, Name: name, UUID: uuid, Roles: roles } of response.Applications) {
      model.applications.set(id, { id, owner: who, name, uuid, roles });
    }
    const { Id, Email, FirstName, LastName, PhoneNumber } = this.got(who, { kind: 'account.get' })
      .UserInfo!;
    model.users.set(who, {
      id: Id,
      info: { Email, FirstName, LastName, PhoneNumber },
      passwords: [{ text: FIRST_PASSWORD, salt: '' }],
    });
  }

  #hear(news: News): void {
    const { devices, gateways } = this.model;
    if (news.kind === 'deviceStatus') {
      devices.get(news.devEui)!.uplinks.battery = news.battery;
    }
    if (news.kind !== 'frameUp') return;
    const device = devices.get(news.frame.devEui)!;
    const { PrivateData } = this.model.referencesOf(device);
    device.uplinks.hear(news.frame, PrivateData, gateways.get(device.owner)!);
  }

  /** A device that came; `updatedBy` '' is the user. */
  know(
    owner: Who,
    id: string,
    name: string,
    activation: 'abp' | 'otaa',
    type: string,
    said: Said,
    updatedBy: string,
  ): void {
    const device: ModelDevice = {
      id,
      owner,
      name,
      activation: activation === 'abp' ? 'ABP' : 'OTAA',
      type,
      said,
      createdAtMs: this.nowMs,
      updatedAtMs: this.nowMs,
      updatedBy: updatedBy === '' ? this.model.users.get(owner)!.id : updatedBy,
      uplinks: new UplinksHeard(this.world.nowUs),
    };
    this.model.devices.set(id, device);
  }

  /** Profiles are the world's: everybody's have the same ids. */
  profile(name: string): string {
    const { DeviceProfiles } = this.got('ann', { kind: 'deviceProfile.list' });
    return DeviceProfiles.find(({ Name }) => Name === name)!.Id;
  }

  /** Id of the application that asks; undefined: the user does. */
  asking({ by, as }: Chosen): string | undefined {
    const { model } = this;
    const all = model.of(model.applications, by);
    return as < 5 || all.length === 0 ? undefined : all[as % all.length]!.id;
  }

  /** Id of who asks, as records tell it. */
  callerOf(chosen: Chosen): string {
    return this.asking(chosen) ?? this.model.users.get(chosen.by)!.id;
  }

  /** What the caller may do by its roles. */
  permissionsOf(chosen: Chosen): readonly Permission[] {
    const { model } = this;
    const id = this.asking(chosen);
    const user = this.administrator(chosen.by);
    const roles = id === undefined ? [user] : model.applications.get(id)!.roles;
    return model.permissionsOf(chosen.by, roles);
  }

  administrator(who: Who): string {
    return [...this.model.references.get(who)!.roles.keys()][0]!;
  }

  /** A command of the caller, held against the model. */
  say<Response extends PlatformCommand>(
    chosen: Chosen,
    command: Response,
    reasons: readonly FailureClass[],
    mayFail: readonly FailureClass[] = [],
  ): Answers[Response['kind']] | undefined {
    const as = this.asking(chosen);
    return this.give(chosen.by, { ...command, ...(as && { as }) }, reasons, mayFail);
  }

  report(atUs: number): string {
    return formatInstant(START_MS + Math.floor(atUs / 1000));
  }

  /** Another number each time. */
  next(): number {
    return ++this.#counted;
  }

  /** One of a subscriber's things, or another's, or none. */
  pick<Thing extends { readonly id: string; readonly owner: Who }>(
    things: ReadonlyMap<string, Thing>,
    { by, a }: Chosen,
  ): readonly [own: Thing | undefined, id: string] {
    const own = this.model.of(things, by);
    const thing = a % 5 > 0 && own.length > 0 ? own[a % own.length] : [...things.values()][a >> 1];
    return [thing?.owner === by ? thing : undefined, thing?.id ?? 'nothing0'];
  }
}

/** Names such as Device.Read of objects of flags. */
export const permissionsIn = (response: object): readonly Permission[] =>
  Object.entries(response).flatMap(([object, actions]) =>
    Object.entries(actions as object).flatMap(([action, is]) =>
      is === true ? [`${object}.${action}` as Permission] : [],
    ),
  );

/** A digest: two of the same world are compared. */
export function unchanged(driven: Managed, act: () => void): void {
  const before = driven.world.digest();
  act();
  expect(driven.world.digest()).toEqual(before);
}
