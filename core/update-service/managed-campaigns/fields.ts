/** Requests, responses and refusals of managed campaigns. */

import type { Fields, Given, Input, Of } from '../../../sim/base/rows/fields.ts';
import { PATTERN } from '../../base/firmware-versions.ts';
import { UUID, UUID_GIVEN } from '../../base/ids.ts';
import type { FailureClasses } from '../../kit/failures.ts';
import type { Operations } from '../../kit/resource.ts';
import { FAILURE_REASONS } from '../../result/outcome.ts';
import {
  byDevEui,
  COUNT,
  HEX_EUI,
  INSTANT,
  listOf,
  record,
  responseField,
  responseFieldOrNull,
} from '../../rows/answers.ts';
import { body, uuid } from '../../rows/fields.ts';
import { GATEWAYS, GATEWAYS_LISTED } from '../gateway-choice.ts';
import { IMAGE } from '../images.ts';
import { STAGES, type Stage } from './stages.ts';

const source = 'firmware update service, managed campaign';

const patterns = {
  type: 'list',
  of: PATTERN,
  most: 10_000,
  distinct: true,
  failure: 'managedCampaign.version',
  source,
} as const;

/** The creation input. */
export const MANAGED = {
  name: {
    type: 'text',
    // A child’s name is longer by its date and class.
    most: 230,
    null: 'absent',
    failure: 'managedCampaign.name',
    is: 'A label, with which the names of its campaigns begin; `managed` and the image if absent.',
    source,
  },
  include_versions: {
    ...patterns,
    least: 1,
    required: true,
    is: 'Patterns of the versions that are updated, firmware and hardware, . for any digit.',
  },
  exclude_versions: {
    ...patterns,
    null: 'absent',
    default: [],
    is: 'Patterns of versions among them that are not updated.',
  },
  image_name: { type: 'text', required: true, is: 'The image, by its file name.', source },
  expected_version: {
    ...PATTERN,
    null: 'absent',
    failure: 'managedCampaign.version',
    is:
      'What updated devices report: 16 hexadecimal digits of firmware and hardware, . for any; ' +
      'inferred from the image’s name when absent.',
    source,
  },
  preferred_start_time_utc: {
    type: 'text',
    pattern: /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?Z?$/,
    allowed: 'a time of day such as 22:30',
    null: 'absent',
    default: '00:00',
    failure: 'managedCampaign.start-time',
    is: 'UTC time of day at which campaigns are created; seconds are cut off.',
    source,
  },
  stop_when_no_match: {
    type: 'flag',
    default: false,
    is: 'Whether it ends when no device is new; else it goes on until run_until.',
    source,
  },
  run_until: {
    type: 'instant',
    null: 'absent',
    failure: 'managedCampaign.run-until',
    is: 'No campaign is created after it; seven days after the creation when absent.',
    source,
  },
  gateways: {
    ...GATEWAYS,
    least: 1,
    most: 1,
    required: true,
    failure: 'managedCampaign.gateways',
    is: 'EUI or id of the one gateway through which devices are heard that are updated.',
    source,
  },
  whole_subscriber: {
    type: 'flag',
    default: false,
    failure: 'managedCampaign.whole-subscriber',
    is: 'Reserved, false.',
    source,
  },
} as const satisfies Fields;

export type ManagedInput = Input<typeof MANAGED>;
export type GivenManaged = Given<typeof MANAGED>;

/** Every failure of its own, with its class. */
export const MANAGED_FAILURES = {
  'managedCampaign.name': 'malformed',
  'managedCampaign.invalid': 'malformed',
  /** A pattern, or no version to be inferred. */
  'managedCampaign.version': 'malformed',
  'managedCampaign.start-time': 'malformed',
  /** No instant, or not in the future. */
  'managedCampaign.run-until': 'malformed',
  /** Not exactly one. */
  'managedCampaign.gateways': 'malformed',
  'managedCampaign.whole-subscriber': 'malformed',
  'managedCampaign.unknown': 'unknown',
  'managedCampaign.exists': 'conflict',
  /** Children may still come or run. */
  'managedCampaign.not-finished': 'conflict',
} as const satisfies FailureClasses;

// ── what is answered ─────────────────────────────────────────────────────────────────────────────

const VERSION_AT = record({
  version_hex: responseField({ ...HEX_EUI, is: 'Firmware, then hardware, 8 digits each.', source }),
  reported_at: responseField({ ...INSTANT, is: 'When the device reported it.', source }),
});

/** Fields of each in a list. */
const SUMMARY = {
  managed_campaign_id: responseField({ ...UUID, is: 'Its id.', source }),
  name: responseField(MANAGED.name),
  include_versions: responseField(MANAGED.include_versions),
  exclude_versions: responseField(MANAGED.exclude_versions),
  image_name: responseField({ ...IMAGE.name, is: 'The image.', source }),
  expected_version: responseField({ ...PATTERN, is: 'What updated devices report.', source }),
  preferred_start_time_utc: responseField({
    ...MANAGED.preferred_start_time_utc,
    pattern: /^([01]\d|2[0-3]):[0-5]\d$/,
  }),
  stop_when_no_match: responseField(MANAGED.stop_when_no_match),
  run_until: responseField(MANAGED.run_until),
  gateways: responseField({
    ...GATEWAYS_LISTED,
    least: 1,
    most: 1,
    is: 'EUI of its gateway.',
    source,
  }),
  whole_subscriber: responseField(MANAGED.whole_subscriber),
  next_update_session_time: responseFieldOrNull({
    ...INSTANT,
    is: 'When campaigns are created next; null: no more are to come.',
    source,
  }),
  stage: responseField({ type: 'whole', least: 0, most: 9, is: 'Number of its stage.', source }),
  stage_str: responseField({
    type: 'choice',
    words: Object.keys(STAGES) as Stage[],
    is: 'Name of its stage.',
    source,
  }),
  started_at: responseField({ ...INSTANT, is: 'When it was created.', source }),
} as const satisfies Fields;

const FULL = record({
  ...SUMMARY,
  scheduled_devices: responseField({
    ...byDevEui(VERSION_AT),
    is: 'Devices that the next session would update, as of now.',
    source,
  }),
  updated_devices: responseField({
    ...byDevEui(VERSION_AT),
    is: 'Devices that its campaigns have updated, with what each reported then.',
    source,
  }),
});

const PROBLEMATIC = byDevEui(
  record({
    failed_campaigns: responseField({
      ...COUNT,
      least: 2,
      is: 'Campaigns in which it failed.',
      source,
    }),
    last_reason: responseField({
      type: 'choice',
      words: FAILURE_REASONS,
      is: 'Why it failed in the latest of them.',
      source,
    }),
    last_failed_at: responseField({ ...INSTANT, is: 'When it did.', source }),
  }),
);

export type ManagedSummary = Of<ReturnType<typeof record<typeof SUMMARY>>>;
export type ManagedAnswer = Of<typeof FULL>;
export type ProblematicAnswer = Of<typeof PROBLEMATIC>;
export type VersionAt = Of<typeof VERSION_AT>;

// ── operations ───────────────────────────────────────────────────────────────────────────────────

const managed_campaign_id = uuid('The managed campaign, by its id.');
const one = { managed_campaign_id } as const;
const unknown = ['managedCampaign.unknown'] as const;

export const OPERATIONS = {
  'managedCampaign.create': {
    verb: 'create',
    takes: {
      managedCampaign: { ...body(MANAGED), failure: 'managedCampaign.invalid' },
      id: UUID_GIVEN,
    },
    answers: FULL,
    fails: [
      'managedCampaign.exists',
      'managedCampaign.whole-subscriber',
      'managedCampaign.version',
      'managedCampaign.run-until',
      'image.unknown',
      'deviceGroup.unknown-gateway',
    ],
    is: 'Watches a gateway for devices of some versions, and updates them once a day.',
  },
  'managedCampaign.list': {
    verb: 'list',
    takes: {},
    answers: listOf(record(SUMMARY)),
    fails: [],
    is: 'Every managed campaign, without its devices.',
  },
  'managedCampaign.get': {
    verb: 'get',
    takes: one,
    answers: FULL,
    fails: unknown,
    is: 'One, with the devices that are scheduled and those that are updated.',
  },
  'managedCampaign.delete': {
    verb: 'delete',
    takes: one,
    answers: null,
    fails: [...unknown, 'managedCampaign.not-finished'],
    is: 'Deletes one that is finished, cleaned, or could not be set up; its campaigns stay.',
  },
  'managedCampaign.halt': {
    verb: 'change',
    takes: one,
    answers: null,
    fails: unknown,
    is: 'Stops its campaigns, and it creates no more; of one that is finished nothing.',
  },
  'managedCampaign.problematicDevices': {
    verb: 'get',
    takes: one,
    answers: PROBLEMATIC,
    fails: unknown,
    is: 'Devices that failed in two of its campaigns since they were cleared, and are left out.',
  },
  'managedCampaign.clearProblematicDevices': {
    verb: 'delete',
    takes: one,
    answers: null,
    fails: unknown,
    is: 'Forgets in which campaigns devices failed: later ones do not leave them out.',
  },
} as const satisfies Operations;
