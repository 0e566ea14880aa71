/** The operations on output profiles: what each takes, answers and refuses with. */
import { MEDIUM_ID, MEDIUM_ID_GIVEN } from '../../base/ids.ts';
import type { Operations } from '../../kit/resource.ts';
import { RESPONSE } from '../../management/response.ts';
import { listOf, record, responseField } from '../../rows/answers.ts';
import { body, changes, id } from '../../rows/fields.ts';
import { OUTPUT_PROFILE, RESPONSE_FIELDS } from './rows.ts';

const source = 'data delivery: Output profiles';

/** Devices of one request, which nothing else waits for longer than 50 ms. */
const MOST_DEVICES = 2_000;

const Id = id('The output profile, by its id.');
const unknown = ['outputProfile.unknown'] as const;
/** Codes with which targets are refused. */
export const TARGETS = [
  'outputProfile.no-target',
  'outputProfile.secret',
  'outputProfile.unknown-destination',
  'outputProfile.full',
] as const;

const assignment = {
  verb: 'change',
  takes: {
    Id,
    Devices: {
      type: 'list',
      of: { type: 'text', least: 0, storedIn: 'upper' },
      most: MOST_DEVICES,
      required: true,
      is: 'DevEUIs of those that get it.',
      source,
    },
  },
  answers: record({
    Responses: responseField({
      ...listOf(
        record({
          DevEUI: responseField({ type: 'text', least: 0, is: 'The device.' }),
          Response: responseField({ type: 'flag', is: 'Whether it has the profile now.' }),
          Error: responseField({
            type: 'text',
            least: 0,
            most: 1_000,
            is: 'Why it has not; else nothing.',
          }),
        }),
      ),
      is: 'What became of each, in the order of the request.',
    }),
  }),
  fails: unknown,
} as const;

export const OPERATIONS = {
  'outputProfile.create': {
    verb: 'create',
    takes: { outputProfile: body(OUTPUT_PROFILE), id: MEDIUM_ID_GIVEN },
    answers: record({ Id: responseField({ ...MEDIUM_ID, is: 'Its id.' }) }),
    fails: ['outputProfile.exists', ...TARGETS],
    is: 'Adds an output profile: where uplinks of the devices that have it are delivered to.',
  },
  'outputProfile.list': {
    verb: 'list',
    takes: {},
    answers: record({
      OutputProfiles: responseField({
        ...listOf(RESPONSE_FIELDS),
        is: 'Those that devices may have, in the order of their ids.',
        source,
      }),
    }),
    fails: [],
    is: 'Output profiles, without their secrets.',
  },
  'outputProfile.get': {
    verb: 'get',
    takes: { Id },
    answers: RESPONSE_FIELDS,
    fails: unknown,
    is: 'One output profile, without its secrets.',
  },
  'outputProfile.replace': {
    verb: 'change',
    takes: { Id, outputProfile: body(OUTPUT_PROFILE) },
    answers: RESPONSE,
    fails: [...unknown, ...TARGETS],
    is:
      'Replaces an output profile; entries that stay keep their DestinationId and, where eight ' +
      'asterisks stand for it, their secret.',
  },
  'outputProfile.update': {
    verb: 'change',
    takes: { Id, outputProfile: changes(OUTPUT_PROFILE) },
    answers: RESPONSE,
    fails: [...unknown, ...TARGETS],
    is: 'Replaces the arrays that are given, and the name; the others stay.',
  },
  'outputProfile.delete': {
    verb: 'delete',
    takes: { Id },
    answers: RESPONSE,
    fails: [...unknown, 'outputProfile.in-use'],
    is: 'Deletes an output profile that no device has; what waits of its targets is dropped.',
  },
  'outputProfile.assign': {
    ...assignment,
    is: 'Gives each device an output profile, by itself, and reports why it failed for others.',
  },
  'outputProfile.assignAll': {
    ...assignment,
    is: 'The same, and all other devices lose it.',
  },
} as const satisfies Operations;

export const FAILURES = {
  'outputProfile.exists': 'conflict',
  'outputProfile.unknown': 'unknown',
  /** All arrays are empty. */
  'outputProfile.no-target': 'malformed',
  /** There is none to keep. */
  'outputProfile.secret': 'malformed',
  'outputProfile.unknown-destination': 'malformed',
  'outputProfile.in-use': 'conflict',
  /** Checks the limit of targets per subscriber. */
  'outputProfile.full': 'conflict',
} as const;
