/** Fields of multicast groups, as device and gateway management has them (v0). */

import { ANY_NUMBER, type Fields, type Of } from '../../../sim/base/rows/fields.ts';
import { HEX_EUI, listOf, record, responseField } from '../../rows/answers.ts';
import { EUI } from '../../rows/fields.ts';

const source = 'device and gateway management, multicast group (v0)';

/** Seconds. */
export const PING_SLOT_PERIODS = [1, 2, 4, 8, 16, 32, 64, 128] as const;

/** What may be changed. */
export const CHANNEL = {
  Name: {
    type: 'text',
    required: true,
    failure: 'multicastGroup.name',
    is: 'A label; several groups may have it.',
    source,
  },
  DataRate: {
    type: 'whole',
    least: 0,
    most: 15,
    required: true,
    failure: 'multicastGroup.data-rate',
    is: 'Of its frames: index of one of the region’s data rates for downlinks.',
    source,
  },
  Frequency: {
    type: 'number',
    least: 1,
    most: 999_999_999,
    rule: Number.isInteger,
    allowed: 'a whole number of hertz',
    required: true,
    failure: 'multicastGroup.frequency',
    is: 'Of its frames, in hertz; within the region’s sub-bands for downlinks.',
    source,
  },
} as const satisfies Fields;

const KEY = {
  type: 'hex',
  digits: 32,
  secret: true,
  required: true,
  failure: 'multicastGroup.keys',
} as const;

/** What a group is created with. */
export const CREATION = {
  Name: CHANNEL.Name,
  MulticastDevEUI: {
    ...EUI,
    required: true,
    is: 'Messages to it go to the group; that of no other group and no device of the world.',
    source,
  },
  MulticastDevAddr: {
    type: 'hex',
    digits: 8,
    required: true,
    failure: 'multicastGroup.address',
    is: 'The address that its frames bear; that of no other group of the world.',
    source,
  },
  GroupType: {
    type: 'choice',
    words: ['B', 'C'],
    required: true,
    failure: 'multicastGroup.type',
    is: 'B: its frames go out in ping slots. C: at any time.',
    source,
  },
  MulticastNwkSKey: { ...KEY, is: 'Its network session key; never answered.', source },
  MulticastAppSKey: { ...KEY, is: 'Its application session key; never answered.', source },
  DataRate: CHANNEL.DataRate,
  Frequency: CHANNEL.Frequency,
  PingSlotPeriod: {
    type: 'whole',
    least: -ANY_NUMBER,
    most: ANY_NUMBER,
    null: 'absent',
    failure: 'multicastGroup.ping-slot-period',
    is:
      'From one ping slot to the next, seconds. Class B needs one of ' +
      `${PING_SLOT_PERIODS.join(', ')}; class C ignores it.`,
    source,
  },
} as const satisfies Fields;

/** What is given to create a group. */
export type Creation = Of<{ readonly type: 'record'; readonly fields: typeof CREATION }>;

/** A group as it is reported: without its keys. */
export const RESPONSE_FIELDS = record({
  Name: responseField(CREATION.Name),
  MulticastDevEUI: responseField({ ...HEX_EUI, is: 'What messages are addressed to.', source }),
  MulticastDevAddr: responseField({
    type: 'hex',
    digits: 8,
    is: 'The address of its frames.',
    source,
  }),
  GroupType: responseField(CREATION.GroupType),
  DataRate: responseField(CREATION.DataRate),
  Frequency: responseField(CREATION.Frequency),
  PingSlotPeriod: {
    type: 'whole',
    least: 1,
    most: 128,
    is: 'From one ping slot to the next, seconds; absent in class C.',
    source,
  },
});

// ── who belongs to it ────────────────────────────────────────────────────────────────────────────

/** Devices or gateways in one call. */
const MOST_AT_ONCE = 10;

export const DEVICES = {
  Devices: {
    type: 'list',
    of: EUI,
    most: MOST_AT_ONCE,
    required: true,
    failure: 'multicastGroup.devices',
    is: 'DevEUIs of one’s devices.',
    source,
  },
} as const satisfies Fields;

export const GATEWAYS = {
  Gateways: {
    type: 'list',
    of: { type: 'text' },
    most: MOST_AT_ONCE,
    required: true,
    failure: 'multicastGroup.gateways',
    is: 'One’s gateways, by node ids or Ids.',
    source,
  },
} as const satisfies Fields;

const EUIS = listOf(HEX_EUI);
const ignored = 'They belonged to it already, or cannot, and stay as they are.';
const notMembers = 'They did not belong to it.';

export const ADDED = {
  devices: record({
    DevicesAdded: responseField({ ...EUIS, is: 'They belong to it from now on.', source }),
    DevicesIgnored: responseField({ ...EUIS, is: ignored, source }),
  }),
  gateways: record({
    GatewaysAdded: responseField({ ...EUIS, is: 'They send its frames from now on.', source }),
    GatewaysIgnored: responseField({ ...EUIS, is: ignored, source }),
  }),
} as const;

export const REMOVED = {
  devices: record({
    DevicesRemoved: responseField({ ...EUIS, is: 'They belong to it no more.', source }),
    DevicesIgnored: responseField({ ...EUIS, is: notMembers, source }),
  }),
  gateways: record({
    GatewaysRemoved: responseField({ ...EUIS, is: 'They send its frames no more.', source }),
    GatewaysIgnored: responseField({ ...EUIS, is: notMembers, source }),
  }),
} as const;
