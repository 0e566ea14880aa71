/**
 * The tables of docs/operations.md that derive from what resources declare: operations, fields and
 * failures.
 */
import { STATUS } from '../../api/http/errors.ts';
import type { Operation } from '../../core/kit/resource.ts';
import {
  ADMISSION_FAILURES,
  codesOf,
  type ListedOperation,
  OPERATIONS,
  type OperationKind,
  WORLD_FAILURES,
} from '../../core/operations.ts';
import { RESOURCES } from '../../core/resources.ts';
import { permissionFor } from '../../core/rows/permissions.ts';
import { markdownTable } from '../../sim/base/markdown.ts';
import { allowedOf } from '../../sim/base/rows/allowed.ts';
import type { Field, Fields, Kind } from '../../sim/base/rows/fields.ts';
import { UNITS } from '../../sim/base/rows/units.ts';

/** Every operation: its kind, its verb, what it needs and does, and how it may be refused. */
export function operationTable(): string {
  const all = Object.entries(OPERATIONS) as [OperationKind, ListedOperation][];
  const rows = all.map(([kind, { verb, open, permission, is }]) => [
    `\`${kind}\``,
    verb,
    open ? 'any token' : permissionFor(permission, verb),
    is,
    refusalsOf(kind),
  ]);
  return markdownTable(['Kind', 'Verb', 'Permission', 'What it does', 'Refusals of its own'], rows);
}

const GENERAL: readonly string[] = Object.keys({ ...ADMISSION_FAILURES, ...WORLD_FAILURES });

const refusalsOf = (kind: OperationKind): string =>
  codesOf(kind)
    .filter((code) => !GENERAL.includes(code))
    .map((code) => `\`${code}\``)
    .join(', ');

/** Every code with its class, by resource, those of admission first. */
export function failureTable(): string {
  const admission = { name: 'every operation', failures: ADMISSION_FAILURES };
  const world = { name: 'every operation, of a world that has stopped', failures: WORLD_FAILURES };
  const rows = [admission, world, ...RESOURCES].flatMap(({ name, failures }) =>
    Object.entries(failures).map(([code, failureClass]) => [
      `\`${code}\``,
      failureClass,
      `${STATUS[failureClass]}`,
      name,
    ]),
  );
  return markdownTable(['Code', 'Class', 'HTTP', 'Declared by'], rows);
}

/** What the operations of each resource take, a table a resource. */
export function fieldTables(): string {
  return RESOURCES.map(({ name, operations }) => {
    const rows = fieldRows(operations);
    const head = ['Field', 'Taken by', 'Value', 'Default', 'Null', 'Meaning', 'Source'];
    return `**${name}**\n\n${markdownTable(head, rows)}`;
  }).join('\n');
}

/** What the operations of each resource answer, a table a resource that answers something. */
export function answerTables(): string {
  const tables = RESOURCES.flatMap(({ name, operations }) => {
    const reports = Object.entries<Operation>(operations).flatMap(
      ([kind, { answers, meanwhile }]) => [
        ...(answers === null ? [] : answerLines(answers, kind, '')),
        ...(meanwhile === undefined ? [] : answerLines(meanwhile, kind, ' in part')),
      ],
    );
    const lines = joined(reports);
    const head = ['Field', 'Answered by', 'Value', 'Null', 'Meaning', 'Source'];
    return lines.length === 0 ? [] : [`**${name}**\n\n${markdownTable(head, lines)}`];
  });
  return tables.join('\n');
}

/** What an answer is made of; of a list or a map, what each of its entries is. */
function answerLines(answer: Kind, kind: string, form: string): readonly Line[] {
  const { inner, mark } = unwrapped(answer);
  const fields =
    inner.type === 'record'
      ? fieldsIn(inner.fields, '')
      : [['', { ...inner, required: true, is: 'Each entry.' } as Field] as const];
  return fields.map(([path, row]) => ({ path, kind: kind + mark + form, cells: responseOf(row) }));
}

/** A line for each field, and what takes it; rows that differ have a line each. */
function fieldRows(operations: { readonly [kind: string]: { readonly takes: Fields } }) {
  const taken = Object.entries(operations).flatMap(([kind, { takes }]) =>
    fieldsIn(takes, '').map(([path, row]) => ({ path, kind, cells: cellsOf(row) })),
  );
  return joined(taken);
}

interface Line {
  readonly path: string;
  readonly kind: string;
  readonly cells: readonly string[];
}

/** Lines that differ in nothing but their kinds are one. */
function joined(all: readonly Line[]): readonly (readonly string[])[] {
  const lines = new Map<string, { readonly line: Line; readonly verbs: string[] }>();
  for (const line of all) {
    const key = [line.path, ...line.cells].join('|');
    const known = lines.get(key) ?? { line, verbs: [] };
    known.verbs.push(line.kind.split('.')[1]!);
    lines.set(key, known);
  }
  return [...lines.values()].map(({ line: { path, cells }, verbs }) => [
    path === '' ? '' : `\`${path}\``,
    verbs.join(', '),
    ...cells,
  ]);
}

/** What is in lists and maps, and how a path says so. */
function unwrapped(kind: Kind): { readonly inner: Kind; readonly mark: string } {
  if (kind.type !== 'list' && kind.type !== 'map') return { inner: kind, mark: '' };
  const { inner, mark } = unwrapped(kind.of);
  return { inner, mark: (kind.type === 'list' ? '[]' : '{}') + mark };
}

/** Fields by their paths; those of what a request carries stand for it. */
function fieldsIn(fields: Fields, prefix: string): (readonly [path: string, row: Field])[] {
  return Object.entries(fields).flatMap(([name, row]) => {
    const path = `${prefix}${name}`;
    const own = [[path, row] as const];
    const { inner, mark } = unwrapped(row);
    if (inner.type !== 'record') return own;
    const within = fieldsIn(inner.fields, row.body ? '' : `${path}${mark}.`);
    return row.body ? within : [...own, ...within];
  });
}

/** Value, null, meaning and source of a row of an answer. */
function responseOf(row: Field): string[] {
  const [value = '', , , meaning = '', source = ''] = cellsOf(row);
  const ofNull = row.null === undefined ? '' : 'there is none';
  return [row.required === undefined ? `${value}, if it is there` : value, ofNull, meaning, source];
}

/** Value, default, null, meaning and source of a row. */
function cellsOf(row: Field): string[] {
  const unit = 'unit' in row && row.unit !== undefined ? `, ${UNITS[row.unit].table}` : '';
  const value = row.type === 'record' ? 'fields' : `${allowedOf(row)}${unit}`;
  const only = row.only === 'scenario' ? ' *(scenario files alone)*' : '';
  const ofNull = row.null === 'absent' ? 'as absent' : (row.null ?? 'refused');
  return [value, defaultOf(row), ofNull, `${row.is}${only}`, row.source ?? ''];
}

function defaultOf({ required, default: value }: Field): string {
  if (required) return '*needed*';
  return value === undefined ? '' : `\`${JSON.stringify(value)}\``;
}
