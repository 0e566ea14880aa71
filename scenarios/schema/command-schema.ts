/**
 * Any command of the platform in a scenario file, in the very fields of its operation
 * (core/operations.ts) and read by the same rows. Bytes are base64 text; keys that no row names are
 * refused, since who writes a file means something by them.
 */

import * as z from 'zod';
import { fieldsReader } from '../../core/base/reading.ts';
import type { Thing } from '../../core/base/subscribers.ts';
import { type ListedOperation, OPERATIONS } from '../../core/operations.ts';
import { isQuery } from '../../core/rows/permissions.ts';
import { assert } from '../../sim/base/assert.ts';
import { fromBase64 } from '../../sim/base/bytes.ts';
import { keysOf } from '../../sim/base/json-pointer.ts';
import { isMap } from '../../sim/base/plain-data.ts';
import type { Field, Fields, Kind } from '../../sim/base/rows/fields.ts';
import { recordSchema } from '../../sim/base/rows/json-schema.ts';
import { quote, type Reading, read, refuse, sentence, unknownWord } from '../language/complaint.ts';
import { text } from '../language/kinds.ts';
import { leaf, maybe, needed } from '../language/knob.ts';
import { named } from '../language/naming.ts';

type Keyed = Readonly<Record<string, unknown>>;

const ALL: readonly (readonly [string, ListedOperation])[] = Object.entries(OPERATIONS);

/** What a command of a file says beside its fields. */
const OWN_KEYS = ['kind', 'by', 'as'];

/** Each command by its kind. */
const COMMANDS = new Map(ALL.filter(([, { verb }]) => !isQuery(verb)));

/** Rows of a command as a file has them. */
function fieldsOf(kind: string, { takes }: ListedOperation): Fields {
  const fields = withoutBodies(takes);
  const isOwn = OWN_KEYS.every((key) => !Object.hasOwn(fields, key));
  assert(isOwn, `no field of ${kind} has the name of a key that commands of files have`);
  return fields;
}

/** Few files have commands, and those have few kinds. */
const readers = new Map<string, CommandReader>();

type CommandReader = Readonly<{ fields: Fields; read: ReturnType<typeof fieldsReader> }>;

function readerOf(kind: string, command: ListedOperation): CommandReader {
  const known = readers.get(kind);
  if (known !== undefined) return known;
  const fields = fieldsOf(kind, command);
  const place = { path: '', name: command.resource, failure: 'command.malformed' };
  const reader = { fields, read: fieldsReader(fields, place) };
  readers.set(kind, reader);
  return reader;
}

/** Kinds of commands, in the order of the resources. */
export const COMMAND_KINDS: readonly string[] = [...COMMANDS.keys()];

/** Pointers lead through what a request carries, too: in a file it is a map of its own. */
function withoutBodies(takes: Fields): Fields {
  const rows = Object.entries(takes).map(([name, { body: _, ...row }]) => [name, row as Field]);
  return Object.fromEntries(rows);
}

function readKind(input: unknown): Reading<string> {
  const allowed = COMMAND_KINDS.join(', ');
  if (input === undefined) return refuse('is missing', allowed);
  const word = String(input);
  if (COMMANDS.has(word)) return read(word);
  if (ALL.some(([kind]) => kind === word)) {
    return refuse(`${quote(input)} is a query, which does nothing`, allowed);
  }
  return unknownWord(`${quote(input)} is not a command`, word, COMMAND_KINDS);
}

const shape = {
  kind: needed(leaf(readKind, { enum: COMMAND_KINDS }), {
    is: 'Which command; its fields stand beside this one.',
    source: 'docs/operations.md',
  }),
  by: maybe(named('caller'), {
    is: 'Who asks, a name of `subscribers` or one that a command creates; the first when absent.',
  }),
  as: maybe(text(/^[0-9A-Za-z]{8}$/, '8 letters and digits'), {
    is: 'Id of the user or application of theirs that asks; the user when absent.',
  }),
};

/** What is read: the kind, who asks, and the fields as the rows keep them. */
export const AnyCommand = z
  .looseObject(shape, {
    error: ({ input }) => {
      const what =
        input === undefined ? 'is missing' : `${quote(input)} is not a map of keys and values`;
      return sentence({ what, allowed: 'a map with kind, and with the fields of that command' });
    },
  })
  .check((payload) => {
    const { kind, by, as, ...given } = payload.value;
    const operation = COMMANDS.get(kind);
    if (operation === undefined) return;
    const command = readerOf(kind, operation);
    const faults: RawIssue[] = [];
    const whole: Kind = { type: 'record', fields: command.fields };
    const plain = fromText(whole, given, [], (fault) => faults.push(fault)) as object;
    const reading = faults.length > 0 ? undefined : command.read(plain);
    if (reading?.ok === false) {
      const { message, path = '' } = reading.failure;
      faults.push({ code: 'custom', message, path: [...keysOf(path)], input: given });
    }
    payload.issues.push(...faults);
    if (reading?.ok) {
      const who = { ...(by === undefined ? {} : { by }), ...(as === undefined ? {} : { as }) };
      payload.value = { kind, ...who, ...reading.value };
    }
  })
  .meta({
    /** A condition a kind: what a map with `kind` holds beside it, and nothing else. */
    get allOf() {
      return [...COMMANDS].map(([kind, command]) => ({
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema (2020-12, §10.2.2).
        then: { ...recordSchema(fieldsOf(kind, command), 'file'), additionalProperties: undefined },
        if: { properties: { kind: { const: kind } }, required: ['kind'] },
      }));
    },
    // Instead of `additionalProperties`, which does not see what the conditions allow.
    additionalProperties: undefined,
    unevaluatedProperties: false,
  });

type RawIssue = z.core.$ZodRawIssue;
type Path = readonly PropertyKey[];

/** What a file gives for a kind, with bytes in the place of their text; keys are those of rows. */
function fromText(
  kind: Kind,
  given: unknown,
  path: Path,
  report: (fault: RawIssue) => void,
): unknown {
  const inner = (of: Kind, value: unknown, key: PropertyKey) =>
    fromText(of, value, [...path, key], report);
  if (kind.type === 'bytes' && typeof given === 'string') {
    const bytes = fromBase64(given);
    if (bytes !== undefined) return bytes;
    const allowed = `base64 of ${kind.least} to ${kind.most} bytes`;
    const message = sentence({ what: `${quote(given)} is not base64`, allowed });
    report({ code: 'custom', message, path: [...path], input: given });
  }
  if (kind.type === 'list' && Array.isArray(given) && isDeep(kind.of)) {
    return given.map((each, i) => inner(kind.of, each, i));
  }
  if (!isDeep(kind) || !isMap(given)) return given;
  const known = kind.type === 'record' ? kind.fields : {};
  const keys = Object.keys(given);
  const unknown = kind.type === 'record' ? keys.filter((key) => !Object.hasOwn(known, key)) : [];
  if (unknown.length > 0) {
    const others = path.length === 0 ? OWN_KEYS : [];
    const message = [...others, ...Object.keys(known)].join(', ');
    report({ code: 'unrecognized_keys', keys: unknown, message, path: [...path], input: given });
  }
  const entries = keys.map((key) => {
    const of = kind.type === 'map' ? kind.of : known[key];
    return [key, of === undefined ? given[key] : inner(of, given[key], key)] as const;
  });
  return Object.fromEntries(entries);
}

/** Whether bytes or records may stand within. */
function isDeep(kind: Kind): boolean {
  if (kind.type === 'list' || kind.type === 'map') return isDeep(kind.of);
  return kind.type === 'record' || kind.type === 'bytes';
}

/** A device or gateway that a command brings when it is not refused. */
export interface Brought {
  readonly thing: Thing;
  readonly eui: string;
  readonly name: string;
}

export function broughtBy({ kind, ...given }: Keyed): Brought | undefined {
  const thing = kind === 'device.create' ? 'device' : 'gateway';
  const fields = kind === `${thing}.create` ? given[thing] : undefined;
  if (!isMap(fields)) return undefined;
  const eui = thing === 'device' ? fields.devEui : fields.eui;
  if (typeof eui !== 'string') return undefined;
  const { name = eui } = fields;
  return { thing, eui: eui.toUpperCase(), name: String(name) };
}

/** The subscriber that a command makes when it is not refused, and its file gives it an id. */
export function addedSubscriber({ kind, id }: Keyed): string | undefined {
  return kind === 'subscriber.create' && typeof id === 'string' ? id : undefined;
}
