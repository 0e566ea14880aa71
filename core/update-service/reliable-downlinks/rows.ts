/**
 * What reliable downlink jobs are given and answered: the fields of the firmware update service's
 * job input, a row each, the operations, and what is refused.
 */

import type { Fields, Given, Input, Of } from '../../../sim/base/rows/fields.ts';
import { F_PORT, FRM_PAYLOAD } from '../../base/application-data.ts';
import { SHORT_ID, UUID, UUID_GIVEN } from '../../base/ids.ts';
import type { FailureClasses } from '../../kit/failures.ts';
import type { Operations } from '../../kit/resource.ts';
import { JOB_FAILURES } from '../../result/result.ts';
import {
  byDevEui,
  COUNT,
  INSTANT,
  listOf,
  record,
  responseField,
  responseFieldOrNull,
} from '../../rows/answers.ts';
import { body, UNIQUE_EUIS, uuid } from '../../rows/fields.ts';

const source = 'firmware update service, reliable downlink job';

const MONTH_S = 30 * 86_400;

/** Most retries: tries are counted in 16 bits. */
const MOST_RETRIES = 1_000;

const payload = {
  ...FRM_PAYLOAD,
  least: 1,
  required: true,
  failure: 'reliableDownlink.payload',
  source,
} as const;

const port = {
  ...F_PORT,
  required: true,
  failure: 'reliableDownlink.port',
  source,
} as const;

/** The creation input. */
export const JOB = {
  name: {
    type: 'text',
    required: true,
    failure: 'reliableDownlink.name',
    is: 'A label; several jobs may have it.',
    source,
  },
  downlink_hex: { ...payload, is: 'What is sent: FRMPayload in clear.' },
  downlink_fport: { ...port, is: 'FPort of the downlink.' },
  expected_uplink_hex: { ...payload, is: 'What is expected: the whole FRMPayload, in clear.' },
  expected_uplink_fport: { ...port, is: 'FPort of the expected uplink.' },
  devices: {
    ...UNIQUE_EUIS,
    null: 'absent',
    default: [],
    failure: 'reliableDownlink.devices',
    is: 'DevEUIs, none twice, of devices to send to beside those of the group.',
    source,
  },
  device_group_id: {
    type: 'text',
    null: 'absent',
    is: 'A device group, by its id, whose members are sent to: those at the creation.',
    source,
  },
  max_retries: {
    type: 'whole',
    least: 0,
    most: MOST_RETRIES,
    default: 3,
    failure: 'reliableDownlink.invalid',
    is: 'How often it is sent to a device again, before the device fails.',
    source,
  },
  retry_interval: {
    type: 'whole',
    unit: 's',
    least: 1,
    most: MONTH_S,
    default: 300,
    failure: 'reliableDownlink.invalid',
    is: 'From a sending until it is sent again, or the device fails.',
    source,
  },
} as const satisfies Fields;

/** As a caller gives it, and as it is read. */
export type JobInput = Input<typeof JOB>;
export type GivenJob = Given<typeof JOB>;

// ── answers ──────────────────────────────────────────────────────────────────────────────────────

/** What a job is. */
const JOB_STATUSES = [
  'running',
  /** Stopped before all its devices had ended. */
  'stopped',
  /** Each of its devices has succeeded or failed. */
  'finished',
] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** States of a device in a job; columns have their places. */
export const DEVICE_STATES = ['pending', 'success', 'failed'] as const;
export type DeviceState = (typeof DEVICE_STATES)[number];

const DEVICE = record({
  state: responseField({ type: 'choice', words: DEVICE_STATES, is: 'How far it is.' }),
  attempts: responseField({
    ...COUNT,
    is: 'Tries since the creation or the latest restart that took it.',
  }),
  last_sent_at: responseFieldOrNull({
    ...INSTANT,
    is: 'When the latest of them went on the air; null: none has.',
  }),
  completed_at: responseFieldOrNull({
    ...INSTANT,
    is: 'When it succeeded or failed; null: it has not.',
  }),
  reason: responseFieldOrNull({
    type: 'choice',
    words: JOB_FAILURES,
    is: 'Why it failed; null: it did not.',
  }),
});
export type DeviceAnswer = Of<typeof DEVICE>;

/** Field names of the firmware update service. */
const RESPONSE = record({
  job_id: responseField({ ...UUID, is: 'Its id.' }),
  name: responseField(JOB.name),
  downlink_hex: responseField(JOB.downlink_hex),
  downlink_fport: responseField(JOB.downlink_fport),
  expected_uplink_hex: responseField(JOB.expected_uplink_hex),
  expected_uplink_fport: responseField(JOB.expected_uplink_fport),
  device_group_id: responseFieldOrNull({
    ...SHORT_ID,
    is: 'The device group; null: none was given.',
  }),
  max_retries: responseField(JOB.max_retries),
  retry_interval: responseField(JOB.retry_interval),
  created_at: responseField({ ...INSTANT, is: 'When it was created.' }),
  status: responseField({
    type: 'choice',
    words: JOB_STATUSES,
    is: 'finished: each device has succeeded or failed; stopped: it was, before that.',
  }),
  num_devices_pending: responseField({
    ...COUNT,
    is: 'Devices that have neither succeeded nor failed.',
  }),
  num_devices_success: responseField({ ...COUNT, is: 'Devices that sent the expected uplink.' }),
  num_devices_fail: responseField({ ...COUNT, is: 'Devices that failed.' }),
  devices: responseField({ ...byDevEui(DEVICE), is: 'How far each device is.' }),
});
export type JobAnswer = Of<typeof RESPONSE>;

// ── operations ───────────────────────────────────────────────────────────────────────────────────

const job_id = uuid('The job, by its id.');
const one = { job_id } as const;
const unknown = ['reliableDownlink.unknown'] as const;

export const OPERATIONS = {
  'reliableDownlink.create': {
    verb: 'create',
    takes: { job: { ...body(JOB), failure: 'reliableDownlink.invalid' }, id: UUID_GIVEN },
    answers: RESPONSE,
    fails: [
      'reliableDownlink.exists',
      'reliableDownlink.devices',
      'reliableDownlink.unknown-device',
      'deviceGroup.unknown',
      'reliableDownlink.empty-group',
    ],
    is:
      'Sends a payload to devices, again until the expected uplink comes or the tries are used ' +
      'up.',
  },
  'reliableDownlink.list': {
    verb: 'list',
    takes: {},
    answers: listOf(RESPONSE),
    fails: [],
    is: 'Every job, with how far each of its devices is.',
  },
  'reliableDownlink.get': {
    verb: 'get',
    takes: one,
    answers: RESPONSE,
    fails: unknown,
    is: 'One job, with how far each of its devices is.',
  },
  'reliableDownlink.delete': {
    verb: 'delete',
    takes: one,
    answers: null,
    fails: unknown,
    is: 'Ends a job and forgets it; what waits of it for devices is dropped.',
  },
  'reliableDownlink.restart': {
    verb: 'change',
    takes: one,
    answers: RESPONSE,
    fails: [...unknown, 'reliableDownlink.running', 'reliableDownlink.nothing-to-restart'],
    is: 'Sends to the failed devices of a job again, with fresh tries.',
  },
  'reliableDownlink.stop': {
    verb: 'change',
    takes: one,
    answers: RESPONSE,
    fails: [...unknown, 'reliableDownlink.not-running'],
    is: 'Stops a job: pending devices fail, and later answers are ignored.',
  },
} as const satisfies Operations;

/** Every failure of jobs, with its class. */
export const FAILURES = {
  'reliableDownlink.name': 'malformed',
  'reliableDownlink.payload': 'malformed',
  'reliableDownlink.port': 'malformed',
  /** Retries or interval. */
  'reliableDownlink.invalid': 'malformed',
  /** No list of different DevEUIs, or neither devices nor a group. */
  'reliableDownlink.devices': 'malformed',
  /** Not in the network, or not the subscriber's own. */
  'reliableDownlink.unknown-device': 'malformed',
  'reliableDownlink.empty-group': 'failed',
  'reliableDownlink.unknown': 'unknown',
  'reliableDownlink.exists': 'conflict',
  'reliableDownlink.running': 'conflict',
  'reliableDownlink.not-running': 'conflict',
  'reliableDownlink.nothing-to-restart': 'conflict',
} as const satisfies FailureClasses;
