/**
 * Holds the rows of a file to what the OpenAPI document lists: each status was seen, no other. So
 * stands docs/conformance.md.
 */
import { basename } from 'node:path';
import { expect, it, type RunnerTestSuite } from 'vitest';
import {
  type Answered,
  answeredOn,
  conformancePage,
  isWriting,
  note,
  rulesNamedWith,
} from './conformance.ts';
import { DOCUMENTED_ROWS } from './documented-rows.ts';
import { listedStatuses, type OpenApi, operationsOf, type ServedEntry } from './served-http.ts';

/** To be called after the other tests of these rows. */
export function testStatuses(entry: () => ServedEntry, rows: readonly number[]): void {
  const described = DOCUMENTED_ROWS.filter(({ row }) => rows.includes(row));
  const nameOf = ({ method, path }: (typeof described)[number]) => `${method} ${path}`;
  const asked = (path: string) => path.replaceAll(/\{\w+\}/g, '0123456789ABCDEF');

  it.each(described)('$method $path is 400, 401 and 403 by its token', async ({ method, path }) => {
    const without = await entry().ask(method, asked(path), { token: null });
    expect(without.status).toBe(401);
    expect(without.headers['www-authenticate']).toMatch(/^Bearer /);
    // No operation of the documents is about the network's operator.
    const other = await entry().tokenOf(undefined, 'NetworkOperator.Read');
    const foreign = await entry().ask(method, asked(path), { token: other });
    const document = (await entry().ask('GET', '/openapi.json')).body as OpenApi;
    const operation = operationsOf(document).find((each) => {
      return each.method === method && each.path === path;
    })!;
    // Some are everybody's, whatever his token permits.
    expect(foreign.status).toBe(listedStatuses(operation).includes(403) ? 403 : 200);
    const twice = await entry().ask(method, `${asked(path)}?access_token=x`);
    expect(twice.status).toBe(400);
  });

  it('413 and 415 by what they take as a body', async () => {
    const document = (await entry().ask('GET', '/openapi.json')).body as OpenApi;
    const bodies = operationsOf(document).filter(({ requestBody }) => requestBody !== undefined);
    const names = new Set(bodies.map((each) => `${each.method} ${each.path}`));
    for (const row of described.filter((each) => names.has(nameOf(each)))) {
      const headers = { 'content-type': 'text/csv' };
      const csv = await entry().ask(row.method, asked(row.path), { headers, body: 'a,b' });
      expect([row.row, csv.status]).toEqual([row.row, 415]);
      // More than any operation takes; nothing of it is sent.
      const large = await entry().announce(row.method, asked(row.path), 17 * 1024 ** 2);
      expect([row.row, large]).toEqual([row.row, 413]);
    }
  });

  it('show every status that the document lists, and no other', async () => {
    const document = (await entry().ask('GET', '/openapi.json')).body as OpenApi;
    const listed = new Map(
      operationsOf(document).map((each) => [`${each.method} ${each.path}`, listedStatuses(each)]),
    );
    const table = described.map((row) => ({
      row: row.row,
      operation: nameOf(row),
      statuses: [...(entry().seen.get(nameOf(row)) ?? [])].sort().join(' '),
    }));
    console.table(table);
    expect(table.map(({ operation, statuses }) => `${operation}: ${statuses}`)).toEqual(
      described.map((row) => {
        const statuses = listed.get(nameOf(row))!;
        return `${nameOf(row)}: ${[...statuses].sort().join(' ')}`;
      }),
    );
  });

  it('stand in docs/conformance.md as they were answered (npm run conformance)', ({ task }) => {
    const titles = titlesIn(task.file);
    const answered = described.map(
      (each): Answered => ({
        row: each.row,
        statuses: [...(entry().seen.get(nameOf(each)) ?? [])].sort(),
        rules: rulesNamedWith(each.row, titles),
        file: basename(task.file.name),
      }),
    );
    if (isWriting) note(answered);
    const known = answeredOn(conformancePage());
    expect(answered.map(({ row }) => known.get(row))).toEqual(answered);
  });
}

/** The title of each test in it, after those of what it stands in. */
function titlesIn(within: RunnerTestSuite): readonly (readonly string[])[] {
  return within.tasks.flatMap((each) =>
    each.type === 'suite' ? titlesIn(each).map((titles) => [each.name, ...titles]) : [[each.name]],
  );
}
