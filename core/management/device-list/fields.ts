/** Fields of end-devices as the second version of device and gateway management has them. */

import { ANY_NUMBER, type Fields } from '../../../sim/base/rows/fields.ts';
import {
  HEX_EUI,
  INSTANT,
  listOf,
  record,
  responseField,
  responseFieldOrNull,
} from '../../rows/answers.ts';

const source = 'device and gateway management, Device (v2, streamed)';

/** Of something else; '' where there is none. */
const reference = { type: 'text', least: 0, source } as const;
const level = { type: 'number', least: -ANY_NUMBER, most: ANY_NUMBER, source } as const;

const GROUP = record({
  id: responseField({ type: 'text', is: 'Its id.', source }),
  name: responseField({ type: 'text', is: 'What people call it.', source }),
});

/** In the order in which they are reported. */
export const DEVICE_V2 = {
  name: responseField({ type: 'text', is: 'What people call it.', source }),
  dev_eui: responseField({ ...HEX_EUI, is: 'Its DevEUI.', source }),
  owner_id: responseField({ type: 'text', is: 'The subscriber whose it is.', source }),
  activation_type: responseField({
    type: 'choice',
    words: ['ABP', 'OTAA'],
    is: 'Whether it has a session from the start, or joins.',
    source,
  }),
  service_profile: responseField({ ...reference, is: 'Its service profile, by id.' }),
  device_profile: responseField({ ...reference, is: 'Its device profile, by id.' }),
  decoder_type: responseField({ ...reference, is: 'Its decoder type, by id; empty: none.' }),
  output_profile: responseField({ ...reference, is: 'Its output profile, by id; empty: none.' }),
  private_data: responseField({ type: 'flag', is: 'Whether its data is not stored.', source }),
  created_at: responseField({ ...INSTANT, is: 'When it came into the network.', source }),
  updated_at: responseField({ ...INSTANT, is: 'When it was last changed.', source }),
  updated_by: responseField({ ...reference, is: 'Id of who last changed it.' }),
  last_uplink: responseFieldOrNull({
    ...INSTANT,
    is: 'When its latest uplink came; null: never.',
    source,
  }),
  health_state: responseField({
    type: 'choice',
    words: ['good', 'fair', 'poor', 'offline'],
    is: 'How it is heard.',
    source,
  }),
  spreading_factor: responseField({
    type: 'whole',
    least: 0,
    most: 12,
    is: 'Of its latest LoRa uplink; 0 before the first.',
    source,
  }),
  average_rssi: responseField({
    ...level,
    is: 'Signal and noise over 24 h, dBm; 0 without uplinks.',
  }),
  average_esp: responseField({ ...level, is: 'Signal alone over 24 h, dBm; 0 without uplinks.' }),
  average_snr: responseField({ ...level, is: 'Over 24 h, dB; 0 without uplinks.' }),
  packet_error_rate: responseField({
    type: 'number',
    least: 0,
    most: 100,
    is: 'Uplinks that are missing, over 24 h, per cent.',
    source,
  }),
  battery_level: responseFieldOrNull({
    type: 'whole',
    least: 0,
    most: 100,
    is: 'Per cent; null where it is not reported.',
    source,
  }),
  average_weekly_packets: responseField({
    type: 'number',
    least: 0,
    most: ANY_NUMBER,
    is: 'Uplinks a day over the past week, or since it was registered.',
    source,
  }),
  groups: responseField({ ...listOf(GROUP), is: 'The device groups that it stands in.', source }),
} as const satisfies Fields;

/** A mask may leave out all of them but the DevEUI. */
const { dev_eui, ...others } = DEVICE_V2;
type Optional<F extends Fields> = {
  readonly [Name in keyof F]: {
    readonly [Word in Exclude<keyof F[Name], 'required'>]: F[Name][Word];
  };
};
const optional = <F extends Fields>(fields: F) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { required: _, ...row }]) => [name, row]),
  ) as unknown as Optional<F>;

export const MASKED = record({ dev_eui, ...optional(others) });
