/** Pages of lists: `limit`, `page_token`, `meta` (data delivery, List pagination; E75). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MOST_ON_PAGE, type PageAsked, type PagedList, Pages } from '../../core/base/pages.ts';
import { platformDraws } from '../../core/world/platform-draws.ts';
import { expandSeed } from '../../sim/base/random.ts';
import { got } from './resources/service.ts';

const SIZES = { usual: 100, most: 1000 };
const ofSeed = (seed: string, id = '') =>
  new Pages({ placeDraws: platformDraws(expandSeed(seed)).placeOf, id });
const pages = ofSeed('pages');

const keyOf = (entry: string): string => entry;
const listOf = (entries: readonly string[], more: Partial<PagedList<string>> = {}) => ({
  by: 'ann',
  name: 'destinations',
  entries: [...entries].sort(),
  keyOf,
  ...more,
});

const tryPage = (list: PagedList<string>, asked: PageAsked, from = pages) =>
  from.page(list, asked, SIZES, 'list.page');
const page = (list: PagedList<string>, asked: PageAsked = {}) => got(tryPage(list, asked));
const numbered = (count: number) =>
  Array.from({ length: count }, (_, i) => `id-${String(i).padStart(5, '0')}`);
const tokenOf = (list: PagedList<string>, limit = 1): string =>
  page(list, { limit }).meta.next_page_token!;

describe('a page', () => {
  it('has 100 entries unless the limit says otherwise, and 1000 at most', () => {
    const list = listOf(numbered(2500));
    expect(page(list).data).toEqual(list.entries.slice(0, 100));
    expect(page(list, { limit: 7 }).data).toHaveLength(7);
    expect(page(list, { limit: 1000 }).data).toHaveLength(1000);
    expect(page(list, { limit: 1_000_000 }).data).toHaveLength(1000);
  });

  it.each([0, 1, 99, 100, 101])(
    'reports with meta.more whether another one exists: %i',
    (count) => {
      const { data, meta } = page(listOf(numbered(count)));
      expect(data).toHaveLength(Math.min(count, 100));
      expect(meta.more).toBe(count > 100);
      expect(meta.next_page_token === null).toBe(!meta.more);
    },
  );

  it('ends before an entry that has too many things for it, and has one entry at least', () => {
    const sizeOf = (entry: string) => (entry === 'id-00003' ? 2 * MOST_ON_PAGE : MOST_ON_PAGE / 4);
    const list = listOf(numbered(9), { sizeOf });
    const reports: (readonly string[])[] = [];
    for (let token: string | null = ''; token !== null; ) {
      const { data, meta } = page(list, { page_token: token });
      reports.push(data);
      token = meta.next_page_token;
    }
    expect(reports.map(({ length }) => length)).toEqual([3, 1, 4, 1]);
    expect(reports.flat()).toEqual(numbered(9));
  });

  it('is the first one where the token is empty', () => {
    const list = listOf(numbered(3));
    expect(page(list, { page_token: '' })).toEqual(page(list));
  });

  it('continues with another limit where the one before ended', () => {
    const list = listOf(numbered(9));
    const page_token = tokenOf(list, 2);
    expect(page(list, { limit: 3, page_token }).data).toEqual(numbered(9).slice(2, 5));
  });

  it('may follow another order than that of texts', () => {
    const newestFirst = (one: string, other: string) => Number(other) - Number(one);
    const entries = ['100', '20', '3'];
    const list = { ...listOf([]), entries, order: newestFirst };
    const page_token = tokenOf(list);
    const later = { ...list, entries: ['110', '100', '20', '3'] };
    expect(page(later, { page_token }).data).toEqual(['20', '3']);
  });
});

describe('a token', () => {
  const list = listOf(numbered(5));
  const page_token = tokenOf(list);
  const refused = (more: Partial<PagedList<string>>, asked: PageAsked, from = pages) => {
    const answer = tryPage(listOf(numbered(5), more), asked, from);
    return answer.ok ? 'taken' : `${answer.failure.code} ${answer.failure.path}`;
  };

  it('is taken again and again, also by the world that is restored', () => {
    expect(refused({}, { page_token })).toBe('taken');
    expect(refused({}, { page_token }, ofSeed('pages'))).toBe('taken');
  });

  it('is refused with its pointer where it is another subscriber’s, list’s or world’s', () => {
    const code = 'list.page /page_token';
    expect(refused({ by: 'bob' }, { page_token })).toBe(code);
    expect(refused({ name: 'alerts' }, { page_token })).toBe(code);
    expect(refused({}, { page_token }, ofSeed('another'))).toBe(code);
  });

  it('is refused whatever character of it is another one, is missing or is added', () => {
    for (let at = 0; at < page_token.length; at++) {
      const other = page_token[at] === '0' ? '1' : '0';
      const changed = page_token.slice(0, at) + other + page_token.slice(at + 1);
      expect(refused({}, { page_token: changed }), `${at}`).toBe('list.page /page_token');
      const short = page_token.slice(0, at) + page_token.slice(at + 1);
      expect(refused({}, { page_token: short })).toBe('list.page /page_token');
    }
    for (const page_token of ['x', 'id-00000', tokenOf(list).toUpperCase(), '\u{1f600}']) {
      expect(refused({}, { page_token })).toBe('list.page /page_token');
    }
    expect(refused({}, { page_token: `${page_token}0` })).toBe('list.page /page_token');
    expect(refused({}, { page_token: `${page_token}0000` })).toBe('list.page /page_token');
  });
});

describe('a walk over all pages', () => {
  /** What is there before each page. */
  const changes = fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 41 }), {
    minLength: 60,
    maxLength: 60,
  });

  it('law: reports what is there all the time once, and nothing twice, in the order', () => {
    fc.assert(
      fc.property(
        changes,
        fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
        (come, stay, limits) => {
          const lines: string[] = [];
          let page_token = '';
          for (let step = 0; ; step++) {
            const there = [...new Set([...(come[step] ?? []), ...stay])];
            const list = listOf(there.map((each) => `k${String(each).padStart(2, '0')}`));
            const limit = limits[step % limits.length]!;
            const { data, meta } = page(list, { limit, page_token });
            expect(data.every((each) => list.entries.includes(each))).toBe(true);
            lines.push(...data);
            if (!meta.more) break;
            page_token = meta.next_page_token!;
          }
          expect(lines).toEqual([...new Set(lines)].sort());
          const stays = stay.map((each) => `k${String(each).padStart(2, '0')}`);
          expect(lines).toEqual(expect.arrayContaining(stays));
        },
      ),
    );
  });
});
