/** Fields of output profiles, as data delivery has them: an array a kind of target. */

import type { Field, Fields, Of } from '../../../sim/base/rows/fields.ts';
import { listOf, type ResponseField, record, responseField } from '../../rows/answers.ts';
import { REDACTED } from '../secrets.ts';
import { ENVIRONMENTS } from '../targets/common-rows.ts';
import { ARRAY_NAMES, byArray, type Kinds, type TargetKind } from '../targets/kinds.ts';

const source = 'data delivery: Output profile';

/** Entries of one array. */
const MOST_ENTRIES = 100;

type EntryKinds = Kinds[TargetKind]['entry'];
type ListOf<F> = {
  readonly type: 'list';
  readonly of: { readonly type: 'record'; readonly fields: F };
  readonly most: number;
  readonly is: string;
};
type GivenArrays = {
  readonly [E in EntryKinds as E['array']]: ListOf<E['rows']> & {
    readonly default: readonly [];
    readonly null: 'absent';
  };
};
type AnsweredArrays = {
  readonly [E in EntryKinds as E['array']]: ListOf<AllReported<E['rows']>> & {
    readonly required: true;
  };
};

/** The rows of the arrays of a profile. */
export const ARRAYS = byArray(({ rows }) => rows) as {
  readonly [E in EntryKinds as E['array']]: E['rows'];
};

const arrayOf = <const F extends Fields>(fields: F, is: string) =>
  ({
    type: 'list',
    of: { type: 'record', fields },
    most: MOST_ENTRIES,
    default: [],
    null: 'absent',
    is,
    source,
  }) as const;

const [FIRST] = ARRAY_NAMES;
const WITH_ONE = '; at least one target stands in one of the arrays.';

export const OUTPUT_PROFILE = {
  Name: { type: 'text', required: true, is: 'Its name.', source },
  ...(byArray(({ array, rows, is }) =>
    arrayOf<Fields>(rows, array === FIRST ? is.replace(/[.]$/, WITH_ONE) : is),
  ) as unknown as GivenArrays),
} as const satisfies Fields;
export type GivenProfile = Of<{ readonly type: 'record'; readonly fields: typeof OUTPUT_PROFILE }>;

/** Fields of an entry that no response has. */
export const SECRETS = byArray(({ rows }): readonly string[] =>
  Object.keys(rows).filter((name) => (rows as Fields)[name]!.secret === true),
);

// ── responses ─────────────────────────────────────────────────────────────────────────────

/** Absent where it was not given. */
const ENVIRONMENT = {
  type: 'choice',
  words: ENVIRONMENTS,
  is: 'What it is for, where that was given.',
  source,
} as const satisfies Field;

type AllReported<F extends Fields> = {
  readonly [K in keyof F]: K extends 'Environment'
    ? typeof ENVIRONMENT
    : F[K] extends { readonly secret: true }
      ? typeof HIDDEN
      : ResponseField<F[K]>;
};

/** Responses show a secret as eight asterisks. */
const HIDDEN = responseField({
  type: 'choice',
  words: ['', REDACTED],
  is: 'That there is one. Nothing if there is none.',
});

/** Every field of a target is there, but for an Environment that was not given. */
const allReported = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries<Field>(fields).map(([name, row]) => {
      if (name === 'Environment') return [name, ENVIRONMENT];
      return [name, row.secret === true ? HIDDEN : responseField(row)];
    }),
  );

export const RESPONSE_FIELDS = record({
  Id: responseField({
    type: 'text',
    pattern: /^[0-9A-Za-z]{8}$/,
    allowed: '8 letters and digits',
    is: 'Its id.',
  }),
  Name: responseField(OUTPUT_PROFILE.Name),
  ...(byArray(({ rows, is }) =>
    responseField({ ...listOf(record(allReported(rows))), is, source }),
  ) as unknown as AnsweredArrays),
});
export type ProfileResponse = Of<typeof RESPONSE_FIELDS>;
