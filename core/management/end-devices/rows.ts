/** Fields of end-devices, as device and gateway management has them. */

import type { Fields, Of } from '../../../sim/base/rows/fields.ts';
import {
  HEX_EUI,
  INSTANT,
  record,
  responseField,
  responseFieldOrNull,
} from '../../rows/answers.ts';
import { EUI } from '../../rows/fields.ts';
import { PAYLOAD_DECODERS } from '../decoders/decoder-types.ts';
import { HEALTH_STATES } from '../statistics/figures.ts';

const source = 'device and gateway management: Device (v1)';

/** Of what has to be referred to. */
const REFERENCE = { type: 'text', most: 64 } as const;
/** Of what need not be; '' and null where it is absent. */
const OPTIONAL_REFERENCE = { ...REFERENCE, least: 0, default: '', null: 'absent' } as const;

/** What may be changed: a name and references. */
export const REFERENCES = {
  Name: { type: 'text', required: true, is: 'Its name, unique among one’s devices.', source },
  ServiceProfile: { ...REFERENCE, required: true, is: 'Its service profile, by id.', source },
  DeviceProfile: { ...REFERENCE, required: true, is: 'Its device profile, by id.', source },
  DecoderType: { ...OPTIONAL_REFERENCE, is: 'Its decoder type, by id; none if empty.', source },
  OutputProfile: { ...OPTIONAL_REFERENCE, is: 'Its output profile, by id; none if empty.', source },
  PrivateData: {
    type: 'flag',
    default: false,
    null: 'absent',
    is: 'Whether its data is delivered alone, and not stored.',
    source,
  },
} as const satisfies Fields;

/** A key of 128 bits. */
const KEY = { type: 'hex', digits: 32, secret: true, null: 'absent' } as const;

/** What a device is created with beside that: which of its keys it needs stands in key-rules.ts. */
export const CREATION = {
  ...REFERENCES,
  DevEUI: { ...EUI, required: true, is: 'Its DevEUI, unique in the world.', source },
  ActivationType: {
    type: 'choice',
    words: ['ABP', 'OTAA'],
    required: true,
    is: 'OTAA: it joins over the air; ABP: it has a session from the start.',
    source,
  },
  DevAddr: {
    type: 'hex',
    digits: 8,
    null: 'absent',
    is: 'ABP: its address, that of no other session. OTAA: joins give it one, whatever this says.',
    source,
  },
  NetworkSkey: {
    ...KEY,
    is: 'ABP: its network session key, in LoRaWAN 1.1 each of the three.',
    source,
  },
  ApplicationSKey: { ...KEY, is: 'ABP: its application session key.', source },
  ApplicationEUI: { ...EUI, null: 'absent', is: 'OTAA: its JoinEUI.', source },
  ApplicationKey: { ...KEY, is: 'OTAA: its AppKey.', source },
  NetworkKey: { ...KEY, is: 'OTAA with LoRaWAN 1.1: its NwkKey.', source },
} as const satisfies Fields;

/** What is given to create a device. */
export type Creation = Of<{ readonly type: 'record'; readonly fields: typeof CREATION }>;

/** The change of a device. */
export const CHANGE = {
  ...REFERENCES,
  RemoveOutputProfile: {
    type: 'flag',
    default: false,
    null: 'absent',
    is: 'Whether it has no output profile from now on.',
    source,
  },
} as const satisfies Fields;

// ── responses ─────────────────────────────────────────────────────────────────────────────

/** dBm or dB: no radio has more. */
const LEVEL = { type: 'number', least: -1000, most: 1000 } as const;
const SHARE = { type: 'number', least: 0, most: 100 } as const;

const STATISTICS = record({
  HealthState: responseField({ type: 'choice', words: HEALTH_STATES, is: 'How well it is heard.' }),
  SpreadingFactor: responseField({
    type: 'whole',
    least: 0,
    most: 12,
    is: 'That of its latest LoRa uplink; 0 before the first.',
  }),
  AverageRSSI: responseField({
    ...LEVEL,
    is: 'Signal and noise over 24 hours, dBm; 0 without uplinks.',
  }),
  AverageESP: responseField({
    ...LEVEL,
    is: 'Signal alone over 24 hours, dBm; 0 without uplinks.',
  }),
  AverageSNR: responseField({ ...LEVEL, is: 'Over 24 hours, dB; 0 without uplinks.' }),
  PacketErrorRate: responseField({ ...SHARE, is: 'Uplinks lost in 24 hours, per cent.' }),
  BatteryLevel: responseField({
    type: 'whole',
    least: 0,
    most: 100,
    is: 'Per cent; 0 where it has reported none, or has external power.',
  }),
  AverageWeeklyPackets: responseField({
    type: 'whole',
    least: 0,
    most: Number.MAX_SAFE_INTEGER,
    is: 'Uplinks a day over the past week, or since it was registered.',
  }),
});

/** A device with all its fields. */
export const FULL = record({
  Name: responseField(REFERENCES.Name),
  DevEUI: responseField({ ...HEX_EUI, is: 'Its DevEUI.', source }),
  ActivationType: responseField(CREATION.ActivationType),
  ServiceProfile: responseField(REFERENCES.ServiceProfile),
  DeviceProfile: responseField(REFERENCES.DeviceProfile),
  DecoderType: responseField(REFERENCES.DecoderType),
  OutputProfile: responseField(REFERENCES.OutputProfile),
  PrivateData: responseField(REFERENCES.PrivateData),
  CreatedAt: responseField({ ...INSTANT, is: 'When it came.', source }),
  UpdatedAt: responseField({ ...INSTANT, is: 'When it was last changed.', source }),
  UpdatedBy: responseField({
    type: 'text',
    least: 0,
    is: 'Id of the user or application that last changed it.',
    source,
  }),
  LastUplink: responseFieldOrNull({
    ...INSTANT,
    is: 'When its latest uplink came; null: none has come yet.',
    source,
  }),
  Statistics: responseField({ ...STATISTICS, is: 'How it is heard.', source }),
  PayloadDecoder: responseField({
    type: 'choice',
    words: ['', ...PAYLOAD_DECODERS],
    is: 'The algorithm of its decoder type; nothing where it has none.',
    source,
  }),
});

export type FullDevice = Of<typeof FULL>;
