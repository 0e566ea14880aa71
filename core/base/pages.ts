/**
 * Pages of lists with `limit` and `page_token` (docs/decisions/0062): a token says behind which
 * entry the next page begins, and is good for one list of one subscriber. Whatever is added or
 * removed meanwhile, an entry that stays is shown exactly once.
 */
import { assert } from '../../sim/base/assert.ts';
import { toHex } from '../../sim/base/bytes.ts';
import { fail, ok, type Result } from '../../sim/base/result.ts';
import { ANY_NUMBER, type Of } from '../../sim/base/rows/fields.ts';
import { cmac, expandKey, type KeySchedule } from '../../sim/lorawan/aes.ts';
import { record, responseField, responseFieldOrNull } from '../rows/answers.ts';
import type { WholeWorld } from './whole-world.ts';

/** Entries of a page: as many as usual, and at most. */
export interface PageSizes {
  readonly usual: number;
  readonly most: number;
}

const source = 'data delivery and device configuration, list pagination';

/** Rows of what is asked for a page; a limit above the most is that many. */
export const pageQuery = <const Code extends string>(failure: Code, { usual, most }: PageSizes) =>
  ({
    limit: {
      type: 'whole',
      least: 1,
      most: ANY_NUMBER,
      default: usual,
      failure,
      is: `Entries of a page; more than ${most} are that many, and long ones are fewer.`,
      source,
    },
    page_token: {
      type: 'text',
      least: 0,
      most: 4_096,
      failure,
      is: 'meta.next_page_token of the page before; absent or empty: the first page.',
      source,
    },
  }) as const;

/** What is asked, once it is read. */
export interface PageAsked {
  readonly limit?: number;
  readonly page_token?: string;
}

/** Row of the response fields beside the entries. */
export const PAGE_META = responseField({
  ...record({
    more: responseField({ type: 'flag', is: 'Whether another page exists.', source }),
    next_page_token: responseFieldOrNull({
      type: 'text',
      most: 4_096,
      is: 'The page_token of the next page; null: there is none.',
      source,
    }),
  }),
  is: 'Whether there is more, and how to ask for it.',
  source,
});

export interface Page<Entry> {
  readonly data: readonly Entry[];
  readonly meta: Of<typeof PAGE_META>;
}

/** A list as it is now. */
export interface PagedList<Entry> {
  /** Whose it is. */
  readonly by: string;
  /** What it is a list of: no other list of the subscriber has this name. */
  readonly name: string;
  /** In the order of their keys. */
  readonly entries: readonly Entry[];
  /** Unlike that of all others, and never another one. */
  readonly keyOf: (entry: Entry) => string;
  /** Above 0: the first key comes later. The order of texts when absent. */
  readonly order?: (one: string, other: string) => number;
  /** Things in an entry; 1 when absent. */
  readonly sizeOf?: (entry: Entry) => number;
}

/** Things on a page: it ends before an entry that would be too many, unless it is the first. */
export const MOST_ON_PAGE = 50_000;

/** Bytes of a key and of a signature (AES-CMAC). */
const KEY_BYTES = 16;
const SIGNATURE_DIGITS = 2 * KEY_BYTES;

/**
 * Tokens are signed with a key of the world's seed and id: they outlive the process, and are void
 * in another world of the same seed.
 */
export class Pages {
  readonly #world: Pick<WholeWorld, 'placeDraws' | 'id'>;
  #schedule: KeySchedule | undefined;

  constructor(world: Pick<WholeWorld, 'placeDraws' | 'id'>) {
    this.#world = world;
  }

  /** The page that is asked for, or that its token is not of this list: the code is given. */
  page<Entry, Code extends string>(
    list: PagedList<Entry>,
    { limit, page_token: token = '' }: PageAsked,
    { usual, most }: PageSizes,
    code: Code,
  ): Result<Page<Entry>, Code> {
    const after = token === '' ? undefined : this.#keyIn(list, token);
    if (after === null) {
      return fail(code, 'This list has not returned this page_token.', '/page_token');
    }
    const { entries, keyOf } = list;
    const from = after === undefined ? 0 : placeAfter(list, after);
    const data = fitting(list, entries.slice(from, from + Math.min(limit ?? usual, most)));
    assert(data.length <= most, 'a page has no more entries than it may');
    const more = from + data.length < entries.length;
    const next_page_token = more ? this.#tokenOf(list, keyOf(data.at(-1)!)) : null;
    return ok({ data, meta: { more, next_page_token } });
  }

  #tokenOf({ by, name }: Named, key: string): string {
    const signature = new Uint8Array(KEY_BYTES);
    this.#schedule ??= this.#keySchedule();
    cmac(this.#schedule, bytesOf(`${by}\n${name}\n${key}`), signature);
    return toHex(signature) + toHex(bytesOf(key));
  }

  /** The key that a token of the list has; null: it is none of the list's. */
  #keyIn(list: Named, token: string): string | null {
    const key = textOf(token.slice(SIGNATURE_DIGITS));
    return this.#tokenOf(list, key) === token ? key : null;
  }

  #keySchedule(): KeySchedule {
    const draws = this.#world.placeDraws(`page tokens ${this.#world.id}`);
    const bytes = Uint8Array.from({ length: KEY_BYTES }, (_, at) => draws(at) & 0xff);
    return expandKey(bytes);
  }
}

type Named = Pick<PagedList<unknown>, 'by' | 'name'>;

/** The place of the first entry behind a key, whose own entry may be gone. */
function placeAfter<Entry>({ entries, keyOf, order = asTexts }: PagedList<Entry>, key: string) {
  let low = 0;
  for (let high = entries.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (order(keyOf(entries[middle]!), key) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** As many of the first as a page has room for. */
function fitting<Entry>({ sizeOf }: PagedList<Entry>, entries: readonly Entry[]) {
  if (sizeOf === undefined) return entries;
  let capacity = MOST_ON_PAGE;
  const end = entries.findIndex((entry, at) => {
    capacity -= sizeOf(entry);
    return capacity < 0 && at > 0;
  });
  return end < 0 ? entries : entries.slice(0, end);
}

const asTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Two bytes a unit of UTF-16. */
function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array(2 * text.length);
  for (let i = 0; i < text.length; i++) {
    bytes[2 * i] = text.charCodeAt(i) >> 8;
    bytes[2 * i + 1] = text.charCodeAt(i) & 0xff;
  }
  return bytes;
}

/** The same backwards; of digits that are none of ours, some text. */
function textOf(digits: string): string {
  let text = '';
  for (let i = 0; i + 4 <= digits.length; i += 4) {
    text += String.fromCharCode(Number.parseInt(digits.slice(i, i + 4), 16) || 0);
  }
  return text;
}
