/**
 * docs/conformance.md is complete: each operation of the documents was asked over TLS, and has
 * answered every status that the specifications give it. That the page is as the tests of the rows
 * have seen it, those tests hold (`test/support/statuses-covered.ts`).
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { answeredOn, conformancePage } from '../support/conformance.ts';
import { DOCUMENTED_ROWS } from '../support/documented-rows.ts';
import { unseen } from '../support/documented-statuses.ts';

const page = conformancePage();
const answered = answeredOn(page);
const statuses = new Map([...answered].map(([row, each]) => [row, each.statuses]));

describe('docs/conformance.md', () => {
  it('has each operation of the documents once, and no other', () => {
    expect([...answered.keys()]).toEqual(DOCUMENTED_ROWS.map(({ row }) => row));
  });

  it('shows every status that the specifications give an operation', () => {
    expect(unseen(statuses)).toEqual([]);
  });

  it('names the file that holds the row to what it has seen', () => {
    const wrong = [...answered.values()].filter(({ row, file }) => {
      const source = readFileSync(`test/e2e/${file}`, 'utf8');
      const calls = [...source.matchAll(/testStatuses\(\(\) => \w+, \[([\d, \n]+)\]/g)];
      return !calls.some(([, rows]) => rows!.split(',').map(Number).includes(row));
    });
    expect(wrong).toEqual([]);
  });
});

describe('what was never seen', () => {
  it('is reported with its operation: a status, and a whole row', () => {
    const less = new Map([...statuses, [6, [204, 400, 401, 403, 404]]] as const);
    expect(unseen(less)).toContain(
      'row 6, POST /api/v3.2/campaigns/{campaign_id}/halt: 409 was never seen',
    );
    less.delete(53);
    expect(unseen(less)).toContain('row 53, PUT /v1/account/passwordReset: 200 was never seen');
  });

  it('is no row that the page has twice', () => {
    const line = page.split('\n').find((each) => each.startsWith('| 9 |'));
    expect(() => answeredOn(`${page}${line}\n`)).toThrow('row 9 stands twice');
  });
});
