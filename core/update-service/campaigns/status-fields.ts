/**
 * Responses about a campaign: the firmware update service's partial status, summary, short and full
 * status, a row each field. The settings among them derive from the rows of what is given.
 */

import type { Field, Fields, Of } from '../../../sim/base/rows/fields.ts';
import { joinTables } from '../../../sim/base/rows/tables.ts';
import { MAX_FRAGMENT_NUMBER } from '../../../sim/lorawan/fragmentation-code.ts';
import { PATTERN } from '../../base/firmware-versions.ts';
import { SHORT_ID, UUID } from '../../base/ids.ts';
import { FAILURE_REASONS } from '../../result/outcome.ts';
import {
  byDevEui,
  COUNT,
  HEX_EUI,
  INSTANT,
  listOf,
  type ResponseField,
  record,
  responseField,
  responseFieldOrNull,
} from '../../rows/answers.ts';
import { IMAGE } from '../images.ts';
import { CAMPAIGN, LONGEST_FRAG_SIZE } from './commands.ts';
import { DIAGNOSES } from './diagnosis.ts';
import { STAGES } from './stages.ts';
import { STEPS } from './steps.ts';

/** Of people and of programs, with names in them. */
const SENTENCE = { type: 'text', least: 0, most: 1_000 } as const;

/** Highest data rate index that TS005 carries. */
const HIGHEST_DATA_RATE = 15;

/** 2^15 s of class C, or 2^15 beacon periods of 128 s. */
const LONGEST_SESSION_S = 128 * 32_768;

export const PARTIAL = {
  campaign_id: responseField({ ...UUID, is: 'Its id.' }),
  stage: responseField({
    type: 'whole',
    least: 0,
    most: STAGES.length - 1,
    is: 'Number of its stage.',
  }),
  stage_str: responseField({ type: 'choice', words: STAGES, is: 'Name of its stage.' }),
} as const satisfies Fields;

/** What is answered of a campaign whose round is asked for. */
export const BEGUN = {
  ...PARTIAL,
  warnings: {
    ...listOf(SENTENCE),
    is: 'Sentences on what is allowed, but not wise; absent where there is none.',
  },
} as const satisfies Fields;

export const SUMMARY = {
  ...PARTIAL,
  image_name: responseField({ ...IMAGE.name, is: 'The image.' }),
  name: responseField(CAMPAIGN.name),
  device_group_id: responseField({ ...SHORT_ID, is: 'The device group.' }),
  status: responseField({
    ...SENTENCE,
    is: 'What holds it up or went wrong; empty when nothing is notable.',
  }),
  created_at: responseField({ ...INSTANT, is: 'When it was created.' }),
  scheduled_start_at: responseFieldOrNull({
    ...INSTANT,
    is: 'When it starts; null: it starts at once.',
  }),
  num_devices_success: responseField({ ...COUNT, is: 'Devices that it has updated.' }),
  num_devices_fail: responseField({ ...COUNT, is: 'Devices that failed.' }),
  num_devices_in_progress: responseField({ ...COUNT, is: 'Devices that are neither.' }),
} as const satisfies Fields;

// ── settings ─────────────────────────────────────────────────────────────────────────────────────

type Rows = typeof CAMPAIGN;

/** What the summary shows, in its own way. */
const IN_SUMMARY = ['name', 'image_name', 'device_group_id', 'scheduled_start_at'] as const;

/** What scenario files alone have is not shown, nor is a key. */
type Shown = {
  [K in keyof Rows]: Rows[K] extends { only: 'scenario' } | { secret: true } ? never : K;
}[Exclude<keyof Rows, (typeof IN_SUMMARY)[number]>];

/** What is there from the beginning: what was given, or the row's default. */
type Settled = {
  [K in Shown]: Rows[K] extends { default: unknown } | { type: 'list' } ? K : never;
}[Shown];

/** What a campaign decides where nobody has; null: it has not yet. */
const DECIDED = {
  expected_version: responseField({
    ...PATTERN,
    is: 'What updated devices report: firmware and hardware, . for any digit.',
  }),
  multicast_setup_time: responseFieldOrNull({
    ...COUNT,
    unit: 's',
    is: 'From the start to the multicast session; null: it is not determined yet.',
  }),
  mcast_deveui: responseFieldOrNull({
    ...HEX_EUI,
    is: 'EUI of the multicast group; null: not drawn yet.',
  }),
  mcast_devaddr: responseFieldOrNull({
    type: 'hex',
    digits: 8,
    is: 'Address of the multicast group; null: not drawn yet.',
  }),
  mcast_dr: responseFieldOrNull({
    type: 'whole',
    least: 0,
    most: HIGHEST_DATA_RATE,
    unit: 'dr',
    is: 'Data rate of the fragments; null: not chosen yet.',
  }),
  mcast_freq: responseFieldOrNull({
    ...CAMPAIGN.mcast_freq,
    is: 'Frequency of the fragments; null: not chosen yet.',
  }),
  mcast_session_timeout: responseFieldOrNull({
    type: 'whole',
    unit: 's',
    least: 1,
    most: LONGEST_SESSION_S,
    is: 'Length of the multicast session; null: not chosen yet.',
  }),
  frag_send_delay: responseFieldOrNull({
    ...COUNT,
    type: 'number',
    unit: 's',
    is: 'Between two fragments of a gateway; null: not chosen yet.',
  }),
  descriptor: responseField({ ...CAMPAIGN.descriptor, is: 'Describes the image to devices.' }),
} as const satisfies { readonly [K in Exclude<Shown, Settled>]: Field };

/** The creation input with everything decided that it left open, in the order of its rows. */
export const SETTINGS = settings();

function settings() {
  const isShown = ([name, { only, secret }]: readonly [string, Field]): boolean =>
    !IN_SUMMARY.some((each) => each === name) && only === undefined && secret === undefined;
  const decided: Fields = DECIDED;
  const rows = Object.entries<Field>(CAMPAIGN)
    .filter(isShown)
    .map(([name, row]) => [name, decided[name] ?? responseField(row)] as const);
  return Object.fromEntries(rows) as typeof DECIDED & {
    readonly [K in Settled]: ResponseField<Rows[K]>;
  };
}

// ── devices ──────────────────────────────────────────────────────────────────────────────────────

const SHORT_DEVICE = {
  stage: responseField({ ...PARTIAL.stage, is: 'Number of the stage that it is in.' }),
  stage_str: responseField({ ...PARTIAL.stage_str, is: 'Name of that stage.' }),
  attempts: responseField({ ...COUNT, is: 'Rounds that it took part in.' }),
  failure_reason: responseFieldOrNull({
    type: 'choice',
    words: FAILURE_REASONS,
    is: 'Why it failed; null: it has not.',
  }),
} as const satisfies Fields;

export const SHORT = {
  ...PARTIAL,
  devices: responseField({ ...byDevEui(record(SHORT_DEVICE)), is: 'Its devices by DevEUI.' }),
} as const satisfies Fields;

const STEP = record({
  passed_at: responseFieldOrNull({ ...INSTANT, is: 'When it was passed; null: it has not been.' }),
  commands: responseField({ ...COUNT, is: 'Commands sent for it.' }),
});

const LINE = record({
  at: responseField({ ...INSTANT, is: 'When.' }),
  what: responseField({
    type: 'choice',
    words: ['sent', 'answered'],
    is: 'To the device, or by it.',
  }),
  command: responseField({ type: 'text', is: 'The standard’s name of the command or its answer.' }),
});

const DIAGNOSIS = record({
  diagnosis: responseField({
    type: 'choice',
    words: DIAGNOSES,
    is: 'A word for it, stable for programs.',
  }),
  detail: responseField({ ...SENTENCE, is: 'A sentence with the numbers in it.' }),
});

const FULL_DEVICE = {
  ...SHORT_DEVICE,
  steps: responseField({
    type: 'map',
    keys: { type: 'choice', words: STEPS.map(({ name }) => stepName(name)) },
    of: STEP,
    most: STEPS.length,
    is: 'The steps that the campaign has, by name.',
  }),
  fragments_received: responseFieldOrNull({
    ...fragments(),
    is: 'Fragments of the latest session that it reported; null: it has reported none.',
  }),
  fragments_missing: responseFieldOrNull({
    ...fragments(),
    is: 'Fragments that it lacked by the same report; null: it has reported none.',
  }),
  fragments_retransmitted: responseField({
    ...fragments(),
    is: 'Fragments that went to it alone.',
  }),
  initial_version: responseFieldOrNull({
    ...HEX_EUI,
    is: 'What it had reported before: firmware, then hardware; null: nothing.',
  }),
  final_version: responseFieldOrNull({
    ...HEX_EUI,
    is: 'What it reported after; null: nothing.',
  }),
  ended_at: responseFieldOrNull({
    ...INSTANT,
    is: 'When it was updated or failed; null: neither yet.',
  }),
  debug: {
    ...listOf(LINE),
    is: 'What was said to it and what it answered, of campaigns with is_debug.',
  },
  troubleshooting: {
    ...DIAGNOSIS,
    null: 'nothing',
    is: 'Why it failed, of campaigns with is_troubleshooting; null: nothing more is known.',
  },
} as const satisfies Fields;

function fragments() {
  return { type: 'whole', least: 0, most: 65_535 } as const;
}

/** Of a step in answers. */
export function stepName(name: string): string {
  return name.replaceAll(/[ -]/g, '_');
}

// ── the full status ──────────────────────────────────────────────────────────────────────────────

const SESSION = record({
  mcast_deveui: responseField({ ...HEX_EUI, is: 'EUI of the multicast group.' }),
  mcast_devaddr: responseField({ type: 'hex', digits: 8, is: 'Address of the multicast group.' }),
  lora_class: responseField({ type: 'choice', words: ['B', 'C'], is: 'Class of the session.' }),
  mcast_dr: responseField({ ...DECIDED.mcast_dr, is: 'Data rate of the fragments.' }),
  mcast_freq: responseField({ ...CAMPAIGN.mcast_freq, is: 'Frequency of the fragments.' }),
  starts_at: responseField({ ...INSTANT, is: 'When it starts.' }),
  timeout: responseField({ ...DECIDED.mcast_session_timeout, is: 'How long it lasts.' }),
});

const FRAGMENTS = record({
  nb_frag: responseField({
    ...fragments(),
    least: 1,
    most: MAX_FRAGMENT_NUMBER,
    is: 'Uncoded fragments.',
  }),
  frag_size: responseField({ ...CAMPAIGN.frag_size, is: 'Bytes of a fragment.' }),
  padding: responseField({
    type: 'whole',
    unit: 'B',
    least: 0,
    most: LONGEST_FRAG_SIZE - 1,
    is: 'Bytes of the last uncoded fragment that are not the image’s.',
  }),
  redundancy: responseField({ ...fragments(), is: 'Coded fragments of a session.' }),
  sent: responseField({ ...COUNT, is: 'Frames over all gateways and rounds.' }),
  unsent: responseField({
    ...fragments(),
    is: 'Fragments of the latest session that no gateway sent; 0 until it is over or halted.',
  }),
  retransmitted: responseField({ ...COUNT, is: 'Fragments that went to single devices.' }),
});

const GATEWAY = record({
  gateway_id: responseField({ ...HEX_EUI, is: 'Its EUI.' }),
  name: responseField({ type: 'text', is: 'What people call it; the EUI of one that is gone.' }),
  reason: responseField({ ...SENTENCE, is: 'Why it sends.' }),
});

export const FULL = {
  ...joinTables(SUMMARY, SETTINGS),
  multicast_sessions: responseField({
    ...listOf(SESSION),
    most: 1,
    is: 'The latest session; none before a round has planned one.',
  }),
  fragments: responseFieldOrNull({
    ...FRAGMENTS,
    is: 'What the image is cut into and what was sent; null: no session is planned yet.',
  }),
  gateways: responseField({ ...listOf(GATEWAY), is: 'Gateways that send.' }),
  warnings: responseField({
    ...listOf(SENTENCE),
    is: 'Sentences on what is allowed, but not wise.',
  }),
  devices: responseField({ ...byDevEui(record(FULL_DEVICE)), is: 'Its devices by DevEUI.' }),
} as const satisfies Fields;

// ── types ────────────────────────────────────────────────────────────────────────────────────────

type OfRows<F extends Fields> = Of<{ readonly type: 'record'; readonly fields: F }>;

export type PartialStatus = OfRows<typeof PARTIAL>;
export type BegunStatus = OfRows<typeof BEGUN>;
export type CampaignSummary = OfRows<typeof SUMMARY>;
export type EffectiveSettings = OfRows<typeof SETTINGS>;
export type ShortDevice = OfRows<typeof SHORT_DEVICE>;
export type ShortStatus = OfRows<typeof SHORT>;
export type FullDevice = OfRows<typeof FULL_DEVICE>;
export type SessionStatus = Of<typeof SESSION>;
export type FragmentStatus = Of<typeof FRAGMENTS>;
export type FullStatus = OfRows<typeof FULL>;
