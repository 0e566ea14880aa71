/**
 * The tables of docs/operations.md that derive from what resources declare: operations, fields and
 * failures.
 */
import type { FailureClass } from '../../core/kit/failures.ts';
import { allowedOf, type Field, type Fields } from '../../core/kit/fields.ts';
import { permissionFor } from '../../core/kit/permissions.ts';
import { ADMISSION_FAILURES, OPERATIONS } from '../../core/operations.ts';
import { RESOURCES } from '../../core/resources.ts';

/** Status of each class over HTTP. */
export const STATUS = {
  malformed: 400,
  failed: 402,
  forbidden: 403,
  unknown: 404,
  conflict: 409,
  precondition: 412,
  tooLarge: 413,
  full: 507,
  unavailable: 503,
} as const satisfies Readonly<Record<FailureClass, number>>;

/** Every operation: its kind, its verb, what it needs and what it does. */
export function operationTable(): string {
  const rows = Object.entries(OPERATIONS).map(([kind, { verb, permission, is }]) => [
    `\`${kind}\``,
    verb,
    permissionFor(permission, verb),
    is,
  ]);
  return table(['Kind', 'Verb', 'Permission', 'What it does'], rows);
}

/** Every code with its class, by resource, those of admission first. */
export function failureTable(): string {
  const admission = { name: 'every operation', failures: ADMISSION_FAILURES };
  const rows = [admission, ...RESOURCES].flatMap(({ name, failures }) =>
    Object.entries(failures).map(([code, failureClass]) => [
      `\`${code}\``,
      failureClass,
      `${STATUS[failureClass]}`,
      name,
    ]),
  );
  return table(['Code', 'Class', 'HTTP', 'Declared by'], rows);
}

/** What the operations of each resource take, a table a resource. */
export function fieldTables(): string {
  return RESOURCES.map(({ name, operations }) => {
    const rows = fieldRows(operations);
    const head = ['Field', 'Taken by', 'Value', 'Default', 'Null', 'Meaning', 'Source'];
    return `**${name}**\n\n${table(head, rows)}`;
  }).join('\n');
}

/** A line for each field, and what takes it; rows that differ have a line each. */
function fieldRows(operations: { readonly [kind: string]: { readonly takes: Fields } }) {
  const lines = new Map<string, { readonly cells: string[]; readonly takers: string[] }>();
  for (const [kind, { takes }] of Object.entries(operations)) {
    for (const [path, row] of fieldsIn(takes, '')) {
      const cells = cellsOf(row);
      const key = [path, ...cells].join('|');
      const line = lines.get(key) ?? { cells: [`\`${path}\``, ...cells], takers: [] };
      line.takers.push(kind.split('.')[1]!);
      lines.set(key, line);
    }
  }
  return [...lines.values()].map(({ cells: [path = '', ...cells], takers }) => [
    path,
    takers.join(', '),
    ...cells,
  ]);
}

/** Fields by their paths; those of what a request carries stand for it. */
function fieldsIn(fields: Fields, prefix: string): (readonly [path: string, row: Field])[] {
  return Object.entries(fields).flatMap(([name, row]) => {
    const path = `${prefix}${name}`;
    const own = [[path, row] as const];
    const [each, mark] = row.type === 'list' ? [row.of, '[]'] : [row, ''];
    if (each.type !== 'record') return own;
    const inner = fieldsIn(each.fields, row.body ? '' : `${path}${mark}.`);
    return row.body ? inner : [...own, ...inner];
  });
}

const UNITS = { s: 's', MHz: 'MHz', B: 'bytes', share: 'as a share', m: 'm', dr: 'a data rate' };

/** Value, default, null, meaning and source of a row. */
function cellsOf(row: Field): string[] {
  const unit = 'unit' in row && row.unit !== undefined ? `, ${UNITS[row.unit]}` : '';
  const value = row.type === 'record' ? 'fields' : `${allowedOf(row)}${unit}`;
  const only = row.only === 'scenario' ? ' *(scenario files alone)*' : '';
  const ofNull = row.null === 'absent' ? 'as absent' : (row.null ?? 'refused');
  return [value, defaultOf(row), ofNull, `${row.is}${only}`, row.source ?? ''];
}

function defaultOf({ required, default: value }: Field): string {
  if (required) return '*needed*';
  return value === undefined ? '' : `\`${JSON.stringify(value)}\``;
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
