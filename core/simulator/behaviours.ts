/**
 * What devices make of application downlinks: the rules that they answer by, which the simulator's
 * operator may replace for one device, and what they are really set to over the air. What a device
 * makes of either stands in `sim/device/answering.ts` and `sim/device/settings.ts`.
 */
import { SETTINGS_PARAMETERS } from '../../sim/base/device-settings.ts';
import { andThen, ok } from '../../sim/base/result.ts';
import type { Fields, Of } from '../../sim/base/rows/fields.ts';
import { MILLION } from '../../sim/base/units.ts';
import type { AnswerRule } from '../../sim/contract/things.ts';
import { F_PORT, FRM_PAYLOAD } from '../base/application-data.ts';
import {
  declareResource,
  done,
  handlers,
  type Operations,
  type Surroundings,
  WITHOUT_RECORDS,
} from '../kit/resource.ts';
import { COUNT, listOf, record, responseField, responseFieldOrNull } from '../rows/answers.ts';
import { devEui, knownDevice } from './devices.ts';

/** Rules that a device may have. */
export const MOST_RULES = 64;
/** Longest delay of an answer, s: 30 days. */
const LONGEST_DELAY_S = 2_592_000;

/** A rule: the knobs of scenario files that mean the same have the same ranges. */
export const ANSWER_RULE = {
  onFPort: {
    ...F_PORT,
    is: 'FPort of downlinks that it answers; any that no package of the device has when absent.',
  },
  onHex: { ...FRM_PAYLOAD, is: 'Their whole payload; any when absent.' },
  sendFPort: { ...F_PORT, is: 'FPort of the answer; that of the downlink when absent.' },
  sendHex: { ...FRM_PAYLOAD, is: 'Payload of the answer; that of the downlink when absent.' },
  delay: {
    type: 'number',
    least: 0,
    most: LONGEST_DELAY_S,
    unit: 's',
    is:
      'The answer is an uplink of its own, so long after the downlink by the device’s clock; ' +
      'absent: it takes the place of port and payload in the next message of its own traffic.',
  },
} as const satisfies Fields;

/** A rule as the service is given it. */
export type AnswerInput = Of<{ readonly type: 'record'; readonly fields: typeof ANSWER_RULE }>;

const RULES = {
  type: 'list',
  of: { type: 'record', fields: ANSWER_RULE },
  most: MOST_RULES,
} as const;

const RESPONSE = record({
  answers: responseField({ ...listOf(RULES.of), is: 'Its rules; the first that fits answers.' }),
  ofType: responseField({ type: 'flag', is: 'Whether they are those of its device type.' }),
});

const { uplinkPeriod, payloadBytes, uplinkPort } = SETTINGS_PARAMETERS;
const whole = ({ least, most }: { readonly least: number; readonly most: number }) =>
  ({ type: 'whole', least, most }) as const;

/** What a device is set to over the air. */
export const SETTINGS = record({
  uplinkPeriod: responseField({
    ...whole(uplinkPeriod),
    unit: 's',
    is: 'Period, or mean pause, of its own messages.',
  }),
  payloadBytes: responseField({ ...whole(payloadBytes), is: 'Their length, bytes.' }),
  confirmedUplinks: responseField({ type: 'flag', is: 'Whether they ask for an acknowledgement.' }),
  uplinkPort: responseField({ ...whole(uplinkPort), is: 'Their FPort.' }),
});

const OPERATIONS = {
  'device.behaviour': {
    verb: 'change',
    takes: {
      devEui,
      answers: {
        ...RULES,
        null: 'absent',
        failure: 'behaviour.invalid',
        is:
          'Its rules, the first that fits answers: {} is an echo, an empty list no answer; those ' +
          'of its device type when absent.',
      },
    },
    answers: null,
    fails: ['device.unknown'],
    is: 'Replaces what a device answers to application downlinks.',
  },
  'device.answers': {
    verb: 'get',
    takes: { devEui },
    answers: RESPONSE,
    fails: ['device.unknown'],
    is: 'What a device answers to application downlinks.',
  },
  'device.settings': {
    verb: 'get',
    takes: { devEui },
    answers: record({
      settings: responseFieldOrNull({
        ...SETTINGS,
        is: 'All of it; null: it is not set over the air.',
      }),
      taken: responseField({ ...COUNT, is: 'Downlinks on the port of its settings that it took.' }),
      ignored: responseField({
        ...COUNT,
        is: 'Those that it ignored: malformed, or out of range.',
      }),
    }),
    fails: ['device.unknown'],
    is: 'What a device is really set to over the air, whatever anybody knows of it.',
  },
} as const satisfies Operations;

export const behaviourResource = declareResource({
  name: 'behaviour',
  is: 'Settings and answers of simulated devices.',
  permission: 'Simulator',
  failures: { 'behaviour.invalid': 'malformed' },
  operations: OPERATIONS,
  make: ({ outbox }: Pick<Surroundings, 'outbox'>) => ({
    handle: handlers(OPERATIONS, {
      'device.behaviour': ({ devEui, answers }, { nowUs, view }) =>
        andThen(knownDevice(view, devEui), () => {
          const rules = answers === undefined ? null : answers.map(ruleOf);
          return done(outbox.add({ kind: 'device.behaviour', devEui, answers: rules }, nowUs));
        }),
      'device.answers': ({ devEui }, { view }) =>
        andThen(knownDevice(view, devEui), ({ answers, answersOfType: ofType }) =>
          ok({ answers: answers.map(responseOf), ofType }),
        ),
      'device.settings': ({ devEui }, { view }) =>
        andThen(knownDevice(view, devEui), ({ settings, settingsDownlinks }) =>
          ok({ settings: settings ?? null, ...(settingsDownlinks ?? NONE_SENT) }),
        ),
    }),
    // The network keeps the rules of its devices.
    ...WITHOUT_RECORDS,
  }),
});

/** Of a device that is not set over the air. */
const NONE_SENT = { taken: 0, ignored: 0 };

/** As the network has it: whole µs. */
export const ruleOf = ({ delay, ...rule }: AnswerInput): AnswerRule =>
  delay === undefined ? rule : { ...rule, delayUs: Math.round(delay * MILLION) };

const responseOf = ({ delayUs, ...rule }: AnswerRule): AnswerInput =>
  delayUs === undefined ? rule : { ...rule, delay: delayUs / MILLION };
