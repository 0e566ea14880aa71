/**
 * Device groups: who is updated together, through which gateways (docs/operations.md,
 * Device group).
 */
import { fail, ok, type Result } from '../../sim/base/result.ts';
import type { Fold } from '../kit/fold.ts';
import type { Handlers } from '../kit/handlers.ts';
import { declareResource, type Surroundings } from '../kit/resource.ts';
import { Store } from '../kit/store.ts';
import type { Asking } from '../kit/subscribers.ts';
import type { NetworkView } from '../network-face.ts';
import { type KeyFailure, refuseType } from './keys.ts';

/** A group as it is now; a change makes a new record, so a campaign may keep the one it has. */
export interface DeviceGroup {
  readonly owner: string;
  /** 6 alphanumeric characters, unique in the world. */
  readonly id: string;
  /** A label; several groups may have it. */
  readonly name: string;
  readonly deviceClass: 'A' | 'C';
  /** The class that was asked for; null: that of the devices. */
  readonly askedClass: 'A' | 'C' | null;
  /** EUIs, upper case; empty: chosen anew for each campaign. */
  readonly gateways: readonly string[];
  /** DevEUIs, upper case, each once. */
  readonly devices: readonly string[];
  readonly createdAtUs: number;
}

/** Field names of the firmware update service. */
export interface DeviceGroupInput {
  readonly name: string;
  /** That of the devices when null or absent. */
  readonly lora_class?: 'A' | 'C' | null;
  /** Gateway EUIs, at most 10; empty or absent: chosen automatically. */
  readonly gateways?: readonly string[];
  /** DevEUIs. */
  readonly devices: readonly string[];
}

export type DeviceGroupCommand =
  | { readonly kind: 'deviceGroup.create'; readonly group: DeviceGroupInput }
  /** Puts another group in its place, under the same id. */
  | {
      readonly kind: 'deviceGroup.replace';
      readonly device_group_id: string;
      readonly group: DeviceGroupInput;
    }
  /** Changes what is given. */
  | {
      readonly kind: 'deviceGroup.update';
      readonly device_group_id: string;
      readonly group: Partial<DeviceGroupInput>;
    }
  | {
      readonly kind: 'deviceGroup.addDevices';
      readonly device_group_id: string;
      readonly devices: readonly string[];
    }
  /** Adds devices and derives a key for each (keys.ts). */
  | {
      readonly kind: 'deviceGroup.keygenAddDevices';
      readonly device_group_id: string;
      /** `vendor`. */
      readonly keygen_type: string;
      readonly devices: readonly string[];
    }
  | { readonly kind: 'deviceGroup.delete'; readonly device_group_id: string };

export type DeviceGroupQuery =
  | { readonly kind: 'deviceGroup.list' }
  | { readonly kind: 'deviceGroup.get'; readonly device_group_id: string };

/** Field names of the firmware update service. */
export interface DeviceGroupAnswer {
  readonly name: string;
  readonly lora_class: 'A' | 'C';
  readonly gateways: readonly string[];
  readonly device_group_id: string;
  readonly devices: readonly string[];
}

export interface DeviceGroupAnswers {
  'deviceGroup.create': DeviceGroupAnswer;
  'deviceGroup.replace': DeviceGroupAnswer;
  'deviceGroup.update': DeviceGroupAnswer;
  'deviceGroup.addDevices': DeviceGroupAnswer;
  'deviceGroup.keygenAddDevices': DeviceGroupAnswer;
  'deviceGroup.delete': undefined;
  'deviceGroup.list': readonly DeviceGroupAnswer[];
  'deviceGroup.get': DeviceGroupAnswer;
}

export type DeviceGroupFailure =
  | 'deviceGroup.name'
  | 'deviceGroup.empty'
  | 'deviceGroup.unknown-device'
  | 'deviceGroup.unknown-gateway'
  | 'deviceGroup.too-many-gateways'
  | 'deviceGroup.mixed-classes'
  | 'deviceGroup.unknown'
  | 'deviceGroup.in-use'
  | KeyFailure;

/** Gateways that a group may list; automatic choice has no limit. */
const MOST_GATEWAYS = 10;

type Changed = Result<DeviceGroupAnswer, DeviceGroupFailure>;

/** What device groups use of the platform and of other resources. */
export interface DeviceGroupNeeds extends Pick<Surroundings, 'ids'> {
  /** Derives a key for each device (keys.ts). */
  readonly key: { generate(owner: string, devEuis: readonly string[]): unknown };
  /** A group that a campaign uses, over or not, is not deleted. */
  readonly campaign: { usesGroup(owner: string, id: string): boolean };
}

export class DeviceGroups {
  readonly #groups = new Store<DeviceGroup>(({ id }) => id);
  readonly #needs: DeviceGroupNeeds;

  readonly commands: Handlers<DeviceGroupCommand, DeviceGroupAnswers, DeviceGroupFailure>;
  readonly queries: Handlers<DeviceGroupQuery, DeviceGroupAnswers, DeviceGroupFailure>;

  constructor(needs: DeviceGroupNeeds) {
    this.#needs = needs;
    this.commands = {
      'deviceGroup.create': ({ group }, asking) => this.#create(group, asking),
      'deviceGroup.replace': ({ device_group_id, group }, asking) =>
        this.#change(
          device_group_id,
          asking,
          partsOf({ gateways: [], lora_class: null, ...group }),
        ),
      'deviceGroup.update': ({ device_group_id, group }, asking) =>
        this.#change(device_group_id, asking, partsOf(group)),
      'deviceGroup.addDevices': ({ device_group_id, devices }, asking) =>
        this.#addDevices(device_group_id, devices, asking),
      'deviceGroup.keygenAddDevices': ({ device_group_id, keygen_type, devices }, asking) =>
        this.#keygenAddDevices(device_group_id, keygen_type, devices, asking),
      'deviceGroup.delete': ({ device_group_id }, { by }) => this.#delete(by, device_group_id),
    };
    this.queries = {
      'deviceGroup.list': (_, { by }) => ok(this.#groups.list(by).map(answerOf)),
      'deviceGroup.get': ({ device_group_id }, { by }) => {
        const group = this.#known(by, device_group_id);
        return group.ok ? ok(answerOf(group.value)) : group;
      },
    };
  }

  get(owner: string, id: string): DeviceGroup | undefined {
    return this.#groups.get(owner, id);
  }

  /** The owner's group with this id, else the oldest with this label. */
  find(owner: string, idOrName: string): DeviceGroup | undefined {
    const byId = this.get(owner, idOrName);
    if (byId !== undefined) return byId;
    return this.#groups
      .list(owner)
      .filter((group) => group.name === idOrName)
      .reduce<DeviceGroup | undefined>(
        (oldest, each) =>
          oldest === undefined || each.createdAtUs < oldest.createdAtUs ? each : oldest,
        undefined,
      );
  }

  /** A device that is gone is no member any more. */
  onDeviceRemoved(owner: string, devEui: string): void {
    for (const group of this.#groups.list(owner)) {
      if (!group.devices.includes(devEui)) continue;
      this.#groups.put({ ...group, devices: group.devices.filter((each) => each !== devEui) });
    }
  }

  fold(fold: Fold): void {
    this.#groups.fold(fold, 'groups');
  }

  save(): readonly DeviceGroup[] {
    return this.#groups.save();
  }

  load(saved: readonly DeviceGroup[]): void {
    this.#groups.load(saved);
  }

  // ── commands ───────────────────────────────────────────────────────────────────────────────────

  #create(input: DeviceGroupInput, { by, nowUs, view }: Asking): Changed {
    const parts = { gateways: [], askedClass: null, ...partsOf(input) } as Parts;
    const wrong = refuseParts(parts, view);
    if (wrong !== undefined) return wrong;
    const deviceClass = classOf(parts, view);
    if (!deviceClass.ok) return deviceClass;
    const isTaken = (drawn: string) => this.#groups.all().some((group) => group.id === drawn);
    const id = this.#needs.ids.short(isTaken);
    return this.#put({
      owner: by,
      id,
      ...parts,
      deviceClass: deviceClass.value,
      createdAtUs: nowUs,
    });
  }

  /** What is not given stays, and is not looked at: a gateway may be gone. */
  #change(id: string, { by, view }: Asking, given: Partial<Parts>): Changed {
    const old = this.#known(by, id);
    if (!old.ok) return old;
    const wrong = refuseParts(given, view);
    if (wrong !== undefined) return wrong;
    const group = { ...old.value, ...given };
    if (group.devices.length === 0) return this.#put(group); // all of them are gone
    const deviceClass = classOf(group, view);
    return deviceClass.ok ? this.#put({ ...group, deviceClass: deviceClass.value }) : deviceClass;
  }

  #addDevices(id: string, devices: readonly string[], asking: Asking): Changed {
    const old = this.#known(asking.by, id);
    if (!old.ok) return old;
    const more = distinctEuis([...old.value.devices, ...devices]);
    return this.#change(id, asking, { devices: more });
  }

  #put(group: DeviceGroup): Changed {
    this.#groups.put(group);
    return ok(answerOf(group));
  }

  #keygenAddDevices(id: string, type: string, devices: readonly string[], asking: Asking): Changed {
    const wrong = refuseType(type);
    if (wrong !== undefined) return wrong;
    const group = this.#addDevices(id, devices, asking);
    if (group.ok) this.#needs.key.generate(asking.by, devices);
    return group;
  }

  #delete(owner: string, id: string): Result<undefined, DeviceGroupFailure> {
    const group = this.#known(owner, id);
    if (!group.ok) return group;
    if (this.#needs.campaign.usesGroup(owner, id)) {
      return fail('deviceGroup.in-use', `A campaign uses the device group ${id}.`);
    }
    this.#groups.remove(owner, id);
    return ok(undefined);
  }

  #known(owner: string, id: string): Result<DeviceGroup, 'deviceGroup.unknown'> {
    const group = this.get(owner, id);
    return group === undefined
      ? fail('deviceGroup.unknown', `There is no device group ${id}.`)
      : ok(group);
  }
}

export const deviceGroupResource = declareResource({
  name: 'deviceGroup',
  verbs: {
    'deviceGroup.create': 'create',
    'deviceGroup.list': 'list',
    'deviceGroup.get': 'get',
    'deviceGroup.replace': 'change',
    'deviceGroup.update': 'change',
    'deviceGroup.addDevices': 'change',
    'deviceGroup.keygenAddDevices': 'change',
    'deviceGroup.delete': 'delete',
  },
  make: (needs: DeviceGroupNeeds) => new DeviceGroups(needs),
});

function answerOf({ name, deviceClass, gateways, id, devices }: DeviceGroup): DeviceGroupAnswer {
  return { name, lora_class: deviceClass, gateways, device_group_id: id, devices };
}

// ── what is given ────────────────────────────────────────────────────────────────────────────────

type Parts = Pick<DeviceGroup, 'name' | 'askedClass' | 'gateways' | 'devices'>;

/** Those parts of a group that an input gives. */
function partsOf({ name, lora_class, gateways, devices }: Partial<DeviceGroupInput>) {
  const parts: { -readonly [Part in keyof Parts]?: Parts[Part] } = {};
  if (name !== undefined) parts.name = name;
  if (lora_class !== undefined) parts.askedClass = lora_class;
  if (gateways !== undefined) parts.gateways = distinctEuis(gateways);
  if (devices !== undefined) parts.devices = distinctEuis(devices);
  return parts;
}

const distinctEuis = (euis: readonly string[]): readonly string[] => [
  ...new Set(euis.map((eui) => eui.toUpperCase())),
];

/** What is wrong with the parts that are given; undefined: nothing. */
function refuseParts(
  { name, devices, gateways }: Partial<Parts>,
  view: NetworkView,
): Result<never, DeviceGroupFailure> | undefined {
  if (name === '') return fail('deviceGroup.name', 'A device group has a name.', '/name');
  return (devices && refuseDevices(devices, view)) ?? (gateways && refuseGateways(gateways, view));
}

function refuseDevices(
  devices: readonly string[],
  view: NetworkView,
): Result<never, DeviceGroupFailure> | undefined {
  if (devices.length === 0) return fail('deviceGroup.empty', 'A group has devices.', '/devices');
  const wrong = devices.findIndex((devEui) => view.device(devEui) === undefined);
  if (wrong < 0) return undefined;
  const message = `There is no device ${devices[wrong]}.`;
  return fail('deviceGroup.unknown-device', message, `/devices/${wrong}`);
}

/** What is wrong with a list of gateways, upper case: too many or unknown ones. */
export function refuseGateways(
  gateways: readonly string[],
  view: NetworkView,
): Result<never, DeviceGroupFailure> | undefined {
  if (gateways.length > MOST_GATEWAYS) {
    const message = `${gateways.length} gateways are listed; at most ${MOST_GATEWAYS} may be.`;
    return fail('deviceGroup.too-many-gateways', message, '/gateways');
  }
  const known = new Set(view.gateways().map((gateway) => gateway.eui));
  const wrong = gateways.findIndex((eui) => !known.has(eui));
  if (wrong < 0) return undefined;
  const message = `There is no gateway ${gateways[wrong]}.`;
  return fail('deviceGroup.unknown-gateway', message, `/gateways/${wrong}`);
}

/**
 * The class that was asked for, or else the one that all devices have. Devices of class B are
 * spoken to as those of class A are, so both may be in one group.
 */
function classOf(
  { name, askedClass, devices }: Parts,
  view: NetworkView,
): Result<'A' | 'C', DeviceGroupFailure> {
  if (askedClass !== null) return ok(askedClass);
  const [deviceClass, another] = new Set(devices.map((each) => view.device(each)?.deviceClass));
  if (deviceClass !== undefined && another === undefined) return ok(deviceClass);
  const message = `${name} mixes class C with devices of class A or B; give its lora_class.`;
  return fail('deviceGroup.mixed-classes', message, '/devices');
}
