/** The operations on multicast groups: what each takes, answers and refuses with. */

import type { Operations } from '../../kit/resource.ts';
import { HEX_EUI, listOf, record, responseField } from '../../rows/answers.ts';
import { body, changes, EUIS, euiOf } from '../../rows/fields.ts';
import { RESPONSE } from '../response.ts';
import { ADDED, CHANNEL, CREATION, DEVICES, GATEWAYS, REMOVED, RESPONSE_FIELDS } from './rows.ts';

const source = 'device and gateway management, multicast group (v0)';

const MulticastDevEUI = euiOf('The multicast group, by its EUI.');

const scenarioOnly = { ...EUIS, only: 'scenario', failure: 'multicastGroup.devices' } as const;

const unknown = ['multicastGroup.unknown'] as const;
const CHANNEL_FAILURES = ['multicastGroup.data-rate', 'multicastGroup.frequency'] as const;
const membership = { verb: 'change' } as const;
const ofDevices = [...unknown, 'multicastGroup.unknown-device'] as const;
const ofGateways = [...unknown, 'multicastGroup.unknown-gateway'] as const;

export const OPERATIONS = {
  'multicastGroup.create': {
    verb: 'create',
    takes: {
      group: body(CREATION),
      Devices: { ...scenarioOnly, is: 'DevEUIs of its devices.' },
      Gateways: { ...scenarioOnly, is: 'EUIs of its gateways.' },
    },
    answers: RESPONSE,
    fails: [
      'multicastGroup.exists',
      'multicastGroup.address-taken',
      'multicastGroup.ping-slot-period',
      'multicastGroup.unknown-device',
      'multicastGroup.unknown-gateway',
      ...CHANNEL_FAILURES,
    ],
    is: 'Makes a group, which has no devices and no gateways yet.',
  },
  'multicastGroup.list': {
    verb: 'list',
    takes: {},
    answers: record({
      MulticastGroups: responseField({
        ...listOf(RESPONSE_FIELDS),
        is: 'In the order of their EUIs.',
      }),
    }),
    inSteps: true,
    fails: [],
    is: 'Every group, without its keys.',
  },
  'multicastGroup.get': {
    verb: 'get',
    takes: { MulticastDevEUI },
    answers: record({ MulticastGroup: responseField({ ...RESPONSE_FIELDS, is: 'The group.' }) }),
    fails: unknown,
    is: 'A group, without its keys.',
  },
  'multicastGroup.update': {
    verb: 'change',
    takes: { MulticastDevEUI, group: changes(CHANNEL) },
    answers: RESPONSE,
    fails: [...unknown, ...CHANNEL_FAILURES],
    is: 'Gives a group another name, data rate or frequency, to itself and to its devices.',
  },
  'multicastGroup.delete': {
    verb: 'delete',
    takes: { MulticastDevEUI },
    answers: RESPONSE,
    fails: unknown,
    is: 'Deletes a group; its devices and gateways stay. What waits to be sent is dropped.',
  },
  'multicastGroup.addDevices': {
    ...membership,
    takes: { MulticastDevEUI, ...DEVICES },
    answers: ADDED.devices,
    fails: ofDevices,
    is: 'Gives devices the keys of a group.',
  },
  'multicastGroup.removeDevices': {
    ...membership,
    takes: { MulticastDevEUI, ...DEVICES },
    answers: REMOVED.devices,
    fails: ofDevices,
    is: 'Takes the keys of a group from devices.',
  },
  'multicastGroup.gateways': {
    verb: 'get',
    takes: { MulticastDevEUI },
    answers: record({ Gateways: responseField({ ...listOf(HEX_EUI), is: 'Node ids.', source }) }),
    fails: unknown,
    is: 'The gateways of a group, in the order in which they were added.',
  },
  'multicastGroup.addGateways': {
    ...membership,
    takes: { MulticastDevEUI, ...GATEWAYS },
    answers: ADDED.gateways,
    fails: ofGateways,
    is: 'Has gateways send the frames of a group.',
  },
  'multicastGroup.removeGateways': {
    ...membership,
    takes: { MulticastDevEUI, ...GATEWAYS },
    answers: REMOVED.gateways,
    fails: ofGateways,
    is: 'Has gateways send the frames of a group no more.',
  },
} as const satisfies Operations;
