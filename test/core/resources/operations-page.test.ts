/** docs/operations.md is complete: every operation and every field that it should tell of. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { STATUS } from '../../../api/http/errors.ts';
import { FAILURES, OPERATIONS, type PlatformFailure } from '../../../core/operations.ts';
import type { Kind } from '../../../sim/base/rows/fields.ts';
import { numbersOf } from '../../support/operations-page.ts';
import { readFields } from '../../support/read-fields.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const page = read('docs/operations.md');

/** Words in backticks. */
const quoted = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, word]) => word!);

/** The kinds of commands and queries, and the rules, of each row. */
const lines = page.split('\n').filter((line) => /^\| \d+ \| [A-Z]+ \//.test(line));

describe('the page of operations', () => {
  it('has routes of kinds that the platform has, each in one row that is not deprecated', () => {
    const lasting = lines.filter((line) => !line.includes('deprecated'));
    const kinds = lasting.flatMap((line) => quoted(line.split('|')[3]!));
    expect(kinds.filter((kind) => !Object.hasOwn(OPERATIONS, kind))).toEqual([]);
    expect(new Set(kinds).size).toBe(kinds.length);
  });

  it('has each row and rule once, in their order', () => {
    const { rows, rules } = numbersOf(page);
    expect(rows).toEqual([...new Set(rows)].sort((a, b) => a - b));
    expect(rules).toEqual([...new Set(rules)].sort((a, b) => a - b));
    expect(lines.length).toBe(rows.length);
  });

  it('has rules for rows that stand in the table of rules', () => {
    const { rules } = numbersOf(page);
    const named = lines.flatMap((line) =>
      [
        ...line
          .split('|')
          .at(-2)!
          .matchAll(/E(\d+)/g),
      ].map(([, digits]) => Number(digits)),
    );
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((rule) => !rules.includes(rule))).toEqual([]);
  });

  it('has rules for codes that resources declare, and the status of their class', () => {
    const rules = [...page.matchAll(/^\| E\d+ \|.*$/gm)].map(([line]) => line.split('|'));
    const codes = rules.flatMap(([, rule, , cell, status]) =>
      quoted(cell!).map((code) => ({ rule, code, status: Number(status) })),
    );
    expect(codes.length).toBeGreaterThan(30);
    const wrong = codes.filter(({ code, status }) => {
      const failureClass = FAILURES[code as PlatformFailure];
      // What a request's own fields name and nobody has is malformed.
      const isNamed = failureClass === 'unknown' && status === STATUS.malformed;
      return failureClass === undefined || (STATUS[failureClass] !== status && !isNamed);
    });
    expect(wrong).toEqual([]);
  });
});

describe('the rows of all operations', () => {
  /** A row with those inside it. */
  const within = (row: Kind): Kind[] => {
    const inside = 'of' in row ? [row.of] : 'fields' in row ? Object.values(row.fields) : [];
    const keys = 'keys' in row ? [row.keys] : [];
    return [row, ...[...inside, ...keys].flatMap(within)];
  };
  const rows = Object.values(OPERATIONS).flatMap(({ takes }) =>
    Object.values(takes).flatMap((row) => within(row)),
  );

  it('fail with codes that resources declare', () => {
    const codes = new Set(rows.flatMap(({ failure }) => failure ?? []));
    expect(codes.size).toBeGreaterThan(10);
    expect([...codes].filter((code) => !Object.hasOwn(FAILURES, code))).toEqual([]);
  });

  it('take their own defaults', () => {
    const fields = rows.flatMap((row) => ('fields' in row ? [row.fields] : []));
    const takes = Object.values(OPERATIONS).map((operation) => operation.takes);
    for (const all of [...fields, ...takes]) {
      const stated = Object.entries(all).filter(([, row]) => row.default !== undefined);
      const given = Object.fromEntries(stated.map(([name, row]) => [name, row.default]));
      const read = readFields(Object.fromEntries(stated), given, {
        path: '',
        name: '',
        failure: '',
      });
      expect(read).toEqual({ ok: true, value: given });
    }
  });

  it('stand for a sentence each', () => {
    const sentences = rows.flatMap((row) => ('is' in row ? [row.is as string] : []));
    expect(sentences.filter((text) => !/^\S.*[^.]\.$/.test(text))).toEqual([]);
  });
});
