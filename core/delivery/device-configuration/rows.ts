/** What is given and answered of device configurations, the operations, and what is refused. */

import type { Fields, Given, Of } from '../../../sim/base/rows/fields.ts';
import { UUID, UUID_GIVEN } from '../../base/ids.ts';
import { PAGE_META, pageQuery } from '../../base/pages.ts';
import type { FailureClasses } from '../../kit/failures.ts';
import type { Operations } from '../../kit/resource.ts';
import { CONFIGURATION_FAILURES, ROLLOUT_STATUSES } from '../../result/configuration.ts';
import {
  COUNT,
  HEX_EUI,
  INSTANT,
  listOf,
  record,
  responseField,
  responseFieldOrNull,
} from '../../rows/answers.ts';
import { body, EUI, euiOf } from '../../rows/fields.ts';
import { FRAGMENT_STATUSES } from './machine.ts';
import { MODES } from './state.ts';

const source = 'data delivery and device configuration, Device configuration';

/** Devices that a policy lists. */
const MOST_LISTED = 1_000_000;
/** Policies of a subscriber: each is looked at for each device. */
export const MOST_POLICIES = 100;

const CONFIG = {
  type: 'json',
  required: true,
  failure: 'deviceConfiguration.invalid',
  is: 'Parameters by name, as the device’s decoder type has them.',
  source,
} as const;

/** What is desired of a device. */
const DESIRED = { config: CONFIG } as const satisfies Fields;

export const POLICY = {
  name: { type: 'text', required: true, is: 'What people call it.' },
  config: CONFIG,
  devices: {
    type: 'list',
    of: EUI,
    most: MOST_LISTED,
    distinct: true,
    is: 'DevEUIs of devices that it has, those that come later too.',
  },
  deviceProfile: {
    type: 'text',
    is: 'A device profile, by its id, whose devices it has, those that come later too.',
  },
} as const satisfies Fields;
export type GivenPolicy = Given<typeof POLICY>;

// ── answers ──────────────────────────────────────────────────────────────────────────────────────

const instant = (is: string) => responseFieldOrNull({ ...INSTANT, is, source });
const account = (is: string) => responseField({ type: 'text', least: 0, is, source });

const CONTROL = record({
  mode: responseField({
    type: 'choice',
    words: MODES,
    is: 'Who sets the configuration: manual, a person; policy, a policy, if one has the device.',
    source,
  }),
  updated_at: responseField({ ...INSTANT, is: 'Since when it is so.', source }),
  updated_by: account('Id of who has said so.'),
});

const REPORTED = record({
  config: responseField({ ...CONFIG, is: 'Latest reported value of each parameter.' }),
  last_uplink_at: responseField({
    ...INSTANT,
    is: 'When an uplink last reported a parameter.',
    source,
  }),
});

const FRAGMENT = record({
  sequence: responseField({ ...COUNT, is: 'Its place, from 1.', source }),
  status: responseField({
    type: 'choice',
    words: FRAGMENT_STATUSES,
    is: 'How far it is; gateway_unavailable: it goes on when the device is heard.',
    source,
  }),
  attempt_count: responseField({ ...COUNT, is: 'Tries so far.', source }),
  ready_at: instant('When it was scheduled last; null: it never was.'),
  queued_at: instant(
    'When it went to the network server last, confirmed: before it was sent; null: it never did.',
  ),
  sent_at: instant('When a gateway transmitted it last; null: none has.'),
  confirmed_at: instant('When it was confirmed; null: it is not.'),
  gateway_unavailable_at: instant('When it was suspended last; null: it never was.'),
});

const ROLLOUT = record({
  config: responseField(CONFIG),
  source_type: responseField({ type: 'choice', words: MODES, is: 'Who desires it.', source }),
  policy_id: responseFieldOrNull({ ...UUID, is: 'The policy, by its id; null: a person.', source }),
  status: responseField({ type: 'choice', words: ROLLOUT_STATUSES, is: 'How far it is.', source }),
  failure_reason: responseFieldOrNull({
    type: 'choice',
    words: CONFIGURATION_FAILURES,
    is: 'Why it failed; null: it did not.',
    source,
  }),
  created_by: account('Id of who made it.'),
  updated_by: account('Id of who changed it last.'),
  created_at: responseField({ ...INSTANT, is: 'When it was made.', source }),
  updated_at: responseField({ ...INSTANT, is: 'When something of it changed last.', source }),
  started_at: instant('When its first fragment was scheduled; null: it is not yet.'),
  completed_at: instant('When it was applied, failed or was cancelled; null: it is not over.'),
  progress: responseField({
    ...record({
      total_fragments: responseField({ ...COUNT, is: 'Downlinks that it takes.', source }),
      fragments_confirmed: responseField({ ...COUNT, is: 'Those that are confirmed.', source }),
      fragments: responseField({
        ...listOf(FRAGMENT),
        is: 'Each, in the order of sending.',
        source,
      }),
    }),
    is: 'How far its fragments are.',
    source,
  }),
});
export type RolloutAnswer = Of<typeof ROLLOUT>;

const CONFIGURATION = record({
  owner_id: responseField({ type: 'text', is: 'The subscriber whose it is.', source }),
  dev_eui: responseField({ ...HEX_EUI, is: 'The device.', source }),
  control: responseField({ ...CONTROL, is: 'Who may set the configuration.', source }),
  reported: responseFieldOrNull({
    ...REPORTED,
    is: 'What the device reported; null: nothing yet.',
    source,
  }),
  desired: responseFieldOrNull({
    ...ROLLOUT,
    is: 'The latest rollout; null: there was none.',
    source,
  }),
});
export type ConfigurationAnswer = Of<typeof CONFIGURATION>;

/** Changes of a page: as many as usual, and at most. */
export const HISTORY_PAGES = { usual: 20, most: 100 } as const;

const HISTORY = record({
  data: responseField({
    ...listOf(
      record({
        config: responseField({ ...CONFIG, is: 'What the device was set to from then on.' }),
        reported_at: responseField({ ...INSTANT, is: 'When the device reported it.', source }),
      }),
    ),
    is: 'The latest change first.',
    source,
  }),
  meta: PAGE_META,
});

// ── operations ───────────────────────────────────────────────────────────────────────────────────

const dev_eui = euiOf('The device, by its DevEUI.');
const unknown = ['device.unknown'] as const;

export const OPERATIONS = {
  'deviceConfiguration.get': {
    verb: 'get',
    takes: { dev_eui },
    answers: CONFIGURATION,
    fails: unknown,
    is: 'Who sets a device’s configuration, what it has reported, and what is desired of it.',
  },
  'deviceConfiguration.enableManualControl': {
    verb: 'change',
    takes: { dev_eui },
    answers: CONFIGURATION,
    fails: [...unknown, 'deviceConfiguration.unsupported'],
    is: 'Lets people set a device’s configuration; its policy stands aside.',
  },
  'deviceConfiguration.disableManualControl': {
    verb: 'change',
    takes: { dev_eui },
    answers: CONFIGURATION,
    fails: unknown,
    is: 'Leaves a device’s configuration to its policy, which rolls it out again.',
  },
  'deviceConfiguration.setDesired': {
    verb: 'change',
    takes: { dev_eui, desired: { ...body(DESIRED), failure: 'deviceConfiguration.invalid' } },
    answers: null,
    meanwhile: CONFIGURATION,
    fails: [
      ...unknown,
      'deviceConfiguration.policy',
      'deviceConfiguration.unsupported',
      'deviceConfiguration.invalid',
    ],
    is: 'Rolls a configuration out to a device, in the place of a rollout that is not over.',
  },
  'deviceConfiguration.cancel': {
    verb: 'delete',
    takes: { dev_eui },
    answers: null,
    fails: unknown,
    is: 'Cancels a device’s rollout, if one is not over; what was delivered stays.',
  },
  'deviceConfiguration.history': {
    verb: 'get',
    takes: { dev_eui, ...pageQuery('deviceConfiguration.page', HISTORY_PAGES) },
    answers: HISTORY,
    fails: [...unknown, 'deviceConfiguration.page'],
    is: 'How a device’s reported configuration has changed.',
  },
  'deviceConfiguration.addPolicy': {
    verb: 'create',
    takes: {
      policy: { ...body(POLICY), failure: 'deviceConfiguration.invalid' },
      id: UUID_GIVEN,
    },
    answers: record({ id: responseField({ ...UUID, is: 'Its id.' }) }),
    fails: [
      'deviceConfiguration.policy-exists',
      'deviceConfiguration.policies',
      'deviceProfile.unknown',
    ],
    is: 'Adds a policy, and rolls its configuration out to devices that are under its control.',
  },
} as const satisfies Operations;

/** Every failure of device configurations, with its class. */
export const FAILURES = {
  'deviceConfiguration.invalid': 'malformed',
  /** The device's decoder type encodes no configuration. */
  'deviceConfiguration.unsupported': 'malformed',
  'deviceConfiguration.page': 'malformed',
  'deviceConfiguration.policy': 'conflict',
  'deviceConfiguration.policy-exists': 'conflict',
  'deviceConfiguration.policies': 'full',
} as const satisfies FailureClasses;
