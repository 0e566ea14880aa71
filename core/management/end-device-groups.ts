/**
 * Device groups of device and gateway management: labels under which a subscriber finds devices.
 * The update service's groups, which say who is updated together, are others
 * (core/update-service/device-groups.ts). A device may stand in several; who is deleted leaves all
 * (docs/operations.md, Device group of management).
 */
import { andThen, fail, ok } from '../../sim/base/result.ts';
import { effective, type Fields, type Of } from '../../sim/base/rows/fields.ts';
import { FRM_PAYLOAD } from '../base/application-data.ts';
import { MEDIUM_ID_GIVEN } from '../base/ids.ts';
import { oneStep, type Sliced, type Steps } from '../base/in-steps.ts';
import type { Asking } from '../base/subscribers.ts';
import { declareResource, handlers, type Operations, type Surroundings } from '../kit/resource.ts';
import { HEX_EUI, INSTANT, listOf, record, responseField } from '../rows/answers.ts';
import { body, changes, EUIS } from '../rows/fields.ts';
import { type DeviceTable, fullAt } from './end-devices/device-table.ts';
import { FULL } from './end-devices/rows.ts';
import { type GroupRecord, GroupRecords } from './group-records.ts';
import { groupChanges, groupId, groupName, GROUP_ID as Id, membersOf } from './groups.ts';
import { type Range, rangeOf } from './range.ts';
import { RESPONSE } from './response.ts';

const source = 'device and gateway management, device group';

export const END_DEVICE_GROUP = {
  Name: groupName('endDeviceGroup.name', source),
  DeviceList: {
    ...EUIS,
    default: [],
    null: 'absent',
    failure: 'endDeviceGroup.devices',
    is: 'DevEUIs of its devices, each stored once, in the order in which they are given.',
    source,
  },
} as const satisfies Fields;

const RESPONSE_FIELDS = record({
  Id: groupId(source),
  Name: responseField(END_DEVICE_GROUP.Name),
  DeviceList: responseField({ ...listOf(HEX_EUI), is: 'DevEUIs of its devices.', source }),
  Devices: responseField({
    ...listOf(FULL),
    is: 'The same devices with all their fields.',
    source,
  }),
});

const SEARCH = {
  Payload: {
    ...FRM_PAYLOAD,
    failure: 'endDeviceGroup.payload',
    is: 'The whole payload that is looked for; any when absent.',
    source,
  },
  StartTime: { ...INSTANT, is: 'Nothing before it counts.', source },
  EndTime: { ...INSTANT, is: 'Nothing after it counts.', source },
} as const satisfies Fields;

const unknown = ['endDeviceGroup.unknown'] as const;
const unknownDevice = ['endDeviceGroup.unknown-device'] as const;
const changing = {
  verb: 'change',
  answers: RESPONSE,
  fails: [...unknown, ...unknownDevice],
} as const;

const OPERATIONS = {
  'endDeviceGroup.create': {
    verb: 'create',
    takes: { group: body(END_DEVICE_GROUP), id: MEDIUM_ID_GIVEN },
    answers: record({ Id: groupId(source) }),
    fails: ['endDeviceGroup.exists', ...unknownDevice],
    is: 'Makes a group.',
  },
  'endDeviceGroup.list': {
    verb: 'list',
    takes: {},
    answers: record({
      DeviceGroups: responseField({ ...listOf(RESPONSE_FIELDS), is: 'In the order of their ids.' }),
    }),
    inSteps: true,
    fails: [],
    is: 'Every group.',
  },
  'endDeviceGroup.get': {
    verb: 'get',
    takes: { Id },
    answers: RESPONSE_FIELDS,
    inSteps: true,
    fails: unknown,
    is: 'A group.',
  },
  'endDeviceGroup.replace': {
    ...changing,
    takes: { Id, group: body(END_DEVICE_GROUP) },
    is: 'Gives a group another name and other devices; no devices where none are given.',
  },
  'endDeviceGroup.update': {
    ...changing,
    takes: { Id, group: changes(END_DEVICE_GROUP) },
    is: 'Changes what is given of a group; the rest stays.',
  },
  'endDeviceGroup.delete': {
    verb: 'delete',
    takes: { Id },
    answers: RESPONSE,
    fails: unknown,
    is: 'Deletes a group; its devices stay.',
  },
  'endDeviceGroup.recent': {
    verb: 'get',
    takes: { Id, ...SEARCH },
    answers: record({
      DeviceList: responseField({
        ...listOf(HEX_EUI),
        is: 'DevEUIs of the devices that sent it, in the order of the group.',
        source,
      }),
    }),
    inSteps: true,
    fails: [...unknown, 'payload.range'],
    is: 'The devices of a group that sent a payload in some time, as far as it is stored.',
  },
} as const satisfies Operations;

/** What groups use of the platform and of other resources. */
export interface EndDeviceGroupNeeds extends Pick<Surroundings, 'ids'> {
  readonly endDevice: {
    /** The caller's devices, or those of the named ones that there are, as they are now. */
    tableOf(asking: Asking, devEuis?: readonly string[]): DeviceTable;
  };
  readonly payload: {
    /** Which devices sent a payload, or any, within these instants of virtual time. */
    sentBy(
      devEuis: readonly string[],
      payloadHex: string | undefined,
      range: Range,
      asking: Asking,
    ): Steps<ReadonlySet<string>>;
  };
}

export const endDeviceGroupResource = declareResource({
  name: 'endDeviceGroup',
  is: 'Groups of devices in management.',
  permission: 'Device',
  failures: {
    'endDeviceGroup.name': 'malformed',
    'endDeviceGroup.devices': 'malformed',
    'endDeviceGroup.unknown-device': 'malformed',
    'endDeviceGroup.payload': 'malformed',
    'endDeviceGroup.unknown': 'unknown',
    'endDeviceGroup.exists': 'conflict',
  },
  operations: OPERATIONS,
  make: (needs: EndDeviceGroupNeeds) => {
    const groups = new GroupRecords('endDeviceGroups');
    const { known, create, change, remove } = groupChanges(groups, needs.ids, {
      noun: 'device group',
      unknown: 'endDeviceGroup.unknown',
      exists: 'endDeviceGroup.exists',
      membersIn: knownDevices,
    });

    return {
      ...groups.saving,
      handle: handlers(OPERATIONS, {
        'endDeviceGroup.create': ({ group: { Name: name, DeviceList: listed }, id }, asking) =>
          create({ name, listed }, id, asking),
        'endDeviceGroup.list': (_, asking) => {
          const table = needs.endDevice.tableOf(asking);
          const placeOf = placesIn(table);
          const reports = groups.list(asking.by).map((each) => answerOf(each, table, placeOf));
          return ok(oneStep({ DeviceGroups: reports }));
        },
        'endDeviceGroup.get': ({ Id }, asking) =>
          andThen(known(asking.by, Id), (group) => {
            const table = needs.endDevice.tableOf(asking, group.members);
            return ok(oneStep(answerOf(group, table, placesIn(table))));
          }),
        'endDeviceGroup.replace': ({ Id, group }, asking) =>
          change(Id, headingOf(effective(END_DEVICE_GROUP, group)), asking),
        'endDeviceGroup.update': ({ Id, group }, asking) => change(Id, headingOf(group), asking),
        'endDeviceGroup.delete': ({ Id }, asking) => remove(Id, asking),
        'endDeviceGroup.recent': ({ Id, Payload, ...times }, asking) =>
          andThen(known(asking.by, Id), ({ members }) =>
            andThen(rangeOf(times, asking.view, 'payload.range'), (range) => {
              const sent = needs.payload.sentBy(members, Payload, range, asking);
              return ok(those(members, sent));
            }),
          ),
      }),

      /** Groups in which a device stands, in the order of their ids: O(those groups). */
      groupsOf: (devEui: string): readonly GroupName[] =>
        groups.groupsOf(devEui).map(({ id, name }) => ({ id, name })),

      /** The same of very many devices, which may share a list. */
      groupsOfEach: (devEuis: readonly string[]): readonly (readonly GroupName[])[] =>
        groups.groupsOfEach(devEuis),

      hears: { deviceRemoved: ({ devEui }: { readonly devEui: string }) => groups.leave(devEui) },
    };
  },
});

/** A group as the devices tell it that stand in it. */
export interface GroupName {
  readonly id: string;
  readonly name: string;
}

/** What is given of a group. */
interface GivenGroup {
  readonly Name?: string;
  readonly DeviceList?: readonly string[];
}

const headingOf = ({ Name: name, DeviceList: listed }: GivenGroup) => ({ name, listed });

/** Devices that are listed are the caller's. */
function knownDevices(devices: readonly string[], { view }: Asking) {
  const wrong = devices.findIndex((devEui) => view.device(devEui) === undefined);
  if (wrong < 0) return ok(devices);
  const message = `There is no device ${devices[wrong]}.`;
  return fail('endDeviceGroup.unknown-device', message, `/DeviceList/${wrong}`);
}

/** The members that are among these, in the order of the group. */
function* those(
  members: readonly string[],
  among: Steps<ReadonlySet<string>>,
): Steps<{ DeviceList: readonly string[] }> {
  const found = yield* among;
  return { DeviceList: members.filter((devEui) => found.has(devEui)) };
}

type Response = Sliced<Of<typeof RESPONSE_FIELDS>>;
type PlaceOf = (devEui: string) => number;

/** Where devices stand in a table; looked up when the first of them is reported. */
function placesIn({ network }: DeviceTable): PlaceOf {
  let places: ReadonlyMap<string, number> | undefined;
  return (devEui) => {
    places ??= new Map(network.devEui.map((each, place) => [each, place]));
    return places.get(devEui)!;
  };
}

/** A group with its devices as they are in the table: a device that goes leaves its groups. */
const answerOf = (group: GroupRecord, table: DeviceTable, placeOf: PlaceOf): Response => ({
  Id: group.id,
  Name: group.name,
  DeviceList: group.members,
  Devices: membersOf(group, (devEui) => fullAt(table, placeOf(devEui))),
});
