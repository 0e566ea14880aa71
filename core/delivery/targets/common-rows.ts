/** Rows that several kinds of targets have. */
import type { Fields } from '../../../sim/base/rows/fields.ts';

export const ENTRY_SOURCE = 'data delivery: Output profile';
export const DESTINATION_SOURCE = 'data delivery, Output destination';

// ── of entries ───────────────────────────────────────────────────────────────────────────────────

/** A text that need not be given: '' where there is none. */
export const OPTIONAL = { type: 'text', least: 0, default: '', null: 'absent' } as const;
export const SECRET = { type: 'text', most: 8_192, secret: true } as const;

export const ENVIRONMENTS = ['production', 'staging', 'development'] as const;

/** What every entry has. */
export const ENTRY = {
  DestinationId: {
    ...OPTIONAL,
    most: 64,
    is: 'In PUT and PATCH: which entry this is, by the id that the service gave to it.',
    source: ENTRY_SOURCE,
  },
  Environment: {
    type: 'choice',
    words: ['', ...ENVIRONMENTS],
    default: '',
    null: 'absent',
    is: 'What it is for; giving it is strongly advised.',
    source: ENTRY_SOURCE,
  },
  Active: {
    type: 'flag',
    default: true,
    null: 'absent',
    is: 'Whether it is delivered to; false pauses that.',
    source: ENTRY_SOURCE,
  },
} as const satisfies Fields;

// ── of the data of destinations ──────────────────────────────────────────────────────────────────

export const TEXT = { type: 'text', source: DESTINATION_SOURCE } as const;

export const TOPIC = {
  type: 'text',
  most: 1_024,
  rule: (value: string) => !/[+#]/.test(value),
  allowed: 'a topic of 1 to 1024 characters without + and #',
  source: DESTINATION_SOURCE,
  required: true,
  is: 'Topic.',
} as const;
