/** What a request gives for the fields of its operation: from path, query and body. */
import { describe, expect, it } from 'vitest';
import { givenIn, locOf, type Parts, tokensOf } from '../../api/http/requests.ts';
import { bindingOf, type Route } from '../../api/http/route.ts';
import type { Fields } from '../../sim/base/rows/fields.ts';

const is = '';
const TEXT = { type: 'text', is } as const;
const WHOLE = { type: 'whole', least: -9, most: 9_999, is } as const;
const ENTRY = { type: 'record', fields: { name: TEXT, count: WHOLE }, is } as const;

const FIELDS: Fields = {
  id: TEXT,
  name: TEXT,
  size: WHOLE,
  level: { type: 'number', least: -99, most: 99, is },
  open: { type: 'flag', is },
  words: { type: 'list', of: TEXT, most: 9, is },
  entry: ENTRY,
  entries: { type: 'list', of: ENTRY, most: 9, is },
  hidden: { ...TEXT, only: 'scenario' },
};

const route = (method: string, more: Partial<Route> = {}): Route =>
  ({ method, url: '/things/{id}', kind: 'thing.get', ...more }) as Route;
const bound = (method: string, more: Partial<Route> = {}, takes = FIELDS) =>
  bindingOf(route(method, more), takes);
const given = (binding: ReturnType<typeof bound>, parts: Partial<Parts>) =>
  givenIn(binding, { params: { id: 'a' }, query: {}, body: undefined, ...parts });

describe('a request without a body', () => {
  const inQuery = (query: Parts['query'], more: Partial<Route> = {}) =>
    given(bound('GET', more), { query });

  it('gives what path and query name, and nothing else', () => {
    expect(inQuery({ name: 'b', other: 'c', hidden: 'd' })).toEqual({ id: 'a', name: 'b' });
    expect(inQuery({ id: 'z' })).toEqual({ id: 'a' });
    expect(given(bound('GET', { path: { id: 'name' } }), {})).toEqual({ name: 'a' });
  });

  it.each([
    ['7', 7],
    ['-7', -7],
    ['007', 7],
    ['1.5', 1.5],
    ['999999999999999', 999_999_999_999_999],
    ['9999999999999999', '9999999999999999'],
    ['1.0123456789012345', '1.0123456789012345'],
    ['1e3', '1e3'],
    [' 7', ' 7'],
    ['', ''],
    ['-', '-'],
  ])('has %j as a number if it is one: %j', (text, value) => {
    expect(inQuery({ size: text, level: text })).toEqual({ id: 'a', size: value, level: value });
    expect(inQuery({ name: text })).toEqual({ id: 'a', name: text });
  });

  it('has flags as true and false, lists repeated or with commas, and else text', () => {
    expect(inQuery({ open: 'true' }).open).toBe(true);
    expect(inQuery({ open: 'false' }).open).toBe(false);
    expect(inQuery({ open: 'True' }).open).toBe('True');
    expect(inQuery({ open: ['true', 'false'] }).open).toEqual(['true', 'false']);
    expect(inQuery({ words: 'a,b' }).words).toEqual(['a', 'b']);
    expect(inQuery({ words: ['a', 'b,c'] }).words).toEqual(['a', 'b', 'c']);
    expect(inQuery({ words: '' }).words).toEqual(['']);
  });

  it('takes keys in any case where its service does, the documented one first', () => {
    expect(inQuery({ NAME: 'b' })).toEqual({ id: 'a' });
    expect(inQuery({ NAME: 'b' }, { anyCase: true })).toEqual({ id: 'a', name: 'b' });
    expect(inQuery({ NAME: 'b', name: 'c' }, { anyCase: true })).toEqual({ id: 'a', name: 'c' });
  });
});

describe('a request with a body', () => {
  const inBody = (body: unknown, more: Partial<Route> = {}) => given(bound('POST', more), { body });

  it('gives what rows name of the body, of records and of records in lists', () => {
    const other = { colour: 'red', hidden: 1 };
    const entry = { name: 'b', count: 1 };
    const body = { name: 'c', ...other, entry: { ...entry, ...other } };
    expect(inBody({ ...body, entries: [{ ...entry, ...other }, entry, {}, 5, null] })).toEqual({
      id: 'a',
      name: 'c',
      entry,
      entries: [entry, entry, {}, 5, null],
    });
    expect(inBody({ entry: [1], entries: { a: 1 }, words: [{ a: 1 }] })).toEqual({
      id: 'a',
      entry: [1],
      entries: { a: 1 },
      words: [{ a: 1 }],
    });
  });

  it('takes keys of records in lists in any case where its service does', () => {
    const body = { Entries: [{ NAME: 'b' }] };
    expect(inBody(body, { anyCase: true })).toEqual({ id: 'a', entries: [{ name: 'b' }] });
  });

  it('is an empty map where there is none, and may be nothing but a map', () => {
    expect(inBody(undefined)).toEqual({ id: 'a' });
    for (const body of [null, 'a', 5, []]) expect(() => inBody(body)).toThrow('has to be a map');
  });

  it('is one field as a whole where a row says so', () => {
    const takes = { id: TEXT, all: { ...ENTRY, body: true } } as const;
    const whole = bound('PUT', {}, takes);
    expect(given(whole, { body: { name: 'b', other: 1 } })).toEqual({
      id: 'a',
      all: { name: 'b' },
    });
    const list = { id: TEXT, all: { type: 'list', of: TEXT, most: 9, is, body: true } } as const;
    expect(given(bound('PUT', {}, list), { body: ['b'] })).toEqual({ id: 'a', all: ['b'] });
  });

  it('may repeat the Id of its path, and have no other', () => {
    const binding = bound('PUT', { url: '/things/{Id}' }, { Id: TEXT, name: TEXT });
    const put = (body: unknown) => givenIn(binding, { params: { Id: 'a' }, query: {}, body });
    for (const Id of ['a', null, undefined])
      expect(put({ Id, name: 'b' })).toEqual({ Id: 'a', name: 'b' });
    expect(() => put({ Id: 'b' })).toThrow('Id of the body has to be that of the path, a');
  });
});

describe('the place of a failure', () => {
  it('is in the path, the query or the body, by where the field came from', () => {
    expect(locOf(bound('GET'), '/id')).toEqual(['path', 'id']);
    expect(locOf(bound('GET'), '/words/1')).toEqual(['query', 'words', 1]);
    expect(locOf(bound('POST'), '/entries/0/name')).toEqual(['body', 'entries', 0, 'name']);
    expect(locOf(bound('POST'), '/words')).toEqual(['body', 'words']);
    expect(locOf(bound('GET'), '/toString')).toEqual(['body', 'toString']);
    expect(locOf(bound('GET'), undefined)).toBeUndefined();
    const upload = { part: 'file', name: 'name', bytes: 'entry' };
    expect(locOf(bound('POST', { upload }), '/entry')).toEqual(['body', 'file']);
    expect(locOf(bound('GET', { path: { id: 'name' } }), '/name/2')).toEqual(['path', 'id', 2]);
  });

  it('has numbers for what may be an index, and else keys', () => {
    expect(tokensOf('/a/0/10/01/12345678/x~1y')).toEqual(['a', 0, 10, '01', '12345678', 'x/y']);
    expect(tokensOf('')).toEqual([]);
  });
});
