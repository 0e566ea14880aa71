/**
 * The data of destinations as rows: of each type, and of any, where a field that several types have
 * stands once.
 */
import { assert } from '../../../sim/base/assert.ts';
import type { Field, Fields } from '../../../sim/base/rows/fields.ts';
import type { AnyRoute, DestinationKind } from '../targets/kind.ts';
import { byType, KINDS, type Kinds, TARGET_KINDS, type TargetKind } from '../targets/kinds.ts';

type Destinations = Kinds[TargetKind]['destination'];
type DataOf = { readonly [D in Destinations as D['type']]: D['rows'] };

/** Data of each type of destinations; what is not there is ignored. */
export const DESTINATION_DATA = byType(({ rows }) => rows) as DataOf;

type Rows = Destinations['rows'];
type KeysOf<R> = R extends unknown ? keyof R : never;
type RowsOf<R, F> = R extends unknown ? (F extends keyof R ? R[F] : never) : never;
type OfAnyType<R> = R extends unknown
  ? Omit<R, 'required' | 'default' | 'rule' | 'pattern' | 'allowed'>
  : never;
type AnyData = { readonly [F in KeysOf<Rows>]: OfAnyType<RowsOf<Rows, F>> };

/** The data of any type: which of it is required, and its form, follows from the type. */
export const ANY_DESTINATION_DATA = fieldsOfAny((row) => row) as unknown as AnyData;

/** What is answered of it: absent is what another type has. */
export const DATA_RESPONSE = fieldsOfAny(({ null: _, ...row }, words) => {
  if (words === undefined) return row as Field;
  const { secret: _hidden, ...shown } = row;
  return { ...shown, is: words } as Field;
}) as unknown as AnyData;

/** Each field that a type has; `words`: what its kind says of it in answers. */
function fieldsOfAny(of: (row: Field, words: string | undefined) => Field): Fields {
  const kinds = TARGET_KINDS.map((kind) => KINDS[kind].destination);
  const names = new Set(kinds.flatMap(({ rows }) => Object.keys(rows)));
  const fields = [...names].map((name) => {
    const having = kinds.filter(({ rows }) => name in rows);
    const inAnswers = having.map((kind) => answerWords(kind, name)).find((words) => words);
    return [name, of(sharedField(name, having), inAnswers)] as const;
  });
  return Object.fromEntries(fields);
}

function rowOf({ rows }: Destinations, name: string): Field {
  return (rows as Fields)[name]!;
}

function answerWords(kind: Destinations, name: string): string | undefined {
  const { type, answers = {} }: DestinationKind<string, Fields, AnyRoute> = kind as never;
  return answers[name] && `${type}: ${answers[name]}`;
}

/** A field that these kinds share. */
function sharedField(name: string, having: readonly Destinations[]): Field {
  const { required: _, default: _none, ...first } = rowOf(having[0]!, name);
  assert(
    having.every((kind) => rowOf(kind, name).type === first.type),
    'a field is of one type in all kinds of targets that have it',
  );
  const is = sentenceOf(having.map((kind) => [kind.type, rowOf(kind, name).is]));
  if (having.every(({ place }) => place !== name)) return { ...first, is };
  const { rule: _rule, pattern: _pattern, allowed: _allowed, ...address } = first as TextField;
  return { ...address, is } as Field;
}

type TextField = Extract<Field, { readonly type: 'text' }>;

/** What it is, by the types that have it. */
function sentenceOf(words: readonly (readonly [type: string, is: string])[]): string {
  if (words.length === 1) return `${words[0]![0]}: ${words[0]![1]}`;
  const sentences = [...new Set(words.map(([, is]) => is))];
  const parts = sentences.map((sentence) => {
    const types = words.filter(([, is]) => is === sentence).map(([type]) => type);
    return `${types.join(', ')}: ${sentence[0]!.toLowerCase()}${sentence.slice(1, -1)}`;
  });
  return `${parts.join('; ')}.`;
}
