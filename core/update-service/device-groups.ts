/**
 * Device groups: who is updated together, through which gateways (docs/operations.md,
 * Device group).
 */
import { andThen, fail, found, ok } from '../../sim/base/result.ts';
import {
  type Effective,
  effective,
  type Fields,
  type Given,
  type Input,
  type Of,
} from '../../sim/base/rows/fields.ts';
import type { DeviceView } from '../../sim/contract/view.ts';
import { groupedBy } from '../base/grouped.ts';
import { SHORT_ID, SHORT_ID_GIVEN } from '../base/ids.ts';
import { Store } from '../base/store.ts';
import type { Asking, OwnView } from '../base/subscribers.ts';
import {
  declareResource,
  done,
  handlers,
  type Operations,
  type Surroundings,
} from '../kit/resource.ts';
import { HEX_EUI, listOf, record, responseField } from '../rows/answers.ts';
import { body, changes, EUIS, id } from '../rows/fields.ts';
import { GATEWAYS, GATEWAYS_LISTED, type KnowsGateways } from './gateway-choice.ts';
import { changed, derivedClass, type Look, newLook, type Standings } from './group-content.ts';
import { KEYGEN_TYPE } from './keys.ts';

const source = 'firmware update service, device group';

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
  gateways: {
    ...GATEWAYS,
    failure: 'deviceGroup.too-many-gateways',
    is: 'EUIs or ids of the gateways that send; chosen automatically when empty.',
    source,
    default: [],
  },
  devices: { ...DEVICES, least: 1 },
} as const satisfies Fields;

export type DeviceGroupInput = Input<typeof GROUP>;
type GivenGroup = Effective<typeof GROUP>;

/**
 * A group as it is now, with what was asked for; a change makes a new record, so a campaign may
 * keep the one that it has. Without gateways they are chosen anew for each campaign.
 */
export interface DeviceGroup extends GivenGroup {
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
const RESPONSE = record({
  name: responseField(GROUP.name),
  lora_class: responseField({
    ...GROUP.lora_class,
    is: 'What was asked for; else C where all devices are of class C, and A where one is not.',
  }),
  gateways: responseField({
    ...GATEWAYS_LISTED,
    is: 'EUIs of the gateways that send; chosen automatically when empty.',
    source,
  }),
  device_group_id: responseField({ ...SHORT_ID, is: 'Its id.', source }),
  devices: responseField({
    ...listOf(HEX_EUI),
    distinct: true,
    is: 'DevEUIs of the members.',
    source,
  }),
});

const unknown = ['deviceGroup.unknown'] as const;
const wrongMembers = [
  'deviceGroup.unknown-device',
  'delegation.ended',
  'deviceGroup.unknown-gateway',
  'deviceGroup.mixed-classes',
] as const;
const changing = {
  verb: 'change',
  answers: RESPONSE,
  fails: [...unknown, ...wrongMembers],
} as const;

/**
 * Devices of a group that is made larger by parts. A campaign is planned in one piece, so its size
 * bounds how long others wait (docs/decisions/0102). A plan may have larger groups.
 */
export const MOST_BY_PARTS = 20_000;
const adding = { ...changing, fails: [...changing.fails, 'deviceGroup.too-large'] } as const;

const OPERATIONS = {
  'deviceGroup.create': {
    verb: 'create',
    takes: { group: body(GROUP), id: SHORT_ID_GIVEN },
    answers: RESPONSE,
    fails: ['deviceGroup.exists', ...wrongMembers],
    is: 'Makes a group.',
  },
  'deviceGroup.list': {
    verb: 'list',
    takes: {},
    answers: listOf(RESPONSE),
    fails: [],
    is: 'Every group.',
  },
  'deviceGroup.get': {
    verb: 'get',
    takes: one,
    answers: RESPONSE,
    fails: unknown,
    is: 'One group.',
  },
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
  'deviceGroup.addDevices': { ...adding, takes: more, is: 'Adds devices to a group.' },
  'deviceGroup.keygenAddDevices': {
    ...adding,
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
export interface DeviceGroupNeeds extends Pick<Surroundings, 'ids' | 'viewOf'>, KnowsGateways {
  readonly delegation: {
    readonly standings: Standings;
    /** Whose a device is, whether it is delegated or not. */
    ownerOf(devEui: string): string;
  };
  readonly key: {
    /** Derives a key for each device (keys.ts). */
    generate(owner: string, devEuis: readonly string[]): void;
    /** The same for those that have none. */
    generateMissing(owner: string, devEuis: readonly string[], view: OwnView): void;
  };
  /** A group that a campaign uses, over or not, is not deleted. */
  readonly campaign: { usesGroup(owner: string, id: string): boolean };
  /** Nor is one that a running job uses. */
  readonly reliableDownlink: { usesGroup(owner: string, id: string): boolean };
}

export const deviceGroupResource = declareResource({
  name: 'deviceGroup',
  is: 'Groups of devices that campaigns update.',
  permission: 'Device',
  failures: {
    'deviceGroup.name': 'malformed',
    'deviceGroup.class': 'malformed',
    'deviceGroup.empty': 'malformed',
    'deviceGroup.unknown-device': 'malformed',
    'deviceGroup.unknown-gateway': 'malformed',
    'deviceGroup.too-many-gateways': 'malformed',
    'deviceGroup.too-large': 'malformed',
    'deviceGroup.mixed-classes': 'malformed',
    'deviceGroup.unknown': 'unknown',
    'deviceGroup.exists': 'conflict',
    'deviceGroup.in-use': 'conflict',
  },
  operations: OPERATIONS,
  make: (needs: DeviceGroupNeeds) => {
    const groups = newGroups();
    const known = (by: string, id: string) =>
      found(groups.get(by, id), 'deviceGroup.unknown', `There is no device group ${id}.`);

    const isTaken = (id: string) => groups.ofAnybody(id) !== undefined;
    const lookOf = (asking: Asking) => newLook(asking, needs);
    const keep = (group: DeviceGroup, look: Look) => {
      groups.put(group);
      return ok(answerOf(group, look));
    };

    type Change = (old: DeviceGroup) => Partial<GivenGroup>;
    const change = (asking: Asking, id: string, given: Change, more?: readonly string[]) => {
      const look = lookOf(asking);
      return andThen(known(asking.by, id), (old) =>
        andThen(changed(old, given(old), look, more), (group) => keep(group, look)),
      );
    };
    const create = (group: Given<typeof GROUP>, id: string | undefined, asking: Asking) => {
      if (id !== undefined && isTaken(id)) return existsAlready(id);
      const look = lookOf(asking);
      return andThen(createNew(effective(GROUP, group), asking, look), (group) =>
        keep({ ...group, id: id ?? needs.ids.short(isTaken) }, look),
      );
    };
    const add = (asking: Asking, id: string, more: readonly string[]) =>
      andThen(known(asking.by, id), (old) =>
        andThen(withMore(old, more), (devices) => change(asking, id, () => ({ devices }), more)),
      );

    return {
      ...groups.saving,
      get: (owner: string, id: string) => groups.get(owner, id),
      create,
      /** Deletes a group unless something uses it. */
      discard: (owner: string, id: string): void =>
        userOf(owner, id, needs) === undefined ? groups.remove(owner, id) : undefined,
      handle: handlers(OPERATIONS, {
        'deviceGroup.create': ({ group, id }, asking) => create(group, id, asking),
        'deviceGroup.list': (_, asking) =>
          ok(groups.list(asking.by).map(answererOf(lookOf(asking)))),
        'deviceGroup.get': ({ device_group_id: id }, asking) =>
          andThen(known(asking.by, id), (group) => ok(answerOf(group, lookOf(asking)))),
        'deviceGroup.replace': ({ device_group_id: id, group }, asking) =>
          change(asking, id, () => effective(GROUP, group)),
        'deviceGroup.update': ({ device_group_id: id, group: given }, asking) =>
          change(asking, id, () => given),
        'deviceGroup.addDevices': ({ device_group_id: id, devices }, asking) =>
          add(asking, id, devices),
        'deviceGroup.keygenAddDevices': ({ device_group_id: id, devices }, asking) =>
          andThen(add(asking, id, devices), (group) => {
            generateKeys(asking.by, devices, needs);
            return ok(group);
          }),
        'deviceGroup.delete': ({ device_group_id: id }, { by }) =>
          andThen(known(by, id), () => {
            const user = userOf(by, id, needs);
            if (user === undefined) return done(groups.remove(by, id));
            return fail('deviceGroup.in-use', `A ${user} uses the device group ${id}.`);
          }),
      }),

      hears: {
        deviceRemoved: ({ devEui }) => leave(groups, 'member', 'devices', devEui),
        gatewayRemoved: ({ eui }) => leave(groups, 'gateway', 'gateways', eui),
      },
    };
  },
});

const existsAlready = (id: string) =>
  fail('deviceGroup.exists', `There is a device group ${id}.`, '/id');

/** The devices of a group and more of them, each once. */
function withMore(old: DeviceGroup, more: readonly string[]) {
  const devices = [...new Set([...old.devices, ...more])];
  if (devices.length <= Math.max(MOST_BY_PARTS, old.devices.length)) return ok(devices);
  return fail(
    'deviceGroup.too-large',
    `A group takes devices until it has ${MOST_BY_PARTS}; it would have ${devices.length}.`,
    '/devices',
  );
}

/** By the devices and by the gateways of each, too. */
const newGroups = () =>
  new Store('groups', ({ id }: DeviceGroup) => id, {
    member: ({ devices }: DeviceGroup) => devices,
    gateway: ({ gateways }: DeviceGroup) => gateways,
  });

/** What uses a group of an owner, in words; undefined: nothing does. */
function userOf(owner: string, id: string, { campaign, reliableDownlink }: DeviceGroupNeeds) {
  if (campaign.usesGroup(owner, id)) return 'campaign';
  return reliableDownlink.usesGroup(owner, id) ? 'reliable downlink job' : undefined;
}

/** Keys derive from whose the devices are; what another subscriber has given its own stays. */
function generateKeys(by: string, devEuis: readonly string[], needs: DeviceGroupNeeds): void {
  for (const [owner, devices] of groupedBy(devEuis, needs.delegation.ownerOf)) {
    if (owner === by) needs.key.generate(by, devices);
    else needs.key.generateMissing(owner, devices, needs.viewOf(owner));
  }
}

const answerOf = (group: DeviceGroup, look: Look): DeviceGroupAnswer => ({
  name: group.name,
  lora_class: group.lora_class ?? derivedClass(group.devices, look),
  gateways: group.gateways,
  device_group_id: group.id,
  devices: group.devices,
});

const answererOf = (look: Look) => (group: DeviceGroup) => answerOf(group, look);

export type DeviceGroupAnswer = Of<typeof RESPONSE>;

/**
 * A device or gateway that is gone is in nobody's group any more. Of a group whose last gateway has
 * gone, gateways are chosen as of one that never named any.
 */
function leave(
  groups: Store<DeviceGroup, 'member' | 'gateway'>,
  index: 'member' | 'gateway',
  list: 'devices' | 'gateways',
  eui: string,
): void {
  for (const group of groups.by(index, eui)) {
    groups.put({ ...group, [list]: group[list].filter((each) => each !== eui) });
  }
}

/** A group that is new, without an id. */
const createNew = (given: GivenGroup, { by, nowUs }: Asking, look: Look) =>
  changed({ ...given, owner: by, id: '', createdAtUs: nowUs }, given, look);
