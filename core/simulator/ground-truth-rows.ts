/** Ground truth of a device, row by row; `truths.ts` fills them. */
import { ENERGY_CAUSES } from '../../sim/base/counts.ts';
import { ANY_NUMBER, type Field } from '../../sim/base/rows/fields.ts';
import { PAGE_META, type PageSizes, pageQuery } from '../base/pages.ts';
import type { Operations } from '../kit/resource.ts';
import {
  COUNT,
  HEX_EUI,
  INSTANT,
  listOf,
  record,
  responseField,
  responseFieldOrNull,
} from '../rows/answers.ts';
import { SETTINGS } from './behaviours.ts';
import { devEui } from './devices.ts';
import { FAULT } from './faults.ts';
import { DEVICE, PLACE } from './fields.ts';

export const PAGE_SIZES = { usual: 100, most: 1_000 } as const satisfies PageSizes;

const choice = <const Words extends readonly string[]>(words: Words, is: string) =>
  responseField({ type: 'choice', words, is });
const flag = (is: string) => responseField({ type: 'flag', is });
const count = (is: string) => responseField({ ...COUNT, is });
const number = (is: string) => responseField({ ...ANY, is });
const instant = (is: string) => responseFieldOrNull({ ...INSTANT, is });

const ANY = { type: 'number', least: -ANY_NUMBER, most: ANY_NUMBER } as const;
const DATA_RATE = { type: 'whole', least: 0, most: 15 } as const;
const dataRate = responseField({ ...DATA_RATE, is: 'Data rate, an index of the region’s.' });
const frequency_mhz = responseField({
  type: 'number',
  least: 0,
  most: 1_000_000,
  unit: 'MHz',
  is: 'Centre of the channel.',
});
const dev_eui = responseField({ ...DEVICE.devEui, is: 'Its DevEUI.' });

const SESSION = record({
  dev_addr: responseField({ type: 'hex', digits: 8, is: 'DevAddr.' }),
  lorawan: choice(['1.0', '1.1'], 'Which LoRaWAN it speaks in this session.'),
  f_cnt_up: count('FCntUp of the frame that it sends now or next.'),
  f_cnt_down: responseFieldOrNull({
    ...COUNT,
    is: 'Latest FCntDown that it accepted, in LoRaWAN 1.1 that of the network’s.',
  }),
  a_f_cnt_down: responseFieldOrNull({
    ...COUNT,
    is: 'Latest AFCntDown that it accepted (LoRaWAN 1.1).',
  }),
  data_rate: dataRate,
  tx_power: responseField({ ...DATA_RATE, is: 'TXPower, steps below the most.' }),
  nb_trans: count('NbTrans: how often it sends an unconfirmed frame.'),
  channels: count('Channels that are on.'),
  rx1_delay: responseField({ ...ANY, unit: 's', is: 'From the end of an uplink to RX1.' }),
  rx2: responseField({ ...record({ frequency_mhz, data_rate: dataRate }), is: 'Channel of RX2.' }),
});

const CLOCK = record({
  error: responseField({
    ...ANY,
    unit: 's',
    is:
      'By how much the GPS time that it keeps is ahead of true time; one that was never set ' +
      'counts from 0 at power-on.',
  }),
  drift_ppm: number('By how much it runs fast, parts per million, before ageing and temperature.'),
  set_at: instant('When the time was set last; null: never.'),
});

const FIRMWARE = record({
  running: responseField({
    ...HEX_EUI,
    is: 'Versions of firmware and hardware, as the device runs.',
  }),
  image: choice(
    ['none', 'corrupt', 'wrongHardware', 'valid'],
    'What its boot loader makes of the image that waits (UpImageStatus of TS006).',
  ),
  next: responseFieldOrNull({
    ...HEX_EUI,
    is: 'What runs after the next reboot; null: what runs now.',
  }),
  reboot_at: instant('When it reboots; null: no reboot is due.'),
});

const FRAGMENTATION_SESSION = record({
  frag_index: count('FragIndex.'),
  nb_frag: count('Fragments that make the block.'),
  frag_size: count('Bytes of each.'),
  received: count('Fragments that it received, coded and repeated ones among them.'),
  distinct: count('Those that are different and that it keeps.'),
  missing: count('Number of further independent fragments that complete the block.'),
  decoded: flag('Whether the block is complete.'),
  decoded_at: instant('When it was.'),
  mic_error: flag('Whether the block has another MIC than it was set up with.'),
  memory_error: flag('Whether its decoder had no memory for a fragment.'),
});

const MULTICAST_SESSION = record({
  mc_group_id: responseFieldOrNull({
    ...COUNT,
    is: 'McGroupID; null: it has the keys with its own.',
  }),
  mc_addr: responseField({ type: 'hex', digits: 8, is: 'McAddr.' }),
  f_cnt: responseFieldOrNull({ ...COUNT, is: 'Latest counter that it accepted.' }),
  state: choice(
    ['none', 'waiting', 'open', 'standing'],
    'Whether it has a session: none, one to come, one that is open, or one without an end.',
  ),
  window: responseFieldOrNull({
    ...record({
      device_class: choice(['B', 'C'], 'Class in which it listens.'),
      opens_at: responseField({
        ...INSTANT,
        is: 'True time at which its own clock opens the session.',
      }),
      closes_at: responseField({ ...INSTANT, is: 'The same of its end.' }),
      frequency_mhz,
      data_rate: dataRate,
    }),
    is: 'When and where it listens; null without a session of TS005.',
  }),
});

const ENERGY = record({
  alive: responseField({ ...ANY, unit: 's', is: 'Since power-on, until its battery was empty.' }),
  died_at: instant('When that was found empty; null: it is not.'),
  battery: count('As DevStatusAns has it: 0 external power, 1 empty to 254 full.'),
  joules: number('Drawn since power-on, J.'),
  joules_by_cause: responseField({
    type: 'map',
    keys: { type: 'choice', words: ENERGY_CAUSES },
    of: ANY,
    most: ENERGY_CAUSES.length,
    is: 'The same by what it went into.',
  }),
});

const LINK = record({
  gateway_eui: responseField({ ...HEX_EUI, is: 'The gateway, one’s own.' }),
  up_dbm: number('Level there of its uplinks at its present data rate and power, dBm.'),
  up_snr_db: number('Their signal-to-noise ratio, dB.'),
  up_margin_db: number('Above the gateway’s sensitivity, dB.'),
  down_dbm: number('Level at the device in RX2, at the highest power allowed, dBm.'),
  down_margin_db: number('Above its sensitivity, dB.'),
});

const LAST_UPLINK = record({
  began_at: responseField({ ...INSTANT, is: 'Its first symbol.' }),
  ends_at: responseField({ ...INSTANT, is: 'Its last symbol, which may be to come.' }),
  on_air: flag('Whether it is being sent.'),
  frequency_mhz,
  data_rate: dataRate,
});

export const GROUND_TRUTH = record({
  dev_eui,
  name: responseField({ ...DEVICE.name, is: 'What people call it.' }),
  x_meters: responseField(PLACE.xMeters),
  y_meters: responseField(PLACE.yMeters),
  device_class: choice(
    ['A', 'B', 'C'],
    'Class in which it listens now: one of class B that has lost the beacon is class A.',
  ),
  activation: choice(['none', 'joining', 'active'], 'Whether it has a session, or asks for one.'),
  session: responseFieldOrNull({ ...SESSION, is: 'As the device has it.' }),
  clock: responseField({ ...CLOCK, is: 'Its clock against true time.' }),
  firmware: responseField({ ...FIRMWARE, is: 'What it runs, and what waits.' }),
  fragmentation_sessions: responseField({
    ...listOf(FRAGMENTATION_SESSION),
    is: 'Those that it holds, in the order of FragIndex.',
  }),
  multicast_sessions: responseField({
    ...listOf(MULTICAST_SESSION),
    is: 'Its groups by McGroupID, then those whose keys it has with its own.',
  }),
  faults: responseField({ ...listOf(FAULT), is: 'Its physical faults that are on.' }),
  settings: responseFieldOrNull({ ...SETTINGS, is: 'Set over the air; null: it cannot be.' }),
  energy: responseFieldOrNull({ ...ENERGY, is: 'Null: its type does not say what it draws.' }),
  links: responseField({
    ...listOf(LINK),
    is: 'Median levels, without fading, to one’s gateways in its reach, strongest first.',
  }),
  last_uplink: responseFieldOrNull({
    ...LAST_UPLINK,
    is: 'Its latest transmission, whatever became of it.',
  }),
  last_downlink_at: instant('End of the latest frame that it took as its own or its groups’.'),
}) satisfies { readonly fields: Readonly<Record<string, Field>> };

export const OPERATIONS = {
  'device.truth': {
    verb: 'get',
    takes: { devEui },
    answers: GROUND_TRUTH,
    fails: ['device.unknown'],
    is: 'What a device really is, holds and hears, whatever the service believes.',
  },
  'device.truths': {
    verb: 'list',
    takes: pageQuery('truth.page', PAGE_SIZES),
    answers: record({
      data: responseField({
        ...listOf(GROUND_TRUTH),
        is: 'One’s devices, in the order of their DevEUIs.',
      }),
      meta: PAGE_META,
    }),
    fails: ['truth.page'],
    is: 'The same of all devices, page by page.',
  },
} as const satisfies Operations;
