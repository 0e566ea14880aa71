/**
 * Devices: they come, are called otherwise, change their class and go, by commands of the
 * subscriber whose they are. What is decided here the network carries out and cannot refuse.
 */
import { toHex } from '../../sim/base/bytes.ts';
import { andThen, fail, found, ok } from '../../sim/base/result.ts';
import type { Fields, Of } from '../../sim/base/rows/fields.ts';
import type { NewDevice } from '../../sim/contract/things.ts';
import type { DeviceView } from '../../sim/contract/view.ts';
import type { Copies } from '../base/copies.ts';
import { type Slices, type Steps, slicesOf } from '../base/in-steps.ts';
import { formatInstant, NEVER_US } from '../base/instant.ts';
import type { OwnView } from '../base/subscribers.ts';
import { vendorKey } from '../base/vendor-key.ts';
import {
  declareResource,
  done,
  handlers,
  type Operations,
  type Surroundings,
  WITHOUT_RECORDS,
} from '../kit/resource.ts';
import { INSTANT, listOf, record, responseField, responseFieldOrNull } from '../rows/answers.ts';
import { body, changes, euiOf } from '../rows/fields.ts';
import { DEVICE, PLACE } from './fields.ts';
import { changeOf, placeNear, placeOf } from './places.ts';

/** The row of a device that is there. */
export const devEui = euiOf('The device, by its DevEUI.');

const INSTALLED = {
  devEui: responseField({ ...DEVICE.devEui, is: 'Its DevEUI.' }),
  name: responseField({ ...DEVICE.name, is: 'What people call it.' }),
  xMeters: responseField(PLACE.xMeters),
  yMeters: responseField(PLACE.yMeters),
  type: responseField(DEVICE.type),
} as const satisfies Fields;

const RESPONSE = record({
  ...INSTALLED,
  typeName: responseField({ type: 'text', is: 'What the world calls its device type.' }),
  activation: responseField({
    type: 'choice',
    words: ['otaa', 'abp'],
    is: 'How it got its session.',
  }),
  deviceClass: responseField({ type: 'choice', words: ['A', 'B', 'C'], is: 'Its class now.' }),
  active: responseField({ type: 'flag', is: 'Whether it has a session.' }),
  lastUplinkAt: responseFieldOrNull({
    ...INSTANT,
    is: 'When its latest uplink came; null: none has come yet.',
  }),
});

const unknown = ['device.unknown'] as const;

const OPERATIONS = {
  'device.create': {
    verb: 'create',
    takes: { device: { ...body(DEVICE), failure: 'device.invalid' } },
    answers: record(INSTALLED),
    fails: ['device.exists', 'device.type', 'device.invalid'],
    is: 'Registers a device and switches it on; it starts within its type’s spread.',
  },
  'device.list': {
    verb: 'list',
    takes: {},
    answers: listOf(RESPONSE),
    inSteps: true,
    fails: [],
    is: 'One’s devices, in the order of their DevEUIs.',
  },
  'device.get': {
    verb: 'get',
    takes: { devEui },
    answers: RESPONSE,
    fails: unknown,
    is: 'One device.',
  },
  'device.change': {
    verb: 'change',
    takes: {
      devEui,
      device: { ...changes({ name: DEVICE.name, ...PLACE }), failure: 'device.invalid' },
    },
    answers: RESPONSE,
    fails: [...unknown, 'device.invalid'],
    is: 'Gives a device another name, or another place: its links are drawn for that.',
  },
  'device.class': {
    verb: 'change',
    takes: {
      devEui,
      deviceClass: {
        type: 'choice',
        words: ['A', 'C'],
        required: true,
        failure: 'device.invalid',
        is: 'Its class from now on.',
      },
    },
    answers: null,
    fails: [...unknown, 'device.class'],
    is: 'Makes a device class A or C; a 1.1 device announces that by DeviceModeInd.',
  },
  'device.remove': {
    verb: 'delete',
    takes: { devEui },
    answers: null,
    fails: unknown,
    is: 'Takes a device away.',
  },
} as const satisfies Operations;

/** What devices use of the platform and of other resources. */
export interface DeviceNeeds extends Pick<Surroundings, 'copies' | 'outbox' | 'world'> {
  readonly multicastGroup: {
    /** Whether some group of the world has this EUI. */
    hasEui(eui: string): boolean;
  };
}

export const deviceResource = declareResource({
  name: 'device',
  is: 'Devices as the simulator sees them.',
  permission: 'Device',
  failures: {
    'device.invalid': 'malformed',
    'device.type': 'malformed',
    'device.unknown': 'unknown',
    'device.exists': 'conflict',
    'device.class': 'conflict',
  },
  operations: OPERATIONS,
  make: (needs: DeviceNeeds) => ({
    handle: handlers(OPERATIONS, {
      'device.create': ({ device: given }, { by, nowUs, view }) => {
        const { keygenType, ...own } = given;
        const { devEui, name = devEui, type = DEVICE.type.default } = own;
        if (keygenType !== undefined && own.genAppKey !== undefined) {
          const message = 'Give genAppKey or keygenType: they are two ways to the same key.';
          return fail('device.invalid', message, '/keygenType');
        }
        if (needs.world.has('device', devEui)) {
          const message = `A device with DevEUI ${devEui} is in the network already.`;
          return fail('device.exists', message);
        }
        if (needs.multicastGroup.hasEui(devEui)) {
          return fail('device.exists', `The EUI ${devEui} is that of a multicast group.`);
        }
        if (type >= view.deviceTypes) {
          return fail('device.type', `Device type ${type} does not exist.`, '/type');
        }
        const place = placeOf(given, 'device.invalid');
        if (!place.ok) return place;
        const { xMeters, yMeters } = place.value ?? placeNear(view, needs.world.placeDraws(devEui));
        const derived = keygenType && { genAppKey: toHex(vendorKey(by, devEui)).toUpperCase() };
        const device: NewDevice = { ...own, ...derived, name, type, xMeters, yMeters };
        needs.world.claim(by, 'device', devEui);
        needs.outbox.add({ kind: 'device.create', device }, nowUs);
        return ok({ devEui, name, type, xMeters, yMeters });
      },
      'device.list': (_, { view }) => ok(listed(view, needs.copies)),
      'device.get': ({ devEui }, { view }) =>
        andThen(knownDevice(view, devEui), (device) => ok(answerOf(device, view))),
      'device.change': ({ devEui, device: given }, { nowUs, view }) =>
        andThen(knownDevice(view, devEui), (device) =>
          andThen(changeOf(given, 'device.invalid'), (change) => {
            needs.outbox.add({ kind: 'device.change', devEui, ...change }, nowUs);
            return ok({ ...answerOf(device, view), ...given });
          }),
        ),
      'device.class': ({ devEui, deviceClass }, { nowUs, view }) =>
        andThen(knownDevice(view, devEui), ({ profile }) =>
          profile.deviceClass === 'B'
            ? fail('device.class', `${devEui} is of class B, which it does not leave.`)
            : done(needs.outbox.add({ kind: 'device.class', devEui, deviceClass }, nowUs)),
        ),
      'device.remove': ({ devEui }, { nowUs, view }) =>
        andThen(knownDevice(view, devEui), () =>
          done(needs.outbox.add({ kind: 'device.remove', devEui }, nowUs)),
        ),
    }),
    // The network keeps the devices, and the platform whose they are.
    ...WITHOUT_RECORDS,
  }),
});

/** A subscriber's own device. */
export const knownDevice = (view: OwnView, devEui: string) =>
  found(view.device(devEui), 'device.unknown', `No device has DevEUI ${devEui}.`);

/** Devices of one step, and of one slice of the list. */
const AT_ONCE = 64;

/** All that are there now, in the order of their DevEUIs. */
function* listed(view: OwnView, copies: Copies): Steps<Slices<Of<typeof RESPONSE>>> {
  const devEuis = [...view.deviceColumns().devEui].sort();
  const all: Of<typeof RESPONSE>[] = [];
  const copying = function* (): Steps<void> {
    for (const devEui of devEuis) {
      all.push(answerOf(view.device(devEui)!, view));
      if (all.length % AT_ONCE === 0) yield;
    }
  };
  yield* copies.begin(copying()).ready();
  return slicesOf(all.length, AT_ONCE, (at) => all[at]!);
}

function answerOf(device: DeviceView, view: OwnView): Of<typeof RESPONSE> {
  const { devEui, name, xMeters, yMeters, profile, active, lastUplinkAtUs } = device;
  return {
    devEui,
    name,
    xMeters,
    yMeters,
    type: profile.type,
    typeName: profile.name,
    activation: profile.activation,
    deviceClass: profile.deviceClass === 'B' ? profile.deviceClass : device.deviceClass,
    active,
    lastUplinkAt: lastUplinkAtUs === NEVER_US ? null : formatInstant(view.unixMs(lastUplinkAtUs)),
  };
}

/** One’s devices in the order of their DevEUIs. */
export const byDevEui = (view: OwnView): readonly DeviceView[] =>
  [...view.devices()].sort((a, b) => (a.devEui < b.devEui ? -1 : 1));
