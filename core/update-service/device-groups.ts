/**
 * Device groups: who is updated together, through which gateways (docs/operations.md,
 * Device group).
 */
import { fail, ok, type Result } from '../../sim/base/result.ts';
import { body, changes, type Fields, type Given, type Input, id } from '../kit/fields.ts';
import type { Fold } from '../kit/fold.ts';
import {
  declareResource,
  handlers,
  type Listeners,
  type Operations,
  type Surroundings,
} from '../kit/resource.ts';
import { Store } from '../kit/store.ts';
import type { Asking } from '../kit/subscribers.ts';
import type { NetworkView } from '../network-face.ts';
import { KEYGEN_TYPE } from './keys.ts';

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

const DEV_EUI = { type: 'hex', digits: 16, failure: 'deviceGroup.unknown-device' } as const;
const GATEWAY = { type: 'hex', digits: 16, failure: 'deviceGroup.unknown-gateway' } as const;

const MOST_DEVICES = 1_000_000;
/** Gateways that a group may list; automatic choice has no limit. */
export const MOST_GATEWAYS = 10;

const DEVICES = {
  type: 'list',
  of: DEV_EUI,
  least: 1,
  most: MOST_DEVICES,
  distinct: true,
  required: true,
  failure: 'deviceGroup.empty',
  is: 'DevEUIs.',
} as const;

/** Rows of gateways that are listed. */
export const GATEWAYS = {
  type: 'list',
  of: GATEWAY,
  most: MOST_GATEWAYS,
  distinct: true,
  failure: 'deviceGroup.too-many-gateways',
  is: 'EUIs of the gateways that send; chosen automatically when empty.',
} as const;

const GROUP = {
  name: { type: 'text', required: true, failure: 'deviceGroup.name', is: 'A label.' },
  lora_class: {
    type: 'choice',
    words: ['A', 'C'],
    null: 'derived',
    failure: 'deviceGroup.class',
    is: 'A queues all commands of a set-up, C sends them one by one; that of the devices if null.',
  },
  gateways: { ...GATEWAYS, default: [] },
  devices: DEVICES,
} as const satisfies Fields;

export type DeviceGroupInput = Input<typeof GROUP>;

const device_group_id = id('The device group.');

const OPERATIONS = {
  'deviceGroup.create': { verb: 'create', takes: { group: body(GROUP) }, is: 'Makes a group.' },
  'deviceGroup.list': { verb: 'list', takes: {}, is: 'Every group.' },
  'deviceGroup.get': { verb: 'get', takes: { device_group_id }, is: 'One group.' },
  'deviceGroup.replace': {
    verb: 'change',
    takes: { device_group_id, group: body(GROUP) },
    is: 'Puts another group in its place, under the same id.',
  },
  'deviceGroup.update': {
    verb: 'change',
    takes: { device_group_id, group: changes(GROUP) },
    is: 'Changes what is given.',
  },
  'deviceGroup.addDevices': {
    verb: 'change',
    takes: { device_group_id, devices: { ...DEVICES, least: 0 } },
    is: 'More devices.',
  },
  'deviceGroup.keygenAddDevices': {
    verb: 'change',
    takes: { device_group_id, keygen_type: KEYGEN_TYPE, devices: { ...DEVICES, least: 0 } },
    is: 'More devices, and a key derived for each.',
  },
  'deviceGroup.delete': { verb: 'delete', takes: { device_group_id }, is: 'Deletes a group.' },
} as const satisfies Operations;

/** Field names of the firmware update service. */
export interface DeviceGroupAnswer {
  readonly name: string;
  readonly lora_class: 'A' | 'C';
  readonly gateways: readonly string[];
  readonly device_group_id: string;
  readonly devices: readonly string[];
}

export type DeviceGroupFailure =
  | 'deviceGroup.empty'
  | 'deviceGroup.unknown-device'
  | 'deviceGroup.unknown-gateway'
  | 'deviceGroup.mixed-classes'
  | 'deviceGroup.unknown'
  | 'deviceGroup.in-use';

type Changed = Result<DeviceGroupAnswer, DeviceGroupFailure>;

/** What device groups use of the platform and of other resources. */
export interface DeviceGroupNeeds extends Pick<Surroundings, 'ids'> {
  /** Derives a key for each device (keys.ts). */
  readonly key: { generate(owner: string, devEuis: readonly string[]): void };
  /** A group that a campaign uses, over or not, is not deleted. */
  readonly campaign: { usesGroup(owner: string, id: string): boolean };
}

export class DeviceGroups {
  readonly #groups = new Store<DeviceGroup>('groups', ({ id }) => id);
  readonly #needs: DeviceGroupNeeds;

  readonly handle = handlers(OPERATIONS, {
    'deviceGroup.create': ({ group }, asking) => this.#create(group, asking),
    'deviceGroup.list': (_, { by }) => ok(this.#groups.list(by).map(answerOf)),
    'deviceGroup.get': ({ device_group_id }, { by }) => {
      const group = this.#known(by, device_group_id);
      return group.ok ? ok(answerOf(group.value)) : group;
    },
    'deviceGroup.replace': ({ device_group_id, group }, asking) =>
      this.#change(device_group_id, asking, partsOf({ gateways: [], lora_class: null, ...group })),
    'deviceGroup.update': ({ device_group_id, group }, asking) =>
      this.#change(device_group_id, asking, partsOf(group)),
    'deviceGroup.addDevices': ({ device_group_id, devices }, asking) =>
      this.#addDevices(device_group_id, devices, asking),
    'deviceGroup.keygenAddDevices': ({ device_group_id, devices }, asking) => {
      const group = this.#addDevices(device_group_id, devices, asking);
      if (group.ok) this.#needs.key.generate(asking.by, devices);
      return group;
    },
    'deviceGroup.delete': ({ device_group_id }, { by }) => this.#delete(by, device_group_id),
  });

  /** A device that is gone is no member any more. */
  readonly hears: Listeners = {
    deviceRemoved: ({ devEui }, { owner }) => {
      for (const group of this.#groups.list(owner)) {
        if (!group.devices.includes(devEui)) continue;
        this.#groups.put({ ...group, devices: group.devices.filter((each) => each !== devEui) });
      }
    },
  };

  constructor(needs: DeviceGroupNeeds) {
    this.#needs = needs;
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

  readonly fold = (fold: Fold) => this.#groups.saving.fold(fold);
  readonly save = () => this.#groups.saving.save();
  readonly load = (saved: readonly DeviceGroup[]) => this.#groups.saving.load(saved);

  // ── commands ───────────────────────────────────────────────────────────────────────────────────

  #create(input: Given<typeof GROUP>, { by, nowUs, view }: Asking): Changed {
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
    const more = [...new Set([...old.value.devices, ...devices])];
    return this.#change(id, asking, { devices: more });
  }

  #put(group: DeviceGroup): Changed {
    this.#groups.put(group);
    return ok(answerOf(group));
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
  permission: 'Device',
  failures: {
    'deviceGroup.name': 'malformed',
    'deviceGroup.class': 'malformed',
    'deviceGroup.empty': 'malformed',
    'deviceGroup.unknown-device': 'malformed',
    'deviceGroup.unknown-gateway': 'malformed',
    'deviceGroup.too-many-gateways': 'malformed',
    'deviceGroup.mixed-classes': 'malformed',
    'deviceGroup.unknown': 'unknown',
    'deviceGroup.in-use': 'conflict',
  },
  operations: OPERATIONS,
  make: (needs: DeviceGroupNeeds) => new DeviceGroups(needs),
});

function answerOf({ name, deviceClass, gateways, id, devices }: DeviceGroup): DeviceGroupAnswer {
  return { name, lora_class: deviceClass, gateways, device_group_id: id, devices };
}

// ── what is given ────────────────────────────────────────────────────────────────────────────────

type Parts = Pick<DeviceGroup, 'name' | 'askedClass' | 'gateways' | 'devices'>;

/** Those parts of a group that an input gives. */
function partsOf({ lora_class, ...given }: Partial<Given<typeof GROUP>>): Partial<Parts> {
  return lora_class === undefined ? given : { ...given, askedClass: lora_class };
}

/** What is wrong with the parts that are given; undefined: nothing. */
function refuseParts(
  { devices, gateways }: Partial<Parts>,
  view: NetworkView,
): Result<never, DeviceGroupFailure> | undefined {
  return (devices && refuseDevices(devices, view)) ?? (gateways && refuseGateways(gateways, view));
}

function refuseDevices(
  devices: readonly string[],
  view: NetworkView,
): Result<never, DeviceGroupFailure> | undefined {
  const wrong = devices.findIndex((devEui) => view.device(devEui) === undefined);
  if (wrong < 0) return undefined;
  const message = `There is no device ${devices[wrong]}.`;
  return fail('deviceGroup.unknown-device', message, `/devices/${wrong}`);
}

/** What is wrong with a list of gateways: unknown ones. */
export function refuseGateways(
  gateways: readonly string[],
  view: NetworkView,
): Result<never, DeviceGroupFailure> | undefined {
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
