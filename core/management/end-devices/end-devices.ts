/**
 * End-devices as device and gateway management has them (v1): they are registered with their keys,
 * refer to profiles, a decoder type and an output profile, and are told with their statistics. A
 * device that is registered is put on the air; one that is deleted is taken off it.
 */
import { andThen, fail, ok, type Result } from '../../../sim/base/result.ts';
import { oneStep, type Slices } from '../../base/in-steps.ts';
import type { Asking } from '../../base/subscribers.ts';
import { HEX_EUI, listOf, record, told } from '../../kit/answers.ts';
import { body, changes, effective, euiOf, type Given } from '../../kit/fields.ts';
import {
  declareResource,
  handlers,
  type Operations,
  type Surroundings,
} from '../../kit/resource.ts';
import type { NetworkRequest } from '../../network-requests.ts';
import type { DeviceView, NetworkView, OwnView } from '../../network-view.ts';
import { knownDevice } from '../../simulator/devices.ts';
import { placeNear } from '../../simulator/places.ts';
import type { PayloadDecoder } from '../decoder-types.ts';
import type { DeviceProfile } from '../device-profiles.ts';
import { type Referred, UNKNOWN_REFERENCES, unknownReference } from '../references.ts';
import { RESPONSE, responded } from '../response.ts';
import { HEALTH_STATES, type UplinkStatistics } from '../statistics/figures.ts';
import type { StatisticsColumns } from '../statistics/reader.ts';
import { type DeviceTable, fullByDevEui } from './device-table.ts';
import { fullDevice } from './full-device.ts';
import { keysOf } from './key-rules.ts';
import { requestsFor } from './on-air.ts';
import { type Derived, Registrations, type Said } from './registrations.ts';
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
    answers: record({ Id: told({ ...HEX_EUI, is: 'Its id, which is its DevEUI.' }) }),
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
    answers: record({ Devices: told({ ...listOf(FULL), is: 'In the order of their DevEUIs.' }) }),
    inSteps: true,
    fails: [],
    is: 'One’s devices with all their fields.',
  },
  'endDevice.health': {
    verb: 'list',
    takes: {},
    answers: record({
      Good: told({ ...listOf(FULL), is: 'Those that are heard well.' }),
      Fair: told({ ...listOf(FULL), is: 'Those that are heard fairly.' }),
      Poor: told({ ...listOf(FULL), is: 'Those that are heard poorly.' }),
      Offline: told({ ...listOf(FULL), is: 'Those that are not heard any more, or not yet.' }),
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
export interface Needs extends Pick<Surroundings, 'outbox' | 'world'>, Referred, Derived {
  readonly serviceProfile: Referred['serviceProfile'] & Derived['serviceProfile'];
  readonly deviceProfile: Derived['deviceProfile'] & {
    get(id: string, view: NetworkView): DeviceProfile | undefined;
  };
  readonly statistics: {
    of(devEui: string, nowUs: number): UplinkStatistics;
    columnsAt(devEuis: readonly string[], nowUs: number): StatisticsColumns;
  };
  readonly decoderType: {
    get(id: string, by: string): { readonly PayloadDecoder: PayloadDecoder } | undefined;
  };
}

type Update = Partial<Given<typeof REFERENCES>>;

export const endDeviceResource = declareResource({
  name: 'endDevice',
  permission: 'Device',
  failures: {
    'endDevice.keys': 'malformed',
    'endDevice.name': 'conflict',
    'endDevice.address': 'conflict',
    'endDevice.profile': 'conflict',
  },
  operations: OPERATIONS,
  make: (needs: Needs) => {
    const { outbox, world } = needs;
    const registrations = new Registrations(needs);

    const registrationOf = (device: DeviceView, { by }: Pick<Asking, 'by'>) =>
      registrations.of(by, device);

    const fullOf = (device: DeviceView, asking: Asking): FullDevice => {
      const registration = registrationOf(device, asking);
      const decoder = needs.decoderType.get(registration.decoderType, asking.by);
      const payloadDecoder = decoder?.PayloadDecoder ?? '';
      const statistics = needs.statistics.of(device.devEui, asking.nowUs);
      return fullDevice(device, registration, payloadDecoder, statistics, asking.view);
    };

    /** The asker's devices, or those of the named ones that there are, as they are now. */
    const tableOf = ({ by, nowUs, view }: Asking, devEuis?: readonly string[]): DeviceTable => {
      const network = view.deviceColumns(devEuis);
      return {
        network,
        statistics: needs.statistics.columnsAt(network.devEui, nowUs),
        registrationAt: registrations.ofEach(by, network),
        decoderOf: (id) => needs.decoderType.get(id, by)?.PayloadDecoder ?? '',
        facts: view,
      };
    };

    const note = (devEui: string, said: Said, asking: Asking) => {
      const change = { updatedAtUs: asking.nowUs, updatedBy: needs.account.idOf(asking) };
      registrations.note(asking.by, devEui, said, change);
    };

    /** What the network is to do for a device that gets this profile, where it is another. */
    const becoming = (device: DeviceView, profile: DeviceProfile, asking: Asking) =>
      registrationOf(device, asking).deviceProfile === profile.Id
        ? ok<readonly NetworkRequest[]>([])
        : requestsFor(device, profile);

    const profileOf = (id: string, view: OwnView) => {
      const profile = needs.deviceProfile.get(id, view);
      const message = `No device profile is ${id}.`;
      return profile === undefined
        ? fail('deviceProfile.unknown', message, '/DeviceProfile')
        : ok(profile);
    };

    /** What the network is to do for a change of references. */
    const requestsOf = (
      device: DeviceView,
      { DeviceProfile: id }: Update,
      asking: Asking,
    ): ReturnType<typeof becoming> | Result<never, 'deviceProfile.unknown'> => {
      // A device may be of a type that is nobody else's to choose.
      if (id === undefined || id === registrationOf(device, asking).deviceProfile) return ok([]);
      return andThen(profileOf(id, asking.view), (profile) => becoming(device, profile, asking));
    };

    /** Another device of the subscriber has the name. */
    const isTaken = (name: string, devEui: string, { view }: Asking) =>
      view.devicesNamed(name).some((each) => each.devEui !== devEui);

    const nameTaken = (name: string) =>
      fail('endDevice.name', `Another device is called ${name}.`, '/Name');

    /** Changes a device, or nothing. */
    const change = (devEui: string, update: Update, asking: Asking) =>
      andThen(knownDevice(asking.view, devEui), (device) => {
        const { Name, ...said } = update;
        const isRenamed = Name !== undefined && Name !== device.name;
        const unknown = unknownReference(needs, said, asking);
        if (unknown !== undefined) return fail(...unknown);
        if (isRenamed && isTaken(Name, devEui, asking)) return nameTaken(Name);
        return andThen(requestsOf(device, said, asking), (requests) => {
          const { nowUs } = asking;
          for (const request of requests) outbox.add(request, nowUs);
          if (isRenamed) outbox.add({ kind: 'device.change', devEui, name: Name }, nowUs);
          return responded(note(devEui, said, asking));
        });
      });

    return {
      ...registrations.saving,
      hears: {
        deviceRemoved: ({ devEui }: { readonly devEui: string }, { owner }: { owner: string }) =>
          registrations.forget(owner, devEui),
      },
      handle: handlers(OPERATIONS, {
        'endDevice.create': ({ device: given }, asking) => {
          const { by, nowUs, view } = asking;
          const { DevEUI: devEui, Name: name } = given;
          const profile = profileOf(given.DeviceProfile, view);
          if (!profile.ok) return profile;
          const keys = keysOf(given, profile.value);
          if (!keys.ok) return keys;
          const unknown = unknownReference(needs, given, asking);
          if (unknown !== undefined) return fail(...unknown);
          if (world.has('device', devEui)) {
            const message = `A device with DevEUI ${devEui} is in the network already.`;
            return fail('device.exists', message);
          }
          if (isTaken(name, devEui, asking)) return nameTaken(name);
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
          note(devEui, referencesOf(given), asking);
          return ok({ Id: devEui });
        },
        'endDevice.list': (_, asking) => ok(oneStep({ Devices: fullByDevEui(tableOf(asking)) })),
        'endDevice.health': (_, asking) => {
          const table = tableOf(asking);
          const { health } = table.statistics;
          const [Good, Fair, Poor, Offline] = HEALTH_STATES.map((_, state) =>
            fullByDevEui(table, (place) => health[place] === state),
          ) as [Slices<FullDevice>, Slices<FullDevice>, Slices<FullDevice>, Slices<FullDevice>];
          return ok(oneStep({ Good, Fair, Poor, Offline }));
        },
        'endDevice.get': ({ DevEUI }, asking) =>
          andThen(knownDevice(asking.view, DevEUI), (device) => ok(fullOf(device, asking))),
        'endDevice.replace': ({ DevEUI, device }, asking) =>
          change(DevEUI, effective(REFERENCES, device), asking),
        'endDevice.update': ({ DevEUI, device }, asking) => {
          const { RemoveOutputProfile, ...update } = device;
          const removed = RemoveOutputProfile === true ? { OutputProfile: '' } : {};
          return change(DevEUI, { ...update, ...removed }, asking);
        },
        'endDevice.delete': ({ DevEUI }, { nowUs, view }) =>
          andThen(knownDevice(view, DevEUI), () =>
            responded(outbox.add({ kind: 'device.remove', devEui: DevEUI }, nowUs)),
          ),
      }),

      /** What is on record of a device of the asker. */
      registrationOf,

      /** A device of the asker with all its fields. */
      fullOf,

      /** Very many devices of the asker, for who lists them. */
      tableOf,

      /** Whether the data of a subscriber's device are private; `view` is that of the subscriber. */
      isPrivate: (owner: string, devEui: string, view: OwnView): boolean =>
        registrations.isPrivate(owner, devEui, view),

      /** Gives a device of the asker another profile, if it can have it. */
      giveProfile: (devEui: string, profile: DeviceProfile, asking: Asking) =>
        andThen(knownDevice(asking.view, devEui), (device) =>
          andThen(becoming(device, profile, asking), (requests) => {
            for (const request of requests) outbox.add(request, asking.nowUs);
            return responded(note(devEui, { DeviceProfile: profile.Id }, asking));
          }),
        ),
    };
  },
});

/** What a new device refers to. */
function referencesOf(given: Given<typeof REFERENCES>): Said {
  const { Name: _, ...said } = effective(REFERENCES, given);
  const { ServiceProfile, DeviceProfile, DecoderType, OutputProfile, PrivateData } = said;
  return { ServiceProfile, DeviceProfile, DecoderType, OutputProfile, PrivateData };
}
