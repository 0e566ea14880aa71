/**
 * Fields as tables: a row says what a field is, what it may hold, what null means, how it fails,
 * and where it is documented. Values are read by the rows (reading.ts); JSON Schema and the tables
 * of docs/ derive from them.
 */
import type { JsonObject } from '../json.ts';

/** What a value is made of. */
export type Kind = {
  /** Code of the failure; that of what surrounds it when absent. */
  readonly failure?: string;
  /** What is allowed, in words; the row itself says it when absent. */
  readonly allowed?: string;
  /** Messages do not repeat it. */
  readonly secret?: true;
} & (
  | { readonly type: 'flag' }
  /** Finite; `whole`: without a fraction. The unit is that of the document. */
  | (Limits & {
      readonly type: 'number' | 'whole';
      readonly unit?: 's' | 'Hz' | 'MHz' | 'B' | 'share' | 'm' | 'dB' | 'dr';
      readonly rule?: (value: number) => boolean;
    })
  /**
   * Well-formed Unicode without control characters; `keptIn`: ASCII of any case, stored in this.
   */
  | (Partial<Limits> & {
      readonly type: 'text';
      readonly storedIn?: 'upper' | 'lower';
      /** Control characters, too; `unpaired`: and halves of surrogate pairs. */
      readonly raw?: true | 'unpaired';
      /** Of the whole text. */
      readonly pattern?: RegExp;
      readonly rule?: (value: string) => boolean;
    })
  | { readonly type: 'choice'; readonly words: readonly string[] }
  /** Hexadecimal text with a number of digits or bytes: any case, stored in upper case. */
  | { readonly type: 'hex'; readonly digits: number }
  | (Limits & { readonly type: 'hexBytes' })
  /** RFC 3339. */
  | { readonly type: 'instant' }
  | (Limits & { readonly type: 'bytes' })
  /**
   * `orOne`: one value stands for a list of it; `distinct`: each is stored once; `unique`: none may
   * stand in it twice.
   */
  | (Pick<Limits, 'most'> & {
      readonly type: 'list';
      readonly of: Kind;
      readonly least?: number;
      readonly orOne?: true;
      readonly distinct?: true;
      readonly unique?: true;
    })
  /** Of the first of these kinds that it is of. */
  | { readonly type: 'either'; readonly kinds: readonly Kind[] }
  /** Values by keys that are kinds themselves. */
  | (Pick<Limits, 'most'> & { readonly type: 'map'; readonly keys: Kind; readonly of: Kind })
  /** A map of any JSON data; its user defines the contents. */
  | { readonly type: 'json' }
  /** Anything: it is judged elsewhere. */
  | { readonly type: 'any' }
  /** Of a program: `object` has these methods. */
  | { readonly type: 'function' }
  | { readonly type: 'object'; readonly methods: readonly string[] }
  /** `partial`: a change, which gives what it changes. */
  | { readonly type: 'record'; readonly fields: Fields; readonly partial?: true }
);

/** Of a number; of characters, bytes or entries otherwise. */
export interface Limits {
  readonly least: number;
  readonly most: number;
}

/** A row. */
export type Field = Kind & {
  /** What it means, a sentence for people. */
  readonly is: string;
  readonly required?: true;
  /**
   * What null says: the same as absence, or a meaning of its own; refused when absent. In answers
   * `nothing`: there is none, or none yet.
   */
  readonly null?: 'absent' | 'automatic' | 'derived' | 'nothing';
  /** What absence stands for. */
  readonly default?: unknown;
  /** Scenario files alone have it; the services do not document it. */
  readonly only?: 'scenario';
  /** A host draws it, or makes it of what is secret: digests leave it out. */
  readonly drawn?: true;
  /** Document and section. */
  readonly source?: string;
  /** Pointers of failures begin here: it is what a request carries. */
  readonly body?: true;
};

export type Fields = { readonly [name: string]: Field };

// ── types of what rows describe ──────────────────────────────────────────────────────────────────

/** Stored type of a kind; `In`: accepted input. */
export type Of<K, In = false> = K extends { type: 'choice'; words: readonly (infer Word)[] }
  ? Word
  : K extends { type: 'text' | 'hex' | 'hexBytes' | 'instant' }
    ? string
    : K extends { type: 'number' | 'whole' }
      ? number
      : K extends { type: 'flag' }
        ? boolean
        : K extends { type: 'bytes' }
          ? Uint8Array
          : K extends { type: 'json' }
            ? JsonObject
            : K extends { type: 'list'; of: infer Each }
              ? readonly Of<Each, In>[] | (K extends { orOne: In } ? Of<Each, In> : never)
              : K extends { type: 'either'; kinds: readonly (infer Each)[] }
                ? Of<Each, In>
                : K extends { type: 'map'; of: infer Each }
                  ? Readonly<Record<string, Of<Each, In>>>
                  : K extends { type: 'record'; fields: infer Inner }
                    ? K extends { partial: true }
                      ? Partial<Values<Inner, In>>
                      : Values<Inner, In>
                    : never;

/** Null where it has a meaning of its own; a caller may give it where it means absence, too. */
type NullOf<K, In> = K extends { null: infer Meaning }
  ? Meaning extends 'absent'
    ? In extends true
      ? null
      : never
    : null
  : never;

type KeysWith<F, What> = { [K in keyof F]: F[K] extends What ? K : never }[keyof F];
type Required<F> = KeysWith<F, { required: true }>;
type Flat<T> = { readonly [K in keyof T]: T[K] };
type Values<F, In> = Flat<
  { [K in Required<F>]: Of<F[K], In> | NullOf<F[K], In> } & {
    [K in Exclude<keyof F, Required<F>>]?: Of<F[K], In> | NullOf<F[K], In>;
  }
>;

/** What a caller may give. */
export type Input<F> = Values<F, true>;
/** What was given, once it is read. */
export type Given<F> = Values<F, false>;
/** What was given, with the defaults. */
export type Effective<F> = Flat<
  Omit<Given<F>, KeysWith<F, { default: unknown }>> & {
    [K in KeysWith<F, { default: unknown }>]: Of<F[K]> | NullOf<F[K], false>;
  }
>;

/** The rows' defaults for what is absent. */
export function effective<const F extends Fields>(fields: F, given: object): Effective<F> {
  const defaults = Object.entries(fields).map(([name, row]) => [name, row.default] as const);
  const stated = defaults.filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(stated), ...given } as unknown as Effective<F>;
}

/** As many as there are: a limit of answers alone. */
export const ANY_NUMBER = Number.MAX_SAFE_INTEGER;
