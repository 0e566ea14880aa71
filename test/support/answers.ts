/**
 * Whether what an operation answers is what its row says, judged by itself: nothing here reads rows
 * as the product does.
 */

import { isDeepStrictEqual } from 'node:util';
import { classOf } from '../../core/kit/failures.ts';
import {
  ADMISSION_FAILURES,
  type AnyFailure,
  FAILURES,
  failuresOf,
  OPERATIONS,
  type OperationKind,
} from '../../core/operations.ts';
import type { Failure } from '../../sim/base/result.ts';
import type { Field, Kind } from '../../sim/base/rows/fields.ts';

type Came =
  | { readonly ok: true; readonly value: unknown; readonly meanwhile?: true }
  | { readonly ok: false; readonly failure: Failure };

/** What is wrong with what came of an operation, by its row; empty: nothing. */
export function wrongWith(kind: unknown, came: unknown): readonly string[] {
  const outcome = came as Came;
  if (!isOperation(kind)) return wrongWithNoOperation(outcome);
  const { meanwhile, answers } = OPERATIONS[kind];
  if (!outcome.ok) return wrongWithRefusal(kind, outcome.failure);
  const form = outcome.meanwhile === true ? meanwhile : answers;
  if (form === undefined) return [`${kind} has no such form`];
  if (form === null) return outcome.value === undefined ? [] : [`${kind} answers something`];
  return wrongIn(form, outcome.value, kind);
}

/** What came of an operation, if it is what its row says; else an error. */
export function asReported<Outcome>(kind: unknown, came: Outcome): Outcome {
  const [first] = wrongWith(kind, came);
  if (first !== undefined) throw new Error(`not as its row says: ${first}`);
  return came;
}

const isOperation = (kind: unknown): kind is OperationKind =>
  typeof kind === 'string' && Object.hasOwn(OPERATIONS, kind);

const isOfAdmission = ({ code }: Failure): boolean => Object.hasOwn(ADMISSION_FAILURES, code);

/** Of what is not among the operations. */
const wrongWithNoOperation = (outcome: Came): readonly string[] =>
  !outcome.ok && isOfAdmission(outcome.failure) ? [] : ['what is no operation is not refused'];

function wrongWithRefusal(kind: OperationKind, failure: Failure): readonly string[] {
  if (isOfAdmission(failure)) return [];
  const code = failure.code as AnyFailure;
  const own = failuresOf(kind);
  if (!Object.hasOwn(own, code)) return [`${kind} has no failure ${code}`];
  const itsClass = classOf({ ...failure, code }, FAILURES);
  return Object.values(own).includes(itsClass)
    ? []
    : [`${kind} has no failure that is ${itsClass}`];
}

/** What is wrong with a value of a kind, and where. */
export function wrongIn(kind: Kind, value: unknown, at: string): readonly string[] {
  switch (kind.type) {
    case 'record':
      return wrongInRecord(kind, value, at);
    case 'list': {
      if (!Array.isArray(value)) return [`${at} is no list`];
      const isRight = isBetween(value.length, { least: 0, ...kind });
      const isDistinct = kind.distinct !== true || new Set(value).size === value.length;
      const each = value.flatMap((one, i) => wrongIn(kind.of, one, `${at}[${i}]`));
      return isRight && isDistinct ? each : [`${at} has ${value.length} entries`, ...each];
    }
    case 'map': {
      if (!isRecord(value)) return [`${at} is no map`];
      const entries = Object.entries(value);
      const wrong = entries.flatMap(([key, one]) => [
        ...wrongIn(kind.keys, key, `a key of ${at}`),
        ...wrongIn(kind.of, one, `${at}.${key}`),
      ]);
      return entries.length <= kind.most ? wrong : [`${at} is too large`];
    }
    case 'json':
      return isPlain(value) ? [] : [`${at} is no map of plain data`];
    case 'either': {
      const all = kind.kinds.map((each) => wrongIn(each, value, at));
      return all.some((wrong) => wrong.length === 0) ? [] : (all[0] ?? [`${at} is of no kind`]);
    }
    default:
      return isLeaf(kind, value) ? [] : [`${at} is ${JSON.stringify(value) ?? typeof value}`];
  }
}

function wrongInRecord(
  { fields, partial }: Kind & { readonly type: 'record' },
  value: unknown,
  at: string,
): readonly string[] {
  if (!isRecord(value)) return [`${at} is no record`];
  const beyond = Object.keys(value).filter((name) => !Object.hasOwn(fields, name));
  const wrong = Object.entries(fields).flatMap(([name, row]) =>
    partial && !Object.hasOwn(value, name) ? [] : wrongInField(row, value, name, `${at}.${name}`),
  );
  return [...beyond.map((name) => `${at}.${name} has no row`), ...wrong];
}

function wrongInField(row: Field, record: object, name: string, at: string): readonly string[] {
  if (!Object.hasOwn(record, name)) return row.required ? [`${at} is missing`] : [];
  const value = (record as Record<string, unknown>)[name];
  if (value === null && row.null !== undefined) return [];
  return wrongIn(row, value, at);
}

/** What JSON holds without loss. */
const isPlain = (value: unknown): boolean =>
  isRecord(value) && isDeepStrictEqual(JSON.parse(JSON.stringify(value)), value);

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && Object.prototype.toString.call(value) === '[object Object]';

const isBetween = (size: number, { least, most }: { least: number; most: number }): boolean =>
  least <= size && size <= most;

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/;
const HALF = /\p{Surrogate}/u;
/** Control characters, and halves of pairs. */
const NO_TEXT = /\p{Cc}|\p{Surrogate}/u;

function isLeaf(kind: Kind, value: unknown): boolean {
  switch (kind.type) {
    case 'flag':
      return value === true || value === false;
    case 'number':
    case 'whole': {
      if (typeof value !== 'number' || !Number.isFinite(value) || Object.is(value, -0))
        return false;
      const isWhole = kind.type === 'number' || Number.isSafeInteger(value);
      return isWhole && isBetween(value, kind) && (kind.rule?.(value) ?? true);
    }
    case 'bytes':
      return value instanceof Uint8Array && isBetween(value.length, kind);
    default:
      return typeof value === 'string' && isText(kind, value);
  }
}

function isText(kind: Kind, value: string): boolean {
  switch (kind.type) {
    case 'choice':
      return kind.words.includes(value);
    case 'hex':
      return value.length === kind.digits && /^[0-9A-F]*$/.test(value);
    case 'hexBytes':
      return /^([0-9A-F]{2})*$/.test(value) && isBetween(value.length / 2, kind);
    case 'instant':
      return INSTANT.test(value) && Date.parse(value) >= 0;
    case 'text': {
      const { least = 1, most = 250, storedIn, pattern, rule } = kind;
      const isPlain = kind.raw === true ? !HALF.test(value) : !NO_TEXT.test(value);
      const cased = storedIn === 'upper' ? value.toUpperCase() : value.toLowerCase();
      const isStored = storedIn === undefined || cased === value;
      const isRight = (pattern?.test(value) ?? true) && (rule?.(value) ?? true);
      return isPlain && isStored && isRight && isBetween([...value].length, { least, most });
    }
    default:
      return false;
  }
}
