/** Rows of what callers give to the outbox of deliveries, and of what they are answered. */

import { MATTERS } from '../../../core/delivery/deliveries/target.ts';
import { TARGET_KINDS } from '../../../core/delivery/targets/kinds.ts';
import { COUNT, INSTANT, listOf, record } from '../../../core/rows/answers.ts';
import { id } from '../../../core/rows/fields.ts';
import { ANY_NUMBER, type Fields } from '../../../sim/base/rows/fields.ts';
import { DELIVERY_ENDS } from './stored-deliveries.ts';

// ── what is given ────────────────────────────────────────────────────────────────────────────────

export const TARGET_ID = {
  target: id('The DestinationId of a profile’s entry, or a destination’s id.'),
  subscriber: { type: 'text', least: 0, is: 'Whose target it is; the caller’s own when absent.' },
} as const satisfies Fields;

export const MESSAGE_ID = {
  id: { type: 'text', least: 0, required: true, is: 'Its id: the receiver got it as webhook-id.' },
} as const satisfies Fields;

export const WHICH = {
  ...TARGET_ID,
  state: {
    type: 'choice',
    words: ['waiting', 'ended'],
    default: 'waiting',
    is: 'Those that wait, the oldest first; or the latest hundred that have ended, the last first.',
  },
  limit: { type: 'whole', least: 1, most: 1_000, default: 100, is: 'How many at the most.' },
} as const satisfies Fields;

// ── what is answered ─────────────────────────────────────────────────────────────────────────────

const text = { type: 'text', least: 0, most: ANY_NUMBER, raw: true, required: true } as const;
const count = { ...COUNT, required: true } as const;
/** Of the wall’s clock. */
const instant = { ...INSTANT, required: true } as const;
const instantOrNull = { ...instant, null: 'nothing' } as const;
const flag = { type: 'flag', required: true } as const;

const COUNTS = {
  left: { ...count, is: 'Messages that have left the world.' },
  redelivered: { ...count, is: 'Messages that were given anew after their end.' },
  delivered: { ...count, is: 'Of both: a receiver or a broker has taken it.' },
  refused: { ...count, is: 'Answered with what is final.' },
  failed: { ...count, is: 'Failed after eight attempts.' },
  given_up: { ...count, is: 'Given up: they waited for seven days, or behind too many others.' },
  removed: { ...count, is: 'Dropped with their target.' },
  ended: { ...count, is: 'Dropped with their world, which another one has replaced.' },
  attempts: { ...count, is: 'Attempts that were answered, or that nobody answered in time.' },
} as const satisfies Fields;

const TRY = {
  at: { ...instant, is: 'When it was begun, by the wall’s clock.' },
  took_ms: { ...count, is: 'How long it took, ms.' },
  answer: {
    ...text,
    is:
      'A status of HTTP, or one of: acknowledged, timeout, connection refused, connection ' +
      'failed, no token, address refused, not possible.',
  },
  says: { ...text, is: 'What was answered, or what went wrong, for people.' },
} as const satisfies Fields;

export const OUTBOX_TARGET = {
  subscriber: { ...text, is: 'Whose it is.' },
  target: { ...text, is: 'Its id.' },
  kind: { type: 'choice', words: TARGET_KINDS, required: true, is: 'What it is.' },
  address: { ...text, is: 'Where the last message went.' },
  matter: { type: 'choice', words: MATTERS, required: true, is: 'What goes to it.' },
  paused: { ...flag, is: 'Whether somebody has paused it here.' },
  waiting: { ...count, is: 'Messages that wait, or are on their way.' },
  underway: { ...count, is: 'Of those: they are on their way just now.' },
  fails_in_row: { ...count, is: 'Failed attempts since the last success.' },
  begins_at: {
    ...instantOrNull,
    is: 'It is left alone until then, by the wall’s clock; null: it is not.',
  },
  last: { ...record(TRY), null: 'nothing', required: true, is: 'The latest attempt.' },
  ...COUNTS,
} as const satisfies Fields;

export const OUTBOX = {
  targets: { ...listOf(record(OUTBOX_TARGET)), required: true, is: 'Those of all subscribers.' },
  removed_targets: { ...record(COUNTS), required: true, is: 'Those that are gone, together.' },
} as const satisfies Fields;

export const MESSAGE = {
  id: { ...text, is: 'The same at every attempt.' },
  target: { ...text, is: 'Where it goes.' },
  occurred_at: { ...instant, is: 'Virtual time at which there was something to deliver.' },
  left_at: { ...instant, is: 'When it left the world, or was given anew, by the wall’s clock.' },
  matter: { type: 'choice', words: MATTERS, required: true, is: 'What it is.' },
  about: { ...text, is: 'DevEUI or NodeId.' },
  attempts: { ...count, is: 'Attempts so far, since it was given.' },
  next_attempt_at: { ...instantOrNull, is: 'When it is due again; null: when its turn comes.' },
  tries: { ...listOf(record(TRY)), required: true, is: 'The latest 16, the last at the end.' },
  end: {
    ...record({
      how: { type: 'choice', words: DELIVERY_ENDS, required: true, is: 'How it ended.' },
      at: { ...instant, is: 'When, by the wall’s clock.' },
    }),
    null: 'nothing',
    required: true,
    is: 'How it ended; null: it waits.',
  },
  body: { ...text, is: 'What is sent, byte for byte.' },
} as const satisfies Fields;

export const MESSAGES = {
  messages: { ...listOf(record(MESSAGE)), required: true, is: 'In the order that was asked for.' },
} as const satisfies Fields;
