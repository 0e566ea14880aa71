/** Fields of entries without what is secret in them, and as JSON has them. */

import { type ListedOperation, OPERATIONS } from '../../../core/operations.ts';
import { toBase64 } from '../../../sim/base/bytes.ts';
import type { Kind } from '../../../sim/base/rows/fields.ts';
import type { EntryFields } from './fields-msgpack.ts';

const REDACTED = '[redacted]';

const LISTED: Readonly<Record<string, ListedOperation>> = OPERATIONS;

/** What no row describes is a secret by its name. */
const SECRET_NAME = /auth|cookie|credential|key|password|secret|signature|token|verifier/i;

/**
 * An entry without secrets: those that the rows of its command know, and of what no row describes
 * those that are named like one.
 */
export function redacted({ kind, atUs, ...fields }: EntryFields): EntryFields {
  if (OF_KEYS.includes(kind)) return { kind, atUs, ...fieldsOf(fields, answerHidden) };
  return {
    kind,
    atUs,
    ...fieldsOf(fields, (name, value) => {
      return name === 'command' && isCommand(value) ? commandOf(value) : byName(name, value);
    }),
  };
}

/** Entries of idempotency keys: their answers may tell secrets. */
const OF_KEYS = ['answered', 'resulted'];

const answerHidden = (name: string, value: unknown): unknown =>
  name === 'answer' || name === 'result' ? REDACTED : byName(name, value);

interface Command {
  readonly kind: string;
}

const isCommand = (value: unknown): value is Command =>
  isMap(value) && typeof value.kind === 'string';

function commandOf(command: Command): object {
  const takes = Object.hasOwn(LISTED, command.kind) ? LISTED[command.kind]!.takes : {};
  return fieldsOf(command, (name, value) => {
    const row = Object.hasOwn(takes, name) ? takes[name] : undefined;
    return row === undefined ? byName(name, value) : byKind(row, value);
  });
}

/** A value of a kind; one that is not as its kind says may be of another of several. */
function byKind(kind: Kind, value: unknown): unknown {
  if (value === undefined || value === null) return value;
  if (kind.secret) return REDACTED;
  if (kind.type === 'either') {
    return kind.kinds.reduce<unknown>((so, each) => byKind(each, so), value);
  }
  if (kind.type === 'list') {
    return Array.isArray(value)
      ? value.map((each) => byKind(kind.of, each))
      : byKind(kind.of, value);
  }
  if (!isMap(value)) return value;
  if (kind.type === 'map') return fieldsOf(value, (_, each) => byKind(kind.of, each));
  if (kind.type === 'json') return fieldsOf(value, byName);
  if (kind.type !== 'record') return value;
  const { fields } = kind;
  return fieldsOf(value, (name, each) => {
    return Object.hasOwn(fields, name) ? byKind(fields[name]!, each) : each;
  });
}

function byName(name: string, value: unknown): unknown {
  if (value === undefined || value === null) return value;
  if (SECRET_NAME.test(name)) return REDACTED;
  if (Array.isArray(value)) return value.map((each) => byName('', each));
  return isMap(value) ? fieldsOf(value, byName) : value;
}

const fieldsOf = (map: object, of: (name: string, value: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, of(name, value)]));

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Uint8Array);

/** Bytes as base64, all else as it is. */
export function inText(value: unknown): unknown {
  if (value instanceof Uint8Array) return toBase64(value);
  if (Array.isArray(value)) return value.map(inText);
  return isMap(value) ? fieldsOf(value, (_, each) => inText(each)) : value;
}
