/**
 * Device groups: who is updated together, through which gateways (docs/operations.md,
 * Device group).
 */
import { andThen, fail, found, ok } from '../../sim/base/result.ts';
import { SHORT_ID, SHORT_ID_GIVEN } from '../base/ids.ts';
import { Store } from '../base/store.ts';
import type { Asking } from '../base/subscribers.ts';
import { HEX_EUI, listOf, record, told } from '../kit/answers.ts';
import {
  body,
  changes,
  type Effective,
  EUIS,
  effective,
  type Fields,
  type Input,
  id,
  type Of,
} from '../kit/fields.ts';
import {
  declareResource,
  done,
  handlers,
  type Operations,
  type Surroundings,
} from '../kit/resource.ts';
import type { DeviceView, NetworkView } from '../network-face.ts';
import { KEYGEN_TYPE } from './keys.ts';

const source = 'firmware update service, device group';

/** Row of gateways that are listed. */
export const GATEWAYS = {
  ...EUIS,
  /** Automatic choice has no limit. */
  most: 10,
  failure: 'deviceGroup.too-many-gateways',
  is: 'EUIs of the gateways that send; chosen automatically when empty.',
  source,
} as const;

const DEVICES = {
  ...EUIS,
  required: true,
  failure: 'deviceGroup.empty',
  is: 'DevEUIs of the members.',
  source,
} as const;

export const GROUP = {
  name: {
    type: 'text',
    required: true,
    failure: 'deviceGroup.name',
    is: 'A label; several groups may have it.',
    source,
  },
  lora_class: {
    type: 'choice',
    words: ['A', 'C'],
    null: 'derived',
    default: null,
    failure: 'deviceGroup.class',
    is:
      'A queues the commands of the set-up on the network server, C sends those to devices of ' +
      'class C one by one; that of the devices when absent.',
    source,
  },
  gateways: { ...GATEWAYS, default: [] },
  devices: { ...DEVICES, least: 1 },
} as const satisfies Fields;

export type DeviceGroupInput = Input<typeof GROUP>;

/**
 * A group as it is now, with what was asked for; a change makes a new record, so a campaign may
 * keep the one that it has. Without gateways they are chosen anew for each campaign.
 */
export interface DeviceGroup extends Effective<typeof GROUP> {
  readonly owner: string;
  /** 6 alphanumeric characters, unique in the world. */
  readonly id: string;
  readonly createdAtUs: number;
}

/**
 * How a member is spoken to. A device of class A or B has windows after its uplinks alone, whatever
 * class is asked of its group; one of class C is spoken to as the group asks, or else at once.
 */
export const servedAs = (
  { lora_class }: Pick<DeviceGroup, 'lora_class'>,
  device: Pick<DeviceView, 'deviceClass'> | undefined,
): 'A' | 'C' => (device?.deviceClass === 'C' ? (lora_class ?? 'C') : 'A');

const device_group_id = id('The device group, by its id.');
const one = { device_group_id } as const;
const more = { ...one, devices: DEVICES } as const;

/** Field names of the firmware update service. */
const TOLD = record({
  name: told(GROUP.name),
  lora_class: told({
    ...GROUP.lora_class,
    is: 'What was asked for; else C where all devices are of class C, and A where one is not.',
  }),
  gateways: told(GROUP.gateways),
  device_group_id: told({ ...SHORT_ID, is: 'Its id.', source }),
  devices: told({ ...listOf(HEX_EUI), distinct: true, is: 'DevEUIs of the members.', source }),
});

const unknown = ['deviceGroup.unknown'] as const;
const wrongMembers = [
  'deviceGroup.unknown-device',
  'deviceGroup.unknown-gateway',
  'deviceGroup.mixed-classes',
] as const;
const changing = { verb: 'change', answers: TOLD, fails: [...unknown, ...wrongMembers] } as const;

const OPERATIONS = {
  'deviceGroup.create': {
    verb: 'create',
    takes: { group: body(GROUP), id: SHORT_ID_GIVEN },
    answers: TOLD,
    fails: ['deviceGroup.exists', ...wrongMembers],
    is: 'Makes a group.',
  },
  'deviceGroup.list': {
    verb: 'list',
    takes: {},
    answers: listOf(TOLD),
    fails: [],
    is: 'Every group.',
  },
  'deviceGroup.get': { verb: 'get', takes: one, answers: TOLD, fails: unknown, is: 'One group.' },
  'deviceGroup.replace': {
    ...changing,
    takes: { ...one, group: body(GROUP) },
    is: 'Puts another group in its place, under the same id.',
  },
  'deviceGroup.update': {
    ...changing,
    takes: { ...one, group: changes(GROUP) },
    is: 'Changes what is given of a group; the rest stays.',
  },
  'deviceGroup.addDevices': { ...changing, takes: more, is: 'Adds devices to a group.' },
  'deviceGroup.keygenAddDevices': {
    ...changing,
    takes: { ...more, keygen_type: KEYGEN_TYPE },
    is: 'Adds devices to a group, and derives a multicast key for each.',
  },
  'deviceGroup.delete': {
    verb: 'delete',
    takes: one,
    answers: null,
    fails: [...unknown, 'deviceGroup.in-use'],
    is: 'Deletes a group.',
  },
} as const satisfies Operations;

/** What device groups use of the platform and of other resources. */
export interface DeviceGroupNeeds extends Pick<Surroundings, 'ids'> {
  /** Derives a key for each device (keys.ts). */
  readonly key: { generate(owner: string, devEuis: readonly string[]): void };
  /** A group that a campaign uses, over or not, is not deleted. */
  readonly campaign: { usesGroup(owner: string, id: string): boolean };
  /** Nor is one that a running job uses. */
  readonly reliableDownlink: { usesGroup(owner: string, id: string): boolean };
}

export type DeviceGroupFailure = keyof (typeof deviceGroupResource)['failures'];

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
    'deviceGroup.exists': 'conflict',
    'deviceGroup.in-use': 'conflict',
  },
  operations: OPERATIONS,
  make: (needs: DeviceGroupNeeds) => {
    const groups = new Store('groups', ({ id }: DeviceGroup) => id, {
      member: ({ devices }: DeviceGroup) => devices,
    });
    const known = (by: string, id: string) =>
      found(groups.get(by, id), 'deviceGroup.unknown', `There is no device group ${id}.`);

    const userOf = (by: string, id: string) => {
      if (needs.campaign.usesGroup(by, id)) return 'campaign';
      return needs.reliableDownlink.usesGroup(by, id) ? 'reliable downlink job' : undefined;
    };

    const isTaken = (id: string) => groups.ofAnybody(id) !== undefined;
    const keep = (group: DeviceGroup, view: NetworkView) => {
      groups.put(group);
      return ok(answerOf(group, view));
    };

    type Change = (old: DeviceGroup) => Partial<GivenGroup>;
    const change = ({ by, view }: Asking, id: string, given: Change, more?: readonly string[]) =>
      andThen(known(by, id), (old) =>
        andThen(changed(old, given(old), view, more), (made) => keep(made, view)),
      );
    const add = (asking: Asking, id: string, more: readonly string[]) =>
      change(asking, id, (old) => ({ devices: [...new Set([...old.devices, ...more])] }), more);

    return {
      ...groups.saving,
      get: (owner: string, id: string) => groups.get(owner, id),
      handle: handlers(OPERATIONS, {
        'deviceGroup.create': ({ group, id }, { by, nowUs, view }) => {
          if (id !== undefined && isTaken(id)) {
            return fail('deviceGroup.exists', `There is a device group ${id}.`, '/id');
          }
          const given = effective(GROUP, group);
          const origin = { owner: by, id: '', createdAtUs: nowUs };
          return andThen(changed({ ...given, ...origin }, given, view), (made) =>
            keep({ ...made, id: id ?? needs.ids.short(isTaken) }, view),
          );
        },
        'deviceGroup.list': (_, { by, view }) =>
          ok(groups.list(by).map((group) => answerOf(group, view))),
        'deviceGroup.get': ({ device_group_id: id }, { by, view }) =>
          andThen(known(by, id), (group) => ok(answerOf(group, view))),
        'deviceGroup.replace': ({ device_group_id: id, group }, asking) =>
          change(asking, id, () => effective(GROUP, group)),
        'deviceGroup.update': ({ device_group_id: id, group: given }, asking) =>
          change(asking, id, () => given),
        'deviceGroup.addDevices': ({ device_group_id: id, devices }, asking) =>
          add(asking, id, devices),
        'deviceGroup.keygenAddDevices': ({ device_group_id: id, devices }, asking) =>
          andThen(add(asking, id, devices), (group) => {
            needs.key.generate(asking.by, devices);
            return ok(group);
          }),
        'deviceGroup.delete': ({ device_group_id: id }, { by }) =>
          andThen(known(by, id), () => {
            const user = userOf(by, id);
            if (user === undefined) return done(groups.remove(by, id));
            return fail('deviceGroup.in-use', `A ${user} uses the device group ${id}.`);
          }),
      }),

      /** A device that is gone is no member any more. */
      hears: {
        deviceRemoved: ({ devEui }, { owner }) => {
          for (const group of groups.by('member', devEui)) {
            if (group.owner !== owner) continue;
            groups.put({ ...group, devices: group.devices.filter((each) => each !== devEui) });
          }
        },
      },
    };
  },
});

const answerOf = (group: DeviceGroup, view: NetworkView): DeviceGroupAnswer => ({
  name: group.name,
  lora_class: group.lora_class ?? derivedClass(group.devices, view),
  gateways: group.gateways,
  device_group_id: group.id,
  devices: group.devices,
});

/**
 * What a class reads as that nobody asked for: C where all devices are of class C. A switch may
 * have mixed the classes since the devices were given; then it is A, and each device is served as
 * its own class is.
 */
function derivedClass(devices: readonly string[], view: NetworkView): 'A' | 'C' {
  const isC = (devEui: string) => view.device(devEui)?.deviceClass === 'C';
  return devices.length > 0 && devices.every(isC) ? 'C' : 'A';
}

export type DeviceGroupAnswer = Of<typeof TOLD>;

// ── what is given ────────────────────────────────────────────────────────────────────────────────

type GivenGroup = Effective<typeof GROUP>;

/**
 * What is not given stays, and is not looked at: a gateway may be gone, and so may all devices.
 * `more`: the devices that the request lists, where those of the group are given with them.
 */
function changed(
  old: DeviceGroup,
  given: Partial<GivenGroup>,
  view: NetworkView,
  more: readonly string[] = given.devices ?? [],
) {
  const group = { ...old, ...given };
  const wrong = refuseDevices(more, view) ?? refuseGateways(given.gateways ?? [], view);
  return wrong ?? refuseMixture(group, given, view) ?? ok(group);
}

/** What is wrong with a list of devices: unknown ones. */
function refuseDevices(devices: readonly string[], view: NetworkView) {
  const wrong = devices.findIndex((devEui) => view.device(devEui) === undefined);
  if (wrong < 0) return undefined;
  const message = `There is no device ${devices[wrong]}.`;
  return fail('deviceGroup.unknown-device', message, `/devices/${wrong}`);
}

/** What is wrong with a list of gateways: unknown ones. */
export function refuseGateways(gateways: readonly string[], view: NetworkView) {
  const known = new Set(view.gateways().map((gateway) => gateway.eui));
  const wrong = gateways.findIndex((eui) => !known.has(eui));
  if (wrong < 0) return undefined;
  const message = `There is no gateway ${gateways[wrong]}.`;
  return fail('deviceGroup.unknown-gateway', message, `/gateways/${wrong}`);
}

/**
 * What is wrong with a class that is derived from the devices: they have two. It is looked at where
 * devices or class are given. Devices of class B are spoken to as those of class A are, so both may
 * be in one group.
 */
function refuseMixture(group: GivenGroup, given: Partial<GivenGroup>, view: NetworkView) {
  const isLookedAt = given.devices !== undefined || given.lora_class !== undefined;
  if (!isLookedAt || group.lora_class !== null) return undefined;
  const classes = new Set(group.devices.map((each) => view.device(each)?.deviceClass));
  if (classes.size < 2) return undefined;
  const message = 'The group mixes class C with devices of class A or B; give its lora_class.';
  const path = given.devices === undefined ? '/lora_class' : '/devices';
  return fail('deviceGroup.mixed-classes', message, path);
}
