/**
 * End-devices as device and gateway management has them (v1): they are registered with their keys,
 * refer to profiles, a decoder type and an output profile, and are reported with their statistics.
 * A device that is registered is put on the air; one that is deleted is taken off it.
 */
import { andThen, ok } from '../../../sim/base/result.ts';
import { effective } from '../../../sim/base/rows/fields.ts';
import type { DeviceView, NetworkView } from '../../../sim/contract/view.ts';
import { oneStep, type Slices } from '../../base/in-steps.ts';
import type { Asking, OwnView } from '../../base/subscribers.ts';
import {
  declareResource,
  handlers,
  type Operations,
  type Surroundings,
} from '../../kit/resource.ts';
import { HEX_EUI, listOf, record, responseField } from '../../rows/answers.ts';
import { body, changes, euiOf } from '../../rows/fields.ts';
import { knownDevice } from '../../simulator/devices.ts';
import type { PayloadDecoder } from '../decoders/decoder-types.ts';
import type { DeviceProfile } from '../device-profiles.ts';
import { type Referred, UNKNOWN_REFERENCES } from '../references.ts';
import { RESPONSE } from '../response.ts';
import { HEALTH_STATES, type UplinkStatistics } from '../statistics/figures.ts';
import type { Registered, StatisticsCopy } from '../statistics/reader.ts';
import { type ChangeNeeds, DeviceChanges } from './changes.ts';
import { type DeviceTable, fullByDevEui } from './device-table.ts';
import { fullDevice } from './full-device.ts';
import { type Derived, Registrations } from './registrations.ts';
import { CHANGE, CREATION, FULL, type FullDevice, REFERENCES } from './rows.ts';

const DevEUI = euiOf('The device, by its DevEUI.');

const REFUSED_CHANGES = [
  'device.unknown',
  'endDevice.name',
  'endDevice.profile',
  'deviceProfile.unknown',
  ...UNKNOWN_REFERENCES,
] as const;

const OPERATIONS = {
  'endDevice.create': {
    verb: 'create',
    takes: { device: body(CREATION) },
    answers: record({ Id: responseField({ ...HEX_EUI, is: 'Its id, which is its DevEUI.' }) }),
    fails: [
      'endDevice.keys',
      'endDevice.name',
      'endDevice.address',
      'device.exists',
      'deviceProfile.unknown',
      ...UNKNOWN_REFERENCES,
    ],
    is: 'Registers a device with its keys, and puts it on the air near one’s first gateway.',
  },
  'endDevice.list': {
    verb: 'list',
    takes: {},
    answers: record({
      Devices: responseField({ ...listOf(FULL), is: 'In the order of their DevEUIs.' }),
    }),
    inSteps: true,
    fails: [],
    is: 'One’s devices with all their fields.',
  },
  'endDevice.health': {
    verb: 'list',
    takes: {},
    answers: record({
      Good: responseField({ ...listOf(FULL), is: 'Those that are heard well.' }),
      Fair: responseField({ ...listOf(FULL), is: 'Those that are heard fairly.' }),
      Poor: responseField({ ...listOf(FULL), is: 'Those that are heard poorly.' }),
      Offline: responseField({
        ...listOf(FULL),
        is: 'Those that are not heard any more, or not yet.',
      }),
    }),
    inSteps: true,
    fails: [],
    is: 'The same by their states of health, each list in the order of DevEUIs.',
  },
  'endDevice.get': {
    verb: 'get',
    takes: { DevEUI },
    answers: FULL,
    fails: ['device.unknown'],
    is: 'One device with all its fields.',
  },
  'endDevice.replace': {
    verb: 'change',
    takes: { DevEUI, device: body(REFERENCES) },
    answers: RESPONSE,
    fails: REFUSED_CHANGES,
    is: 'Replaces a device’s name and what it refers to; what is not given is as by default.',
  },
  'endDevice.update': {
    verb: 'change',
    takes: { DevEUI, device: changes(CHANGE) },
    answers: RESPONSE,
    fails: REFUSED_CHANGES,
    is: 'Changes what is given of a device’s name and of what it refers to; the rest stays.',
  },
  'endDevice.delete': {
    verb: 'delete',
    takes: { DevEUI },
    answers: RESPONSE,
    fails: ['device.unknown'],
    is: 'Deletes a device, and takes it off the air.',
  },
} as const satisfies Operations;

/** What else this resource uses. */
export interface Needs extends ChangeNeeds, Derived, Pick<Surroundings, 'copies'> {
  readonly serviceProfile: Referred['serviceProfile'] & Derived['serviceProfile'];
  readonly deviceProfile: Derived['deviceProfile'] & {
    get(id: string, view: NetworkView): DeviceProfile | undefined;
    presetsOutputProfile(owner: string, id: string): boolean;
  };
  readonly statistics: {
    of(devEui: string, createdAtUs: number, nowUs: number): UplinkStatistics;
    columnsAt(registered: Registered, nowUs: number): StatisticsCopy;
  };
  readonly decoderType: {
    get(id: string, by: string): { readonly PayloadDecoder: PayloadDecoder } | undefined;
  };
}

/** What other resources ask about a subscriber's devices, and change in them. */
function forOthers(needs: Needs, registrations: Registrations, deviceChanges: DeviceChanges) {
  return {
    /** Whether the data of a subscriber's device are private, by the subscriber's view. */
    isPrivate: registrations.isPrivate.bind(registrations),

    /** Whether a device of a subscriber was set to refer to this. */
    refersTo: registrations.refersTo.bind(registrations),

    /** The output profile of a subscriber's device, by the subscriber's view; '': none. */
    outputProfileOf: (owner: string, devEui: string, view: OwnView): string =>
      registrations.outputProfileOf(owner, devEui, view),

    /** The caller's devices that have an output profile, in no particular order. */
    withOutputProfile: (id: string, { by, view }: Asking): readonly string[] =>
      needs.deviceProfile.presetsOutputProfile(by, id)
        ? withOutputProfile(id, registrations.ofEach(by, view.deviceColumns()), view)
        : registrations.saidToHave(by, id),

    /** Gives a device of the caller another output profile; '': none. */
    giveOutputProfile: (devEui: string, OutputProfile: string, asking: Asking) =>
      deviceChanges.change(devEui, { OutputProfile }, asking),

    /** Gives a device of the caller another profile, if it can have it. */
    giveProfile: (devEui: string, profile: DeviceProfile, asking: Asking) =>
      deviceChanges.giveProfile(devEui, profile, asking),
  };
}

export const endDeviceResource = declareResource({
  name: 'endDevice',
  is: 'Devices as management sees them, version 1.',
  permission: 'Device',
  failures: {
    'endDevice.keys': 'malformed',
    'endDevice.name': 'conflict',
    'endDevice.address': 'conflict',
    'endDevice.profile': 'conflict',
  },
  operations: OPERATIONS,
  make: (needs: Needs) => {
    const registrations = new Registrations(needs);
    const deviceChanges = new DeviceChanges(needs, registrations);

    const registrationOf = (device: DeviceView, { by }: Pick<Asking, 'by'>) =>
      registrations.of(by, device);

    const fullOf = (device: DeviceView, asking: Asking): FullDevice => {
      const registration = registrationOf(device, asking);
      const payloadDecoder = wordOf(needs, registration.decoderType, asking.by);
      const statistics = needs.statistics.of(device.devEui, device.createdAtUs, asking.nowUs);
      return fullDevice(device, registration, payloadDecoder, statistics, asking.view);
    };

    /** The caller's devices, or those of the named ones that there are, as they are now. */
    const tableOf = ({ by, nowUs, view }: Asking, devEuis?: readonly string[]): DeviceTable => {
      const network = view.deviceColumns(devEuis);
      const { columns, copying } = needs.statistics.columnsAt(network, nowUs);
      return {
        network,
        statistics: columns,
        copy: needs.copies.begin(copying),
        registrationAt: registrations.ofEach(by, network),
        decoderOf: (id) => wordOf(needs, id, by),
        facts: view,
      };
    };

    return {
      ...registrations.saving,
      hears: {
        deviceRemoved: ({ devEui }: { readonly devEui: string }, { owner }: { owner: string }) =>
          registrations.forget(owner, devEui),
      },
      handle: handlers(OPERATIONS, {
        'endDevice.create': ({ device }, asking) => deviceChanges.create(device, asking),
        'endDevice.list': (_, asking) => ok(oneStep({ Devices: fullByDevEui(tableOf(asking)) })),
        'endDevice.health': (_, asking) => ok(oneStep(byHealth(tableOf(asking)))),
        'endDevice.get': ({ DevEUI }, asking) =>
          andThen(knownDevice(asking.view, DevEUI), (device) => ok(fullOf(device, asking))),
        'endDevice.replace': ({ DevEUI, device }, asking) =>
          deviceChanges.change(DevEUI, effective(REFERENCES, device), asking),
        'endDevice.update': ({ DevEUI, device }, asking) => {
          const { RemoveOutputProfile, ...update } = device;
          const removed = RemoveOutputProfile === true ? { OutputProfile: '' } : {};
          return deviceChanges.change(DevEUI, { ...update, ...removed }, asking);
        },
        'endDevice.delete': ({ DevEUI }, asking) => deviceChanges.remove(DevEUI, asking),
      }),

      /** What is on record of a device of the caller. */
      registrationOf,

      /** A device of the caller with all its fields. */
      fullOf,

      /** Very many devices of the caller, for who lists them. */
      tableOf,

      ...forOthers(needs, registrations, deviceChanges),
    };
  },
});

function withOutputProfile(
  id: string,
  registrationAt: (place: number) => { readonly outputProfile: string },
  view: OwnView,
): readonly string[] {
  const { devEui } = view.deviceColumns();
  return devEui.filter((_, place) => registrationAt(place).outputProfile === id);
}
/** The algorithm of a decoder type; '' where there is none. */
const wordOf = ({ decoderType }: Pick<Needs, 'decoderType'>, id: string, by: string) =>
  decoderType.get(id, by)?.PayloadDecoder ?? '';

/** Full devices by their states of health, each list in the order of DevEUIs. */
function byHealth(table: DeviceTable) {
  const { health } = table.statistics;
  const [Good, Fair, Poor, Offline] = HEALTH_STATES.map((_, state) =>
    fullByDevEui(table, (place) => health[place] === state),
  ) as [Slices<FullDevice>, Slices<FullDevice>, Slices<FullDevice>, Slices<FullDevice>];
  return { Good, Fair, Poor, Offline };
}
